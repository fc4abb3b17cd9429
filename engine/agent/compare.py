"""Questions that set parts side by side: one reading for each, the comparison by code, in one dimension."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.evidence import gather
from engine.agent.printed import printed
from engine.agent.quantities import find_quantities
from engine.agent.question import Expect, Form, Question, understand
from engine.agent.reading import Reader, Reading
from engine.agent.sides import SPEEDS, Comparison, Side, Valued, alike, difference, equal, gives, mixed, winner
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
    r"higher|larger|bigger|greater|longer|more|wider|later"
)
_LEAST = (
    r"lowest|smallest|least|shortest|minimum|narrowest|lightest|"
    r"lower|smaller|less|shorter|fewer|fewest|narrower|tighter|earlier"
)
_QUICK = r"fastest|quickest|faster|quicker"
_SLOW = r"slowest|slower"
_ORDER = re.compile(rf"\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<quick>{_QUICK})|(?P<slow>{_SLOW}))\b", re.I)
_ATTRIBUTE_END = re.compile(
    r"\b(?:in its|in their|on its|on their|according|in the|of the (?:two|three|four)|do(?:es)?|ha(?:s|ve))\b|[?,;:]",
    re.I,
)
_MARGIN = re.compile(
    r"\bby how (?:much|many|large)\b|\bhow (?:much|many) (?:\w+ )?(?:more|less|fewer|higher|lower|larger|smaller|"
    r"longer|shorter|faster|slower|tighter|better|worse)\b|\bdifference\b|\bby what (?:margin|amount)\b"
    r"|\bhow far apart\b",
    re.I,
)
_MARGIN_CLAUSE = re.compile(r",?(?: and)? by (?:how (?:much|many)|what margin)(?: \w+)?(?=[?.,]|$)", re.I)
_ASKS_WHICH = re.compile(r"\b(?:which|whose|who|rank|order|sort)\b", re.I)
_LIMIT_WORD = re.compile(r"(?:max|min)imum", re.I)
_COMPARATIVE = re.compile(r"\w+er|more|less", re.I)
_COUNTING = re.compile(r"more|most|fewer|fewest", re.I)
_ASKS_MARGIN = re.compile(r"^(?:by )?how (?:much|many)\b|^what is the difference\b|^how far apart\b", re.I)
_LEAST_CHANCE = 0.12
"""Probability from which a reading may stand for its side; the answer is then partial."""
_PER_SIDE = 5
"""Readings kept for each subject, of which those are chosen that speak of the same thing."""
_FILLER = "differ different differently two three both respectively rate rates rated rating same other another"
_WHICH_ONE = re.compile(
    r"\bwhich (?:one|of (?:the|these|them|those)|(?:data ?)?sheet|part|device|schematic|document|note)\b"
    r"|^(?:of|between)\b",
    re.I,
)


def comparison_of(question: Question, subjects: Sequence[Subject]) -> Comparison:
    """Read the attribute and the order out of a question, and the question to be put for one subject."""
    order = _order_of(question)
    base = understand(_asked_once(question, [subject.name for subject in subjects]))
    attribute = _asked_attribute(question, order) or base
    makers = content_terms(" ".join(re.findall(r"\b[A-Z][a-z]{3,}\b", question.folded)))
    dropped = _order_words() | set(question.years) | (set(makers) & question.proper)
    dimensions = attribute.dimensions or base.dimensions or question.dimensions
    speed = (order.group("quick") and "quick") or (order.group("slow") and "slow") or "" if order else ""
    open_speed = "" if dimensions else speed
    dimensions = SPEEDS if open_speed else dimensions
    sub = replace(
        base,
        terms=tuple(t for t in base.terms if t not in dropped),
        dimensions=dimensions,
        expect=Expect.QUANTITY if dimensions else attribute.expect,
        sections=question.sections,
        limit=base.limit if base.limit and base.limit == attribute.limit else _stated_limit(question.folded),
        years=(),
    )
    margin = bool(_MARGIN.search(question.folded))
    return Comparison(_attribute(question, order), _wins(order, dimensions), sub, margin, open_speed)


def _asked_attribute(question: Question, order: re.Match[str] | None) -> Question | None:
    """The attribute as a question of its own; "more interrupt sources" is a count unless it names a quantity."""
    words = _attribute(question, order)
    if not words or order is None:
        return None
    asked = understand(f"What is the {words}?")
    counts = _COUNTING.fullmatch(order.group()) is not None and not asked.dimensions
    return understand(f"How many {words} are there?") if counts else asked


def _stated_limit(text: str) -> str:
    """A limit named outright; "highest" in a comparison says who wins, not which limit is meant."""
    match = re.search(r"\b(?:(max|maximum|worst-case)|(min|minimum|guaranteed)|(typ|typical|typically))\b", text, re.I)
    return ("max", "min", "typ")[(match.lastindex or 1) - 1] if match else ""


def _asked_once(question: Question, names: Sequence[str]) -> str:
    """The question for the first subject alone: "of A and B, which ..., and by how much?" without B and the margin."""
    text = _MARGIN_CLAUSE.sub("", question.folded)
    places = sorted((text.find(name), name) for name in names if name in text)
    for _, name in places[1:]:
        text = _mention(name).sub(" ", text, count=1)
    return re.sub(r"\s+([,?.])", r"\1", re.sub(r"\s{2,}", " ", text))


def _mention(name: str) -> re.Pattern[str]:
    """A subject with the words that set it beside the one before."""
    joint = r"(?:,? ?\b(?:and|or|versus|vs\.?|than|against|compared (?:with|to)|over)\b)?"
    fillers = r"(?: (?:that|those|of|in|on|for|the|its|plain|by|at|with|which))*"
    return re.compile(rf"{joint}{fillers} ?{re.escape(name)}(?:'s)?(?: (?:data ?)?sheet)?", re.I)


def _order_words() -> frozenset[str]:
    return frozenset(content_terms(" ".join((_MOST, _LEAST, _QUICK, _SLOW, _FILLER)).replace("|", " ")))


def _attribute(question: Question, order: re.Match[str] | None) -> str:
    if order is None:
        return ""
    rest = question.folded[order.end() :].strip()
    end = _ATTRIBUTE_END.search(rest)
    attribute = (rest[: end.start()] if end and end.start() > 0 else "" if end else rest).strip(" ?.,")
    return "" if attribute.casefold().startswith(("than ", "the ", "or ")) else attribute


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
    places = {subject.name: question.folded.find(subject.name) for subject in subjects}
    first = min((name for name, place in places.items() if place >= 0), key=places.__getitem__, default="")
    found = []
    for subject in subjects:
        cancel.raise_if_cancelled()
        readings = _read_side(comparison, subject, first or subject.name, sources, reader, cancel)
        used = tuple(dict.fromkeys(one.evidence.unit.segment.id for one in readings[:1]))
        said = f"{comparison.attribute or question.text} - {subject.name}"
        notes.step(Step("retrieve", said, used, "found" if readings else "not found"))
        found.append((subject, readings))
    sides = _matched(comparison, [(s, [one for one in all_of if gives(comparison, one)]) for s, all_of in found])
    if not sides and comparison.wins and not comparison.sub.terms:
        return not_mentioned("The question names no property by which the two can be compared.", reader.name)
    if not sides:
        return None
    comparison = comparison.settled(sides)
    return _compose(question, comparison, subjects, sides, sources, reader, notes)


def _read_side(
    comparison: Comparison,
    subject: Subject,
    first: str,
    sources: Sources,
    reader: Reader,
    cancel: CancelToken,
) -> list[Reading]:
    """What may answer for one subject, the likeliest first. Half a chance is enough: the sides bear each other out."""
    named = subject.name if any(c.isdigit() for c in subject.name) and not subject.name.isdigit() else ""
    text = comparison.sub.folded.replace(first, subject.name)
    sub = replace(comparison.sub, text=text, folded=text, parts=(named,) if named else ())
    pool = gather(sub, sources, Targets({subject.name: subject.documents}), only_targets=True)
    readings = [one for one in reader.readings(sub, pool, cancel) if one.chance >= _LEAST_CHANCE][:_PER_SIDE]
    chosen = reader.read(sub, pool, cancel) if reader.name != "quoted" else None
    if chosen is not None and chosen.found:
        readings = [chosen, *(one for one in readings if one.evidence.unit is not chosen.evidence.unit)]
    return readings


def _matched(comparison: Comparison, found: Sequence[tuple[Subject, list[Reading]]]) -> list[Side]:
    """One reading a subject, so that they are likely and speak of one thing: one dimension, name and limit."""
    options = [[Side(subject, reading) for reading in readings] for subject, readings in found if readings]
    if not options:
        return []
    best = max(product(*options), key=lambda sides: _fitting(comparison, sides))
    return list(best)


def _fitting(comparison: Comparison, sides: Sequence[Side]) -> float:
    total = sum(math.log(max(side.reading.chance, 1e-3)) for side in sides)
    for one, other in pairwise(sides):
        left, right = one.reading, other.reading
        if left.quantity is None or right.quantity is None:
            total -= 1.0 if comparison.wins or comparison.margin else 0.0
            continue
        total -= 2.0 if left.quantity.dimension != right.quantity.dimension else 0.0
        total -= 1.5 if one.limit != other.limit else 0.0
        names = left.evidence.unit.forms, right.evidence.unit.forms
        total += len(names[0] & names[1]) / max(1, len(names[0] | names[1]))
        total -= 1.5 if left.evidence.unit == right.evidence.unit and left.short == right.short else 0.0
    return total


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
    quoted = [_side_sentence(side, citations) for side in sides]
    missing = [s.name for s in subjects if all(side.subject is not s for side in sides)]
    warnings = [f"Nothing was found for {name}." for name in missing]
    short = "; ".join(f"{side.subject.name}: {side.reading.short}" for side in sides)
    units = [(side.name, side.reading.evidence.unit) for side in sides]
    kindred = alike([(name, unit.segment.document, unit.text) for name, unit in units])
    found = verdict(question, comparison, sides) if kindred else None
    sentences = list(quoted)
    if found is not None:
        short = found[0]
        numbers = tuple(dict.fromkeys(n for sentence in quoted for n in sentence.citations))
        sentences.insert(0, Sentence(found[1], all(s.verified for s in quoted), numbers))
        warnings += mixed(sides)
    elif comparison.wins and len(sides) > 1:
        warnings.append("The values found cannot be compared: they are of different kinds.")
    if found is None and len(sides) > 1 and len({(unit.text, side.short) for (_, unit), side in zip(units, sides)}) < 2:
        return not_mentioned("What was found does not tell them apart.", reader.name)
    if comparison.wins and found is None and len(sides) < 2:
        return not_mentioned(" ".join(warnings), reader.name)
    for sentence in sentences:
        notes.sentence(sentence, citations.pick)
    notes.step(Step("compare", comparison.attribute or question.text, (), short))
    unasked = not (comparison.wins or comparison.margin or question.form is Form.YES_NO)
    settled = found is not None or (unasked and all(_to_the_point(comparison, side) for side in sides))
    whole = not missing and settled and all(side.reading.sufficient == 1.0 for side in sides)
    status = AnswerStatus.ANSWERED if whole else AnswerStatus.PARTIAL
    coverage = "" if not missing else f"{len(sides)} of {len(subjects)} parts found"
    return Draft(status, short, tuple(sentences), citations.all, reader.name, coverage, tuple(warnings))


def _to_the_point(comparison: Comparison, side: Side) -> bool:
    """Whether a side gives a value where one is asked for, and not merely a passage."""
    valued = comparison.sub.expect in (Expect.QUANTITY, Expect.NUMBER, Expect.HEX)
    return not valued or side.reading.short != side.reading.evidence.unit.shown


def verdict(question: Question, comparison: Comparison, sides: Sequence[Valued]) -> tuple[str, str] | None:
    """The short answer and the sentence that code makes of the sides; None where nothing is to be compared."""
    if not comparison.wins and not comparison.margin:
        return None
    listed = ", ".join(f"{side.name} {side.short}" for side in sides)
    best = winner(comparison, sides)
    if best is None and equal(comparison, sides):
        return f"the same: {sides[0].short}", f"Both have the same {comparison.attribute or 'value'}: {listed}."
    apart = difference(comparison, sides) if comparison.margin else ""
    if best is None:
        return (apart, f"The difference is {apart}: {listed}.") if apart else None
    order = _order_text(question)
    article = "" if _COUNTING.fullmatch(order) else "the "
    text = f"{best.name} has {article}{order} {comparison.attribute or 'value'}: {listed}"
    text += f"; the difference is {apart}." if apart else "."
    bare = _ASKS_MARGIN.match(question.folded) is not None and bool(apart)
    return (apart if bare else f"{best.name}, by {apart}" if apart else best.name), text


def _order_text(question: Question) -> str:
    order = _order_of(question)
    return order.group().lower() if order else ""


def _order_of(question: Question) -> re.Match[str] | None:
    """The word that sets the order. A comparative goes first: beside "tighter", "maximum" only names a limit."""
    found = list(_ORDER.finditer(question.folded))
    if not _ASKS_WHICH.search(question.folded):  # "what maximum low time do A and B give?" orders nothing
        found = [one for one in found if not _LIMIT_WORD.fullmatch(one.group())]
    return next((one for one in found if _COMPARATIVE.fullmatch(one.group())), found[0] if found else None)


def _side_sentence(side: Side, citations: Citations) -> Sentence:
    unit = side.reading.evidence.unit
    number = citations.cite(unit)
    text = f"{side.subject.name}: {side.reading.short} \u2014 {unit.shown}"
    verdict = check_sentence(text, [citations.page_text(number)], side.subject.name, unit.texts)
    return Sentence(text, verdict.verified, (number,))


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
    holder = ranked[0]
    citations = Citations(sources)
    segment = sources.segments_of(holder.documents[0])[0]
    page = next(iter(best.values()))
    number = citations.cite_page(segment, page, ", ".join(best))
    sentence = Sentence(f"{holder.name}: its document shows {', '.join(best)}.", True, (number,))
    notes.sentence(sentence, citations.pick)
    return Draft(AnswerStatus.ANSWERED, holder.name, (sentence,), citations.all, reader.name)


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
        or _MARGIN.search(question.folded)
        or coordinated(question, subjects)
        or question.plural
        or re.search(
            r"\bwhich (?:one|of|data ?sheet|part|device|sheet)\b|\band (?:that|those) of\b|\bdiffer",
            question.folded,
            re.I,
        )
        or len(re.findall(r"\b(?:what|which|how|up to what)\b", question.folded, re.I)) >= 2
    )
