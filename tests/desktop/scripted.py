"""An engine that plays a script: as slow, as talkative or as broken as a test wants it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.errors import UsageError
from engine.core.events import AbstractsWorded, DocumentIndexed, Emit, IndexProgress, SentenceVerified, StepTaken
from engine.core.ids import DocumentId, SegmentId
from engine.core.lexicon import Synonym
from engine.core.model import Box, PageBox, PageInfo, Segment, SegmentKind
from engine.core.results import (
    Answer,
    AnswerStatus,
    Citation,
    DocumentInfo,
    DocumentStatus,
    FileProblem,
    Forecast,
    Hit,
    IndexReport,
    Library,
    Place,
    SearchFilter,
    SearchResult,
    Sentence,
    Step,
)
from engine.core.settings import Settings
from engine.parameters.results import CompareTable, FindResult, ResultRow, ValueCell
from engine.refine import RefineReport

SHEET, SCAN = DocumentId("a" * 64), DocumentId("b" * 64)
CITATION = Citation(
    1, SHEET, None, Place("/lib", "power/X317.pdf"), 3, "iii", ("Limits",), "junction temperature 125 °C", "X317"
)
NEEDS = "needs OCR: pages 1–2"
SENTENCES = (
    Sentence("The maximum junction temperature of the X317 is 125 °C.", True, (1,)),
    Sentence("It is rated for 1.5 A.", False, (1,)),
)
# A picture of one white pixel: what is on the page does not matter to the window.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63f80f0001010100b138f6140000000049454e44ae426082"
)


def value(number: float, *, kind: str = "max", doubts: tuple[str, ...] = (), page: int = 2) -> ValueCell:
    """A cell of a comparison, in µA at 5 V."""
    return ValueCell(
        f"{number:g}", "µA", kind, ("VS = 5 V",), "power/X317.pdf", page, Box(10, 20, 30, 40), 0.4 if doubts else 0.95,
        "Supply current (IS)", "characteristics", number * 1e-6, number * 1e-6, "A", doubts,
        f"r{number:g}", number == 1,
    )  # fmt: skip


ROWS = (
    ResultRow(SHEET, "X317 regulator", "X317", ((value(9),), ())),
    ResultRow(SHEET, "X318 regulator", "X318", ((value(50, kind="typ"), value(100)), (value(1),))),
    ResultRow(SHEET, "X319 regulator", "X319", ((value(12, doubts=("the value may belong to another column",)),), ())),
)


class ScriptedLexicon:
    """Synonyms in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, list[tuple[str, str]]] = {"": [("Iq", "quiescent current")]}

    def synonyms(self, library: str) -> list[Synonym]:
        return [Synonym(term, meaning, library) for term, meaning in self.kept.get(library, [])]

    def keep(self, pairs: Sequence[tuple[str, str]], library: str = "") -> None:
        self.kept[library] = list(pairs)


