"""A user's corrections of records, kept by document hash, page and box: they outlive the parser that read the value."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlite_utils import Database

from engine.core.model import Box, LimitKind, ParameterRecord, RecordSection

TABLES = """
CREATE TABLE IF NOT EXISTS record_corrections (
    number INTEGER PRIMARY KEY, document TEXT NOT NULL, page INTEGER NOT NULL,
    x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL, y1 REAL NOT NULL,
    changes TEXT NOT NULL, at TEXT NOT NULL DEFAULT (datetime('now')), printed TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS record_corrections_document ON record_corrections (document);
"""
CORRECTABLE = ("parameter", "symbol", "kind", "value_raw", "unit_raw", "low", "high", "unit", "parts", "section")
_SAME_BOX = 0.5
"""Overlap (intersection over the smaller box) from which a correction's box is a record's box."""


@dataclasses.dataclass(frozen=True, slots=True)
class Correction:
    """`printed` is what was read at `box` when the user corrected it; `changes` set fields of CORRECTABLE."""

    page: int
    box: Box
    changes: Mapping[str, object]
    printed: str = ""
    at: str = ""
    number: int = 0


def make_tables(database: Database) -> None:
    """Create the table, or add what an older program did not note."""
    database.conn.executescript(TABLES)
    columns = {row[1] for row in database.execute("PRAGMA table_info(record_corrections)")}
    if "printed" not in columns:
        database.execute("ALTER TABLE record_corrections ADD COLUMN printed TEXT NOT NULL DEFAULT ''")


def corrections_of(database: Database, document: str) -> list[Correction]:
    """The corrections of a document, oldest first."""
    cursor = database.execute(
        "SELECT page, x0, y0, x1, y1, changes, printed, at, number FROM record_corrections WHERE document = ?"
        " ORDER BY number",
        (document,),
    )
    return [Correction(row[0], Box(*row[1:5]), json.loads(row[5]), *row[6:]) for row in cursor]


def keep(database: Database, record: ParameterRecord, changes: Mapping[str, object]) -> None:
    """Note what a user changes in a record; a second correction of the same value adds to the first.

    Raises ValueError for a field that is not correctable, and for a record that stands nowhere on its page.
    """
    if unknown := set(changes) - set(CORRECTABLE):
        raise ValueError(f"not correctable: {', '.join(sorted(unknown))}")
    if (box := record.box) is None:
        raise ValueError("a record without a box cannot be found again")
    printed = record.value_raw
    for one in corrections_of(database, record.document) if record.corrected else ():
        same = one.page == record.page and _overlap(one.box, box)
        if same and one.changes.get("value_raw", one.printed) == record.value_raw:
            changes, printed = {**one.changes, **changes}, one.printed
            database.execute("DELETE FROM record_corrections WHERE number = ?", (one.number,))
    database.execute(
        "INSERT INTO record_corrections (document, page, x0, y0, x1, y1, changes, printed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.document, record.page, box.x0, box.y0, box.x1, box.y1,
            json.dumps(dict(changes), ensure_ascii=False), printed,
        ),
    )  # fmt: skip


def drop(database: Database, document: str, page: int, box: Box) -> int:
    """Forget the corrections of one box. Returns how many."""
    wanted = [one for one in corrections_of(database, document) if one.page == page and _overlap(one.box, box)]
    database.conn.executemany("DELETE FROM record_corrections WHERE number = ?", [(one.number,) for one in wanted])
    return len(wanted)


def apply(records: Sequence[ParameterRecord], corrections: Sequence[Correction]) -> Iterator[ParameterRecord]:
    """The records with the corrections made.

    Where several values stand in one box (a bullet with two figures) only the one that was corrected is meant; where
    a new parser reads another text there, the box alone decides.
    """
    changed = {record.id: record for record in records}
    for correction in corrections:
        there = [one for one in records if one.box is not None and one.page == correction.page]
        there = [one for one in there if one.box is not None and _overlap(one.box, correction.box)]
        meant = [one for one in there if one.value_raw == _text_of(one, correction)] or there
        changed.update((one.id, _corrected(changed[one.id], correction.changes)) for one in meant)
    return (changed[record.id] for record in records)


def _text_of(record: ParameterRecord, correction: Correction) -> object:
    """What a record says that the correction is of: what was printed, or what the correction has put there."""
    return correction.changes.get("value_raw", correction.printed) if record.corrected else correction.printed


def _corrected(record: ParameterRecord, changes: Mapping[str, object]) -> ParameterRecord:
    read = dict(changes)
    if "kind" in read:
        read["kind"] = LimitKind(str(read["kind"]))
    if "section" in read:
        read["section"] = RecordSection(str(read["section"]))
    if isinstance(read.get("parts"), Iterable):
        read["parts"] = tuple(read["parts"])  # type: ignore[arg-type]
    return dataclasses.replace(record, **read, corrected=True, confidence=1.0, doubts=())  # type: ignore[arg-type]


def _overlap(left: Box, right: Box) -> bool:
    width = min(left.x1, right.x1) - max(left.x0, right.x0)
    height = min(left.y1, right.y1) - max(left.y0, right.y0)
    smaller = min((b.x1 - b.x0) * (b.y1 - b.y0) for b in (left, right))
    return width > 0 and height > 0 and smaller > 0 and width * height >= _SAME_BOX * smaller
