"""Which sub-headers each row stands under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.parse.table_merge import BodyLine
from engine.parse.table_text import join_lines

_DEEPER = 3.5


@dataclass(slots=True)
class _Label:
    text: str
    x0: float
    middle: float = 0.0
    row: bool = False
    """A row that has values itself and heads the indented rows below it."""
    indents: bool | None = None


def set_sections(lines: Sequence[BodyLine], *, nested: bool) -> None:
    """Fill in `section` from sub-headers; `nested` tables also by indentation below a row with values."""
    stepped = nested and _stepped(lines)
    stack: list[_Label] = []
    for line in lines:
        if line.draft.label:
            text = join_lines(piece.text for c in sorted(line.draft.cells) for piece in line.draft.cells[c])
            x0 = min(piece.x0 for pieces in line.draft.cells.values() for piece in pieces)
            stack = [] if line.band == -1 else [label for label in stack if label.x0 < x0 - 2.0]
            stack.append(_Label(text, x0))
            continue
        start = _first_x(line)
        if start is not None:
            stack = [label for label in stack if not _closes(label, start, _middle(line))]
            for label in stack:
                if label.indents is None:
                    label.indents = start > label.x0 + _DEEPER
        line.section = " / ".join(label.text for label in stack)
        if start is not None and stepped and line.cells[0].text:
            stack.append(_Label(line.cells[0].text, start, _middle(line), row=True))


def _closes(label: _Label, x0: float, middle: float) -> bool:
    if label.row:
        # Centred texts begin at different places without standing under one another.
        return x0 <= label.x0 + _DEEPER or abs(middle - label.middle) < 3.0
    return bool(label.indents) and x0 <= label.x0 + 1.5


def _middle(line: BodyLine) -> float:
    words = line.draft.cells[0][0].words
    return (words[0].box.x0 + words[-1].box.x1) / 2


def _first_x(line: BodyLine) -> float | None:
    first = line.draft.cells.get(0)
    return first[0].x0 if first and 0 not in line.draft.shared else None


def _stepped(lines: Sequence[BodyLine]) -> bool:
    """Whether the first column is set left with a few steps of indentation, most rows at the outer two."""
    starts = [x0 for line in lines if not line.draft.label and (x0 := _first_x(line)) is not None]
    if len(starts) < 3:
        return False
    steps = sorted({round(x0 / 2) for x0 in starts})
    return 1 < len(steps) <= max(3, len(starts) // 5) and steps[-1] - steps[0] <= 25
