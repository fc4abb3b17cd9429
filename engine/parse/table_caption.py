"""Captions above (or below) a table, conditions under the caption, and the footnotes below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.core.model import Box, Table
from engine.parse.table_text import Row

_NUMBERED = re.compile(r"(?:table|tab\.|tabelle|表)\s*[A-Z]?\d+", re.IGNORECASE)
_NOTE = re.compile(
    r"(?:notes?\b\s*[:.\d(]?|\*+|†|‡|§|#|\(\d{1,2}\)|\[\d{1,2}\]|\d{1,2}[.)]\s|[¹²³⁴⁵⁶]"
    r"|[A-Z×]{1,2}\s*=\s*[A-Za-z]{3})",
    re.IGNORECASE,
)
_LATER = re.compile(r"[(\[]?(?:[2-9]|\d\d)[.)\]]")
"""A list that does not begin at 1 is no list of footnotes."""
_CONDITION = re.compile(r"=|unless|otherwise|\bat\b.*°|over\b.*range|noted|specified|apply", re.IGNORECASE)
_ABOVE = 34.0
_MOST_NOTES = 14
_PLAIN_WORDS = 14
_HEADS = 0.13


def with_caption(table: Table, rows: Sequence[Row], height: float) -> Table:
    """The table with the caption and notes printed around it.

    `rows` are the lines outside tables, `height` that of the page: lines in its first part are running heads.
    """
    box = table.regions[0].box
    near = [row for row in rows if _beside(row, box)]
    caption, below = _caption(near, box)
    joined = ". ".join(text for text in (*caption, table.caption) if text)
    over = [row for row in near if row.middle < box.y0 and row.box.y0 > _HEADS * height]
    opens = len(over) <= (0 if below else len(caption))
    return replace(table, caption=joined, notes=(*table.notes, *_notes(near, box)), opens_page=opens)


def _beside(row: Row, box: Box) -> bool:
    return min(row.box.x1, box.x1) - max(row.box.x0, box.x0) > 0.3 * min(row.box.x1 - row.box.x0, box.x1 - box.x0)


def _caption(near: Sequence[Row], box: Box) -> tuple[list[str], bool]:
    """Title, then conditions, from the lines just above; a numbered caption below if there is none (then True).

    One plain line may stand between title and table.
    """
    texts: list[str] = []
    top = box.y0
    conditions = 0
    plain = False
    for row in sorted((r for r in near if r.middle < box.y0 + 1), key=lambda r: -r.middle):
        if top - row.box.y1 > (_ABOVE if not texts else 16.0) or len(texts) == 4:
            break
        text = row.text
        top = row.box.y0
        if _NUMBERED.match(text) or _title(row):
            return [text, *texts], False
        if not _CONDITION.search(text) and not text.startswith("("):
            if plain or len(row.words) > _PLAIN_WORDS:
                break
            plain = True
        elif not plain:
            conditions += 1
        texts.insert(0, text)
    if conditions:
        return texts[-conditions:], False
    for row in near:
        if 0 <= row.box.y0 - box.y1 < 20 and _NUMBERED.match(row.text):
            return [row.text], True
    return [], False


def _title(row: Row) -> bool:
    if len(row.words) > 16 or row.text.endswith((",", ";")):
        return False
    letters = [c for c in row.text if c.isalpha()]
    capitals = bool(letters) and sum(c.isupper() for c in letters) > 0.8 * len(letters)
    return row.words[0].bold or (capitals and len(letters) > 3)


def _notes(near: Sequence[Row], box: Box) -> list[str]:
    """Footnotes: lines below that begin with a mark, with the lines each runs on over."""
    notes: list[str] = []
    bottom = box.y1
    for row in near:
        if row.middle < box.y1:
            continue
        gap = row.box.y0 - bottom
        text = row.text
        if gap > (26.0 if not notes else 1.2 * row.size) or len(notes) >= _MOST_NOTES:
            break
        raised = row.words[0].superscript or row.words[0].size < 0.75 * row.size
        if not notes and _LATER.match(text):
            break
        if _NOTE.match(text) or raised:
            notes.append(text)
        elif notes and gap < 0.6 * row.size:
            notes[-1] = f"{notes[-1]} {text}"
        else:
            break
        bottom = row.box.y1
    return notes
