"""A snapshot of the whole keyword index that can be ranked: BM25F over rows that are visible.

BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009, section 3.6): term frequencies of the fields
are weighted, divided by the field's length norm and added up *before* saturation, and a term counts once whatever
fields it stands in. The names of places are a field of the document, taken from the catalogue, not from the index.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Scored, Visible
from engine.keyword.analysis import EXACT
from engine.keyword.leaf import FIELDS, NOTHING, ArrayCache, Floats, Ids, LeafRows, PostingReader, Postings
from engine.keyword.names import NamesIndex
from engine.keyword.query import readable

K1 = 1.2
WEIGHT = {"title": 1.6, "path": 1.6, "identifiers": 1.0, "body": 1.0, "names": 1.0}
LENGTH_B = {"title": 0.3, "path": 0.4, "identifiers": 0.3, "body": 0.6}
_GAIN_BYTES = 32_000_000
_MOST_LOOKED_AT = 300
"""Identifiers with one beginning whose frequency is looked up."""
_FEW_DOCUMENTS = 64
"""Up to so many documents' rows are looked up one document after another."""
_SPARSE = 64
"""Lists of fewer rows than one in so many are added up row by row, others over all rows."""


_Part = tuple[NDArray[Any], NDArray[Any]]
"""As :data:`Postings`, the rows in the width that arrays are indexed by: of half of it they cost twice the time."""
_SAMPLED = 16
"""One score in so many is looked at for a bound on the best."""
_SMALLEST = float(np.finfo(np.float32).smallest_subnormal)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One Whoosh segment in a view: `base` is its first row there."""

    key: str
    reader: Any
    base: int
    rows: LeafRows


class View:
    """Rows of all leaves in one numbering. Immutable but for :meth:`show`."""

    def __init__(self, leaves: Sequence[Leaf], postings: PostingReader) -> None:
        self._leaves = tuple(leaves)
        self._postings = postings
        self._gains = ArrayCache(_GAIN_BYTES)
        self._segments = [one for leaf in leaves for one in leaf.rows.segments]
        self._documents = [one for leaf in leaves for one in leaf.rows.documents]
        self._generations = [one for leaf in leaves for one in leaf.rows.generations]
        self.count = len(self._segments)
        codes: dict[str, int] = {}
        self._codes = np.fromiter(
            (codes.setdefault(document, len(codes)) for document in self._documents), dtype=np.int32, count=self.count
        )
        self._code_of = codes
        self._by_document: tuple[Ids, NDArray[np.int64]] | None = None
        self._lengths = {
            field: np.concatenate([leaf.rows.lengths[field] for leaf in leaves])
            if leaves
            else np.empty(0, dtype=np.float32)
            for field in FIELDS
        }
        self._norms: dict[str, Floats] = {}
        self._code_of_number: Ids | None = None
        self._shown: NDArray[np.bool_] = np.zeros(self.count, dtype=np.bool_)
        self._visible = 0

    def show(self, visible: Visible) -> None:
        """Let exactly the rows of visible generations take part."""
        self._gains = ArrayCache(_GAIN_BYTES)
        self._code_of_number = None
        wanted = visible.generations
        self._shown = np.fromiter(
            (
                wanted.get(DocumentId(document)) == generation
                for document, generation in zip(self._documents, self._generations, strict=True)
            ),
            dtype=np.bool_,
            count=self.count,
        )
        for leaf in self._leaves:
            for row in leaf.reader.deleted_docs_set if leaf.reader.has_deletions() else ():
                self._shown[leaf.base + row] = False
        self._visible = int(self._shown.sum())
        for field in FIELDS:
            lengths = self._lengths[field]
            # In double precision sums of whole numbers are exact, so that the order of rows does not matter.
            mean = float(lengths[self._shown].mean(dtype=np.float64)) if self._visible else 1.0
            b = LENGTH_B[field]
            norm = 1.0 - b + b * lengths / max(mean, 1e-6)
            self._norms[field] = (WEIGHT[field] / np.maximum(norm, 0.05)).astype(np.float32)

    def search(
        self,
        weights: Mapping[str, float],
        k: int,
        within: Sequence[DocumentId] | None,
        names: NamesIndex,
        among: Collection[SegmentId] | None = None,
    ) -> list[Scored]:
        """The k best rows for weighted terms, with the terms each one matched."""
        if k <= 0 or not self._visible:
            return []
        postings = {term: self._term(term, names) for term in weights}
        chosen = self._chosen(within, among)
        scores = np.zeros(self.count if chosen is None else len(chosen), dtype=np.float32)
        for term, (rows, gains) in postings.items():
            if chosen is None:
                scores[rows.astype(np.intp)] += np.float32(weights[term]) * gains
            elif len(rows):
                at = np.minimum(np.searchsorted(rows, chosen), len(rows) - 1)
                held = rows[at] == chosen
                scores[held] += np.float32(weights[term]) * gains[at[held]]
        return self._best(scores, k, {term: rows for term, (rows, _) in postings.items() if len(rows)}, chosen)

    def _chosen(self, within: Sequence[DocumentId] | None, among: Collection[SegmentId] | None) -> Ids | None:
        """The rows of some documents and segments, ascending; None for all rows."""
        if within is None and among is None:
            return None
        rows = np.arange(self.count, dtype=np.int32) if within is None else self._rows_of(within)
        if among is None:
            return rows
        chosen = frozenset(among)
        return rows[np.fromiter((self._segments[row] in chosen for row in rows), np.bool_, len(rows))]

    def holding(
        self, weights: Mapping[str, float], k: int, within: Sequence[DocumentId] | None, field: str
    ) -> list[Scored]:
        """The k best of the rows that hold all terms, in `field` or ("") in any field but the names of places."""
        fields = (field,) if field else FIELDS
        counts = np.zeros(self.count, dtype=np.int32)
        scores = np.zeros(self.count, dtype=np.float32)
        for term, weight in weights.items():
            rows, _ = self._added(self._frequencies(term, fields))
            if not len(rows):
                return []
            counts[rows] += 1
            scores[rows] += weight * self._idf(len(rows))
        scores[counts < len(weights)] = 0.0
        chosen = self._chosen(within, None)
        return self._best(scores if chosen is None else scores[chosen], k, {}, chosen)

    def _best(self, scores: Floats, k: int, hits: Mapping[str, Ids], chosen: Ids | None) -> list[Scored]:
        """The k best of the rows `chosen` (None: all), whose scores are given, with the terms that hit each."""
        positive = np.flatnonzero(scores >= _least(scores, k))
        if len(positive) > k:
            # All that tie with the k-th are kept until ids decide: the order of rows must not show.
            least = np.partition(scores[positive], len(positive) - k)[len(positive) - k]
            positive = positive[scores[positive] >= least]
        rows = (positive if chosen is None else chosen[positive]).tolist()
        found = sorted(zip((-scores[positive]).tolist(), (self._segments[row] for row in rows), rows, strict=True))[:k]
        matched: list[dict[str, None]] = [{} for _ in found]
        best = np.asarray([row for _, _, row in found], dtype=np.int64)
        for term, rows in hits.items():
            at = np.minimum(np.searchsorted(rows, best), len(rows) - 1)
            for place in np.flatnonzero(rows[at] == best):
                matched[place][readable(term)] = None
        return [
            Scored(SegmentId(segment), -negative, tuple(terms))
            for (negative, segment, _), terms in zip(found, matched, strict=True)
        ]

    def document_frequency(self, term: str, names: NamesIndex) -> int:
        return len(self._term(term, names)[0])

    def starting(self, beginning: str, k: int, names: NamesIndex) -> list[str]:
        """At most k exact identifiers that begin so, in visible titles and texts, the most frequent first."""
        found = {
            _decoded(term)
            for leaf in self._leaves
            for field in ("title", "identifiers")
            for term in leaf.reader.expand_prefix(field, EXACT + beginning)
        }
        frequency = {term: self.document_frequency(term, names) for term in sorted(found)[:_MOST_LOOKED_AT]}
        shown = sorted((term for term in frequency if frequency[term]), key=lambda term: (-frequency[term], term))
        return [readable(term) for term in shown[:k]]

    def _term(self, term: str, names: NamesIndex) -> Postings:
        """(visible rows that hold a term, ascending; what it adds to the score of each), kept while the view stands."""
        found = self._gains.get(("", "", term))
        if found is None:
            found = self._gains.keep(("", "", term), self._gain(term, names))
        return found

    def _gain(self, term: str, names: NamesIndex) -> Postings:
        parts = self._frequencies(term, FIELDS)
        named = self._rows_named(term, names)
        if len(named):
            parts.append((named, np.full(len(named), WEIGHT["names"], dtype=np.float32)))
        rows, found = self._added(parts)
        return rows, (self._idf(len(rows)) * found * (K1 + 1.0) / (K1 + found)).astype(np.float32)

    def _idf(self, rows: int) -> float:
        return math.log(1.0 + (self._visible - rows + 0.5) / (rows + 0.5))

    def _frequencies(self, term: str, fields: Sequence[str]) -> list[_Part]:
        """Weighted, length-normalised frequencies of a term, one list for each leaf and field that holds it."""
        parts: list[_Part] = []
        for leaf in self._leaves:
            for field in fields:
                rows, counts = self._postings.of(leaf.key, leaf.reader, field, term)
                if len(rows):
                    at = rows.astype(np.intp) + leaf.base
                    parts.append((at, counts * self._norms[field][at]))
        return parts

    def _added(self, parts: Sequence[_Part]) -> Postings:
        """Lists added up over the visible rows that stand in any of them."""
        if not parts:
            return NOTHING
        if sum(len(rows) for rows, _ in parts) * _SPARSE < self.count:
            rows = np.unique(np.concatenate([rows for rows, _ in parts]))
            total = np.zeros(len(rows), dtype=np.float32)
            for at, values in parts:
                total[np.searchsorted(rows, at)] += values
        else:
            whole = np.zeros(self.count, dtype=np.float32)
            for at, values in parts:
                whole[at] += values
            rows = np.flatnonzero(whole > 0)
            total = whole[rows]
        if self._visible < self.count:
            shown = self._shown[rows]
            rows, total = rows[shown], total[shown]
        return rows.astype(np.int32), total

    def _rows_of(self, documents: Sequence[DocumentId]) -> Ids:
        """The rows of some documents, ascending."""
        codes = [self._code_of[document] for document in dict.fromkeys(documents) if document in self._code_of]
        return self._rows_with(np.asarray(codes, dtype=np.int32))

    def _rows_named(self, term: str, names: NamesIndex) -> Ids:
        """The rows of the documents whose places are named so, ascending."""
        numbers = names.numbers(term)
        if not len(numbers):
            return NOTHING[0]
        if self._code_of_number is None:
            numbered = names.numbered()
            self._code_of_number = np.full(max(numbered, default=0) + 1, -1, dtype=np.int32)
            self._code_of_number[list(numbered)] = [self._code_of.get(one, -1) for one in numbered.values()]
        codes = self._code_of_number[numbers]
        return self._rows_with(codes[codes >= 0])

    def _rows_with(self, codes: Ids) -> Ids:
        """The rows of the documents of these codes, each given once, ascending."""
        if not len(codes):
            return NOTHING[0]
        if len(codes) > _FEW_DOCUMENTS:
            wanted = np.zeros(len(self._code_of), dtype=np.bool_)
            wanted[codes] = True
            return np.flatnonzero(wanted[self._codes]).astype(np.int32)
        if self._by_document is None:
            order = np.argsort(self._codes, kind="stable").astype(np.int32)
            self._by_document = order, np.searchsorted(self._codes[order], np.arange(len(self._code_of) + 1))
        order, starts = self._by_document
        return np.sort(np.concatenate([order[starts[code] : starts[code + 1]] for code in codes]))


def _least(scores: Floats, k: int) -> float:
    """A positive score that the k best of the positive ones reach: the k-th of a sample, of which the k-th of all can
    only be better. It leaves some hundred rows to be put in order where a common word has scored them all."""
    sample = scores[::_SAMPLED]
    best = float(np.partition(sample, len(sample) - k)[len(sample) - k]) if len(sample) > k else 0.0
    return max(best, _SMALLEST)


def _decoded(term: bytes | str) -> str:
    return term.decode("utf-8") if isinstance(term, bytes) else term
