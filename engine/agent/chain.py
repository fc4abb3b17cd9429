"""Carrying out a plan: hop from named thing to named thing, then compare by code (Psi-RAG 3.2, Algorithm 3).

Each hop is one retrieval and one short reading. What code can read itself (dates, countries, "directed by X") needs no
model; every hop leaves a step and a quotation with its citation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.cite import Citations
from engine.agent.dates import Date, Dated, Event, date_of
from engine.agent.draft import NOT_MENTIONED, Draft, Notes
from engine.agent.lives import place_of
from engine.agent.places import countries, country_of
from engine.agent.plan import Named, Plan, plan_of
from engine.agent.question import Question
from engine.agent.reading import Reader
from engine.agent.relations import Relation, relation
from engine.agent.sources import Sources
from engine.agent.units import Unit, units_of
from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold_case

_SENTENCES = 6
_LONGEST = 10
"""Words of a value: a whole sentence is no name to hop from."""
_SAID_OF = re.compile(r",? (?:by|and|with) (?:his|her|their)\b|,? (?:who|which|whose|where)\b|,? in [0-9]{3,4}\b|;| \(")
_TITLED = re.compile(r"\s*\([^()]*\)$")
"""What tells a title from others of the same name: "Brian Tse (writer)"."""
_STYLE = re.compile(
    r"^(?:(?:Grand |Arch)?(?:Duke|Duchess|duke|duchess)|Prince(?:ss)?|King|Queen|Sir|Lord|Lady|Dame|Emp(?:eror|ress)|"
    r"Count(?:ess)?|Earl|Baron(?:ess)?|Saint) (?!of\b)"
)
_NEAR = 6
"""Segments retrieved beside the thing's own document."""
_OTHER_WAY = {"father": ("mother", "spouse"), "mother": ("father", "spouse")}
"""Where a parent is not named, the other parent's document may name the spouse."""
_EVENTS = {"birthdate": Event.BIRTH, "deathdate": Event.DEATH}
_PLACES = {"birthplace": Event.BIRTH, "deathplace": Event.DEATH}


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing reached: its name and the documents about it, if the library has any."""

    name: str
    documents: tuple[DocumentId, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The value of one hop, the words said about it, and the unit that says so."""

    value: str
    said: str
    unit: Unit
    by: str = "computed"


def planned(question: Question, sources: Sources) -> Plan | None:
    """The plan of a question about things the library has documents about, None where there is none."""
    if sources.mentions is None or question.parts:
        return None
    return plan_of(question.text, sources.mentions.names_in(question.text))


