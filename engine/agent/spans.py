"""The short answer inside a sentence or row: the span of the kind the question asks for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.cells import CellValue, number_cells, row_range, row_values
from engine.agent.counts import NUMBER_WORDS
from engine.agent.evidence import Evidence, Pool, holds
from engine.agent.nearness import CLAUSE_END, closeness, near_given, said
from engine.agent.parts import looks_like_part, names_same
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Expect, Question
from engine.agent.respective import name_in_order, quantity_in_order
from engine.agent.terms import canonical, stop_words, tokens, word_forms
from engine.agent.units import Unit
from engine.core.text import fold, fold_case, identifiers

_BARE_NUMBER = re.compile(
    r"(?<![\w.,/+:-])[0-9]{1,3}(?:[, ][0-9]{3})+(?![\w])|(?<![\w.,/+:-])[0-9]+(?:\.[0-9]+)?(?![\w/]|\.[0-9])"
)
_HEX = re.compile(
    r"\b[0-9A-F]{2,4}h\b|\b0x[0-9A-Fa-f]+\b|\b[0-9][0-9A-Fa-f]*[hH]\b|\$[0-9A-Fa-f]{2,}\b|\b[01]{6,10}b?\b"
)
_HEX_RANGE = re.compile(rf"(?:{_HEX.pattern})\s?(?:to|through|-|\u2013)\s?(?:{_HEX.pattern})")
_SEVERAL_CODES = re.compile(r"\b(?:addresses|locations|range|codes|from where to where)\b", re.I)
_PIN = re.compile(r"\bP[0-9]{1,2}\.[0-9]{1,2}\b|\b[A-Z][A-Z0-9_/]{1,}(?:[0-9]|\b)")
_COUNTED = re.compile(
    r"(?:how many|number of|what number of) ((?:[\w/-]+ ){0,4}?[\w/-]+)"
    r"(?= (?:do(?:es)?|is|are|was|were|can|could|has|have|of|in|on|for|per|must|may|should|will|the|at|to|with|it)\b"
    r"|\s*[?,;.]|$)",
    re.I,
)
_REFERENCE = re.compile(
    r"\b(?:table|figure|fig\.|section|chapter|page|note|pin|step|example|appendix|version|rev)\s*$", re.I
)
_SWITCHES = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_LEADER = "\u2026"
_ADDED = re.compile(r"\b(?:additional|extra|another|further|more|(?:in addition|next) to(?: the)?)\s*$", re.I)
"""A value that is added to another is not the whole."""
_DEVICE = re.compile(
    r"\b(?:transistor|mosfet|fet|diode|device|part|chip|ic|controller|converter|driver|sensor)s?\b", re.I
)
_RANGE_ASKED = re.compile(r"\brange\b|\bfrom what\b|\bbetween what\b|\blimits\b", re.I)
_LIMIT_HEAD = {
    "min": "min",
    "minimum": "min",
    "typ": "typ",
    "typical": "typ",
    "nom": "typ",
    "max": "max",
    "maximum": "max",
}


@dataclass(frozen=True, slots=True)
class Span:
    """A candidate short answer. `text` is a printed slice of the unit; `fit` in 0..1 says how well it sits."""

    text: str
    fit: float
    quantity: Quantity | None = None
    sure: bool = False
    """The text itself says which value it is: by its column and limit, by "respectively", by stated cells."""
    loose: bool = False
    """No value of the kind the rules expected: the nearest of any kind."""


def find_span(question: Question, pool: Pool, evidence: Evidence) -> Span | None:
    """The best span of the expected kind in a unit, else the nearest value of any kind; None if it holds none."""
    span = _typed_span(question, pool, evidence)
    if span is None and question.expect in (Expect.QUANTITY, Expect.NUMBER):
        return _loose_span(question, pool, evidence.unit)
    return span


def _loose_span(question: Question, pool: Pool, unit: Unit) -> Span | None:
    """A quantity whatever its dimension, or a bare number where a count is asked for: rules often take the wrong kind
    for granted."""
    text = fold(unit.text)
    there = find_quantities(text)
    if question.expect is Expect.NUMBER:
        spelled = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", re.I)
        places = [m.span() for pattern in (_BARE_NUMBER, spelled) for m in pattern.finditer(text)]
        # A "0" is the state of a bit; that there is none is said in words.
        asked = {*tokens(question.text), "0"}
        places = [(a, b) for a, b in places if text[a:b].casefold() not in asked and not _REFERENCE.search(text[:a])]
        places = [(a, b) for a, b in places if not any(q.start < b and a < q.end for q in there)]
        nearest = _nearest(question, pool, text, places)
        if nearest is not None:
            return Span(nearest.text, 0.5 * nearest.fit, loose=True)
    scored = [
        (closeness(pool, text, q.start, q.end) + 0.3 * _limit_fit(question, text, q), q)
        for q in there
        if not any(q.same(given) for given in question.given)
    ]
    if not scored:
        return None
    fit, quantity = max(scored, key=lambda pair: pair[0])
    return Span(quantity.text, 0.5 * min(1.0, fit), quantity, loose=True)


def _typed_span(question: Question, pool: Pool, evidence: Evidence) -> Span | None:
    unit = evidence.unit
    text = fold(unit.shown if unit.is_row and any(head for head, _ in unit.cells) else unit.text)
    kind = question.expect
    if kind is Expect.QUANTITY:
        # What a header states ("VS = ±15 V") is a condition of its column, not a value.
        return _quantity(question, pool, unit, fold(unit.text))
    if kind is Expect.NUMBER:
        if any(head for head, _ in unit.cells):
            found = [_number(question, pool, fold(cell)) for _, cell in unit.cells]
            return _number_cell(question, unit) or max((s for s in found if s), key=lambda s: s.fit, default=None)
        return _number(question, pool, text)
    if kind is Expect.HEX:
        ranges = [m.span() for m in _HEX_RANGE.finditer(text)] if _SEVERAL_CODES.search(question.folded) else []
        return _nearest(question, pool, text, ranges or [m.span() for m in _HEX.finditer(text)])
    if kind is Expect.IDENTIFIER:
        return _identifier(question, pool, text)
    if kind is Expect.OPTION:
        return _option(unit)
    return _text_cell(question, pool, unit) or Span(unit.text, 0.5)


def _option(unit: Unit) -> Span | None:
    """The switch that a sentence describes: the one it begins with, else the last before it, else one it names."""
    places = [fold(unit.text), fold(unit.around)]
    first = _SWITCHES.match(places[0])
    named = [first] if first else [*list(_SWITCHES.finditer(places[1]))[-1:], *_SWITCHES.finditer(places[0])]
    return Span(named[0].group(), 0.9 if first else 0.6) if named else None


def _text_cell(question: Question, pool: Pool, unit: Unit) -> Span | None:
    """The one cell of a row that the question does not already state; None where several could be meant."""
    if not any(head for head, _ in unit.cells):
        return None
    stated = {fold_case(name) for name, _ in question.pairs}
    open_cells: list[tuple[float, str]] = []
    for head, cell in unit.cells:
        if any(name in fold_case(head) for name in stated):
            continue
        forms = word_forms(cell)
        told = sum(1 for form in forms if form in pool.terms)
        if forms and told / len(forms) > 0.5:
            continue
        named = sum(pool.weights[term] for term in pool.terms if holds(word_forms(head), term))
        open_cells.append((named, cell))
    if stated:
        open_cells = [(named, cell) for named, cell in open_cells if len(fold(cell)) > 1] or open_cells
    open_cells.sort(key=lambda pair: -pair[0])
    clear = len(open_cells) == 1 or (len(open_cells) > 1 and open_cells[0][0] > open_cells[1][0])
    return Span(fold(open_cells[0][1]), 0.7, sure=bool(stated)) if clear else None


def _quantity(question: Question, pool: Pool, unit: Unit, text: str) -> Span | None:
    if unit.is_row:
        in_cells = _cell_quantity(question, pool, unit)
        if in_cells is not None:
            return in_cells
    listed = quantity_in_order(question, text, lambda quantity: _wanted(question, quantity))
    if listed is not None:
        return Span(listed.text, 0.95, listed, sure=True)
    best: tuple[float, Quantity] | None = None
    there = find_quantities(text)
    for quantity in there:
        if not _wanted(question, quantity):
            continue
        if _LEADER in unit.text:
            label = max((q.end for q in there if q.end <= quantity.start), default=0)
            # What stands before a colon heads all the values of the list.
            fit = said(pool, text[label : quantity.start].rpartition(": ")[2])
        else:
            fit = closeness(pool, text, quantity.start, quantity.end) + near_given(question, text, quantity)
            fit += 0.4 * said(pool, re.split(r"[,;.:(]|\band\b|[0-9]", text[quantity.end : quantity.end + 40])[0])
        fit -= 0.7 if _ADDED.search(text[: quantity.start]) else 0.0
        fit += 0.3 * _limit_fit(question, text, quantity) + _range_fit(question, quantity)
        if text[: quantity.start].rstrip().endswith("="):
            fit -= 0.3
        if best is None or fit > best[0]:
            best = (fit, quantity)
    return Span(best[1].text, min(1.0, best[0]), best[1]) if best is not None else None


def _cell_quantity(question: Question, pool: Pool, unit: Unit) -> Span | None:
    """The value under the column that the question's words, or its limit, point to."""
    if not question.limit and _RANGE_ASKED.search(question.folded):
        ranged = row_range(unit)
        if ranged is not None and _wanted(question, ranged):
            return Span(ranged.text, 0.9, ranged)
    best: tuple[float, CellValue] | None = None
    for value in row_values(unit):
        if not _wanted(question, value.quantity):
            continue
        forms = word_forms(value.head)
        named = sum(pool.weights[term] for term in pool.terms if holds(forms, term)) / pool.total
        named_parts = [name for name in identifiers(value.head) if looks_like_part(name)]
        if named_parts and question.parts and not for_part(question, named_parts):
            continue
        limits = limit_of(value.head)
        fit = 0.4 + named + _range_fit(question, value.quantity) + (0.4 if named_parts and question.parts else 0.0)
        fit += condition_fit(question, value.head)
        if question.limit and limits:
            fit += 0.4 if question.limit in limits else -0.4
        # A cell of prose holds several values: the one its words speak of, as in any sentence.
        within, place = fold(value.cell), value.quantity
        fit += 0.5 * closeness(pool, within, place.start, place.end) + 0.2 * _limit_fit(question, within, place)
        if best is None or fit > best[0]:
            best = (fit, value)
    if best is None:
        return None
    limited = bool(question.limit) and question.limit in limit_of(best[1].head)
    return Span(best[1].text, min(1.0, best[0]), best[1].quantity, sure=limited)


