"""Questions that set parts side by side: one reading for each, the comparison by code, in one dimension."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.evidence import gather
from engine.agent.printed import printed
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Expect, Form, Question, understand
from engine.agent.reading import Reader, Reading
from engine.agent.sources import Sources
from engine.agent.subjects import Subject, coordinated
from engine.agent.targets import Targets
from engine.agent.terms import content_terms
from engine.agent.verify import check_sentence, stands
from engine.core.cancel import CancelToken
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold

_MOST = (
    r"highest|largest|biggest|greatest|longest|most|maximum|widest|heaviest|"
    r"higher|larger|bigger|greater|longer|more|wider"
)
_LEAST = r"lowest|smallest|least|shortest|minimum|narrowest|lightest|lower|smaller|less|shorter|fewer|fewest|narrower"
_QUICK = r"fastest|quickest|faster|quicker"
_SLOW = r"slowest|slower"
_ORDER = re.compile(rf"\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<quick>{_QUICK})|(?P<slow>{_SLOW}))\b", re.I)
_ATTRIBUTE_END = re.compile(
    r"\b(?:in its|in their|on its|on their|according|in the|of the (?:two|three|four)|do(?:es)?|ha(?:s|ve))\b|[?,;:]",
    re.I,
)
_SECOND_CLAUSE = re.compile(r",? and (?:[\w-]+ ){0,4}?(?:that|those) of\b")
_FILLER = "differ different differently two three both respectively rate rates rated rating same other another"
_WHICH_ONE = re.compile(
    r"\bwhich (?:one|of (?:the|these|them|those)|(?:data ?)?sheet|part|device|schematic|document|note)\b"
    r"|^(?:of|between)\b",
    re.I,
)
_SIDE_BY_SIDE = re.compile(
    r"\bwhich (?:one|of|data ?sheet|part|device|sheet)\b|\band (?:that|those) of\b|\bdiffer", re.I
)
_KIND = re.compile(r"\b(min|typ|max|minimum|typical|maximum|typically)\b|<|>|less than|up to|at least", re.I)


@dataclass(frozen=True, slots=True)
class Side:
    """One subject with what was read for it."""

    subject: Subject
    reading: Reading


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared: the attribute in words, and whether the most or the least wins ("" if only listed)."""

    attribute: str
    wins: str
    sub: Question


def comparison_of(question: Question, subjects: Sequence[Subject]) -> Comparison:
    """Read the attribute and the order out of a question; the sub-question asks for it of one subject."""
    order = _ORDER.search(question.folded)
    attribute = _attribute(question, order)
    base = understand(f"What is the {attribute}?" if attribute else _first_clause(question.folded))
    names = {subject.name for subject in subjects}
    makers = content_terms(" ".join(re.findall(r"\b[A-Z][a-z]{3,}\b", question.folded)))
    dropped = _order_words() | set(question.years) | (set(makers) & question.proper)
    dimensions = base.dimensions or question.dimensions
    sub = replace(
        base,
        terms=tuple(t for t in base.terms if t not in dropped),
        parts=tuple(p for p in base.parts if p not in names),
        dimensions=dimensions,
        expect=Expect.QUANTITY if dimensions else base.expect,
        sections=question.sections,
        years=(),
    )
    return Comparison(attribute, _wins(order, dimensions), sub)


def _first_clause(text: str) -> str:
    """ "Up to what frequency does A work, and up to what frequency that of B?" -> the clause about A."""
    return _SECOND_CLAUSE.split(text)[0]


def _order_words() -> frozenset[str]:
    return frozenset(content_terms(" ".join((_MOST, _LEAST, _QUICK, _SLOW, _FILLER)).replace("|", " ")))


def _attribute(question: Question, order: re.Match[str] | None) -> str:
    if order is None:
        return ""
    rest = question.folded[order.end() :].strip()
    end = _ATTRIBUTE_END.search(rest)
    attribute = (rest[: end.start()] if end and end.start() > 0 else "" if end else rest).strip(" ?.,")
    if not attribute:
        return ""
    return attribute


def _wins(order: re.Match[str] | None, dimensions: frozenset[str]) -> str:
    if order is None:
        return ""
    timed = "time" in dimensions
    if order.group("quick"):
        return "least" if timed else "most"
    if order.group("slow"):
        return "most" if timed else "least"
    return "most" if order.group("most") else "least"


