"""What the parameter search gives back: computed answers, found rows, comparison tables."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import DocumentId
from engine.core.model import Box, ParameterRecord


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


@dataclass(frozen=True, slots=True)
class CompareTable:
    """Parts x parameters. A cell list is empty where a document does not give the parameter."""

    parameters: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    warnings: tuple[str, ...] = ()
