"""Joining printed lines into running text: words broken at line ends are mended, names keep their hyphens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_SOFT = "\u00ad"
_HYPHENS = "-\u2010\u2011" + _SOFT
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_TAIL = re.compile(r"(\S+)$")
_HEAD = re.compile(r"^(\S+)")
_PLAIN = re.compile(r"[^\W\d_]+")
_PREFIXES = frozenset(
    re.findall(
        r"\w+",
        "self non pre post multi semi sub super inter intra anti auto cross half full low high open single dual "
        "two three four eight one on off in out power time real built read write pull push fan start stop well ultra",
    )
)
"""First halves of compounds that are written with a hyphen: what stands before it decides nothing then."""


class Vocabulary:
    """Words of a document as they stand inside its lines, so that a broken word can be looked up whole."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._count: Counter[str] = Counter()
        for line in lines:
            # A line's last word may be half of one.
            words = _WORD.findall(line.rstrip())
            if words and line.rstrip()[-1:] in _HYPHENS:
                words = words[:-1]
            self._count.update(word.casefold().replace("\u2010", "-").replace("\u2011", "-") for word in words)

    def __contains__(self, word: str) -> bool:
        return self._count[word.casefold()] > 0


def join_lines(lines: Sequence[str], words: Vocabulary) -> str:
    """The lines as one running text."""
    text = ""
    for line in lines:
        text = _join(text, line, words) if text else line
    return text.replace(_SOFT, "")


def mend_line_ends(lines: Sequence[str], same_flow: Sequence[bool], words: Vocabulary) -> str:
    """The lines one below the other, words broken at a line end mended; `same_flow[i]` says that i+1 continues i."""
    out: list[str] = []
    for index, line in enumerate(lines):
        if out and same_flow[index - 1] and out[-1][-1:] in _HYPHENS:
            head = _HEAD.match(line)
            rest = line[head.end() :].strip() if head else ""
            out[-1] = _join(out[-1], head.group() if head else line, words)
            if not rest:
                continue
            line = rest
        out.append(line)
    return "\n".join(out).replace(_SOFT, "")


def _join(text: str, line: str, words: Vocabulary) -> str:
    if text[-1:] not in _HYPHENS or not line or text[-2:-1].isspace() or text in _HYPHENS:
        return f"{text} {line}"
    if text[-1] == _SOFT:
        return text[:-1] + line
    tail, head = _TAIL.search(text), _HEAD.match(line)
    if tail is None or head is None:
        return f"{text} {line}"
    left, right = tail.group()[:-1], head.group()
    if _dash(left, text):
        return f"{text} {line}"
    if _is_broken_word(left, right, words):
        return text[:-1] + line
    return text + line


def _dash(left: str, text: str) -> bool:
    """A hyphen that stands for a dash ("range -40 -") is not one that breaks a word."""
    return not left or text.endswith("--")


def _is_broken_word(left: str, right: str, words: Vocabulary) -> bool:
    """True where the hyphen only breaks a word. In doubt it stays: both spellings are then found by keyword search."""
    last = re.split(r"[-/(]", left)[-1]
    match = _PLAIN.match(right)
    first = match.group() if match else ""
    if not last or not first or not _PLAIN.fullmatch(last) or not first.islower() or not _wordlike(last):
        return False
    if f"{last}-{first}" in words:
        return False
    if last + first in words:
        return True
    if "-" in left and not left.startswith("-"):
        return False
    if last.casefold() in _PREFIXES:
        return False
    return not (last in words and first in words and len(last) > 3 and len(first) > 3)


def _wordlike(part: str) -> bool:
    """Lower case, or capitalised as at the start of a sentence; an acronym or part number is a name."""
    return part.islower() or (part[:1].isupper() and part[1:].islower() and len(part) > 1)