def answer_comparison(
    question: Question,
    subjects: Sequence[Subject],
    sources: Sources,
    reader: Reader,
    notes: Notes,
    cancel: CancelToken,
) -> Draft | None:
    """Compare by code; None where the question is no comparison of one attribute after all."""
    comparison = comparison_of(question, subjects)
    whiches = re.findall(r"\bwhich\b", question.folded, re.I)
    if not comparison.wins and len(whiches) == 1 and _WHICH_ONE.search(question.folded):
        return _presence(question, subjects, sources, reader, notes)
    sides = []
    for subject in subjects:
        cancel.raise_if_cancelled()
        reading = _read_side(question, comparison, subject, subjects, sources, reader, cancel)
        used = (reading.evidence.unit.segment.id,) if reading is not None else ()
        said = f"{comparison.attribute or question.text} - {subject.name}"
        notes.step(Step("retrieve", said, used, "found" if reading is not None and reading.found else "not found"))
        if reading is not None and reading.found:
            sides.append(Side(subject, reading))
    if not sides:
        return None
    return _compose(question, comparison, subjects, sides, sources, reader, notes)


def _read_side(
    question: Question,
    comparison: Comparison,
    subject: Subject,
    subjects: Sequence[Subject],
    sources: Sources,
    reader: Reader,
    cancel: CancelToken,
) -> Reading | None:
    named = subject.name if not subject.name.isdigit() else ""
    names = [one.name for one in subjects]
    if comparison.attribute:
        text = f"What is the {comparison.attribute}{f' of the {named}' if named else ''}?"
    else:
        text = _asked_of(question, named or subject.name, names)
    parts = (named,) if named and any(c.isdigit() for c in named) else ()
    sub = replace(comparison.sub, text=text, folded=fold(text), parts=parts)
    pool = gather(sub, sources, Targets({subject.name: subject.documents}), only_targets=True)
    return reader.read(sub, pool, cancel)


def _asked_of(question: Question, named: str, names: Sequence[str]) -> str:
    """The question put for one subject: "... have the A and the B?" becomes "... have the A?"."""
    places = [question.folded.find(name) for name in names]
    if min(places) >= 0 and coordinated(question, [Subject(name, ()) for name in names]):
        end = max(place + len(name) for place, name in zip(places, names))
        return f"{question.folded[: min(places)]}{named}{question.folded[end:]}"
    base = _first_clause(question.folded).rstrip("?")
    return f"{base}?" if named in base else f"{base}? Answer for the {named} only."


def _compose(
    question: Question,
    comparison: Comparison,
    subjects: Sequence[Subject],
    sides: Sequence[Side],
    sources: Sources,
    reader: Reader,
    notes: Notes,
) -> Draft:
    citations = Citations(sources)
    sentences = [_side_sentence(side, citations, notes) for side in sides]
    missing = [s.name for s in subjects if all(side.subject is not s for side in sides)]
    warnings = [f"Nothing was found for {name}." for name in missing]
    short = "; ".join(f"{side.subject.name}: {side.reading.short}" for side in sides)
    winner = _winner(comparison, sides)
    if comparison.wins and winner is None and len(sides) > 1:
        warnings.append("The values found cannot be compared: they are of different kinds.")
    if winner is not None:
        short = winner.subject.name
        numbers = tuple(dict.fromkeys(n for sentence in sentences for n in sentence.citations))
        listed = ", ".join(f"{s.subject.name} {s.reading.short}" for s in sides)
        text = f"{winner.subject.name} has the {_order_text(question)} {comparison.attribute}: {listed}."
        sentences.insert(0, notes.sentence(Sentence(text, all(s.verified for s in sentences), numbers), citations.pick))
        warnings += _mixed(sides)
    whole = not missing and all(side.reading.sufficient == 1.0 for side in sides) and (winner or not comparison.wins)
    notes.step(Step("compare", comparison.attribute or question.text, (), short))
    status = AnswerStatus.ANSWERED if whole else AnswerStatus.PARTIAL
    if comparison.wins and winner is None:
        return not_mentioned(" ".join(warnings), reader.name)
    coverage = "" if not missing else f"{len(sides)} of {len(subjects)} parts found"
    return Draft(status, short, tuple(sentences), citations.all, reader.name, coverage, tuple(warnings))


def _order_text(question: Question) -> str:
    order = _ORDER.search(question.folded)
    return order.group().lower() if order else ""


