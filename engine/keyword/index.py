"""The keyword index on disk (Whoosh). It can always be rebuilt from the catalogue's segments."""

from __future__ import annotations

import contextlib
import pickle
import shutil
import struct
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.core.errors import KnownError
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.ports import Scored, Visibility, Visible
from engine.core.storage import storage_errors
from engine.core.text import expand_list, identifiers
from engine.keyword.analysis import clean, terms
from engine.keyword.leaf import LeafRows, PostingReader, read_rows
from engine.keyword.merging import merge_by_tiers
from engine.keyword.names import NAMES_FILE, NamesIndex
from engine.keyword.query import weighted_terms
from engine.keyword.view import Leaf, View

VERSION = "3"
"""Changes whenever analysis or schema change: an index of another version is rebuilt."""
BLOCK = 4096
"""Postings that Whoosh packs together. By its own 128 a common word is hundreds of packs, and to read the words of a
new question took 18 ms at 100,000 passages, by this 11; lists that are packed otherwise are read all the same."""
_CACHE_BYTES = 24_000_000
_PATIENCE = 8.0
_PAUSE = 0.3
_TRIES = 5


class KeywordStore:
    """Implements :class:`KeywordIndex` over the visible generation, and the writes of the ingest.

    Readers and one writer may be in different processes. Thread-safe.
    """

    def __init__(self, path: Path, visibility: Visibility) -> None:
        self._path = path
        self._visibility = visibility
        self._lock = threading.RLock()
        self._index: Any = None
        self._reader: Any = None
        self._view: View | None = None
        self._state = -1
        self._rows: dict[str, LeafRows] = {}
        self._postings = PostingReader(_CACHE_BYTES)
        self._names = NamesIndex(path, VERSION)

    # --- reading ------------------------------------------------------------------------------------------------------

    def search(
        self,
        text: str,
        k: int,
        within: Sequence[DocumentId] | None = None,
        among: Collection[SegmentId] | None = None,
    ) -> list[Scored]:
        """The k best for raw user text, ties by segment id. Never raises for what the text holds."""
        weights = weighted_terms(text)
        with self._lock:
            view = self._fresh()
            return [] if view is None else view.search(weights, k, within, self._names, among)

    def holding(self, text: str, k: int, within: Sequence[DocumentId] | None = None, field: str = "") -> list[Scored]:
        """The k best of those that hold every word of a text, in one field or in any; file names are not looked at."""
        weights = dict.fromkeys(terms(text), 1.0)
        with self._lock:
            view = self._fresh()
            return [] if view is None or not weights else view.holding(weights, k, within, field)

    def starting(self, beginning: str, k: int) -> list[str]:
        """At most k identifiers of visible passages that begin so, in lower case, the most frequent first."""
        folded = clean(beginning)
        with self._lock:
            view = self._fresh()
            return [] if view is None or not folded else view.starting(folded, k, self._names)

    def document_frequency(self, term: str) -> int:
        with self._lock:
            view = self._fresh()
            return 0 if view is None else view.document_frequency(term, self._names)

    def prepare(self) -> None:
        """Do now what the first search would wait for: the names of new places are analysed."""
        with self._lock:
            self._fresh()

    def _fresh(self) -> View | None:
        visible = self._visibility.visible()
        if self._view is not None and self._state == visible.state:
            return self._view
        if not visible.generations:
            return None
        self._refresh(visible)
        return self._view

    def _refresh(self, visible: Visible) -> None:
        for attempt in range(_TRIES):
            try:
                self._reopen()
                break
            except (OSError, KeyError):  # a commit of another process is just replacing the files
                self._close_reader()
                if attempt == _TRIES - 1:
                    raise
                time.sleep(0.05 * (attempt + 1))
        if self._view is not None:
            self._view.show(visible)
            self._names.update(visible.names, visible.state)
            self._state = visible.state

    def _reopen(self) -> None:
        index = self._open()
        if index is None:
            self._view = None
            return
        if (
            self._reader is not None
            and self._view is not None
            and self._reader.generation() == index.latest_generation()
        ):
            return
        self._close_reader()
        self._reader = index.reader()
        leaves: list[Leaf] = []
        kept: dict[str, LeafRows] = {}
        base = 0
        for reader, _ in self._reader.leaf_readers():
            key = str(reader.segment().segment_id()) if reader.segment() is not None else ""
            rows = self._rows.get(key) or read_rows(reader)
            if key:
                kept[key] = rows
                leaves.append(Leaf(key, reader, base, rows))
                base += len(rows.segments)
        self._rows = kept
        self._postings.keep_only(set(kept))
        self._view = View(leaves, self._postings)

    # --- writing ------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        return self._path

    @property
    def version(self) -> str:
        return VERSION

    def mark(self) -> int:
        """Number of the last commit, 0 where there is no index."""
        with self._lock:
            index = self._open()
            return 0 if index is None else int(index.latest_generation())

    def write(
        self,
        segments: Sequence[Segment],
        generations: Mapping[DocumentId, int],
        stale: Sequence[tuple[DocumentId, int]] = (),
    ) -> None:
        """Commit one batch, invisible until the ledger does; `stale` (document, generation) pairs are deleted."""
        if not segments and not stale:
            return
        end = time.monotonic() + _PATIENCE
        with self._lock, storage_errors(self._path):
            while True:
                try:
                    self._write_once(segments, generations, stale)
                    return
                except PermissionError:  # a virus scanner may hold a fresh file for some seconds
                    if time.monotonic() >= end:
                        raise
                    time.sleep(_PAUSE)

    def _write_once(
        self,
        segments: Sequence[Segment],
        generations: Mapping[DocumentId, int],
        stale: Sequence[tuple[DocumentId, int]],
    ) -> None:
        # The library's own lock keeps other writers out; Whoosh's would outlive a writer that fails while it opens.
        writer = self._open(create=True).writer(_lk=False, codec=_codec())
        try:
            for document, old in stale:
                writer.delete_by_term("entry", _entry(document, old))
            for segment in segments:
                writer.add_document(**fields_of(segment, generations[segment.document]))
            writer.commit(mergetype=merge_by_tiers)
        except BaseException:
            _give_up(writer)
            raise

    def held(self) -> dict[tuple[DocumentId, int], int]:
        """(document, generation) -> rows, of everything in the index that is not deleted."""
        counts: dict[tuple[DocumentId, int], int] = {}
        with self._lock, storage_errors(self._path, *_damages()):
            index = self._open()
            if index is None:
                return counts
            reader = index.reader()
            try:
                for leaf, _ in reader.leaf_readers():
                    if leaf.segment() is None:
                        continue
                    rows = read_rows(leaf)
                    for row, (document, generation) in enumerate(zip(rows.documents, rows.generations, strict=True)):
                        if not leaf.is_deleted(row):
                            key = (DocumentId(document), generation)
                            counts[key] = counts.get(key, 0) + 1
            finally:
                reader.close()
        return counts

    def sweep_files(self) -> None:
        """Delete what a killed commit left behind: all but the last table of contents, the segments it names, the lock.

        For the one writer there is, while it writes nothing.
        """
        with self._lock, storage_errors(self._path):
            index = self._open()
            named = {segment.segment_id() for segment in index._segments()} if index is not None else set()
            contents = f"_{index.indexname}_{index.latest_generation()}.toc" if index is not None else ""
            for path in self._path.iterdir() if self._path.is_dir() else ():
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                elif not (
                    path.name == contents
                    or path.name.split(".")[0] in named
                    or path.name.endswith("_WRITELOCK")
                    or path.name.startswith(NAMES_FILE)
                ):
                    path.unlink(missing_ok=True)

    def compact(self) -> None:
        """Merge all segments into one, dropping deleted rows."""
        with self._lock:
            index = self._open()
            if index is not None:
                index.optimize(codec=_codec())

    def drop(self) -> None:
        """Remove the whole index; it is made anew at the next write."""
        with self._lock:
            self.close()
            shutil.rmtree(self._path, ignore_errors=True)

    def close(self) -> None:
        with self._lock:
            self._close_reader()
            if self._index is not None:
                self._index.close()
                self._index = None
            self._rows.clear()
            self._names.close()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._view = None
        self._state = -1

    # --- Whoosh -------------------------------------------------------------------------------------------------------

    def _open(self, *, create: bool = False) -> Any:
        """The Whoosh index, or None where there is none and none is wanted. Raises KnownError if damaged."""
        if self._index is not None:
            return self._index
        from whoosh import index
        from whoosh.filedb.filestore import FileStorage

        damages = _damages()
        try:
            if index.exists_in(str(self._path)):
                # With memory maps Whoosh copies every posting file into memory: 180 MB at 100,000 passages.
                self._index = FileStorage(str(self._path), supports_mmap=False).open_index()
            elif create:
                self._path.mkdir(parents=True, exist_ok=True)
                self._index = index.create_in(str(self._path), _schema())
        except damages as error:
            raise KnownError(
                f"The keyword index in {self._path} cannot be opened: {error}.",
                help="Run `sheaf index`; it is rebuilt from the catalogue.",
                code="keyword-damaged",
            ) from error
        return self._index


