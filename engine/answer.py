"""The composer of answers: a question in, a verified answer with its citations out."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from engine.agent.aligned import drafts_beside
from engine.agent.asked import unheard
from engine.agent.bounds import lacks_value, of_another_kind, stated_in
from engine.agent.chain import Chain, planned
from engine.agent.compare import answer_comparison, wants_comparison
from engine.agent.computed import COMPUTED, draft_from_records, printed_row
from engine.agent.conjoined import conjuncts, together
from engine.agent.cues import asked_phrase, names_a_kind
from engine.agent.digest import answer_by_telling
from engine.agent.direct import answer_directly
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.halved import answer_halves, may_be_halved, tells_of_all
from engine.agent.halves import halves_of
from engine.agent.holdings import answer_with_documents
from engine.agent.hops import answer_over_hop, leads_on, wants_hop
from engine.agent.model_reader import ModelReader
from engine.agent.overview import answer_overview, wants_overview
from engine.agent.packages import answer_about_packages
from engine.agent.pin_answers import answer_about_pins
from engine.agent.quantities import quantity_of
from engine.agent.question import Question, only_repeats, understand
from engine.agent.reading import QuotedReader, Reader
from engine.agent.siblings import answer_by_headings
from engine.agent.side_by_side import answer_side_by_side
from engine.agent.sources import Sources
from engine.agent.spoken import with_known_names
from engine.agent.subjects import subjects_of
from engine.agent.sufficient import Thresholds
from engine.agent.switches import Piece
from engine.agent.targets import resolve
from engine.agent.thread import RESOLVED, in_thread
from engine.agent.whereabouts import answer_where
from engine.core.cancel import CancelToken
from engine.core.errors import UsageError
from engine.core.events import AnswerFinished, Emit, ignore
from engine.core.lexicon import Lexicon
from engine.core.ports import LanguageModel, RecordIndex
from engine.core.results import Answer, AnswerStatus, DocumentInfo, Step
from engine.parameters.compute import answer_from_records
from engine.parameters.documents import about_kind
from engine.parameters.question_patterns import Form
from engine.parameters.results import SURE, ComputedAnswer
from engine.parameters.side_by_side import side_by_side

_NOT_STATED = "The value is not stated for"
"""How engine/parameters words a condition that no record states."""
_OVER_LIBRARY = re.compile(r"\b(?:which|what|each|all|every)(?: one)? of (?:our|my)\b|\b(?:all|every) our\b", re.I)
"""What is asked of all parts of a kind."""
_ALTERNATIVES = 4
"""Values that cannot be told apart, beyond which the records do not answer."""


class Answerer:
    """Answers questions over one library. `model` None answers by quoting and computing alone. `without` are pieces
    switched off for a measurement, `limits` the probabilities from which evidence suffices."""

    def __init__(
        self,
        library: str,
        sources: Sources,
        model: LanguageModel | None = None,
        records: RecordIndex | None = None,
        without: Collection[Piece] = (),
        limits: Thresholds | None = None,
        lexicon: Lexicon | None = None,
    ) -> None:
        self._library = library
        self._sources = sources
        self._model = model
        self._records = records
        self._without = frozenset(without)
        self._limits = limits or Thresholds()
        self._lexicon = lexicon or Lexicon()

    def ask(
        self, question: str, emit: Emit = ignore, cancel: CancelToken | None = None, earlier: Sequence[Answer] = ()
    ) -> Answer:
        """Answer a question; `earlier` are the answers of its thread, oldest first, which a follow-up may speak of.

        Raise UsageError for an empty question, Cancelled when the token is set, KnownError as stores and model do.

        `emit` gets each step as it is taken and each sentence as it has passed verification.
        """
        if not question.strip():
            raise UsageError("The question is empty.", help="Type what you want to know.", code="empty-question")
        started = time.monotonic()
        token = cancel or CancelToken()
        notes = Notes(emit)
        whole = in_thread(question.strip(), earlier)
        if whole != question.strip():
            notes.step(Step(RESOLVED, whole, (), "understood from the thread"))
        pieces = conjuncts(whole)
        drafts = [self._draft(piece, notes, token, whole=True) for piece in pieces]
        draft = drafts[0] if len(drafts) == 1 else together(drafts, pieces)
        token.raise_if_cancelled()
        answer = Answer(
            id=uuid.uuid4().hex,
            library=self._library,
            question=question,
            text=draft.text,
            short=draft.short,
            status=draft.status,
            sentences=draft.sentences,
            citations=draft.citations,
            steps=tuple(notes.steps),
            coverage=draft.coverage,
            warnings=(*draft.warnings, *self._sources.revision_notes(one.document for one in draft.citations)),
            model=draft.model,
            seconds=time.monotonic() - started,
            created=datetime.now(UTC).isoformat(timespec="milliseconds"),
            tokens_read=notes.tokens_read,
            tokens_written=notes.tokens_written,
        )
        emit(AnswerFinished(answer))
        return answer

    def _draft(self, question: str, notes: Notes, cancel: CancelToken, whole: bool = False) -> Draft:
        """The answer to one question; only a `whole` one may be taken apart."""
        question = with_known_names(self._lexicon.in_words(question), self._sources.documents())
        understood = understand(question)
        cancel.raise_if_cancelled()
        formed = self._formed(understood, notes, cancel)
        if formed is not None:
            return formed
        found = self._from_records(understood)
        computed = None if wants_hop(understood) else self._sure(understood, found)
        if computed is not None and not computed.rows and wants_overview(understood):
            computed = None
        if computed is None and _OVER_LIBRARY.search(understood.folded):
            return self._uncertain(understood, found, notes)
        plain = self._plainly(computed, question, notes)
        if plain is not None:
            return plain
        draft = self._halves_or_read(understood, notes, cancel) if whole else self._read(understood, notes, cancel)
        if computed is None:
            return draft
        # A row of the very table that the records are from: by its cells rather than by its words.
        beside = _of_one_page(draft, computed)
        if not beside and draft.status is AnswerStatus.ANSWERED:
            return draft
        worded = None if self._unstated(computed, understood) else self._worded(computed, question, notes)
        if worded is None:
            return draft
        settled = computed.alternatives == 1 or (beside and worded.status is AnswerStatus.ANSWERED)
        return worded if settled else replace(worded, status=AnswerStatus.PARTIAL)

    def _formed(self, question: Question, notes: Notes, cancel: CancelToken) -> Draft | None:
        """Questions whose answer has a form of its own, whatever values they name."""
        if Piece.AGENT in self._without:
            return None
        sources, records = self._sources, self._records
        draft = answer_with_documents(question, sources, notes, cancel, QuotedReader.name, self._is_kind)
        draft = draft or answer_where(question, sources, notes, QuotedReader.name)
        draft = draft or answer_about_pins(question, sources, notes, QuotedReader.name)
        draft = draft or answer_about_packages(question, sources, notes, QuotedReader.name)
        if draft is None and records is not None:
            draft = answer_side_by_side(question, lambda sides: side_by_side(sides, records), sources, notes, COMPUTED)
        draft = draft or answer_by_headings(question, sources, notes, QuotedReader.name)
        return draft or answer_by_telling(question, sources, notes, QuotedReader.name)

    def _computed(self, question: Question, notes: Notes) -> Draft | None:
        """The answer of the records where they have one alone."""
        return self._plainly(self._sure(question, self._from_records(question)), question.text, notes)

    def _plainly(self, found: ComputedAnswer | None, question: str, notes: Notes) -> Draft | None:
        """One answer, under the conditions asked for; None where records hold none or several."""
        if found is None or found.alternatives > 1 or self._silent(found):
            return None
        return self._worded(found, question, notes)

    def _silent(self, computed: ComputedAnswer) -> bool:
        """Whether the records do not state the conditions asked for: a passage that does is to be preferred."""
        return any(caveat.startswith(_NOT_STATED) for caveat in computed.caveats)

    def _halves_or_read(self, question: Question, notes: Notes, cancel: CancelToken) -> Draft:
        """Things set side by side, each asked about alone; the question as a whole where that answers more."""
        halves = None if Piece.AGENT in self._without else halves_of(question)
        if halves is None or not may_be_halved(question, halves) or planned(question, self._sources) is not None:
            return self._read(question, notes, cancel)
        apart = not wants_overview(question) and self._parts_apart(question)
        draft = self._read(question, notes, cancel) if apart else None
        if draft is not None and draft.status is AnswerStatus.ANSWERED:
            return draft
        answered, some = answer_halves(
            question, halves, lambda text: self._alone(text, notes, cancel), notes,
            lambda: drafts_beside(question, halves.names, self._sources, QuotedReader.name),
        )  # fmt: skip
        if answered is not None:
            return answered
        if draft is None:
            draft = self._read(question, notes, cancel)
            if not tells_of_all(question, draft, halves) and (some is not None or not wants_overview(question)):
                draft = not_mentioned("", draft.model)
        return some if some is not None and draft.status is AnswerStatus.NOT_MENTIONED else draft

    def _parts_apart(self, question: Question) -> bool:
        """Whether parts with documents of their own are compared: their readings bear each other out."""
        targets = resolve(question, self._sources.documents())
        return wants_comparison(question, subjects_of(question, targets, self._sources))

    def _alone(self, text: str, notes: Notes, cancel: CancelToken) -> Draft:
        """The answer to a side's question, with its cost but without its sentences."""
        own = Notes(ignore)
        draft = self._draft(text, own, cancel)
        notes.tokens_read += own.tokens_read
        notes.tokens_written += own.tokens_written
        return draft

    def _unstated(self, computed: ComputedAnswer, question: Question) -> bool:
        """Whether a condition is asked for that the records do not state, and none of the question's stands in their
        printed rows or above them: the value at 5 V is not the one at 12 V."""
        if not self._silent(computed):
            return False
        rows = (printed_row(record, self._sources) for record in computed.records)
        return not any(row is not None and stated_in(question, f"{row.shown} {row.around}") for row in rows)

    def _read(self, question: Question, notes: Notes, cancel: CancelToken) -> Draft:
        """The path for the kind of question, with what it cost the model."""
        reader = self._reader()
        draft = self._path(question, reader, notes, cancel)
        if isinstance(reader, ModelReader):
            notes.tokens_read += reader.usage.read
            notes.tokens_written += reader.usage.written
        return draft

    def _path(self, question: Question, reader: Reader, notes: Notes, cancel: CancelToken) -> Draft:
        """Overview, comparison, hop, and what one passage answers last."""
        sources = self._sources
        if Piece.AGENT in self._without:
            return answer_directly(question, sources, reader, notes, cancel, self._records)
        if wants_overview(question):
            return answer_overview(question, sources, notes, cancel, reader.name)
        plan = planned(question, sources)
        if plan is not None:
            hopped = Chain(sources, reader, notes, cancel).answer(plan)
            if hopped is not None:
                return hopped
        subjects = subjects_of(question, resolve(question, sources.documents()), sources)
        draft = None
        if wants_comparison(question, subjects) and not leads_on(question):
            draft = answer_comparison(question, subjects, sources, reader, notes, cancel)
        if draft is None and wants_hop(question):
            draft = answer_over_hop(question, sources, reader, notes, cancel, lambda sub: self._computed(sub, notes))
        return draft or answer_directly(question, sources, reader, notes, cancel, self._records)

    def _uncertain(self, question: Question, found: ComputedAnswer | None, notes: Notes) -> Draft:
        """What is asked of all parts of a kind and no record answers surely is answered by no sentence about one."""
        told = () if found is None else found.caveats if found.rows else (found.text, *found.caveats)
        reason = " ".join(told)
        notes.step(Step("not mentioned", question.text, (), reason))
        return not_mentioned(reason, COMPUTED)

    def _from_records(self, question: Question) -> ComputedAnswer | None:
        if self._records is None:
            return None
        documents = self._sources.documents()
        return answer_from_records(question.text, self._records, documents, page_text=self._first_page)

    def _sure(self, question: Question, found: ComputedAnswer | None) -> ComputedAnswer | None:
        """What the parameter records answer surely, or with a few values that differ in their conditions."""
        if found is None or found.confidence < SURE or found.alternatives > _ALTERNATIVES:
            return None
        # A comparison's answer is one of the parts named; a value that the question itself states answers nothing.
        value = found.form == Form.VALUE and len(found.parts) == 1
        if value and (only_repeats(question, found.short) or self._of_another(question, found)):
            return None
        return found

    def _of_another(self, question: Question, found: ComputedAnswer) -> bool:
        """Whether a value is of another kind than the one the question names last, a temperature where it says time, or
        of a signal that its document has not."""
        if lacks_value(question, found.short):
            return True
        named = asked_phrase(question.folded)
        if named and names_a_kind(named[-1]) and of_another_kind(question, quantity_of(found.short)):
            return True
        rows = " ".join(f"{record.parameter} {record.symbol} {record.caption}" for record in found.records)
        return unheard(question, {record.document for record in found.records}, rows, self._sources)

    def _worded(self, found: ComputedAnswer, question: str, notes: Notes) -> Draft | None:
        return draft_from_records(
            question, found.short, found.text, found.records, found.caveats, self._sources, notes, found.unprinted,
            tuple((row.text, row.records) for row in found.rows),
        )  # fmt: skip

    def _is_kind(self, kind: str, info: DocumentInfo) -> bool:
        return about_kind(kind, info, self._first_page(info))

    def _first_page(self, info: DocumentInfo) -> str:
        return self._sources.page_text(info.id, 1)

    def _reader(self) -> Reader:
        if self._model is None:
            return QuotedReader(self._sources, self._limits)
        return ModelReader(self._sources, self._model, self._limits, self._without)


def _of_one_page(draft: Draft, computed: ComputedAnswer) -> bool:
    """Whether a draft quotes the one page that every record of a computed answer is printed on."""
    cited = {(citation.document, citation.page) for citation in draft.citations}
    return len(cited) == 1 and cited == {(record.document, record.page) for record in computed.records}
