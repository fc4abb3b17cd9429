"""Pins read from the lettering of a package drawing: "GND 4 5 RST" are pins 4 and 5, left and right of the body."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

_NUMBER = re.compile(r"[0-9]{1,3}")
_NAME = re.compile(r"[A-Za-z0-9+\-\u2212/._#~*]{1,24}")
_BESIDE = re.compile(r"[A-H]")
"""A piece that belongs to the name before it: "OUT B"."""
_FEWEST_ROWS = 3
_PIECES_BETWEEN = 8


@dataclass(frozen=True, slots=True)
class DrawnPin:
    """`row` is the lettering of its row, left to right, where both of its names can be told."""

    number: int
    name: str
    row: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The pins of one drawing whose names can be told; `count` is the number of pins of the package, 0 if unclear."""

    pins: tuple[DrawnPin, ...]
    count: int
    part: str = ""
    """The part whose name stands in the drawing, "" where none or several do."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Numbers left and right of the body, at pieces [start, end)."""

    left: int
    right: int
    start: int
    end: int


def drawings_in(text: str, parts: Sequence[str] = ()) -> list[Drawing]:
    """Drawings with two columns of numbers, the left counting up while the right counts down."""
    pieces: list[str] = []
    named: list[tuple[int, str]] = []
    for piece in text.split():
        if piece in parts:
            named.append((len(pieces), piece))
        else:
            pieces.append(piece)
    rows = [_Row(int(a), int(b), n, n + 2) for n, (a, b) in enumerate(pairwise(pieces)) if _pair(a, b)]
    found = []
    used: set[int] = set()
    for row in rows:
        if row.start in used or row.left >= row.right:
            continue
        chain = _chain(row, rows)
        if len(chain) >= _FEWEST_ROWS and (chain[0].left == 1 or len(chain) > _FEWEST_ROWS + 1):
            used.update(one.start for one in chain)
            inside = {part for at, part in named if chain[0].start <= at <= chain[-1].end}
            drawing = _drawing(chain, pieces)
            found.append(replace(drawing, part=inside.pop()) if len(inside) == 1 else drawing)
    found = [drawing for drawing in found if drawing.pins]
    names = list(dict.fromkeys(part for _, part in named))
    if len(found) == len(names) > 1 and not any(drawing.part for drawing in found):
        # The names stand below the drawings, in their order.
        return [replace(drawing, part=part) for drawing, part in zip(found, names)]
    return found


def _pair(a: str, b: str) -> bool:
    return bool(_NUMBER.fullmatch(a) and _NUMBER.fullmatch(b))


def _chain(first: _Row, rows: Sequence[_Row]) -> list[_Row]:
    chain = [first]
    for row in rows:
        last = chain[-1]
        near = 0 < row.start - last.end <= _PIECES_BETWEEN
        if near and row.left == last.left + 1 and row.right == last.right - 1 and row.left < row.right:
            chain.append(row)
    return chain


def _drawing(chain: Sequence[_Row], pieces: Sequence[str]) -> Drawing:
    names: dict[int, str] = {}
    start, end = chain[0].start, chain[-1].end
    beside = start > 1 and bool(_BESIDE.fullmatch(pieces[start - 1]))
    before = _names(pieces[max(0, start - (2 if beside else 1)) : start])
    if before:
        names[chain[0].left] = before[-1]
    for above, below in pairwise(chain):
        between = _names(pieces[above.end : below.start])
        if len(between) == 2:
            names[above.right], names[below.left] = between
    beside = len(pieces) > end + 1 and bool(_BESIDE.fullmatch(pieces[end + 1]))
    after = _names(pieces[end : end + (2 if beside else 1)])
    if after:
        names[chain[-1].right] = after[0]
    rows = {number: _lettering(row, names) for row in chain for number in (row.left, row.right)}
    pins = tuple(DrawnPin(number, names[number], rows[number]) for number in sorted(names))
    return Drawing(pins, _count(chain))


def _lettering(row: _Row, names: dict[int, str]) -> str:
    return f"{names.get(row.left, '')} {row.left} {row.right} {names.get(row.right, '')}".strip()


def _count(chain: Sequence[_Row]) -> int:
    """Pins of the whole package: two rows that meet at the bottom, or a square one numbered from a corner or from the
    middle of its upper side."""
    first, last, rows = chain[0], chain[-1], len(chain)
    if first.left == 1 and last.right == last.left + 1:
        return first.right
    square = first.left + first.right == (3 * rows + 1 if first.left == 1 else 4 * rows + 2)
    return 4 * rows if square and rows > _FEWEST_ROWS + 1 else 0


def _names(pieces: Sequence[str]) -> list[str]:
    """Names among some pieces; alternate functions in brackets are left out."""
    found: list[str] = []
    for piece in pieces:
        if piece.startswith("(") or piece.endswith(")"):
            continue
        if found and _BESIDE.fullmatch(piece):
            found[-1] = f"{found[-1]} {piece}"
        elif _NAME.fullmatch(piece):
            found.append(piece)
        else:
            return []
    return found
