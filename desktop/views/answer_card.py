"""One question and its answer, growing sentence by sentence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop.widgets.basics import ElidedButton, button, clear, label
from desktop.widgets.strip import Strip
from engine.core.events import Event, SentenceVerified, StepTaken
from engine.core.results import Answer, AnswerStatus, Citation, Sentence

_STATUS = {
    AnswerStatus.ANSWERED: "",
    AnswerStatus.PARTIAL: "The documents answer only part of this.",
    AnswerStatus.NOT_MENTIONED: "The documents do not say.",
}


_CHIPS_BESIDE = 3
"""More citations than this stand below their sentence."""
_CHIPS_A_ROW = 12
_SOURCES_SHOWN = 6


class AnswerCard(QFrame):
    """Emits `citation_chosen` (Citation) and `save_wanted` (answer id, format)."""

    citation_chosen = Signal(object)
    save_wanted = Signal(str, str)

    def __init__(self, question: str) -> None:
        super().__init__()
        self.setObjectName("card")
        self.question = question
        self.answer: Answer | None = None
        self._citations: dict[int, Citation] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.setSpacing(8)
        column.addWidget(label(question, "question", wrap=True, selectable=True))
        self._body = QVBoxLayout()
        self._body.setSpacing(6)
        column.addLayout(self._body)
        self._state = label("Searching…", "quiet", wrap=True)
        column.addWidget(self._state)
        self._look = button("Show the page", flat=True, tip="Open the page this answer should be checked against")
        self._look.clicked.connect(self._open_doubted)
        self._look.hide()
        column.addWidget(self._look, 0, Qt.AlignmentFlag.AlignLeft)
        self._strip = Strip()
        self._strip.clicked.connect(self._open_doubted)
        column.addWidget(self._strip)
        self._sources = QVBoxLayout()
        self._sources.setSpacing(2)
        column.addLayout(self._sources)
        self._foot = QHBoxLayout()
        column.addLayout(self._foot)

    # --- while it is being answered -----------------------------------------------------------------------------------

    def show_event(self, event: Event) -> None:
        if isinstance(event, StepTaken):
            self._state.setText(f"{event.step.action.replace('_', ' ').capitalize()}: {event.step.query}")
        elif isinstance(event, SentenceVerified):
            self._citations.update({one.n: one for one in event.citations})
            self._add_sentence(event.sentence)

    def show_waiting(self) -> None:
        self._state.setText("Waiting for the question before it.")

    def show_cancelled(self) -> None:
        self._state.setObjectName("quiet")
        self._state.setText("Stopped.")

    def show_failure(self, message: str) -> None:
        self._state.setObjectName("problem")
        self._state.setText(message)
        self._restyle(self._state)

    # --- when it is done ----------------------------------------------------------------------------------------------

    def show_answer(self, answer: Answer) -> None:
        self.answer = answer
        self._citations = {one.n: one for one in answer.citations}
        clear(self._body)
        for sentence in answer.sentences:
            self._add_sentence(sentence)
        if not answer.sentences:
            self._body.addWidget(label(answer.text, wrap=True, selectable=True))
        notes = [_STATUS[answer.status] if answer.sentences else "", answer.coverage, *answer.warnings]
        told = "\n".join(note for note in notes if note)
        self._state.setVisible(bool(told))
        self._state.setObjectName("doubt" if answer.status is AnswerStatus.PARTIAL or answer.warnings else "quiet")
        self._state.setText(told)
        self._restyle(self._state)
        self._look.setVisible(self.doubted is not None)
        self._show_sources(answer)
        self._show_foot(answer)

    @property
    def doubted(self) -> Citation | None:
        """Where the user should look: the first place an answer rests on that is unverified or comes with a warning."""
        if self.answer is None:
            return None
        unsure = [n for one in self.answer.sentences if not one.verified for n in one.citations]
        if not unsure and self.answer.warnings:
            unsure = [one.n for one in self.answer.citations]
        return next((self._citations[n] for n in unsure if n in self._citations), None)

    def show_strip(self, png: bytes) -> None:
        """Show the piece of the page that :attr:`doubted` stands on."""
        self._strip.show_image(png)

    def _open_doubted(self) -> None:
        if (one := self.doubted) is not None:
            self.citation_chosen.emit(one)

    def _add_sentence(self, sentence: Sentence) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(label(sentence.text, "answer", wrap=True, selectable=True), 1)
        if not sentence.verified:
            row.addWidget(label("not verified", "doubt"), 0, Qt.AlignmentFlag.AlignTop)
        if len(sentence.citations) <= _CHIPS_BESIDE:
            for n in sentence.citations:
                row.addWidget(self._chip(n), 0, Qt.AlignmentFlag.AlignTop)
            self._body.addWidget(line)
            return
        self._body.addWidget(line)
        below = QWidget()
        grid = QGridLayout(below)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for place, n in enumerate(sentence.citations):
            grid.addWidget(self._chip(n), place // _CHIPS_A_ROW, place % _CHIPS_A_ROW)
        grid.setColumnStretch(_CHIPS_A_ROW, 1)
        self._body.addWidget(below)

    def _chip(self, n: int) -> QWidget:
        made = button(str(n), chip=True)
        one = self._citations.get(n)
        if one is not None:
            made.setToolTip(f"{one.place.file}, page {one.page}\n“{one.quote}”")
            made.setAccessibleName(f"Citation {n}: {one.place.file}, page {one.page}")
        made.clicked.connect(lambda: self._choose(n))
        return made

    def _choose(self, n: int) -> None:
        if n in self._citations:
            self.citation_chosen.emit(self._citations[n])

    def _show_sources(self, answer: Answer) -> None:
        clear(self._sources)
        hidden: list[QWidget] = []
        for position, one in enumerate(answer.citations):
            path = f" · {' › '.join(one.path)}" if one.path else ""
            made = ElidedButton(f"[{one.n}]  {one.place.file}, page {one.page}{path}", tip=f"“{one.quote}”")
            made.clicked.connect(lambda _=False, n=one.n: self._choose(n))
            self._sources.addWidget(made)
            if position >= _SOURCES_SHOWN:
                made.hide()
                hidden.append(made)
        if hidden:
            more = button(f"Show {len(hidden)} more", flat=True)
            more.clicked.connect(lambda: self._show_all(hidden, more))
            self._sources.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    @staticmethod
    def _show_all(hidden: list[QWidget], more: QWidget) -> None:
        for made in hidden:
            made.show()
        more.hide()

    def _show_foot(self, answer: Answer) -> None:
        model = {"quoted": "quoted from the documents", "computed": "computed from the tables"}.get(answer.model)
        self._foot.addWidget(label(f"{model or answer.model}, {answer.seconds:.2f} s", "quiet"))
        self._foot.addStretch(1)
        copy = button("Copy", flat=True, tip="Copy the answer with its citations")
        copy.clicked.connect(self.copy)
        save = button("Save…", flat=True, tip="Save the answer with its citations")
        menu = QMenu(save)
        for title, name in (("Markdown", "md"), ("JSON", "json")):
            menu.addAction(title).triggered.connect(lambda _=False, name=name: self.save_wanted.emit(answer.id, name))
        save.setProperty("menu", True)
        save.setMenu(menu)
        for made in (copy, save):
            self._foot.addWidget(made)

    def copy(self) -> None:
        if self.answer is not None:
            QGuiApplication.clipboard().setText(with_citations(self.answer))

    def _restyle(self, widget: QWidget) -> None:
        """Object names decide the style; Qt looks at them again only when asked."""
        self.style().unpolish(widget)
        self.style().polish(widget)


def with_citations(answer: Answer) -> str:
    """The answer as plain text, numbered citations below."""
    lines = [answer.question, ""]
    for sentence in answer.sentences:
        lines.append(sentence.text + "".join(f" [{n}]" for n in sentence.citations))
    if not answer.sentences:
        lines.append(answer.text)
    lines.append("")
    for one in answer.citations:
        path = f", {' > '.join(one.path)}" if one.path else ""
        lines.append(f"[{one.n}] {one.place.file}, page {one.page}{path}: “{one.quote}”")
    return "\n".join(lines).strip()
