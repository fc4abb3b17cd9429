"""What the cross-encoder reads of a passage: its place in the document and the part that shares most with the question.

A pair costs time by its length (30 pairs of 512 tokens 0.8 s, of 96 tokens 0.28 s), and of a passage that answers a
question mostly one sentence or one row does. What is read is chosen by words, without a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.core.model import Segment, SegmentKind

READ = 48
"""Words and signs of the part that is read: with place and question half of the pairs have up to 95 tokens, 126 at the
95th percentile. Over 75 questions the cross-encoder alone, choosing among 30, then has an MRR of 0.575, and of 0.551
where pairs are merely cut off after 112 tokens; with 64 words 0.624, but 30 pairs then take too long."""
_PATH = 16
"""Words and signs of the place that are read, the last ones: the nearest heading tells most."""
_HEAD = 14
"""Words and signs of a table's first line, which names its columns."""
_PIECE = re.compile(r"\w+|[^\w\s]")
"""What a tokenizer of words makes at least one token of."""
_LEAST_LETTERS = 2


def excerpt(question: str, segment: Segment, read: int = READ) -> str:
    """The place, of a table its first line, and `read` words in a row that hold most of the question's."""
    path = _last(" > ".join(segment.path), _PATH)
    text = segment.text
    pieces = list(_PIECE.finditer(text))
    if len(pieces) <= read:
        return f"{path}\n{text}"
    head = ""
    if segment.kind is SegmentKind.TABLE:
        head = _first(text.lstrip().partition("\n")[0], _HEAD) + "\n"
        read -= _HEAD
    start = _best_start([_stem(piece.group()) for piece in pieces], _asked(question), read)
    part = text[pieces[start].start() : pieces[start + read - 1].end()]
    return f"{path}\n{head if start else ''}{part}"


def _best_start(words: Sequence[str], asked: frozenset[str], read: int) -> int:
    """Where the window begins that holds most different words of the question, the first of the best; rare words of the
    passage count more than those it is full of."""
    places = [place for place, word in enumerate(words) if word in asked]
    worth = {word: count**-0.5 for word, count in Counter(words[place] for place in places).items()}
    held: Counter[str] = Counter()
    best, chosen, end = 0.0, 0, 0
    for first in places:
        while end < len(places) and places[end] < first + read:
            held[words[places[end]]] += 1
            end += 1
        total = sum(worth[word] for word, count in held.items() if count)
        if total > best:
            best, chosen = total, first
        held[words[first]] -= 1
    # The words before the first hit say what it is about.
    return max(0, min(chosen - read // 4, len(words) - read))


def _asked(question: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _PIECE.findall(question) if len(word) >= _LEAST_LETTERS)


def _stem(word: str) -> str:
    folded = word.casefold()
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") else folded


def _first(text: str, most: int) -> str:
    pieces = list(_PIECE.finditer(text))
    return text if len(pieces) <= most else text[: pieces[most - 1].end()]


def _last(text: str, most: int) -> str:
    pieces = list(_PIECE.finditer(text))
    return text if len(pieces) <= most else text[pieces[-most].start() :]
