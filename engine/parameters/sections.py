"""What kind of limits a table gives, and the conditions its surroundings state for all of its rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.model import (
    BlockKind,
    ColumnRole,
    Condition,
    LimitKind,
    ParsedDocument,
    RecordSection,
    Table,
)
from engine.core.text import fold_case
from engine.parameters.conditions import parse_conditions, stated_conditions
from engine.parameters.limits import column_kind
from engine.parameters.quantities import parse_quantity

_ABSOLUTE = re.compile(
    r"\babsolute[\s-]*(?:maximum|max)|\bmaximum ratings?\b|\blimiting values\b|\bstress ratings?\b|\babs\.? max"
)
_RECOMMENDED = re.compile(
    r"\brecommended\b.*\bconditions?\b|\boperating conditions?\b|\boperating ratings?\b|\bguaranteed operating\b"
)
_CHARACTERISTICS = re.compile(
    r"\bcharacteristics?\b|\bspecifications?\b|\belectrical\b|\bswitching\b|\btiming\b|\bdynamic\b|\bstatic\b|\bthermal\b"
    r"|\bperformance\b|\bdc\b|\bac\b|\bparametric"
)
_LIMITS = frozenset({ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX, ColumnRole.NOM})
_TITLE = re.compile(
    r"^[ \t]*[A-Z][\w /-]{0,40}\b(?:characteristics|ratings|conditions|specifications)\b[^.\n=]{0,20}\([^\n]*=[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_RATED_ONLY = re.compile(r"\bstorage\b|\bsoldering\b|\blead temperature\b|\besd\b", re.IGNORECASE)
_RUN_TOGETHER = re.compile(
    r"(?=.*\b(?:unless|otherwise)\b)(?=.*\b(?:symbol|conditions?|parameter|units?|min|typ|max)\b)", re.IGNORECASE
)
_NOTE_MARK = re.compile(r"^\s*(?:notes?\s*)?[(\[]?(\d{1,2}|[*\u2020\u2021#]+|[a-f])[)\].:]?\s+(?=\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableContext:
    """What a table inherits from where it stands."""

    path: tuple[str, ...]
    section: RecordSection
    conditions: tuple[Condition, ...]
    notes: dict[str, str]
    doubts: tuple[str, ...] = ()
    """Why the kind of limits, or what the table's header says, is not to be asserted."""


def section_of(text: str) -> RecordSection | None:
    """The kind of limits a title announces; absolute maximum wins over every other word in it."""
    folded = fold_case(text)
    if _ABSOLUTE.search(folded):
        return RecordSection.ABSOLUTE_MAXIMUM
    if _RECOMMENDED.search(folded):
        return RecordSection.RECOMMENDED
    if re.search(r"\bfeatures?\b|\bkey specifications\b|\bhighlights\b", folded):
        return RecordSection.FEATURES
    if _CHARACTERISTICS.search(folded):
        return RecordSection.CHARACTERISTICS
    return None


def is_limit_table(table: Table) -> bool:
    """MIN/TYP/MAX columns, or a value column beside a symbol, parameter or unit column."""
    roles = {column.role for column in table.columns}
    unnamed = [column for column in table.columns if column.role is ColumnRole.OTHER]
    if roles & _LIMITS or any(column_kind(column) is not None for column in unnamed):
        return True
    return ColumnRole.VALUE in roles and bool(roles & {ColumnRole.PARAMETER, ColumnRole.SYMBOL, ColumnRole.UNIT})


def note_texts(notes: Sequence[str]) -> dict[str, str]:
    """Footnotes by their mark: "(1) VCC = 3 V" -> {"1": "VCC = 3 V"}."""
    found: dict[str, str] = {}
    for note in notes:
        if match := _NOTE_MARK.match(note):
            found[match.group(1)] = note[match.end() :].strip()
    return found


