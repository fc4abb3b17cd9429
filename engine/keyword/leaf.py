"""One immutable Whoosh segment as arrays: what its rows are, how long their fields, and posting lists at C speed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIELDS = ("title", "path", "identifiers", "body")
Ids = NDArray[np.int32]
Floats = NDArray[np.float32]
Postings = tuple[Ids, Floats]
NOTHING: Postings = (np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))


@dataclass(frozen=True, slots=True)
class LeafRows:
    """Per row of a Whoosh segment: segment id, document id, generation, and the length of each field in terms."""

    segments: list[str]
    documents: list[str]
    generations: list[int]
    lengths: dict[str, NDArray[np.float32]]


def read_rows(reader: Any) -> LeafRows:
    """All rows of a leaf reader, deleted ones included."""
    count = reader.doc_count_all()
    return LeafRows(
        segments=[bytes(value).hex() for value in _column(reader, "segment", count)],
        documents=[bytes(value).hex() for value in _column(reader, "document", count)],
        generations=[int(value) for value in _column(reader, "generation", count)],
        lengths={field: _lengths(reader, field, count) for field in FIELDS},
    )


def _column(reader: Any, name: str, count: int) -> list[Any]:
    column = reader.column_reader(name)
    return [column[row] for row in range(count)]


def _lengths(reader: Any, field: str, count: int) -> NDArray[np.float32]:
    return np.fromiter(
        (reader.doc_field_length(row, field) or 0 for row in range(count)), dtype=np.float32, count=count
    )


def read_postings(reader: Any, field: str, term: str) -> Postings:
    """(rows, term frequencies) of a term in one field, rows ascending."""
    if (field, term.encode("utf-8")) not in reader:
        return NOTHING
    matcher = reader.postings(field, term)
    if not hasattr(matcher, "_next_block"):
        return _row_by_row(matcher)
    ids: list[Ids] = []
    weights: list[Floats] = []
    # Whoosh's own iteration decodes row by row in Python; its blocks hold arrays.
    while matcher.is_active():
        matcher._read_ids()
        matcher._read_weights()
        ids.append(np.asarray(matcher._ids, dtype=np.int32))
        weights.append(np.asarray(matcher._weights, dtype=np.float32))
        matcher._next_block()
    return np.concatenate(ids), np.concatenate(weights)


def _row_by_row(matcher: Any) -> Postings:
    ids: list[int] = []
    weights: list[float] = []
    while matcher.is_active():
        ids.append(matcher.id())
        weights.append(matcher.weight())
        matcher.next()
    return np.asarray(ids, dtype=np.int32), np.asarray(weights, dtype=np.float32)


class ArrayCache:
    """Pairs of arrays most recently used, bounded in bytes."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._held: OrderedDict[tuple[str, str, str], Postings] = OrderedDict()

    def get(self, key: tuple[str, str, str]) -> Postings | None:
        if key in self._held:
            self._held.move_to_end(key)
        return self._held.get(key)

    def keep(self, key: tuple[str, str, str], arrays: Postings) -> Postings:
        self._held[key] = arrays
        self._size += _bytes(arrays)
        while self._size > self._limit and len(self._held) > 1:
            self._size -= _bytes(self._held.popitem(last=False)[1])
        return arrays

    def keep_only(self, first: set[str]) -> None:
        """Forget the keys that do not begin with one of these."""
        for key in [key for key in self._held if key[0] not in first]:
            self._size -= _bytes(self._held.pop(key))


class PostingReader:
    """Posting lists by (leaf, field, term). Leaves never change, so nothing that is kept goes stale."""

    def __init__(self, limit_bytes: int) -> None:
        self._cache = ArrayCache(limit_bytes)

    def of(self, leaf: str, reader: Any, field: str, term: str) -> Postings:
        key = (leaf, field, term)
        found = self._cache.get(key)
        return found if found is not None else self._cache.keep(key, read_postings(reader, field, term))

    def keep_only(self, leaves: set[str]) -> None:
        """Forget leaves that a merge has replaced."""
        self._cache.keep_only(leaves)


def _bytes(postings: Postings) -> int:
    return 200 + postings[0].nbytes + postings[1].nbytes
