"""Yes or no by code: whether a part's limits bear out a bound or an operating point that a question states.

A point ("run at 3.3 V") needs both ends of one printed row to be borne out, and one end to be denied. What a part
merely survives bears nothing out: an absolute maximum rating can only deny.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.core.naming import name_words
from engine.parameters.comparing import MOST_LISTED, caveats_of, confidence_of, numeric_selection
from engine.parameters.query import Bound, Clause, ParameterQuery
from engine.parameters.results import ComputedAnswer
from engine.parameters.selecting import Match, RecordBook, Selection, rows_of, surest
from engine.parameters.wording import statement

_IMPLIED = {"<": LimitKind.MAX, "<=": LimitKind.MAX, ">": LimitKind.MIN, ">=": LimitKind.MIN}
"""The guaranteed limit that a bound is held against."""
_NOT_PROVEN = 0.6
"""Most an answer counts whose rows do not agree."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """One printed row with what it says of the claim."""

    row: tuple[Match, ...]
    holds: bool


def answer_yes_no(book: RecordBook, query: ParameterQuery, clause: Clause) -> ComputedAnswer | None:
    """ "Is its supply current below 2 mA?", "can it run at 3.3 V?"; None where the records leave it open."""
    bound = clause.bound
    if bound is None or len(query.parts) != 1:
        return None
    wanted = replace(clause, kind=clause.kind or _IMPLIED.get(bound.relation))
    selection = numeric_selection(book, query, wanted, query.parts[0])
    judged = _plainest(_judge(selection, bound))
    if not judged:
        return None
    shown = judged[:MOST_LISTED]
    records = tuple(surest([match]).record for one in shown for match in one.row)
    said = dict.fromkeys(_worded([match.record for match in one.row], query) for one in shown)
    verdicts = {one.holds for one in judged}
    word = ("Yes" if True in verdicts else "No") if len(verdicts) == 1 else "It depends"
    sure = confidence_of([match for one in judged for match in one.row], selection)
    return ComputedAnswer(
        f"{word}. {' '.join(said)}", word, records, _caveats(selection, query, wanted, judged),
        sure if len(verdicts) == 1 else min(sure, _NOT_PROVEN), query.form.value, len(verdicts), query.parts,
    )  # fmt: skip


def _judge(selection: Selection, bound: Bound) -> list[_Judged]:
    measured = [m for m in selection.matches if m.record.unit == bound.unit]
    rows = rows_of(measured) if bound.relation == "includes" else [[match] for match in measured]
    found = []
    for row in rows:
        records = [match.record for match in row]
        holds = _contains(records, bound) if bound.relation == "includes" else _holds(records[0], bound)
        if holds is not None:
            found.append(_Judged(tuple(row), holds))
    return found


def _contains(row: Sequence[ParameterRecord], bound: Bound) -> bool | None:
    """Whether the limits of one row enclose a point or range; None where the row does not say."""
    lowest = [one.low for one in row if one.low is not None and _is_end(one, LimitKind.MIN)]
    highest = [one.high for one in row if one.high is not None and _is_end(one, LimitKind.MAX)]
    if any(bound.low < low for low in lowest) or any(bound.high > high for high in highest):
        return False
    survived = any(one.section is RecordSection.ABSOLUTE_MAXIMUM for one in row)
    return True if lowest and highest and not survived else None


def _is_end(record: ParameterRecord, kind: LimitKind) -> bool:
    return record.kind is kind or (record.kind is LimitKind.VALUE and record.low != record.high)


def _holds(record: ParameterRecord, bound: Bound) -> bool | None:
    """Whether a limit keeps a bound."""
    assert record.low is not None
    assert record.high is not None
    if bound.relation in ("<", "<="):
        return record.high < bound.high or (bound.relation == "<=" and record.high == bound.high)
    return record.low > bound.low or (bound.relation == ">=" and record.low == bound.low)


def _plainest(judged: Sequence[_Judged]) -> list[_Judged]:
    """Rows whose name says least beside the parameter: "supply voltage" before "programming supply voltage"."""
    words = [len(name_words(one.row[0].record.parameter)) for one in judged]
    return [one for one, count in zip(judged, words, strict=True) if count == min(words)]


def _worded(row: Sequence[ParameterRecord], query: ParameterQuery) -> str:
    return statement(row, query.parts[0], query.unit, query.unit_text)


def _caveats(selection: Selection, query: ParameterQuery, clause: Clause, judged: Sequence[_Judged]) -> tuple[str, ...]:
    rated = any(match.record.section is RecordSection.ABSOLUTE_MAXIMUM for one in judged for match in one.row)
    note = ("The value is an absolute maximum rating, not an operating limit.",) if rated else ()
    return (*caveats_of(selection, query, clause), *note)
