"""Records from a parsed document: one per printed value, with all that it hangs on.

Deterministic: the same document parsed the same way gives the same records and ids.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.core.ids import DocumentId
from engine.core.model import (
    Condition,
    LimitKind,
    ParameterRecord,
    ParsedDocument,
    RecordSection,
    Table,
)
from engine.core.naming import name_words
from engine.parameters.code_lists import read_code_lists
from engine.parameters.concepts import concepts_of, load_concepts, plain
from engine.parameters.conditions import merge, parse_conditions, stated_conditions
from engine.parameters.drafts import Draft, split_name
from engine.parameters.features import read_features, read_leaders
from engine.parameters.grid import read_grid
from engine.parameters.limits import read_limit_table
from engine.parameters.quantities import Quantity
from engine.parameters.sections import TableContext, is_limit_table, section_of, table_context

_ORDER = {LimitKind.MIN: 0, LimitKind.NOM: 1, LimitKind.TYP: 1, LimitKind.MAX: 2}
_UNCERTAIN_KIND = 0.6
"""Most a value counts whose table contradicts the kind of limits it was taken for."""
FEATURE_TABLE, CODE_LIST = -1, -2
"""`ParameterRecord.table` of records that come from text, and from lists of codes in it."""


def extract_records(
    document: DocumentId, parsed: ParsedDocument, parts: tuple[str, ...]
) -> tuple[ParameterRecord, ...]:
    """Every limit, table cell and stated feature of a document that is about `parts`."""
    records: list[ParameterRecord] = []
    for index, table in enumerate(parsed.tables):
        if not _sound(table):
            continue
        context = table_context(parsed, index)
        drafts = read_limit_table(table, parts) if is_limit_table(table) else read_grid(table, parts)
        records.extend(_finish(document, index, draft, context, table, parts) for draft in flag_disorder(drafts))
    for draft, heading in read_features(parsed, parts):
        path = parsed.headings[heading].path if heading >= 0 else ()
        context = TableContext(path, RecordSection.FEATURES, (), {})
        records.append(_finish(document, FEATURE_TABLE, draft, context, None, parts))
    for draft, heading in read_leaders(parsed, parts):
        path = parsed.headings[heading].path if heading >= 0 else ()
        section = next((kind for title in reversed(path) if (kind := section_of(title))), RecordSection.OTHER)
        records.append(_finish(document, FEATURE_TABLE, draft, TableContext(path, section, (), {}), None, parts))
    for draft, heading in read_code_lists(parsed, parts):
        path = parsed.headings[heading].path if heading >= 0 else ()
        records.append(
            _finish(document, CODE_LIST, draft, TableContext(path, RecordSection.OTHER, (), {}), None, parts)
        )
    return tuple(records)


def _sound(table: Table) -> bool:
    """A table whose every row has a cell for every column; anything else cannot be read by column."""
    return bool(table.rows) and all(len(row.cells) == len(table.columns) for row in table.rows)


def flag_disorder(drafts: Sequence[Draft]) -> list[Draft]:
    """Mark limits of one row and column group that break MIN <= TYP <= MAX."""
    groups: dict[tuple[int, str, tuple[str, ...]], list[int]] = defaultdict(list)
    for position, draft in enumerate(drafts):
        if draft.kind in _ORDER and draft.quantity is not None:
            groups[draft.row, draft.group, draft.parts].append(position)
    flagged = list(drafts)
    for positions in groups.values():
        ranked = sorted(positions, key=lambda p: _ORDER[drafts[p].kind])
        values = [(_ORDER[drafts[p].kind], quantity) for p in ranked if (quantity := drafts[p].quantity) is not None]
        negative = all(one.high <= 0 for _, one in values)
        if not _in_order(values) and not (negative and _in_order([(place, _mirrored(one)) for place, one in values])):
            for p in positions:
                doubts = (*drafts[p].doubts, "MIN, TYP and MAX are not in order")
                flagged[p] = replace(drafts[p], confidence=min(drafts[p].confidence, 0.4), doubts=doubts)
    return flagged


def _in_order(values: Sequence[tuple[int, Quantity]]) -> bool:
    return not any(
        left[0] < right[0]
        and left[1].unit == right[1].unit
        and left[1].low > right[1].high + 1e-9 * abs(right[1].high) + 1e-18
        for left, right in pairwise(values)
    )


def _mirrored(quantity: Quantity) -> Quantity:
    """A negative value by its magnitude: currents out of a pin are limited by size, printed with a minus sign."""
    return replace(quantity, low=-quantity.high, high=-quantity.low)


def _noted(draft: Draft, context: TableContext) -> list[Condition]:
    """Conditions that the footnotes of a row or value state; a note that is no condition is kept as words."""
    found: list[Condition] = []
    for mark in dict.fromkeys(draft.marks):
        if text := context.notes.get(mark.strip("()[]")):
            stated = stated_conditions(text)
            found.extend(stated or parse_conditions(text) if len(text) < 60 else stated)
            if not stated and len(text) >= 60:
                found.append(Condition(text[:300]))
    return found


def record_id(document: DocumentId, table: int, draft: Draft) -> str:
    """BLAKE2b-128 of where the value stands and what is printed there."""
    key = (document, table, draft.row, draft.column, draft.page, draft.parameter, draft.kind, draft.value)
    return hashlib.blake2b("\x1f".join(map(str, key)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _full_name(draft: Draft) -> str:
    """A row's name with the sub-header above it where only that says what is measured: "Power Dissipation: SO-8"."""
    title = split_name(draft.section).name if draft.section else ""
    unit = draft.quantity.unit if draft.quantity else ""
    if not title or concepts_of(draft.parameter, draft.symbol, unit):
        return draft.parameter
    named = [load_concepts()[key] for key in concepts_of(title, "", unit)]
    whole = any(plain(name_words(title)) in concept.names and unit in concept.units for concept in named)
    return f"{title}: {draft.parameter}" if whole else draft.parameter


