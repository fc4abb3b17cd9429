"""The multi-route retriever (HiQA 3.3): understand the question, gather, fuse, follow links, keep places, explain."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.core.errors import UsageError
from engine.core.ids import DocumentId, SegmentId
from engine.core.lexicon import Lexicon
from engine.core.model import Segment, SegmentKind
from engine.core.ports import DenseIndex, Embedder, KeywordIndex, MentionSource, Reranker, Scored, SegmentSource
from engine.core.results import Route, SearchFilter, SearchResult
from engine.core.revision_ports import RevisionSource
from engine.core.text import fold_case, mend_parts
from engine.retrieve.abbreviations import written_out
from engine.retrieve.beside import Among, DenseSearches, Near, Scope, nearest_among
from engine.retrieve.excerpt import excerpt
from engine.retrieve.explain import describe, make_hits, unknown_terms
from engine.retrieve.fuse import fuse, min_max
from engine.retrieve.hops import Hop, follow
from engine.retrieve.narrow import checked, narrowed, passes
from engine.retrieve.places import Ranked, insert_reserved, interleave, spread
from engine.retrieve.plan import Ask, asks_of, inner_query, restricted
from engine.retrieve.prefixes import spelled_out
from engine.retrieve.revisions import marked, newest_first
from engine.retrieve.routes import Pool, Probe, Routes
from engine.retrieve.settings import RetrievalSettings
from engine.retrieve.shelf import Shelf
from engine.retrieve.terms import critical_terms
from engine.retrieve.understand import QuestionKind, Understanding, understand, wants_figure

_Id = TypeVar("_Id", DocumentId, SegmentId)
_FILTERED_DEPTH = 4
"""Pools are this much deeper when only some kinds of passage may pass, which is seen after they were found."""


@dataclass(frozen=True, slots=True)
class _Request:
    asked: Understanding
    k: int
    chosen: SearchFilter
    within: Scope
    among: Among
    route: Route
    routes: Routes
    shelf: Shelf


@dataclass(frozen=True, slots=True)
class _Found:
    """What one ask found: the pool, its segments and their ranking, best first."""

    ask: Ask
    pool: Pool
    segments: Mapping[SegmentId, Segment]
    ranked: tuple[Ranked, ...]

    def of(self, documents: Sequence[DocumentId]) -> list[Ranked]:
        """The ranking restricted to some documents."""
        wanted = frozenset(documents)
        return [item for item in self.ranked if self.segments[item.segment].document in wanted]


class Retriever:
    """Searches one library. Keeps nothing between searches; safe from several threads if the stores are."""

    def __init__(
        self,
        dense: DenseIndex,
        keyword: KeywordIndex,
        source: SegmentSource,
        mentions: MentionSource,
        embedder: Embedder,
        reranker: Reranker | None = None,
        settings: RetrievalSettings | None = None,
        tree: DenseIndex | None = None,
        revisions: RevisionSource | None = None,
        lexicon: Lexicon | None = None,
        beside: Executor | None = None,
    ) -> None:
        """`beside` runs the dense route in threads that outlive the searches; without it the routes take turns."""
        self._dense = dense
        self._keyword = keyword
        self._tree = tree
        self._embedder = embedder
        self._source = source
        self._mentions = mentions
        self._reranker = reranker
        self._settings = settings or RetrievalSettings()
        self._revisions = revisions
        self._lexicon = lexicon or Lexicon()
        self._beside = beside

    def search(
        self, query: str, k: int = 10, route: Route = Route.HYBRID, chosen: SearchFilter | None = None
    ) -> SearchResult:
        """The k best segments for raw user text. Raises UsageError for k < 1 and for a filter that makes no sense.

        An empty query finds nothing, unless a phrase or an identifier is wanted: then that is the query.
        """
        if k < 1:
            raise UsageError("The number of hits must be at least 1.", code="bad-k")
        chosen = checked(chosen or SearchFilter())
        hybrid = route is Route.HYBRID
        within = _fixed(self._source.visible_documents(chosen))
        text = mend_parts(query) or mend_parts(chosen.phrase or chosen.identifier)
        text, told = spelled_out(text, self._keyword.starting)
        names = self._mentions.names_in(self._lexicon.written_out(text)) if self._settings.names and hybrid else []
        asked = restricted(understand(text, names), within)
        among = _fixed(narrowed(chosen, within, self._keyword, self._source))
        nearest = self._tree if route is Route.TREE and self._tree is not None else self._dense
        with DenseSearches(self._embedder, nearest, self._beside) as dense:
            routes = Routes(self._keyword, dense, route)
            request = _Request(asked, k, chosen, within, among, route, routes, Shelf(self._source))
            found = self._answered(query, self._all_found(request), request)
        return replace(found, warnings=(*told, *found.warnings))

    def _answered(self, query: str, found: Sequence[_Found], request: _Request) -> SearchResult:
        """The result for what the asks found: links followed, places given, hits explained."""
        asked, k, within = request.asked, request.k, request.within
        hybrid = request.route is Route.HYBRID
        hops = self._hops(found, request) if self._settings.links and hybrid else []
        linked = self._linked(hops, found, request) if hops else None
        ranked = self._assemble(found, linked, hops, request)
        everything = [*found, linked] if linked is not None else found
        segments = {key: segment for one in everything for key, segment in one.segments.items()}
        if hybrid:
            ranked = self._reranked(asked.text, ranked, segments)
            if self._settings.per_page:
                ranked = spread(ranked, lambda item: _page_of(segments[item.segment]), self._settings.per_page, k)
            ranked = newest_first(ranked, segments, self._outdated(query, within))
        pools = [one.pool for one in everything]
        hits = make_hits(ranked[:k], segments, pools, asked, self._source, request.route)
        warnings = unknown_terms(asked, segments.values()) if hybrid else ()
        if (within is not None and not within) or (request.among is not None and not request.among):
            warnings = ("Nothing in the library passes these filters.",)
        return SearchResult(query, marked(hits, self._revisions), warnings, describe(asked, self._settings, hops))

    def _outdated(self, query: str, within: Scope) -> Mapping[DocumentId, DocumentId]:
        """Documents that another revision stands for, where that one may be found too."""
        outdated = self._revisions.outdated(query) if self._revisions is not None else {}
        if within is None:
            return outdated
        allowed = frozenset(within)
        return {older: newer for older, newer in outdated.items() if newer in allowed}

    def like(self, segment: SegmentId, k: int = 10, chosen: SearchFilter | None = None) -> SearchResult:
        """Segments nearest to one ("more like this"), itself left out. Raises UsageError for an unknown segment."""
        if not self._source.segments([segment]):
            raise UsageError("That passage is no longer in the library.", code="no-segment")
        chosen = checked(chosen or SearchFilter())
        within = self._source.visible_documents(chosen)
        among = narrowed(chosen, within, self._keyword, self._source)
        vector, depth = self._dense.vectors([segment])[0], (k + 1) * _FILTERED_DEPTH
        if among is None:
            near = self._dense.search(vector, depth, within)
        else:
            near = nearest_among(self._dense, vector, among, depth)
        pool = Pool(dense=tuple(near))
        segments = {s.id: s for s in self._source.segments(pool.segments()) if passes(s, chosen)}
        ranked = [Ranked(s.segment, s.score) for s in pool.dense if s.segment in segments and s.segment != segment]
        return SearchResult(
            "", make_hits(ranked[:k], segments, [pool], Understanding("", QuestionKind.FACT), self._source)
        )

    # --- one ask ------------------------------------------------------------------------------------------------------

    def _all_found(self, request: _Request) -> list[_Found]:
        """What each ask finds. All words are looked up, and what they found is read, while the dense route searches."""
        asks = asks_of(request.asked)
        probes = [self._probes(ask, request) for ask in asks]
        request.routes.begin(probe for own in probes for probe in own)
        if self._settings.links and request.route is Route.HYBRID:
            request.routes.expect(self._linked_probe(probes[0][0].query, (), request))
        lexical = [[request.routes.lexical(probe) for probe in own] for own in probes]
        terms = bool(request.asked.subjects or request.asked.terms)
        request.shelf.prepare([item.segment for own in lexical for found in own for item in found], terms)
        return [self._find(*one, request) for one in zip(asks, probes, lexical, strict=True)]

    def _find(
        self, ask: Ask, probes: Sequence[Probe], lexical: Sequence[Sequence[Scored]], request: _Request
    ) -> _Found:
        """The library's candidates, and those of the documents the ask names, each fused on their own scale.

        Inside a named document its name tells nothing, so it is left out of the query there, and scores are scaled over
        the document's own segments: else the name would press them all together.
        """
        pools = [request.routes.pool(probe, found) for probe, found in zip(probes, lexical, strict=True)]
        everywhere, *inside = (self._rank(ask, pool, request, {}) for pool in pools)
        return _combined(inside, everywhere) if inside else everywhere

    def _probes(self, ask: Ask, request: _Request) -> list[Probe]:
        """What is searched for an ask: its query in the library, then those inside the documents it names."""
        whole = self._whole(ask, request)
        inner = ask.inner_queries if ask.documents and request.among is None else ()
        depth = max(self._settings.pool, request.k)
        if request.chosen.contents:
            depth *= _FILTERED_DEPTH
        named = [
            Probe(query, Near(_embedded(query, whole, request.asked), depth, ask.documents))
            for query in map(self._lexicon.written_out, inner)
        ]
        return [Probe(whole, Near(whole, depth, request.within, request.among)), *named]

    def _whole(self, ask: Ask, request: _Request) -> str:
        """What is searched in the library."""
        return self._lexicon.written_out(written_out(ask.query) if request.route is Route.HYBRID else ask.query)

    def _rank(self, ask: Ask, pool: Pool, request: _Request, extra: Mapping[DocumentId, float]) -> _Found:
        kept = [s for s in request.shelf.segments(pool.segments()) if passes(s, request.chosen)]
        segments = {segment.id: segment for segment in kept}
        pool = pool.only(segments)
        if request.route is not Route.HYBRID:
            single = pool.lexical if request.route is Route.KEYWORD else pool.dense
            return _Found(ask, pool, segments, tuple(Ranked(item.segment, item.score) for item in single))
        fused = fuse(
            self._settings.fusion,
            pool.dense,
            pool.with_zeros(),
            weights=self._settings.weights,
            critical=critical_terms(ask.understanding, kept, self._files, request.shelf.wording),
            floors=self._settings.floors,
        )
        tables = self._tables(ask, pool, segments)
        ranked = [
            Ranked(f.segment, f.score + extra.get(segments[f.segment].document, 0.0) + tables.get(f.segment, 0.0))
            for f in fused
        ]
        ranked.sort(key=_best_first)
        return _Found(ask, pool, segments, tuple(ranked))

    def _tables(self, ask: Ask, pool: Pool, segments: Mapping[SegmentId, Segment]) -> Mapping[SegmentId, float]:
        """The bonus of tables that hold the words of a question for a number: the text around a table has more words in
        common with it, the table has the number."""
        if not self._settings.table_weight or not wants_figure(ask.query):
            return {}
        scaled = min_max(pool.lexical)
        tables = (key for key, segment in segments.items() if segment.kind is SegmentKind.TABLE)
        return {key: self._settings.table_weight * scaled.get(key, 0.0) for key in tables}

    # --- links --------------------------------------------------------------------------------------------------------

    def _hops(self, found: Sequence[_Found], request: _Request) -> list[Hop]:
        """Links of each ask's best segments to documents the question does not name."""
        settings = self._settings.hops
        # A question that says so may be led on by any passage of the documents it names, not by the best ones alone.
        count = self._settings.pool if request.asked.hop else settings.sources
        best = interleave([one.of(one.ask.documents) or one.ranked for one in found], count)
        segments = {key: segment for one in found for key, segment in one.segments.items()}
        sizes = Counter(segment.document for segment in segments.values())
        known = {document: sizes[document] for subject in request.asked.subjects for document in subject.documents}
        sources = [segments[item.segment] for item in best[: count * len(found)]]
        hops = follow(request.asked, sources, known, self._mentions, self._popularity, settings)
        if request.within is None:
            return hops
        allowed = frozenset(request.within)
        return [hop for hop in hops if hop.document in allowed]

    def _linked(self, hops: Sequence[Hop], found: Sequence[_Found], request: _Request) -> _Found:
        """The linked documents' segments, ranked on the scale of the direct candidates."""
        documents = tuple(hop.document for hop in hops)
        probe = self._linked_probe(self._whole(found[0].ask, request), documents, request)
        ask = Ask(probe.query, replace(request.asked, subjects=()), documents)
        pool = request.routes.pool(probe, request.routes.lexical(probe))
        for one in found:
            pool = pool.joined(one.pool)
        extra = {hop.document: hop.bonus for hop in hops}
        return self._rank(ask, pool, request, extra)

    def _linked_probe(self, whole: str, documents: tuple[DocumentId, ...], request: _Request) -> Probe:
        """What is asked of the linked documents: the question's last sentence, without names. `whole` is what the first
        ask searches the library for."""
        asked = request.asked
        text = asked.sentences[-1] if asked.sentences else asked.text
        query = inner_query(text, [subject.text for subject in asked.subjects])
        return Probe(query, Near(_embedded(query, whole, asked), self._settings.pool, documents, request.among))

    def _files(self, document: DocumentId) -> list[str]:
        return [place.file for place in self._source.places(document)]

    def _popularity(self, name: str) -> int:
        words = [word for word in fold_case(name).split() if len(word) > 2]
        return min((self._keyword.document_frequency(word) for word in words), default=0)

    # --- the result ---------------------------------------------------------------------------------------------------

    def _assemble(
        self, found: Sequence[_Found], linked: _Found | None, hops: Sequence[Hop], request: _Request
    ) -> list[Ranked]:
        """Reserved places of the named documents, then everybody by score, then reserved places of sure links."""
        by_document = {hop.document: hop for hop in hops}
        over_links = []
        if linked is not None:
            for item in linked.of(linked.ask.documents):
                hop = by_document[linked.segments[item.segment].document]
                over_links.append((replace(item, through=hop.through), hop))
        through = [item for item, _ in over_links]
        taken = {item.segment for item in through}
        direct = [[item for item in one.ranked if item.segment not in taken] for one in found]
        rest = sorted((item for ranked in (*direct, through) for item in ranked), key=_best_first)
        # A named document has a place even where little in it answers: one, or its share of a comparison.
        places = math.ceil(request.k / len(found)) if len(found) > 1 else 1
        reserved = interleave([one.of(one.ask.documents)[:places] for one in found], places)
        ranked = _once([*reserved, *rest])
        linked_places, after = self._reserved_links(over_links, request)
        if request.asked.hop and linked_places:
            # The passage that names the way belongs to the answer as much as where it leads.
            source = next(hop.source for item, hop in over_links if item is linked_places[0])
            way = [item for item in ranked if item.segment == source]
            ranked = insert_reserved(ranked, way, after - 1)
        return insert_reserved(ranked, linked_places, after)

    def _reserved_links(self, over_links: Sequence[tuple[Ranked, Hop]], request: _Request) -> tuple[list[Ranked], int]:
        """Segments that get a place over a sure link, and how many direct hits stand before them."""
        settings = self._settings.hops
        hop_asked = request.asked.hop
        chosen: dict[DocumentId, list[Ranked]] = {}
        for item, hop in over_links:
            if hop_asked or hop.anchor >= settings.sure:
                chosen.setdefault(hop.document, []).append(item)
        order = sorted(chosen, key=lambda document: -max(h.bonus for _, h in over_links if h.document == document))
        first = [chosen[document][0] for document in order]
        more = [item for document in order[:1] for item in chosen[document][1:2]]
        picked = (first[:1] + more + first[1:]) if hop_asked else first
        return picked[: settings.places], settings.after_hop if hop_asked else settings.after

    def _reranked(self, query: str, ranked: list[Ranked], segments: Mapping[SegmentId, Segment]) -> list[Ranked]:
        size = self._settings.rerank_pool
        if self._reranker is None or size < 2:
            return ranked
        head = ranked[:size]
        scores = self._reranker.score(query, [excerpt(query, segments[item.segment]) for item in head])
        low, high = min(scores, default=0.0), max(scores, default=0.0)
        scaled = [(score - low) / (high - low) if high > low else 0.0 for score in scores]
        weight = self._settings.rerank_weight
        order = sorted(range(len(head)), key=lambda place: (place / len(head) - weight * scaled[place], place))
        return [head[place] for place in order] + ranked[size:]


