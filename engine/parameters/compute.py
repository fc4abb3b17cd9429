"""Answers computed from records: exact cells, lists of what cannot be told apart, comparisons, differences, ranks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.core.ports import Embedder, RecordIndex
from engine.core.results import DocumentInfo
from engine.parameters.cases import Case, cases_of
from engine.parameters.choosing import Choose, chosen_matches, options_for
from engine.parameters.claims import answer_yes_no
from engine.parameters.comparing import (
    IN_COMMON,
    MOST_LISTED,
    caveats_of,
    compare_cases,
    confidence_of,
    in_common,
)
from engine.parameters.documents import Kin, document_kin
from engine.parameters.listing import answer_library
from engine.parameters.lookup import looked_up
from engine.parameters.query import Clause, ParameterQuery, understand
from engine.parameters.question_patterns import Form
from engine.parameters.results import ComputedAnswer
from engine.parameters.selecting import (
    GOOD_ENOUGH,
    OPERATING,
    Match,
    PageText,
    RecordBook,
    Selection,
    distinct_values,
    find_matches,
    rows_of,
    settle,
    surest,
)
from engine.parameters.unnamed import stated_matches
from engine.parameters.wording import (
    conditions_text,
    joined,
    kind_word,
    name_text,
    row_values,
    statement,
    subject_of,
    told_apart,
    value_in,
)

_COMPARES = re.compile(r"\bor\b|\bthan\b|\bcompared\b|\bof the two\b|\bagainst\b", re.IGNORECASE)
_RANGE = re.compile(r"\brange\b|\bbetween\b|\bfrom what\b", re.IGNORECASE)
_RATED = re.compile(
    r"\brat(?:ed|es?|ings?)\b|\babsolute\b|\bwithst|\btolerat|\bsurviv|\bstands?\b|\bdamag|\bmay\b", re.IGNORECASE
)
_THAT = re.compile(r"\b(?:that|this|the (?:other|latter|former|same)) [a-z]{3,}", re.IGNORECASE)
_WHERE = re.compile(r"\s*(?:in |on |under )?(?:which |what )?(?:section|chapter|page)\b", re.IGNORECASE)
"""Asks for a place in a document, not for a value."""
_SAME = re.compile(r"\bsame\b|\balike\b|\bequal\b|\bidentical\b", re.IGNORECASE)
_PICKED = 0.6
"""Most an answer counts whose parameter a model picked: shown with its row, not asserted."""
_OF_ANOTHER_LIMIT = 0.6
"""The same of several values that are not of the limit asked for."""
_LIBRARY_WIDE = (Form.EACH, Form.WHICH, Form.COUNT, Form.RANK, Form.HIGHEST, Form.LOWEST)


def answer_from_records(
    question: str,
    store: RecordIndex,
    documents: Sequence[DocumentInfo],
    *,
    page_text: PageText | None = None,
    choose: Choose | None = None,
    embedder: Embedder | None = None,
) -> ComputedAnswer | None:
    """Answer a question from the records, or None when they do not hold its answer.

    `documents` are all visible documents; `page_text` gives the text by which a document's kind ("op amp") is told
    beside its title (its first page). `choose` may pick the parameter meant where the rules recognise none, among
    candidates that `embedder` helps to order. Never raises for odd questions.
    """
    query = understand(question)
    if not query.clauses or _speaks_of_another(query) or _WHERE.match(question):
        return None
    book = RecordBook(store, documents, page_text)
    query = _known_parts(query, book)
    if query.parts:
        answer = _answer_parts(book, query)
        if answer is None or answer.alternatives > 1:
            answer = _pointed_at(book, query) or answer
        return _chosen(book, query, choose, embedder) if answer is None and choose is not None else answer
    if query.form is Form.YES_NO:
        return None  # a claim about a part that no document is about
    stated = stated_matches(book, query, query.clauses[0])
    if stated:
        return _settled(settle(stated, query, query.clauses[0]), query, query.clauses[0], "")
    if query.form in _LIBRARY_WIDE or any(clause.bound for clause in query.clauses):
        return answer_library(query, store, documents, page_text)
    return _pointed_at(book, query)


def _pointed_at(book: RecordBook, query: ParameterQuery) -> ComputedAnswer | None:
    """The one cell whose row and column the question names, for each of its parts."""
    if query.form is not Form.VALUE:
        return None
    given = []
    for part in query.parts or ("",):
        match = looked_up(book, query, part)
        answer = None if match is None else _settled(Selection((match,)), query, query.clauses[0], part)
        if answer is None:
            return None
        given.append((part, answer))
    return given[0][1] if len(given) == 1 else _together(given, query)


def _speaks_of_another(query: ParameterQuery) -> bool:
    """Whether the parts are named in one sentence and "that transistor" is asked about in the next."""
    first, _, last = query.question.rstrip(" ?.").rpartition(". ")
    return bool(first) and _THAT.search(last) is not None and not any(part in last for part in query.parts)


def _known_parts(query: ParameterQuery, book: RecordBook) -> ParameterQuery:
    """Drop names that no document is about; an application note may name devices of other sheets."""
    known = tuple(part for part in query.parts if book.sheets(query, part))
    return replace(query, parts=known, sheets=query.sheets if known else ())


def _answer_parts(book: RecordBook, query: ParameterQuery) -> ComputedAnswer | None:
    clause = query.clauses[0]
    cases = cases_of(query, book)
    if query.form is Form.YES_NO:
        if len(cases) > 1 and _SAME.search(query.question):
            return _alike(book, clause, cases)
        return answer_yes_no(book, query, clause)
    if query.form in (Form.HIGHEST, Form.LOWEST, Form.DIFFERENCE, Form.RATIO, Form.RANK) and len(cases) > 1:
        return compare_cases(book, query, clause, cases)
    if query.form is Form.DIFFERENCE:
        query = replace(query, form=Form.VALUE)  # "by how many ppm does ... move" asks for a value
    if query.form in (Form.RATIO, Form.RANK, Form.COUNT):
        return None
    if query.form in (Form.HIGHEST, Form.LOWEST):
        if _COMPARES.search(query.question):
            return None  # two sheets of one part, or one with an unnamed other: not a single value
        kind = LimitKind.MAX if query.form is Form.HIGHEST else LimitKind.MIN
        clause = replace(clause, kind=clause.kind or kind)
    answers = _values(book, clause, cases)
    given = [(label, answer) for label, answer in answers if answer is not None]
    if not given:
        return None
    if len(given) == len(answers) or _same_sheet(book, query):
        return given[0][1] if len(given) == 1 else _together(given, query)
    return _partly(given, query, cases)


def _values(book: RecordBook, clause: Clause, cases: Sequence[Case]) -> list[tuple[str, ComputedAnswer | None]]:
    """The value for each case; with words to spare where that leaves some out and all give the same parameter."""
    chosen = [_selected(book, case, clause, GOOD_ENOUGH) for case in cases]
    if len(cases) > 1 and not all(one.matches for one in chosen):
        chosen = list(in_common([_selected(book, case, clause, IN_COMMON) for case in cases])) or chosen
    return [
        (case.label, _settled(selection, case.query, case.clause(clause), case.part))
        for case, selection in zip(cases, chosen, strict=True)
    ]


def _selected(book: RecordBook, case: Case, clause: Clause, least: float) -> Selection:
    own = case.clause(clause)
    return settle(find_matches(book, case.query, own, case.part, least=least), case.query, own)


def _alike(book: RecordBook, clause: Clause, cases: Sequence[Case]) -> ComputedAnswer | None:
    """ "Do both have the same hold time?": yes or no with each value; None unless each gives one."""
    answers = _values(book, clause, cases)
    given = [(label, answer) for label, answer in answers if answer is not None and answer.alternatives == 1]
    if len(given) < len(cases):
        return None
    whole = _together(given, cases[0].query)
    first = given[0][1].records
    same = all(_equal(first, answer.records) for _, answer in given[1:])
    word = "Yes" if same else "No"
    return replace(whole, text=f"{word}. {whole.text}", short=f"{word}: {whole.short}")


def _equal(one: Sequence[ParameterRecord], other: Sequence[ParameterRecord]) -> bool:
    """Whether two rows print the same limits."""
    first, second = (
        {(r.kind, r.low, r.high, r.unit, "" if r.low is not None else r.value_raw) for r in row} for row in (one, other)
    )
    return first == second


def _same_sheet(book: RecordBook, query: ParameterQuery) -> bool:
    return len({document.id for part in query.parts for document in book.sheets(query, part)}) == 1


def _partly(
    given: Sequence[tuple[str, ComputedAnswer]], query: ParameterQuery, cases: Sequence[Case]
) -> ComputedAnswer:
    """Values for some of the cases: shown as such, never as the answer."""
    whole = _together(given, query)
    known = {label for label, _ in given}
    note = f"No value was found for {joined(case.label for case in cases if case.label not in known)}."
    return replace(whole, caveats=(*whole.caveats, note), confidence=min(whole.confidence, 0.5))


def _together(given: Sequence[tuple[str, ComputedAnswer]], query: ParameterQuery) -> ComputedAnswer:
    answers = [answer for _, answer in given]
    records = tuple(dict.fromkeys(record for answer in answers for record in answer.records))
    shorts = [f"{label}: {answer.short}" for label, answer in given]
    same = len({answer.short for answer in answers}) == 1 and len({answer.records for answer in answers}) == 1
    return ComputedAnswer(
        answers[0].text if same else " ".join(dict.fromkeys(answer.text for answer in answers)),
        answers[0].short if same else "; ".join(shorts),
        records,
        tuple(dict.fromkeys(caveat for answer in answers for caveat in answer.caveats)),
        min(answer.confidence for answer in answers),
        query.form.value,
        max(answer.alternatives for answer in answers),
        tuple(part for answer in answers for part in answer.parts),
    )


def _chosen(
    book: RecordBook, query: ParameterQuery, choose: Choose, embedder: Embedder | None
) -> ComputedAnswer | None:
    """The value of the parameter that a model picks among the sheet's own names."""
    if len(query.parts) != 1 or query.form is not Form.VALUE:
        return None
    clause = query.clauses[0]
    options = options_for(book, query, clause, query.parts[0], embedder)
    place = choose(query.question, [option.shown for option in options]) if options else None
    if place is None:
        return None
    found = settle(chosen_matches(options[place]), query, clause)
    answer = _settled(found, query, clause, query.parts[0])
    if answer is None:
        return None
    note = f"Read as a question for: {options[place].shown}."
    return replace(answer, confidence=min(answer.confidence, _PICKED), caveats=(note, *answer.caveats))


