"""What an answerer hands to the composer, and the ways of saying that nothing was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from engine.core.events import Emit, SentenceVerified, StepTaken
from engine.core.results import AnswerStatus, Citation, Sentence, Step

NOT_MENTIONED = "Not mentioned"


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole answer but for its identity and time. `model` is a model id, "quoted" or "computed"."""

    status: AnswerStatus
    short: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    model: str
    coverage: str = ""
    warnings: tuple[str, ...] = ()
    separator: str = " "
    """Between sentences; a line break where they are items of a list."""

    @property
    def text(self) -> str:
        return self.separator.join(sentence.text for sentence in self.sentences)


@dataclass(slots=True)
class Notes:
    """The steps of one question as they happen: each is kept and told to whoever watches."""

    emit: Emit
    steps: list[Step] = field(default_factory=list)
    tokens_read: int = 0
    tokens_written: int = 0

    def step(self, step: Step) -> None:
        self.steps.append(step)
        self.emit(StepTaken(step))

    def sentence(self, sentence: Sentence, pick: Callable[[tuple[int, ...]], tuple[Citation, ...]]) -> Sentence:
        self.emit(SentenceVerified(sentence, pick(sentence.citations)))
        return sentence


def status_of(sentences: Iterable[Sentence]) -> AnswerStatus:
    """An answer is whole where every sentence stands on the page it cites."""
    return AnswerStatus.ANSWERED if all(one.verified for one in sentences) else AnswerStatus.PARTIAL


def not_mentioned(reason: str, model: str, warnings: tuple[str, ...] = (), coverage: str = "") -> Draft:
    """ "Not mentioned." and, where something is known about why, a sentence that says so."""
    sentences = [Sentence(f"{NOT_MENTIONED}.", True, ())]
    if reason:
        sentences.append(Sentence(reason, True, ()))
    return Draft(AnswerStatus.NOT_MENTIONED, NOT_MENTIONED, tuple(sentences), (), model, coverage, warnings)
