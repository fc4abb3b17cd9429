"""Vectors kept by (model, text), so that nothing is ever embedded twice: not after a move, a crash or a re-parse."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.ids import text_hash
from engine.core.ports import Embedder, Matrix, Vector
from engine.core.storage import storage_errors

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)
) WITHOUT ROWID
"""
_BATCH = 256
"""Texts embedded between two writes: what a kill can cost."""
_ASK = 500
_QUERIES = 256


class CachedEmbedder:
    """An :class:`Embedder` in front of another. The file is a cache: if it is damaged it is made anew.

    Vectors are float32 blobs. Several threads and processes may share the file. Of queries the
    last few are kept in memory: one answer asks the same several times.
    """

    def __init__(self, embedder: Embedder, database_path: Path) -> None:
        self._embedder = embedder
        self._path = database_path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._asking = threading.Lock()
        self._queries: OrderedDict[str, Vector] = OrderedDict()

    @property
    def model_key(self) -> str:
        return self._embedder.model_key

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed_query(self, text: str) -> Vector:
        with self._asking:
            if text in self._queries:
                self._queries.move_to_end(text)
                return self._queries[text]
        vector = self._embedder.embed_query(text)
        with self._asking:
            self._queries[text] = vector
            if len(self._queries) > _QUERIES:
                self._queries.popitem(last=False)
        return vector

    def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        """As :meth:`Embedder.embed_passages`; what was embedded before a cancel is kept."""
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        keys = [text_hash(text) for text in texts]
        known = self._read(keys)
        missing = list({key: n for n, key in enumerate(keys) if key not in known}.values())
        for start in range(0, len(missing), _BATCH):
            chunk = missing[start : start + _BATCH]
            vectors = self._embedder.embed_passages([texts[n] for n in chunk], cancel)
            fresh = {keys[n]: np.array(vector) for n, vector in zip(chunk, vectors, strict=True)}
            self._write(fresh)
            known.update(fresh)
        for n, key in enumerate(keys):
            rows[n] = known[key]
        return rows

    def forget_model(self, model_key: str) -> None:
        """Drop the vectors of a model that is no longer used."""
        with self._open() as connection, connection:
            connection.execute("DELETE FROM vectors WHERE model = ?", (model_key,))

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read(self, keys: Sequence[str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        wanted = list(dict.fromkeys(keys))
        with self._open() as connection:
            for start in range(0, len(wanted), _ASK):
                chunk = wanted[start : start + _ASK]
                marks = ",".join("?" * len(chunk))
                rows = connection.execute(
                    f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})", (self.model_key, *chunk)
                )
                for key, blob in rows:
                    vector = np.frombuffer(blob, dtype=np.float32)
                    if vector.shape == (self.dimension,):
                        found[key] = vector
        return found

    def _write(self, vectors: dict[str, Vector]) -> None:
        rows = [(self.model_key, key, vector.tobytes()) for key, vector in vectors.items()]
        with self._open() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The shared connection, made on first use; a damaged file is replaced once."""
        with self._lock, storage_errors(self._path.parent, sqlite3.Error):
            if self._connection is None:
                try:
                    self._connection = _connect(self._path)
                except sqlite3.DatabaseError as error:
                    if isinstance(error, sqlite3.OperationalError):
                        raise
                    _discard(self._path)
                    self._connection = _connect(self._path)
            yield self._connection


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=30.0, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _discard(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
