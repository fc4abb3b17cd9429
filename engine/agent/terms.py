"""Content words of a question or a passage, in one comparable form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import pairwise

from engine.core.text import fold, fold_case

_CAPITALS = re.compile(r"(?<![A-Za-z0-9-])[A-Z]{2,}(?![A-Za-z0-9-])")
_TOKEN = re.compile(r"[^\W_]+(?:[-/.+][^\W_]+)*", re.UNICODE)


@cache
def stop_words() -> frozenset[str]:
    """Words that carry no content, from stopwords.txt."""
    return frozenset(word for line in _lines("stopwords.txt") for word in line.split())


@cache
def light_terms() -> frozenset[str]:
    """Canonical forms of words that weigh little in a question, from light.txt."""
    return frozenset(canonical(word) for line in _lines("light.txt") for word in line.split())


def _lines(name: str) -> list[str]:
    text = files("engine.agent").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def acronyms(text: str) -> set[str]:
    """Words in capitals that would be stop words in small letters: "CAN", "IT", "DO" as markers "^CAN" ..."""
    return {f"^{word}" for word in _CAPITALS.findall(fold(text)) if word.casefold() in stop_words()}


def tokens(text: str) -> list[str]:
    """Words and numbers in reading order, folded, without case; compounds stay whole ("pull-up", "p0.14")."""
    return [match.group().strip("-/.+") for match in _TOKEN.finditer(fold_case(text))]


@cache
def stem(word: str) -> str:
    """A light English stem; words with digits are left alone."""
    if len(word) < 4 or any(c.isdigit() for c in word):
        return word
    for suffix, put in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(suffix):
            word = word[: -len(suffix)] + put
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    for suffix in ("ingly", "edly", "ing", "ed", "ly"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@cache
def synonyms() -> dict[str, str]:
    """stem -> stem of the group's first word, from lexicon.txt."""
    table: dict[str, str] = {}
    for line in _lines("lexicon.txt"):
        first, *others = line.split()
        for word in others:
            table.setdefault(stem(word), stem(first))
    return table


def canonical(word: str) -> str:
    """Stem, then the lexicon's form of it."""
    base = stem(word)
    return synonyms().get(base, base)


def word_forms(text: str) -> set[str]:
    """Every form a passage answers to: canonical words, and the pieces of compounds beside the whole."""
    found: set[str] = acronyms(text)
    for token in tokens(text):
        found.add(canonical(token))
        if not token.isalnum():
            found.update(canonical(piece) for piece in re.split(r"[-/.+]", token) if len(piece) > 1)
    return found


def content_terms(text: str, drop: Iterable[str] = ()) -> list[str]:
    """Canonical content words in order, without stop words, repeats and `drop` (canonical forms).

    Acronyms that look like stop words come as markers ("^CAN") unless the whole text is in capitals.
    """
    left = dict.fromkeys(drop)
    found: dict[str, None] = dict.fromkeys(sorted(acronyms(text)) if not text.isupper() else ())
    for token in tokens(text):
        term = canonical(token)
        if token in stop_words() or term in left or (len(token) < 2 and not token.isdigit()):
            continue
        found.setdefault(term)
    return list(found)


def name_terms(names: Iterable[str]) -> set[str]:
    """The canonical words that names of parts and documents are made of."""
    return {canonical(token) for name in names for token in tokens(name)}


def whole_name(name: str) -> re.Pattern[str]:
    """A name letter for letter in folded text: "-B" also at the end of "MCP3204-B"."""
    before = r"(?<!\w)" if name[:1].isalnum() else ""
    return re.compile(rf"{before}{re.escape(fold(name))}(?!\w)", re.I)


def neighbours(text: str) -> frozenset[tuple[str, str]]:
    """Ordered pairs of content words that follow one another, stop words left out."""
    words = [canonical(token) for token in tokens(text) if token not in stop_words()]
    return frozenset(pairwise(words))
