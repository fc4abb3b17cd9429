"""What may be quoted as prose: whole sentences, told from headings, captions, table rows and lettering of figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.agent.instructions import instructs
from engine.agent.terms import stem
from engine.agent.units import split_sentences
from engine.core.model import Segment, SegmentKind

_SHORTEST, _LONGEST = 24, 420
"""Characters of a sentence worth quoting."""
_ITEM = 160
"""Characters of the longest item of a list."""
_FEWEST_WORDS = 4
_LOWER = 0.6
"""Least share of the words of a sentence that are written small; names and symbols are not."""
_LETTERS = 0.6
"""Least share of letters among its marks."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_GLUE = re.compile(
    r"\b(?:the|a|an|is|are|was|were|be|been|has|have|had|can|may|must|should|shall|will|would|does|do|if|when|to|of|in|on|"
    r"for|by|with|from|and|or|as|at|this|these|it|its|that|which|not|you|your)\b",
    re.I,
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|may|must|should|shall|will|would|does|do|did|cannot)\b", re.I
)
_VERBS = frozenset(
    stem(word)
    for word in (
        "accept act add allow apply ask avoid become begin belong bring call carry cause change choose clear "
        "come compare connect consist contain continue control convert cover define deliver depend describe "
        "determine disable discuss display draw drive employ enable ensure exceed execute explain feature "
        "feed fit follow generate get give go hold include increase indicate interface keep lay lead let "
        "limit load look make mean measure meet need occur offer operate output pass perform permit place "
        "prevent produce protect provide pull put raise read receive reduce refer remain replace represent "
        "require reset return run select send serve set show sink source specify start stay stop store "
        "support swing switch take tell transfer turn use want work write "
    ).split()
)
_TELLS_ALONE = 70
"""Characters from which a sentence is one even if its verb is not among those known here."""
_CAPTION = re.compile(r"^(?:figure|fig\.?|table|tab\.?|equation|listing|photo)\s*[0-9A-Z]+(?:[-.][0-9]+)*\b", re.I)
_MEANT = re.compile(
    r"^(?:\S+\s+){1,4}(?:shows?|gives?|lists?|illustrates?|describes?|summari[sz]es?|depicts?|is|are)\b"
)
"""A sentence about a figure or table, which starts as its caption does."""
_BROKEN = re.compile(r"\ufffd|([^\W\d_A-FX])\1{3,}|\.{4,}|\u2026\s*\d|[^\x00-\x7f]{5,}")
"""What a font without its encoding, or the dots of a contents list, leaves behind."""
_CODE = re.compile(r"/\*|\*/|[{}]|;\s*$|\w\([^)]*\);|\w = \w+;|==|&&|\|\|")
"""Lines of a program."""
_IMPRINT = re.compile(
    r"www\.|https?:|\S@\S+\.\S|copyright|\u00a9|all rights reserved|trade ?marks?\b|warrant(?:y|ies)|liabilit"
    r"|\bliable\b|life[- ]support|sales offices?|without (?:prior |further )?notice|disclaim|infring"
    r"|terms of (?:sale|use)|please be aware that|resale of|customer request|\bphone\b|\bfax\b|indemnif"
    r"|at (?:its|their) own risk|reserves? the right|rights? to make changes|stresses (?:above|beyond)"
    r"|^(?:note|notice|caution|warning)s?\b[:.]?|^\(?[0-9]\)\s",
    re.I,
)
_HEADING = re.compile(r"[A-Z]{3,} [A-Z]{3,} [A-Z]{3,}")
_SYMBOL = re.compile(r"[A-Z]{2,}\b|\S*\d\S*|[^\w\s]+|\w")
_MARK = re.compile(r"^\s*(?:[\u2022\u25cf\u25aa\u25e6\u2023\u25a0\u25c6\u00b7*]|[-\u2013\u2014](?=\s))\s*")
_RUN_IN = re.compile(r"[^.!?:;]{3,90}[a-z0-9)] (?=(?:The|This|These|When|If|It|In|For|Since|An) [a-z])")
_ENDS = re.compile(r"[.!?][\"'\u201d\u2019)]*$")


