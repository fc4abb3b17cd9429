"""A question that one passage can answer: read the evidence, verify, cite."""

from __future__ import annotations

from dataclasses import replace

from engine.agent.bounds import out_of_bounds
from engine.agent.cell_answers import answer_by_cell
from engine.agent.choices import answer_choice
from engine.agent.claims import answer_claim
from engine.agent.compose import draft_of, withheld
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.evidence import Pool, gather, make_pool, rank
from engine.agent.parts import named_in
from engine.agent.question import Expect, Form, Question
from engine.agent.reading import Reader
from engine.agent.sources import Sources
from engine.agent.spans import find_span
from engine.agent.targets import Targets, resolve
from engine.agent.units import Unit
from engine.agent.window import window
from engine.core.cancel import CancelToken
from engine.core.ports import RecordIndex
from engine.core.results import Step

_VALUES = (Expect.QUANTITY, Expect.NUMBER, Expect.HEX)
"""What stands in one sentence or row; every other answer may need the sentences beside it."""
_WIDER = 20
_TELLING = 0.8
"""Coverage from which a passage of another document is worth naming."""


def answer_directly(
    question: Question,
    sources: Sources,
    reader: Reader,
    notes: Notes,
    cancel: CancelToken,
    records: RecordIndex | None = None,
) -> Draft:
    """One retrieval, one reading. Steps: the retrieval, then the answer or that nothing was found."""
    targets = resolve(question, sources.documents())
    unknown = missing_subject(targets)
    pool = mentioning(question, sources, unknown) if unknown else gather(question, sources, targets)
    if unknown and not pool.units:
        cell = answer_by_cell(question, sources, targets, notes, reader.name)
        if cell is not None:
            return cell
        notes.step(Step("retrieve", question.text, (), f"no document is about {unknown}"))
        return not_mentioned(f"No document here is about {unknown}.", reader.name)
    cancel.raise_if_cancelled()
    if question.options:
        chosen = answer_choice(question, reader.readings(question, pool, cancel), pool, sources, notes, reader.name)
        if chosen is not None:
            return chosen
    claim = question.form in (Form.YES_NO, Form.TRUE_FALSE) and not question.offers
    readings = reader.readings(question, pool, cancel) if claim else []
    reading = next(iter(readings), None) if claim else reader.read(question, pool, cancel)
    used = (reading.evidence.unit.segment.id,) if reading is not None else ()
    notes.step(Step("retrieve", question.text, used, f"{len(pool.units)} sentences and rows read"))
    known = bool(reading is not None and reading.found and not question.options)
    if not known or (reading is not None and not claim and not reading.evidence.unit.is_row and not reading.certain):
        # Running text is no rival to a cell that a code of the question and its header point at.
        cell = answer_by_cell(question, sources, targets, notes, reader.name, sure=known)
        if cell is not None:
            return cell
    if reading is None or not known:
        notes.step(Step("not mentioned", question.text, used))
        return withheld(elsewhere(question, targets, sources), reading, sources, notes, reader.name)
    strays = out_of_bounds(question, reading, sources, records)
    if strays:
        notes.step(Step("not mentioned", question.text, used, strays))
        return not_mentioned("", reader.name)
    if claim:
        return answer_claim(question, readings, sources, notes)
    notes.step(Step("answer", question.text, used, reading.by))
    beside = window(question, pool, reading.evidence.unit) if question.expect not in _VALUES else ((), ())
    return draft_of(question, reading, sources, notes, beside=beside)


def mentioning(question: Question, sources: Sources, part: str) -> Pool:
    """Where no document is about a part: only the sentences and rows that name it themselves."""
    hits = sources.search(question.text, _WIDER).hits
    pool = make_pool(question, [hit.segment for hit in hits], {hit.segment.id: hit.rank for hit in hits})
    return replace(pool, units=tuple(unit for unit in pool.units if _names(unit, part)))


def _names(unit: Unit, part: str) -> bool:
    """Whether a row itself, or the passage a sentence stands in, names a part."""
    segment = unit.segment
    said = unit.shown if unit.is_row else f"{' '.join(segment.path)} {segment.text}"
    return named_in(part, said)


def elsewhere(question: Question, targets: Targets, sources: Sources) -> str:
    """Say where a look-alike speaks of it, so that nobody takes its value: "A has it, B does not"."""
    if not targets.documents or len(targets.named) != 1:
        return ""
    part = next(iter(targets.named))
    pool = make_pool(question, [h.segment for h in sources.search(question.text, _WIDER).hits], {})
    for evidence in rank(question, pool, 3):
        segment = evidence.unit.segment
        span = find_span(question, pool, evidence)
        if segment.document in targets.documents or span is None or evidence.coverage < _TELLING or pool.absent:
            continue
        return f"{segment.title} (page {segment.page}) speaks of it, the documents about {part} do not."
    return ""


def missing_subject(targets: Targets) -> str:
    """The part a question is about when no document is about it, and none of its other parts is known; else ""."""
    return targets.unknown[0] if targets.unknown and not targets.named else ""