def condition_fit(question: Question, head: str) -> float:
    """A column for a stated condition ("25 \u00b0C Max") counts for it, one for another against it."""
    there = [*find_quantities(fold(head)), *_degrees(head)]
    if not there or not question.given:
        return 0.0
    if any(q.same(given) for q in there for given in question.given):
        return 0.3
    return -0.3 if any(q.dimension == given.dimension for q in there for given in question.given) else 0.0


def _degrees(head: str) -> list[Quantity]:
    """ "Limits at indicated temperature (°C) 125": the bare number a temperature column is for."""
    folded = fold(head)
    number = re.search(r"(?<![0-9.])([+-]?[0-9]{1,3})(?:\W+(?:min|typ|max)\.?)?$", folded, re.I)
    if number is None or not re.search(r"temperature|\boC\b|\u00b0C", folded[: number.start()], re.I):
        return []
    return find_quantities(f"{number.group(1)} \u00b0C")


def for_part(question: Question, names: Sequence[str]) -> bool:
    """Whether a column that names parts is the column of the part asked about."""
    exact = any(names_same(part, name) == 1.0 for part in question.parts for name in names)
    # "54HC" heads the column of the MM54HC147.
    exact = exact or any(fold(name).upper() in fold(part).upper() for part in question.parts for name in names)
    return exact or any(names_same(part, name) >= 0.9 for part in question.parts for name in names)


