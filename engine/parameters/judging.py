"""Whether a part's values keep a bound: by the limit that guarantees it, never by a value that cannot be trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.parameters.query import Bound, Clause
from engine.parameters.results import SURE
from engine.parameters.selecting import KIND_ORDER, OPERATING, gives_limit
from engine.parameters.wording import kind_word

_TERMINALS = re.compile(r"\b(?:collector|emitter|base|drain|gate|source)\b", re.IGNORECASE)
"""Voltages between a transistor's terminals, which PNP and P-channel sheets print with a minus sign."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a part's records keep a bound: `holds` None when it depends or cannot be asserted; `why` says so."""

    holds: bool | None
    records: tuple[ParameterRecord, ...]
    why: str = ""


def judge(records: Sequence[ParameterRecord], clause: Clause) -> Verdict:
    """Whether one part's values keep a bound, by the limit that guarantees it; a typical one is said to be one."""
    bound = clause.bound
    kind = clause.kind or _guaranteeing(bound)
    ratings = [record for record in records if record.section is RecordSection.ABSOLUTE_MAXIMUM]
    if bound is not None and ratings and len(ratings) == len(records) and OPERATING & set(clause.concepts):
        return Verdict(None, tuple(ratings), "only the absolute maximum rating is given")
    if bound is not None and bound.relation == "includes":
        return _includes(records, bound)
    chosen = [r for r in records if r.kind is kind] or [r for r in records if kind is not None and gives_limit(r, kind)]
    why = ""
    if not chosen:
        kinds = [r.kind for r in records]
        other = next((k for k in KIND_ORDER if k in kinds), None)
        chosen = [r for r in records if r.kind is other]
        if kind is not None and other is not None and other is not LimitKind.VALUE:
            why = f"only the {kind_word(other)} value is given"
    if not chosen:
        return Verdict(False, ())
    sure = [record for record in chosen if record.confidence >= SURE]
    if not sure:
        return Verdict(None, tuple(chosen), "the table could not be read with certainty")
    if bound is None:
        return Verdict(True, tuple(sure), why)
    holds = [_keeps(record, bound) for record in sure]
    kept = tuple(record for record, ok in zip(sure, holds) if ok)
    if not any(holds):
        return Verdict(False, tuple(sure))
    if not all(holds):
        return Verdict(None, kept, "it depends on the conditions")
    return Verdict(None if clause.kind is not None and why else True, kept, why)


def _guaranteeing(bound: Bound | None) -> LimitKind | None:
    if bound is None or bound.relation == "includes":
        return None
    return LimitKind.MAX if bound.relation.startswith("<") else LimitKind.MIN


def extent(record: ParameterRecord, relation: str) -> float:
    """The end of a value that a bound is held against: the magnitude of a current or of ±x, the far end of a range."""
    assert record.low is not None
    assert record.high is not None
    low, high = record.low, record.high
    if record.unit == "A" or low == -high or (record.unit == "V" and _TERMINALS.search(record.parameter)):
        return max(abs(low), abs(high))
    return low if relation.startswith("<") and record.kind is LimitKind.VALUE else high


def _keeps(record: ParameterRecord, bound: Bound) -> bool:
    value = extent(record, bound.relation)
    if bound.relation in ("<", "<="):
        return value < bound.high or (bound.relation == "<=" and value <= bound.high)
    return value > bound.low or (bound.relation == ">=" and value >= bound.low)


def _includes(records: Sequence[ParameterRecord], bound: Bound) -> Verdict:
    """Whether a part's range, printed as one cell or as MIN and MAX, holds a value."""
    sure = [r for r in records if r.confidence >= SURE and r.low is not None and r.high is not None]
    ranges = [r for r in sure if r.low is not None and r.high is not None and r.low < r.high]
    holding = [
        r for r in ranges if r.low is not None and r.high is not None and r.low <= bound.low and bound.high <= r.high
    ]
    if ranges:
        return Verdict(bool(holding), tuple(holding or ranges))
    rows: dict[tuple[int, int], dict[LimitKind, ParameterRecord]] = {}
    for record in sure:
        rows.setdefault((record.table, record.row), {})[record.kind] = record
    both = [row for row in rows.values() if LimitKind.MIN in row and LimitKind.MAX in row]
    if not both:
        return Verdict(None, tuple(sure), "the range is not given") if sure else Verdict(False, ())
    inside = [row for row in both if _spans(row[LimitKind.MIN], row[LimitKind.MAX], bound)]
    shown = tuple(record for row in inside or both for record in (row[LimitKind.MIN], row[LimitKind.MAX]))
    if inside and len(inside) < len(both):
        return Verdict(None, shown, "it depends on the conditions")
    return Verdict(bool(inside), shown)


def _spans(low: ParameterRecord, high: ParameterRecord, bound: Bound) -> bool:
    return low.low is not None and high.high is not None and low.low <= bound.low and bound.high <= high.high
