"""Ruled rows that are no rows: grids with a ruling below every printed line, labels in a cell of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.core.model import Cell, Column, ColumnRole
from engine.parse.table_place import Piece
from engine.parse.table_roles import LIMITS, VALUES
from engine.parse.table_rows import Draft
from engine.parse.table_text import hull, join_lines

_TEXT_ROLES = frozenset({ColumnRole.PARAMETER, ColumnRole.CONDITION, ColumnRole.NOTE})
_UNFINISHED = re.compile(r"(?:[,;(/=+–−-]|\b(?:and|or|to|of|the|at|for|with))$")
_GOES_ON = re.compile(r"^(?:\(|[a-z]|[,;=+)])")


@dataclass(slots=True)
class BodyLine:
    """A row or sub-header on its way to a table row."""

    draft: Draft
    band: int
    band_inherited: dict[int, Piece]
    open_band: bool
    cells: list[Cell] = field(default_factory=list)
    section: str = ""


def merge_lines(lines: Sequence[BodyLine], columns: Sequence[Column], ruled: bool) -> list[BodyLine]:
    """The lines with valueless ruled rows joined to the row they belong to, or made sub-headers."""
    if not ruled:
        return list(lines)
    _mark_labels(lines)
    if not any(column.role in LIMITS for column in columns):
        return list(lines)
    found: list[BodyLine] = []
    waiting: list[BodyLine] = []
    for position, line in enumerate(lines):
        if line.draft.label or not _valueless(line, columns):
            for earlier in waiting:
                if line.draft.label:
                    found.append(earlier)
                else:
                    _join(earlier, line, first=True)
            waiting = []
            found.append(line)
        elif not waiting and found and not found[-1].draft.label and _belongs_up(found[-1], line, columns):
            _join(line, found[-1], first=False)
        elif _row_follows(lines, position, columns):
            waiting.append(line)
        else:
            found.append(line)
    return found


def _mark_labels(lines: Sequence[BodyLine]) -> None:
    for i, line in enumerate(lines[:-1]):
        if line.draft.label or line.open_band:
            continue
        own = [c for c, cell in enumerate(line.cells) if cell.text]
        below = lines[i + 1].draft.cells.get(0) or _spanning(lines[i + 1], 0)
        if own != [0] or line.cells[0].inherited or not below or lines[i + 1].draft.label:
            continue
        here = line.draft.cells.get(0)
        if not here:
            continue
        bold = all(w.bold for p in here for w in p.words) and not all(w.bold for p in below for w in p.words)
        if bold or 3.0 < below[0].x0 - here[0].x0 < 40.0:
            line.draft.label = True


def _spanning(line: BodyLine, column: int) -> list[Piece]:
    """The text that spans into a row in place of its own."""
    piece = line.band_inherited.get(column)
    return [piece] if piece else []


def _valueless(line: BodyLine, columns: Sequence[Column]) -> bool:
    """Whether a row prints nothing but text: no value, unit or symbol of its own."""
    own = [c for c, cell in enumerate(line.cells) if cell.text and not cell.inherited]
    return bool(own) and all(columns[c].role in _TEXT_ROLES for c in own)


def _belongs_up(above: BodyLine, line: BodyLine, columns: Sequence[Column]) -> bool:
    values = [i for i, column in enumerate(columns) if column.role in VALUES]
    parameters = [i for i, column in enumerate(columns) if column.role is ColumnRole.PARAMETER]
    own = " ".join(line.cells[c].text for c in parameters if not line.cells[c].inherited).strip()
    if any(line.cells[c].text for c in values):
        # The values above span into this row.
        return len(re.findall("[A-Za-z]", own)) < 3 or bool(_GOES_ON.match(own))
    if not any(above.cells[c].text for c in values):
        return False
    if not own or _GOES_ON.match(own):
        return True
    texts = [above.cells[c].text for c, column in enumerate(columns) if column.role in _TEXT_ROLES]
    return any(_UNFINISHED.search(text) for text in texts if text)


def _row_follows(lines: Sequence[BodyLine], position: int, columns: Sequence[Column]) -> bool:
    """Whether the next row with values takes this text as the beginning of its label."""
    values = [i for i, column in enumerate(columns) if column.role in VALUES]
    for line in lines[position + 1 : position + 4]:
        if line.draft.label:
            return False
        if any(line.cells[c].text and not line.cells[c].inherited for c in values):
            return True
    return False


def _join(line: BodyLine, target: BodyLine, *, first: bool) -> None:
    """Join the own texts of `line` to `target`. Text put in front of a row across a ruling stays doubtful."""
    for c, cell in enumerate(line.cells):
        if not cell.text or cell.inherited:
            continue
        held = target.cells[c]
        if not held.text:
            target.cells[c] = replace(cell, doubtful=cell.doubtful or first)
            continue
        texts = (cell.text, held.text) if first else (held.text, cell.text)
        boxes = [box for box in (cell.box, held.box) if box is not None]
        target.cells[c] = Cell(
            join_lines(texts), hull(boxes) if boxes else None, held.inherited, held.doubtful or cell.doubtful or first
        )
    for c, pieces in line.draft.cells.items():
        target.draft.cells.setdefault(c, pieces)
