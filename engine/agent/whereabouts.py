"""Questions after a place: "Which section explains the rectangle command?", "where is the reset described?".

The answer is a heading and its page. HiQA's cascading headings are what is searched: a section is the one meant when
its own heading speaks of the matter, or when retrieval finds the matter in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, status_of
from engine.agent.homes import homes_of
from engine.agent.question import Question
from engine.agent.sections import Section, sections_of
from engine.agent.sources import Sources
from engine.agent.targets import resolve
from engine.agent.terms import content_terms, name_terms, word_forms
from engine.agent.topic import Standing, Topic, documents_to_read, speaks
from engine.agent.verify import quote_stands
from engine.core.ids import DocumentId
from engine.core.results import Sentence, Step

_TOLD = (
    r"(?:describ|explain|list|document|defin|discuss|given\b|giv(?:es?|en)\b|shown?\b|shows\b|specif|cover|tells?\b|told\b"
    r"|says?\b|said\b|find|found\b|read about|look up|deals?\b|treat|contain|introduc|state"
    r"|(?:walks?|goes|runs|takes) (?:\w+ )?through|talks?\b|speaks?\b|is about|are about|(?:has|holds|gives) the"
    r"|helps?\b|about\b)"
)
_BOOK = r"(?:data ?sheet|sheet|manual|guide|handbook|(?:app(?:lication)? )?note|how-?to|document|docs?|report|book)\b"
_WHICH = re.compile(
    r"\b(?:which|what) (?:sub)?(?:section|chapter|page|part of "
    rf"(?:the (?:[\w-]+ )?{_BOOK}|AN[\w-]*\d))s?\b.*?\b{_TOLD}",
    re.I,
)
_WHERE = re.compile(
    rf"(?:^|[:;,]\s*)where\b.*\b{_TOLD}|(?:^|[:;,]\s*)where in (?:[\w.'-]+ ){{1,5}}?(?:is|are|do|does|can)\b"
    r"|(?:^|[:;,]\s*)where(?:'s| is| are) the (?:section|chapter|help|guidelines?|instructions?|description"
    r"|explanation|table|list)\b",
    re.I,
)
_CALLED = re.compile(
    r"^(?:the )?(?:sub)?(?:section|chapter|page)s?\b(?! [0-9]).*?\b(?:on|about|for|cover\w*|where|that|with)\b", re.I
)
""" "Section in the guide on switching it off?": a place is asked for without a verb."""
_EMPTY = frozenset(
    content_terms(
        "describe described explain explained explains list lists listed document documented define defined discuss"
        " discussed give given show shown specify specified cover covered tell told say find found look read deal treat"
        " contain introduce introduced state stated section chapter page datasheet sheet manual data note guide"
        " handbook how-to about talk walk go through take help"
    )
)
_NUMBER = re.compile(r"(?:[0-9]+|[A-Z]\.)(?:\.?[0-9]+)*\.?\s")
_HITS = 12
_TITLED = 0.3
"""Least share of the topic, by weight, that the section's own heading must have."""
_LEAST = 0.6
"""Least share of the topic, by weight, that a section must have in its words."""
_READ = 5
"""Sections that stand best and are read with the cross-encoder."""
_LOGIT, _MOST_LOGIT = 0.05, 5.0
"""What a unit of its logit adds to the standing of a section, and the logit, up or down, beyond which no more."""
_MEANT = 0.9
"""Standing from which a section is the one meant though its heading words the matter otherwise: of 17 questions that
know the gold section, the right one of 15 had it, and the wrong one of one."""
_PIECE = 500
"""Characters of a section that the cross-encoder reads."""


def asks_where(question: Question) -> bool:
    """Whether a place in a document is asked for, not what stands there."""
    patterns = (_WHICH, _WHERE, _CALLED)
    return any(pattern.search(question.folded) for pattern in patterns) and not question.options


def answer_where(question: Question, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """The section, its page and its document; None where no place is asked for or no section is about it."""
    if not asks_where(question):
        return None
    targets = resolve(question, sources.documents())
    topic = _topic(question)
    if targets.unknown or not topic:
        return None
    homes = [home.id for _, home in homes_of(targets, sources.documents())]
    section = _section(question, topic, list(targets.documents), homes, sources)
    return None if section is None else _draft(section, question, sources, notes, model)


def _topic(question: Question) -> tuple[str, ...]:
    names = name_terms(question.parts)
    return tuple(term for term in question.terms if term not in _EMPTY and term not in names)


def _section(
    question: Question,
    topic: Sequence[str],
    documents: Sequence[DocumentId],
    homes: Sequence[DocumentId],
    sources: Sources,
) -> Section | None:
    """The section that is most about the topic."""
    hits = sources.search(question.text, _HITS, documents).hits
    standing = Standing(homes, hits)
    scored: list[_Candidate] = []
    for document, title in documents_to_read(homes, hits, sources).items():
        sections = [one for one in sections_of(sources.segments_of(document)) if one.name]
        weighed = Topic(topic, word_forms(title), sections)
        for section in sections:
            share, titled = weighed.share(section), weighed.titled(section, 1)
            if any(speaks(section.forms, term) for term in topic):
                told = share >= _LEAST and titled >= _TITLED
                scored.append(_Candidate(standing.score(section, share, titled), told, section))
    scored.sort(key=lambda one: -one.score)
    plain = next((one.section for one in scored if one.told), None)
    if sources.reranker is None or not scored:
        return plain
    read = scored[:_READ]
    logits = sources.reranker.score(question.text, [_passage(one.section) for one in read])
    meant = [one.score + _LOGIT * max(-_MOST_LOGIT, min(_MOST_LOGIT, logit)) for one, logit in zip(read, logits)]
    best = max(range(len(read)), key=meant.__getitem__)
    return read[best].section if meant[best] >= _MEANT else plain


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A section, how it stands, and whether its heading and its words hold the topic."""

    score: float
    told: bool
    section: Section


def _passage(section: Section) -> str:
    """A section as the cross-encoder reads it: its headings, then how it begins."""
    return f"{' > '.join(section.path)}: {section.segments[0].text[:_PIECE]}"


def numbered_heading(heading: str, page: str) -> str:
    """A heading with the number it is printed with, where the outline (a bookmark) leaves it out."""
    words = r"\s+".join(re.escape(word) for word in heading.split())
    found = re.search(rf"(?m)^\s*((?:[0-9]+|[A-Z](?=\.[0-9]))(?:\.[0-9]+)*\.?)\s+{words}\s*$", page, re.I)
    return f"{found.group(1).rstrip('.')} {heading}" if found and not _NUMBER.match(heading) else heading


def _draft(section: Section, question: Question, sources: Sources, notes: Notes, model: str) -> Draft:
    first = section.segments[0]
    citations = Citations(sources)
    heading = numbered_heading(section.path[-1].strip(), sources.page_text(first.document, section.page))
    number = citations.cite_page(first, section.page, heading)
    verified = quote_stands(heading, citations.page_text(number))
    above = " > ".join(section.path[:-1])
    place = f"{heading}, page {section.page}"
    text = f"{place} of {first.title}{f' (under {above})' if above else ''}."
    sentence = notes.sentence(Sentence(text, verified, (number,)), citations.pick)
    notes.step(Step("retrieve", question.text, (first.id,), place))
    notes.step(Step("answer", question.text, (first.id,), place))
    return Draft(status_of([sentence]), place, (sentence,), citations.all, model)
