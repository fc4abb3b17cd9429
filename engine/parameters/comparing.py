"""Comparisons of named parts by code: highest, lowest, order, difference, ratio."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import LimitKind, ParameterRecord
from engine.parameters.cases import Case
from engine.parameters.concepts import concepts_of
from engine.parameters.engineering import trim
from engine.parameters.matching import names_asked
from engine.parameters.part_names import without_parts
from engine.parameters.query import Clause, ParameterQuery
from engine.parameters.question_patterns import Form, question_words
from engine.parameters.results import ComputedAnswer
from engine.parameters.selecting import (
    GOOD_ENOUGH,
    KIND_ORDER,
    Match,
    RecordBook,
    Selection,
    distinct_values,
    find_matches,
    settle,
    surest,
)
from engine.parameters.units import parse_unit
from engine.parameters.wording import (
    common_value,
    conditions_text,
    joined,
    kind_word,
    name_text,
    value_in,
)

MOST_LISTED = 6
IN_COMMON = 0.6
"""Share of a question that records must account for where all sides give the same parameter."""
_LEAST, _MOST = 0.001, 10_000.0
"""A difference is stated in the printed unit while its figure lies between these."""


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
    """One case's values for a comparison: `low`/`high` span all that fit, by magnitude where all sides are negative."""

    label: str
    matches: tuple[Match, ...]
    low: float
    high: float
    selection: Selection

    @property
    def kinds(self) -> set[LimitKind]:
        return {match.record.kind for match in self.matches}


def compare_cases(
    book: RecordBook, query: ParameterQuery, clause: Clause, cases: Sequence[Case]
) -> ComputedAnswer | None:
    """Compare one parameter over the cases. None when no case gives a number or units differ."""
    selections = _selections(book, clause, cases, GOOD_ENOUGH)
    if not all(selection.matches for _, selection in selections):
        loose = in_common([selection for _, selection in _selections(book, clause, cases, IN_COMMON)])
        selections = [(case.label, one) for case, one in zip(cases, loose, strict=True)] if loose else selections
    kind = clause.kind or _shared_kind([selection for _, selection in selections])
    sides = _sides(selections, kind, query.form)
    if not sides or len({match.record.unit for side in sides for match in side.matches}) > 1:
        return None
    missing = [case.label for case in cases if case.label not in {side.label for side in sides}]
    caveats = [f"No value was found for {joined(missing)}."] if missing else []
    if len({frozenset(side.kinds) for side in sides}) > 1:
        shown = joined(f"{side.label} {kind_word(side.matches[0].record.kind) or 'value'}" for side in sides)
        caveats.append(f"Limits of different kinds are compared: {shown}.")
    caveats += [caveat for side in sides for caveat in caveats_of(side.selection, query, clause)]
    sides.sort(key=lambda side: side.high, reverse=query.form is not Form.LOWEST)
    if query.form in (Form.DIFFERENCE, Form.RATIO):
        return _arithmetic(sides, query, caveats, bool(missing))
    return _ranked(sides, query, caveats, bool(missing))


def _selections(book: RecordBook, clause: Clause, cases: Sequence[Case], least: float) -> list[tuple[str, Selection]]:
    return [
        (case.label, numeric_selection(book, case.query, case.clause(clause), case.part, least=least)) for case in cases
    ]


def in_common(selections: Sequence[Selection]) -> tuple[Selection, ...]:
    """The sides kept to the parameter that all of them give, () where they give none in common: words of the question
    that no sheet uses then tell nothing apart."""
    firsts = [concepts_in(one.matches[:1]) for one in selections]
    shared = frozenset.intersection(*firsts) if firsts else frozenset()
    if not shared:
        return ()
    return tuple(
        replace(one, matches=tuple(m for m in one.matches if concepts_in((m,)) & shared)) for one in selections
    )


def concepts_in(matches: Sequence[Match]) -> frozenset[str]:
    """The parameters that records are known to give."""
    records = [match.record for match in matches]
    return frozenset().union(*(concepts_of(one.parameter, one.symbol, one.unit) for one in records))


def numeric_selection(
    book: RecordBook, query: ParameterQuery, clause: Clause, part: str, *, least: float = GOOD_ENOUGH
) -> Selection:
    """What can be set against other values: numbers named by what is asked, not found by their row alone."""
    found = find_matches(book, query, clause, part, least=least)
    kept = [match for match in found if match.record.low is not None and names_asked(clause, match.record)]
    return settle(kept, query, clause)


def _shared_kind(selections: Sequence[Selection]) -> LimitKind | None:
    """A limit that every case gives: kinds are not mixed where that can be helped."""
    kinds = [{match.record.kind for match in selection.matches} for selection in selections if selection.matches]
    shared = set.intersection(*kinds) if kinds else set()
    return next((kind for kind in KIND_ORDER if kind in shared), None)


def _sides(selections: Sequence[tuple[str, Selection]], kind: LimitKind | None, form: Form) -> list[_Side]:
    chosen: list[tuple[str, tuple[Match, ...], Selection]] = []
    for label, selection in selections:
        matches = tuple(match for match in selection.matches if kind is None or match.record.kind is kind)
        if matches := matches or selection.matches:
            chosen.append((label, matches, selection))
    ends = [match.record.high or 0.0 for _, matches, _ in chosen for match in matches]
    negative = bool(ends) and max(ends) <= 0.0
    sides = []
    for label, matches, selection in chosen:
        numbers = [_reach(match.record, form, negative) for match in matches]
        sides.append(_Side(label, matches, min(numbers), max(numbers), selection))
    return sides


