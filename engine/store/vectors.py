"""Vectors of segments in LanceDB: rows of (segment, document, generation, vector), one table per embedding model.

Rows are appended in batches and never rewritten; what is not of a visible generation is a leftover that readers pass
over and :meth:`VectorStore.sweep` removes. Up to `MATRIX_ROWS` rows searching is one exact product with a matrix held
in memory (exact, and 60 MB at most); above it LanceDB's IVF_HNSW_SQ index serves.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from engine.core.errors import BugError, KnownError
from engine.core.ids import DocumentId, SegmentId
from engine.core.imports import without
from engine.core.memory import keep_together
from engine.core.model import Segment
from engine.core.ports import Matrix, Scored, Vector, Visibility, Visible
from engine.core.storage import storage_error, storage_errors
from engine.store import fragments
from engine.store.large import LargeTable, answer, has_index, in_many_pieces, rows_beyond_index
from engine.store.resident import Resident, newer_rows
from engine.store.strays import is_table, remove_table, sweep_strays

MATRIX_ROWS = 40_000
"""At 100,000 rows the index took 14 ms where the product took 128, on a busy machine, at a recall@20 of 0.9995."""
BEYOND_INDEX = 5_000
"""Rows outside the index from which they join it: 45,000 of them made a search of 85,000 take 42 ms instead of 9."""
LANCE_SERVERS = "lance_namespace_urllib3_client.api"
"""LanceDB's client of remote catalogues: half of the time that its import takes."""
INDEX_CACHE, METADATA_CACHE = 512 << 20, 4 << 20
"""Bytes LanceDB may keep, by itself 6 and 1 GB of versions long gone. A search of 60,000 rows is as fast."""
_TRIES = 3
Found = TypeVar("Found")
_FOREVER = timedelta(days=36_500)


def connect(path: Path) -> Any:
    """LanceDB over a folder, which is made where it is missing. Raises OSError."""
    with without(LANCE_SERVERS):
        import lancedb

    keep_together()
    path.mkdir(parents=True, exist_ok=True)
    caches = lancedb.Session(index_cache_size_bytes=INDEX_CACHE, metadata_cache_size_bytes=METADATA_CACHE)
    return lancedb.connect(str(path), session=caches)


def table_name(model_key: str) -> str:
    """Name of the table that holds a model's vectors."""
    readable = re.sub(r"[^A-Za-z0-9]+", "_", model_key)[:40].strip("_")
    return f"{readable}_{hashlib.sha256(model_key.encode()).hexdigest()[:8]}"


