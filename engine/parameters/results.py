"""What the parameter search gives back: computed answers, found rows, comparison tables."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import DocumentId
from engine.core.model import Box, ParameterRecord


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One line of a list: a part with its values, and the records they come from."""

    text: str
    records: tuple[ParameterRecord, ...]


@dataclass(frozen=True, slots=True)
class ComputedAnswer:
    """An answer made by code from records.

    `text` states every value with its part, limit and conditions; `short` is the bare answer. `records` are what it
    rests on, to be cited in this order. Below `SURE` confidence the caller must show, not assert. `alternatives` is the
    number of different values that could not be told apart (1 for a single answer). `parts` are those answered for.
    """

    text: str
    short: str
    records: tuple[ParameterRecord, ...]
    caveats: tuple[str, ...]
    confidence: float
    form: str
    alternatives: int = 1
    parts: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    """What code made of the cited values and no page prints: a difference, a ratio."""
    rows: tuple[AnswerRow, ...] = ()
    """The lines of a list, each to be verified and cited by itself."""

    @property
    def unprinted(self) -> tuple[str, ...]:
        """What the text says in other figures than its pages: what code derived, and counts printed in words."""
        return (*self.derived, *(f"{record.low:g}" for record in self.records if spelled_count(record)))


def spelled_count(record: ParameterRecord) -> bool:
    """Whether a value is a count in words: "Eight" interrupt sources."""
    return record.low is not None and record.value_raw.isalpha() and not record.unit


SURE = 0.7
"""Confidence from which an answer may be asserted; below it the page is shown with the row marked."""


@dataclass(frozen=True, slots=True)
class ValueCell:
    """One value of a find or compare result. `file` is relative to its watched folder, `page` physical."""

    value: str
    unit: str
    kind: str
    conditions: tuple[str, ...]
    file: str
    page: int
    box: Box | None
    confidence: float
    parameter: str = ""
    section: str = ""
    low: float | None = None
    high: float | None = None
    common_unit: str = ""
    doubts: tuple[str, ...] = ()
    record: str = ""
    corrected: bool = False

    @property
    def sure(self) -> bool:
        """Whether the value may be asserted; otherwise its page is to be looked at."""
        return self.confidence >= SURE and not self.doubts


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A part of a document with the cells of each asked parameter (a parameter may have several)."""

    document: DocumentId
    title: str
    part: str
    cells: tuple[tuple[ValueCell, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class FindResult:
    """Parts that satisfy an expression, best first; `doubtful` may satisfy it but cannot be asserted."""

    expression: str
    parameters: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    doubtful: tuple[ResultRow, ...] = ()
    examined: int = 0
    """Documents that give the asked parameters at all."""
    of: int = 0
    """Documents searched."""
    warnings: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    """Parts of the documents of an asked kind that do not give the parameters."""


@dataclass(frozen=True, slots=True)
class CompareTable:
    """Parts x parameters. A cell list is empty where a document does not give the parameter."""

    parameters: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    warnings: tuple[str, ...] = ()
