"""Telling in a document's own words: a few whole sentences, in reading order, each cited, and where there is more.

The section is the unit: HiQA's cascading headings say what a passage is about even where it does not repeat it, so the
sections a question names or retrieval finds are told from their beginning, never lines picked from all over.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, status_of
from engine.agent.evidence import names_part
from engine.agent.homes import homes_of
from engine.agent.prose import ended, is_broken
from engine.agent.question import Question
from engine.agent.sections import Quote, Section, items_of, sections_of
from engine.agent.sources import Sources
from engine.agent.steps import steps_of
from engine.agent.targets import resolve
from engine.agent.terms import content_terms, word_forms
from engine.agent.told import Telling, Told, asks_to_be_told
from engine.agent.topic import Standing, Topic, documents_to_read, speaks
from engine.agent.units import units_of
from engine.agent.verify import check_sentence
from engine.agent.whereabouts import numbered_heading
from engine.core.ids import DocumentId
from engine.core.model import SegmentKind
from engine.core.results import DocumentInfo, Hit, Sentence, Step
from engine.core.text import fold_case

_SECTION_ASKED = re.compile(
    r"\bwhat (?:does|do|is) (?:the )?(?:sub)?(?:section|chapter|appendix) "
    r"([0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)+)(?![\w.]*\w)"
    r".*\b(?:about|describe|explain|cover|say|deal|treat|tell|contain|discuss)\b",
    re.I,
)
_SENTENCES, _CHARACTERS = 6, 900
_SUMMED = (10, 1500)
"""The same of a summary, which has to reach what a section comes to."""
_WHAT_IT_IS, _ITEMS = 3, 10
_HITS = 12
_ABOUT = 0.5
"""Least share of the topic's words, by weight, that a section must have."""
_ABOUT_ALONE = 0.75
"""The same where the question names no document."""
_NEARLY = 0.75
"""Share of the best section's score from which another is as likely the one meant."""
_COUNTED = 0.6
"""Worth of counted steps where a procedure is asked for."""
_ITSELF = re.compile(
    r"\bthis (?:document|(?:application |technical )?note|manual|guide|data ?sheet|paper|report|tutorial)\b"
)
_SHEET = re.compile(
    r"\b(?:(?:maximum|absolute) ratings|limiting values|electrical (?:characteristics|specifications))\b", re.I
)
"""A heading that only the data sheet of a part has; its further sections are values, not what it is."""
_IN_PASSING = 4
"""Sentences taken of a section whose heading speaks of something else."""
_RELATED = 4
"""Sections named for further reading."""
_ENOUGH = 120
"""Characters from which one section's answer stands alone."""


