"""The dense route beside the keyword route: queries embedded and their neighbours found in threads of their own.

Both release the interpreter nearly all of their time and the keyword route never does, so that together they take
hardly longer than the longer of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, wait
from functools import cache, partial
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import DenseIndex, Embedder, Scored, Vector

Made = TypeVar("Made")


Scope = tuple[DocumentId, ...] | None
"""Documents a retrieval is restricted to; None for the whole library."""
Among = tuple[SegmentId, ...] | None
"""The segments a filter lets through, where it looks at segments one by one."""


class Near(NamedTuple):
    """One dense search: the text that is embedded, how many neighbours, of which documents and which segments."""

    text: str
    depth: int
    scope: Scope = None
    among: Among = None

    @property
    def empty(self) -> bool:
        """Whether nothing can be found."""
        return not self.text.strip() or self.scope == () or self.among == ()


class DenseSearches:
    """The dense searches of one question, each made once. Without an executor they are made when they are asked for.

    The executor's threads must outlive the question: the stores keep a connection for each thread.
    """

    def __init__(self, embedder: Embedder, dense: DenseIndex, executor: Executor | None = None) -> None:
        self._embedder = embedder
        self._dense = dense
        self._executor = executor
        self._begun: list[Future[Any]] = []
        self._vectors: dict[str, Callable[[], Vector]] = {}
        self._found: dict[Near, Callable[[], list[Scored]]] = {}

    def __enter__(self) -> DenseSearches:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait([future for future in self._begun if not future.cancel()])

    def embed(self, texts: Iterable[str]) -> None:
        """Begin to embed what will be searched by."""
        for text in texts:
            if text.strip() and text not in self._vectors:
                self._vectors[text] = self._begin(self._embedder.embed_query, text)

    def prepare(self, wanted: Sequence[Near]) -> None:
        """Begin what will be asked for, one search after the other, the texts embedded side by side before them.

        Executors start what they are given in order: a search never waits for a text behind it.
        """
        self.embed(near.text for near in wanted)
        for near in wanted:
            if not near.empty and near not in self._found:
                self._found[near] = self._begin(self._search, near)

    def of(self, near: Near) -> list[Scored]:
        """The neighbours, best first; none where nothing is asked. Raises what the embedder and the index raise."""
        if near.empty:
            return []
        self.prepare([near])
        return self._found[near]()

    def _search(self, near: Near) -> list[Scored]:
        vector = self._vectors[near.text]()
        if near.among is not None:
            return nearest_among(self._dense, vector, near.among, near.depth)
        return self._dense.search(vector, near.depth, near.scope)

    def _begin(self, work: Callable[..., Made], *arguments: object) -> Callable[[], Made]:
        if self._executor is None:
            return cache(partial(work, *arguments))
        future = self._executor.submit(work, *arguments)
        self._begun.append(future)
        return future.result


def nearest_among(dense: DenseIndex, vector: Vector, among: Sequence[SegmentId], depth: int) -> list[Scored]:
    """The best of some segments, compared one by one: they were chosen by a filter, not by likeness."""
    scores = dense.vectors(among) @ vector
    found = [Scored(segment, float(score)) for segment, score in zip(among, scores, strict=True)]
    return sorted(found, key=lambda item: (-item.score, item.segment))[:depth]
