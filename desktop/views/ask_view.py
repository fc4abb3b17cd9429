"""The middle: the question box and the answers so far."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from desktop.bridge.ops.upkeep import ModelChoice
from desktop.views.answer_card import AnswerCard
from desktop.widgets.basics import button, frame, label
from engine.core.events import Event, FetchProgress
from engine.core.results import Answer, Citation
from engine.core.text import spoken_time

QUOTED = "quoted"
_EMPTY = "Ask a question, and the answer comes with the pages that say so."
_WELCOME = (
    "Sheaf answers questions from your own folders of datasheets and names the page each answer stands on. Everything "
    "stays on this machine.\n\nChoose a folder, or drop one anywhere on this window. The documents stay where they are."
)


class AskView(QWidget):
    """Emits `asked` (question), `thread_wanted` (a new one), `cancel_wanted`, `citation_chosen`, `save_wanted` and
    `model_wanted` (model id)."""

    asked = Signal(str)
    thread_wanted = Signal()
    cancel_wanted = Signal()
    citation_chosen = Signal(object)
    save_wanted = Signal(str, str)
    model_wanted = Signal(str)
    folder_wanted = Signal()
    sample_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._cards: list[AnswerCard] = []
        self._box = QLineEdit()
        self._box.setPlaceholderText("Ask about your documents, for example: maximum supply voltage of the SHA90?")
        self._box.setAccessibleName("Question")
        self._box.returnPressed.connect(self._submit)
        self._ask = button("Ask", primary=True, tip="Ask (Enter)")
        self._ask.clicked.connect(self._submit)
        self._stop = button("Stop", tip="Stop answering (Esc)")
        self._stop.clicked.connect(self.cancel_wanted)
        self._stop.hide()
        self._new_thread = button("New thread", flat=True, tip="The next question does not follow up on the last one")
        self._new_thread.clicked.connect(self._begin_thread)
        self._new_thread.hide()
        self._answerer = QComboBox()
        self._answerer.setAccessibleName("Who answers")
        self._answerer.addItem("Quote the documents", QUOTED)
        self._wanted = ""
        self._offer_label = label("", wrap=True)
        self._offer_button = button("Fetch model", primary=True)
        self._later = button("Not now", flat=True)
        self._offer = self._make_offer()
        self._empty = label(_EMPTY, "quiet", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._welcome = self._make_welcome()
        self._column = QVBoxLayout()
        self._scroll = QScrollArea()
        self._lay_out()

    def _make_offer(self) -> QWidget:
        banner, column = frame("banner", margin=10)
        column.addWidget(self._offer_label)
        row = QHBoxLayout()
        row.addStretch(1)
        self._offer_button.clicked.connect(self._accept_offer)
        self._later.clicked.connect(banner.hide)
        row.addWidget(self._later)
        row.addWidget(self._offer_button)
        column.addLayout(row)
        banner.hide()
        return banner

    def _make_welcome(self) -> QWidget:
        welcome, column = frame("card", margin=24, spacing=12)
        column.addWidget(label("Welcome to Sheaf", "title"))
        column.addWidget(label(_WELCOME, wrap=True))
        row = QHBoxLayout()
        add = button("Add a folder…", primary=True)
        add.clicked.connect(self.folder_wanted)
        sample = button("Open the sample library", tip="Datasheets of made-up parts that come with Sheaf")
        sample.clicked.connect(self.sample_wanted)
        row.addWidget(add)
        row.addWidget(sample)
        row.addStretch(1)
        column.addLayout(row)
        welcome.hide()
        return welcome

    def _lay_out(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(6, 6, 6, 12)
        outer.setSpacing(10)
        outer.addWidget(self._offer)
        holder = QWidget()
        self._column = QVBoxLayout(holder)
        self._column.setContentsMargins(2, 2, 8, 2)
        self._column.setSpacing(10)
        self._column.addWidget(self._welcome)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(holder)
        outer.addWidget(self._scroll, 1)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout()
        row.addWidget(self._box, 1)
        row.addWidget(self._ask)
        row.addWidget(self._stop)
        outer.addLayout(row)
        choice = QHBoxLayout()
        choice.addWidget(label("Answered by", "quiet"))
        choice.addWidget(self._answerer)
        choice.addStretch(1)
        choice.addWidget(self._new_thread)
        outer.addLayout(choice)

    # --- asking -------------------------------------------------------------------------------------------------------

    @property
    def model(self) -> str | None:
        """The chosen model id, or None for quoting."""
        chosen = self._answerer.currentData()
        return None if chosen == QUOTED else str(chosen)

    def show_library(self, name: str) -> None:
        """Questions need a library; without one the view says how to get it."""
        self._welcome.setVisible(not name)
        self._empty.setVisible(bool(name) and not self._cards)
        self._box.setEnabled(bool(name))
        self._ask.setEnabled(bool(name))

    def choose_quoting(self) -> None:
        """Answer without a model."""
        self._answerer.setCurrentIndex(self._answerer.findData(QUOTED))

    def focus(self) -> None:
        self._box.setFocus()
        self._box.selectAll()

    def _submit(self) -> None:
        question = self._box.text().strip()
        if question:
            self.asked.emit(question)

    def _begin_thread(self) -> None:
        self.thread_wanted.emit()
        self._new_thread.hide()
        self._box.setFocus()

    def show_thread(self) -> None:
        """The next question follows up on the last; the user may begin anew."""
        self._new_thread.show()

    def begin(self, question: str) -> AnswerCard:
        """A new card for a question that has just been asked."""
        card = self._add_card(question)
        self._box.clear()
        self.set_busy(True)
        QTimer.singleShot(0, self, self._scroll_down)
        return card

    def set_busy(self, busy: bool) -> None:
        self._stop.setVisible(busy)
        self._box.setFocus()

    def show_history(self, answers: Sequence[Answer]) -> None:
        """Cards of earlier answers, oldest first."""
        for card in self._cards:
            card.hide()
            card.deleteLater()
        self._cards = []
        for answer in answers:
            self._add_card(answer.question).show_answer(answer)
        self._empty.setVisible(not answers and self._welcome.isHidden())
        QTimer.singleShot(0, self, self._scroll_down)

    def _add_card(self, question: str) -> AnswerCard:
        card = AnswerCard(question)
        card.citation_chosen.connect(self.citation_chosen)
        card.save_wanted.connect(self.save_wanted)
        self._cards.append(card)
        self._empty.hide()
        self._column.insertWidget(self._column.count() - 1, card)
        return card

    def last_citation(self) -> Citation | None:
        for card in reversed(self._cards):
            if card.answer is not None and card.answer.citations:
                return card.answer.citations[0]
        return None

    def _scroll_down(self) -> None:
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.maximum())

    # --- models -------------------------------------------------------------------------------------------------------

    def show_models(self, models: Sequence[ModelChoice], *, offer: bool) -> None:
        """Offer the answering models that are here; where there is none, offer to fetch the standard one."""
        answering = [one for one in models if one.role == "answering"]
        before = self._answerer.currentData()
        self._answerer.clear()
        for one in answering:
            if one.here:
                self._answerer.addItem(one.title, one.id)
        self._answerer.addItem("Quote the documents", QUOTED)
        index = self._answerer.findData(before)
        self._answerer.setCurrentIndex(index if index >= 0 and before != QUOTED else 0)
        missing = [one for one in answering if not one.here]
        if offer and missing and len(missing) == len(answering):
            self._wanted = missing[0].id
            self._offer_label.setText(
                f"Answers are quoted from the documents now. A local model can word them: {missing[0].title}, "
                f"{missing[0].megabytes:,} MB, {missing[0].licence}. It is fetched once and stays on this machine."
            )
            self._offer.show()
        elif not missing or len(missing) < len(answering):
            self._offer.hide()

    def _accept_offer(self) -> None:
        self._offer_button.hide()
        self._later.hide()
        self._offer_label.setText("Fetching the model…")
        self.model_wanted.emit(self._wanted)

    def show_fetch(self, event: Event) -> None:
        if isinstance(event, FetchProgress):
            left = "" if event.seconds_left is None else f", about {spoken_time(event.seconds_left)} left"
            done, total = event.done_bytes / 1e6, event.total_bytes / 1e6
            speed = event.bytes_per_second / 1e6
            self._offer_label.setText(f"Fetching the model: {done:,.0f} of {total:,.0f} MB, {speed:.1f} MB/s{left}")

    def show_fetch_failed(self, message: str) -> None:
        self._offer_label.setText(message)
        self._offer_button.show()
        self._later.show()
