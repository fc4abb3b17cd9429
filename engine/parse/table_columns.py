"""Where the columns of a table (or of one ruled column) lie, from header phrases and from white space."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.model import ColumnRole
from engine.parse.layout import Word
from engine.parse.table_roles import LIMITS, is_header_word, role_of
from engine.parse.table_text import Phrase, Row, hull, phrases

_HEADER_GAP = 0.6
_ROOM = 1.0


@dataclass(slots=True)
class Band:
    """A column found so far: its x range and the header phrases over it, top to bottom."""

    x0: float
    x1: float
    phrases: list[Phrase] = field(default_factory=list)
    blocks: int = 0

    @property
    def middle(self) -> float:
        if self.phrases:
            return (min(p.box.x0 for p in self.phrases) + max(p.box.x1 for p in self.phrases)) / 2
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Headed:
    """Columns with the header phrases of each and the phrases that stand over several."""

    bounds: tuple[float, ...]
    names: tuple[tuple[Phrase, ...], ...]
    groups: tuple[tuple[int, int, Phrase], ...]
    """(first column, column after the last, phrase), upper rows first."""


def header_phrases(row: Row) -> list[Phrase]:
    """Header phrases of a printed line; a run of limit words with ordinary spaces is one phrase per word."""
    found: list[Phrase] = []
    for phrase in phrases(row, _HEADER_GAP):
        if len(phrase.words) > 1 and _all_limits(phrase.words):
            found.extend(Phrase((word,), word.box) for word in phrase.words)
        else:
            found.append(phrase)
    return found


def _all_limits(words: Sequence[Word]) -> bool:
    limits = [word for word in words if role_of(word.text) in LIMITS | {ColumnRole.UNIT, ColumnRole.SYMBOL}]
    return len(limits) == len(words)


def blocks(rows: Sequence[Row], gap: float = 0.75, share: float = 0.0) -> list[tuple[float, float, int]]:
    """x ranges covered by phrases of `rows`, with the number of phrases in each; crossed by at most `share` of rows."""
    edges: list[tuple[float, int]] = []
    spans: list[tuple[float, float]] = []
    for row in rows:
        for phrase in phrases(row, gap):
            spans.append((phrase.box.x0, phrase.box.x1))
            edges += ((phrase.box.x0, 1), (phrase.box.x1, -1))
    edges.sort(key=lambda edge: (edge[0], -edge[1]))
    allowed = int(share * len(rows))
    depth, start = 0, 0.0
    ranges: list[tuple[float, float]] = []
    for x, step in edges:
        before = depth
        depth += step
        if before <= allowed < depth:
            start = x
        elif depth <= allowed < before:
            ranges.append((start, x))
    merged: list[tuple[float, float]] = []
    for left, right in ranges:
        if merged and left - merged[-1][1] < _ROOM:
            merged[-1] = (merged[-1][0], right)
        else:
            merged.append((left, right))
    return [(a, b, sum(1 for s in spans if a <= (s[0] + s[1]) / 2 <= b)) for a, b in merged]


def headed_columns(header: Sequence[Row], body: Sequence[Row], x0: float, x1: float) -> Headed:
    """Columns between `x0` and `x1` under the printed header lines."""
    bands, groups = _stacked(header, body)
    _take_blocks(bands, body)
    bands.sort(key=lambda band: band.middle)
    groups += _bare_groups(bands, body)
    bounds = [x0]
    for left, right in itertools.pairwise(bands):
        bounds.append(_boundary(left, right, body))
    bounds.append(x1)
    names = tuple(tuple(sorted(band.phrases, key=lambda p: p.box.y0)) for band in bands)
    return Headed(tuple(bounds), names, tuple(_spans(groups, bands)))


def known_columns(header: Sequence[Row], bounds: Sequence[float], x0: float, x1: float) -> Headed:
    """Columns whose bounds are known, each named by the header words that stand in it."""
    edges = (x0, *bounds, x1)
    names = []
    for low, high in itertools.pairwise(edges):
        lines = [[w for w in row.words if low <= (w.box.x0 + w.box.x1) / 2 < high] for row in header]
        names.append(tuple(Phrase(tuple(line), hull(w.box for w in line)) for line in lines if line))
    return Headed(tuple(edges), tuple(names), ())


def _stacked(header: Sequence[Row], body: Sequence[Row]) -> tuple[list[Band], list[Phrase]]:
    """Header lines from the bottom up: a phrase over one column belongs to it, over several it is a group."""
    bands: list[Band] = []
    groups: list[Phrase] = []
    for row in reversed(header):
        row_phrases = header_phrases(row)
        fresh: list[Band] = []
        for phrase in row_phrases:
            below = [band for band in bands if _overlap(band, phrase) > 0]
            if not below and _between_limits(phrase, bands):
                groups.append(phrase)
            elif not below:
                fresh += [Band(part.box.x0, part.box.x1, [part]) for part in _parted(phrase, body)]
            elif len(below) == 1 and not _is_group(phrase, below[0]):
                below[0].phrases.append(phrase)
                below[0].x0 = min(below[0].x0, phrase.box.x0)
                below[0].x1 = max(below[0].x1, phrase.box.x1)
            else:
                groups.append(phrase)
        bands.extend(fresh)
    return bands, groups


def _parted(phrase: Phrase, body: Sequence[Row]) -> list[Phrase]:
    """A header phrase cut where two names stand close together and rows have a cell on either side below."""
    for i in range(1, len(phrase.words)):
        low, high = phrase.words[i - 1].box.x1, phrase.words[i].box.x0
        if high > low and _two_below(phrase, (low + high) / 2, body):
            first, rest = phrase.words[:i], phrase.words[i:]
            return [Phrase(first, hull(w.box for w in first)), *_parted(Phrase(rest, hull(w.box for w in rest)), body)]
    return [phrase]


def _two_below(phrase: Phrase, cut: float, body: Sequence[Row]) -> bool:
    """Whether rows have separate texts on both sides of `cut` under the phrase, and hardly any runs across."""
    left, right = phrase.box.x0 - 12, phrase.box.x1 + 12
    under = both = crossed = 0
    for row in body:
        parts = [part for part in phrases(row) if part.box.x1 > left and part.box.x0 < right]
        under += bool(parts)
        crossed += any(part.box.x0 < cut < part.box.x1 for part in parts)
        both += any(part.box.x1 <= cut for part in parts) and any(part.box.x0 >= cut for part in parts)
    return both >= 3 and both >= 0.35 * under and crossed <= 0.1 * under


def _between_limits(phrase: Phrase, bands: Sequence[Band]) -> bool:
    """Whether a phrase stands over the space between two limit columns, not over a column of its own."""
    limits = [band for band in bands if role_of(" ".join(p.text for p in reversed(band.phrases))) in LIMITS]
    left = [band for band in limits if band.x1 <= phrase.box.x0]
    right = [band for band in limits if band.x0 >= phrase.box.x1]
    return bool(left) and bool(right) and not is_header_word(phrase.text)


def _overlap(band: Band, phrase: Phrase) -> float:
    return min(band.x1, phrase.box.x1) - max(band.x0, phrase.box.x0)


def _is_group(phrase: Phrase, band: Band) -> bool:
    """Text over a complete limit header is a group's name ("25 °C" over "Typ"), unless it qualifies the limit."""
    below = role_of(" ".join(p.text for p in reversed(band.phrases)))
    return below in LIMITS and not is_header_word(phrase.text)


