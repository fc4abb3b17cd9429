"""What one search looks up several times: the vectors of its queries, and the segments it found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.core.ports import Embedder, SegmentSource, Vector
from engine.retrieve.terms import Wording

_THREADS = 2


class QueryVectors:
    """Embeds each query once, beside the work of the keyword route. For one search; closes its threads on leaving."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="query")
        self._vectors: dict[str, Future[Vector]] = {}

    def __enter__(self) -> QueryVectors:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def prepare(self, queries: Iterable[str]) -> None:
        """Begin to embed what will be asked for."""
        for query in queries:
            if query.strip() and query not in self._vectors:
                self._vectors[query] = self._pool.submit(self._embedder.embed_query, query)

    def of(self, query: str) -> Vector:
        """The vector of a query. Raises what the embedder raises."""
        self.prepare((query,))
        return self._vectors[query].result()


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

    def wording(self, segment: Segment) -> Wording:
        """The segment's words in the forms that terms are compared in."""
        if segment.id not in self._wordings:
            self._wordings[segment.id] = Wording(segment)
        return self._wordings[segment.id]
