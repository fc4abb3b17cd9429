"""A cell of any extracted table by how a question points at it: the row by what stands in it, the column by the header,
the table by caption, headings and the text that leads to it.

No table is asked to be of a known kind. Codes and quantities of a question are met by the cells that print them, with
the unit of their column; the words right after "which" and "how many" name the column rather than the row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.agent.cells import CellValue, row_values, unit_in
from engine.agent.evidence import Pool, holds, implied_terms, part_fit, stated_conditions, stated_pairs
from engine.agent.parts import looks_like_part
from engine.agent.quantities import find_quantities, read_unit
from engine.agent.question import Expect, Question
from engine.agent.spans import condition_fit, fits_dimension, for_part, limit_of
from engine.agent.table_pool import TablePool
from engine.agent.terms import content_terms, word_forms
from engine.agent.units import Unit
from engine.core.text import fold, fold_case, identifiers

_CAPTION, _LEADING, _TITLE = 0.6, 0.45, 0.45
"""What a word of the question counts that stands around a row, by where it does."""
_PLACE = 0.15
_CONDITION = 0.4
_KEY = 0.35
_KEY_NAMED = 0.15
"""A key under a header that the question names: "quality 8"."""
_WHOLE = 0.1
"""A cell that stands whole in the question: "long" rather than "long long"."""
_MOST_KEYS = 2
_ASTRAY = 0.2
_SPARE = 0.15
"""What a name costs none of whose words the question uses."""
_LONGEST_CELL = 400
_PROSE = 6
"""Words from which a cell is a text that may speak of what is asked."""
_LABEL = 4
_LONGEST_KEY = 60
_TOKEN = re.compile(r"(?<![\w.-])[\w$#/+.\-]*(?:\d|_)[\w$#/+.\-]*")
_CODED = re.compile(r"\d|[A-Za-z]_|_[A-Za-z]")
_ASKED_FOR = re.compile(r"\b(?:which|what|whats|what's|how many|how much)\s+((?:[^\s,:;?]+\s*){1,4})", re.IGNORECASE)
_ENDS_NAME = re.compile(
    r"\b(?:is|are|was|does|do|did|has|have|can|must|may|should|will|would|of|for|in|on|at|to|from)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PointedCell:
    """A cell of a row, `place` its position among the row's filled cells, and how well its column is pointed at."""

    place: int
    fit: float
    values: tuple[CellValue, ...] = ()


@dataclass(frozen=True, slots=True)
class PointedRow:
    """A row, how well it is pointed at, and its cells that may answer, the best first."""

    unit: Unit
    score: float
    covered: float
    """Share of the question's weight that the row, its headers, its table and its document account for."""
    lost: float
    """The largest share of one word that nothing accounts for."""
    met: frozenset[str]
    """Codes and quantities of the question that its cells print."""
    cells: tuple[PointedCell, ...]

    @property
    def keyed(self) -> int:
        return len(self.met)

    def said(self, cell: PointedCell) -> str:
        """A cell with its unit where it is a number with one."""
        return cell.values[0].text if len(cell.values) == 1 else self.unit.cells[cell.place][1]

    @property
    def answer(self) -> str:
        return self.said(self.cells[0])

    @property
    def clear(self) -> float:
        """How far the best column is ahead of the next that says something else; 1 where there is no other."""
        others = [cell.fit for cell in self.cells[1:] if self.said(cell) != self.answer]
        return self.cells[0].fit - others[0] if others else 1.0


def pointed_rows(question: Question, tables: TablePool) -> list[PointedRow]:
    """Every row with a cell that may answer, the best pointed at first."""
    found = [row for unit in tables.pool.units if (row := _row(question, tables, unit)) is not None]
    return sorted(found, key=lambda row: -row.score)


def ahead(rows: Sequence[PointedRow]) -> float:
    """How far the first row is ahead of the next that says something else; 1 where there is no other."""
    rivals = (row.score for row in rows[1:] if row.answer != rows[0].answer)
    return rows[0].score - next(rivals, rows[0].score - 1.0)