def answer_by_telling(question: Question, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """A few sentences; None where the question asks for something else, or no section is about it."""
    numbered = _SECTION_ASKED.search(question.folded)
    if numbered is not None:
        return _draft(numbered_section(question, numbered.group(1), sources), sources, notes, model)
    told = asks_to_be_told(question)
    if told is None:
        return None
    targets = resolve(question, sources.documents())
    if targets.unknown:
        return None
    homes = [home for _, home in homes_of(targets, sources.documents())]
    teller = _Teller(question, told, sources)
    if told.telling in (Telling.WHAT, Telling.ITEMS):
        if not homes:
            return None
        reply = teller.whole(homes[0]) if told.telling is Telling.WHAT else teller.items(homes[0])
        return _draft(reply, sources, notes, model)
    return _draft(teller.part(list(targets.documents), [home.id for home in homes]), sources, notes, model)


def numbered_section(question: Question, number: str, sources: Sources) -> _Reply:
    """The heading and the first sentences of the section with that number; nothing where no document has one."""
    targets = resolve(question, sources.documents())
    homes = [home.id for _, home in homes_of(targets, sources.documents())]
    hits = sources.search(question.text, _HITS, list(targets.documents)).hits
    for document in documents_to_read(homes, hits, sources):
        for section in sections_of(sources.segments_of(document)):
            first = section.segments[0]
            heading = section.path[-1].strip() if section.path else ""
            printed = heading and numbered_heading(heading, sources.page_text(document, section.page))
            if printed and re.match(rf"{re.escape(number)}\.?\s", printed):
                return _Reply(_fitted([Quote(first, printed), *section.quotes]), (), [], section)
    return _Reply((), (), [])


class _Teller:
    """One question of this kind over one library."""

    def __init__(self, question: Question, told: Told, sources: Sources) -> None:
        self._question = question
        self._told = told
        self._sources = sources

    # --- what it is ---------------------------------------------------------------------------------------------------

    def whole(self, home: DocumentInfo) -> _Reply:
        """What a document says it is about; of a note also the beginning of each further section, as room allows."""
        sections = [s for s in sections_of(self._sources.segments_of(home.id)) if not s.aside]
        opening, leading = _opening(home, sections)
        others = [s for s in sections if s is not leading and s.quotes and len(s.path) <= 1]
        if not opening:
            return _Reply(_by_title(home, sections), (), [])
        if leading is None or self._told.brief or any(_SHEET.search(section.name) for section in sections):
            return _Reply(_fitted(opening), (), others)
        more = [s.quotes[0] for s in others if s.page >= leading.page]
        return _Reply(_fitted([*opening, *more]), (), others)

    def items(self, home: DocumentInfo) -> _Reply:
        """The list of the one section that is called what is asked for."""
        for section in sections_of(self._sources.segments_of(home.id)):
            named = word_forms(section.name)
            if len(named) > len(self._told.topic) + 1 or not all(speaks(named, term) for term in self._told.topic):
                continue
            items = [item for segment in section.segments for item in items_of(segment)]
            return _Reply((), items[:_ITEMS], [section] if len(items) > _ITEMS else [], section)
        return _Reply((), (), [])

    # --- how it works, how it is done ---------------------------------------------------------------------------------

    def part(self, documents: Sequence[DocumentId], homes: Collection[DocumentId]) -> _Reply:
        """The section that is most about the topic, from where it begins to speak of it, or its steps."""
        ranked = self._ranked(documents, homes)
        if not ranked:
            return _Reply((), (), [])
        best = ranked[0][0]
        chosen = [section for score, section in ranked if score >= _NEARLY * best][:_RELATED]
        steps = self._told.telling is Telling.STEPS
        document = ranked[0][1].segments[0].document
        for section in chosen if steps else ():
            numbered = [term for term in self._told.topic if any(c.isdigit() for c in term)]
            if section.segments[0].document != document or not all(speaks(section.forms, t) for t in numbered):
                continue
            found = steps_of(section)
            if found:
                return _Reply((), found, [s for s in chosen if s is not section], section)
        chosen = [section for section in chosen if section.quotes]
        if not chosen:
            return _Reply((), (), [])
        quotes = self._speaking(chosen[0])
        if sum(len(quote.text) for quote in quotes) < _ENOUGH and len(chosen) > 1:
            quotes += self._speaking(chosen[1])
        fitted = _fitted(quotes, *_SUMMED) if self._told.summed else _fitted(quotes)
        return _Reply(fitted, (), chosen if steps else chosen[1:], chosen[0])

    def _ranked(self, documents: Sequence[DocumentId], homes: Collection[DocumentId]) -> list[tuple[float, Section]]:
        """Sections about the topic, the best first."""
        hits = self._hits(documents)
        standing = Standing(homes, hits)
        procedure = self._told.telling is Telling.STEPS
        least = _ABOUT if documents else _ABOUT_ALONE
        scored: list[tuple[float, Section]] = []
        for document, title in documents_to_read(homes, hits, self._sources).items():
            sections = sections_of(self._sources.segments_of(document))
            topic = Topic(self._told.topic, word_forms(title), sections)
            if any(self._names(one) and not (one.quotes or steps_of(one)) for one in sections):
                return []  # the very section has no sentence to tell: its rows are read, not told
            for section in sections:
                share = topic.share(section)
                if share < least or (section.aside and not self._names(section)):
                    continue
                steps = steps_of(section) if procedure or not section.quotes else []
                if section.quotes or steps:
                    counted = _COUNTED if procedure and steps else 0.0
                    scored.append((standing.score(section, share, topic.titled(section)) + counted, section))
        scored.sort(key=lambda pair: -pair[0])
        return scored

    def _names(self, section: Section) -> bool:
        """Whether the question asks for the very section: "the revision history"."""
        named = content_terms(section.name)
        return bool(named) and all(term in self._told.topic for term in named)

    def _hits(self, documents: Sequence[DocumentId]) -> list[Hit]:
        """What retrieval finds in the documents asked about, and elsewhere where a part is named."""
        hits = list(self._sources.search(self._question.text, _HITS, documents).hits)
        if documents:
            wider = self._sources.search(self._question.text, _HITS).hits
            hits += [hit for hit in wider if names_part(self._question, hit.segment)]
        return sorted(hits, key=lambda hit: hit.rank)

    def _speaking(self, section: Section) -> list[Quote]:
        """The sentences from the first that has a word of the topic; all of them where the heading names it."""
        named = word_forms(section.name)
        if any(speaks(named, term) for term in self._told.topic):
            return list(section.quotes)
        first = next(
            (n for n, quote in enumerate(section.quotes) if any(speaks(quote.forms, t) for t in self._told.topic)), 0
        )
        return list(section.quotes[first : first + _IN_PASSING])


class _Reply:
    """What is to be said, and the sections that say more."""

    def __init__(
        self,
        quotes: Sequence[Quote],
        steps: Sequence[Quote],
        more: Sequence[Section],
        section: Section | None = None,
    ) -> None:
        self.quotes = tuple(quotes)
        self.steps = tuple(steps)
        self.more = [one for one in more if one.name][:_RELATED]
        self.section = section

    @property
    def unlisted(self) -> bool:
        """Whether a procedure was asked for and its section is told in running text."""
        return not self.steps and self.section is not None and self.section in self.more


def what_it_is(home: DocumentInfo, sources: Sources) -> Quote | None:
    """The first sentence in which a document says what it is about, else its title."""
    sections = [s for s in sections_of(sources.segments_of(home.id)) if not s.aside]
    opening, _ = _opening(home, sections)
    return next(iter(opening or _by_title(home, sections)), None)


def _opening(home: DocumentInfo, sections: Sequence[Section]) -> tuple[list[Quote], Section | None]:
    """What a document says first of all about itself, and the section it stands in."""
    leading = next((s for s in sections if s.leads and s.quotes), None)
    if leading is not None:
        return [*_abstract(sections), *leading.quotes][:_WHAT_IT_IS], leading
    told = [(section, n) for section in sections for n, quote in enumerate(section.quotes) if _introduces(home, quote)]
    leading, first = told[0] if told else (next((s for s in sections if s.quotes), None), 0)
    quotes = leading.quotes[first:] if leading is not None else ()
    return [*_abstract(sections), *quotes][:_WHAT_IT_IS], leading


def _introduces(home: DocumentInfo, quote: Quote) -> bool:
    """Whether a sentence is about the document's part, or about the document."""
    text = fold_case(quote.text)
    return bool(_ITSELF.search(text)) or any(fold_case(part) in text for part in home.parts)


def _abstract(sections: Sequence[Section]) -> list[Quote]:
    """The row "Abstract" of a note's title page, where there is one."""
    for section in sections[:2]:
        tables = [segment for segment in section.segments if segment.kind is SegmentKind.TABLE]
        for unit in units_of(tables):
            cells = [cell for _, cell in unit.cells]
            if len(cells) == 2 and cells[0].casefold().strip(": ") in ("abstract", "summary"):
                return [Quote(unit.segment, cells[1])]
    return []


def _by_title(home: DocumentInfo, sections: Sequence[Section]) -> list[Quote]:
    """The title and the first items of a sheet that says in no sentence what it is about."""
    segments = [segment for section in sections for segment in section.segments if segment.page == 1]
    if not segments or is_broken(home.title):
        return []
    items = [item for segment in segments for item in items_of(segment)][:_WHAT_IT_IS]
    return [Quote(segments[0], home.title), *items]


def _fitted(quotes: Sequence[Quote], sentences: int = _SENTENCES, characters: int = _CHARACTERS) -> list[Quote]:
    """As many sentences, in their order, as an answer of that length holds; the first in any case."""
    kept: list[Quote] = []
    for quote in quotes:
        length = sum(len(one.text) for one in kept)
        if len(kept) == sentences or (kept and length + len(quote.text) > characters):
            break
        kept.append(quote)
    return kept


def _draft(telling: _Reply, sources: Sources, notes: Notes, model: str) -> Draft | None:
    parts = [*telling.quotes, *telling.steps]
    if not parts:
        return None
    citations = Citations(sources)
    sentences = []
    for part in parts:
        number = citations.cite_text(part.segment, part.text)
        verified = check_sentence(part.text, [citations.page_text(number)]).verified
        sentences.append(
            notes.sentence(
                Sentence(part.text if telling.steps else ended(part.text), verified, (number,)), citations.pick
            )
        )
    used = tuple(dict.fromkeys(part.segment.id for part in parts))
    place = telling.section.place if telling.section is not None else ""
    notes.step(Step("retrieve", place, used, f"{len(parts)} sentences"))
    said = "The procedure is in" if telling.unlisted else "More in"
    coverage = f"{said}: {'; '.join(section.place for section in telling.more)}." if telling.more else ""
    notes.step(Step("answer", place, used, f"{len(sentences)} sentences"))
    status = status_of(sentences)
    short = parts[0].text if not telling.steps else "; ".join(part.text for part in parts)
    return Draft(
        status, short, tuple(sentences), citations.all, model, coverage, separator="\n" if telling.steps else " "
    )