def _codec() -> Any:
    from whoosh.codec.whoosh3 import W3Codec

    return W3Codec(blocklimit=BLOCK)


def _damages() -> tuple[type[Exception], ...]:
    """What Whoosh raises over files that are missing, cut or overwritten."""
    from whoosh import index
    from whoosh.codec.whoosh3 import CorruptIndexError

    damaged: tuple[type[Exception], ...] = (OSError, ValueError, EOFError, LookupError, struct.error)
    return (*damaged, pickle.UnpicklingError, index.IndexError, CorruptIndexError)


def _give_up(writer: Any) -> None:
    """Release the writer's lock and files; a failed commit has already done it."""
    if not writer.is_closed:
        with contextlib.suppress(OSError):
            writer.cancel()


def _schema() -> Any:
    from whoosh import columns, fields

    text = {name: fields.KEYWORD(scorable=True) for name in ("title", "path", "identifiers", "body")}
    return fields.Schema(
        entry=fields.ID(stored=False),
        segment=fields.COLUMN(columns.FixedBytesColumn(16)),
        document=fields.COLUMN(columns.RefBytesColumn(32)),
        generation=fields.COLUMN(columns.NumericColumn("i")),
        **text,
    )


def fields_of(segment: Segment, generation: int) -> dict[str, Any]:
    """A passage as Whoosh takes it: its terms field by field, parted by blanks."""
    return {
        "entry": _entry(segment.document, generation),
        "segment": bytes.fromhex(segment.id),
        "document": bytes.fromhex(segment.document),
        "generation": generation,
        "title": " ".join(terms(segment.title)),
        "path": " ".join(terms(" / ".join(segment.path))),
        "identifiers": " ".join(dict.fromkeys(_identifier_terms(segment.text))),
        "body": " ".join(terms(segment.text)),
    }


def _identifier_terms(text: str) -> Iterator[str]:
    """The exact form of every identifier, and of every member of a slash list: LM124A/224A holds the LM224A."""
    for one in identifiers(text):
        for name in dict.fromkeys((one, *expand_list(one))):
            yield from terms(name)[:1]


def _entry(document: DocumentId, generation: int) -> str:
    return f"{document}:{generation}"
