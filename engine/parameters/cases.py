"""What a question sets side by side: several parts, or one part in two packages, at two supplies, in two sheets."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import combinations

from engine.core.model import Condition
from engine.parameters.conditions import FULL, quantity_key
from engine.parameters.packages import PACKAGE
from engine.parameters.quantities import prepare
from engine.parameters.query import RANKED, Clause, ParameterQuery
from engine.parameters.question_patterns import question_words
from engine.parameters.selecting import RecordBook

_SET_AGAINST = re.compile(r"\b(?:or|than|versus|vs)\b", re.IGNORECASE)
_SHEETS = re.compile(
    r"\b(?:two|three|both|several|different|various|all|each of)\b(?:\s+\w+){0,3}\s+(?:data ?)?sheets\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Case:
    """One side of a question: the part it is about, the query for it alone, and what tells it from the others."""

    label: str
    part: str
    query: ParameterQuery
    without: frozenset[str] = frozenset()
    """Words of the question that are another case's ("subtraction" for the addition)."""

    def clause(self, clause: Clause) -> Clause:
        """The clause of the question for this case alone."""
        if not self.without:
            return clause
        words = tuple(word for word in clause.words if word not in self.without)
        return replace(clause, words=words, order=tuple(word for word in clause.order if word not in self.without))


def cases_of(query: ParameterQuery, book: RecordBook) -> tuple[Case, ...]:
    """The sides of a question, one for each named part; of a single part those its conditions or sheets make."""
    if len(query.parts) > 1:
        return tuple(Case(part, part, _for_part(query, part)) for part in query.parts)
    if not query.parts:
        return ()
    part = query.parts[0]
    several = _by_condition(query, part) or _by_opposite(query, part) or _by_year(query, part, book)
    several = several or _by_sheet(query, part, book)
    return several or (Case(part, part, query),)


def _for_part(query: ParameterQuery, part: str) -> ParameterQuery:
    """The query with the conditions that hold for one part: "the 74HC147 (5 V, 15 pF)" gives its own in brackets."""
    text = prepare(query.question)
    bracketed = {
        name: match.group(1)
        for name in query.parts
        if (match := re.search(rf"\b{re.escape(name)}\s*\(([^()]*\d[^()]*)\)", text, re.IGNORECASE))
    }
    others = [inside for name, inside in bracketed.items() if name != part]
    own = bracketed.get(part, "")
    kept = tuple(c for c in query.conditions if c.raw in own or not any(c.raw in inside for inside in others))
    return replace(query, conditions=kept)


def _by_sheet(query: ParameterQuery, part: str, book: RecordBook) -> tuple[Case, ...]:
    """A case for each of a part's data sheets where the question says that there are several."""
    about = book.sheets(query, part) if _SHEETS.search(query.question) else []
    if len(about) < 2:
        return ()
    return tuple(Case(f"{part} ({document.title})", part, replace(query, only=document.id)) for document in about)


def _by_condition(query: ParameterQuery, part: str) -> tuple[Case, ...]:
    """A case for each of several packages, or of several values of one quantity of which none holds another."""
    for condition in query.conditions:
        rivals = [other for other in query.conditions if _of_one_quantity(condition, other)]
        if len(rivals) > 1 and not any(_overlap(one, other) for one, other in combinations(rivals, 2)):
            others = tuple(other for other in query.conditions if other not in rivals)
            name = next((one.quantity for one in rivals if one.quantity), "")
            named = [replace(one, quantity=name) for one in rivals]
            return tuple(Case(one.raw, part, replace(query, conditions=(*others, one))) for one in named)
    return ()


def _by_opposite(query: ParameterQuery, part: str) -> tuple[Case, ...]:
    """A case for each of two opposites that are set against each other: "is the addition or the subtraction slower"."""
    if query.form not in RANKED or not query.clauses:
        return ()
    asked = frozenset(query.clauses[0].words)
    for line in question_words().opposed:
        sides = [side & asked for side in line if side & asked]
        if len(sides) == 2 and _SET_AGAINST.search(query.question):
            return tuple(Case(min(own), part, query, other) for own, other in (sides, sides[::-1]))
    return ()


def _of_one_quantity(one: Condition, other: Condition) -> bool:
    if one.relation == PACKAGE or other.relation == PACKAGE:
        return one.relation == other.relation
    measured = bool(one.unit) and one.unit == other.unit and FULL not in (one.relation, other.relation)
    # "between 2.7-4.5 V and 4.5-5.5 V supplies" names the quantity once.
    alike = quantity_key(one.quantity) == quantity_key(other.quantity) or not (one.quantity and other.quantity)
    return measured and alike


def _overlap(one: Condition, other: Condition) -> bool:
    """Whether one value may be said of both; ranges that meet at an end are two."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return one.raw == other.raw
    if one.low == one.high or other.low == other.high:
        return one.low <= other.high and other.low <= one.high
    return one.low < other.high and other.low < one.high


def _by_year(query: ParameterQuery, part: str, book: RecordBook) -> tuple[Case, ...]:
    """A case for each of the years by which a question tells a part's data sheets apart."""
    years = tuple(dict.fromkeys(_YEAR.findall(query.question)))
    about = book.sheets(replace(query, sheets=()), part)
    if len(years) < 2 or len(about) < 2:
        return ()
    dated = {year: [document for document in about if year in book.first_page(document)] for year in years}
    if any(len(documents) != 1 for documents in dated.values()):
        return ()
    return tuple(
        Case(f"{part} ({year})", part, replace(query, sheets=(), only=documents[0].id))
        for year, documents in dated.items()
    )
