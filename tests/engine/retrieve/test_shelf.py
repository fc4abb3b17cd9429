"""One search embeds every query once and reads every segment once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from engine.core.errors import KnownError
from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.core.ports import Vector
from engine.retrieve.shelf import QueryVectors, Shelf
from tests.engine.retrieve.memory import HashingEmbedder, MemoryLibrary


class Counted(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.embedded: Counter[str] = Counter()

    def embed_query(self, text: str) -> Vector:
        self.embedded[text] += 1
        if text == "broken":
            raise KnownError("The embedding model is missing.")
        return super().embed_query(text)


def test_every_query_is_embedded_once_and_no_thread_stays() -> None:
    embedder, before = Counted(), threading.active_count()
    with QueryVectors(embedder) as vectors:
        vectors.prepare(["one", "two", "one", " "])
        assert np.array_equal(vectors.of("two"), HashingEmbedder().embed_query("two"))
        vectors.of("one")
        vectors.of("three")
    assert embedder.embedded == {"one": 1, "two": 1, "three": 1}
    assert threading.active_count() == before


def test_a_failure_reaches_who_asks() -> None:
    with QueryVectors(Counted()) as vectors:
        vectors.prepare(["broken"])
        with pytest.raises(KnownError):
            vectors.of("broken")


class Read(MemoryLibrary):
    """Notes which segments are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[SegmentId] = []

    def segments(self, ids: Sequence[SegmentId]) -> list[Segment]:
        self.asked += ids
        return super().segments(ids)


def test_every_segment_is_read_once_in_the_order_asked() -> None:
    library = Read()
    document = library.add("A", ("Features", "first text"), ("Limits", "second text"))
    first, second = (one.id for one in library.document_segments(document))
    shelf = Shelf(library)
    shelf.segments([first])
    assert [one.id for one in shelf.segments([second, SegmentId("0" * 32), first])] == [second, first]
    assert library.asked.count(first) == 1
    segment = shelf.segments([first])[0]
    assert shelf.wording(segment) is shelf.wording(segment)