def _bare_groups(bands: list[Band], body: Sequence[Row]) -> list[Phrase]:
    """Take out header phrases that stand above the space between two columns, with nothing printed below them."""
    middles = [phrase.middle for row in body for phrase in phrases(row)]
    found: list[Phrase] = []
    for left, band, right in zip(bands[:-2], bands[1:-1], bands[2:], strict=True):
        if len(band.phrases) != 1 or is_header_word(band.phrases[0].text):
            continue
        bottom = band.phrases[0].box.y1
        beneath = all(any(p.box.y0 > bottom - 2 for p in other.phrases) for other in (left, right))
        if beneath and not any(band.x0 - 2 <= middle <= band.x1 + 2 for middle in middles):
            found.append(band.phrases[0])
    bands[:] = [band for band in bands if not (len(band.phrases) == 1 and band.phrases[0] in found)]
    return found


def _take_blocks(bands: list[Band], body: Sequence[Row]) -> None:
    """Give every block of body text to its column; a block under no header is a column of its own."""
    extra: list[Band] = []
    headed = list(bands)
    for left, right, count in blocks(body, share=0.02):
        over = [band for band in headed if min(band.x1, right) - max(band.x0, left) > 0]
        if len(over) == 1:
            over[0].x0, over[0].x1 = min(over[0].x0, left), max(over[0].x1, right)
            over[0].blocks += 1
        elif not over and count >= 2:
            extra.append(Band(left, right, [], 1))
    for band in extra:
        home = _shifted_home(band, headed)
        if home is not None:
            home.x0, home.x1 = min(home.x0, band.x0), max(home.x1, band.x1)
            home.blocks += 1
        else:
            bands.append(band)


def _shifted_home(block: Band, headed: Sequence[Band]) -> Band | None:
    """The column a block belongs to although its header stands a little to the side."""
    empty = [band for band in headed if band.blocks == 0]
    near = [band for band in empty if max(band.x0 - block.x1, block.x0 - band.x1) < 25.0]
    return min(near, key=lambda band: abs(band.middle - block.middle), default=None)


