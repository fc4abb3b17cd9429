"""Tables told by alignment alone: no rulings, no header words that are known, three columns or more of short entries.

Listings of typewriter manuals ("name size comments"), tables that LaTeX sets without rules. White space that hardly any
line crosses parts the columns; a line is of the table where it has entries in two of them, or goes on in one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from statistics import median

from engine.parse.table_columns import blocks
from engine.parse.table_open import Region
from engine.parse.table_roles import is_header_word, looks_numeric
from engine.parse.table_text import Phrase, Row, hull, phrases

_COLUMNS = 3
_HEADED_ROWS, _BARE_ROWS = 3, 4
"""Least body lines below a header, and without one."""
_GAP = 0.9
"""Space between entries, in font sizes ..."""
_CLOSE_GAP = 0.75
"""... and what parts columns where every line leaves it free."""
_CROSSED = 0.12
"""Share of lines that may run across a column's edge: one with a long name."""
_FILLED = 0.6
"""Share of lines with an entry in a column, and of lines with entries in all columns but one."""
_SHORT, _LONGEST = 3.0, 9
"""Words an entry has on average, and at most, in every column but one."""
_SINGLE = 0.75
"""Share of single words in one column at least: numbers, names, codes. Addresses side by side have none such."""
_PROSE = 14.0
"""Words a line of the one column of prose may have on average."""
_PITCH = 1.5
"""Distance of two lines over the usual one at which a table ends; a header may stand a blank line above."""
_HEADER_PITCH = 2.3
_MARKS = re.compile(r"[:=\u2022\u00b7*|]+")
"""What stands between entries of a list: bullets, colons, equals signs."""
_NOTATION = re.compile(r"[\u221a\u2211\u222b\ufffd{}\[\]]|(?:^|\s)=|,$")
"""What formulas, lists of a program and matrices have in their entries."""
_DASH = re.compile(r"[-\u2013\u2014]")
_SHAPED = re.compile(r"[A-Za-z]")
_REMARK = re.compile(r"(?:;|//|/\*|#|--\s)")
"""What begins a comment in a program: its columns are no table."""
_LEADER = re.compile(r"(?:\.\s?){4,}|\u2026{2,}")


def aligned_regions(rows: Sequence[Row]) -> list[Region]:
    """Runs of lines whose entries stand in three or more columns of white space."""
    found: list[Region] = []
    at = 0
    while at < len(rows):
        end = _run_end(rows, at) if len(phrases(rows[at], _GAP)) >= _COLUMNS else at + 1
        region = _region(rows[at:end]) if end - at > _HEADED_ROWS else None
        if region is not None:
            found.append(region)
        at = end
    return found


def _run_end(rows: Sequence[Row], start: int) -> int:
    """The index after the last line that goes on with the run beginning at `start`."""
    pitches: list[float] = []
    for at in range(start + 1, len(rows)):
        above, row = rows[at - 1], rows[at]
        pitch = row.middle - above.middle
        usual = median(pitches) if pitches else 1.6 * row.size
        allowed = _HEADER_PITCH * 1.2 * row.size if at == start + 1 else _PITCH * max(usual, 1.1 * row.size)
        parts = phrases(row, _GAP)
        if pitch > allowed or _LEADER.search(row.text) or abs(row.size - above.size) > 0.25 * above.size:
            return at
        if len(parts) < 2 and not _wraps(rows[start:at], parts[0]):
            return at
        if at > start + 1:
            pitches.append(pitch)
    return len(rows)


def _wraps(above: Sequence[Row], part: Phrase) -> bool:
    """Whether a line alone stands under an entry right of the first column."""
    entries = phrases(above[-1], _GAP)
    return any(abs(part.box.x0 - entry.box.x0) < 3.0 for entry in entries[1:] or entries if len(above) > 1)


def _region(run: Sequence[Row]) -> Region | None:
    header = int(_heads(run))
    body = run[header:]
    whole = [row for row in body if len(phrases(row, _GAP)) >= 2]
    if len(whole) < (_HEADED_ROWS if header else _BARE_ROWS) or _is_program(body) or _is_notation(whole):
        return None
    bounds = _bounds(whole)
    if len(bounds) + 1 < _COLUMNS or not _is_table(whole, bounds) or (not header and _is_list(whole)):
        return None
    box = hull(row.box for row in run)
    return Region(tuple(run), header, box.x0 - 1, box.x1 + 1, bounds=tuple(bounds))


