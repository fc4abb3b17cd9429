"""Running the dense and the keyword route over a question's scopes, and joining what they return per route."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import DenseIndex, KeywordIndex, Scored, Vector
from engine.core.results import Route

Scope = Sequence[DocumentId] | None
"""Documents a retrieval is restricted to; None for the whole library."""


@dataclass(frozen=True, slots=True)
class Pool:
    """What the routes returned, each list best first without repeats."""

    dense: tuple[Scored, ...] = ()
    lexical: tuple[Scored, ...] = ()
    whole: bool = False
    """The keyword route was not cut off: what it did not return holds none of the query's words."""

    def with_zeros(self) -> tuple[Scored, ...]:
        """The keyword list, with the score 0 that other candidates have there if it is whole."""
        if not self.whole:
            return self.lexical
        held = {item.segment for item in self.lexical}
        return (*self.lexical, *(Scored(item.segment, 0.0) for item in self.dense if item.segment not in held))

    def joined(self, other: Pool) -> Pool:
        """Both pools' lists; scores are comparable because both answered the same query."""
        whole = self.whole and other.whole
        return Pool(_merge(self.dense, other.dense), _merge(self.lexical, other.lexical), whole)

    def segments(self) -> list[SegmentId]:
        """Every candidate once, in a fixed order."""
        return list(dict.fromkeys(item.segment for item in (*self.dense, *self.lexical)))

    def only(self, kept: Container[SegmentId]) -> Pool:
        """The pool without the candidates that are not in `kept`."""
        return Pool(
            tuple(item for item in self.dense if item.segment in kept),
            tuple(item for item in self.lexical if item.segment in kept),
            self.whole,
        )


class Routes:
    """The routes over one library. `tree` searches the same vectors down the abstract tree; `vector_of` embeds a
    query."""

    def __init__(
        self,
        dense: DenseIndex,
        keyword: KeywordIndex,
        vector_of: Callable[[str], Vector],
        tree: DenseIndex | None = None,
    ) -> None:
        self._dense = dense
        self._keyword = keyword
        self._vector_of = vector_of
        self._tree = tree or dense

    def gather(
        self,
        query: str,
        scope: Scope,
        depth: int,
        route: Route = Route.HYBRID,
        among: Sequence[SegmentId] | None = None,
        meant: str = "",
    ) -> Pool:
        """At most `depth` candidates of each route, of the documents `scope` and the segments `among` where given.

        An empty query finds nothing. `meant` is embedded in place of the query where it is given.
        """
        if not query.strip() or (scope is not None and not scope) or (among is not None and not among):
            return Pool()
        dense: list[Scored] = []
        lexical: list[Scored] = []
        # The keyword route first: meanwhile the query is embedded.
        if route in (Route.HYBRID, Route.KEYWORD):
            lexical = self._keyword.search(query, depth, scope, among)
        if route is not Route.KEYWORD:
            vector = self._vector_of(meant or query)
            nearest = self._tree if route is Route.TREE else self._dense
            dense = nearest.search(vector, depth, scope) if among is None else self._nearest(vector, among, depth)
        return Pool(tuple(dense), tuple(lexical), len(lexical) < depth)

    def _nearest(self, vector: Vector, among: Sequence[SegmentId], depth: int) -> list[Scored]:
        """The best of some segments, compared one by one: they were chosen by a filter, not by likeness."""
        scores = self._dense.vectors(among) @ vector
        found = [Scored(segment, float(score)) for segment, score in zip(among, scores, strict=True)]
        return sorted(found, key=lambda item: (-item.score, item.segment))[:depth]

    def near(self, segment: SegmentId, depth: int, scope: Scope, among: Sequence[SegmentId] | None = None) -> Pool:
        """The segments whose vectors are nearest to one's own."""
        vector = self._dense.vectors([segment])[0]
        found = self._dense.search(vector, depth, scope) if among is None else self._nearest(vector, among, depth)
        return Pool(dense=tuple(found))


def _merge(first: Sequence[Scored], second: Sequence[Scored]) -> tuple[Scored, ...]:
    best = {item.segment: item for item in (*second, *first)}
    return tuple(sorted(best.values(), key=lambda item: (-item.score, item.segment)))