def _fixed(chosen: Sequence[_Id] | None) -> tuple[_Id, ...] | None:
    return None if chosen is None else tuple(chosen)


def _embedded(query: str, whole: str, asked: Understanding) -> str:
    """Which text is embedded for a query of an ask: the whole question, where it asks one thing of one place.

    A vector knows a name for one; only the keyword route has to do without it. Over 435 questions Recall@5 0.951 ->
    0.955, Recall@1 0.656 -> 0.671, and one text to embed in place of two or three. Of several parts, and over a link,
    the names are those of others (Recall@5 of the handed questions 1.0 -> 0.968).
    """
    return query if asked.hop or asked.kind is QuestionKind.COMPARISON else whole


def _best_first(item: Ranked) -> tuple[float, SegmentId]:
    return -item.score, item.segment


def _combined(inside: Sequence[_Found], everywhere: _Found) -> _Found:
    """Named documents' segments as ranked among themselves (by the query they answer best), all others as ranked in
    the library."""
    named = frozenset(everywhere.ask.documents)
    best: dict[SegmentId, Ranked] = {}
    segments = dict(everywhere.segments)
    pool = everywhere.pool
    for one in inside:
        segments.update(one.segments)
        pool = one.pool.joined(pool)
        for item in one.ranked:
            if item.segment not in best or best[item.segment].score < item.score:
                best[item.segment] = item
    others = [
        item
        for item in everywhere.ranked
        if item.segment not in best and (not best or everywhere.segments[item.segment].document not in named)
    ]
    ranked = sorted((*best.values(), *others), key=_best_first)
    return _Found(everywhere.ask, pool, segments, tuple(ranked))


def _once(items: Sequence[Ranked]) -> list[Ranked]:
    first: dict[SegmentId, Ranked] = {}
    for item in items:
        first.setdefault(item.segment, item)
    return list(first.values())


def _page_of(segment: Segment) -> tuple[DocumentId, int | str]:
    """The printed page of a segment. A note or a web page is one page however long: there a segment is its own."""
    printed = any(box.box.x1 > box.box.x0 for box in segment.boxes)
    return segment.document, segment.page if printed else segment.id
