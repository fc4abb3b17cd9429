"""One search reads every segment once."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.retrieve.shelf import Shelf
from tests.engine.retrieve.memory import MemoryLibrary


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
