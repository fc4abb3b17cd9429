"""What one search looks up several times: the segments it found."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.core.ports import SegmentSource
from engine.retrieve.terms import Wording


class Shelf:
    """Segments, each read once, and their wording, each folded once."""

    def __init__(self, source: SegmentSource) -> None:
        self._source = source
        self._segments: dict[SegmentId, Segment] = {}
        self._wordings: dict[SegmentId, Wording] = {}

    def segments(self, ids: Sequence[SegmentId]) -> list[Segment]:
        """Those that are there, in the order asked."""
        missing = [one for one in ids if one not in self._segments]
        if missing:
            self._segments |= {segment.id: segment for segment in self._source.segments(missing)}
        return [self._segments[one] for one in ids if one in self._segments]

    def prepare(self, ids: Sequence[SegmentId], wording: bool) -> None:
        """Read segments now, and fold their wording if it will be asked for."""
        for segment in self.segments(ids):
            if wording:
                self.wording(segment).prepare()

    def wording(self, segment: Segment) -> Wording:
        """The segment's words in the forms that terms are compared in."""
        if segment.id not in self._wordings:
            self._wordings[segment.id] = Wording(segment)
        return self._wordings[segment.id]
