"""The vector store: what readers see, versions, compaction, and the two ways of searching."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import BugError, KnownError
from engine.core.ids import DocumentId, SegmentId, segment_id
from engine.core.model import Segment, SegmentKind
from engine.core.ports import Matrix, Visible
from engine.store import fragments, large
from engine.store.large import PIECES, pieces_of_index, rows_beyond_index
from engine.store.vectors import VectorStore, table_name

TABLE = table_name("fake:1")
D = 16


def document_called(label: str) -> DocumentId:
    return DocumentId(sha256(label.encode()).hexdigest())


class Shown:
    def __init__(self) -> None:
        self.generations: dict[DocumentId, int] = {}
        self.state = 0

    def visible(self) -> Visible:
        return Visible(self.state, dict(self.generations), {}, TABLE)

    def show(self, document: DocumentId, generation: int | None) -> None:
        if generation is None:
            self.generations.pop(document, None)
        else:
            self.generations[document] = generation
        self.state += 1


class Shelf:
    """A store with documents of a few random vectors each."""

    def __init__(self, folder: Path, matrix_rows: int = 250_000) -> None:
        self.shown = Shown()
        self.folder = folder
        self.store = VectorStore(folder, self.shown, matrix_rows=matrix_rows)
        self.random = np.random.default_rng(7)
        self.vectors: dict[SegmentId, Matrix] = {}

    def add(self, label: str, generation: int, count: int = 3, *, show: bool = True) -> list[Segment]:
        document = document_called(label)
        made = [
            Segment(
                segment_id(document, 1, n, f"{label} {generation}"),
                document,
                n,
                SegmentKind.TEXT,
                "",
                (),
                f"{label} {generation} {n}",
                "",
                1,
                (1,),
            )
            for n in range(count)
        ]
        matrix = self.random.normal(size=(count, D)).astype(np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        self.store.write(TABLE, made, matrix, {document: generation})
        self.vectors |= {one.id: vector for one, vector in zip(made, matrix, strict=True)}
        if show:
            self.shown.show(document, generation)
        return made

    def nearest(self, query: Matrix, k: int) -> list[SegmentId]:
        """By a full scan."""
        return sorted(self.vectors, key=lambda one: (-float(self.vectors[one] @ query), one))[:k]


@pytest.fixture(params=[250_000, 0], ids=["matrix", "index"])
def shelf(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shelf]:
    one = Shelf(tmp_path / "vectors", request.param)
    yield one
    one.store.close()


def fill(shelf: Shelf, documents: int = 60, each: int = 5) -> list[Segment]:
    made = [segment for n in range(documents) for segment in shelf.add(f"doc {n}", n + 1, each)]
    shelf.store.index_if_large(TABLE)
    shelf.shown.state += 1
    return made


def test_search_finds_the_nearest_in_order(shelf: Shelf) -> None:
    fill(shelf)
    query = shelf.vectors[next(iter(shelf.vectors))]
    hits = shelf.store.search(query, 10)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(1.0, abs=1e-5)
    exact = shelf.nearest(query, 10)
    assert len({hit.segment for hit in hits} & set(exact)) >= 9


def test_invisible_generations_are_passed_over(shelf: Shelf) -> None:
    made = fill(shelf)
    document = made[0].document
    newer = shelf.add("doc 0", 100, 2, show=False)
    query = shelf.vectors[newer[0].id]
    assert newer[0].id not in {hit.segment for hit in shelf.store.search(query, 20)}
    shelf.shown.show(document, 100)
    found = [hit.segment for hit in shelf.store.search(query, 20)]
    assert found[0] == newer[0].id
    assert made[0].id not in found
    shelf.shown.show(document, None)
    found = [hit.segment for hit in shelf.store.search(query, 400)]
    assert not {one.id for one in (*made, *newer) if one.document == document} & set(found)


def test_search_within_documents(shelf: Shelf) -> None:
    made = fill(shelf)
    chosen = made[0].document
    hits = shelf.store.search(shelf.vectors[made[-1].id], 50, [chosen])
    assert {hit.segment for hit in hits} == {one.id for one in made if one.document == chosen}
    assert shelf.store.search(shelf.vectors[made[0].id], 5, []) == []


def test_within_documents_search_is_exact_before_and_after_a_compaction(shelf: Shelf) -> None:
    made = fill(shelf)
    chosen = [document_called(f"doc {n}") for n in range(0, 60, 4)]
    query = shelf.vectors[made[7].id]

    def expected() -> list[SegmentId]:
        rows = [one.id for one in made if one.document in chosen]
        return sorted(rows, key=lambda one: (-float(shelf.vectors[one] @ query), one))[:20]

    assert [hit.segment for hit in shelf.store.search(query, 20, chosen)] == expected()
    shelf.store.sweep(TABLE, [(document_called("doc 1"), 2)])
    shelf.store.compact(TABLE, force=True)  # moves rows; the state, and so what is known of them, stays
    chosen.append(document_called("doc 59"))
    assert [hit.segment for hit in shelf.store.search(query, 20, chosen)] == expected()


def test_within_many_rows_the_index_searches(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "_FEW", 8)
    made = fill(shelf)
    chosen = [document_called(f"doc {n}") for n in range(30)]
    hits = shelf.store.search(shelf.vectors[made[3].id], 10, chosen)
    assert hits[0].segment == made[3].id
    assert len(hits) == 10


def test_vectors_come_back_in_the_order_asked(shelf: Shelf) -> None:
    made = fill(shelf, 10)
    asked = [made[7].id, made[1].id, made[7].id]
    assert np.array_equal(shelf.store.vectors(asked), np.array([shelf.vectors[one] for one in asked]))
    with pytest.raises(BugError):
        shelf.store.vectors([SegmentId("0" * 32)])


def test_rows_swept_are_gone_and_others_stay(shelf: Shelf) -> None:
    made = fill(shelf, 10)
    shelf.store.sweep(TABLE, [(made[0].document, 1)])
    held = shelf.store.held(TABLE)
    assert (made[0].document, 1) not in held
    assert sum(held.values()) == 45


def test_restore_undoes_what_came_after(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.add("a", 1)
    noted = shelf.store.version(TABLE)
    shelf.add("b", 2)
    assert shelf.store.restore(TABLE, noted) > noted
    assert {generation for _, generation in shelf.store.held(TABLE)} == {1}
    with pytest.raises(KnownError):
        shelf.store.restore(TABLE, 999)
    shelf.store.close()


def test_compaction_goes_by_fragments_and_keeps_every_row(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for n in range(30):
        shelf.add(f"doc {n}", n + 1)
        if shelf.store.compact(TABLE) is not None:
            break
    assert 20 < n < 29
    before = shelf.store.version(TABLE)
    assert shelf.store.compact(TABLE) is None
    assert shelf.store.version(TABLE) == before
    assert sum(shelf.store.held(TABLE).values()) == 3 * (n + 1)
    shelf.store.close()


def test_a_save_does_not_rewrite_the_table_but_waste_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dropping old versions merges fragments too: done at every save it wrote the whole table again each time."""
    shelf = Shelf(tmp_path)
    folder = tmp_path / f"{TABLE}.lance"

    def held() -> int:
        return sum(path.stat().st_size for path in (folder / "data").iterdir())

    shelf.add("large", 1, count=20_000)
    one = held()
    for n in range(8):
        shelf.add(f"doc {n}", n + 2)
        shelf.store.sweep(TABLE, [(document_called(f"doc {n - 1}"), n + 1)])
        assert shelf.store.compact(TABLE) is None, "while it is written to"
    assert held() < 1.2 * one
    shelf.store.compact(TABLE, force=True)
    assert held() > 1.9 * one
    monkeypatch.setattr(fragments, "KEEP_OLD", timedelta(seconds=0.2))
    time.sleep(0.3)
    assert shelf.store.compact(TABLE) is not None, "the old versions are read by nobody any more"
    shelf.store.clean(TABLE)
    assert held() < 1.2 * one
    shelf.store.close()


