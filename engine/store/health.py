"""Making the stores agree with the catalogue again: after a crash, a lost file, a store that does not open.

The catalogue is right by definition. What another store holds beyond it is swept, what it lacks is written again from
the catalogue's segments (vectors come from the embedding cache, so this is cheap), and a store that cannot be opened is
set aside and rebuilt.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.ports import Embedder, KeywordWrites
from engine.core.text import number_of
from engine.store.catalog import Catalog
from engine.store.ledger import Ledger
from engine.store.lock import WriterLock
from engine.store.vectors import VectorStore, table_name

_BATCH = 512
Pair = tuple[DocumentId, int]
Note = Callable[[str], None]


class Repair:
    """Checks and mends one library's stores. The writer lock must be held."""

    def __init__(
        self,
        catalog: Catalog,
        vectors: VectorStore,
        keyword: KeywordWrites,
        embedder: Embedder,
        *,
        note: Note,
        cancel: CancelToken | None = None,
    ) -> None:
        self._catalog = catalog
        self._ledger = Ledger(catalog)
        self._vectors = vectors
        self._keyword = keyword
        self._embedder = embedder
        self._note = note
        self._cancel = cancel
        self.leftovers: set[Pair] = set()
        """Rows of (document, generation)s that no reader sees: harmless, to be swept when the run is tidied up."""

    def run(self) -> None:
        """Bring all stores to the catalogue's state. Cheap when the last run ended in order."""
        for store in (self._vectors.path, self._keyword.path):
            if (aside := set_file_aside(store)) is not None:
                self._note(
                    f"A file lay in place of the folder {store.name}; it is now {aside.name}, the folder is made anew."
                )
        if self._in_order():
            return
        self.vectors()
        self.keyword()

    def finished(self) -> None:
        """Note that stores and catalogue agree as they are now: the next start need not look."""
        self._ledger.set_meta("settled", self._fingerprint())

    def _in_order(self) -> bool:
        try:
            return self._catalog.meta("settled") == self._fingerprint()
        except KnownError:
            return False

    def _fingerprint(self) -> str:
        table = self._catalog.meta("vectors")
        return ":".join(
            (
                self._catalog.meta("state", "0"),
                table,
                str(self._vectors.version(table)),
                self._keyword.version,
                str(self._keyword.mark()),
                _extent(self._vectors.path),
                _extent(self._keyword.path),
            )
        )

    # --- vectors ------------------------------------------------------------------------------------------------------

    def vectors(self) -> None:
        """LanceDB back to the noted version, without leftovers, with nothing missing."""
        table = self._catalog.meta("vectors")
        wanted = dict(self._catalog.visible().generations)
        if not table:
            self._sweep_tables(table_name(self._embedder.model_key))
            return
        held: dict[Pair, int] = {}
        try:
            self._restore(table)
            held = self._vectors.held(table)
        except KnownError:
            if self._vectors.tables_exist():
                self._vectors.close()
                aside = set_aside(self._vectors.path)
                self._note(f"The vectors could not be read; they are kept as {aside.name} and written again.")
        broken, missing = self._difference(held, wanted)
        version = self._vectors.sweep(table, broken) if broken else self._vectors.version(table)
        if missing and table_name(self._embedder.model_key) == table:
            version = self._embed_again(table, missing, wanted)
        self._ledger.note_vectors(table, version)
        self._sweep_files(table)

    def _sweep_files(self, serving: str) -> None:
        """Every table without files of no use, also one that is being written for another model."""
        for name in self._vectors.tables():
            try:
                self._vectors.sweep_files(name)
            except KnownError as error:
                if name == serving or error.code != "vectors-damaged":
                    raise
                self._vectors.drop(name)

    def _restore(self, table: str) -> None:
        """Undo what was written after the ledger's last word; if that version is gone, the newest will be mended."""
        noted = int(self._catalog.meta("vector_version", "0"))
        if self._vectors.version(table) != noted:
            with contextlib.suppress(KnownError):
                self._ledger.note_vectors(table, self._vectors.restore(table, noted))

    def _embed_again(self, table: str, documents: Sequence[DocumentId], wanted: dict[DocumentId, int]) -> int:
        self._note(f"The vectors of {number_of(len(documents), 'document')} are written again.")
        version = self._vectors.version(table)
        for batch in _batches(self._segments(documents)):
            matrix = self._embedder.embed_passages([segment.embed_text for segment in batch], self._cancel)
            version = self._vectors.write(table, batch, matrix, wanted)
        return version

    def _sweep_tables(self, keep: str) -> None:
        """A first run that was killed leaves a table nothing points to."""
        if not self._vectors.tables_exist():
            return
        try:
            for name in self._vectors.tables():
                if name == keep or not self._catalog.meta("vectors"):
                    self._vectors.drop(name)
        except KnownError:
            set_aside(self._vectors.path)
            self._vectors.close()

    # --- keyword index ------------------------------------------------------------------------------------------------

    def keyword(self) -> None:
        """Whoosh without leftovers and with nothing missing; rebuilt if it does not open or is of another version."""
        wanted = dict(self._catalog.visible().generations)
        try:
            if self._catalog.meta("keyword_version", self._keyword.version) != self._keyword.version:
                self._keyword.drop()
            self._keyword.sweep_files()
            held = self._keyword.held()
        except KnownError:
            self._note("The keyword index could not be read and is rebuilt.")
            self._keyword.drop()
            held = {}
        broken, missing = self._difference(held, wanted)
        if broken:
            self._keyword.write((), {}, broken)
        for batch in _batches(self._segments(missing)):
            if self._cancel is not None:
                self._cancel.raise_if_cancelled()
            self._keyword.write(batch, wanted)
        self._ledger.set_meta("keyword_version", self._keyword.version)

    # --- both ---------------------------------------------------------------------------------------------------------

    def _difference(self, held: dict[Pair, int], wanted: dict[DocumentId, int]) -> tuple[list[Pair], list[DocumentId]]:
        """(pairs held in part, which must go first; documents to write again). Pairs nobody sees join `leftovers`."""
        counts = self._catalog.segment_counts()
        self.leftovers |= {pair for pair in held if wanted.get(pair[0]) != pair[1]}
        shown = {pair: rows for pair, rows in held.items() if wanted.get(pair[0]) == pair[1]}
        broken = [pair for pair, rows in shown.items() if rows != counts[pair[0]]]
        whole = {pair[0] for pair, rows in shown.items() if rows == counts[pair[0]]}
        missing = [document for document in wanted if document not in whole and counts.get(document, 0)]
        return broken, missing

    def _segments(self, documents: Sequence[DocumentId]) -> list[Segment]:
        return [segment for document in documents for segment in self._catalog.document_segments(document)]


