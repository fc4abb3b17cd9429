"""A snapshot of the whole keyword index that can be ranked: BM25F over rows that are visible.

BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009, section 3.6): term frequencies of the fields
are weighted, divided by the field's length norm and added up *before* saturation, and a term counts once whatever
fields it stands in. The names of places are a field of the document, taken from the catalogue, not from the index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Scored, Visible
from engine.keyword.leaf import FIELDS, LeafRows, PostingCache
from engine.keyword.names import NamesIndex
from engine.keyword.query import readable

_K1 = 1.2
_WEIGHT = {"title": 1.6, "path": 1.6, "identifiers": 1.0, "body": 1.0, "names": 1.0}
_LENGTH_B = {"title": 0.3, "path": 0.4, "identifiers": 0.3, "body": 0.6}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One Whoosh segment in a view: `base` is its first row there."""

    key: str
    reader: Any
    base: int
    rows: LeafRows


class View:
    """Rows of all leaves in one numbering. Immutable but for :meth:`show`."""

    def __init__(self, leaves: Sequence[Leaf], cache: PostingCache) -> None:
        self._leaves = tuple(leaves)
        self._cache = cache
        self._segments = [one for leaf in leaves for one in leaf.rows.segments]
        self._documents = [one for leaf in leaves for one in leaf.rows.documents]
        self._generations = [one for leaf in leaves for one in leaf.rows.generations]
        self.count = len(self._segments)
        codes: dict[str, int] = {}
        self._codes = np.fromiter(
            (codes.setdefault(document, len(codes)) for document in self._documents), dtype=np.int32, count=self.count
        )
        self._code_of = codes
        self._lengths = {
            field: np.concatenate([leaf.rows.lengths[field] for leaf in leaves])
            if leaves
            else np.empty(0, dtype=np.float32)
            for field in FIELDS
        }
        self._norms: dict[str, NDArray[np.float32]] = {}
        self._shown: NDArray[np.bool_] = np.zeros(self.count, dtype=np.bool_)
        self._visible = 0

    def show(self, visible: Visible) -> None:
        """Let exactly the rows of visible generations take part."""
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
            b = _LENGTH_B[field]
            norm = 1.0 - b + b * lengths / max(mean, 1e-6)
            self._norms[field] = (_WEIGHT[field] / np.maximum(norm, 0.05)).astype(np.float32)

    def search(
        self, weights: Mapping[str, float], k: int, within: Sequence[DocumentId] | None, names: NamesIndex
    ) -> list[Scored]:
        """The k best rows for weighted terms, with the terms each one matched."""
        if k <= 0 or not self._visible:
            return []
        allowed = self._allowed(within)
        scores = np.zeros(self.count, dtype=np.float32)
        hits: dict[str, NDArray[np.float32]] = {}
        for term, weight in weights.items():
            frequency = self._frequencies(term, names)
            if frequency is None:
                continue
            frequency[~self._shown] = 0.0
            rows = np.flatnonzero(frequency)
            if len(rows):
                found = frequency[rows]
                idf = np.log(1.0 + (self._visible - len(rows) + 0.5) / (len(rows) + 0.5))
                scores[rows] += np.float32(weight * idf) * found * (_K1 + 1.0) / (_K1 + found)
                hits[term] = frequency
        scores[~allowed] = 0.0
        return self._best(scores, k, hits)

    def _best(self, scores: NDArray[np.float32], k: int, hits: Mapping[str, NDArray[np.float32]]) -> list[Scored]:
        positive = np.flatnonzero(scores > 0)
        if len(positive) > k:
            # All that tie with the k-th are kept until ids decide: the order of rows must not show.
            least = np.partition(scores[positive], len(positive) - k)[len(positive) - k]
            positive = positive[scores[positive] >= least]
        order = sorted(positive, key=lambda row: (-scores[row], self._segments[row]))[:k]
        return [
            Scored(
                SegmentId(self._segments[row]),
                float(scores[row]),
                tuple(dict.fromkeys(readable(term) for term, frequency in hits.items() if frequency[row] > 0)),
            )
            for row in order
        ]

    def document_frequency(self, term: str, names: NamesIndex) -> int:
        frequency = self._frequencies(term, names)
        return 0 if frequency is None else int(((frequency > 0) & self._shown).sum())

    def _frequencies(self, term: str, names: NamesIndex) -> NDArray[np.float32] | None:
        """Weighted, length-normalised frequency of a term per row; None where it occurs nowhere."""
        total: NDArray[np.float32] | None = None
        for leaf in self._leaves:
            for field in FIELDS:
                rows, counts = self._cache.get(leaf.key, leaf.reader, field, term)
                if len(rows):
                    if total is None:
                        total = np.zeros(self.count, dtype=np.float32)
                    at = rows + leaf.base
                    total[at] += counts * self._norms[field][at]
        named = [self._code_of[document] for document in names.documents(term) if document in self._code_of]
        if named:
            if total is None:
                total = np.zeros(self.count, dtype=np.float32)
            by_document = np.zeros(len(self._code_of), dtype=np.float32)
            by_document[named] = _WEIGHT["names"]
            total += by_document[self._codes]
        return total

    def _allowed(self, within: Sequence[DocumentId] | None) -> NDArray[np.bool_]:
        if within is None:
            return self._shown
        chosen = np.zeros(len(self._code_of) + 1, dtype=np.bool_)
        chosen[[self._code_of[document] for document in within if document in self._code_of]] = True
        return self._shown & chosen[self._codes]
