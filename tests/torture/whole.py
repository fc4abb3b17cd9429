"""A library with all the real stores: catalogue, vectors, keywords, names, records, revisions and the abstract tree.

The reader is the real one for Markdown and HTML, in this process; only the embedder is a fake, whose vectors depend on
the words alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.core.cancel import CancelToken
from engine.core.model import PageBox, ParsedDocument
from engine.core.ports import Embedder
from engine.core.results import IndexReport
from engine.grow import Grower
from engine.links.revisions import families_of
from engine.parse.reader import read_document
from engine.stages import Linked, Recorded, Revised
from engine.store import fragments
from engine.store.ledger import library_database
from engine.store.names import NameStore
from engine.store.nodes import NodeStore
from engine.store.records import RecordStore
from engine.store.revisions import RevisionStore
from tests.engine.library_case import LibraryCase

_TABLES = {
    "pages": "SELECT * FROM pages",
    "names": "SELECT * FROM names",
    "revisions": "SELECT * FROM revisions",
    "records": "SELECT r.id, d.id, n.key, n.parameter, n.symbol, r.kind, r.section, r.unit, r.low, r.high, r.body"
    " FROM records r JOIN record_documents d ON d.number = r.document JOIN record_names n ON n.number = r.name",
    "stages": "SELECT document, stage, version FROM ledger",
    "places": "SELECT folder, name, file, document, size, former FROM places",
}
"""What of the catalogue must be equal: all but times and row numbers."""
_OF_DOCUMENTS = ("pages", "segments", "names", "revisions", "ledger")
_AROUND = ("library.db", "library.db-wal", "library.db-shm", "writer.lock", "vectors", "keyword", "tree")


class InlineReader:
    """The real reader, without a child process: kills hit the work, not the start of a child."""

    def parse(
        self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
    ) -> ParsedDocument:
        cancel.raise_if_cancelled()
        return read_document(path, on_page or (lambda _page, _pages: None))

    def locate(self, path: Path, page: int, quote: str) -> tuple[PageBox, ...]:
        return ()

    def close(self) -> None:
        return None


class WholeLibrary(LibraryCase):
    """`compact` is the number of fragments from which vectors and tree are compacted."""

    def __init__(
        self, root: Path, *, folders: Sequence[Path] = (), embedder: Embedder | None = None, compact: int = 24
    ) -> None:
        fragments.COMPACT_FRAGMENTS = compact
        database = library_database(root / "home")
        self.names = NameStore(database)
        self.records = RecordStore(database)
        self.revision_entries = RevisionStore(database)
        super().__init__(
            root,
            folders=folders,
            embedder=embedder,
            parser=InlineReader(),
            extensions=(Linked(self.names), Recorded(self.records), Revised(self.revision_entries)),
        )
        self.nodes = NodeStore(self.home / "tree", database)

    def close(self) -> None:
        for store in (self.nodes, self.names, self.records, self.revision_entries):
            store.close()
        super().close()

    def index(self, cancel: CancelToken | None = None) -> IndexReport:
        """What :meth:`engine.session.Session.index` does."""
        report = super().index(cancel)
        Grower(self.catalog, self.vectors, self.nodes).grow(cancel or CancelToken())
        return report

    def state(self) -> dict[str, object]:
        """Everything that must be equal between a disturbed and an undisturbed library over the same folder."""
        found = super().state()
        database = self.catalog.connections.get()
        for name, query in _TABLES.items():
            found[name] = sorted(map(repr, database.execute(query)))
        families = families_of(self.revision_entries.entries())
        found["families"] = sorted([one.document for one in family] for family in families)
        segments = self.catalog.segment_ids()
        found["vector bytes"] = _digest(self.vectors.vectors(segments).tobytes()) if segments else ""
        return found | self._tree()

    def _tree(self) -> dict[str, object]:
        """Nodes by what lies below them. Abstracts depend on when the corpus was last counted, so of them only that
        they are there."""
        grove = self.nodes.grove()
        stored = self.nodes.stored()
        leaves = [child for node in grove.nodes if node.height == 1 for child in node.children]
        return {
            "nodes": sorted((one.id, one.height, str(one.parent), one.children, one.leaves) for one in grove.nodes),
            "node vectors": {node.id: grove.vectors[n].round(4).tolist() for n, node in enumerate(grove.nodes)},
            "wordless nodes": [node.id for node in grove.nodes if not node.abstract],
            "leaves": sorted(leaves),
            "leaves noted": sorted(stored.leaves) if stored is not None else [],
            "tree in step": stored is not None and stored.state == self.catalog.visible().state,
        }

    def told(self) -> str:
        """All that the tree's abstracts say."""
        return "\n".join(node.abstract for node in self.nodes.grove().nodes)

    def misfits(self) -> list[str]:
        """Whatever lies in the stores and belongs to nothing: rows without a document, tables and files of no use."""
        return [*self._orphan_rows(), *self._orphan_files()]

    def _orphan_rows(self) -> list[str]:
        database = self.catalog.connections.get()
        found = []
        for table in _OF_DOCUMENTS:
            query = f"SELECT count(*) FROM {table} WHERE document NOT IN (SELECT id FROM documents)"
            count = database.execute(query).fetchone()[0]
            found += [f"{count} rows of {table}"] if count else []
        records = "SELECT count(*) FROM records WHERE document NOT IN (SELECT number FROM record_documents)"
        count = database.execute(records).fetchone()[0]
        gone = "SELECT count(*) FROM record_documents WHERE id NOT IN (SELECT id FROM documents)"
        count += database.execute(gone).fetchone()[0]
        visible = self.catalog.visible()
        for pair in self.vectors.held(visible.vectors):
            found += [] if visible.generations.get(pair[0]) == pair[1] else [f"vectors of {pair}"]
        for pair in self.keyword.held():
            found += [] if visible.generations.get(pair[0]) == pair[1] else [f"keywords of {pair}"]
        return found + ([f"{count} orphaned records"] if count else [])

    def _orphan_files(self) -> list[str]:
        found = [path.name for path in self.home.iterdir() if path.name not in _AROUND]
        index = self.keyword._open()
        named = {f"{segment.segment_id()}.seg" for segment in index._segments()} if index is not None else set()
        if (self.home / "keyword").is_dir():
            found += [
                path.name
                for path in (self.home / "keyword").iterdir()
                if path.name not in named and not path.name.endswith((".toc", "_WRITELOCK", "names.db"))
            ]
        table = self.catalog.visible().vectors
        found += sorted(set(self.vectors.tables()) - {table})
        found += _unreferenced(self.vectors._table(table), self.vectors.path / f"{table}.lance")
        found += _unreferenced(self.nodes._table(), self.home / "tree" / "nodes.lance")
        return found


def _unreferenced(table: Any, folder: Path) -> list[str]:
    """Files that no version of a LanceDB table names, and others that do not belong there."""
    if table is None:
        return [str(path) for path in folder.rglob("*") if path.is_file()]
    manifests = b"".join(path.read_bytes() for path in (folder / "_versions").glob("*.manifest"))
    found = []
    for path in (path for path in folder.rglob("*") if path.is_file()):
        kind, *_ = path.relative_to(folder).parts
        named = {
            "data": path.name.encode() in manifests,
            "_transactions": path.name.encode() in manifests,
            "_deletions": path.suffix in (".arrow", ".bin") and _varint(path.stem.split("-")[-1]) in manifests,
            "_indices": kind == "_indices" and bytes.fromhex(path.parent.name.replace("-", "")) in manifests,
            "_versions": path.suffix == ".manifest" or path.name == "latest_version_hint.json",
        }
        found += [] if named.get(kind) else [f"{folder.name}/{path.relative_to(folder)}"]
    return found


def _varint(number: str) -> bytes:
    septets = [int(number) >> shift & 0x7F for shift in range(0, int(number).bit_length(), 7)]
    return bytes([*(one | 0x80 for one in septets[:-1]), septets[-1]])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
