"""Events that long work emits: frozen, cheap, safe to hand to another thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.core.results import Answer, Citation, Sentence, Step


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """State of an index run. `done` never falls during a run; `total` may grow as files appear."""

    stage: str
    file: str
    page: int
    done: int
    total: int
    pages_done: int = 0
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class DocumentIndexed:
    """The document's new generation is visible: it can be searched from now on."""

    file: str
    segments: int


@dataclass(frozen=True, slots=True)
class DocumentFailed:
    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class FetchProgress:
    model: str
    file: str
    done_bytes: int
    total_bytes: int
    bytes_per_second: float
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class StepTaken:
    step: Step


@dataclass(frozen=True, slots=True)
class SentenceVerified:
    """A sentence that has passed verification, with the citations it needs."""

    sentence: Sentence
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class AnswerFinished:
    answer: Answer


@dataclass(frozen=True, slots=True)
class AbstractsWorded:
    """How far a stretch of the idle queue has come: abstracts worded, failed and left, seconds spent of its budget."""

    worded: int
    failed: int
    left: int
    seconds: float
    budget: float
    waiting: bool = False
    """It holds still for a question, on battery or because it was paused."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Something the user should know of background work: a folder that is away, a share without events, a repair."""

    text: str


Event = (
    IndexProgress
    | DocumentIndexed
    | DocumentFailed
    | FetchProgress
    | StepTaken
    | SentenceVerified
    | AnswerFinished
    | AbstractsWorded
    | Noted
)
Emit = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """An `Emit` for callers who do not watch."""
