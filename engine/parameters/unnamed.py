"""Values asked for without naming a part: known by the quantities that the question states, all of them exactly."""

from __future__ import annotations

from itertools import combinations

from engine.core.ports import RecordFilter
from engine.parameters.matching import clause_fit, condition_fit, says_opposite
from engine.parameters.query import Clause, ParameterQuery
from engine.parameters.question_patterns import Form
from engine.parameters.selecting import GOOD_ENOUGH, Match, RecordBook

_LEAST_STATED = 2
"""Quantities that must be stated; one alone stands in too many tables."""
_EACH = 0.12
"""What each quantity that a record states exactly makes up for in words."""
_EXACT = 0.999
_MOST_WORDS = 8
_MOST_READ = 600


def stated_matches(book: RecordBook, query: ParameterQuery, clause: Clause) -> list[Match]:
    """Records of any one document whose conditions are the quantities asked for, best first; empty if documents vie."""
    measured = [condition for condition in query.conditions if condition.unit and condition.low is not None]
    if query.form is not Form.VALUE or len(measured) < _LEAST_STATED or len(measured) < len(query.conditions):
        return []
    words = [word for word in (*clause.concept_words, *clause.words) if word.isalpha()][:_MOST_WORDS]
    names = book.store.names([list(pair) for pair in combinations(dict.fromkeys(words), 2)]) if len(words) > 1 else []
    if not names:
        return []
    wanted = RecordFilter(names=tuple(name.number for name in names), limit=_MOST_READ)
    found: list[Match] = []
    for record in book.store.select(wanted):
        document = book.documents.get(record.document)
        fit = condition_fit(query.conditions, record)
        if document is None or fit.score < _EXACT or fit.missing or says_opposite(clause, record):
            continue
        quality = clause_fit(clause, record, book.head(document)) + _EACH * len(measured)
        if quality >= GOOD_ENOUGH:
            found.append(Match(record, document, quality, fit))
    found.sort(key=lambda match: -match.quality)
    return found if len({match.record.document for match in found}) == 1 else []
