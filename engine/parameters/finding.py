"""Inequalities, ranks and counts over the whole library: `sheaf find`, `sheaf compare`, questions without a part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.core.ids import DocumentId
from engine.core.model import Condition, ParameterRecord, RecordSection
from engine.core.ports import RecordFilter, RecordIndex
from engine.core.results import DocumentInfo
from engine.parameters.concepts import concepts_of, load_concepts
from engine.parameters.conditions import parse_conditions
from engine.parameters.documents import about_kind, documents_about
from engine.parameters.judging import Verdict, judge
from engine.parameters.matching import clause_fit, condition_fit, part_fit, says_opposite
from engine.parameters.part_names import part_tokens
from engine.parameters.query import Bound, Clause, ParameterQuery, understand
from engine.parameters.question_patterns import Form
from engine.parameters.results import SURE, CompareTable, FindResult, ResultRow
from engine.parameters.selecting import GOOD_ENOUGH, PageText, RecordBook, gives_limit
from engine.parameters.wording import cell_of, kind_word

_MOST_DOCUMENTS = 60
_MANY = 1 << 30
"""Stands for a number of documents that was not counted."""
_MOST_READ = 600
"""Records read for one clause; beyond it the store narrows them first."""
_MOST_FIRST_PAGES = 2000
"""Documents whose first page is read for what kind of device they are about; beyond it their titles decide."""
_TIER = 0.06


_Key = tuple[DocumentId, str]


def find(
    expression: str,
    store: RecordIndex,
    documents: Sequence[DocumentInfo],
    *,
    about: str = "",
    where: Sequence[str] = (),
    page_text: PageText | None = None,
) -> FindResult:
    """Parts whose values keep the bounds of "supply current max < 50 uA and supply voltage min <= 3 V".

    `about` restricts to a kind of device or a part; `where` are conditions the values must be stated for.
    """
    query = understand(expression)
    conditions = tuple(condition for text in where for condition in parse_conditions(text))
    query = replace(query, conditions=(*query.conditions, *conditions), about=about or query.about)
    if all(clause.empty for clause in query.clauses):
        return FindResult(expression, (), (), warnings=("No parameter was recognised in the expression.",))
    return search_library(query, store, documents, page_text)


def compare(
    parameters: Sequence[str], store: RecordIndex, documents: Sequence[DocumentInfo], *, where: Sequence[str] = ()
) -> CompareTable:
    """Parts x parameters of the given documents; every cell lists all values that fit, blank where there is none.

    Parts with the fewest blanks come first, otherwise in the order of their documents.
    """
    queries = [understand(parameter) for parameter in parameters]
    conditions = tuple(condition for text in where for condition in parse_conditions(text))
    book = RecordBook(store, documents)
    rows: list[ResultRow] = []
    unknown = [text for text, query in zip(parameters, queries) if not query.clauses]
    for document in documents:
        cells: dict[str, list[list[ParameterRecord]]] = {}
        for column, query in enumerate(queries):
            for clause in query.clauses[:1]:
                for record in _fitting(
                    book.of(document), clause, document, (*query.conditions, *conditions), query.section
                ):
                    for part in record.parts or (document.title,):
                        cells.setdefault(part, [[] for _ in queries])[column].append(record)
        rows.extend(_rows(document, cells))
    rows.sort(key=lambda row: sum(not cell for cell in row.cells))
    warnings = tuple(f"No parameter was recognised in '{text}'." for text in unknown)
    return CompareTable(tuple(parameters), tuple(rows), warnings)


def _rows(document: DocumentInfo, cells: dict[str, list[list[ParameterRecord]]]) -> list[ResultRow]:
    """Parts of one document that share all their values share a row."""
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = defaultdict(list)
    for part, columns in cells.items():
        alike[tuple(tuple(record.id for record in column) for column in columns)].append(part)
    return [
        ResultRow(
            document.id,
            document.title,
            ", ".join(parts),
            tuple(tuple(cell_of(record, document) for record in column) for column in cells[parts[0]]),
        )
        for parts in alike.values()
    ]


def _fitting(
    records: Iterable[ParameterRecord],
    clause: Clause,
    document: DocumentInfo,
    conditions: Sequence[Condition],
    section: RecordSection | None,
) -> list[ParameterRecord]:
    """The records of one document that best fit a clause: the exact parameter before narrower ones, tables before
    features, operating values before ratings."""
    scored: list[tuple[float, ParameterRecord]] = []
    for record in records:
        if section is not None and record.section is not section:
            continue
        if says_opposite(clause, record):
            continue
        quality = clause_fit(clause, record, document.title)
        fit = condition_fit(conditions, record)
        if quality >= GOOD_ENOUGH and fit.score > 0:
            scored.append((quality * fit.score, record))
    best = max((score for score, _ in scored), default=0.0)
    kept = [record for score, record in scored if score >= best - _TIER]
    if clause.kind is not None:
        kind = clause.kind
        kept = [r for r in kept if r.kind is kind] or [r for r in kept if gives_limit(r, kind)]
    if section is None:
        # What a table says and could not be read with certainty yields to what the first page says plainly.
        told = [r for r in kept if r.section is RecordSection.FEATURES and r.confidence >= SURE]
        rows = [r for r in kept if r.section is not RecordSection.FEATURES]
        kept = told if told and not any(r.confidence >= SURE for r in rows) else rows or kept
        kept = [r for r in kept if r.section is not RecordSection.ABSOLUTE_MAXIMUM] or kept
    return kept


# --- over the library -------------------------------------------------------------------------------------------------


def search_library(
    query: ParameterQuery, store: RecordIndex, documents: Sequence[DocumentInfo], page_text: PageText | None
) -> FindResult:
    """Every part that keeps all bounds of the query; for a query without bounds, every part that gives the values."""
    within = _restricted(query, documents, page_text)
    known = {document.id: document for document in documents}
    judged = [_verdicts(clause, query, store, known, within) for clause in query.clauses]
    verdicts = [found for found, _ in judged]
    everyone = set.intersection(*(set(found) for found in verdicts)) if verdicts else set()
    rows: list[tuple[float, ResultRow]] = []
    doubtful: list[ResultRow] = []
    for (document, part), parts in _together(everyone, verdicts):
        each = [found[document, part] for found in verdicts]
        if any(verdict.holds is False for verdict in each):
            continue
        info = known[document]
        cells = tuple(tuple(cell_of(record, info) for record in _ordered(query, verdict)) for verdict in each)
        note = "; ".join(dict.fromkeys(verdict.why for verdict in each if verdict.why))
        row = ResultRow(document, info.title, ", ".join(parts), cells, note)
        if all(verdict.holds for verdict in each):
            rows.append((_sort_value(query, each[0]), row))
        else:
            doubtful.append(row)
    rows.sort(key=lambda pair: pair[0], reverse=_descending(query))
    shown = tuple(_clause_text(clause) for clause in query.clauses)
    examined = min((giving for _, giving in judged), default=0)
    cut = examined == _MANY
    examined = len({document for document, _ in everyone}) if cut else examined
    warnings = (f"More documents give it than were read; the {_MOST_DOCUMENTS} best are shown.",) if cut else ()
    of = len(documents) if within is None else len(within)
    silent: tuple[str, ...] = ()
    if query.form is Form.EACH:
        giving = {row.document for row in (*(row for _, row in rows), *doubtful)}
        silent = tuple(_called(document) for document in within or () if document.id not in giving)
    return FindResult(
        query.question, shown, tuple(row for _, row in rows), tuple(doubtful), examined, of, warnings, silent
    )


def _ordered(query: ParameterQuery, verdict: Verdict) -> Sequence[ParameterRecord]:
    """A part's values with the one it is ranked by first."""
    if any(clause.bound for clause in query.clauses):
        return verdict.records
    lowest = query.form is Form.LOWEST
    return sorted(verdict.records, key=lambda record: record.high or 0.0, reverse=not lowest)


