"""Reading with the local model: few short passages in, one short span out, checked before it counts."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from engine.agent.bounds import under_other_values
from engine.agent.budget import fit
from engine.agent.evidence import Evidence, Pool
from engine.agent.grammar import extraction
from engine.agent.opinion import Pick, believed
from engine.agent.passages import Passage, listed_in, passages_of, stands_in
from engine.agent.quantities import find_quantities, quantity_of
from engine.agent.question import Expect, Question, only_repeats
from engine.agent.reading import QuotedReader, Reading, reading_of
from engine.agent.sources import Sources
from engine.agent.spans import Span, find_span, fits_dimension, limit_of
from engine.agent.sufficient import Thresholds
from engine.agent.switches import Piece
from engine.agent.terms import canonical, tokens
from engine.agent.units import Unit
from engine.agent.verify import stands_in_unit
from engine.core.cancel import CancelToken
from engine.core.ports import Completion, LanguageModel, Message
from engine.core.text import fold, fold_case
from engine.prompts import load

_PASSAGE_TOKENS = 260
_ANSWER_TOKENS = 70
_ANSWER = '"answer": "'
_NOTHING = ("not mentioned", "none", "unknown", "n/a", "not stated", "not specified")


@dataclass(slots=True)
class Usage:
    """Tokens read and written for one question."""

    read: int = 0
    written: int = 0
    turns: int = 0

    def add(self, done: Completion) -> None:
        self.read += done.prompt_tokens
        self.written += done.completion_tokens
        self.turns += 1


@dataclass(frozen=True, slots=True)
class Said:
    """A passage (0-based), the answer taken from it, and how sure the model was that there is one, and of its words."""

    passage: int
    answer: str
    found: float
    worded: float


class ModelReader:
    """Reads with a language model; what it says must stand in the passage it names, else code decides."""

    def __init__(
        self,
        sources: Sources,
        model: LanguageModel,
        limits: Thresholds | None = None,
        without: Collection[Piece] = (),
    ) -> None:
        self._sources = sources
        self._model = model
        self._without = frozenset(without)
        self._limits = limits or Thresholds()
        self._quoted = QuotedReader(sources, self._limits)
        self.usage = Usage()
        self.picked: Pick | None = None
        """The last pick that stood in its passage, believed or not."""
        self.dropped = ""
        """"3 sentences and rows left out" where the budget cut some."""

    @property
    def name(self) -> str:
        return self._model.model_id

    def read(self, question: Question, pool: Pool, cancel: CancelToken) -> Reading | None:
        """The model is asked only where code is neither sure nor hopeless."""
        readings = self._quoted.readings(question, pool, cancel)
        if not readings:
            return None
        quoted = readings[0]
        if quoted.trust < self._limits.gate and quoted.chance < self._limits.hopeful:
            return replace(quoted, sufficient=0.0)
        if quoted.certain or quoted.trust >= self._limits.plain:
            return quoted
        chosen = self._passages(question, pool, readings)
        said = self._ask(question.text, [passage.line for passage in chosen], cancel)
        reading = None if said is None else self._reading(question, pool, quoted, chosen, said)
        if reading is not None and Piece.VERIFICATION in self._without:
            return reading
        return self._decided(quoted, said, reading)

    def _decided(self, quoted: Reading, said: Said | None, reading: Reading | None) -> Reading:
        """The model's pick where it is believed, else what code says if the model says it too or code is nearly sure,
        else nothing.

        Of 7 answers of code to known questions that an unsure model read otherwise, 1 was right, and 2 had none; all 3
        were right that it gave in a form which does not stand in the passage.
        """
        if said is None:
            return replace(quoted, sufficient=0.0)
        if reading is not None:
            agreed = _same(reading, quoted)
            self.picked = Pick(said.answer, said.found, said.worded, reading.chance, reading.evidence.coverage, agreed)
            if believed(self.picked):
                return replace(reading, sufficient=1.0)
        told = Reading(said.answer, quoted.evidence, 1.0, quantity_of(said.answer))
        stays = _same(told, quoted) or quoted.trust >= self._limits.contested
        return quoted if stays else replace(quoted, sufficient=0.0)

    def readings(self, question: Question, pool: Pool, cancel: CancelToken) -> list[Reading]:
        return self._quoted.readings(question, pool, cancel)

    def _passages(self, question: Question, pool: Pool, readings: Sequence[Reading]) -> list[Passage]:
        quoted = readings[0]
        good = [one for one in readings if not one.evidence.wrong_part and one.evidence.conditions >= 0] or [quoted]
        if quoted.sufficient == 1.0 and quoted.evidence.unit.segment.document in pool.targets:
            good = [one for one in good if one.evidence.unit.segment.document in pool.targets]
        if question.sections and quoted.sufficient == 1.0:
            good = [one for one in good if one.evidence.in_section] or good
        chosen, left_out = passages_of([quoted, *good], _PASSAGE_TOKENS, self._model.count_tokens)
        self.dropped = f"{left_out} sentences and rows left out" if left_out else ""
        return chosen

    def extract(self, asked: str, units: Sequence[Unit], cancel: CancelToken) -> tuple[str, Unit] | None:
        """See Reader: the answer must stand in the sentence it names."""
        lines = [f"{unit.segment.title[:60]}: {unit.shown}" for unit in units]
        kept = fit(lines, _PASSAGE_TOKENS, self._model.count_tokens) if lines else 0
        said = self._ask(asked, lines[:kept], cancel) if kept else None
        if said is None or not stands_in_unit(said.answer, units[said.passage].shown, units[said.passage].texts):
            return None
        return said.answer, units[said.passage]

    def _ask(self, asked: str, lines: Sequence[str], cancel: CancelToken) -> Said | None:
        """What the model picked, None for "not found"."""
        passages = "\n".join(f"[{n}] {line}" for n, line in enumerate(lines, 1))
        done = self._model.complete(
            [*load("extract"), Message("user", f"{passages}\nQuestion: {asked}")],
            grammar=None if Piece.GRAMMAR in self._without else extraction(len(lines)),
            max_tokens=_ANSWER_TOKENS,
            cancel=cancel,
        )
        self.usage.add(done)
        said = parse(done.text, len(lines))
        return None if said is None else Said(*said, *how_sure(done))

    def _reading(
        self,
        question: Question,
        pool: Pool,
        quoted: Reading,
        chosen: Sequence[Passage],
        said: Said,
    ) -> Reading | None:
        """Accept an answer only where it stands in a passage, best the one named, and is of the kind asked for."""
        answer, named = said.answer, chosen[said.passage]
        if Piece.VERIFICATION in self._without:
            return Reading(answer, named.readings[0].evidence, 1.0, quantity_of(answer), self.name)
        if repeats_value(question, answer):
            return None
        home = _home(answer, named, quoted, chosen)
        if home is None:
            worded = ((one, listed_in(answer, one) or counted_in(question, answer, one)) for one in named.readings)
            home, answer = next(((one, words) for one, words in worded if words), (None, answer))
        if home is None or home.evidence.wrong_part or under_other_values(question, home.evidence):
            return None
        answer = completed(answer, home.evidence.unit.shown)
        if home is not quoted and lacks_limit(question, quoted.evidence.unit, home.evidence.unit):
            return None
        by_code = find_span(question, pool, home.evidence)
        if self._overruled(question, home.evidence, answer, by_code):
            given = None if by_code is None else by_code.quantity
            if by_code is None or given is None or not fits_dimension(given.dimension, question.dimensions):
                return None
            return replace(
                reading_of(question, home.evidence, by_code, home.chance, self._limits, home.trust), by=self.name
            )
        return Reading(answer, home.evidence, 1.0, quantity_of(answer), self.name, chance=home.chance, trust=home.trust)

    def _overruled(self, question: Question, home: Evidence, answer: str, by_code: Span | None) -> bool:
        """Whether code knows better: a value of another kind than asked, or from under another limit of the row."""
        if question.expect is not Expect.QUANTITY or not question.dimensions:
            return False
        there = find_quantities(fold(answer))
        if not any(fits_dimension(q.dimension, question.dimensions) for q in there):
            # "100 x 16" is a size, too: what is without a unit is of no other kind.
            return bool(there) or not any(c.isdigit() for c in answer)
        limited = question.limit and home.unit.is_row and any(limit_of(head) for head, _ in home.unit.cells)
        if not limited or by_code is None or by_code.quantity is None:
            return False
        return not any(q.same(by_code.quantity) for q in there)


def parse(text: str, passages: int) -> tuple[int, str] | None:
    """{"found": true, "passage": n, "answer": "..."} -> (n - 1, answer).

    None for "not found" and for everything that is not of the form: unfinished, no JSON, a passage that was not sent.
    """
    try:
        said = json.loads(text)
    except json.JSONDecodeError:
        return None
    if not isinstance(said, dict) or said.get("found") is not True:
        return None
    number, answer = said.get("passage"), said.get("answer")
    if not isinstance(number, int) or not 1 <= number <= passages or not isinstance(answer, str):
        return None
    answer = answer.strip()
    return (number - 1, answer) if answer and fold_case(answer) not in _NOTHING else None


def how_sure(done: Completion) -> tuple[float, float]:
    """How probable to the model itself, 0..1, were that there is an answer, and the words of the answer: the least
    probable of its figures, or the mean of all its tokens (geometric) where it has none.

    Which passage it names, with which words it begins and where it ends do not count: a small model miscounts, and
    "256", "256 bytes" and "the top 256 bytes" all answer. One that does not tell is as sure of both as of all it said.
    """
    written = ""
    found: float | None = None
    words: list[tuple[str, float]] = []
    for token, chance in done.tokens:
        if found is None and token.strip() in ("true", "false"):
            found = chance
        if _ANSWER in written and '"' not in token:
            words.append((token, chance))
        written += token
    if found is None or not words:
        return done.confidence, done.confidence
    figures = [chance for token, chance in words if any(c.isdigit() for c in token)]
    return found, min(figures) if figures else math.prod(chance for _, chance in words) ** (1 / len(words))


def _home(answer: str, named: Passage, quoted: Reading, chosen: Sequence[Passage]) -> Reading | None:
    """Where an answer stands: in the passage named, else in any, for a small model often miscounts the passages."""
    home = named.home(answer) or (quoted if stands_in(answer, quoted) else None)
    return home or next((one for passage in chosen if (one := passage.home(answer)) is not None), None)


def _same(one: Reading, other: Reading) -> bool:
    """Whether two readings give the same value or the same words."""
    if one.quantity is not None and other.quantity is not None:
        return one.quantity.same(other.quantity)
    first, second = ("".join(fold_case(reading.short).split()) for reading in (one, other))
    return first in second or second in first


def lacks_limit(question: Question, first: Unit, home: Unit) -> bool:
    """Whether the likeliest passage says that its value is the limit asked for, and the one an answer stands in does
    not, nor its headings and the sentence before it."""
    stated = bool(question.limit) and question.limit in limit_of(first.shown)
    return stated and question.limit not in limit_of(f"{home.around} {home.shown}")


def repeats_value(question: Question, answer: str) -> bool:
    """Whether an answer is a value that the question states itself: "more reliable than 115200" asks for another."""
    return any(c.isdigit() for c in answer) and " or " not in question.folded and only_repeats(question, answer)


def counted_in(question: Question, answer: str, reading: Reading) -> str:
    """The number of an answer that says with it what the question counts: "16 bits" where a row has 16 under "bits
    wide"; "" where it has other words or the number does not stand in the reading."""
    number, _, counted = answer.partition(" ")
    asked = {canonical(token) for token in tokens(question.folded)}
    told = [canonical(token) for token in tokens(counted)]
    known = number[:1].isdigit() and bool(told) and all(word in asked for word in told)
    return number if known and stands_in(number, reading) else ""


def completed(answer: str, passage: str) -> str:
    """A bare number gets the unit printed behind it: "50" in "... 50 ksps max" becomes "50 ksps"."""
    folded = fold(answer)
    if not folded.replace(",", "").replace(".", "").lstrip("+-\u00b1").isdigit():
        return answer
    for quantity in find_quantities(fold(passage)):
        if quantity.text.startswith(folded) and not quantity.text[len(folded) : len(folded) + 1].isdigit():
            return quantity.text
    return answer
