"""Running the dense and the keyword route over a question's scopes, and joining what they return per route."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from engine.core.ids import SegmentId
from engine.core.ports import KeywordIndex, Scored
from engine.core.results import Route
from engine.retrieve.beside import DenseSearches, Near


@dataclass(frozen=True, slots=True)
class Probe:
    """One query of both routes: the words that the keyword route takes, and where and by which text the dense one
    searches."""

    query: str
    near: Near


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
    """The routes over one library that a search takes."""

    def __init__(self, keyword: KeywordIndex, dense: DenseSearches, route: Route) -> None:
        self._keyword = keyword
        self._dense = dense
        self._route = route

    def begin(self, probes: Iterable[Probe]) -> None:
        """Let the dense route work on what will be asked."""
        if self._route is not Route.KEYWORD:
            self._dense.prepare([probe.near for probe in probes])

    def expect(self, probe: Probe) -> None:
        """Let a text be embedded that will be searched by, where is not known yet."""
        if self._route is not Route.KEYWORD:
            self._dense.embed([probe.near.text])

    def lexical(self, probe: Probe) -> list[Scored]:
        """The keyword route's candidates."""
        near = probe.near
        if self._route not in (Route.HYBRID, Route.KEYWORD) or near.empty or not probe.query.strip():
            return []
        return self._keyword.search(probe.query, near.depth, near.scope, near.among)

    def pool(self, probe: Probe, lexical: Sequence[Scored]) -> Pool:
        """`lexical`, joined by the dense route's candidates."""
        if probe.near.empty:
            return Pool()
        dense = [] if self._route is Route.KEYWORD else self._dense.of(probe.near)
        return Pool(tuple(dense), tuple(lexical), len(lexical) < probe.near.depth)


def _merge(first: Sequence[Scored], second: Sequence[Scored]) -> tuple[Scored, ...]:
    best = {item.segment: item for item in (*second, *first)}
    return tuple(sorted(best.values(), key=lambda item: (-item.score, item.segment)))