def limit_of(head: str) -> set[str]:
    """The limits a column header names: "25 °C Max." -> {"max"}."""
    return {_LIMIT_HEAD[word] for word in re.findall(r"[a-z]+", head.casefold()) if word in _LIMIT_HEAD}


def _range_fit(question: Question, quantity: Quantity) -> float:
    return 0.3 if quantity.is_range and _RANGE_ASKED.search(question.folded) else 0.0


def _wanted(question: Question, quantity: Quantity) -> bool:
    if question.offered:
        return any(math.isclose(quantity.low, value, rel_tol=1e-6) for value in question.offered)
    if question.dimensions and not fits_dimension(quantity.dimension, question.dimensions):
        return False
    return not any(quantity.same(given) for given in question.given)


def fits_dimension(dimension: str, wanted: frozenset[str]) -> bool:
    """Whether a quantity is of a kind asked for; "voltage per us" only where slew rates are."""
    return dimension in wanted or (dimension.split(" per ")[0] in wanted and " per " not in dimension)


def _limit_fit(question: Question, text: str, quantity: Quantity) -> float:
    """1 if the value stands next to the limit asked for ("750 ms (max)"), -1 if next to another."""
    if not question.limit:
        return 0.0
    before = CLAUSE_END.split(text[max(0, quantity.start - 14) : quantity.start])[-1]
    behind = CLAUSE_END.split(text[quantity.end : quantity.end + 12])[0]
    near = f"{before} {behind}".casefold()
    named = {_LIMIT_HEAD[w] for w in re.findall(r"[a-z]+", near) if w in _LIMIT_HEAD}
    if not named:
        return 0.0
    return 1.0 if question.limit in named else -1.0


