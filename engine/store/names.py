"""The gazetteer's entries in SQLite beside the catalogue, replaced with their document (algorithms.md section 3).

Links are not stored: they are what the present entries find in a text, so they can be neither stale nor missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from sqlite_utils import Database

from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import NameEntry, NameKind
from engine.store.database import Connections, plain_errors

_TABLES = """
CREATE TABLE IF NOT EXISTS names (
    key TEXT NOT NULL,
    document TEXT NOT NULL,
    segment TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (key, document, segment)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS names_document ON names (document);
"""
_COLUMNS = "key, name, kind, document, segment"
_OPENERS = """
WITH asked(word) AS (VALUES {})
SELECT word FROM asked WHERE EXISTS (SELECT 1 FROM names WHERE key >= word AND key < word || '!')
"""
"""A phrase's words are parted by blanks, the character before the exclamation mark."""
_ASK = 900


class NameStore:
    """Implements :class:`NameSource` over `path`, the library's database. Any thread may call.

    Raises KnownError when the file cannot be used.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._connections = Connections(path, read_only=read_only)
        self._connections.create(_TABLES)

    def close(self) -> None:
        self._connections.close()

    # --- writing ------------------------------------------------------------------------------------------------------

    def replace(self, database: Database, document: DocumentId, entries: Sequence[NameEntry]) -> None:
        """Put a document's names in place of its old ones, inside the caller's transaction."""
        self.forget(database, [document])
        database.conn.executemany(
            "INSERT OR REPLACE INTO names (key, document, segment, kind, name) VALUES (?, ?, ?, ?, ?)",
            [(entry.key, document, entry.segment or "", entry.kind.value, entry.name) for entry in entries],
        )

    def forget(self, database: Database, documents: Sequence[str]) -> None:
        """Drop the names of documents, inside the caller's transaction."""
        database.conn.executemany("DELETE FROM names WHERE document = ?", [(document,) for document in documents])

    def put(self, document: DocumentId, entries: Sequence[NameEntry]) -> None:
        """:meth:`replace` in a transaction of its own."""
        with self._connections.transaction() as database:
            self.replace(database, document, entries)

    # --- reading ------------------------------------------------------------------------------------------------------

    def find(self, keys: Collection[str]) -> list[NameEntry]:
        wanted = sorted({key for key in keys if key})
        found: list[NameEntry] = []
        for start in range(0, len(wanted), _ASK):
            chunk = wanted[start : start + _ASK]
            marks = ",".join("?" * len(chunk))
            found += self._read(f"key IN ({marks}) ORDER BY key, document, segment", chunk)
        return found

    def openers(self, words: Collection[str]) -> set[str]:
        wanted = sorted({word for word in words if word})
        found: set[str] = set()
        for start in range(0, len(wanted), _ASK):
            chunk = wanted[start : start + _ASK]
            values = ",".join(["(?)"] * len(chunk))
            with plain_errors(self.path):
                found.update(word for (word,) in self._connections.get().execute(_OPENERS.format(values), chunk))
        return found

    def starting(self, prefix: str, limit: int) -> list[NameEntry]:
        if not prefix:
            return []
        where = "key >= ? AND key < ? AND kind = ? ORDER BY key, document, segment LIMIT ?"
        return list(self._read(where, (prefix, prefix + "\uffff", NameKind.PART.value, limit)))

    def named(self, documents: Sequence[DocumentId]) -> list[NameEntry]:
        return [
            entry
            for document in dict.fromkeys(documents)
            for entry in self._read("document = ? ORDER BY key, segment", (document,))
        ]

    def count(self) -> int:
        with plain_errors(self.path):
            return int(self._connections.get().execute("SELECT count(*) FROM names").fetchone()[0])

    def _read(self, where: str, values: Sequence[str | int]) -> Iterator[NameEntry]:
        with plain_errors(self.path):
            cursor = self._connections.get().execute(f"SELECT {_COLUMNS} FROM names WHERE {where}", tuple(values))
            for key, name, kind, document, segment in cursor:
                yield NameEntry(
                    key, name, NameKind(kind), DocumentId(document), SegmentId(segment) if segment else None
                )
