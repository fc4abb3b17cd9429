"""Comparing an outline with the bookmarks of its PDF."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from engine.core.text import fold_case
from engine.parse.candidates import CAPTION
from engine.parse.contents import is_contents_title
from engine.parse.numbering import read_numbering

_ALIKE = 0.88
_COUNTS = (
    "wanted",
    "found",
    "level",
    "path",
    "parent",
    "predicted",
    "unprinted",
    "captions",
    "contradictory",
    "placed",
)


@dataclass(frozen=True)
class Entry:
    """A heading of either outline; `parent` is an index into the same list, -1 at the top."""

    title: str
    level: int
    page: int
    parent: int


@dataclass
class Score:
    """Counts over one or many documents."""

    wanted: int = 0
    found: int = 0
    level: int = 0
    path: int = 0
    parent: int = 0
    predicted: int = 0
    unprinted: int = 0
    captions: int = 0
    contradictory: int = 0
    placed: int = 0
    missed: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self) -> dict[str, float | int]:
        found = max(1, self.placed)
        return {
            "bookmarks": self.wanted,
            "recall": round(self.found / max(1, self.wanted), 4),
            "level_accuracy": round(self.level / found, 4),
            "path_accuracy": round(self.path / found, 4),
            "path_of_all": round(self.path / max(1, self.wanted - self.contradictory), 4),
            "right_parent": round(self.parent / found, 4),
            "precision_floor": round(self.found / max(1, self.predicted), 4),
            "not_printed": self.unprinted,
            "captions_in_bookmarks": self.captions,
            "levels_against_numbers": self.contradictory,
        }


def letters(text: str) -> str:
    return "".join(c for c in fold_case(unicodedata.normalize("NFKD", text)) if c.isalnum())


def _bare(text: str) -> str:
    numbering = read_numbering(text)
    return letters(numbering.rest if numbering and numbering.rest else text)


def entries_from_toc(toc: Sequence[Sequence[object]]) -> list[Entry]:
    stack: list[tuple[int, int]] = []
    entries: list[Entry] = []
    for raw_level, raw_title, raw_page, *_ in toc:
        level, title, page = int(str(raw_level)), " ".join(str(raw_title).split()), int(str(raw_page))
        while stack and stack[-1][1] >= level:
            stack.pop()
        entries.append(Entry(title, level, page, stack[-1][0] if stack else -1))
        stack.append((len(entries) - 1, level))
    return entries


def truth_of(entries: Sequence[Entry], page_texts: Sequence[str]) -> tuple[list[bool], int, int]:
    """Which bookmarks count: printed on their page or a neighbour, no captions and no contents lists."""
    folded = [letters(text) for text in page_texts]
    counts, unprinted, captions = [], 0, 0
    for entry in entries:
        if CAPTION.match(entry.title.replace("\x15", "-")) or is_contents_title(entry.title):
            counts.append(False)
            captions += 1
            continue
        near = [folded[n - 1] for n in (entry.page - 1, entry.page, entry.page + 1) if 1 <= n <= len(folded)]
        printed = any(_bare(entry.title) in text for text in near) and bool(_bare(entry.title))
        counts.append(printed)
        unprinted += not printed
    return counts, unprinted, captions


def compare(truth: Sequence[Entry], counts: Sequence[bool], predicted: Sequence[Entry]) -> Score:
    """Match each counting bookmark to one predicted heading with its title on its page or a neighbour."""
    pairs = _match(truth, counts, predicted)
    back = {p: t for t, p in pairs.items()}
    score = Score(wanted=sum(counts), predicted=len(predicted))
    score.contradictory = sum(counts[i] and contradicts_number(truth, i) for i in range(len(truth)))
    for index, entry in enumerate(truth):
        if not counts[index]:
            continue
        if index not in pairs:
            score.missed.append(f"{entry.title} (p{entry.page})")
            continue
        guess = predicted[pairs[index]]
        score.found += 1
        if contradicts_number(truth, index):
            continue
        score.placed += 1
        score.level += guess.level == entry.level
        wanted = _chain(truth, index)
        strict = [letters(predicted[p].title) for p in _ancestors(predicted, pairs[index])]
        lenient = [back.get(p) for p in _ancestors(predicted, pairs[index])]
        known = [letters(truth[t].title) for t in lenient if t is not None]
        right = len(strict) == len(wanted) and all(map(_alike, strict, wanted))
        score.path += right
        score.parent += known[-1:] == wanted[-1:]
        if not right:
            score.misplaced.append(f"{entry.title} (p{entry.page}) level {entry.level} -> {guess.level}")
    score.extra = [f"{e.title} (p{e.page} l{e.level})" for i, e in enumerate(predicted) if i not in back]
    return score


def contradicts_number(entries: Sequence[Entry], index: int) -> bool:
    """True for a bookmark "1.1" that does not stand under a bookmark "1" although there is one: its level is wrong."""
    numbering = read_numbering(entries[index].title)
    if numbering is None or numbering.kind != "decimal" or numbering.depth < 2:
        return False
    above = [read_numbering(entries[i].title) for i in _ancestors(entries, index)]
    wanted = numbering.number[: numbering.depth - 1]
    numbers = [n.number[: n.depth] for n in (read_numbering(e.title) for e in entries) if n and n.kind == "decimal"]
    return wanted in numbers and wanted not in [n.number[: n.depth] for n in above if n]


def _match(truth: Sequence[Entry], counts: Sequence[bool], predicted: Sequence[Entry]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for exact in (True, False):
        for index, entry in enumerate(truth):
            if index in pairs or not counts[index]:
                continue
            near = sorted(
                (abs(guess.page - entry.page), position)
                for position, guess in enumerate(predicted)
                if position not in taken and abs(guess.page - entry.page) <= 1
            )
            for _, position in near:
                if _same_title(entry.title, predicted[position].title, exact):
                    pairs[index] = position
                    taken.add(position)
                    break
    return pairs


def _same_title(wanted: str, guess: str, exact: bool) -> bool:
    a, b = letters(wanted), letters(guess)
    if a == b or _bare(wanted) == _bare(guess):
        return bool(a)
    # A bookmark may leave out the test conditions printed behind the title, in parentheses.
    if "(" in guess and "(" not in wanted and _bare(guess.split("(")[0]) == _bare(wanted):
        return bool(a)
    return not exact and _alike(_bare(wanted), _bare(guess))


def _alike(a: str, b: str) -> bool:
    if a == b or (a and b and a.lstrip("0123456789") == b.lstrip("0123456789")):
        return True
    return SequenceMatcher(None, a, b, autojunk=False).ratio() >= _ALIKE


def _ancestors(entries: Sequence[Entry], index: int) -> list[int]:
    chain = []
    at = entries[index].parent
    while at >= 0:
        chain.append(at)
        at = entries[at].parent
    return chain[::-1]


def _chain(entries: Sequence[Entry], index: int) -> list[str]:
    return [letters(entries[at].title) for at in _ancestors(entries, index)]


def repeated(titles: Sequence[str]) -> int:
    return sum(count - 1 for count in Counter(map(letters, titles)).values())
