"""Comparisons of named parts by code: highest, lowest, order, difference, ratio, yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.parameters.query import Clause, ParameterQuery
from engine.parameters.question_patterns import Form
from engine.parameters.results import ComputedAnswer
from engine.parameters.selecting import (
    KIND_ORDER,
    Match,
    RecordBook,
    Selection,
    distinct_values,
    find_matches,
    settle,
    surest,
)
from engine.parameters.wording import (
    common_value,
    conditions_text,
    joined,
    kind_word,
    name_text,
    statement,
    value_in,
)

MOST_LISTED = 6


def confidence_of(matches: Sequence[Match], selection: Selection) -> float:
    sure = min(match.record.confidence for match in matches)
    fit = min(match.fit.score for match in matches)
    quality = min(match.quality for match in matches)
    scale = 0.6 if selection.kind_missing else 1.0
    return round(sure * min(1.0, quality + 0.1) * max(fit, 0.85) * scale, 3)


def caveats_of(selection: Selection, query: ParameterQuery, clause: Clause) -> tuple[str, ...]:
    found: list[str] = []
    if selection.kind_missing and clause.kind is not None:
        found.append(f"No {kind_word(clause.kind)} value is given; another limit is shown.")
    missing = dict.fromkeys(raw for match in selection.matches for raw in match.fit.missing)
    if missing and all(match.fit.missing for match in selection.matches):
        found.append(f"The value is not stated for {joined(missing)}.")
    found.extend(dict.fromkeys(doubt for match in selection.matches for doubt in match.record.doubts[:2]))
    return tuple(found[:4])


@dataclass(frozen=True, slots=True)
class _Side:
    """One part's values for a comparison: `low`/`high` span all that fit."""

    part: str
    matches: tuple[Match, ...]
    low: float
    high: float
    selection: Selection

    @property
    def kinds(self) -> set[LimitKind]:
        return {match.record.kind for match in self.matches}


def compare_parts(book: RecordBook, query: ParameterQuery, clause: Clause) -> ComputedAnswer | None:
    """Compare one parameter over the query's parts. None when no part gives a number or units differ."""
    selections = [(part, settle(find_matches(book, query, clause, part), query, clause)) for part in query.parts]
    selections = [(part, _numeric(selection)) for part, selection in selections]
    kind = clause.kind or _shared_kind([selection for _, selection in selections])
    sides = [side for part, selection in selections if (side := _side(part, selection, kind, query.form))]
    if not sides or len({match.record.unit for side in sides for match in side.matches}) > 1:
        return None
    missing = [part for part in query.parts if part not in {side.part for side in sides}]
    caveats = [f"No value was found for {joined(missing)}."] if missing else []
    if len({frozenset(side.kinds) for side in sides}) > 1:
        shown = joined(f"{side.part} {kind_word(side.matches[0].record.kind) or 'value'}" for side in sides)
        caveats.append(f"Limits of different kinds are compared: {shown}.")
    caveats += [caveat for side in sides for caveat in caveats_of(side.selection, query, clause)]
    sides.sort(key=lambda side: side.high, reverse=query.form is not Form.LOWEST)
    if query.form in (Form.DIFFERENCE, Form.RATIO):
        return _arithmetic(sides, query, caveats, bool(missing))
    return _ranked(sides, query, caveats, bool(missing))


def _numeric(selection: Selection) -> Selection:
    return replace(selection, matches=tuple(match for match in selection.matches if match.record.low is not None))


def _shared_kind(selections: Sequence[Selection]) -> LimitKind | None:
    """A limit that every part gives: kinds are not mixed where that can be helped."""
    kinds = [{match.record.kind for match in selection.matches} for selection in selections if selection.matches]
    shared = set.intersection(*kinds) if kinds else set()
    return next((kind for kind in KIND_ORDER if kind in shared), None)


def _side(part: str, selection: Selection, kind: LimitKind | None, form: Form) -> _Side | None:
    matches = [match for match in selection.matches if kind is None or match.record.kind is kind] or list(
        selection.matches
    )
    if not matches:
        return None
    ends = [end for match in matches for end in (match.record.low, match.record.high) if end is not None]
    tops = [match.record.low if form is Form.LOWEST else match.record.high for match in matches]
    numbers = [top for top in tops if top is not None]
    return _Side(part, tuple(matches), min(numbers or ends), max(numbers or ends), selection)


def _cited(sides: Sequence[_Side]) -> tuple[ParameterRecord, ...]:
    return tuple(dict.fromkeys(surest(group).record for side in sides for group in distinct_values(side.matches)[:3]))


