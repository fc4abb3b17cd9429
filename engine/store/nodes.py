"""The abstract tree at rest: nodes in LanceDB, the spanning tree and the version that counts in SQLite.

Only changed nodes are written, as one new LanceDB version; the transaction that notes this version beside the new
spanning tree makes it visible. A crash in between leaves a version nobody names, and the next write restores the
noted one first.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import KnownError
from engine.core.ids import SegmentId
from engine.core.model import AbstractKind, AbstractNode, AbstractState
from engine.core.ports import Matrix
from engine.core.storage import storage_errors
from engine.core.tree_ports import Grove
from engine.store import fragments
from engine.store.database import Connections, plain_errors
from engine.store.health import set_file_aside
from engine.store.strays import is_table, remove_table, sweep_strays
from engine.store.vectors import connect

_TABLES = """
CREATE TABLE IF NOT EXISTS tree (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    state INTEGER NOT NULL, vectors TEXT NOT NULL, shape TEXT NOT NULL, version INTEGER NOT NULL,
    leaves BLOB NOT NULL, edges BLOB NOT NULL, corpus BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS tree_writing (one INTEGER PRIMARY KEY CHECK (one = 1));
CREATE TABLE IF NOT EXISTS node_use (node TEXT PRIMARY KEY, uses INTEGER NOT NULL) WITHOUT ROWID;
"""
_TABLE = "nodes"
_ASK = 300
_FOREVER = timedelta(days=36_500)
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StoredTree:
    """What a tree can be restored from. `edges` has shape (n - 1, 3): lower row, higher row, similarity."""

    state: int
    """State of the catalogue it was grown at."""
    vectors: str
    """Vector table its leaves come from."""
    shape: str
    leaves: tuple[SegmentId, ...]
    edges: Ints
    corpus: bytes
    """Snapshot of corpus statistics the statistical abstracts are keyed by."""


class NodeStore:
    """Readers and one writer may be in different processes. Raises KnownError when the files cannot be used."""

    def __init__(self, path: Path, database: Path) -> None:
        self._path = path
        self._folder = path / f"{_TABLE}.lance"
        self._connections = Connections(database)
        self._lock = threading.RLock()
        self._connection: Any = None
        self._grove: tuple[tuple[int, int], Grove] | None = None
        self._connections.create(_TABLES)

    def close(self) -> None:
        with self._lock:
            self._connection = None
            self._grove = None
        self._connections.close()

    # --- reading ------------------------------------------------------------------------------------------------------

    def stored(self) -> StoredTree | None:
        """The spanning tree of the noted version; None before the first tree."""
        row = self._row("state, vectors, shape, leaves, edges, corpus")
        if row is None:
            return None
        state, vectors, shape, leaves, edges, corpus = row
        names = tuple(SegmentId(leaf) for leaf in leaves.decode().split())
        return StoredTree(state, vectors, shape, names, np.load(io.BytesIO(edges)), corpus)

    def grove(self) -> Grove:
        """The nodes of the noted version, read again only when another one has been noted."""
        try:
            return self._noted_grove()
        except KnownError:  # another process may just have noted a newer version and dropped this one
            return self._noted_grove()

    def _noted_grove(self) -> Grove:
        row = self._row("version, state")
        if row is None:
            return Grove((), np.empty((0, 0), dtype=np.float32), -1)
        version, state = int(row[0]), int(row[1])
        with self._lock:
            if self._grove is None or self._grove[0] != (version, state):
                self._grove = ((version, state), self._read(version, state))
            return self._grove[1]

    def uses(self) -> dict[str, int]:
        """How often a node has been part of an answer: the most used are worded first."""
        with plain_errors(self._connections.path):
            return dict(self._connections.get().execute("SELECT node, uses FROM node_use").fetchall())

    def note_use(self, nodes: Sequence[str]) -> None:
        with self._connections.transaction() as database:
            database.conn.executemany(
                "INSERT INTO node_use VALUES (?, 1) ON CONFLICT (node) DO UPDATE SET uses = uses + 1",
                [(node,) for node in nodes],
            )

    def _row(self, columns: str) -> Any:
        with plain_errors(self._connections.path):
            return self._connections.get().execute(f"SELECT {columns} FROM tree").fetchone()

    def _read(self, version: int, state: int) -> Grove:
        table = self._table()
        if table is None:
            if version:
                raise _damaged(self._path, FileNotFoundError("its table is gone"))
            return Grove((), np.empty((0, 0), dtype=np.float32), state)
        try:
            table.checkout(version)
            data = table.to_arrow().combine_chunks()
        except (RuntimeError, ValueError, OSError) as error:
            raise _damaged(self._path, error) from error
        finally:
            table.checkout_latest()
        rows = data.to_pydict()
        nodes = tuple(
            AbstractNode(
                rows["id"][i],
                int(rows["height"][i]),
                rows["parent"][i],
                tuple(rows["children"][i]),
                int(rows["leaves"][i]),
                rows["abstract"][i],
                AbstractKind(rows["kind"][i]),
                AbstractState(rows["state"][i]),
            )
            for i in range(data.num_rows)
        )
        flat = np.asarray(data["vector"].combine_chunks().flatten(), dtype=np.float32)
        return Grove(nodes, flat.reshape(len(nodes), data.schema.field("vector").type.list_size), state)

    # --- writing ------------------------------------------------------------------------------------------------------

    def write(self, tree: StoredTree, changed: Sequence[AbstractNode], vectors: Matrix, gone: Sequence[str]) -> None:
        """Replace `changed` nodes and drop `gone` ones, then note the new version with the tree it belongs to."""
        with self._writing():
            version = self._rewrite(changed, vectors, gone)
            edges = io.BytesIO()
            np.save(edges, tree.edges)
            with self._connections.transaction() as database:
                database.execute(
                    "INSERT OR REPLACE INTO tree VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        tree.state,
                        tree.vectors,
                        tree.shape,
                        version,
                        "\n".join(tree.leaves).encode(),
                        edges.getvalue(),
                        tree.corpus,
                    ),
                )
                database.conn.executemany("DELETE FROM node_use WHERE node = ?", [(node,) for node in gone])
            self._grove = None
            self._care()

    def rewrite(self, changed: Sequence[AbstractNode], vectors: Matrix) -> None:
        """Give nodes another abstract or vector; the tree stays as it is."""
        with self._writing():
            version = self._rewrite(changed, vectors, ())
            with self._connections.transaction() as database:
                database.execute("UPDATE tree SET version = ?", (version,))
            self._grove = None

    def _rewrite(self, changed: Sequence[AbstractNode], vectors: Matrix, gone: Sequence[str]) -> int:
        table = self._at_noted_version()
        names = [*gone, *(node.id for node in changed)]
        if table is None:
            if not changed:
                return 0
            self._remove()
            return int(self._connect().create_table(_TABLE, data=_arrow(changed, vectors)).version)
        for start in range(0, len(names), _ASK):
            quoted = ", ".join(f"'{name}'" for name in names[start : start + _ASK])
            table.delete(f"id IN ({quoted})")
        if changed:
            table.add(_arrow(changed, vectors))
        return int(table.version)

    def _at_noted_version(self) -> Any:
        """The table as the catalogue knows it: what a crash left beyond that is undone first."""
        table = self._table()
        if table is None:
            return None
        table.checkout_latest()
        row = self._row("version")
        if row is None:
            self._remove()
            return None
        if int(table.version) != int(row[0]):
            table.restore(int(row[0]))
            table.checkout_latest()
        return table

    def _remove(self) -> None:
        self._connection = None  # it remembers the versions of a table by their numbers
        remove_table(self._folder)

    def tidy(self) -> None:
        """Merge fragments and drop old versions where that is due. The writer lock must be held."""
        with self._lock, storage_errors(self._path, RuntimeError, ValueError):
            if (table := self._table()) is not None and fragments.is_due(table, self._folder):
                with self._writing():
                    self._compact(table)
                self._grove = None

    def _care(self) -> None:
        table = self._table()
        if table is not None and fragments.is_due(table, self._folder):
            self._compact(table)

    def _compact(self, table: Any) -> None:
        """Merge fragments and drop old versions. The catalogue never names a version that is gone."""
        for keep in (_FOREVER, fragments.kept(self._folder)):
            table.optimize(cleanup_older_than=keep)
            table.checkout_latest()
            self._note_version(table)

    def _note_version(self, table: Any) -> None:
        with self._connections.transaction() as database:
            database.execute("UPDATE tree SET version = ?", (int(table.version),))

    def mend(self) -> None:
        """Undo what a write that was killed or has failed has left. The writer lock must be held."""
        with self._lock, storage_errors(self._path, RuntimeError, ValueError):
            set_file_aside(self._path)
            with plain_errors(self._connections.path):
                if self._connections.get().execute("SELECT 1 FROM tree_writing").fetchone() is None:
                    return
            table = self._at_noted_version()
            if table is not None:
                self._note_version(table)
                sweep_strays(self._folder, table.stats()["fragment_stats"]["num_fragments"])
            self._grove = None
            self._note_writing("DELETE FROM tree_writing")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Around a write: until it is over the catalogue says that one is under way."""
        with self._lock, storage_errors(self._path, RuntimeError, ValueError):
            self._note_writing("INSERT OR IGNORE INTO tree_writing VALUES (1)")
            yield
            self._note_writing("DELETE FROM tree_writing")

    def _note_writing(self, statement: str) -> None:
        with self._connections.transaction() as database:
            database.execute(statement)

    def drop(self) -> None:
        """Forget the tree, be its files whole or not: it is grown again from the vectors."""
        with self._lock, storage_errors(self._path, RuntimeError, ValueError):
            with self._connections.transaction() as database:
                database.execute("DELETE FROM tree")
            self._remove()
            self._grove = None

    def _connect(self) -> Any:
        if self._connection is None:
            self._connection = connect(self._path)
        return self._connection

    def _table(self) -> Any:
        if not is_table(self._folder):
            return None
        try:
            return self._connect().open_table(_TABLE)
        except (RuntimeError, ValueError, OSError) as error:
            raise _damaged(self._path, error) from error


def _damaged(path: Path, error: Exception) -> KnownError:
    detail = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return KnownError(
        f"The abstract tree in {path} cannot be read: {detail}.",
        help="Run `sheaf index`; it is grown again from the vectors.",
        code="tree-damaged",
    )


def _arrow(nodes: Sequence[AbstractNode], vectors: Matrix) -> Any:
    import pyarrow as pa

    flat = np.ascontiguousarray(vectors, dtype=np.float32)
    return pa.table(
        {
            "id": pa.array([node.id for node in nodes], pa.string()),
            "height": pa.array([node.height for node in nodes], pa.int32()),
            "parent": pa.array([node.parent for node in nodes], pa.string()),
            "children": pa.array([list(node.children) for node in nodes], pa.list_(pa.string())),
            "leaves": pa.array([node.leaves for node in nodes], pa.int64()),
            "abstract": pa.array([node.abstract for node in nodes], pa.string()),
            "kind": pa.array([node.kind.value for node in nodes], pa.string()),
            "state": pa.array([node.state.value for node in nodes], pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(flat.ravel(), pa.float32()), flat.shape[1]),
        }
    )