def _called(document: DocumentInfo) -> str:
    return ", ".join(document.parts[:4]) or document.title


def _together(everyone: Iterable[_Key], verdicts: Sequence[dict[_Key, Verdict]]) -> list[tuple[_Key, list[str]]]:
    """Parts of a document that rest on the same records, as one row."""
    alike: dict[tuple[object, ...], list[str]] = {}
    first: dict[tuple[object, ...], _Key] = {}
    for key in sorted(everyone):
        ids = (key[0], *(tuple(record.id for record in found[key].records) for found in verdicts))
        alike.setdefault(ids, []).append(key[1])
        first.setdefault(ids, key)
    return [(first[ids], parts) for ids, parts in alike.items()]


def _restricted(
    query: ParameterQuery, documents: Sequence[DocumentInfo], page_text: PageText | None
) -> list[DocumentInfo] | None:
    if not query.about:
        return None
    if part_tokens(query.about) and (by_part := documents_about([query.about], documents)):
        return by_part
    read = page_text if page_text is not None and len(documents) <= _MOST_FIRST_PAGES else None
    return [
        d for d in documents if about_kind(query.about, d) or (read is not None and about_kind(query.about, d, read(d)))
    ]


def _alternatives(clause: Clause) -> list[tuple[str, ...]]:
    """Name words that may stand in the index for a clause."""
    found: list[tuple[str, ...]] = [(symbol,) for symbol in clause.symbols]
    for key in clause.concepts:
        concept = load_concepts()[key]
        found += [*concept.names, *((symbol,) for symbol in concept.symbols)]
    if not clause.concepts and clause.words:
        found.append(clause.words)
    return found


