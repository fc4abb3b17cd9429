"""The catalogue's write side for documents: generations, and which stage of which document was made by which version.

Every method is one SQLite transaction; whoever calls holds the library's writer lock.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from sqlite_utils import Database

from engine.core.ids import DocumentId
from engine.core.model import PageStatus, ParsedDocument
from engine.core.ports import DocumentBundle
from engine.core.results import DocumentStatus
from engine.store import rows
from engine.store.catalog import Catalog
from engine.store.database import bump_state, plain_errors, set_meta
from engine.store.places import PER_DOCUMENT, Forget, PlaceRow, settle

Write = Callable[[Database], None]
"""Something another store adds to a transaction."""
TRIED = "tried"
"""Stage of failed documents only: with what they were tried."""


class Ledger:
    """Writes to a catalogue; `forget` empties the other tables of documents that go. Not for two threads at once."""

    def __init__(self, catalog: Catalog, forget: Sequence[Forget] = ()) -> None:
        self._catalog = catalog
        self._connections = catalog.connections
        self._forget = tuple(forget)

    # --- what is known ------------------------------------------------------------------------------------------------

    def pending(self, stages: Mapping[str, str], attempt: str = "") -> list[PlaceRow]:
        """One place of every document that some stage has not been made of by these versions, in order of name.

        Failed documents are among them only when a version, or `attempt`, has changed since they were tried.
        """
        made = " OR ".join(["(stage = ? AND version = ?)"] * len(stages)) or "0"
        first: dict[DocumentId, PlaceRow] = {}
        with plain_errors(self._catalog.path):
            # The cost goes by what is pending: a library of thousands is brought up to date after every saved file.
            cursor = self._connections.get().execute(
                "WITH due AS (SELECT id FROM documents WHERE"
                f" (SELECT count(*) FROM ledger WHERE document = id AND ({made})) != ?"
                " OR EXISTS (SELECT 1 FROM ledger WHERE document = id AND stage = ? AND version != ?))"
                " SELECT folder, name, file, document, size, mtime_ns, ctime_ns, former"
                " FROM due JOIN places ON document = id"
                " WHERE folder NOT IN (SELECT folder FROM roots WHERE status = 'missing') ORDER BY folder, name",
                (*chain.from_iterable(stages.items()), len(stages), TRIED, attempt),
            )
            for row in cursor:
                first.setdefault(row[3], PlaceRow(*row))
        return list(first.values())

    # --- generations --------------------------------------------------------------------------------------------------

    def begin_generation(self) -> int:
        """A new generation, invisible until :meth:`commit`."""
        with self._connections.transaction() as database:
            cursor = database.execute("INSERT INTO generations (state, started) VALUES ('writing', ?)", (_now(),))
            return int(cursor.lastrowid or 0)

    def commit(
        self,
        generation: int,
        bundles: Sequence[DocumentBundle],
        stages: Mapping[str, str],
        *,
        vectors: str,
        vector_version: int,
        writes: Sequence[Write] = (),
    ) -> None:
        """Make a generation visible: all rows of its documents replaced, the vector table and version noted.

        A document whose last place went meanwhile is left out; its rows in the other stores are leftovers.
        """
        with self._connections.transaction() as database:
            for bundle in bundles:
                self._write_document(database, generation, bundle, stages)
                settle(database, bundle.document, self._forget)
            for write in writes:
                write(database)
            set_meta(database, "vectors", vectors)
            set_meta(database, "vector_version", str(vector_version))
            database.execute(
                "UPDATE generations SET state = 'visible', vector_version = ? WHERE id = ?",
                (vector_version, generation),
            )
            database.execute(
                "DELETE FROM generations WHERE id < ? AND id NOT IN"
                " (SELECT generation FROM documents WHERE generation IS NOT NULL)",
                (generation,),
            )
            bump_state(database)

    def _write_document(
        self, database: Database, generation: int, bundle: DocumentBundle, stages: Mapping[str, str]
    ) -> None:
        document, parsed = bundle.document, bundle.parsed
        _clear_document(database, document)
        status, reason, needs_ocr = outcome_of(parsed, len(bundle.segments))
        database.execute(
            "INSERT INTO documents (id, title, kind, status, pages, segments, reason, needs_ocr, parts, warnings,"
            " facts, metadata, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET title = excluded.title, kind = excluded.kind, status = excluded.status,"
            " pages = excluded.pages, segments = excluded.segments, reason = excluded.reason,"
            " needs_ocr = excluded.needs_ocr, parts = excluded.parts, warnings = excluded.warnings,"
            " facts = excluded.facts, metadata = excluded.metadata,"
            " generation = excluded.generation",
            (
                document,
                parsed.title,
                parsed.kind.value,
                status.value,
                len(parsed.pages),
                len(bundle.segments),
                reason,
                json.dumps(needs_ocr),
                rows.text_list(bundle.parts),
                rows.text_list(parsed.warnings),
                rows.text_list(parsed.facts),
                json.dumps(dict(parsed.metadata), ensure_ascii=False),
                None if status is DocumentStatus.FAILED else generation,
            ),
        )
        run = database.conn.executemany
        run("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [rows.page_row(document, p) for p in parsed.pages])
        run(
            "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [rows.segment_row(segment) for segment in bundle.segments],
        )
        _note_stages(database, document, stages)

    def fail(
        self,
        document: DocumentId,
        reason: str,
        stages: Mapping[str, str],
    ) -> None:
        """A document that could not be read: nothing of it is visible, the reason is; the stages say when to retry."""
        with self._connections.transaction() as database:
            _clear_document(database, document)
            for tell in self._forget:
                tell(database, [document])
            database.execute(
                "UPDATE documents SET status = 'failed', reason = ?, generation = NULL, pages = 0, segments = 0,"
                " needs_ocr = '[]', parts = '[]', warnings = '[]' WHERE id = ?",
                (reason, document),
            )
            _note_stages(database, document, stages)
            settle(database, document, self._forget)
            bump_state(database)

    def note_vectors(self, table: str, version: int) -> None:
        """The vector store is at a new version that holds the same visible rows (after compaction or repair)."""
        with self._connections.transaction() as database:
            set_meta(database, "vectors", table)
            set_meta(database, "vector_version", str(version))

    def switch_vectors(self, table: str, version: int, generations: Mapping[DocumentId, int], stage: str) -> None:
        """Let another vector table serve, with the generations its rows carry."""
        with self._connections.transaction() as database:
            database.conn.executemany(
                "UPDATE documents SET generation = ? WHERE id = ?",
                [(generation, document) for document, generation in generations.items()],
            )
            for document in generations:
                _note_stages(database, document, {"embedded": stage})
            set_meta(database, "vectors", table)
            set_meta(database, "vector_version", str(version))
            bump_state(database)

    def forget_stages(self, documents: Iterable[DocumentId], stages: Sequence[str]) -> None:
        """Have stages made again at the next run (retry of a failure, a lost store)."""
        with self._connections.transaction() as database:
            database.conn.executemany(
                "DELETE FROM ledger WHERE document = ? AND stage = ?",
                [(document, stage) for document in documents for stage in stages],
            )

    def retry(self, documents: Sequence[DocumentId] | None = None) -> int:
        """Have failed documents (all, or those given) tried again at the next run. Returns how many."""
        with self._connections.transaction() as database:
            failed = [row[0] for row in database.execute("SELECT id FROM documents WHERE status = 'failed'")]
            chosen = failed if documents is None else [one for one in documents if one in set(failed)]
            database.conn.executemany("DELETE FROM ledger WHERE document = ?", [(one,) for one in chosen])
        return len(chosen)

    def set_meta(self, key: str, value: str) -> None:
        with self._connections.transaction() as database:
            set_meta(database, key, value)

    # --- jobs ---------------------------------------------------------------------------------------------------------

    def start_job(self, kind: str) -> int:
        with self._connections.transaction() as database:
            cursor = database.execute("INSERT INTO jobs (kind, started) VALUES (?, ?)", (kind, _now()))
            number = int(cursor.lastrowid or 0)
            database.execute("DELETE FROM jobs WHERE id <= ?", (number - 200,))
            return number

    def finish_job(self, job: int, outcome: str, report: Mapping[str, object]) -> None:
        with self._connections.transaction() as database:
            database.execute(
                "UPDATE jobs SET finished = ?, outcome = ?, report = ? WHERE id = ?",
                (_now(), outcome, json.dumps(dict(report), ensure_ascii=False), job),
            )


def outcome_of(parsed: ParsedDocument, segments: int) -> tuple[DocumentStatus, str, list[int]]:
    """(status, reason, pages that need OCR). A document without a passage is never a success."""
    needs_ocr = [page.number for page in parsed.pages if page.status is PageStatus.NEEDS_OCR]
    if needs_ocr:
        return DocumentStatus.NEEDS_OCR, f"needs OCR: pages {page_ranges(needs_ocr)}", needs_ocr
    if not segments:
        return DocumentStatus.FAILED, "no text was found in it", []
    return DocumentStatus.INDEXED, "", []


def page_ranges(pages: Sequence[int]) -> str:
    """[3, 4, 5, 9] -> "3-5, 9" (with an en dash)."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)


def _clear_document(database: Database, document: DocumentId) -> None:
    for table in PER_DOCUMENT:
        database.execute(f"DELETE FROM {table} WHERE document = ?", (document,))


def _note_stages(database: Database, document: DocumentId, stages: Mapping[str, str]) -> None:
    now = _now()
    database.conn.executemany(
        "INSERT OR REPLACE INTO ledger (document, stage, version, at) VALUES (?, ?, ?, ?)",
        [(document, stage, version, now) for stage, version in stages.items()],
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def library_database(home: Path) -> Path:
    """The catalogue of a library that lives in `home`."""
    return home / "library.db"