def _reach(record: ParameterRecord, form: Form, negative: bool) -> float:
    """The end of a value that counts: its size where all are negative or it is \u00b1x, else a range's asked end."""
    low, high = record.low or 0.0, record.high or 0.0
    if negative or low == -high:
        return max(abs(low), abs(high))
    return low if form is Form.LOWEST else high


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
        lines.append(f"{side.label}: {shown}")
    return "; ".join(lines)


def _common_name(sides: Sequence[_Side]) -> str:
    """The parameter's name without the part that one side's row adds to it."""
    record = sides[0].matches[0].record
    return without_parts(name_text(record), record.parts)[0] or name_text(record)


def _ranked(sides: Sequence[_Side], query: ParameterQuery, caveats: list[str], missing: bool) -> ComputedAnswer:
    """Highest, lowest or the whole order. A winner is named only where its values beat all others'."""
    text = _sides_text(sides, query)
    first, rest = sides[0], sides[1:]
    if query.form is Form.LOWEST:
        wins = all(first.high < other.low for other in rest)
    else:
        wins = all(first.low > other.high for other in rest)
    name = _common_name(sides)
    confidence = min(confidence_of(side.matches, side.selection) for side in sides)
    if missing:
        confidence = min(confidence, 0.5)
    labels = tuple(side.label for side in sides)
    if query.form is Form.RANK:
        return ComputedAnswer(
            f"{name}: {text}.",
            ", ".join(labels),
            _cited(sides),
            tuple(caveats),
            confidence,
            query.form.value,
            1,
            labels,
        )
    value = value_in(surest(first.matches).record, query.unit, query.unit_text)
    if rest and all(side.low == side.high == first.low for side in sides):
        return ComputedAnswer(
            f"{name}: the same, {text}.", f"the same: {value}", _cited(sides), tuple(caveats), confidence,
            query.form.value, 1, labels,
        )  # fmt: skip
    if not wins or not rest:
        caveats.append("The values overlap or are equal; no single part stands out.")
        return ComputedAnswer(
            f"{name}: {text}.", "no single one", _cited(sides), tuple(caveats), min(confidence, 0.5), query.form.value,
            len(sides), labels,
        )  # fmt: skip
    word = "lowest" if query.form is Form.LOWEST else "highest"
    apart = _apart(first, rest[0], query) if query.margin and len(sides) == 2 else ""
    by = f"; the difference is {apart}" if apart else ""
    short = f"{first.label} ({value})" + (f", by {apart}" if apart else "")
    return ComputedAnswer(
        f"{first.label} has the {word} {name}: {text}{by}.", short, _cited(sides), tuple(caveats), confidence,
        query.form.value, 1, (first.label,), (apart,),
    )  # fmt: skip


def _apart(one: _Side, other: _Side, query: ParameterQuery) -> str:
    """The difference of two single values in the unit both are printed in ("0.5 \u00b5A"); "" where there is none."""
    if one.low != one.high or other.low != other.high:
        return ""
    apart = float(f"{abs(one.high - other.high):.12g}")
    records = [surest(side.matches).record for side in (one, other)]
    asked = query.unit_text or (records[0].unit_raw if len({record.unit_raw for record in records}) == 1 else "")
    unit = query.unit or (parse_unit(asked) if asked else None)
    measure = "K" if records[0].unit == "\u00b0C" and not asked else records[0].unit
    shown = apart / unit.factor if unit is not None else 0.0
    if unit is None or unit.symbol != records[0].unit or not _LEAST <= shown < _MOST:
        return common_value(apart, measure)
    return f"{trim(shown)} {asked}"


def _arithmetic(
    sides: Sequence[_Side], query: ParameterQuery, caveats: list[str], missing: bool
) -> ComputedAnswer | None:
    """Difference or ratio of two single values."""
    if len(sides) != 2 or missing or any(side.low != side.high for side in sides):
        return None
    high, low = sides
    if query.form is Form.RATIO:
        if low.high == 0:
            return None
        short = f"{high.high / low.high:.4g} times"
        derived, short = short, f"{high.label}: {short}" if _asks_who_has_more(query.question) else short
    else:
        derived = short = _apart(high, low, query)
    confidence = min(confidence_of(side.matches, side.selection) for side in sides)
    return ComputedAnswer(
        f"{_common_name(sides)}: {_sides_text(sides, query)}; {query.form.value} {derived}.", short,
        _cited(sides), tuple(caveats), confidence, query.form.value, 1, tuple(side.label for side in sides), (derived,),
    )  # fmt: skip


def _asks_who_has_more(question: str) -> bool:
    """ "Whose oscillator runs faster, and by what factor?" asks for the part as well."""
    words, known = set(re.findall(r"[a-z]+", question.casefold())), question_words()
    return bool(words & {"which", "whose", "who"}) and bool(words & (known.highest | known.fastest))