def _finish(
    document: DocumentId, index: int, draft: Draft, context: TableContext, table: Table | None, about: tuple[str, ...]
) -> ParameterRecord:
    section = context.section
    if draft.section and (own := section_of(draft.section)) is not None:
        section = own
    confidence, doubts = draft.confidence, list(draft.doubts)
    if context.doubts and section is context.section:
        confidence = min(confidence, _UNCERTAIN_KIND)
        doubts.extend(context.doubts)
    if table is not None:
        confidence = min(confidence, 1.0) * table.confidence
        doubts.extend(doubt for doubt in table.doubts if doubt not in doubts)
    quantity = draft.quantity
    path = (*context.path, draft.section) if draft.section else context.path
    return ParameterRecord(
        id=record_id(document, index, draft),
        document=document,
        table=index,
        row=draft.row,
        column=draft.column,
        parts=draft.parts or about,
        parameter=_full_name(draft),
        symbol=draft.symbol,
        kind=draft.kind,
        section=section,
        value_raw=draft.value,
        unit_raw=draft.unit or (quantity.printed if quantity else ""),
        low=quantity.low if quantity else None,
        high=quantity.high if quantity else None,
        unit=quantity.unit if quantity else "",
        conditions=merge(draft.conditions, _noted(draft, context), context.conditions),
        caption=table.caption if table is not None else "",
        path=path,
        page=draft.page,
        box=draft.box,
        row_box=draft.row_box,
        confidence=round(confidence, 4),
        doubts=tuple(doubts),
    )


def by_document(records: Iterable[ParameterRecord]) -> dict[DocumentId, list[ParameterRecord]]:
    grouped: dict[DocumentId, list[ParameterRecord]] = defaultdict(list)
    for record in records:
        grouped[record.document].append(record)
    return grouped