# --- one value --------------------------------------------------------------------------------------------------------


def _settled(selection: Selection, query: ParameterQuery, clause: Clause, part: str) -> ComputedAnswer | None:
    if not selection.matches:
        return _nearest(selection, query, part)
    rows = rows_of(selection.matches)
    statements = distinct_values([match for row in rows for match in row]) if clause.kind else rows
    if clause.kind is None:
        statements = _distinct_rows(rows)
    caveats = caveats_of(selection, query, clause)
    if len(statements) > 1:
        listed = _listed(statements, query, clause, part, caveats)
        # Of several values of another limit than asked for none is the answer.
        return (
            replace(listed, confidence=min(listed.confidence, _OF_ANOTHER_LIMIT)) if selection.kind_missing else listed
        )
    group = statements[0]
    best = [surest(group)] if clause.kind else sorted(group, key=lambda match: _order(match.record.kind))
    records = tuple(match.record for match in best)
    subject = subject_of(records[0], best[0].document, part)
    confidence = confidence_of(best, selection)
    if part and document_kin(part, best[0].document) is Kin.VARIANT:
        caveats = (*caveats, f"No sheet is about {part} itself; the value is from a relative's.")
        confidence = min(confidence, 0.6)
    if only_rating(records, query, clause):
        caveats = (*caveats, "Only the absolute maximum rating is given, not an operating value.")
        confidence = min(confidence, 0.6)
    return ComputedAnswer(
        statement(records, subject, query.unit, query.unit_text),
        _short(records, query, clause),
        records,
        caveats,
        confidence,
        query.form.value,
        1,
        (part or subject,),
    )


