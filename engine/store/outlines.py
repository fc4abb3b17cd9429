"""Outlines a user has corrected, kept by document hash so that they survive re-indexing and a better parser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from engine.core.ids import DocumentId
from engine.core.model import Box, OutlineEntry
from engine.store.database import Connections, plain_errors

_TABLE = "CREATE TABLE IF NOT EXISTS user_outlines (document TEXT PRIMARY KEY, entries TEXT NOT NULL) WITHOUT ROWID"


class OutlineStore:
    """User outlines in the library's database at `path`. Any thread may call; raises KnownError when it cannot."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._connections = Connections(path, read_only=read_only)
        self._connections.create(_TABLE)

    def close(self) -> None:
        self._connections.close()

    def get(self, document: DocumentId) -> tuple[OutlineEntry, ...] | None:
        """The outline the user gave a document, None if they left the parser's alone."""
        with plain_errors(self.path):
            row = (
                self._connections.get()
                .execute("SELECT entries FROM user_outlines WHERE document = ?", (document,))
                .fetchone()
            )
        return None if row is None else tuple(_entry(fields) for fields in json.loads(row[0]))

    def put(self, document: DocumentId, entries: Sequence[OutlineEntry]) -> None:
        """Keep `entries` as the document's outline; an empty one means a document without headings."""
        fields = [
            [e.title, e.level, e.page, [e.box.x0, e.box.y0, e.box.x1, e.box.y1] if e.box else None] for e in entries
        ]
        with self._connections.transaction() as database:
            database.execute(
                "INSERT OR REPLACE INTO user_outlines (document, entries) VALUES (?, ?)",
                (document, json.dumps(fields, ensure_ascii=False)),
            )

    def drop(self, document: DocumentId) -> None:
        """Go back to the parser's outline."""
        with self._connections.transaction() as database:
            database.execute("DELETE FROM user_outlines WHERE document = ?", (document,))


def _entry(fields: Sequence[object]) -> OutlineEntry:
    title, level, page, box = fields
    place = Box(*map(float, box)) if isinstance(box, list) else None
    return OutlineEntry(str(title), int(str(level)), int(str(page)), place)