def table_context(parsed: ParsedDocument, index: int) -> TableContext:
    """Section, path and inherited conditions; the nearest title that says something decides."""
    table = parsed.tables[index]
    path = parsed.headings[table.heading].path if 0 <= table.heading < len(parsed.headings) else ()
    lead = _lead_in(parsed, index)
    titles = [table.caption, lead, *reversed(path)]
    if not is_limit_table(table) and len(table.caption.split()) > 2:
        titles = [table.caption]  # a truth table that follows the ratings is none of them
    section = next((found for title in titles if title and (found := section_of(title))), None)
    if section is None:
        section = RecordSection.CHARACTERISTICS if is_limit_table(table) else RecordSection.OTHER
    elif not is_limit_table(table) and section is RecordSection.CHARACTERISTICS:
        section = RecordSection.OTHER
    elif section is RecordSection.FEATURES and is_limit_table(table):
        section = RecordSection.CHARACTERISTICS
    stated: list[Condition] = []
    for title in _stating(table, lead, path):
        fresh = stated_conditions(title)
        taken = {condition.quantity.casefold() for condition in stated}
        stated.extend(condition for condition in fresh if condition.quantity.casefold() not in taken)
    if not stated and is_limit_table(table):
        title = _page_title(parsed, table.page)
        if section_of(title) in (None, section):  # the characteristics' conditions do not hold for the ratings above
            stated.extend(stated_conditions(title))
    told = any(found for title in titles if title and (found := section_of(title)))
    return TableContext(path, section, tuple(stated), note_texts(table.notes), _doubts(table, section, told))


def _doubts(table: Table, section: RecordSection, told: bool) -> tuple[str, ...]:
    """What contradicts the kind of a table, or its header: ratings have no typical values, and only ratings limit what
    a part may be stored or soldered at. OCR and lost headings lead there."""
    found: list[str] = []
    usual = [i for i, column in enumerate(table.columns) if column_kind(column) is LimitKind.TYP]
    typical = any(parse_quantity(row.cells[i].text) is not None for row in table.rows for i in usual)
    if section is RecordSection.ABSOLUTE_MAXIMUM and typical:
        found.append("a table under the ratings gives typical values: its kind is not certain")
    stored = sum(_RATED_ONLY.search(" ".join(cell.text for cell in row.cells[:2])) is not None for row in table.rows)
    if section is RecordSection.CHARACTERISTICS and not told and stored > 1:
        found.append("no title says what limits these are, and they read like ratings")
    if any(_RUN_TOGETHER.search(column.name) for column in table.columns):
        found.append("the table's title and header run into one another")
    return tuple(found)


def _stating(table: Table, lead: str, path: tuple[str, ...]) -> list[str]:
    """Texts whose conditions hold for every row: caption, lead-in, nearest titles, and notes that say so."""
    for_all = [
        note for note in table.notes if re.search(r"unless|otherwise|all (?:limits|values)", note, re.IGNORECASE)
    ]
    return [table.caption, lead, *for_all, *reversed(path[-2:])]


def _page_title(parsed: ParsedDocument, page: int) -> str:
    """The one title of a page that states conditions behind it, which its outline may have left out."""
    text = parsed.pages[page - 1].text if page <= len(parsed.pages) else ""
    found = {match.group().strip() for match in _TITLE.finditer(text)}
    return found.pop() if len(found) == 1 else ""


def _lead_in(parsed: ParsedDocument, index: int) -> str:
    """The paragraph right above a table when it states conditions for it ("VCC = 5 V unless otherwise noted")."""
    for position, block in enumerate(parsed.blocks):
        if block.kind is BlockKind.TABLE and block.table == index and position:
            above = parsed.blocks[position - 1]
            close = above.kind in (BlockKind.PARAGRAPH, BlockKind.NOTE) and above.heading == block.heading
            if close and len(above.text) < 400 and (_says_all(above.text) or section_of(above.text[:80])):
                return above.text
    return ""


def _says_all(text: str) -> bool:
    if re.search(r"unless|otherwise|valid for|specified (?:at|for|over)|conditions", text, re.IGNORECASE):
        return True
    read = parse_conditions(text)
    return bool(read) and all(condition.relation for condition in read)
