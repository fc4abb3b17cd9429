"""The catalogue: the one truth about a library, in SQLite. This is its read side; `ledger.py` writes."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from engine.core.errors import KnownError
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import PageInfo, Segment
from engine.core.ports import Visible
from engine.core.results import DocumentInfo, DocumentStatus, FileProblem, Place, SearchFilter
from engine.store import rows
from engine.store.database import Connections, plain_errors
from engine.store.filters import ALL_PLACES, passing
from engine.store.migrate import bring_up_to_date, refuse_newer

_ASK = 500
_FEW = 16
"""Up to so many documents are asked for one by one rather than with all places."""


class Catalog:
    """Implements :class:`SegmentSource` and :class:`Visibility` over `path`. Any thread may call; any number of
    processes may read while one writes. `read_only` never creates, migrates or changes the file.

    Raises KnownError when the file cannot be used or was written by a newer program.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.connections = Connections(path, read_only=read_only)
        self._lock = threading.Lock()
        self._visible: Visible | None = None
        self._documents: tuple[int, list[DocumentInfo]] | None = None
        with plain_errors(path):
            if read_only:
                refuse_newer(self.connections.get().conn)
            else:
                bring_up_to_date(self.connections.get().conn)

    def close(self) -> None:
        self.connections.close()

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- visibility ---------------------------------------------------------------------------------------------------

    def visible(self) -> Visible:
        """The present snapshot, read again only when a commit has changed the state."""
        with self._lock:
            state = int(self.meta("state", "0"))
            if self._visible is None or self._visible.state != state:
                self._visible = self._read_visible()
            return self._visible

    def _read_visible(self) -> Visible:
        database = self.connections.get()
        with plain_errors(self.path):
            database.execute("BEGIN")  # one snapshot for all three reads
            try:
                state = int(self.meta("state", "0"))
                table = self.meta("vectors", "")
                generations = dict(
                    database.execute("SELECT id, generation FROM documents WHERE generation IS NOT NULL").fetchall()
                )
                names: dict[DocumentId, list[str]] = defaultdict(list)
                name_of = cache(lambda folder: Path(folder).name)
                for document, folder, file, _ in database.execute(ALL_PLACES):
                    names[document] += [name_of(folder), file]
            finally:
                database.rollback()
        return Visible(state, generations, {document: " / ".join(part) for document, part in names.items()}, table)

    def meta(self, key: str, default: str = "") -> str:
        """A value of the `meta` table."""
        with plain_errors(self.path):
            row = self.connections.get().execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return default if row is None else str(row[0])

    # --- segments and pages -------------------------------------------------------------------------------------------

    def segments(self, ids: Sequence[SegmentId]) -> list[Segment]:
        found: dict[str, Segment] = {}
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), _ASK):
            chunk = wanted[start : start + _ASK]
            marks = ",".join("?" * len(chunk))
            for segment in self._select_segments(f"id IN ({marks})", chunk):
                found[segment.id] = segment
        return [found[one] for one in ids if one in found]

    def document_segments(self, document: DocumentId) -> list[Segment]:
        return list(self._select_segments("document = ? ORDER BY ordinal", [document]))

    def segment_ids(self) -> list[SegmentId]:
        """Ids of every visible segment, ascending."""
        with plain_errors(self.path):
            return [SegmentId(row[0]) for row in self.connections.get().execute("SELECT id FROM segments ORDER BY id")]

    def all_segments(self) -> Iterator[Segment]:
        """Every visible segment, document by document: what lost stores are rebuilt from."""
        for document in sorted(self.visible().generations):
            yield from self.document_segments(document)

    def _select_segments(self, where: str, values: Sequence[str]) -> list[Segment]:
        with plain_errors(self.path):
            cursor = self.connections.get().execute(
                f"SELECT {rows.SEGMENT_COLUMNS} FROM segments WHERE {where}", tuple(values)
            )
            return rows.segments_of(cursor.fetchall())

    def page(self, document: DocumentId, number: int) -> PageInfo | None:
        found = self._select_pages("document = ? AND number = ?", (document, number))
        return found[0] if found else None

    def pages(self, document: DocumentId) -> list[PageInfo]:
        return self._select_pages("document = ? ORDER BY number", (document,))

    def _select_pages(self, where: str, values: tuple[str | int, ...]) -> list[PageInfo]:
        with plain_errors(self.path):
            cursor = self.connections.get().execute(f"SELECT {rows.PAGE_COLUMNS} FROM pages WHERE {where}", values)
            return [rows.page_of(row) for row in cursor]

    # --- documents and places -----------------------------------------------------------------------------------------

    def documents(self) -> list[DocumentInfo]:
        """Every document that has a place, whatever its status, by title; the same objects until a commit changes the
        state. To read 6,000 takes 75 ms, and every question looks at all."""
        with self._lock:
            state = int(self.meta("state", "0"))  # read first: what a commit adds meanwhile is read again next time
            if self._documents is None or self._documents[0] != state:
                self._documents = state, self._select_documents("1 ORDER BY title, id", ())
            return list(self._documents[1])

    def document(self, document: DocumentId) -> DocumentInfo | None:
        found = self._select_documents("id = ?", (document,))
        return found[0] if found else None

    def _select_documents(self, where: str, values: tuple[str, ...]) -> list[DocumentInfo]:
        database = self.connections.get()
        with plain_errors(self.path):
            found = database.execute(f"SELECT {rows.DOCUMENT_COLUMNS} FROM documents WHERE {where}", values).fetchall()
            if len(found) <= _FEW:
                places = {row[0]: list(self.places(row[0])) for row in found}
            else:
                places = defaultdict(list)
                for document, folder, file, _ in database.execute(f"{ALL_PLACES} ORDER BY 2, 3"):
                    places[document].append(Place(folder, file))
        return [rows.document_of(row, tuple(places.get(row[0], ()))) for row in found]

    def places(self, document: DocumentId) -> tuple[Place, ...]:
        with plain_errors(self.path):
            cursor = self.connections.get().execute(
                "SELECT folder, file FROM places WHERE document = ?1 OR (former != '' AND former = ?1)"
                " ORDER BY folder, file",
                (document,),
            )
            return tuple(Place(folder, file) for folder, file in cursor)

    def file_of(self, document: DocumentId) -> Path:
        """A path at which a document can be opened now. Raises KnownError if none of its places is there."""
        places = self.places(document)
        for place in places:
            path = Path(place.folder) / place.file
            if path.is_file():
                return path
        named = places[0].file if places else document
        raise KnownError(f"{named} is not there any more.", help="Update the library.", code="no-file")

    def visible_documents(self, chosen: SearchFilter) -> list[DocumentId] | None:
        """Filters by folder (a watched folder, or a path inside one), document, part, kind and dates."""
        with plain_errors(self.path):
            return passing(self.connections.get(), chosen)

    # --- totals and problems ------------------------------------------------------------------------------------------

    def totals(self) -> tuple[int, int, int]:
        """(documents, pages, segments) that are visible."""
        with plain_errors(self.path):
            row = (
                self.connections.get()
                .execute(
                    "SELECT count(*), coalesce(sum(pages), 0), coalesce(sum(segments), 0)"
                    " FROM documents WHERE generation IS NOT NULL"
                )
                .fetchone()
            )
        return int(row[0]), int(row[1]), int(row[2])

    def segment_counts(self) -> dict[DocumentId, int]:
        """How many segments each visible document has."""
        with plain_errors(self.path):
            return dict(
                self.connections.get()
                .execute("SELECT id, segments FROM documents WHERE generation IS NOT NULL")
                .fetchall()
            )

    def problems(self) -> tuple[tuple[FileProblem, ...], tuple[FileProblem, ...]]:
        """(documents with pages that need OCR, documents that failed), by file."""
        needs_ocr: list[FileProblem] = []
        failed: list[FileProblem] = []
        for info in self._select_documents("status IN ('needs_ocr', 'failed')", ()):
            file = info.places[0].file if info.places else info.title
            chosen = failed if info.status is DocumentStatus.FAILED else needs_ocr
            chosen.append(FileProblem(file, info.reason))
        by_file = sorted(needs_ocr, key=lambda one: one.file), sorted(failed, key=lambda one: one.file)
        return tuple(by_file[0]), tuple(by_file[1])

    def skipped(self) -> list[FileProblem]:
        """Files the last scan could not or should not read, with the reason."""
        with plain_errors(self.path):
            cursor = self.connections.get().execute("SELECT file, reason FROM skips ORDER BY file, folder")
            return [FileProblem(file, reason) for file, reason in cursor]
