"""Questions with exact answers made from records, without a model: values, which-is-higher pairs, unanswerable ones.

Only verified records are used: read with certainty, their value standing on the page, the only value of their name,
limit and conditions in their document, of a part no other document is about. A question is unanswerable when neither
the records nor the text of the document name the parameter. The choice is by hash: the same library and seed give the
same questions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from engine.core.known import KnownQuestion, question_id, spread
from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.core.naming import name_words
from engine.core.ports import RecordSource
from engine.core.results import DocumentInfo
from engine.core.text import fold, fold_case
from engine.parameters.concepts import concepts_of, load_concepts, plain
from engine.parameters.documents import document_names, names_part
from engine.parameters.part_names import part_tokens
from engine.parameters.wording import kind_word, printed_value

VERIFIED = 0.9
"""Least confidence of a record a question may rest on."""
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9 ,/()'\u2013-]{3,60}$")
_MOST_CONDITIONS = 3
_APART = 0.05
"""Relative difference from which one value is clearly the higher."""
_SHARED = 2
"""Documents that must give a parameter before others are asked for it."""


def questions_from_records(
    store: RecordSource,
    documents: Sequence[DocumentInfo],
    page_text: Callable[[DocumentInfo, int], str],
    document_text: Callable[[DocumentInfo], str],
    *,
    most: int = 300,
    seed: int = 0,
) -> tuple[KnownQuestion, ...]:
    """Up to `most` questions of each kind, spread over the documents."""
    usable: list[tuple[DocumentInfo, list[ParameterRecord]]] = []
    for document in documents:
        records = _verified(list(store.records([document.id])), document, page_text)
        if records and document.places and _device(document) and not _shares_part(document, documents):
            usable.append((document, records))
    made = [
        *spread(_exact(usable), most, seed),
        *spread(_higher(usable), most, seed),
        *spread(_unanswerable(usable, store, document_text), most, seed),
    ]
    return tuple(made)


def _device(document: DocumentInfo) -> str:
    """The part a question names the document by: one that its file or title names, else its first."""
    named = fold_case(f"{document.title} {document.places[0].file}") if document.places else ""
    parts = [part for part in document.parts if part_tokens(part)]
    return next((part for part in parts if fold_case(part) in named), parts[0] if parts else "")


def _shares_part(document: DocumentInfo, documents: Sequence[DocumentInfo]) -> bool:
    """Whether another document is about the same part or a relative: then this sheet is not the only word on it."""
    own = document_names(document)
    return any(
        names_part(left, right)
        for other in documents
        if other.id != document.id
        for left in own
        for right in document_names(other)
    )


def _verified(
    records: Sequence[ParameterRecord], document: DocumentInfo, page_text: Callable[[DocumentInfo, int], str]
) -> list[ParameterRecord]:
    """Certain, numeric, named in plain words, printed on their page, and without a rival of another value."""
    rivals: dict[tuple[object, ...], set[tuple[float | None, float | None]]] = defaultdict(set)
    for record in records:
        rivals[_slot(record)].add((record.low, record.high))
    pages: dict[int, str] = {}
    kept: list[ParameterRecord] = []
    for record in records:
        if not _plain(record) or len(rivals[_slot(record)]) > 1:
            continue
        if record.page not in pages:
            pages[record.page] = fold(page_text(document, record.page))
        if fold(record.value_raw) in pages[record.page]:
            kept.append(record)
    return kept


def _slot(record: ParameterRecord) -> tuple[object, ...]:
    """Two records of one slot answer the same question."""
    return (name_words(record.parameter), record.kind, record.parts, record.section, _conditions(record))


def _conditions(record: ParameterRecord) -> tuple[str, ...]:
    return tuple(sorted(fold_case(c.raw) for c in record.conditions))


def _plain(record: ParameterRecord) -> bool:
    words = re.findall(r"[A-Za-z]{2,}", record.parameter)
    return (
        (record.confidence >= VERIFIED or record.corrected)
        and not record.doubts
        and record.low is not None
        and bool(record.unit)
        and record.section in (RecordSection.CHARACTERISTICS, RecordSection.RECOMMENDED, RecordSection.ABSOLUTE_MAXIMUM)
        and 1 <= len(words) <= 8
        and _NAME.match(record.parameter) is not None
        and not part_tokens(record.parameter)
        and len(set(words)) == len(words)  # overprinting doubles words
        and len(record.conditions) <= 6
        and not (record.section is RecordSection.ABSOLUTE_MAXIMUM and record.kind is LimitKind.MIN)
    )


def _in_sentence(name: str) -> str:
    """A name as it stands inside a sentence: "Supply Current, ICC" -> "supply current, ICC"."""
    return re.sub(r"\b[A-Z][a-z]+\b", lambda word: word.group().lower(), name.lower() if name.isupper() else name)


def _phrase(record: ParameterRecord) -> str:
    """ "the maximum supply current (ICC)" as a question would name it."""
    name = _in_sentence(record.parameter)
    symbol = f" ({record.symbol})" if record.symbol and record.symbol not in record.parameter else ""
    kind = "absolute maximum" if record.section is RecordSection.ABSOLUTE_MAXIMUM else kind_word(record.kind)
    return f"{kind} {name}{symbol}".strip()


def _stated(record: ParameterRecord) -> str:
    known = [c.raw for c in record.conditions if c.relation == "=" and c.low is not None and c.quantity]
    return f" at {', '.join(known[:_MOST_CONDITIONS])}" if known else ""


def _part(record: ParameterRecord, document: DocumentInfo) -> str:
    return record.parts[0] if len(record.parts) == 1 else _device(document)


def _gold(record: ParameterRecord, document: DocumentInfo) -> tuple[str, int, str]:
    return (document.places[0].file, record.page, record.value_raw)


def _exact(usable: Sequence[tuple[DocumentInfo, list[ParameterRecord]]]) -> Iterator[KnownQuestion]:
    for document, records in usable:
        asked: set[str] = set()
        for record in records:
            text = f"What is the {_phrase(record)} of the {_part(record, document)}{_stated(record)}?"
            if text in asked:
                continue
            asked.add(text)
            value = printed_value(record)
            yield KnownQuestion(
                f"r{question_id(record.id)}", text, value, (value.replace(" ", ""),), "exact",
                (_gold(record, document),), records=(record.id,),
            )  # fmt: skip


def _single_values(
    records: Sequence[ParameterRecord],
) -> Iterator[tuple[tuple[str, LimitKind, str, RecordSection], ParameterRecord]]:
    """Parameters a document gives exactly once for a limit, under one of their plain names: only those compare."""
    found: dict[tuple[str, LimitKind, str, RecordSection], list[ParameterRecord]] = defaultdict(list)
    for record in records:
        for key in concepts_of(record.parameter, record.symbol, record.unit):
            found[key, record.kind, record.unit, record.section].append(record)
    for slot, rows in found.items():
        row = rows[0]
        plainly = plain(name_words(row.parameter)) in load_concepts()[slot[0]].names
        rating = row.section is RecordSection.ABSOLUTE_MAXIMUM and row.kind is LimitKind.MIN
        if len(rows) == 1 and row.low == row.high and plainly and not rating:
            yield slot, row


def _higher(usable: Sequence[tuple[DocumentInfo, list[ParameterRecord]]]) -> Iterator[KnownQuestion]:
    slots: dict[tuple[str, LimitKind, str, RecordSection], list[tuple[DocumentInfo, ParameterRecord]]] = defaultdict(
        list
    )
    for document, records in usable:
        for slot, record in _single_values(records):
            slots[slot].append((document, record))
    for slot, rows in slots.items():
        ordered = sorted(rows, key=lambda row: row[0].id)
        for (left_document, left), (right_document, right) in combinations(ordered, 2):
            a, b = left.high or 0.0, right.high or 0.0
            left_part, right_part = _part(left, left_document), _part(right, right_document)
            if abs(a - b) <= _APART * max(abs(a), abs(b)) or left_part == right_part:
                continue
            winner = left_part if a > b else right_part
            named = " ".join(load_concepts()[slot[0]].names[0])
            kind = "absolute maximum" if left.section is RecordSection.ABSOLUTE_MAXIMUM else kind_word(left.kind)
            text = f"Which has the higher {kind} {named}, the {left_part} or the {right_part}?".replace("  ", " ")
            yield KnownQuestion(
                f"h{question_id(left.id + right.id)}", text, winner, (winner,), "higher",
                (_gold(left, left_document), _gold(right, right_document)), records=(left.id, right.id),
            )  # fmt: skip


def _unanswerable(
    usable: Sequence[tuple[DocumentInfo, list[ParameterRecord]]],
    store: RecordSource,
    document_text: Callable[[DocumentInfo], str],
) -> Iterator[KnownQuestion]:
    """Parameters of sibling sheets that this document names nowhere, neither by any of their names nor by a symbol."""
    common = _shared_parameters(usable)
    for document, _ in usable:
        text = document_text(document)
        words = f" {' '.join(plain(name_words(text)))} "
        own = {
            key
            for record in store.records([document.id])
            for key in concepts_of(record.parameter, record.symbol, record.unit)
        }
        for key, row in sorted(common.items()):
            concept = load_concepts()[key]
            named = any(f" {' '.join(name)} " in words for name in concept.names)
            if key in own or named or any(f" {symbol} " in words for symbol in concept.symbols if len(symbol) > 1):
                continue
            name = _in_sentence(row.parameter)
            question = f"What is the {kind_word(row.kind)} {name} of the {_device(document)}?".replace("  ", " ")
            yield KnownQuestion(
                f"u{question_id(document.id + key)}", question, "Not mentioned",
                ("not mentioned", "not given", "not stated"), "unanswerable", (), document.places[0].file, (name,),
            )  # fmt: skip


def _shared_parameters(usable: Sequence[tuple[DocumentInfo, list[ParameterRecord]]]) -> dict[str, ParameterRecord]:
    """Parameters that two documents or more give under a plain name, each with a record that bears it."""
    rows: dict[str, dict[str, ParameterRecord]] = defaultdict(dict)
    for document, records in usable:
        for record in records:
            for key in concepts_of(record.parameter, record.symbol, record.unit):
                if plain(name_words(record.parameter)) in load_concepts()[key].names:
                    rows[key].setdefault(document.id, record)
    return {key: next(iter(given.values())) for key, given in rows.items() if len(given) >= _SHARED}
