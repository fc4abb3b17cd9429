"""The parameter store: records in SQLite beside the catalogue, replaced with their document.

Distinct names are indexed once (full-text over their words), records by (name, unit, value): a question touches a few
thousand names and a few hundred records however large the library is. Only what a caller gets back is decoded.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from engine.core.ids import DocumentId
from engine.core.model import Box, Condition, LimitKind, ParameterRecord, RecordSection
from engine.core.naming import name_words, symbol_key
from engine.core.ports import RecordFilter, RecordName
from engine.store import corrections
from engine.store.database import Connections, plain_errors

_TABLES = """
CREATE TABLE IF NOT EXISTS record_documents (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS record_names (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, parameter TEXT NOT NULL, symbol TEXT NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS record_words USING fts5(words, content='', tokenize='unicode61 remove_diacritics 0');
CREATE TABLE IF NOT EXISTS records (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    document INTEGER NOT NULL,
    name INTEGER NOT NULL,
    kind TEXT NOT NULL,
    section TEXT NOT NULL,
    unit TEXT NOT NULL,
    low REAL,
    high REAL,
    confidence REAL NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS records_document ON records (document);
DROP INDEX IF EXISTS records_name;
CREATE INDEX IF NOT EXISTS records_reach ON records (name, unit, high, low, kind, document);
"""
_COLUMNS = "r.id, d.id, n.parameter, n.symbol, r.kind, r.section, r.unit, r.low, r.high, r.confidence, r.body"
_JOINED = "records r JOIN record_documents d ON d.number = r.document JOIN record_names n ON n.number = r.name"
_CHUNK = 5000
_FEW_DOCUMENTS = 64


class RecordStore:
    """Implements :class:`RecordIndex` over `path`, the library's database. Any thread may call.

    Raises KnownError when the file cannot be used.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._connections = Connections(path, read_only=read_only)
        self._connections.create(_TABLES)
        if not read_only:
            with plain_errors(path):
                corrections.make_tables(self._connections.get())

    def close(self) -> None:
        self._connections.close()

    # --- writing ------------------------------------------------------------------------------------------------------

    def replace(self, database: Database, document: DocumentId, records: Sequence[ParameterRecord]) -> None:
        """Put a document's records in place of its old ones, inside the caller's transaction; the user's corrections
        are applied again."""
        self.forget(database, [document])
        run = database.conn.execute
        run("INSERT OR IGNORE INTO record_documents (id) VALUES (?)", (document,))
        (number,) = run("SELECT number FROM record_documents WHERE id = ?", (document,)).fetchone()
        corrected = corrections.apply(records, corrections.corrections_of(database, document))
        names: dict[str, int] = {}
        rows = []
        for record in corrected:
            key = _name_key(record)
            if key not in names:
                names[key] = _name_number(database, key, record)
            rows.append(_row(record, int(number), names[key]))
        database.conn.executemany(
            "INSERT INTO records (id, document, name, kind, section, unit, low, high, confidence, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def forget(self, database: Database, documents: Sequence[str]) -> None:
        """Drop the records of documents, inside the caller's transaction, and the names that only they bore.
        Corrections stay: the file may come back."""
        run = database.conn.execute
        for document in documents:
            found = run("SELECT number FROM record_documents WHERE id = ?", (document,)).fetchone()
            if found is None:
                continue
            names = run("SELECT DISTINCT name FROM records WHERE document = ?", found).fetchall()
            run("DELETE FROM records WHERE document = ?", found)
            run("DELETE FROM record_documents WHERE number = ?", found)
            for name in names:
                _drop_unborne(database, name[0])

    def put(self, document: DocumentId, records: Sequence[ParameterRecord]) -> None:
        """:meth:`replace` in a transaction of its own."""
        with self._connections.transaction() as database:
            self.replace(database, document, records)

    # --- reading ------------------------------------------------------------------------------------------------------

    def records(self, documents: Sequence[DocumentId] | None = None) -> Iterator[ParameterRecord]:
        """Every record (of some documents), in document and reading order."""
        if documents is None:
            yield from self._read("1 ORDER BY r.document, r.number", ())
            return
        for document in documents:
            yield from self._read("d.id = ? ORDER BY r.number", (document,))

    def count(self, wanted: RecordFilter | None = None) -> int:
        where, values = ("1", list[object]()) if wanted is None else _where(wanted)
        most = "" if wanted is None else f" LIMIT {int(wanted.limit)}"
        with plain_errors(self.path):
            run = self._connections.get().conn.execute
            row = run(f"SELECT count(*) FROM (SELECT 1 FROM records r WHERE {where}{most})", tuple(values)).fetchone()
        return int(row[0])

    def giving(self, wanted: RecordFilter) -> tuple[DocumentId, ...]:
        where, values = _where(wanted)
        order, way = ("max(r.low)", "DESC") if wanted.descending else ("min(r.high)", "ASC")
        with plain_errors(self.path):
            cursor = self._connections.get().conn.execute(
                f"SELECT d.id FROM (SELECT r.document AS number, {order} AS reach FROM records r WHERE {where}"
                f" GROUP BY r.document ORDER BY reach {way} LIMIT {int(wanted.limit)}) best"
                f" JOIN record_documents d ON d.number = best.number ORDER BY reach {way}",
                tuple(values),
            )
            return tuple(DocumentId(row[0]) for row in cursor)

    def names(self, alternatives: Sequence[Sequence[str]], limit: int = 2000) -> list[RecordName]:
        phrases = [" ".join(f'"{word}"' for word in words if word and '"' not in word) for words in alternatives]
        query = " OR ".join(f"({phrase})" for phrase in dict.fromkeys(phrases) if phrase)
        if not query:
            return []
        with plain_errors(self.path):
            cursor = self._connections.get().execute(
                "SELECT number, parameter, symbol FROM record_names WHERE number IN"
                " (SELECT rowid FROM record_words WHERE record_words MATCH ? LIMIT ?)",
                (query, limit),
            )
            return [RecordName(*row) for row in cursor]

    def select(self, wanted: RecordFilter) -> list[ParameterRecord]:
        where, values = _where(wanted)
        order = ""
        if wanted.unit is not None or wanted.above is not None or wanted.below is not None:
            order = " ORDER BY r.low DESC" if wanted.descending else " ORDER BY r.high"
        return list(self._read(f"{where}{order} LIMIT {int(wanted.limit)}", values))

    def _read(self, where: str, values: Sequence[object]) -> Iterator[ParameterRecord]:
        with plain_errors(self.path):
            cursor = self._connections.get().conn.execute(
                f"SELECT {_COLUMNS} FROM {_JOINED} WHERE {where}", tuple(values)
            )
            while chunk := cursor.fetchmany(_CHUNK):
                yield from map(_record, chunk)

    # --- corrections --------------------------------------------------------------------------------------------------

    def record(self, identity: str) -> ParameterRecord | None:
        """The record of this id, None where there is none (any more)."""
        return next(self._read("r.id = ?", (identity,)), None)

    def correct(self, record: ParameterRecord, changes: Mapping[str, object]) -> None:
        """Keep a user's correction of a record; it outlives re-indexing and parser upgrades.

        Raises ValueError for fields that are not correctable and for a record that stands nowhere on its page.
        """
        with self._connections.transaction() as database:
            corrections.keep(database, record, changes)
            self.replace(database, record.document, list(self.records([record.document])))

    def withdraw(self, record: ParameterRecord) -> int:
        """Drop the corrections of a record's box; the parsed values are back once the document's records are made
        again. Returns how many."""
        if record.box is None:
            return 0
        with self._connections.transaction() as database:
            return corrections.drop(database, record.document, record.page, record.box)

    def corrections(self, document: DocumentId) -> list[corrections.Correction]:
        """What a user has corrected in a document, oldest first."""
        with plain_errors(self.path):
            return corrections.corrections_of(self._connections.get(), document)


def _name_key(record: ParameterRecord) -> str:
    """Index words, then what is shown: names that are read alike but printed differently stay apart."""
    words = [*name_words(record.parameter), *name_words(record.symbol), symbol_key(record.symbol)]
    if record.section in (RecordSection.OTHER, RecordSection.FEATURES):
        # Outside limit tables the row's key is what is asked for as often as its column.
        words += itertools.chain.from_iterable(name_words(c.raw) for c in record.conditions[:4] if len(c.raw) < 80)
    return f"{' '.join(dict.fromkeys(word for word in words if word))}\x1f{record.parameter}\x1f{record.symbol}"


def _name_number(database: Database, key: str, record: ParameterRecord) -> int:
    run = database.conn.execute
    if row := run("SELECT number FROM record_names WHERE key = ?", (key,)).fetchone():
        return int(row[0])
    cursor = run(
        "INSERT INTO record_names (key, parameter, symbol) VALUES (?, ?, ?)", (key, record.parameter, record.symbol)
    )
    number = int(cursor.lastrowid or 0)
    run("INSERT INTO record_words (rowid, words) VALUES (?, ?)", (number, key.partition("\x1f")[0]))
    return number


def _drop_unborne(database: Database, name: int) -> None:
    """Drop a name that no record bears any more."""
    run = database.conn.execute
    if run("SELECT 1 FROM records WHERE name = ?", (name,)).fetchone():
        return
    (key,) = run("SELECT key FROM record_names WHERE number = ?", (name,)).fetchone()
    words = key.partition("\x1f")[0]
    run("INSERT INTO record_words (record_words, rowid, words) VALUES ('delete', ?, ?)", (name, words))
    run("DELETE FROM record_names WHERE number = ?", (name,))


def _where(wanted: RecordFilter) -> tuple[str, list[object]]:
    where, values = ["1"], list[object]()
    for column, chosen in (("r.kind", wanted.kinds), ("r.section", wanted.sections)):
        if chosen:
            where.append(f"{column} IN ({','.join('?' * len(chosen))})")
            values += chosen
    if wanted.names is not None:
        where.append("r.name IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(wanted.names))
    if wanted.documents is not None:
        # "+" keeps the planner on the names' index where a restriction to many documents would read all their records.
        plus = "+" if wanted.names is not None and len(wanted.documents) > _FEW_DOCUMENTS else ""
        inside = "SELECT number FROM record_documents WHERE id IN (SELECT value FROM json_each(?))"
        where.append(f"{plus}r.document IN ({inside})")
        values.append(json.dumps(wanted.documents))
    for clause, value in (("r.unit = ?", wanted.unit), ("r.low < ?", wanted.below)):
        if value is not None:
            where.append(clause)
            values.append(value)
    if wanted.above is not None:
        where.append("(r.high > ? OR r.low < ?)")  # currents and PNP voltages are printed with a minus sign
        values += [wanted.above, -abs(wanted.above)]
    if wanted.least_confidence:
        where.append("r.confidence >= ?")
        values.append(wanted.least_confidence)
    return " AND ".join(where), values


def _box(box: Box | None) -> list[float] | None:
    return None if box is None else [round(v, 2) for v in (box.x0, box.y0, box.x1, box.y1)]


def _row(record: ParameterRecord, document: int, name: int) -> tuple[object, ...]:
    body = (
        record.table, record.row, record.column, record.parts, record.value_raw, record.unit_raw,
        [(c.raw, c.quantity, c.relation, c.low, c.high, c.unit) for c in record.conditions], record.caption,
        record.path, record.page, _box(record.box), _box(record.row_box), record.doubts, record.corrected,
    )  # fmt: skip
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return (
        record.id, document, name, record.kind.value, record.section.value, record.unit, record.low, record.high,
        record.confidence, text,
    )  # fmt: skip


def _record(row: tuple[Any, ...]) -> ParameterRecord:
    identity, document, parameter, symbol, kind, section, unit, low, high, confidence, body = row
    table, line, column, parts, value, unit_raw, conditions, caption, path, page, box, row_box, doubts, fixed = (
        json.loads(body)
    )
    return ParameterRecord(
        identity, document, table, line, column, tuple(parts), parameter, symbol, LimitKind(kind),
        RecordSection(section), value, unit_raw, low, high, unit, tuple(Condition(*c) for c in conditions), caption,
        tuple(path), page, Box(*box) if box else None, Box(*row_box) if row_box else None, confidence, tuple(doubts),
        fixed,
    )  # fmt: skip
