"""A question answered by one cell of a table: its row and its column are pointed at, and no other cell as well.

What is asked must be accounted for by row, column, table and document together, no word of weight left over; the
column must be pointed at by its header or its kind of value, and the row be clearly ahead of the next that says
something else. A cross-encoder, where there is one, must not prefer another row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.agent.bounds import out_of_bounds, under_other_values
from engine.agent.compose import draft_of
from engine.agent.draft import Draft, Notes
from engine.agent.evidence import rank, stated_conditions
from engine.agent.parts import named_in
from engine.agent.quantities import quantity_of
from engine.agent.question import Expect, Form, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.spans import find_span, fits_dimension
from engine.agent.table_cells import PointedRow, ahead, pointed_rows
from engine.agent.table_pool import TablePool, table_pool
from engine.agent.targets import Targets
from engine.agent.units import Unit
from engine.core.model import PageStatus
from engine.core.results import Step

_READ = 8
"""Rows that the cross-encoder reads."""
_PREFERRED = 1.0
"""How much more it may like another of them (logits)."""
_RELEVANT = 2.0
"""What it must say of a row about which code is in doubt."""
_TEXT = 80
_BARE = re.compile(r"[-+\u2212\u2013\u00b1]?\s?[0-9][0-9.,]*")


@dataclass(frozen=True, slots=True)
class CellLimits:
    """From where a cell is answered with; set by hand on known questions, see the figures in ARCHITECTURE.md."""

    known: float = 0.4
    """Least share of the question accounted for, where a code or quantity of it that the row prints counts `key`."""
    key: float = 0.25
    lost: float = 0.3
    """Largest share of one word that nothing accounts for ..."""
    lost_beside_key: float = 0.45
    """... and where the row prints a code or quantity of the question."""
    ahead: float = 0.02
    """How far the row must be ahead of the next one ..."""
    clear: float = 0.09
    """... and the column, which ..."""
    fit: float = 0.08
    """... must be pointed at so well, unless it is the only one and ..."""
    whole: float = 0.6
    """... so much of the question is accounted for."""
    well_ahead: float = 0.05
    lost_unread: float = 0.2
    """Code is in doubt of a row that is no further ahead, or leaves out a word of more weight, and prints no key."""
    sure: float = 0.8
    """What must be accounted for to be preferred to running text."""


def answer_by_cell(
    question: Question,
    sources: Sources,
    targets: Targets,
    notes: Notes,
    name: str,
    limits: CellLimits | None = None,
    *,
    sure: bool = False,
) -> Draft | None:
    """The answer of the one cell that the question points at; None where there is none. `sure` asks for a code or
    quantity of the question in the row, and for more of it accounted for."""
    if question.form is not Form.OPEN or question.options or len(targets.named) > 1:
        return None
    limits = limits or CellLimits()
    tables = table_pool(question, sources, targets)
    rows = pointed_rows(question, tables)
    if not rows or not _pointed(question, rows, limits) or not _preferred(question, rows, sources, limits):
        return None
    first = rows[0]
    if sure and (not first.keyed or _known(first, limits) < limits.sure):
        return None
    unit = first.unit
    if question.given and not first.met and stated_conditions(question, unit) <= 0.0:
        return None
    if not targets.named and not all(_about(unit, part) for part in targets.unknown):
        return None
    page = sources.catalog.page(unit.segment.document, unit.segment.page)
    if page is not None and page.status is not PageStatus.TEXT:
        return None
    reading = _reading(question, tables, first, name)
    open_ones = replace(question, given=tuple(one for one in question.given if one.text not in first.met))
    if reading is None or out_of_bounds(open_ones, reading, sources):
        return None
    notes.step(Step("answer", question.text, (unit.segment.id,), "read from a cell of a table"))
    return draft_of(question, reading, sources, notes)


def _about(unit: Unit, part: str) -> bool:
    """Whether a row, its table's headings or its document name a part that no document is about."""
    return named_in(part, f"{unit.segment.title} {' '.join(unit.segment.path)} {unit.around} {unit.shown}")


def _known(row: PointedRow, limits: CellLimits) -> float:
    return row.covered + limits.key * min(2, row.keyed)


def _pointed(question: Question, rows: Sequence[PointedRow], limits: CellLimits) -> bool:
    """Whether row and column are pointed at, and the cell is of the kind asked for."""
    first = rows[0]
    cell = first.cells[0]
    lost = limits.lost_beside_key if first.keyed else limits.lost
    if _known(first, limits) < limits.known or first.lost > lost or ahead(rows) < limits.ahead:
        return False
    if first.clear < limits.clear or not (cell.fit >= limits.fit or _alone(question, first, limits)):
        return False
    if not any(char.isalnum() for char in first.answer):
        return False
    if question.expect is not Expect.QUANTITY or not question.dimensions:
        return True
    if not cell.values:
        # A bare number, whose unit the table leaves out; a formula is no value.
        return _BARE.fullmatch(first.answer) is not None
    return any(fits_dimension(value.quantity.dimension, question.dimensions) for value in cell.values)


def _alone(question: Question, row: PointedRow, limits: CellLimits) -> bool:
    """Whether no other cell of a row may answer, and the row is pointed at by a code or holds the figure asked for."""
    counted = question.expect in (Expect.QUANTITY, Expect.NUMBER) and any(char.isdigit() for char in row.answer)
    return row.clear >= 1.0 and _known(row, limits) >= limits.whole and bool(row.keyed or counted)


def _preferred(question: Question, rows: Sequence[PointedRow], sources: Sources, limits: CellLimits) -> bool:
    """Whether the cross-encoder, where there is one, likes no other row much better, and a column without a name."""
    if sources.reranker is None:
        return True
    liked = sources.reranker.score(question.text, [_line(row) for row in rows[:_READ]])
    if liked[0] < max(liked) - _PREFERRED:
        return False
    near = ahead(rows) < limits.well_ahead or rows[0].lost > limits.lost_unread
    doubtful = rows[0].cells[0].fit < limits.fit or (not rows[0].keyed and near)
    return not doubtful or liked[0] >= _RELEVANT


def _line(row: PointedRow) -> str:
    """Document, headings, the row's other cells, then column and value."""
    segment, cell = row.unit.segment, row.cells[0]
    place = " > ".join(dict.fromkeys([segment.title[:60], *(title[:40] for title in segment.path[-2:])]))
    others = [
        f"{head}: {text[:_TEXT]}" if head else text[:_TEXT]
        for at, (head, text) in enumerate(row.unit.cells)
        if at != cell.place
    ]
    return f"{place}: {'; '.join(others)[:180]}; {row.unit.cells[cell.place][0]}: {row.answer[:_TEXT]}"


def _reading(question: Question, tables: TablePool, row: PointedRow, name: str) -> Reading | None:
    """The cell as a reading of its row."""
    evidence = next(iter(rank(question, replace(tables.pool, units=(row.unit,)))), None)
    if evidence is None or evidence.wrong_part or under_other_values(question, evidence):
        return None
    quantity = row.cells[0].values[0].quantity if row.cells[0].values else quantity_of(row.answer)
    if question.expect is Expect.QUANTITY and quantity is not None:
        # Of several limits and conditions side by side, the reader of rows must choose the same.
        span = find_span(question, tables.pool, evidence)
        chosen = None if span is None else span.quantity
        if not row.keyed if chosen is None else not chosen.same(quantity):
            return None
    return Reading(row.answer, evidence, 1.0, quantity, name, chance=1.0, trust=1.0)