def _sides_text(sides: Sequence[_Side], query: ParameterQuery) -> str:
    lines = []
    for side in sides:
        values = [surest(group).record for group in distinct_values(side.matches)[:3]]
        shown = joined(
            f"{kind_word(r.kind)} {value_in(r, query.unit, query.unit_text)}{conditions_text(r)}".strip()
            for r in values
        )
        lines.append(f"{side.part} {shown}")
    return "; ".join(lines)


def _ranked(sides: Sequence[_Side], query: ParameterQuery, caveats: list[str], missing: bool) -> ComputedAnswer:
    """Highest, lowest or the whole order. A winner is named only where its values beat all others'."""
    text = _sides_text(sides, query)
    first, rest = sides[0], sides[1:]
    if query.form is Form.LOWEST:
        wins = all(first.high < other.low for other in rest)
    else:
        wins = all(first.low > other.high for other in rest)
    name = name_text(first.matches[0].record)
    confidence = min(confidence_of(side.matches, side.selection) for side in sides)
    if missing:
        confidence = min(confidence, 0.5)
    if query.form is Form.RANK:
        order = ", ".join(side.part for side in sides)
        return ComputedAnswer(
            f"{name}: {text}.", order, _cited(sides), tuple(caveats), confidence, query.form.value, 1, query.parts
        )
    if not wins or not rest:
        caveats.append("The values overlap or are equal; no single part stands out.")
        return ComputedAnswer(
            f"{name}: {text}.", "no single one", _cited(sides), tuple(caveats), min(confidence, 0.5), query.form.value,
            len(sides), query.parts,
        )  # fmt: skip
    word = "lowest" if query.form is Form.LOWEST else "highest"
    value = value_in(surest(first.matches).record, query.unit, query.unit_text)
    return ComputedAnswer(
        f"{first.part} has the {word} {name}: {text}.", f"{first.part} ({value})", _cited(sides), tuple(caveats),
        confidence, query.form.value, 1, (first.part,),
    )  # fmt: skip


def _arithmetic(
    sides: Sequence[_Side], query: ParameterQuery, caveats: list[str], missing: bool
) -> ComputedAnswer | None:
    """Difference or ratio of two single values."""
    if len(sides) != 2 or missing or any(side.low != side.high for side in sides):
        return None
    high, low = sides
    unit = high.matches[0].record.unit
    if query.form is Form.RATIO:
        if low.high == 0:
            return None
        short = f"{high.high / low.high:.4g} times"
    else:
        short = common_value(float(f"{high.high - low.high:.12g}"), "K" if unit == "\u00b0C" else unit)
    confidence = min(confidence_of(side.matches, side.selection) for side in sides)
    return ComputedAnswer(
        f"{name_text(high.matches[0].record)}: {_sides_text(sides, query)}; {query.form.value} {short}.", short,
        _cited(sides), tuple(caveats), confidence, query.form.value, 1, query.parts,
    )  # fmt: skip


def answer_yes_no(book: RecordBook, query: ParameterQuery, clause: Clause) -> ComputedAnswer | None:
    """ "Is the supply current of the DS1307 below 2 mA?": by the guaranteed limit where one is given."""
    bound = clause.bound
    if bound is None or len(query.parts) != 1:
        return None
    kind = clause.kind or {"<": LimitKind.MAX, "<=": LimitKind.MAX, ">": LimitKind.MIN, ">=": LimitKind.MIN}.get(
        bound.relation
    )
    wanted = replace(clause, kind=kind)
    selection = _numeric(settle(find_matches(book, query, wanted, query.parts[0]), query, wanted))
    matches = [match for match in selection.matches if match.record.unit == bound.unit]
    if not matches:
        return None
    verdicts = {_holds(match.record, bound.relation, bound.low, bound.high) for match in matches}
    firsts = [surest(group) for group in distinct_values(matches)[:MOST_LISTED]]
    text = " ".join(statement([match.record], query.parts[0], query.unit, query.unit_text) for match in firsts)
    sure = confidence_of(matches, selection)
    word = ("Yes" if verdicts == {True} else "No") if len(verdicts) == 1 else "It depends"
    caveats = list(caveats_of(selection, query, wanted))
    if any(match.record.section is RecordSection.ABSOLUTE_MAXIMUM for match in matches):
        caveats.append("The value is an absolute maximum rating, not an operating limit.")
    return ComputedAnswer(
        f"{word}. {text}", word, tuple(match.record for match in firsts), tuple(caveats),
        sure if len(verdicts) == 1 else min(sure, 0.6), query.form.value, len(verdicts), query.parts,
    )  # fmt: skip


def _holds(record: ParameterRecord, relation: str, low: float, high: float) -> bool:
    assert record.low is not None
    assert record.high is not None
    if relation in ("<", "<="):
        return record.high < high or (relation == "<=" and record.high == high)
    if relation in (">", ">="):
        return record.low > low or (relation == ">=" and record.low == low)
    return record.low <= low and high <= record.high