def _row(question: Question, tables: TablePool, unit: Unit) -> PointedRow | None:
    pool = tables.pool
    if len(unit.cells) < 2:
        return None
    keys = _keys_met(question, unit)
    if not keys and not any(holds(unit.forms, term) for term in pool.terms):
        return None
    of_part = part_fit(question, pool, unit)
    if of_part < 0:
        return None
    cells = tuple(sorted(_cells(question, pool, unit, keys), key=lambda cell: -cell.fit))
    if not cells:
        return None
    covered, lost = _coverage(question, tables, unit)
    rank = pool.ranks.get(unit.segment.id)
    stated = max(stated_pairs(question, unit), stated_conditions(question, unit))
    met = frozenset(keys.values())
    named = any(holds(_forms(unit.cells[place][0]), term) for place in keys for term in pool.terms)
    asked = _forms(question.text)
    whole = any(len(text) > 2 and _forms(text) and _forms(text) <= asked for _, text in unit.cells)
    score = (
        _WHOLE * whole
        + covered
        + _CONDITION * stated
        + 0.1 * of_part
        + _KEY * min(_MOST_KEYS, len(met))
        + _KEY_NAMED * named
    )
    score += _PLACE / math.sqrt(rank) if rank else 0.0
    score -= _SPARE * _spare(unit, asked)
    score -= _ASTRAY * (bool(pool.targets) and unit.segment.document not in pool.targets)
    return PointedRow(unit, score, covered, lost, met, cells)


def _spare(unit: Unit, asked: frozenset[str]) -> float:
    """Share of the words of a row's name that the question does not use: it may be narrower than what is asked."""
    name = next((text for _, text in unit.cells if len(text) > 4 and not any(char.isdigit() for char in text)), "")
    forms = _forms(name)
    return len(forms - asked) / len(forms) if forms else 0.0


def _coverage(question: Question, tables: TablePool, unit: Unit) -> tuple[float, float]:
    """The share of the question's weight that a row with everything around it accounts for, and the largest share of
    one word that nothing does."""
    pool = tables.pool
    cells = frozenset().union(*(_forms(text) for pair in unit.cells for text in pair))
    around = (
        (cells | implied_terms(question, pool, unit), 1.0),
        (unit.around_forms, _CAPTION),
        (tables.led.get(unit.segment.id, frozenset()), _LEADING),
        (_forms(unit.segment.title), _TITLE),
    )
    heads = frozenset().union(*(_forms(head) for head, _ in unit.cells))
    covered = lost = 0.0
    for term in pool.terms:
        weight = pool.weights[term] / pool.total
        worth = 1.0 if _heads(heads, term) else next((worth for words, worth in around if holds(words, term)), 0.0)
        covered += weight * worth
        lost = max(lost, 0.0 if worth else weight)
    return covered, lost


def _cells(question: Question, pool: Pool, unit: Unit, keys: Mapping[int, str]) -> Iterator[PointedCell]:
    """The cells that may answer: no key of the question, and not what it says itself."""
    asked = _forms(question.text)
    named = frozenset(content_terms(_asked_for(question.text)))
    printed = row_values(unit)
    for place, (head, text) in enumerate(unit.cells):
        own, title = _forms(text), _forms(head) | _labels(text)
        if len(text) > _LONGEST_CELL or place in keys or own <= asked or read_unit(fold(text)) is not None:
            continue
        parts = [name for name in identifiers(head) if looks_like_part(name)]
        if parts and question.parts and not for_part(question, parts):
            continue
        values = tuple(value for value in printed if (value.head, value.cell) == (head, text))
        beside = frozenset().union(*(_forms(cell) for at, (_, cell) in enumerate(unit.cells) if at != place))
        heading = [term for term in pool.terms if _heads(title, term) and not holds(beside, term)]
        fit = sum(pool.weights[term] for term in heading) / pool.total
        fit += 0.3 * sum(_heads(title, term) for term in named) / max(1, len(named))
        # A name that the question gives is what the row is known by, a text that speaks of it may answer.
        spoken = sum(pool.weights[term] for term in pool.terms if holds(own - title, term)) / pool.total
        fit += 0.3 * spoken if keys and len(text.split()) > _PROSE else -0.5 * spoken
        fit += 0.4 * bool(parts and question.parts) + condition_fit(question, head)
        yield PointedCell(place, fit + _kind_fit(question, text, values) + _limit_fit(question, head), values)


