"""One immutable Whoosh segment as arrays: what its rows are, how long their fields, and posting lists at C speed."""

from __future__ import annotations

import pickle
import struct
import sys
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIELDS = ("title", "path", "identifiers", "body")
Ids = NDArray[np.int32]
Floats = NDArray[np.float32]
Postings = tuple[Ids, Floats]
_LIST_TAG = b"W3Bl"
_BLOCK_LENGTH = struct.Struct("!i")
_COMPRESSED = 3
"""Place of the compression in a block's head."""
NOTHING: Postings = (np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))


@dataclass(frozen=True, slots=True)
class LeafRows:
    """Per row of a Whoosh segment: segment id, document id, generation, and the length of each field in terms."""

    segments: list[str]
    documents: list[str]
    generations: list[int]
    lengths: dict[str, NDArray[np.float32]]


def read_rows(reader: Any) -> LeafRows:
    """All rows of a leaf reader, deleted ones included.

    Whoosh's own readers fetch a column value by value, which at 100,000 rows takes seconds; a column is one block of
    bytes, and is read as that.
    """
    count = reader.doc_count_all()
    return LeafRows(
        segments=_fixed(reader.column_reader("segment", translate=False), count),
        documents=_references(reader.column_reader("document", translate=False), count),
        generations=_numbers(reader.column_reader("generation", translate=False), count).tolist(),
        lengths={field: _lengths(reader, field, count) for field in FIELDS},
    )


def _fixed(column: Any, count: int) -> list[str]:
    """Values of equal length as hex; rows beyond the written ones have the default."""
    if not hasattr(column, "_dbfile"):  # no row of this leaf has the field
        return [bytes(column[0]).hex()] * count
    width, held = column._fixedlen, min(column._count, count)
    digits = bytes(column._dbfile.get(column._basepos, width * held)).hex()
    values = [digits[start : start + 2 * width] for start in range(0, len(digits), 2 * width)]
    return values + [bytes(column._defaultbytes).hex()] * (count - held)


def _references(column: Any, count: int) -> list[str]:
    """Values that are written once and referred to by number."""
    if not hasattr(column, "_dbfile"):
        return [bytes(column[0]).hex()] * count
    uniques = [sys.intern(bytes(value).hex()) for value in column._uniques]
    width = column._itemsize
    numbers = np.frombuffer(column._dbfile.get(column._basepos, width * count), dtype=f">u{width}")
    return [uniques[number] for number in numbers.tolist()]


def _numbers(column: Any, count: int) -> NDArray[Any]:
    if not hasattr(column, "_dbfile"):
        return np.full(count, column[0])
    width, held = column._fixedlen, min(column._count, count)
    numbers = np.full(count, column._default, dtype=f">{column._typecode}")
    numbers[:held] = np.frombuffer(column._dbfile.get(column._basepos, width * held), dtype=numbers.dtype)
    return numbers


def _lengths(reader: Any, field: str, count: int) -> NDArray[np.float32]:
    """Lengths of a field in terms, which Whoosh keeps as one byte each."""
    from whoosh.codec.whoosh3 import LENGTHS_COLUMN
    from whoosh.util.numeric import byte_to_length

    rows = reader._perdoc
    column = rows._cached_reader(f"_{field}_len", LENGTHS_COLUMN)
    if column is None:
        return np.zeros(count, dtype=np.float32)
    length_of = np.array([0, *(byte_to_length(byte) for byte in range(1, 256))], dtype=np.float32)
    lengths: NDArray[np.float32] = length_of[_numbers(column, count)]
    return lengths


def read_postings(reader: Any, field: str, term: str) -> Postings:
    """(rows, term frequencies) of a term in one field, rows ascending.

    Whoosh's matchers read block after block with some twenty small reads each and decode row by row; a list lies in one
    piece, which is read whole and decoded as arrays.
    """
    from whoosh.reading import TermNotFound

    try:
        info = reader._terms.term_info(field, term.encode("utf-8"))
    except TermNotFound:
        return NOTHING
    if info.is_inlined():
        rows, weights, _ = info.inlined_postings()
        return np.asarray(rows, dtype=np.int32), np.asarray(weights, dtype=np.float32)
    offset, length = info.extent()
    size = length if isinstance(length, int) else length[0]  # some versions unpack it and keep the tuple
    return _decoded(reader._terms._postfile.get(offset, size))


def _decoded(data: bytes) -> Postings:
    """A posting list as Whoosh writes it: a tag, then blocks of (length, pickled head, pickled and mostly compressed
    rows and weights); a negative length marks the last one. Raises ValueError for anything else."""
    if bytes(data[: len(_LIST_TAG)]) != _LIST_TAG:
        raise ValueError("the posting lists are damaged or of another version of Whoosh")
    rows: list[Ids] = []
    weights: list[Floats] = []
    position, length = len(_LIST_TAG), 1
    while length > 0:
        (length,) = _BLOCK_LENGTH.unpack_from(data, position)
        start, position = position + _BLOCK_LENGTH.size, position + _BLOCK_LENGTH.size + abs(length)
        block = BytesIO(data[start:position])
        compressed = pickle.load(block)[_COMPRESSED]
        body = block.read()
        steps, counts, _ = pickle.loads(zlib.decompress(body) if compressed else body)
        rows.append(np.cumsum(np.fromiter(steps, np.int32, len(steps)), dtype=np.int32))
        # Weights that are all alike are written once, those that are all 1 not at all.
        alike = 1.0 if counts is None else counts
        if isinstance(alike, float):
            weights.append(np.full(len(steps), alike, dtype=np.float32))
        else:
            weights.append(np.fromiter(alike, np.float32, len(steps)))
    return np.concatenate(rows), np.concatenate(weights)


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
