"""Serves the ask and search views: asks, searches, saves, fetches models."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from PySide6.QtCore import QObject

from desktop.bridge.engine_bridge import EngineBridge
from desktop.bridge.lanes import Lane
from desktop.bridge.operation import Operation
from desktop.bridge.ops import pages, questions, upkeep
from desktop.bridge.ops.upkeep import ModelChoice
from desktop.views.answer_card import AnswerCard
from desktop.views.ask_view import AskView
from desktop.views.search_view import SearchView
from engine.core.errors import KnownError, SheafError
from engine.core.results import Answer, Hit, Route, SearchResult

_HITS = 20
_HISTORY = 20
_STRIP_ZOOM = 2.0


class QuestionDesk(QObject):
    """One question at a time, the next ones wait in turn; a search supersedes the one before."""

    def __init__(self, bridge: EngineBridge, ask: AskView, search: SearchView) -> None:
        super().__init__()
        self._bridge, self._ask, self._search = bridge, ask, search
        self._library = ""
        self._thread = ""
        self._asking: Operation[Answer] | None = None
        self._waiting: deque[tuple[str, AnswerCard]] = deque()
        self._cutting: Operation[bytes] | None = None
        self._searching: Operation[SearchResult] | None = None
        ask.asked.connect(self.ask)
        ask.cancel_wanted.connect(self.cancel)
        ask.thread_wanted.connect(self._begin_thread)
        ask.model_wanted.connect(self._fetch)
        search.searched.connect(self.search)
        search.like_wanted.connect(self.search_like)

    @property
    def busy(self) -> bool:
        return self._asking is not None

    def set_library(self, name: str) -> None:
        self.cancel()
        if self._cutting is not None:
            self._cutting.cancel()
        self._library, self._thread = name, ""
        self._ask.show_library(name)
        self._search.clear()
        if name:
            self._bridge.start(Lane.READER, questions.list_answers(name).success(self._show_history))

        else:
            self._ask.show_history(())

    def _show_history(self, answers: list[Answer]) -> None:
        if not self.busy:
            self._ask.show_history(list(reversed(answers[:_HISTORY])))

    # --- questions ----------------------------------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        if not self._library:
            return
        card = self._ask.begin(question)
        if self.busy:
            card.show_waiting()
            self._waiting.append((question, card))
        else:
            self._start(question, card)

    def _start(self, question: str, card: AnswerCard) -> None:
        model = self._ask.model
        operation = questions.ask(self._library, question, model=model, quoted=model is None, thread=self._thread)
        operation.progress(card.show_event).success(lambda answer: self._answered(card, answer))
        operation.failure(lambda error: card.show_failure(in_words(error))).cancelled(card.show_cancelled)
        operation.ended(self._ask_ended)
        self._asking = self._bridge.start(Lane.MODEL, operation)

    def _answered(self, card: AnswerCard, answer: Answer) -> None:
        card.show_answer(answer)
        self._thread = answer.id
        self._ask.show_thread()
        if (doubted := card.doubted) is not None:
            self._cutting = self._bridge.start(
                Lane.READER, pages.crop_citation(self._library, doubted, _STRIP_ZOOM).success(card.show_strip)
            )

    def _ask_ended(self) -> None:
        self._asking = None
        if self._waiting:
            self._start(*self._waiting.popleft())
        else:
            self._ask.set_busy(False)

    def _begin_thread(self) -> None:
        self._thread = ""

    def cancel(self) -> None:
        """Stop the question under way and those that wait for it."""
        for _, card in self._waiting:
            card.show_cancelled()
        self._waiting.clear()
        if self._asking is not None:
            self._asking.cancel()

    def save(self, answer_id: str, format: str, path: Path) -> None:
        self._bridge.start(Lane.READER, questions.export_answer(answer_id, format, path))

    # --- search -------------------------------------------------------------------------------------------------------

    def search(self, query: str, route: Route) -> None:
        if not self._library:
            return
        filters = self._search.filters
        self._start_search(
            questions.search(
                self._library, query, k=_HITS, route=route, chosen=filters.chosen, document=filters.document
            )
        )

    def search_like(self, hit: Hit) -> None:
        """More like this, within the same filters."""
        filters = self._search.filters
        self._start_search(
            questions.like(self._library, hit.segment.id, k=_HITS, chosen=filters.chosen, document=filters.document)
        )

    def _start_search(self, operation: Operation[SearchResult]) -> None:
        if self._searching is not None:
            self._searching.cancel()
        operation.success(self._search.show_result)
        operation.failure(lambda error: self._search.show_failure(in_words(error)))
        self._searching = self._bridge.start(Lane.READER, operation)

    # --- models -------------------------------------------------------------------------------------------------------

    def load_models(self, *, offer: bool) -> None:
        operation = upkeep.list_models()
        operation.success(lambda models: self._show_models(models, offer))
        self._bridge.start(Lane.READER, operation)

    def _show_models(self, models: list[ModelChoice], offer: bool) -> None:
        self._ask.show_models(models, offer=offer)

    def _fetch(self, model: str) -> None:
        operation = upkeep.fetch_model(model).progress(self._ask.show_fetch)
        operation.success(lambda _: self.load_models(offer=False))
        operation.failure(lambda error: self._ask.show_fetch_failed(in_words(error)))
        self._bridge.start(Lane.UPKEEP, operation)


def in_words(error: SheafError) -> str:
    """What happened and what to do, in one or two sentences."""
    if isinstance(error, KnownError):
        return f"{error.message} {error.help}".strip()
    return f"This is a fault in Sheaf: {error}"