@lru_cache(maxsize=65536)
def _labels(text: str) -> frozenset[str]:
    """Words of a label inside a cell: "Default value: 30" is headed by "default value"."""
    label, colon, value = text.partition(":")
    return _forms(label) if colon and value.strip() and len(label.split()) <= _LABEL else frozenset()


def _heads(title: frozenset[str], term: str) -> bool:
    """Whether a column's header names a thing, also shortened ("mem") or with a letter before it ("RBITS")."""
    if holds(title, term):
        return True
    return any(len(word) > 2 and (term.startswith(word) or (len(term) > 2 and word[1:] == term)) for word in title)


def _asked_for(question: str) -> str:
    """The words that name what is asked for: "which NMC pin takes ..." -> "NMC pin takes"."""
    found = _ASKED_FOR.search(question)
    return _ENDS_NAME.split(found.group(1))[0] if found else ""


@lru_cache(maxsize=65536)
def _forms(text: str) -> frozenset[str]:
    return frozenset(word_forms(text))


def _kind_fit(question: Question, text: str, values: Sequence[CellValue]) -> float:
    """How far a cell holds the kind of thing that is asked for."""
    figures = any(char.isdigit() for char in text)
    if question.expect is Expect.QUANTITY and question.dimensions:
        if any(fits_dimension(value.quantity.dimension, question.dimensions) for value in values):
            return 0.4
        return -0.1 if figures and not values else -0.3
    if question.expect in (Expect.NUMBER, Expect.QUANTITY, Expect.HEX):
        return 0.2 if figures else -0.3
    return 0.0


def _limit_fit(question: Question, head: str) -> float:
    limits = limit_of(head) if question.limit else set()
    return 0.0 if not limits else 0.4 if question.limit in limits else -0.4


def _keys_met(question: Question, unit: Unit) -> dict[int, str]:
    """Cells that print a code, number or quantity of the question, by place, and which it is."""
    asked = _asked_keys(question.folded, tuple(given.text for given in question.given))
    found = {}
    for place, (head, cell) in enumerate(unit.cells):
        if len(cell) > _LONGEST_KEY or not _CODED.search(cell):
            continue
        if _plain(cell) in asked:
            found[place] = _plain(cell)
            continue
        measure = unit_in(head)
        there = find_quantities(fold(cell)) or (find_quantities(f"{fold(cell)} {fold(measure)}") if measure else [])
        # "Compare two 16-bit registers" is no 16-bit.
        there = [one for one in there if "=" in cell or 2 * len(one.text) >= len(cell)]
        given = next((given for given in question.given if any(one.same(given) for one in there)), None)
        if given is not None:
            found[place] = given.text
    return found


@lru_cache(maxsize=512)
def _asked_keys(question: str, stated: tuple[str, ...]) -> frozenset[str]:
    """Codes and bare numbers of a question, also without what stands before a hyphen: a row of PDP-11s is called
    "11/34". The 10 of 10 kHz is no key."""
    for text in stated:
        question = question.replace(text, " ")
    found = [match.group().strip(".-/") for match in _TOKEN.finditer(question)]
    found += [key.partition("-")[2] for key in found if any(char.isdigit() for char in key.partition("-")[2])]
    return frozenset(map(_plain, found))


@lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    return re.sub(r"[\s,]", "", fold_case(text)).strip(".")