def _extent(folder: Path) -> str:
    """Number of files below a folder and their bytes: a lost or cut file shows without being read."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return f"{len(sizes)}/{sum(sizes)}"


def _batches(segments: Sequence[Segment]) -> list[list[Segment]]:
    flow = iter(segments)
    return list(iter(lambda: list(islice(flow, _BATCH)), []))


def open_catalog(path: Path) -> Catalog:
    """Open a catalogue, setting a damaged one aside for a new one: its documents are then found and read again, and
    their vectors come from the embedding cache. Raises KnownError for anything else, and while another program writes.
    """
    try:
        return Catalog(path)
    except KnownError as error:
        if error.code != "damaged":
            raise
    with WriterLock(path.parent, purpose="repairing"):
        for name in (f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
        set_aside(path)
        return Catalog(path)


def set_file_aside(folder: Path) -> Path | None:
    """Rename a file that lies where a store's folder belongs. Returns its new place; None where there is none."""
    return set_aside(folder) if folder.is_file() else None


def set_aside(path: Path) -> Path:
    """Rename a store that cannot be used, keeping the latest such copy only. Raises KnownError."""
    for old in path.parent.glob(f"{path.name}.damaged-*"):
        if old.is_dir():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.unlink(missing_ok=True)
    target = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    try:
        path.rename(target)
    except OSError as error:
        raise KnownError(
            f"{path} is damaged and cannot be set aside: {error.strerror or error}.",
            help="Close other programs that use it, or delete it by hand; it is rebuilt.",
            code="storage",
        ) from error
    return target
