"""Hits and explanations: which route found a segment, its scores, matched terms, the link it came over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.core.ports import Scored, SegmentSource
from engine.core.results import Hit, Route, RouteScore
from engine.core.text import fold_case, is_identifier, part_key
from engine.retrieve.hops import Hop
from engine.retrieve.places import Ranked
from engine.retrieve.routes import Pool
from engine.retrieve.settings import RetrievalSettings
from engine.retrieve.understand import Understanding


def make_hits(
    ranked: Sequence[Ranked],
    segments: Mapping[SegmentId, Segment],
    pools: Sequence[Pool],
    asked: Understanding,
    source: SegmentSource,
    route: Route = Route.HYBRID,
) -> tuple[Hit, ...]:
    """Hits with everything a caller shows; ranks are 1-based."""
    by_vector = (Route.TREE if route is Route.TREE else Route.DENSE).value
    dense = _ranks([pool.dense for pool in pools])
    lexical = _ranks([pool.lexical for pool in pools])
    hits = []
    for rank, item in enumerate(ranked, start=1):
        segment = segments[item.segment]
        routes = [
            RouteScore(name, found[item.segment][0].score, found[item.segment][1])
            for name, found in ((by_vector, dense), ("keyword", lexical))
            if item.segment in found
        ]
        if item.through:
            routes.append(RouteScore("link", item.score, rank))
        words = lexical[item.segment][0].matched if item.segment in lexical else ()
        page = source.page(segment.document, segment.page)
        hits.append(
            Hit(
                rank=rank,
                score=item.score,
                segment=segment,
                places=source.places(segment.document),
                page_label=page.label if page is not None else "",
                routes=tuple(routes),
                matched=tuple(dict.fromkeys((*_names(asked, segment), *words))),
                found_through=item.through,
            )
        )
    return tuple(hits)


def describe(asked: Understanding, settings: RetrievalSettings, hops: Sequence[Hop]) -> dict[str, object]:
    """How the question was understood and weighed, in plain values."""
    return {
        "kind": asked.kind.value,
        "subjects": [
            {"text": s.text, "documents": len(s.documents), "kind": s.kind.value, "exact": s.exact}
            for s in asked.subjects
        ],
        "terms": list(asked.terms),
        "sections": list(asked.sections),
        "fusion": settings.fusion.value,
        "alpha": settings.weights.alpha,
        "beta": settings.weights.beta,
        "links": [{"through": hop.through, "strength": round(hop.strength, 3)} for hop in hops],
    }


def unknown_terms(asked: Understanding, found: Iterable[Segment]) -> tuple[str, ...]:
    """Warnings about identifiers that no document is about and no passage found mentions: a likely misspelling, or a
    part the library does not hold."""
    wanted = {part_key(term): term for term in asked.terms if is_identifier(term)}
    for segment in found:
        if not wanted:
            break
        keyed = part_key(" ".join((segment.title, *segment.path, segment.text)))
        wanted = {key: term for key, term in wanted.items() if key not in keyed}
    return tuple(f"Nothing was found that mentions {term}." for term in wanted.values())


def _ranks(lists: Sequence[Sequence[Scored]]) -> dict[SegmentId, tuple[Scored, int]]:
    found: dict[SegmentId, tuple[Scored, int]] = {}
    for scored in lists:
        for rank, item in enumerate(scored, start=1):
            if item.segment not in found or rank < found[item.segment][1]:
                found[item.segment] = (item, rank)
    return found


def _names(asked: Understanding, segment: Segment) -> list[str]:
    """Critical terms the segment answers to: names of its document, then terms in its text."""
    names = [subject.text for subject in asked.subjects if segment.document in subject.documents]
    folded = fold_case(" ".join((*segment.path, segment.text)))
    keyed = part_key(folded)
    return names + [term for term in asked.terms if fold_case(term) in folded or part_key(term) in keyed]
