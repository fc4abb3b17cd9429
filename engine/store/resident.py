"""The visible vectors as one matrix in memory, kept up to date by appending what newer generations brought."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import BugError
from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Matrix, Scored, Vector, Visible

Rows = tuple[list[str], list[str], list[int], Matrix]
_READ_ROWS = 4096
_FEW = 0.2
"""Share of rows below which they are multiplied by themselves."""
_SLACK = 0.25
"""Share of invisible rows above which the matrix is packed."""


class Resident:
    """Rows of one vector table. `update` brings it to a visible state; `search` is an exact product."""

    def __init__(self, table: str, expected: int = 0) -> None:
        """`expected` is how many rows there will be about: room is made for them at once."""
        self.table = table
        self._expected = expected
        self.state = -1
        self._newest = 0
        self._segments: list[str] = []
        self._documents: list[str] = []
        self._generations: list[int] = []
        self._matrix: Matrix = np.empty((0, 0), dtype=np.float32)
        self._count = 0
        self._shown: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self._row_of: dict[str, int] = {}
        self._code_of: dict[str, int] = {}
        self._codes: NDArray[np.int32] = np.empty(0, dtype=np.int32)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, segment: object) -> bool:
        return segment in self._row_of

    def update(self, visible: Visible, newer: Callable[[int], Iterable[Rows]]) -> None:
        """Append rows of generations above the newest known one, then hide what is not visible."""
        if any(generation > self._newest for generation in visible.generations.values()):
            newest = max(visible.generations.values())
            for rows in newer(self._newest):
                self._append(rows, newest)
            self._newest = newest
        self._hide(visible)
        if self._count and (~self._shown).sum() > _SLACK * self._count:
            self._pack()
        self._number()
        self._row_of = {self._segments[row]: int(row) for row in np.flatnonzero(self._shown)}
        self.state = visible.state

    def _append(self, rows: Rows, newest: int) -> None:
        segments, documents, generations, vectors = rows
        # Rows above the newest visible generation belong to a batch still being written; they come next time.
        keep = [n for n, generation in enumerate(generations) if self._newest < generation <= newest]
        if keep:
            self._reserve(self._count + len(keep), vectors.shape[1])
            self._matrix[self._count : self._count + len(keep)] = vectors[keep] if len(keep) < len(vectors) else vectors
            self._segments += [segments[n] for n in keep]
            self._documents += [sys.intern(documents[n]) for n in keep]
            self._generations += [generations[n] for n in keep]
            self._count += len(keep)

    def _reserve(self, rows: int, dimension: int) -> None:
        if self._matrix.shape[1] != dimension:
            self._matrix = np.empty((max(rows, self._expected), dimension), dtype=np.float32)
        elif rows > len(self._matrix):
            grown = np.empty((max(rows, int(len(self._matrix) * 1.25)), dimension), dtype=np.float32)
            grown[: self._count] = self._matrix[: self._count]
            self._matrix = grown

    def _hide(self, visible: Visible) -> None:
        wanted = visible.generations
        self._shown = np.fromiter(
            (
                wanted.get(DocumentId(document)) == generation
                for document, generation in zip(self._documents, self._generations, strict=True)
            ),
            dtype=np.bool_,
            count=self._count,
        )

    def _number(self) -> None:
        """A small number for every document, so that choosing documents is no walk over all rows."""
        self._code_of = {document: code for code, document in enumerate(dict.fromkeys(self._documents))}
        self._codes = np.fromiter((self._code_of[one] for one in self._documents), np.int32, self._count)

    def _pack(self) -> None:
        rows = np.flatnonzero(self._shown)
        self._matrix = self._matrix[: self._count][rows]
        self._segments = [self._segments[row] for row in rows]
        self._documents = [self._documents[row] for row in rows]
        self._generations = [self._generations[row] for row in rows]
        self._count = len(rows)
        self._shown = np.ones(self._count, dtype=np.bool_)

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None) -> list[Scored]:
        rows = np.flatnonzero(self._shown if within is None else self._shown & self._of(within))
        k = min(k, len(rows))
        if k <= 0:
            return []
        if len(rows) < _FEW * self._count:
            scores = self._matrix[rows] @ vector
        else:
            scores = (self._matrix[: self._count] @ vector)[rows]
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        best = np.flatnonzero(scores >= least)
        order = sorted(best, key=lambda place: (-scores[place], self._segments[rows[place]]))[:k]
        return [Scored(SegmentId(self._segments[rows[place]]), float(scores[place])) for place in order]

    def _of(self, within: Sequence[DocumentId]) -> NDArray[np.bool_]:
        """Which rows belong to some documents."""
        chosen = np.zeros(len(self._code_of), dtype=np.bool_)
        chosen[[self._code_of[document] for document in within if document in self._code_of]] = True
        return chosen[self._codes]

    def rows_of(self, segments: Sequence[SegmentId]) -> Matrix:
        try:
            rows = [self._row_of[segment] for segment in segments]
        except KeyError as error:
            raise BugError(f"no vector is held for segment {error.args[0]}") from error
        return np.asarray(self._matrix[rows] if rows else np.empty((0, self._matrix.shape[1])), dtype=np.float32)


def newer_rows(table: Any, known: int) -> Iterator[Rows]:
    """Batches of rows with a generation above `known`: a table read whole would be in memory three times over."""
    query = table.search().where(f"generation > {known}") if known else table.search()
    for batch in query.select(["segment", "document", "generation", "vector"]).to_batches(_READ_ROWS):
        if not batch.num_rows:
            continue
        flat = batch["vector"].flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
        yield (
            batch["segment"].to_pylist(),
            batch["document"].to_pylist(),
            batch["generation"].to_pylist(),
            flat.reshape(batch.num_rows, -1),
        )
