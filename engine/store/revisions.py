"""Revision entries in SQLite beside the catalogue, replaced with their document."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from pathlib import Path

from sqlite_utils import Database

from engine.core.ids import DocumentId
from engine.core.revision_ports import RevisionEntry
from engine.store.database import Connections, plain_errors

_TABLE = """
CREATE TABLE IF NOT EXISTS revisions (
    document TEXT PRIMARY KEY, keys TEXT NOT NULL, subject TEXT NOT NULL, code TEXT NOT NULL, date TEXT NOT NULL,
    sketch BLOB NOT NULL, triples INTEGER NOT NULL
) WITHOUT ROWID;
"""


class RevisionStore:
    """Implements :class:`RevisionEntries` over `path`, the library's database. Any thread may call.

    Raises KnownError when the file cannot be used.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._connections = Connections(path, read_only=read_only)
        self._connections.create(_TABLE)

    def close(self) -> None:
        self._connections.close()

    def replace(self, database: Database, entry: RevisionEntry) -> None:
        """Put a document's entry in place of its old one, inside the caller's transaction."""
        database.execute(
            "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                entry.document,
                json.dumps(entry.keys, ensure_ascii=False),
                json.dumps(entry.subject, ensure_ascii=False),
                entry.code,
                entry.date,
                array("Q", entry.sketch).tobytes(),
                entry.triples,
            ),
        )

    def forget(self, database: Database, documents: Sequence[str]) -> None:
        """Drop the entries of documents, inside the caller's transaction."""
        database.conn.executemany("DELETE FROM revisions WHERE document = ?", [(document,) for document in documents])

    def entries(self) -> list[RevisionEntry]:
        with plain_errors(self.path):
            cursor = self._connections.get().execute("SELECT * FROM revisions ORDER BY document")
            return [
                RevisionEntry(
                    DocumentId(document),
                    tuple(json.loads(keys)),
                    tuple(json.loads(subject)),
                    code,
                    date,
                    tuple(array("Q", sketch)),
                    triples,
                )
                for document, keys, subject, code, date, sketch, triples in cursor
            ]
