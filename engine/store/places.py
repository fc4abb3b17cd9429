"""Where documents lie: the catalogue's write side for what a scan finds.

A file that has changed goes on serving its former content until the new is indexed (or has failed): its place then
names both documents. Every method is one SQLite transaction; whoever calls holds the library's writer lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlite_utils import Database

from engine.core.ids import DocumentId
from engine.core.results import FileProblem
from engine.store.catalog import Catalog
from engine.store.database import bump_state, plain_errors

Forget = Callable[[Database, Sequence[str]], None]
"""Told, inside the transaction, which documents are gone."""
PER_DOCUMENT = ("pages", "segments", "ledger")


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Where a document lies, with what tells that the file has not changed since. `name` is the key: the NFC form."""

    folder: str
    name: str
    file: str
    document: DocumentId
    size: int
    mtime_ns: int
    ctime_ns: int
    former: str = ""
    """The document it held before its file changed, until the new is indexed."""


@dataclass(frozen=True, slots=True)
class Root:
    """A watched folder as the last scan found it: `status` is "present" or "missing", `note` says why.

    `device` is the number of the file system that held it when files were last seen in it, 0 if never.
    """

    status: str
    note: str = ""
    device: int = 0


@dataclass(frozen=True, slots=True)
class ScanOutcome:
    """What a scan changes, applied in one transaction."""

    upserts: tuple[PlaceRow, ...] = ()
    removals: tuple[tuple[str, str], ...] = ()
    """(folder, name) of places that are gone."""
    skipped: Mapping[str, tuple[FileProblem, ...]] | None = None
    """Per watched folder that could be scanned."""
    roots: Mapping[str, Root] | None = None
    restamps: tuple[PlaceRow, ...] = ()
    """Places whose document is the same but whose times are now known: nothing a reader could notice."""


class Places:
    """Writes places to a catalogue; `forget` empties the other tables of documents that go."""

    def __init__(self, catalog: Catalog, forget: Sequence[Forget] = ()) -> None:
        self._catalog = catalog
        self._connections = catalog.connections
        self._forget = tuple(forget)

    def known(self) -> dict[tuple[str, str], PlaceRow]:
        """Every place, by (folder, name)."""
        with plain_errors(self._catalog.path):
            cursor = self._connections.get().execute(
                "SELECT folder, name, file, document, size, mtime_ns, ctime_ns FROM places"
            )
            return {(row[0], row[1]): PlaceRow(*row) for row in cursor}

    def roots(self) -> dict[str, Root]:
        with plain_errors(self._catalog.path):
            cursor = self._connections.get().execute("SELECT folder, status, note, device FROM roots")
            return {row[0]: Root(*row[1:]) for row in cursor}

    def apply(self, outcome: ScanOutcome) -> int:
        """Record a scan: new, changed and moved places, vanished ones. Returns how many documents went."""
        with self._connections.transaction() as database:
            changed = self._write(database, outcome)
            gone = drop_orphans(database, self._forget)
            if changed or gone:
                bump_state(database)
        return gone

    def forget_folders(self, keep: Sequence[str]) -> int:
        """Drop the places of folders that are no longer watched. Returns how many documents went."""
        left = [folder for folder in self._folders() if folder not in keep]
        if not left:
            return 0
        gone = tuple(key for key in self.known() if key[0] in left)
        with self._connections.transaction() as database:
            for table in ("roots", "skips"):
                database.conn.executemany(f"DELETE FROM {table} WHERE folder = ?", [(folder,) for folder in left])
        return self.apply(ScanOutcome(removals=gone)) if gone else 0

    def _folders(self) -> list[str]:
        """Every folder that anything is remembered of."""
        with plain_errors(self._catalog.path):
            cursor = self._connections.get().execute(
                "SELECT folder FROM roots UNION SELECT folder FROM skips UNION SELECT folder FROM places"
            )
            return [row[0] for row in cursor]

    def _write(self, database: Database, outcome: ScanOutcome) -> bool:
        run = database.conn.executemany
        run("DELETE FROM places WHERE folder = ? AND name = ?", outcome.removals)
        run("INSERT OR IGNORE INTO documents (id) VALUES (?)", [(p.document,) for p in outcome.upserts])
        run(
            "INSERT INTO places (folder, name, file, document, size, mtime_ns, ctime_ns) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (folder, name) DO UPDATE SET file = excluded.file, size = excluded.size,"
            " mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, document = excluded.document,"
            " former = CASE WHEN document = excluded.document THEN former"
            " WHEN (SELECT generation FROM documents WHERE id = places.document) IS NOT NULL THEN document"
            " ELSE former END",
            [
                (p.folder, p.name, p.file, p.document, p.size, p.mtime_ns, p.ctime_ns)
                for p in (*outcome.upserts, *outcome.restamps)
            ],
        )
        database.execute(
            "UPDATE places SET former = '' WHERE former != '' AND document IN"
            " (SELECT id FROM documents WHERE status != 'pending')"  # known already: indexed, or failed
        )
        run(
            "INSERT OR REPLACE INTO roots (folder, status, note, device) VALUES (?, ?, ?, ?)",
            [(folder, root.status, root.note, root.device) for folder, root in (outcome.roots or {}).items()],
        )
        for folder, problems in (outcome.skipped or {}).items():
            database.execute("DELETE FROM skips WHERE folder = ?", (folder,))
            run(
                "INSERT OR REPLACE INTO skips (folder, file, reason) VALUES (?, ?, ?)",
                [(folder, problem.file, problem.reason) for problem in problems],
            )
        return bool(outcome.removals or outcome.upserts)


def settle(database: Database, document: DocumentId, forget: Sequence[Forget]) -> None:
    """A document is indexed, or has failed: what lay in its places before need not serve any longer."""
    database.execute("UPDATE places SET former = '' WHERE document = ?", (document,))
    drop_orphans(database, forget)


def drop_orphans(database: Database, forget: Sequence[Forget]) -> int:
    """Delete documents that no place names. Returns how many."""
    orphans = [
        row[0]
        for row in database.execute(
            "SELECT id FROM documents WHERE NOT EXISTS (SELECT 1 FROM places WHERE places.document = documents.id)"
            " AND NOT EXISTS (SELECT 1 FROM places WHERE places.former = documents.id)"
        )
    ]
    if orphans:
        for table in PER_DOCUMENT:
            database.conn.executemany(f"DELETE FROM {table} WHERE document = ?", [(one,) for one in orphans])
        database.conn.executemany("DELETE FROM documents WHERE id = ?", [(one,) for one in orphans])
        for tell in forget:
            tell(database, orphans)
    return len(orphans)