def is_prose(text: str) -> bool:
    """Whether a text is one whole sentence in running words: begun, ended, and not made of names, numbers or noise."""
    words = _WORD.findall(text)
    if not _SHORTEST <= len(text) <= _LONGEST or len(words) < _FEWEST_WORDS:
        return False
    if not _ENDS.search(text) or not re.match(r"[\"'\u201c(]?[A-Z0-9/]", text) or not balanced(text):
        return False
    if not _GLUE.search(text) or is_noise(text) or instructs(text):
        return False
    if len(text) < _TELLS_ALONE and not (_AUXILIARY.search(text) or any(stem(w.casefold()) in _VERBS for w in words)):
        return False
    if _CAPTION.match(text) and not _MEANT.match(text):
        return False
    return _mostly_small(words) and not _lettering(text)


def is_noise(text: str) -> bool:
    """Whether a text is not meant to be read for what it says: encoding junk, leaders, the imprint."""
    return is_broken(text) or bool(_IMPRINT.search(text) or _CODE.search(text)) or _few_letters(text)


def is_caption(text: str) -> bool:
    """Whether a text begins as the caption of a figure or table."""
    return bool(_CAPTION.match(text))


def is_broken(text: str) -> bool:
    """Whether a font without its encoding left junk in a text."""
    return bool(_BROKEN.search(text))


def ended(text: str) -> str:
    """A text as a sentence: with a full stop where it has no end of its own."""
    return text if _ENDS.search(text) or text.endswith(":") else f"{text}."


def balanced(text: str) -> bool:
    """Whether its brackets close: a cut sentence mostly leaves one open."""
    return text.count("(") == text.count(")")


def _few_letters(text: str) -> bool:
    marks = [c for c in text if not c.isspace()]
    return sum(c.isalpha() for c in marks) < _LETTERS * len(marks)


def _mostly_small(words: list[str]) -> bool:
    small = sum(1 for word in words if word[0].islower())
    return small >= _LOWER * sum(1 for word in words if not word.isupper())


def _lettering(text: str) -> bool:
    """Whether symbols, numbers or capitals stand in a row: the lettering of a figure, a heading, a row of a table."""
    if _HEADING.search(text):
        return True
    run = 0
    for piece in text.split():
        run = run + 1 if _SYMBOL.fullmatch(piece.strip("(),;:.")) else 0
        if run >= 5:
            return True
    return False


def sentences_of(segment: Segment) -> Iterator[str]:
    """The whole sentences of a passage in reading order; none of tables and figures."""
    if segment.kind is not SegmentKind.TEXT:
        return
    for paragraph in paragraphs_of(segment.text):
        for sentence in split_sentences(paragraph):
            shown = _without_heading(" ".join(_MARK.sub("", sentence).split()))
            if is_prose(shown):
                yield shown


def _without_heading(sentence: str) -> str:
    """A sentence without the heading it was set in one line with: "Power-up The part starts ..."."""
    match = _RUN_IN.match(sentence)
    return sentence[match.end() :] if match and not _AUXILIARY.search(match.group()) else sentence


def is_item(text: str) -> bool:
    """Whether a text without a full stop may be an item of a list: running words, neither heading nor lettering."""
    words = _WORD.findall(text)
    small = sum(1 for word in words if word[0].islower())
    short = _SHORTEST <= len(text) <= _ITEM and len(words) >= _FEWEST_WORDS and balanced(text)
    return short and 2 * small >= len(words) and not (is_noise(text) or _CAPTION.match(text) or _lettering(text))


def items_in(segment: Segment) -> Iterator[str]:
    """The items of its bulleted lists, without their marks."""
    for line in segment.text.splitlines():
        item = " ".join(_MARK.sub("", line, count=1).split())
        if _MARK.match(line) and _SHORTEST // 2 <= len(item) <= _LONGEST and balanced(item) and not is_noise(item):
            yield item


def paragraphs_of(text: str) -> Iterator[str]:
    """Paragraphs of a passage: a line goes on only where it has not ended and the next begins small."""
    held = ""
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        if held and line[0].islower() and not _ENDS.search(held):
            held = held + line if held.endswith("-") else f"{held} {line}"
            continue
        if held:
            yield held
        held = line
    if held:
        yield held