class ScriptedEngine:
    """Implements what the window asks of the engine. Every call notes its thread."""

    def __init__(self) -> None:
        self.threads: set[str] = set()
        self.asked: list[tuple[str, bool, str]] = []
        self.amended: list[tuple[str, object]] = []
        self.compared: list[tuple[tuple[str, ...], tuple[str, ...], str]] = []
        self.found: list[tuple[str, str]] = []
        self.searched: list[tuple[str, SearchFilter]] = []
        self.clips: list[Box] = []
        self.warnings: tuple[str, ...] = ()
        self.exported: list[tuple[str, str, Path]] = []
        self.retried: list[DocumentId] = []
        self.holds: list[str] = []
        self.looked: list[tuple[str, tuple[DocumentId, ...]]] = []
        self.status = DocumentStatus.INDEXED
        self.budgets: list[float] = []
        self.abstracts_left = 1442
        self.abstracts_wait = False
        self.kept_settings = Settings({})
        self.lexicon = ScriptedLexicon()
        self.fault: Exception | None = None
        self.hold = threading.Event()
        self.held = False
        self.closed = False
        self.kept: list[Library] = [Library("parts", (Path("/lib"),), Path("/home"))]

    def _note(self) -> None:
        self.threads.add(threading.current_thread().name)
        if self.fault is not None:
            raise self.fault

    @property
    def models(self) -> SimpleNamespace:
        missing = SimpleNamespace(
            id="qwen",
            title="Qwen",
            role="answering",
            licence="Apache-2.0",
            size_bytes=10**9,
            state=SimpleNamespace(value="missing"),
        )
        return SimpleNamespace(list=lambda: [missing])

    def libraries(self) -> list[Library]:
        self._note()
        return list(self.kept)

    def add_library(self, name: str, folders: Sequence[Path]) -> Library:
        self._note()
        self.kept.append(Library(name, tuple(folders), Path("/home")))
        return self.kept[-1]

    def remove_library(self, name: str) -> None:
        self._note()
        self.kept = [one for one in self.kept if one.name != name]

    def documents(self, _name: str) -> list[DocumentInfo]:
        self._note()
        return [
            DocumentInfo(SHEET, "X317 regulator", "pdf", self.status, (CITATION.place,), 4, 20),
            DocumentInfo(
                SCAN,
                "",
                "pdf",
                DocumentStatus.NEEDS_OCR,
                (Place("/lib", "scan.pdf"),),
                2,
                0,
                "needs OCR: pages 1–2",
                (1, 2),
            ),
        ]

    def index(self, _name: str, *, emit: Emit, cancel: CancelToken) -> IndexReport:
        self._note()
        for done in range(200):
            emit(IndexProgress("embed", "power/X317.pdf", 3, done, 200))
        emit(DocumentIndexed("power/X317.pdf", 20))
        problem = (FileProblem("scan.pdf", NEEDS),)
        return IndexReport(2, 6, 20, 2, 0, 0, 0, problem, (), (), 0.1)

    def refine(self, _name: str, *, seconds: float, emit: Emit, cancel: CancelToken) -> RefineReport:
        """Word an abstract every 10 ms, of `abstracts_left`; hold still while `abstracts_wait`."""
        self._note()
        self.budgets.append(seconds)
        worded = 0
        while self.abstracts_left and not cancel.wait(0.01):
            if not self.abstracts_wait:
                self.abstracts_left, worded = self.abstracts_left - 1, worded + 1
            emit(AbstractsWorded(worded, 0, self.abstracts_left, 6.0 * worded, seconds, self.abstracts_wait))
        cancel.raise_if_cancelled()
        return RefineReport(worded, 0, self.abstracts_left, 6.0 * worded)

    def retry_failed(self, _name: str, documents: Sequence[DocumentId]) -> int:
        self._note()
        self.retried.extend(documents)
        return len(documents)

    def pause(self) -> None:
        self.holds.append("pause")

    def resume(self) -> None:
        self.holds.append("resume")

    def forecast(self, _name: str, changes: Mapping[str, object]) -> Forecast:
        self._note()
        return Forecast(12, 340, 0, 90.0) if "index.exclude" not in changes else Forecast(0, 0, 0, 0.0, 7)

    def look_at(self, _name: str, documents: Sequence[DocumentId], *, listed: bool = False) -> None:
        self._note()
        self.looked.append(("listed" if listed else "chosen", tuple(documents)))

    def settings(self) -> Settings:
        self._note()
        return self.kept_settings

    def set_setting(self, key: str, value: object) -> Settings:
        self._note()
        self.kept_settings = self.kept_settings.with_value(key, value)
        return self.kept_settings

    def watch(self, _name: str, *, emit: Emit, cancel: CancelToken) -> None:
        self._note()
        cancel.wait(60)

    def ask(self, _name: str, question: str, *, emit: Emit, cancel: CancelToken, **how: Any) -> Answer:
        self._note()
        self.asked.append((question, how["quoted"], how["thread"]))
        emit(StepTaken(Step("retrieve", question)))
        emit(SentenceVerified(SENTENCES[0], (CITATION,)))
        if self.held:
            while not self.hold.is_set():
                cancel.raise_if_cancelled()
                self.hold.wait(0.01)
        return Answer(
            id=f"id{len(self.asked)}",
            library="parts",
            question=question,
            text=" ".join(sentence.text for sentence in SENTENCES),
            short="125 °C",
            status=AnswerStatus.ANSWERED,
            sentences=SENTENCES,
            citations=(CITATION,),
            steps=(),
            coverage="8 of 13 passages used",
            warnings=self.warnings,
            model="quoted",
            seconds=0.1,
            created="2026-01-01T00:00:00+00:00",
        )

    def answers(self, _name: str) -> list[Answer]:
        self._note()
        return []

    def tree_picture(self, _name: str, *, by: str = "document", outline: bool = False) -> str:
        shape = "rect" if outline else "circle"
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>{by} {shape}</title></svg>'

    def documents_called(self, _name: str, wanted: Sequence[str]) -> tuple[DocumentId, ...]:
        if wanted != ["X317"]:
            raise UsageError(f"No document is called {wanted[0]}.")
        return (SHEET,)

    def like(self, name: str, segment: SegmentId, *, k: int, chosen: SearchFilter) -> SearchResult:
        return self.search(name, f"like {segment}", k=k, chosen=chosen)

    def search(self, _name: str, query: str, *, chosen: SearchFilter, **_options: object) -> SearchResult:
        self._note()
        self.searched.append((query, chosen))
        segment = Segment(
            SegmentId("s"), SHEET, 0, SegmentKind.TEXT, "X317", ("Limits",), "Some text", "", 3, (3,),
            boxes=(PageBox(3, Box(10, 10, 50, 20)),),
        )  # fmt: skip
        return SearchResult(query, (Hit(1, 1.0, segment, (CITATION.place,)),))

    def compare(self, _name: str, parameters: Sequence[str], *, documents: Sequence[str], about: str) -> CompareTable:
        self._note()
        self.compared.append((tuple(parameters), tuple(documents), about))
        return CompareTable(tuple(parameters), ROWS)

    def find(self, _name: str, expression: str, *, about: str) -> FindResult:
        self._note()
        self.found.append((expression, about))
        rows = tuple(replace(row, cells=row.cells[:1]) for row in ROWS)
        return FindResult(expression, (expression,), rows[:1], (replace(rows[2], note="look"),), 3, 12)

    def corrections(self, _name: str) -> SimpleNamespace:
        def correct(record: str, amended: object) -> None:
            self._note()
            self.amended.append((record, amended))

        def withdraw(record: str) -> int:
            self._note()
            self.amended.append((record, None))
            return 1

        return SimpleNamespace(correct=correct, withdraw=withdraw)

    def write_text(self, path: Path, text: str) -> None:
        self._note()
        Engine.write_text(path, text)

    def export(self, answer_id: str, format: str, path: Path) -> None:
        self._note()
        self.exported.append((answer_id, format, path))

    def page(self, _name: str, _document: DocumentId, number: int) -> PageInfo | None:
        self._note()
        return PageInfo(number, "iii", 612, 792, "text") if number <= 4 else None

    def page_image(self, *_what: object, clip: Box | None = None, **_how: object) -> bytes:
        self._note()
        if clip is not None:
            self.clips.append(clip)
        return PNG

    def locate(self, *_what: object) -> tuple[PageBox, ...]:
        self._note()
        return (PageBox(3, Box(100, 200, 300, 212)),)

    def close(self) -> None:
        self.closed = True