def test_many_quick_saves_do_not_heap_up_versions(shelf: Shelf) -> None:
    """Old versions stay for readers, but a machine that saves fast must not hold hundreds of them; a reader that is
    still at one that has gone looks again."""
    first = fill(shelf, 30)[0]
    versions = shelf.folder / f"{TABLE}.lance" / "_versions"
    reader = VectorStore(shelf.folder, shelf.shown, matrix_rows=shelf.store._matrix_rows)
    most = 0
    for n in range(200):
        if n % 60 == 0:
            assert reader.search(shelf.vectors[first.id], 1)[0].segment == first.id
        made = shelf.add(f"quick {n}", n + 100, count=1, show=False)
        if shelf.store.compact(TABLE) is not None:
            shelf.store.clean(TABLE)
        most = max(most, len(list(versions.glob("*.manifest"))))
    assert 32 <= most < 70
    shelf.shown.show(made[0].document, 299)
    for store in (shelf.store, reader):
        assert store.search(shelf.vectors[made[0].id], 1)[0].segment == made[0].id
    assert sum(shelf.store.held(TABLE).values()) == 350
    reader.close()


def test_another_reader_follows_writes_compaction_and_cleaning(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    reader = VectorStore(tmp_path, shelf.shown)
    for n in range(30):
        made = shelf.add(f"doc {n}", n + 1)
        assert reader.search(shelf.vectors[made[0].id], 1)[0].segment == made[0].id
    shelf.store.compact(TABLE, force=True)
    shelf.store.clean(TABLE)
    shelf.shown.state += 1
    assert reader.search(shelf.vectors[made[0].id], 1)[0].segment == made[0].id
    fresh = VectorStore(tmp_path, shelf.shown)
    assert len(fresh.search(shelf.vectors[made[0].id], 500)) == 90
    for one in (reader, fresh, shelf.store):
        one.close()


def test_damaged_table_is_told_in_words(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.add("a", 1)
    shelf.store.close()
    for manifest in (tmp_path / f"{TABLE}.lance" / "_versions").iterdir():
        manifest.write_bytes(b"nonsense")
    with pytest.raises(KnownError, match="cannot be opened"):
        VectorStore(tmp_path, shelf.shown).search(np.ones(D, dtype=np.float32), 1)


def test_an_index_in_many_pieces_is_built_anew(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "vectors", 0)
    store = VectorStore(tmp_path / "vectors", shelf.shown, matrix_rows=0, beyond_index=0)
    try:
        fill(shelf)
        held = store._table(TABLE)
        for n in range(PIECES):
            held.checkout_latest()
            assert pieces_of_index(held) == 1 + n
            assert store.index_if_large(TABLE) is None
            made = shelf.add(f"later {n}", 100 + n, 5)
            assert store.compact(TABLE) is not None
        assert store.index_if_large(TABLE) is not None
        assert pieces_of_index(held) == 1
        assert rows_beyond_index(held) == 0
        shelf.shown.state += 1
        assert store.search(shelf.vectors[made[0].id], 1)[0].segment == made[0].id
    finally:
        store.close()
        shelf.store.close()


def test_rows_that_come_after_the_index_join_it(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "vectors", 0)
    store = VectorStore(tmp_path / "vectors", shelf.shown, matrix_rows=0, beyond_index=20)
    try:
        fill(shelf)
        held = store._table(TABLE)
        for n in range(5):
            shelf.add(f"later {n}", 100 + n, 5)
        held.checkout_latest()
        assert rows_beyond_index(held) == 25
        assert store.compact(TABLE) is not None
        store.clean(TABLE)
        held.checkout_latest()
        assert rows_beyond_index(held) == 0
        assert store.compact(TABLE) is None
    finally:
        store.close()
        shelf.store.close()
