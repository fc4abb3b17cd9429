"""Another embedding model: its vectors are written beside the old ones, which serve until the new are complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.errors import KnownError
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.ports import Embedder, Matrix, Scored, Vector
from engine.store.catalog import Catalog
from engine.store.ledger import Ledger
from engine.store.vectors import VectorStore, table_name


class NoVectors:
    """Implements :class:`DenseIndex` where the vectors are another model's: its distances would mean nothing."""

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None = None) -> list[Scored]:
        return []

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        raise KnownError(
            "The library is still indexed by another model.", help="Run `sheaf index`.", code="other-model"
        )


def serves(catalog: Catalog, model_key: str) -> bool:
    """Whether the vectors that readers see are of this model; True where there are none yet."""
    return catalog.visible().vectors in ("", table_name(model_key))


def documents_to_embed(catalog: Catalog, vectors: VectorStore, model_key: str) -> list[DocumentId]:
    """Visible documents that `model_key`'s table does not hold whole; empty where that table already serves.

    Rows of interrupted attempts that fit the visible generation are kept, others swept; a table that was killed while
    it was made, or is damaged, is begun anew.
    """
    visible = catalog.visible()
    table = table_name(model_key)
    if not visible.vectors or visible.vectors == table or not visible.generations:
        return []
    counts = catalog.segment_counts()
    whole: set[DocumentId] = set()
    stale: list[tuple[DocumentId, int]] = []
    for pair, rows in _held(vectors, table).items():
        if visible.generations.get(pair[0]) == pair[1] and counts.get(pair[0]) == rows:
            whole.add(pair[0])
        else:
            stale.append(pair)
    if stale:
        vectors.sweep(table, stale)
    return [one for one in sorted(visible.generations) if one not in whole and counts.get(one, 0)]


def _held(vectors: VectorStore, table: str) -> dict[tuple[DocumentId, int], int]:
    try:
        return vectors.held(table)
    except KnownError as error:
        if error.code != "vectors-damaged":
            raise
        vectors.drop(table)
        return {}


def follow_model(
    catalog: Catalog,
    vectors: VectorStore,
    embedder: Embedder,
    embed: Callable[[Sequence[Segment], str], Matrix],
    on_document: Callable[[int, str], None],
) -> None:
    """Bring the library to `embedder`'s model. `embed(segments, file)` may raise Cancelled: the old table then still
    serves and the next call goes on. `on_document(total, file)` is told before each document."""
    visible = catalog.visible()
    table = table_name(embedder.model_key)
    if not visible.vectors or visible.vectors == table:
        _drop_abandoned(vectors, visible.vectors)
        return
    todo = documents_to_embed(catalog, vectors, embedder.model_key)
    wanted = dict(visible.generations)
    for document in todo:
        places = catalog.places(document)
        file = places[0].file if places else document
        on_document(len(todo), file)
        segments = catalog.document_segments(document)
        vectors.write(table, segments, embed(segments, file), wanted)
    Ledger(catalog).switch_vectors(table, vectors.version(table), wanted, embedder.model_key)
    vectors.drop(visible.vectors)


def _drop_abandoned(vectors: VectorStore, serving: str) -> None:
    """Another model was begun and given up again: its table is of no more use."""
    for name in vectors.tables() if serving else ():
        if name != serving:
            vectors.drop(name)
