"""The keyword route's best twenty beside an exhaustive BM25F ranking of every passage, which reads no index.

    python -m tests.benchmarks.retrieval --cache FOLDER --only overlap [--segments 100000]

The exhaustive ranking takes the terms of each passage anew from the catalogue's texts and counts them exactly (Whoosh
keeps lengths in a byte, the product adds up in single precision). One JSON line; minutes of processor time.
"""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engine.core.ids import DocumentId, SegmentId
from engine.evaluate import metrics
from engine.keyword.index import KeywordStore, fields_of
from engine.keyword.leaf import FIELDS
from engine.keyword.names import name_terms
from engine.keyword.query import weighted_terms
from engine.keyword.view import K1, LENGTH_B, WEIGHT
from engine.store.catalog import Catalog
from engine.store.ledger import library_database

_BEST = 20
_LEAST_NORM = 0.05


class Exhaustive:
    """BM25F over every visible passage, for the terms of some questions."""

    def __init__(self, catalog: Catalog, wanted: frozenset[str]) -> None:
        named = _named(catalog.visible().names, wanted)
        self._rows: list[tuple[SegmentId, dict[str, dict[str, int]], dict[str, int], frozenset[str]]] = []
        self._frequency: Counter[str] = Counter()
        totals = dict.fromkeys(FIELDS, 0)
        for segment in catalog.all_segments():
            held: dict[str, dict[str, int]] = {}
            lengths = {}
            fields = fields_of(segment, 1)
            for field in FIELDS:
                terms = fields[field].split()
                lengths[field] = len(terms)
                totals[field] += len(terms)
                for term in terms:
                    if term in wanted:
                        counts = held.setdefault(term, {})
                        counts[field] = counts.get(field, 0) + 1
            names = named.get(segment.document, frozenset())
            self._frequency.update(held.keys() | names)
            self._rows.append((segment.id, held, lengths, names))
        self._mean = {field: max(total / max(1, len(self._rows)), 1e-6) for field, total in totals.items()}

    def best(self, weights: Mapping[str, float], k: int) -> list[SegmentId]:
        """The k best, ties by segment id."""
        idf = {term: self._idf(term) for term in weights}
        scored = []
        for segment, held, lengths, names in self._rows:
            score = 0.0
            for term, weight in weights.items():
                found = WEIGHT["names"] if term in names else 0.0
                for field, count in held.get(term, {}).items():
                    b = LENGTH_B[field]
                    norm = max(1.0 - b + b * lengths[field] / self._mean[field], _LEAST_NORM)
                    found += count * WEIGHT[field] / norm
                score += weight * idf[term] * found * (K1 + 1.0) / (K1 + found)
            if score > 0:
                scored.append((-score, segment))
        return [segment for _, segment in sorted(scored)[:k]]

    def _idf(self, term: str) -> float:
        rows = self._frequency[term]
        return math.log(1.0 + (len(self._rows) - rows + 0.5) / (rows + 0.5))


def figures(home: Path, questions: Sequence[str]) -> Iterator[dict[str, object]]:
    """One line: the share of the exhaustive best twenty that the route has among its own."""
    catalog = Catalog(library_database(home))
    keyword = KeywordStore(home / "keyword", catalog)
    started = time.process_time()
    try:
        weights = {question: weighted_terms(question) for question in questions}
        exhaustive = Exhaustive(catalog, frozenset(term for own in weights.values() for term in own))
        shares, first, pieces = [], 0, 0
        for question, own in weights.items():
            expected = exhaustive.best(own, _BEST)
            found = [item.segment for item in keyword.search(question, _BEST)]
            shares.append(len(set(expected) & set(found)) / max(1, len(expected)))
            pieces += len(expected)
            first += found[:1] == expected[:1]
        interval = metrics.wilson(sum(shares) / len(shares) * pieces, pieces)
        yield {
            "overlap": f"best {_BEST} with exhaustive BM25F",
            "segments": catalog.totals()[2],
            "queries": len(shares),
            "mean": round(statistics.fmean(shares), 4),
            "interval": [round(interval.low, 4), round(interval.high, 4)],
            "least": round(min(shares), 2),
            "same_first": round(first / len(shares), 4),
            "cpu_seconds": round(time.process_time() - started),
        }
    finally:
        keyword.close()
        catalog.close()


def _named(names: Mapping[DocumentId, str], wanted: frozenset[str]) -> dict[DocumentId, frozenset[str]]:
    return {document: frozenset(name_terms(name)) & wanted for document, name in names.items()}