def _boundary(left: Band, right: Band, body: Sequence[Row]) -> float:
    """Between two columns: the middle of the widest strip that the fewest words cross."""
    low, high = _inner_edges(left, right)
    words = [word for row in body for word in row.words if word.box.x1 > low and word.box.x0 < high]
    spans = [(word.box.x0, word.box.x1, 1) for word in words]
    spans += [(p.box.x0, p.box.x1, 3) for p in (*left.phrases, *right.phrases)]
    edges = sorted({low, high, *(x for a, b, _ in spans for x in (a, b) if low < x < high)})
    strips = [(sum(n for a, b, n in spans if a < (x + y) / 2 < b), x, y) for x, y in itertools.pairwise(edges) if y > x]
    if not strips:
        return (low + high) / 2
    least = min(strip[0] for strip in strips)
    runs: list[list[float]] = []
    for count, x, y in strips:
        if count != least:
            continue
        if runs and runs[-1][1] == x:
            runs[-1][1] = y
        else:
            runs.append([x, y])
    best = max(runs, key=lambda run: run[1] - run[0])
    return (best[0] + best[1]) / 2


def _inner_edges(left: Band, right: Band) -> tuple[float, float]:
    low, high = left.middle, right.middle
    return (low, high) if low < high else (high, low)


def _spans(groups: Sequence[Phrase], bands: Sequence[Band]) -> list[tuple[int, int, Phrase]]:
    """The columns each group phrase stands over: runs of limit columns where they repeat, else by overlap."""
    runs = limit_runs([role_of(" ".join(p.text for p in sorted(b.phrases, key=lambda p: p.box.y0))) for b in bands])
    found: list[tuple[int, int, Phrase]] = []
    by_row: dict[int, list[Phrase]] = {}
    for phrase in groups:
        by_row.setdefault(round(phrase.box.y0 / 4), []).append(phrase)
    for row in sorted(by_row):
        line = sorted(by_row[row], key=lambda p: p.box.x0)
        for phrase in line:
            over = [i for i, band in enumerate(bands) if _overlap(band, phrase) > 0]
            run = [r for r in runs if any(r[0] <= i < r[1] for i in over)]
            if runs and (run or not over) and len(line) >= len(runs):
                first, last = min(run or runs, key=lambda r: abs(_centre(bands, r) - phrase.middle))
            elif run:
                first, last = run[0][0], run[-1][1]
            elif over:
                first, last = over[0], over[-1] + 1
            else:
                near = [i for i, band in enumerate(bands) if band.middle < phrase.middle]
                first, last = (near[-1], min(len(bands), near[-1] + 2)) if near else (0, 1)
            found.append((first, last, phrase))
    return found


def _centre(bands: Sequence[Band], run: tuple[int, int]) -> float:
    return (bands[run[0]].x0 + bands[run[1] - 1].x1) / 2


_ORDER = {ColumnRole.MIN: 0, ColumnRole.NOM: 1, ColumnRole.TYP: 1, ColumnRole.MAX: 2}


def limit_runs(roles: Sequence[ColumnRole]) -> list[tuple[int, int]]:
    """Runs of neighbouring limit columns; a run ends where the limits start over."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for i, role in enumerate([*roles, ColumnRole.OTHER]):
        again = start is not None and role in LIMITS and _ORDER[role] <= _ORDER[roles[i - 1]]
        if start is not None and (role not in LIMITS or again):
            runs.append((start, i))
            start = None
        if role in LIMITS and start is None:
            start = i
    return runs


def spaced_columns(rows: Sequence[Row], gap: float = 0.9) -> list[float]:
    """Inner boundaries from white space alone: strips no phrase crosses, with text of two rows on both sides."""
    found = blocks(rows, gap, share=0.04)
    kept = [block for block in found if block[2] >= 2]
    return [(a[1] + b[0]) / 2 for a, b in itertools.pairwise(kept)]


def listed_columns(rows: Sequence[Row]) -> list[float]:
    """Inner bounds where short entries stand in clear columns on most of at least three lines."""
    parted = [row for row in rows if len(phrases(row, 0.9)) >= 2]
    if len(parted) < 3 or len(parted) < 0.7 * len(rows):
        return []
    found = blocks(rows, 0.9)
    if len(found) < 2 or any(count < 0.6 * len(rows) for _, _, count in found):
        return []
    texts = [phrase.words for row in rows for phrase in phrases(row, 0.9)]
    if sum(len(words) for words in texts) > 1.7 * len(texts):
        return []
    return [(a[1] + b[0]) / 2 for a, b in itertools.pairwise(found)]