def _side_sentence(side: Side, citations: Citations, notes: Notes) -> Sentence:
    unit = side.reading.evidence.unit
    number = citations.cite(unit)
    text = f"{side.subject.name}: {side.reading.short} \u2014 {unit.shown if unit.is_row else unit.text}"
    verdict = check_sentence(text, [citations.page_text(number)], side.subject.name, unit.texts)
    return notes.sentence(Sentence(text, verdict.verified, (number,)), citations.pick)


def _winner(comparison: Comparison, sides: Sequence[Side]) -> Side | None:
    """The side with the most or least, if all are of one dimension and one stands out."""
    if not comparison.wins or len(sides) < 2:
        return None
    values = [(side, _value(side.reading.quantity, comparison.wins)) for side in sides]
    if any(value is None for _, value in values):
        return None
    dimensions = {side.reading.quantity.dimension for side in sides if side.reading.quantity is not None}
    if len(dimensions) != 1:
        return None
    ordered = sorted(values, key=lambda pair: pair[1] or 0.0, reverse=comparison.wins == "most")
    return ordered[0][0] if ordered[0][1] != ordered[1][1] else None


def _value(quantity: Quantity | None, wins: str) -> float | None:
    if quantity is None:
        return None
    return quantity.high if wins == "most" else quantity.low


def _mixed(sides: Sequence[Side]) -> list[str]:
    """Say so where a typical value is set against a limit."""
    kinds = []
    for side in sides:
        match = _KIND.search(side.reading.evidence.unit.shown)
        kinds.append(match.group().lower()[:3] if match else "")
    known = {kind for kind in kinds if kind}
    if len(known) > 1 and "typ" in known:
        return ["The values compared are not all of one kind (typical values stand against limits)."]
    return []


# --- which one has it -------------------------------------------------------------------------------------------------


def _presence(
    question: Question, subjects: Sequence[Subject], sources: Sources, reader: Reader, notes: Notes
) -> Draft | None:
    """ "Which one uses RP1 and RP2?": the subject whose documents hold the features asked for and the others do not."""
    features = _features(question, subjects)
    if not features:
        return None
    held = {subject.name: _held(features, subject, sources) for subject in subjects}
    ranked = sorted(subjects, key=lambda s: -len(held[s.name]))
    best = held[ranked[0].name]
    notes.step(Step("compare", ", ".join(features), (), "; ".join(f"{n}: {len(h)}" for n, h in held.items())))
    if len(best) < 0.6 * len(features) or len(held[ranked[1].name]) >= len(best):
        return None
    winner = ranked[0]
    citations = Citations(sources)
    segment = sources.segments_of(winner.documents[0])[0]
    page = next(iter(best.values()))
    number = citations.cite_page(segment, page, ", ".join(best))
    sentence = Sentence(f"{winner.name}: its document shows {', '.join(best)}.", True, (number,))
    notes.sentence(sentence, citations.pick)
    return Draft(AnswerStatus.ANSWERED, winner.name, (sentence,), citations.all, reader.name)


def _features(question: Question, subjects: Sequence[Subject]) -> list[str]:
    """The names and values that would tell the sides apart: quantities and identifiers after "which"."""
    asked = question.folded[re.search(r"\bwhich\b", question.folded, re.I).start() :]  # type: ignore[union-attr]
    names = {subject.name for subject in subjects}
    found = [printed(question.text, q.text) for q in find_quantities(asked)]
    found += [w for w in re.findall(r"\b[A-Z]{1,5}[0-9]{1,3}[A-Z]?\b", asked) if w not in names]
    return list(dict.fromkeys(found))


def _held(features: Sequence[str], subject: Subject, sources: Sources) -> dict[str, int]:
    """Features that stand on a page of the subject's documents, with that page."""
    held: dict[str, int] = {}
    infos = {info.id: info for info in sources.documents()}
    for document in subject.documents:
        for page in range(1, infos[document].pages + 1):
            text = fold(sources.page_text(document, page))
            for feature in features:
                if feature not in held and stands(feature, text):
                    held[feature] = page
    return held


def wants_comparison(question: Question, subjects: Sequence[Subject]) -> bool:
    """Whether a question with several subjects asks to set them side by side."""
    if len(subjects) < 2 or question.form is Form.SUMMARY:
        return False
    return bool(
        _ORDER.search(question.folded)
        or coordinated(question, subjects)
        or question.plural
        or re.search(
            r"\bwhich (?:one|of|data ?sheet|part|device|sheet)\b|\band (?:that|those) of\b|\bdiffer",
            question.folded,
            re.I,
        )
        or len(re.findall(r"\b(?:what|which|how|up to what)\b", question.folded, re.I)) >= 2
    )