class Chain:
    """Carries out one plan with one reader."""

    def __init__(self, sources: Sources, reader: Reader, notes: Notes, cancel: CancelToken) -> None:
        self._sources = sources
        self._reader = reader
        self._notes = notes
        self._cancel = cancel
        self._trails: list[list[Found]] = []

    def answer(self, plan: Plan) -> Draft | None:
        """The answer; "not mentioned" with what was found where a chain breaks; None where it never began."""
        self._trails = []
        trails = [self._follow(name, plan.relations) for name in plan.names]
        if any(trail is None for trail in trails):
            return self._broken()
        if plan.order:
            return self._compare(plan, [trail or [] for trail in trails]) or self._broken()
        trail = trails[0]
        return self._worded(trail[-1].value, trail) if trail else None

    def _broken(self) -> Draft | None:
        """Say how far the chain went; None where not even its first hop was found."""
        known = [found for trail in self._trails for found in trail]
        if not known:
            return None
        self._notes.step(Step("not mentioned", known[-1].said))
        citations = Citations(self._sources)
        sentences = [Sentence(f"{NOT_MENTIONED}.", True, ())]
        sentences += [Sentence(f"{found.said}.", True, (citations.cite(found.unit),)) for found in known]
        for sentence in sentences:
            self._notes.sentence(sentence, citations.pick)
        broken = "the chain of documents breaks off"
        return Draft(
            AnswerStatus.NOT_MENTIONED, NOT_MENTIONED, tuple(sentences), citations.all, self._reader.name, broken
        )

    # --- hops -------------------------------------------------------------------------------------------------------

    def _follow(self, name: Named, relations: Sequence[str]) -> list[Found] | None:
        """One trail of findings along the relations; None where it breaks off."""
        thing = Thing(name.text, (name.document,))
        trail: list[Found] = []
        self._trails.append(trail)
        for step in relations:
            found = self._hop(thing, step)
            if found is None:
                return None
            trail += found
            thing = self._thing(trail[-1].value)
        return trail

    def _hop(self, thing: Thing, step: str) -> list[Found] | None:
        found = self._find(thing, relation(step))
        if found is not None:
            return [found]
        if step in _OTHER_WAY:
            other, then = _OTHER_WAY[step]
            first = self._find(thing, relation(other))
            second = self._find(self._thing(first.value), relation(then)) if first is not None else None
            if first is not None and second is not None:
                return [first, second]
        return None

    def _thing(self, name: str) -> Thing:
        matches = self._sources.mentions.names_in(name) if self._sources.mentions is not None else []
        whole = [m.entry.document for m in matches if len(m.text) >= 0.6 * len(name)]
        return Thing(name, tuple(dict.fromkeys(whole or self._styled(name)))[:3])

    def _styled(self, name: str) -> list[DocumentId]:
        """The one document whose title is the name with another style: "Prince Ra'ad bin Zeid" for "Ra'ad bin Zeid"."""
        bare = fold_case(_STYLE.sub("", name))
        titles = ((info.id, _STYLE.sub("", _TITLED.sub("", info.title))) for info in self._sources.documents())
        found = [document for document, title in titles if fold_case(title) == bare]
        return found if len(found) == 1 else []

    def _find(self, thing: Thing, wanted: Relation) -> Found | None:
        """The value of a relation of a thing: stated plainly in its own document, else read from near passages."""
        self._cancel.raise_if_cancelled()
        own = [s for document in thing.documents for s in self._sources.segments_of(document)]
        found = self._by_code(thing, wanted, units_of(own)) or self._said_elsewhere(thing, wanted)
        found = found or self._by_reading(thing, wanted, own)
        used = (found.unit.segment.id,) if found is not None else ()
        self._notes.step(Step("retrieve", wanted.asked_of(thing.name), used, found.value if found else "not found"))
        return found

    def _by_code(self, thing: Thing, wanted: Relation, units: Sequence[Unit]) -> Found | None:
        for unit in units[:4] if wanted.name in _PLACES else ():
            place = place_of(_PLACES[wanted.name], unit.text)
            if place:
                return Found(place, f"{thing.name}, {wanted.name}: {place}", unit)
        for unit in units[:12]:
            value = self._snapped(_trimmed(wanted.stated(unit.text)), unit)
            if value and fold_case(value) != fold_case(thing.name):
                return Found(value, f"{thing.name}, {wanted.name}: {value}", unit)
        if wanted.name in ("nationality", "country"):
            for unit in units[:4]:
                named = [one for one in countries(unit.text) if fold_case(one.text) not in fold_case(thing.name)]
                if named:
                    return Found(named[0].text, f"{thing.name}, {wanted.name}: {named[0].text}", unit)
        event = _EVENTS.get(wanted.name)
        dated = _dated(event, units) if event is not None else None
        return Found(dated[0].text, f"{thing.name}, {wanted.name}: {dated[0].text}", dated[1]) if dated else None

    def _said_elsewhere(self, thing: Thing, wanted: Relation) -> Found | None:
        """The other end of the relation, where its own document says so: "X was the wife of {thing}"."""
        if not wanted.converse:
            return None
        for hit in self._sources.search(wanted.asked_of(thing.name), _NEAR).hits:
            own = hit.segment.document in thing.documents
            for unit in () if own else units_of([hit.segment]):
                if wanted.stands_between(unit.text, thing.name):
                    title = _TITLED.sub("", unit.segment.title)
                    return Found(title, f"{thing.name}, {wanted.name}: {title}", unit)
        return None

    def _by_reading(self, thing: Thing, wanted: Relation, own: list[Segment]) -> Found | None:
        """Read the sentences that speak of the relation: the thing's own first, then those of others about it."""
        asked = wanted.asked_of(thing.name)
        found = self._extract(thing, wanted, asked, units_of(own))
        if found is None:
            hits = self._sources.search(asked, _NEAR).hits
            near = units_of(hit.segment for hit in hits if hit.segment.document not in thing.documents)
            found = self._extract(thing, wanted, asked, [unit for unit in near if _names(thing, unit)])
        return found

    def _extract(self, thing: Thing, wanted: Relation, asked: str, units: Sequence[Unit]) -> Found | None:
        speaking = [unit for unit in units if wanted.spoken_of(unit.text)][:_SENTENCES]
        read = self._reader.extract(asked, speaking, self._cancel) if speaking else None
        if read is None:
            return None
        value = self._snapped(_trimmed(read[0]), read[1])
        if not value or len(value.split()) > _LONGEST or fold_case(value) == fold_case(thing.name):
            return None
        if not wanted.may_be(value, read[1].text):
            return None
        return Found(value, f"{thing.name}, {wanted.name}: {value}", read[1], self._reader.name)

    def _snapped(self, value: str, unit: Unit) -> str:
        """A value that is part of a name of the library becomes that name: "Odo III" -> "Odo III, Duke of B."."""
        if self._sources.mentions is None:
            return value
        if not value:
            return value
        names = [m.text for m in self._sources.mentions.names_in(unit.text) if value in m.text and m.text != value]
        return max(names, key=len, default=value)

    # --- comparing --------------------------------------------------------------------------------------------------

    def _compare(self, plan: Plan, whole: list[list[Found]]) -> Draft | None:
        if plan.order == "same":
            values = [country_of(trail[-1].value) or fold_case(trail[-1].value) for trail in whole]
            same = values[0] == values[1]
            return self._worded("yes" if same else "no", [one for trail in whole for one in trail], compared=True)
        ordered: list[tuple[Named, Date, list[Found]]] = []
        for name, trail in zip(plan.names, whole):
            dated = self._dated(plan, name, trail)
            if dated is None:
                return None
            ordered.append((name, dated[0], [*trail, *dated[1]]))
        if ordered[0][1] == ordered[1][1]:
            return None
        pick = min if plan.order == "first" else max
        chosen = pick(ordered, key=lambda one: one[1])
        return self._worded(chosen[0].text.rstrip("("), [f for _, _, trail in ordered for f in trail], compared=True)

    def _dated(self, plan: Plan, name: Named, trail: list[Found]) -> tuple[Date, list[Found]] | None:
        """What one side is ordered by, a date or a time lived, with what says so."""
        thing = self._thing(trail[-1].value) if trail else Thing(name.text, (name.document,))
        if plan.event is None:
            return None
        end = self._date(plan.event, thing)
        start = self._date(Event.BIRTH, thing) if end is not None and plan.order == "longest" else None
        if end is None or (plan.order == "longest" and start is None):
            return None
        if start is None:
            return end[0].date, [end[1]]
        return end[0].date.since(start[0].date), [start[1], end[1]]

    def _date(self, event: Event, thing: Thing) -> tuple[Dated, Found] | None:
        units = units_of(s for document in thing.documents for s in self._sources.segments_of(document))
        dated = _dated(event, units)
        note = f"{event.value} of {thing.name}"
        used = (dated[1].segment.id,) if dated else ()
        self._notes.step(Step("retrieve", note, used, dated[0].text if dated else "no date"))
        return (dated[0], Found(dated[0].text, f"{note}: {dated[0].text}", dated[1])) if dated else None

    # --- wording ----------------------------------------------------------------------------------------------------

    def _worded(self, short: str, trail: Sequence[Found], *, compared: bool = False) -> Draft:
        citations = Citations(self._sources)
        if compared:
            self._notes.step(Step("compare", "; ".join(found.said for found in trail), (), short))
        sentences: list[Sentence] = []
        for found in trail:
            number = citations.cite(found.unit)
            page = fold_case(citations.page_text(number))
            sentences.append(Sentence(f"{found.said}.", fold_case(found.value) in page, (number,)))
        numbers = tuple(dict.fromkeys(n for sentence in sentences for n in sentence.citations))
        verified = all(sentence.verified for sentence in sentences)
        said = [Sentence(f"{short[:1].upper()}{short[1:]}.", verified, numbers), *sentences]
        for sentence in said:
            self._notes.sentence(sentence, citations.pick)
        self._notes.step(Step("answer", short))
        by = next((found.by for found in trail if found.by != "computed"), "computed")
        status = AnswerStatus.ANSWERED if verified else AnswerStatus.PARTIAL
        return Draft(status, short, tuple(said), citations.all, by)


def _dated(event: Event, units: Sequence[Unit]) -> tuple[Dated, Unit] | None:
    for unit in units[:10]:
        found = date_of(event, unit.text)
        if found is not None:
            return found, unit
    return None


def _names(thing: Thing, unit: Unit) -> bool:
    return fold_case(thing.name) in fold_case(unit.text)


def _trimmed(value: str) -> str:
    """A name without what is said of it: "Hugh IV, Duke of B. by his first wife" -> "Hugh IV, Duke of B."."""
    return _SAID_OF.split(value)[0].strip(" .,;")
