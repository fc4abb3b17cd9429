"""What a model is shown of a node, and what of its answer may be kept (Psi-RAG section 3.1, appendix C.2).

Small models repeat what they are shown or make things up. So they are shown lines of leaves, spread over the node's
children, never the counted abstracts below. A keyword abstract is *chosen*, one phrase of each line (asked to choose
freely they repeat one phrase); a sentence is kept only if its numbers, identifiers and most of its words stand in the
lines, and in more than one child's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.core.ids import SegmentId
from engine.core.model import AbstractNode, Segment
from engine.core.text import fold_case, part_key
from engine.tree.abstracts import STOP_WORDS

LINES = 7
"""Leaves that are shown: with titles and phrases about 400 tokens, some seconds of a small model."""
_LINE_CHARACTERS = 150
_PHRASES = 6
"""Of a line, to choose one from."""
_KINDS, _TITLES = 4, 4
_SUPPORTED = 0.6
"""Share of a sentence's words that must stand in what was shown: "They describe how" is nobody's."""
_ONE_CHILD = 0.9
"""An abstract that has this share of its words from one child, and from no other, is a copy of that child."""
_LEAST_WORDS = 4
_STEM = 5
"""Words agree in their first letters: conversion, conversions, converting."""
_CELL = re.compile(r"[|\n]")
_BREAK = re.compile(r"[.,;:()\[\]{}=\"“”|•\n]+|\s[-–—]+\s")
_WORD = re.compile(r"[^\W_][\w'’/+-]*")
_EMPTY = frozenset("describe describes explain explains specify specifies including device devices document".split())
SENTENCE_GRAMMAR = 'root ::= "They " ("describe" | "explain" | "specify") " " [^.\\n]{20,240} "."\n'


@dataclass(frozen=True, slots=True)
class Material:
    """`titles` of the documents below a node, the most frequent first; `lines` of leaves, one after another from each
    child; `phrases`, for each line that has some of its own, those that may be chosen; `kinds`, the titles of their
    sections."""

    titles: tuple[str, ...]
    lines: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    kinds: tuple[str, ...]


def shown_leaves(node: AbstractNode, by_id: Mapping[str, AbstractNode], count: int = LINES) -> list[SegmentId]:
    """Up to `count` leaves, one from each child in turn, the fullest child first."""
    if node.height == 1:
        step = max(1, len(node.children) // count)
        return [SegmentId(leaf) for leaf in node.children[::step][:count]]
    children = sorted((by_id[child] for child in node.children), key=lambda one: (-one.leaves, one.id))
    columns = [shown_leaves(child, by_id, count) for child in children[:count]]
    return [leaf for row in zip_longest(*columns) for leaf in row if leaf is not None][:count]


def material(segments: Sequence[Segment]) -> Material:
    """What is shown of these leaves."""
    titles: dict[str, int] = {}
    for segment in segments:
        titles[segment.title] = titles.get(segment.title, 0) + 1
    taken: set[str] = set()
    phrases: list[tuple[str, ...]] = []
    for segment in segments:
        fresh = {fold_case(phrase): phrase for phrase in _phrases(segment) if fold_case(phrase) not in taken}
        offered = tuple(fresh.values())[:_PHRASES]
        taken.update(map(fold_case, offered))
        phrases += [offered] if offered else []
    return Material(
        tuple(sorted(titles, key=lambda title: -titles[title]))[:_TITLES],
        tuple(dict.fromkeys(_line(segment) for segment in segments)),
        tuple(phrases),
        tuple(dict.fromkeys(segment.path[-1] for segment in segments if segment.path))[:_KINDS],
    )


def choice_grammar(phrases: Sequence[Sequence[str]]) -> str:
    """A grammar that takes one phrase of each group, in their order."""
    groups = ("(" + " | ".join(json.dumps(phrase, ensure_ascii=False) for phrase in group) + ")" for group in phrases)
    return "root ::= " + ' ", " '.join(groups) + ' "\\n"\n'


def keywords(text: str, shown: Material) -> str:
    """The abstract of the chosen phrases; "" if none was.

    What several children say is a theme, what one says alone tells it apart; sections are the kinds of information.
    """
    chosen = [phrase for group in shown.phrases for phrase in group if f", {phrase}, " in f", {text.strip()}, "]
    shared = [phrase for phrase in chosen if sum(_holds(line, phrase) for line in shown.lines) > 1]
    apart = [phrase for phrase in chosen if phrase not in shared]
    groups = (("Information", (*shown.titles, *shown.kinds)), ("Themes", shared), ("Differences", apart))
    return "\n".join(f"{name}: {'; '.join(phrases)}" for name, phrases in groups if phrases) if chosen else ""


def summary(text: str, shown: Material) -> str:
    """The sentence behind the titles of the documents it is about; "" if it says what was not shown, next to nothing,
    or only what one child says."""
    sentence = " ".join(text.split()).strip()
    everything = " ".join((*shown.titles, *shown.kinds, *shown.lines))
    known = {part_key(word) for word in _WORD.findall(everything)}
    if any(part_key(word) not in known for word in _WORD.findall(sentence) if any(c.isdigit() for c in word)):
        return ""
    # Titles are printed before the sentence; to repeat them is to say nothing.
    named = set(_words(" ".join(shown.titles)))
    words = [word for word in _words(sentence) if word not in named and word not in _EMPTY_STEMS]
    there = set(_words(everything))
    if len(words) < _LEAST_WORDS or sum(word in there for word in words) < _SUPPORTED * len(words):
        return ""
    if _of_one_child([word for word in words if word in there], shown.lines):
        return ""
    return f"{'; '.join(shown.titles)}: {sentence}"


def _of_one_child(words: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether exactly one line says nearly all of this, where there are several."""
    wanted = set(words)
    if len(lines) < 2 or not wanted:
        return False
    return sum(len(wanted & set(_words(line))) >= _ONE_CHILD * len(wanted) for line in lines) == 1


