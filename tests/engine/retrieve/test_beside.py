"""The dense route beside the keyword route: every search once, with the same result in turns and in threads."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from engine.core.errors import KnownError
from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Matrix, Scored, Vector
from engine.retrieve.beside import DenseSearches, Near
from tests.engine.retrieve.memory import HashingEmbedder, MemoryLibrary

_A, _B = DocumentId("a" * 64), DocumentId("b" * 64)


class Counted(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.embedded: Counter[str] = Counter()

    def embed_query(self, text: str) -> Vector:
        self.embedded[text] += 1
        if text == "broken":
            raise KnownError("The embedding model is missing.")
        return super().embed_query(text)


class Noted:
    """A dense index that notes what it was asked, in which thread; it finds a segment named by the question."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Sequence[DocumentId] | None]] = []
        self.threads: set[int] = set()

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None = None) -> list[Scored]:
        self.asked.append((k, within))
        self.threads.add(threading.get_ident())
        return [Scored(SegmentId("c" * 32), float(vector[0]))]

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        raise AssertionError("not asked here")


@pytest.fixture(params=["in turns", "beside"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    if request.param == "in turns":
        yield None
        return
    with ThreadPoolExecutor(2) as threads:
        yield threads


def test_every_text_is_embedded_once_and_every_search_made_once(executor: Executor | None) -> None:
    embedder, dense = Counted(), Noted()
    with DenseSearches(embedder, dense, executor) as searches:
        wanted = [Near("one", 5), Near("one", 5, (_A,)), Near("two", 5), Near("one", 5)]
        searches.prepare(wanted)
        searches.embed(["three", "two", " "])
        for near in (*wanted, *wanted):
            assert searches.of(near) == [
                Scored(SegmentId("c" * 32), float(HashingEmbedder().embed_query(near.text)[0]))
            ]
        searches.of(Near("three", 2, (_A, _B)))
    assert set(embedder.embedded.values()) == {1}
    assert sorted(dense.asked, key=str) == sorted([(5, None), (5, (_A,)), (5, None), (2, (_A, _B))], key=str)
    assert (threading.get_ident() in dense.threads) is (executor is None)


@pytest.mark.parametrize("near", [Near(" ", 5), Near("one", 5, ()), Near("one", 5, None, ())])
def test_where_nothing_is_asked_nothing_is_searched(executor: Executor | None, near: Near) -> None:
    dense = Noted()
    with DenseSearches(HashingEmbedder(), dense, executor) as searches:
        searches.prepare([near])
        assert searches.of(near) == []
    assert dense.asked == []


def test_some_segments_are_compared_one_by_one(executor: Executor | None) -> None:
    library = MemoryLibrary()
    document = library.add("A", ("Features", "supply current"), ("Limits", "supply voltage"), ("Notes", "other"))
    among = tuple(one.id for one in library.document_segments(document))[:2]
    with DenseSearches(library.embedder, library.dense, executor) as searches:
        found = searches.of(Near("supply current", 1, None, among))
    assert [one.segment for one in found] == [among[0]]


def test_a_failure_reaches_who_asks(executor: Executor | None) -> None:
    with DenseSearches(Counted(), Noted(), executor) as searches:
        searches.prepare([Near("broken", 5)])
        with pytest.raises(KnownError):
            searches.of(Near("broken", 5))


class Full(Executor):
    """An executor whose threads are all busy."""

    def __init__(self) -> None:
        self.waiting: list[Future[object]] = []

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[object]:  # type: ignore[override]
        self.waiting.append(Future())
        return self.waiting[-1]


def test_what_a_search_gives_up_is_not_begun_any_more() -> None:
    full = Full()
    with DenseSearches(HashingEmbedder(), Noted(), full) as searches:
        searches.prepare([Near("one", 5), Near("two", 5)])
    assert len(full.waiting) == 4
    assert all(future.cancelled() for future in full.waiting)