def _verdicts(
    clause: Clause,
    query: ParameterQuery,
    store: RecordIndex,
    known: dict[DocumentId, DocumentInfo],
    within: list[DocumentInfo] | None,
) -> tuple[dict[_Key, Verdict], int]:
    """(document, part) -> whether its values keep the clause's bound, and how many documents give the parameter."""
    names = tuple(
        name.number for name in store.names(_alternatives(clause)) if _may_name(clause, name.parameter, name.symbol)
    )
    allowed = tuple(document.id for document in within) if within is not None else None
    wanted = RecordFilter(names=names, documents=allowed, limit=_MOST_READ)
    bound = clause.bound
    if bound is not None:
        wanted = replace(wanted, unit=bound.unit)
    many = store.count(wanted) >= _MOST_READ
    if many:
        # Too many to read: the documents whose values reach furthest into the bound, then all they say about it.
        edge = replace(wanted, limit=_MOST_DOCUMENTS, unit=wanted.unit or _first_unit(clause))
        wanted = replace(wanted, documents=store.giving(_within(edge, bound, query)))
    by_document: dict[DocumentId, list[ParameterRecord]] = defaultdict(list)
    for record in store.select(wanted):
        by_document[record.document].append(record)
    found: dict[_Key, Verdict] = {}
    for identity, records in by_document.items():
        if (document := known.get(identity)) is not None:
            found.update(_document_verdicts(clause, query, document, records))
    return found, _MANY if many else len(by_document)


def _within(wanted: RecordFilter, bound: Bound | None, query: ParameterQuery) -> RecordFilter:
    """The filter with the bound on it, ordered so that the best come first."""
    if bound is None or bound.relation == "includes":
        return replace(wanted, descending=query.form is not Form.LOWEST)
    slack = 1e-9 * max(abs(bound.low), abs(bound.high), 1e-12)
    if bound.relation.startswith("<"):
        return replace(wanted, below=bound.high + slack)
    return replace(wanted, above=bound.low - slack, descending=True)


def _first_unit(clause: Clause) -> str | None:
    units = sorted({unit for key in clause.concepts for unit in load_concepts()[key].units})
    return units[0] if len(units) == 1 else None


def _may_name(clause: Clause, parameter: str, symbol: str) -> bool:
    if not clause.concepts:
        return True
    units = {unit for key in clause.concepts for unit in load_concepts()[key].units}
    return any(
        key in clause.concepts or load_concepts().broader(key) in clause.concepts
        for unit in units
        for key in concepts_of(parameter, symbol, unit)
    )


def _document_verdicts(
    clause: Clause, query: ParameterQuery, document: DocumentInfo, records: Sequence[ParameterRecord]
) -> dict[_Key, Verdict]:
    section = query.section
    numeric = [record for record in records if record.low is not None]
    any_kind = replace(clause, kind=None)
    fitting = _fitting(numeric, any_kind, document, query.conditions, section)
    found: dict[_Key, Verdict] = {}
    for part in dict.fromkeys(part for record in fitting for part in (record.parts or (document.title,))):
        own = [
            record for record in fitting if part_fit(part, record) == 1.0 or part in record.parts or not record.parts
        ]
        found[document.id, part] = judge(own, clause)
    return found


def _sort_value(query: ParameterQuery, verdict: Verdict) -> float:
    values = [record.high for record in verdict.records if record.high is not None]
    return (min(values) if query.form is Form.LOWEST else max(values)) if values else 0.0


def _descending(query: ParameterQuery) -> bool:
    if query.form is Form.LOWEST:
        return False
    bound = query.clauses[0].bound
    return bound is None or bound.relation.startswith(">")


def _clause_text(clause: Clause) -> str:
    words = [*(key.replace("_", " ") for key in clause.concepts), *clause.symbols, *clause.words]
    kind = f" {kind_word(clause.kind, short=True)}" if clause.kind else ""
    bound = f" {clause.bound.relation} {clause.bound.raw}" if clause.bound else ""
    return f"{' '.join(words)}{kind}{bound}"