class VectorStore:
    """Implements :class:`DenseIndex` over the visible generation, and the writes of the ingest.

    Readers and one writer may be in different processes. Thread-safe for reading.
    """

    def __init__(
        self,
        path: Path,
        visibility: Visibility,
        *,
        matrix_rows: int = MATRIX_ROWS,
        beyond_index: int = BEYOND_INDEX,
    ) -> None:
        self.path = path
        self._visibility = visibility
        self._matrix_rows = matrix_rows
        self._beyond_index = beyond_index
        self._sized: tuple[str, int] | None = None
        self._large: LargeTable | None = None
        self._beside: tuple[str, Any] | None = None
        self._lock = threading.RLock()
        self._connection: Any = None
        self._tables: dict[str, Any] = {}
        self._resident: Resident | None = None

    # --- reading ------------------------------------------------------------------------------------------------------

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None = None) -> list[Scored]:
        """The k nearest by cosine similarity, ties by segment id."""
        visible = self._visibility.visible()
        if k <= 0 or not visible.vectors or not visible.generations:
            return []
        found = self._by_index(visible, lambda table: table.search(vector, k, visible, within))
        if found is not None:
            return found
        resident = self._fresh(visible)
        return [] if resident is None else resident.search(vector, k, within)

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        visible = self._visibility.visible()
        if (matrix := self._by_index(visible, lambda table: table.rows_of(segments, visible))) is not None:
            return matrix
        resident = self._fresh(visible) if visible.vectors else None
        if resident is None:
            if segments:
                raise BugError("vectors of segments were asked for, but there are none")
            return np.empty((0, 0), dtype=np.float32)
        return resident.rows_of(segments)

    def present(self, segments: Sequence[SegmentId]) -> tuple[list[SegmentId], Matrix]:
        """Those of `segments` that are visible, with their vectors: a tree may lag behind the catalogue."""
        visible = self._visibility.visible()
        if (rows := self._by_index(visible, lambda table: table.present(segments, visible))) is not None:
            return rows
        resident = self._fresh(visible) if visible.vectors else None
        if resident is None:
            return [], np.empty((0, 0), dtype=np.float32)
        known = [segment for segment in segments if segment in resident]
        return known, resident.rows_of(known)

    def _by_index(self, visible: Visible, read: Callable[[LargeTable], Found]) -> Found | None:
        """What `read` finds in a table that is searched through its index; None for one that is held in memory."""
        for attempt in range(_TRIES):
            table = self._too_large(visible)
            if table is None:
                return None
            try:
                return read(table)
            except (RuntimeError, OSError) as error:
                # Another process has compacted it and dropped the version this table was reading.
                with self._lock:
                    self._tables.pop(visible.vectors, None)
                    self._sized, self._large, self._beside = None, None, None
                if attempt == _TRIES - 1:
                    raise storage_error(error, self.path) from error
        return None

    def _too_large(self, visible: Visible) -> LargeTable | None:
        """The table at its newest version, if it is to be searched through its index; else None."""
        with self._lock:
            table = self._table(visible.vectors)
            if table is None:
                return None
            if self._sized != (visible.vectors, visible.state):
                table.checkout_latest()
                self._sized = (visible.vectors, visible.state)
                indexed = int(table.count_rows()) > self._matrix_rows and has_index(table)
                self._large = LargeTable(self._asked_beside(visible.vectors)) if indexed else None
            if self._large is not None:
                self._resident = None
            return self._large

    def _asked_beside(self, name: str) -> Any:
        """A table at its newest version, to be asked through LanceDB's asynchronous interface; what it has read of the
        index it keeps over versions."""
        if self._beside is None or self._beside[0] != name:
            self._beside = name, answer(_opened(self.path, name))
        table = self._beside[1]
        answer(table.checkout_latest())
        return table

    def _fresh(self, visible: Visible) -> Resident | None:
        """The matrix in memory, brought up to the visible state."""
        with self._lock:
            resident = self._resident
            if resident is not None and resident.table == visible.vectors and resident.state == visible.state:
                return resident
            for attempt in range(_TRIES):
                try:
                    return self._read(visible)
                except (RuntimeError, OSError) as error:
                    # Another process may just have replaced the files this table was reading.
                    self._tables.pop(visible.vectors, None)
                    self._resident = None
                    if attempt == _TRIES - 1:
                        raise storage_error(error, self.path) from error
                    time.sleep(0.05 * (attempt + 1))
        return None

    def _read(self, visible: Visible) -> Resident | None:
        resident = self._resident
        table = self._table(visible.vectors)
        if table is None:
            return None
        table.checkout_latest()
        if resident is None or resident.table != visible.vectors:
            resident = Resident(visible.vectors, int(table.count_rows()))
        resident.update(visible, lambda known: newer_rows(table, known))
        self._resident = resident
        return resident

    # --- writing ------------------------------------------------------------------------------------------------------

    def write(
        self, table: str, segments: Sequence[Segment], vectors: Matrix, generations: Mapping[DocumentId, int]
    ) -> int:
        """Append one batch, each row under its document's generation, invisible until the ledger commits.

        `vectors` has one row per segment. Returns the table's new version.
        """
        if len(segments) != len(vectors):
            raise BugError(f"{len(segments)} segments came with {len(vectors)} vectors")
        with self._busy():
            held = self._table(table)
            if not len(segments):
                return int(held.version) if held is not None else 0
            batch = _arrow(segments, vectors, generations)
            if held is None:
                remove_table(self._folder(table))
                held = self._connect().create_table(table, data=batch)
                self._tables[table] = held
            else:
                held.checkout_latest()
                held.add(batch)
            return int(held.version)

    def version(self, table: str) -> int:
        """The latest version of a table, 0 where there is none."""
        with self._busy():
            held = self._table(table)
            if held is None:
                return 0
            held.checkout_latest()
            return int(held.version)

    def restore(self, table: str, version: int) -> int:
        """Go back to a noted version. Returns the version that now stands; raises KnownError if it is gone."""
        with self._busy():
            held = self._table(table)
            if held is None:
                raise KnownError(f"The vector table {table} is missing.", code="vectors-missing")
            held.restore(version)
            held.checkout_latest()
            self._resident = None
            return int(held.version)

    def held(self, table: str) -> dict[tuple[DocumentId, int], int]:
        """(document, generation) -> rows, of everything in a table, visible or not."""
        with self._busy():
            held = self._table(table)
            if held is None:
                return {}
            held.checkout_latest()
            data = held.search().select(["document", "generation"]).to_arrow()
        counts: dict[tuple[DocumentId, int], int] = {}
        for document, generation in zip(data["document"].to_pylist(), data["generation"].to_pylist(), strict=True):
            key = (DocumentId(document), int(generation))
            counts[key] = counts.get(key, 0) + 1
        return counts

    def sweep(self, table: str, stale: Sequence[tuple[DocumentId, int]]) -> int:
        """Delete rows of (document, generation) pairs that no reader can see. Returns the new version."""
        with self._busy():
            held = self._table(table)
            if held is None:
                return 0
            held.checkout_latest()
            for start in range(0, len(stale), 200):
                chunk = stale[start : start + 200]
                held.delete(" OR ".join(f"(document = '{doc}' AND generation = {gen})" for doc, gen in chunk))
            return int(held.version)

    def compact(self, table: str, *, force: bool = False) -> int | None:
        """Merge fragments and let later rows join the index where that is due. Returns the new version, else None.

        Deletes nothing: let the ledger note the version, then call :meth:`clean`.
        """
        with self._busy():
            held = self._table(table)
            if held is None:
                return None
            held.checkout_latest()
            behind = rows_beyond_index(held) > self._beyond_index
            if not (force or behind or fragments.is_due(held, self._folder(table))):
                return None
            held.optimize(cleanup_older_than=_FOREVER)
            held.checkout_latest()
            return int(held.version)

    def index_if_large(self, table: str) -> int | None:
        """Build the index of a table too large for the matrix, anew if in many pieces. Returns the new version."""
        with self._busy():
            held = self._table(table)
            if held is None:
                return None
            held.checkout_latest()
            if held.count_rows() <= self._matrix_rows or (has_index(held) and not in_many_pieces(held)):
                return None
            from lancedb.index import IvfHnswSq

            # Rows that come later join the index when the table is compacted.
            held.create_index("vector", config=IvfHnswSq(distance_type="cosine"), replace=True)
            held.checkout_latest()
            self._sized = None
            return int(held.version)

    def clean(self, table: str) -> int:
        """Drop versions older than a while, never the latest, which the ledger must name. Returns its number.

        LanceDB merges fragments along with it, which rewrites the table: only after :meth:`compact`.
        """
        with self._busy():
            held = self._table(table)
            if held is None:
                return 0
            held.checkout_latest()
            held.optimize(cleanup_older_than=fragments.kept(self._folder(table)))
            held.checkout_latest()
            return int(held.version)

    def sweep_files(self, table: str) -> None:
        """Remove what a killed write or clean-up has left, which no version names. For the one writer there is."""
        with self._busy():
            held = self._table(table)
            if held is None:
                remove_table(self._folder(table))
                return
            held.checkout_latest()
            sweep_strays(self._folder(table), held.stats()["fragment_stats"]["num_fragments"])

    def drop(self, table: str) -> None:
        """Remove a table that no longer serves, or what is left of it."""
        with self._busy():
            self._tables.pop(table, None)
            self._connection = None  # it remembers the versions of a table by their numbers
            remove_table(self._folder(table))
            if self._resident is not None and self._resident.table == table:
                self._resident = None

    def tables_exist(self) -> bool:
        """Whether anything lies where the vectors are kept."""
        return self.path.is_dir()

    def tables(self) -> list[str]:
        return sorted(found.name.removesuffix(".lance") for found in self.path.glob("*.lance") if found.is_dir())

    def close(self) -> None:
        with self._busy():
            self._tables.clear()
            self._connection = None
            self._sized, self._large, self._beside = None, None, None
            self._resident = None

    # --- LanceDB ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """The lock, with LanceDB's errors in plain words."""
        with self._lock, storage_errors(self.path, RuntimeError, ValueError):
            yield

    def _folder(self, table: str) -> Path:
        return self.path / f"{table}.lance"

    def _connect(self) -> Any:
        if self._connection is None:
            self._connection = connect(self.path)
        return self._connection

    def _table(self, name: str) -> Any:
        if not name:
            return None
        if name not in self._tables:
            if not is_table(self._folder(name)):
                return None
            try:
                self._tables[name] = self._connect().open_table(name)
            except (RuntimeError, ValueError, OSError) as error:
                raise KnownError(
                    f"The vectors in {self.path} cannot be opened: {str(error).splitlines()[0][:200]}.",
                    help="Run `sheaf index`; they are rebuilt from the catalogue.",
                    code="vectors-damaged",
                ) from error
        return self._tables[name]


async def _opened(path: Path, name: str) -> Any:
    """A table of LanceDB's asynchronous interface."""
    with without(LANCE_SERVERS):
        import lancedb

    return await (await lancedb.connect_async(str(path))).open_table(name)


def _arrow(segments: Sequence[Segment], vectors: Matrix, generations: Mapping[DocumentId, int]) -> Any:
    import pyarrow as pa

    flat = np.ascontiguousarray(vectors, dtype=np.float32)
    return pa.table(
        {
            "segment": pa.array([segment.id for segment in segments], pa.string()),
            "document": pa.array([segment.document for segment in segments], pa.string()),
            "generation": pa.array([generations[segment.document] for segment in segments], pa.int64()),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(flat.ravel(), pa.float32()), flat.shape[1]),
        }
    )