def _heads(run: Sequence[Row]) -> bool:
    """Whether the first line names columns: no entry is a number, and it is set apart or numbers stand below."""
    first, body = run[0], run[1:]
    named = phrases(first, _GAP)
    if len({word.text for word in first.words}) < len(first.words) and not first.words[0].bold:
        return False
    if sum(is_header_word(part.text) for part in named) >= 2 or _counts(named):
        return True
    if any(looks_numeric(part.text) for part in named) or any(len(part.words) > 4 for part in named):
        return False
    bold = all(word.bold for word in first.words) and not all(word.bold for row in body for word in row.words)
    pitches = [b.middle - a.middle for a, b in itertools.pairwise(body)]
    apart = bool(pitches) and body[0].middle - first.middle > 1.25 * median(pitches)
    return bold or apart or _over_others(named, body)


def _counts(named: Sequence[Phrase]) -> bool:
    """Whether names of modes or bits head the columns right of a word: "Parameter 0 1 2 3"."""
    numbers = [int(part.text) for part in named if re.fullmatch(r"\d{1,2}", part.text)]
    steps = {b - a for a, b in itertools.pairwise(numbers)}
    return len(numbers) >= 3 and steps in ({1}, {-1}) and not looks_numeric(named[0].text)


def _over_others(named: Sequence[Phrase], body: Sequence[Row]) -> bool:
    """Whether nearly all entries below one of the names are of another kind: numbers, switches, small words."""
    for name in named:
        below = [
            part.text
            for row in body
            for part in phrases(row, _GAP)
            if part.box.x0 < name.box.x1 and part.box.x1 > name.box.x0
        ]
        others = sum(looks_numeric(text) or _kind(text) != _kind(name.text) for text in below)
        if len(below) >= _HEADED_ROWS and others >= 0.8 * len(below) and _kind(name.text) in ("word", "small"):
            return True
    return False


def _kind(text: str) -> str:
    """Roughly what an entry is: a number, a switch, a word that begins with a capital, or a lower-case one."""
    first = text[0]
    return "number" if first.isdigit() else "word" if first.isupper() else "small" if first.islower() else "sign"


def _bounds(rows: Sequence[Row]) -> list[float]:
    """Inner bounds of the columns; a block that few lines fill belongs to the column before it."""
    found = blocks(rows, _CLOSE_GAP, share=_CROSSED)
    usual = [block for block in found if block[2] >= 0.3 * len(rows)]
    kept = [block for place, block in enumerate(usual) if not _parts_only(rows, block, after_name=place == 1)]
    return [(left[1] + right[0]) / 2 for left, right in itertools.pairwise(kept)]


def _parts_only(rows: Sequence[Row], block: tuple[float, float, int], after_name: bool) -> bool:
    """Whether a block is no column but the bullets, colons, equals signs of a list, or dashes behind its names."""
    words = [w for row in rows for w in row.words if block[0] - 1 <= (w.box.x0 + w.box.x1) / 2 <= block[1] + 1]
    dashed = all(_DASH.fullmatch(word.text) for word in words)
    return (dashed and after_name) or sum(_MARKS.fullmatch(word.text) is not None for word in words) > 0.7 * len(words)


def _is_table(rows: Sequence[Row], bounds: Sequence[float]) -> bool:
    """Whether most lines fill most columns, and all columns but one hold short entries."""
    edges = [float("-inf"), *bounds, float("inf")]
    lengths: list[list[int]] = [[] for _ in edges[1:]]
    full = 0
    for row in rows:
        held = [
            sum(low <= (word.box.x0 + word.box.x1) / 2 < high for word in row.words)
            for low, high in itertools.pairwise(edges)
        ]
        full += sum(map(bool, held)) >= len(held) - 1
        for column, words in zip(lengths, held):
            column += [words] if words else []
    if full < _FILLED * len(rows) or any(len(column) < 0.4 * len(rows) for column in lengths):
        return False
    means = sorted((sum(column) / len(column), max(column)) for column in lengths)
    short = all(mean <= _SHORT and most <= _LONGEST for mean, most in means[:-1])
    keyed = any(column.count(1) >= _SINGLE * len(column) for column in lengths)
    return short and keyed and means[-1][0] <= _PROSE


def _is_notation(rows: Sequence[Row]) -> bool:
    """Whether the lines are of formulas, matrices or arrays."""
    parts = [part.text for row in rows for part in phrases(row, _GAP)]
    return sum(_NOTATION.search(text) is not None for text in parts) > 0.2 * len(parts)


def _is_list(rows: Sequence[Row]) -> bool:
    """Whether all entries are single words of one kind, as keywords or part numbers printed side by side are."""
    entries = [part for row in rows for part in phrases(row, _GAP)]
    words = [entry.text for entry in entries if len(entry.words) == 1 and _SHAPED.search(entry.text)]
    return len(words) > 0.9 * len(entries)


def _is_program(rows: Sequence[Row]) -> bool:
    """Whether remarks of a program stand behind its lines."""
    remarked = sum(any(_REMARK.match(part.text) for part in phrases(row, _GAP)) for row in rows)
    return remarked > 0.3 * len(rows)
