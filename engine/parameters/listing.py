"""Questions over the whole library as answers: which parts keep a bound, the highest, a value for each of a kind."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.model import ParameterRecord
from engine.core.ports import RecordFilter, RecordIndex
from engine.core.results import DocumentInfo
from engine.core.text import number_of
from engine.parameters.finding import search_library
from engine.parameters.query import ParameterQuery
from engine.parameters.question_patterns import Form
from engine.parameters.results import SURE, AnswerRow, ComputedAnswer, FindResult, ResultRow, ValueCell
from engine.parameters.selecting import PageText
from engine.parameters.wording import conditions_text, joined, kind_word, name_text, printed_value, section_text

_MOST_LISTED = 20
_RANKED = 2
"""Parts of which one can stand out."""
_VALUES = 4
"""Different values of one part that its row shows: at other conditions they are others, and none is picked silently."""


def answer_library(
    query: ParameterQuery, store: RecordIndex, documents: Sequence[DocumentInfo], page_text: PageText | None
) -> ComputedAnswer | None:
    """The parts of a library-wide question with their values. None when no document gives the parameter."""
    if not all(clause.concepts or clause.symbols for clause in query.clauses) and not query.about:
        return None  # words alone, over the whole library, are a matter of text search
    result = search_library(query, store, documents, page_text)
    ranked = query.form in (Form.HIGHEST, Form.LOWEST)
    if ranked and len(result.rows) < _RANKED and not query.about:
        return None  # what one document alone gives is asked of that document
    rows, most = (result.rows[:1], 1) if ranked else (result.rows, _VALUES)
    if not rows and not result.doubtful:
        return _none_found(result, documents)
    listed = rows[:_MOST_LISTED] or result.doubtful[:_MOST_LISTED]
    known = _records_of(listed, store)
    records = tuple(dict.fromkeys(record for row in listed for record in _shown(row, known, most)))
    caveats = _caveats(query, result)
    if not rows:
        return ComputedAnswer(
            "No part can be said to meet it.", "none certain", records, caveats, 0.4, query.form.value
        )
    lines = tuple(AnswerRow(f"{row.part}: {_row_text(row, known, most)}", _shown(row, known, most)) for row in listed)
    more = f" and {len(rows) - _MOST_LISTED} more" if len(rows) > _MOST_LISTED else ""
    confidence = min((cell.confidence for row in rows for cells in row.cells for cell in cells), default=0.0)
    return ComputedAnswer(
        f"{'; '.join(line.text for line in lines)}{more}.", _short(query, rows, known) + more, records, caveats,
        round(confidence, 3), query.form.value, 1, tuple(row.part for row in rows), rows=lines,
    )  # fmt: skip


def _short(query: ParameterQuery, rows: Sequence[ResultRow], known: dict[str, ParameterRecord]) -> str:
    """The count, the parts, or each part with its value."""
    if query.form is Form.COUNT:
        return str(len(rows))
    listed = rows[:_MOST_LISTED]
    if query.form is Form.EACH:
        return "; ".join(f"{row.part}: {', '.join(map(printed_value, _shown(row, known, _VALUES)))}" for row in listed)
    return joined(row.part for row in listed)


def _caveats(query: ParameterQuery, result: FindResult) -> tuple[str, ...]:
    """What the list leaves out: documents that do not give the value, parts that cannot be asserted, other limits."""
    found: list[str] = []
    if result.silent and query.form is Form.EACH:
        found.append(f"Not given for {joined(result.silent[:_MOST_LISTED])}.")
    elif result.examined < result.of:
        found.append(f"{result.examined} of {result.of} documents give the asked values.")
    if result.doubtful:
        found.append(f"Cannot be asserted: {joined(f'{row.part} ({row.note})' for row in result.doubtful[:5])}.")
    notes = dict.fromkeys(f"{row.part}: {row.note}." for row in result.rows if row.note)
    return (*found, *list(notes)[:5])


def _none_found(result: FindResult, documents: Sequence[DocumentInfo]) -> ComputedAnswer | None:
    """No part meets a bound although documents give the parameter: said so, with how many were examined."""
    if not result.examined:
        return None
    unread = sum(bool(document.needs_ocr) for document in documents)
    whole = result.examined == result.of and not unread
    text = f"None of the {result.examined} documents that give the asked values meets {joined(result.parameters)}."
    caveats = (
        [] if result.examined == result.of else [f"{result.examined} of {result.of} documents give the asked values."]
    )
    if unread:
        caveats.append(f"{number_of(unread, 'document')} could not be read without OCR.")
    return ComputedAnswer(text, "none", (), tuple(caveats), SURE if whole else 0.5, Form.WHICH.value)


def _records_of(rows: Sequence[ResultRow], store: RecordIndex) -> dict[str, ParameterRecord]:
    """The records behind the cells shown, by identity."""
    wanted = {cell.record for row in rows for cells in row.cells for cell in _different(cells, _VALUES)}
    documents = tuple(dict.fromkeys(row.document for row in rows))
    read = store.select(RecordFilter(documents=documents, limit=200_000))
    return {record.id: record for record in read if record.id in wanted}


def _shown(row: ResultRow, known: dict[str, ParameterRecord], most: int) -> tuple[ParameterRecord, ...]:
    """The records of a row's different values, clause by clause."""
    return tuple(known[cell.record] for cells in row.cells for cell in _different(cells, most) if cell.record in known)


def _different(cells: Sequence[ValueCell], most: int) -> list[ValueCell]:
    """The first cells of different values, at `most` so many."""
    found: dict[tuple[float | None, float | None], ValueCell] = {}
    for cell in cells:
        found.setdefault((cell.low, cell.high), cell)
    return list(found.values())[:most]


def _row_text(row: ResultRow, known: dict[str, ParameterRecord], most: int) -> str:
    shown = []
    for record in _shown(row, known, most):
        words = [name_text(record), kind_word(record.kind), printed_value(record)]
        shown.append(" ".join(word for word in words if word) + section_text(record) + conditions_text(record))
    return ", ".join(shown)