def _holds(line: str, phrase: str) -> bool:
    return set(_words(phrase)) <= set(_words(line))


def _words(text: str) -> list[str]:
    """The content words of a text, each by its first letters."""
    found = (match.group() for match in _WORD.finditer(fold_case(text)))
    return [word[:_STEM] for word in found if len(word) > 2 and word not in STOP_WORDS]


_EMPTY_STEMS = frozenset(word[:_STEM] for word in _EMPTY)


def _line(segment: Segment) -> str:
    """Its section and the beginning of its text; of a table, what its cells say in words."""
    head = segment.path[-1] if segment.path else segment.title
    said = " ".join(_said(segment).split())
    if said.startswith(head):
        said = said[len(head) :].lstrip(" :.,")
    cut = said if len(said) <= _LINE_CHARACTERS else said[:_LINE_CHARACTERS].rsplit(" ", 1)[0]
    return f"{head}: {cut}" if cut else head


def _said(segment: Segment) -> str:
    if segment.text.count("|") < 4:
        return segment.text
    return ", ".join(dict.fromkeys(cell for cell in map(str.strip, _CELL.split(segment.text)) if _is_wording(cell)))


def _is_wording(cell: str) -> bool:
    letters = sum(character.isalpha() for character in cell)
    return letters > 3 and letters * 2 > len(cell)


def _phrases(segment: Segment) -> list[str]:
    """Runs of two to four content words in the order of the text: its section's title, then what stands between small
    words and punctuation."""
    head = (segment.path[-1],) if segment.path and len(segment.path[-1].split()) < 5 else ()
    runs = (run for piece in _BREAK.split(_said(segment)) for run in _runs(piece.split()))
    return list(dict.fromkeys((*(one for one in head if len(one) > 3), *(run for run in runs if len(run) > 7))))


def _runs(words: Iterable[str]) -> Iterable[str]:
    run: list[str] = []
    for word in (*words, ""):
        bare = word.strip("-–*'’%")
        telling = len(bare) > 2 and bare.lower() not in STOP_WORDS and any(c.isalpha() for c in bare)
        if telling:
            run.append(bare)
        if run and (not telling or len(run) == 4):
            if len(run) > 1:
                yield " ".join(run)
            run = []
