"""Rows of a body without rulings between them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.model import Column
from engine.parse.table_place import Level
from engine.parse.table_rows import CAPITALS, Draft, label_draft, mostly_capitals, value_columns, value_levels

_TIGHT = 0.85
_ROOM = 4.0


def open_rows(levels: Sequence[Level], columns: Sequence[Column]) -> list[Draft]:
    """Lines gathered into rows: wrapped text joined to its row, sub-headers set apart."""
    values = value_columns(columns)
    anchors = set(value_levels(levels, columns)) if values else set()
    if not anchors:
        anchors = key_levels(levels, columns)
    edge = max((level.pieces[0].words[-1].box.x1 for level in levels if 0 in level.pieces), default=0.0)
    drafts: list[Draft] = []
    waiting: list[Level] = []
    for i, level in enumerate(levels):
        if i in anchors:
            drafts += _begun(waiting, level, edge)
            waiting = []
        elif _is_label(levels, i, anchors):
            drafts += [label_draft(earlier) for earlier in waiting]
            waiting = []
            drafts.append(label_draft(level))
        elif _belongs_up(levels, i, anchors, drafts, waiting, edge):
            drafts[-1].add(level)
        else:
            waiting.append(level)
    for level in waiting:
        if drafts and not drafts[-1].label:
            drafts[-1].add(level)
        else:
            drafts.append(label_draft(level))
    return drafts


def _begun(waiting: Sequence[Level], anchor: Level, edge: float) -> list[Draft]:
    """The row of an anchor with the lines that wait for it, or those lines as a row of their own.

    A line that left room for the next word was not broken there, so the next line does not go on with it.
    """
    apart = bool(waiting) and _label_only(waiting[-1]) and 0 in anchor.pieces and _had_room(waiting[-1], anchor, edge)
    draft = Draft(top=anchor.y0)
    drafts = [draft]
    if apart:
        alone = Draft(top=waiting[0].y0)
        drafts = [alone, draft]
        for earlier in waiting:
            alone.add(earlier)
    else:
        for earlier in waiting:
            draft.add(earlier)
            draft.top = min(draft.top, earlier.y0)
    draft.add(anchor)
    return drafts


def _label_only(level: Level) -> bool:
    return set(level.pieces) == {0}


def _had_room(upper: Level, lower: Level, edge: float) -> bool:
    """Whether the first word of the lower label would have fitted on the upper line."""
    first, last = lower.pieces[0].words[0], upper.pieces[0].words[-1]
    space = 0.3 * last.size
    return last.box.x1 + space + (first.box.x1 - first.box.x0) <= edge - _ROOM


def key_levels(levels: Sequence[Level], columns: Sequence[Column]) -> set[int]:
    """Lines that begin a row where no column holds limits: the first column and one more are filled."""
    first = min((c for level in levels for c in level.pieces), default=0)
    found: set[int] = set()
    for i, level in enumerate(levels):
        if first in level.pieces and len(level.pieces) >= 2:
            found.add(i)
    if not found:
        most = max((len(level.pieces) for level in levels), default=0)
        found = {i for i, level in enumerate(levels) if len(level.pieces) == most}
    return found


def _is_label(levels: Sequence[Level], i: int, anchors: set[int]) -> bool:
    """A line with text in the first column only that heads the rows below it."""
    level = levels[i]
    if 0 not in level.pieces or len(level.pieces) > 2 or i in anchors:
        return False
    piece = level.pieces[0]
    if len(level.pieces) == 2 and not (mostly_capitals(piece.text) or all(word.bold for word in piece.words)):
        return False
    after = next((n for n in range(i + 1, len(levels)) if 0 in levels[n].pieces), None)
    if after is None:
        return False
    below = levels[after].pieces[0]
    if all(word.bold for word in piece.words) and not all(word.bold for word in below.words):
        return True
    if below.x0 - piece.x0 > 3.0:
        return True
    before = next((n for n in range(i - 1, -1, -1) if 0 in levels[n].pieces), None)
    if CAPITALS.fullmatch(piece.text) and not (
        before is not None and CAPITALS.fullmatch(levels[before].pieces[0].text)
    ):
        return not CAPITALS.fullmatch(below.text)
    return piece.text.endswith(":") and after in anchors


def _belongs_up(
    levels: Sequence[Level],
    i: int,
    anchors: set[int],
    drafts: Sequence[Draft],
    waiting: Sequence[Level],
    edge: float,
) -> bool:
    """Whether a line without a value continues the row above rather than begins the row below."""
    if not drafts or drafts[-1].label or waiting:
        return False
    if i + 1 >= len(levels):
        return True
    up = levels[i].middle - levels[i - 1].middle
    down = levels[i + 1].middle - levels[i].middle
    if up < _TIGHT * down:
        return True
    if down < _TIGHT * up:
        return False
    level = levels[i]
    if _label_only(level) and 0 in levels[i - 1].pieces and _had_room(levels[i - 1], level, edge):
        return False
    above = set(drafts[-1].cells)
    text = " ".join(piece.text for piece in level.pieces.values())
    if text[:1].islower() or text[:1] in "(+=,;" or not level.columns - above:
        return True
    return not (level.columns <= levels[i + 1].columns and i + 1 not in anchors)