def _nearest(question: Question, pool: Pool, text: str, places: Sequence[tuple[int, int]]) -> Span | None:
    asked = fold_case(question.text)
    scored = [
        (closeness(pool, text, start, end), text[start:end])
        for start, end in places
        if text[start:end].casefold() not in asked
    ]
    if not scored:
        return None
    fit, best = max(scored)
    return Span(best, min(1.0, fit))


def _number_cell(question: Question, unit: Unit) -> Span | None:
    """ "How many cycles": the number under a column that says "cycles"."""
    nouns = _counted(question)
    for head, cell in number_cells(unit):
        if head and nouns & word_forms(head):
            return Span(fold(cell), 0.8)
    return None


def _counted(question: Question) -> set[str]:
    """The canonical head of what is counted: "how many I/O lines does" -> line."""
    counted = _COUNTED.search(question.folded)
    if not counted:
        return set()
    return {canonical(word) for word in tokens(counted.group(1))[-1:]}


def _number(question: Question, pool: Pool, text: str) -> Span | None:
    nouns = _counted(question)
    places = [m.span() for m in _BARE_NUMBER.finditer(text)]
    places += [m.span() for m in re.finditer(r"\b(?:" + "|".join(NUMBER_WORDS) + r")\b", text, re.I)]
    places += [(m.start(), m.start() + len(m.group(1))) for m in re.finditer(r"(?<![\w.])([0-9]+)-[A-Za-z]{3,}", text)]
    best: tuple[float, str] | None = None
    asked = set(tokens(question.text))
    for start, end in places:
        number = text[start:end]
        if number.casefold() in asked and not number.isalpha():
            continue
        if _REFERENCE.search(text[:start]) or ("bit" not in nouns and re.match(r"-(?:bit|wire|pin)\b", text[end:])):
            continue
        behind = [] if text[end : end + 1] in (",", ";", ":") else tokens(text[end : end + 30])[:2]
        after = {canonical(w) for w in behind[: 1 if behind and behind[0] in stop_words() else 2]}
        before = {canonical(w) for w in tokens(text[max(0, start - 30) : start])[-3:]}
        if not nouns & after and not (nouns & before and re.search(r"(?:is|are|of|:|=)\s*$", text[:start])):
            continue
        fit = closeness(pool, text, start, end) + (0.5 if nouns & after else 0.2)
        fit -= 0.7 if _ADDED.search(text[:start]) else 0.0
        if best is None or fit > best[0]:
            best = (fit, number)
    return Span(best[1], min(1.0, best[0])) if best else None


def _identifier(question: Question, pool: Pool, text: str) -> Span | None:
    asked = fold_case(question.text)
    names = [name for name in identifiers(text) if name.casefold() not in asked]
    if _DEVICE.search(question.folded.split(",")[0]) and not re.search(r"\bpins?\b", question.folded, re.I):
        names = [name for name in names if looks_like_part(name)]
    if re.search(r"\bpins?\b", question.folded, re.I):
        names += [m.group() for m in _PIN.finditer(text) if m.group().casefold() not in asked]
    paired = name_in_order(question, text)
    if paired:
        return Span(paired, 0.9, sure=True)
    scored = []
    for name in dict.fromkeys(names):
        start = text.find(name)
        if start >= 0:
            scored.append((closeness(pool, text, start, start + len(name)), name))
    if not scored:
        return None
    fit, best = max(scored)
    return Span(best, min(1.0, fit))