def only_rating(records: Sequence[ParameterRecord], query: ParameterQuery, clause: Clause) -> bool:
    """Whether an operating value is asked for and only a rating that must not be exceeded was found."""
    if query.section is not None or _RATED.search(query.question):
        return False
    rating = all(record.section is RecordSection.ABSOLUTE_MAXIMUM for record in records)
    return rating and clause.kind is not LimitKind.MAX and bool(OPERATING & set(clause.concepts))


def _order(kind: LimitKind) -> int:
    return {LimitKind.MIN: 0, LimitKind.TYP: 1, LimitKind.NOM: 1, LimitKind.MAX: 2}.get(kind, 3)


def _distinct_rows(rows: Sequence[list[Match]]) -> list[list[Match]]:
    """Rows that state the same values (a feature repeated in a table, a table printed twice) are one."""
    kept: list[list[Match]] = []
    for row in rows:
        values = {
            (m.record.kind, m.record.low, m.record.high, m.record.value_raw if m.record.low is None else "")
            for m in row
        }
        for other in kept:
            known = {
                (m.record.kind, m.record.low, m.record.high, m.record.value_raw if m.record.low is None else "")
                for m in other
            }
            if values <= known:
                break
        else:
            kept.append(row)
    return kept


def _short(records: Sequence[ParameterRecord], query: ParameterQuery, clause: Clause) -> str:
    ends = {record.kind: record for record in records}
    if _RANGE.search(query.question) and LimitKind.MIN in ends and LimitKind.MAX in ends:
        low, high = (value_in(ends[kind], query.unit, query.unit_text) for kind in (LimitKind.MIN, LimitKind.MAX))
        return f"{low} to {high}"
    if len(records) == 1:
        text = value_in(records[0], query.unit, query.unit_text)
        word = kind_word(records[0].kind, short=True)
        return text if clause.kind is records[0].kind or not word else f"{text} ({word})"
    return row_values(records, query.unit, query.unit_text)


