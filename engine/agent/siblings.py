"""Lists that a document keeps as headings: "Alternative 1", "Alternative 2"; "Prevents SRAM corruption", ...

Headings beside one another under one heading that are of one form with a word of the question are the list asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, status_of
from engine.agent.homes import homes_of
from engine.agent.question import Question
from engine.agent.sources import Sources
from engine.agent.targets import resolve
from engine.agent.terms import canonical, content_terms, name_terms, tokens, word_forms
from engine.agent.topic import speaks
from engine.agent.verify import quote_stands
from engine.core.model import Segment
from engine.core.results import Sentence, Step

_CLAUSE = re.compile(r"^(?:please )?(?:list|enumerate|name) (?:what|everything|all) (?!the\b|of\b)", re.I)
""" "List what the note says can be prevented": headings begin with the verb."""
_NOUNS = re.compile(
    r"^(?:please )?(?:(?:list|enumerate|name)|(?:what|which)(?: are)?)(?: all)?(?: of)?(?: the)? "
    r"(?P<nouns>(?:[\w-]+ ){0,2}?[\w-]+s)\b",
    re.I,
)
""" "Which power saving modes ...": headings are each of that name, or of that name and a number."""
_NUMBER = re.compile(r"^(?:[0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)+)\.?\s+")
_ORDINAL = re.compile(r"(?:[0-9]+|[A-Z]|[IVX]+)(?:\b|:)")
_VERBS = frozenset(content_terms("list describe offer have give name show provide support know discuss mention say"))
_FEWEST, _MOST = 3, 20
"""Headings that make a list, and the most that are shown."""

_Row = dict[str, Segment]
"""The headings of a list, each with the first passage under it."""


def answer_by_headings(question: Question, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """The headings in reading order, one cited line each; None where the document named has no such row of them."""
    text = question.folded.strip()
    clause, nouns = _CLAUSE.match(text), _NOUNS.match(text)
    if question.given or question.options or not (clause or nouns):
        return None
    targets = resolve(question, sources.documents())
    homes = [home for _, home in homes_of(targets, sources.documents())]
    if len(homes) != 1:
        return None
    given = name_terms(question.parts) | word_forms(homes[0].title) | _VERBS
    segments = sources.segments_of(homes[0].id)
    if clause or nouns is None:
        row = _longest(segments, [term for term in question.terms if term not in given], _begins_with)
    else:
        *_, kind = content_terms(nouns.group("nouns")) or [""]
        others = [term for term in question.terms if term not in given and term != kind]
        row = _longest(segments, [kind], _is_called, others)
    return _draft(row, question, sources, notes, model) if row else None


def _longest(
    segments: Sequence[Segment], kinds: Sequence[str], fits: Callable[[str, str], bool], others: Sequence[str] = ()
) -> _Row:
    """The longest row of headings under one heading that fit one word, with all other words in or above them."""
    rows: dict[tuple[tuple[str, ...], str], _Row] = {}
    for segment in segments:
        for depth, heading in enumerate(segment.path):
            forms = word_forms(" ".join(segment.path[: depth + 1]))
            for kind in kinds:
                if fits(_NUMBER.sub("", heading), kind) and all(speaks(forms, other) for other in others):
                    rows.setdefault((segment.path[:depth], kind), {}).setdefault(heading, segment)
    return max((row for row in rows.values() if len(row) >= _FEWEST), key=len, default={})


def _begins_with(heading: str, kind: str) -> bool:
    first, *rest = tokens(heading) or [""]
    return bool(rest) and canonical(first) == kind


def _is_called(heading: str, kind: str) -> bool:
    """ "Idle Mode" and "Mode 2" are modes, "Mode Register Description" is none."""
    first, *rest = heading.split() or [""]
    if canonical(first.casefold()) == kind:
        return bool(rest) and bool(_ORDINAL.match(rest[0]))
    last = tokens(heading)[-1:]
    return bool(last) and not heading.endswith(")") and canonical(last[0]) == kind and not last[0].endswith("s")


def _draft(found: _Row, question: Question, sources: Sources, notes: Notes, model: str) -> Draft | None:
    citations = Citations(sources)
    sentences = []
    for heading, segment in list(found.items())[:_MOST]:
        number = citations.cite_page(segment, segment.page, heading)
        verified = quote_stands(heading, citations.page_text(number))
        sentences.append(notes.sentence(Sentence(heading, verified, (number,)), citations.pick))
    used = tuple(dict.fromkeys(segment.id for segment in found.values()))
    coverage = f"{len(sentences)} of {len(found)} headings"
    notes.step(Step("retrieve", question.text, used, coverage))
    notes.step(Step("answer", question.text, used, coverage))
    short = "; ".join(sentence.text for sentence in sentences)
    return Draft(status_of(sentences), short, tuple(sentences), citations.all, model, coverage, separator="\n")
