"""Whole parts side by side: the parameters that all of their sheets give, the most telling first.

Nothing is asked for by name here, so a parameter is told by its concept, its unit and whether it is a rating; how
telling it is, by how many documents of the library give it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.core.naming import name_words
from engine.core.ports import RecordFilter, RecordIndex
from engine.core.results import DocumentInfo, SharedCell, SharedRow, SideBySide
from engine.parameters.concepts import concepts_of, load_concepts, plain
from engine.parameters.matching import part_fit
from engine.parameters.results import SURE
from engine.parameters.wording import name_text, row_values

_MOST_ROWS = 8
_ALWAYS = 4
"""Parameters told even where all parts give the same; of the others those that tell them apart go first."""
_MOST_RECORDS = 4000
_MOST_GIVING = 200
"""Documents counted for how common a parameter is; beyond it all are common."""
_KINDS = (LimitKind.MIN, LimitKind.TYP, LimitKind.NOM, LimitKind.MAX, LimitKind.VALUE)
_CONDITIONS, _LONGEST = 2, 60
_LONGEST_NAME = 40
_Key = tuple[tuple[str, ...], str, bool]
"""Concepts or name words, unit, whether an absolute maximum rating."""
_Row = tuple[ParameterRecord, ...]
"""The limits of one row of a table."""


def side_by_side(sides: Sequence[tuple[str, DocumentInfo]], store: RecordIndex) -> SideBySide:
    """What the sheets of some parts give in common."""
    given = [_given(part, document, store) for part, document in sides]
    shared = set.intersection(*(set(rows) for rows in given)) if given else set()
    common = {key: _giving(key, store) for key in shared}
    known = set(load_concepts().keys())
    # Times are given by most sheets, but mostly of each one's own bus: they tell less of the parts.
    order = sorted(shared, key=lambda key: (key[2], known.isdisjoint(key[0]), key[1] == "s", -common[key], key[0]))
    rows = [row for key in order if (row := _shared(key, [rows[key] for rows in given])) is not None]
    distinct = {tuple(cell.text for cell in row.cells): row for row in reversed(rows)}
    kept = [row for row in rows if distinct[tuple(cell.text for cell in row.cells)] is row]
    kept = [*kept[:_ALWAYS], *sorted(kept[_ALWAYS:], key=_equal)]
    own = tuple(len(set(rows) - shared) for rows in given)
    return SideBySide(tuple(kept[:_MOST_ROWS]), len(kept), own)


def _equal(row: SharedRow) -> bool:
    """Whether all parts give the same."""
    return len({tuple(record.value_raw for record in cell.records) for cell in row.cells}) == 1


def _given(part: str, document: DocumentInfo, store: RecordIndex) -> dict[_Key, list[_Row]]:
    """The numbers of a part by parameter, each row of its tables together."""
    rows: dict[tuple[object, ...], list[ParameterRecord]] = defaultdict(list)
    for record in store.select(RecordFilter(documents=(document.id,), limit=_MOST_RECORDS)):
        sure = record.low is not None and record.confidence >= SURE and not record.doubts and record.unit
        if sure and record.section is not RecordSection.OTHER and part_fit(part, record) > 0:
            place = record.table, record.row, record.page, record.parts
            rows[*place, tuple(c.raw for c in record.conditions)].append(record)
    found: dict[_Key, list[_Row]] = defaultdict(list)
    for row in rows.values():
        row.sort(key=lambda record: _KINDS.index(record.kind))
        found[_key(row[0])].append(tuple(row))
    return found


def _key(record: ParameterRecord) -> _Key:
    rated = record.section is RecordSection.ABSOLUTE_MAXIMUM
    concepts = tuple(sorted(concepts_of(record.parameter, record.symbol, record.unit)))
    return concepts or tuple(sorted(set(plain(name_words(record.parameter))))), record.unit, rated


def _giving(key: _Key, store: RecordIndex) -> int:
    """How many documents of the library give a parameter."""
    concepts = load_concepts()
    known = set(concepts.keys())
    alternatives: list[tuple[str, ...]] = []
    for one in key[0]:
        if one in known:
            alternatives += [*concepts[one].names, *((symbol,) for symbol in concepts[one].symbols)]
    names = tuple(name.number for name in store.names(alternatives or [key[0]]))
    return len(store.giving(RecordFilter(names=names, unit=key[1], limit=_MOST_GIVING))) if names else 0


def _shared(key: _Key, sides: Sequence[list[_Row]]) -> SharedRow | None:
    """The rows of the sides that are stated most alike: the same limits, under the same conditions."""
    best = max(product(*(side[:6] for side in sides)), key=_likeness)
    kinds = set.intersection(*({record.kind for record in row} for row in best))
    if not kinds:
        return None
    cells = tuple(_cell(tuple(record for record in row if record.kind in kinds)) for row in best)
    name = _label(key, best[0][0])
    name = f"{name} (absolute maximum)" if key[2] else name
    return SharedRow(name, cells)


def _label(key: _Key, record: ParameterRecord) -> str:
    """The name as printed; the concept's where what is printed is a sentence."""
    printed = name_text(record).removeprefix("of ")
    if len(printed) <= _LONGEST_NAME or not set(key[0]) <= set(load_concepts().keys()):
        return printed
    return ", ".join(one.replace("_", " ") for one in key[0]).capitalize()


def _likeness(rows: Sequence[_Row]) -> float:
    first, score = rows[0], 0.0
    for other in rows[1:]:
        kinds = {record.kind for record in first} & {record.kind for record in other}
        conditions = [{c.raw.casefold() for c in row[0].conditions} for row in (first, other)]
        every = conditions[0] | conditions[1]
        score += len(kinds) + (len(conditions[0] & conditions[1]) / len(every) if every else 1.0)
        score += 0.5 * (first[0].parameter.casefold() == other[0].parameter.casefold())
    return score


def _cell(row: _Row) -> SharedCell:
    stated = [c.raw.rstrip(".") for c in row[0].conditions if len(c.raw) <= _LONGEST][:_CONDITIONS]
    under = f" at {', '.join(stated)}" if stated else ""
    return SharedCell(f"{row_values(row)}{under}", row)