def _listed(
    statements: Sequence[list[Match]], query: ParameterQuery, clause: Clause, part: str, caveats: tuple[str, ...]
) -> ComputedAnswer:
    """Several values that the question does not tell apart: all of them, with what does."""
    firsts = [surest(group) for group in statements]
    shown = firsts[:MOST_LISTED]
    apart = told_apart([match.record for match in shown])
    lines, shorts = [], []
    for match, group, words in zip(shown, statements, apart):
        records = (
            [match.record] if clause.kind else [m.record for m in sorted(group, key=lambda m: _order(m.record.kind))]
        )
        values = row_values(records, query.unit, query.unit_text)
        lines.append(f"{values} ({words})" if words else values)
        shorts.append(value_in(match.record, query.unit, query.unit_text) if clause.kind else values)
    name = name_text(firsts[0].record)
    more = f" and {len(firsts) - len(shown)} more" if len(firsts) > len(shown) else ""
    subject = part or subject_of(firsts[0].record, firsts[0].document)
    sure = min(match.record.confidence for match in shown)
    scale = 0.75 if len(firsts) <= 3 else 0.55 if len(firsts) <= MOST_LISTED else 0.3
    return ComputedAnswer(
        f"{subject}: {name}: {'; '.join(lines)}{more}.",
        "; ".join(dict.fromkeys(shorts)) + more,
        tuple(match.record for match in shown),
        (*caveats, "Several values fit the question; they differ as shown."),
        round(sure * scale * min(1.0, min(match.quality for match in shown) + 0.1), 3),
        query.form.value,
        len(firsts),
        (subject,),
    )


def _nearest(selection: Selection, query: ParameterQuery, part: str) -> ComputedAnswer | None:
    """The asked condition is not given: the nearest values, named as such, never asserted."""
    if not selection.nearest:
        return None
    groups = distinct_values(selection.nearest)[:MOST_LISTED]
    firsts = [surest(group) for group in groups]
    asked = joined(condition.raw for condition in query.conditions)
    lines = [f"{value_in(m.record, query.unit, query.unit_text)}{conditions_text(m.record)}" for m in firsts]
    subject = part or subject_of(firsts[0].record, firsts[0].document)
    return ComputedAnswer(
        f"{subject}: no {name_text(firsts[0].record)} is given for {asked}; nearest: {'; '.join(lines)}.",
        f"not given for {asked}",
        tuple(match.record for match in firsts),
        (f"The documents do not state it for {asked}.",),
        0.4,
        query.form.value,
        len(groups),
        (subject,),
    )
