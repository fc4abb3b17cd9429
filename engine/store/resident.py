"""The visible vectors as one matrix in memory, kept up to date by appending what newer generations brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import BugError
from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Matrix, Scored, Vector, Visible

Rows = tuple[list[str], list[str], list[int], Matrix]
_SLACK = 0.25
"""Share of invisible rows above which the matrix is packed."""


class Resident:
    """Rows of one vector table. `update` brings it to a visible state; `search` is an exact product."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.state = -1
        self._newest = 0
        self._segments: list[str] = []
        self._documents: list[str] = []
        self._generations: list[int] = []
        self._matrix: Matrix = np.empty((0, 0), dtype=np.float32)
        self._count = 0
        self._shown: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self._row_of: dict[str, int] = {}

    def __len__(self) -> int:
        return self._count

    def __contains__(self, segment: object) -> bool:
        return segment in self._row_of

    def update(self, visible: Visible, newer: Callable[[int], Rows]) -> None:
        """Append rows of generations above the newest known one, then hide what is not visible."""
        if any(generation > self._newest for generation in visible.generations.values()):
            self._append(newer(self._newest), max(visible.generations.values()))
        self._hide(visible)
        if self._count and (~self._shown).sum() > _SLACK * self._count:
            self._pack()
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
            self._documents += [documents[n] for n in keep]
            self._generations += [generations[n] for n in keep]
            self._count += len(keep)
        self._newest = newest

    def _reserve(self, rows: int, dimension: int) -> None:
        if self._matrix.shape[1] != dimension:
            self._matrix = np.empty((rows, dimension), dtype=np.float32)
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

    def _pack(self) -> None:
        rows = np.flatnonzero(self._shown)
        self._matrix = self._matrix[: self._count][rows]
        self._segments = [self._segments[row] for row in rows]
        self._documents = [self._documents[row] for row in rows]
        self._generations = [self._generations[row] for row in rows]
        self._count = len(rows)
        self._shown = np.ones(self._count, dtype=np.bool_)

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None) -> list[Scored]:
        if not self._count:
            return []
        shown = self._shown
        if within is not None:
            allowed = set(within)
            shown = shown & np.fromiter((d in allowed for d in self._documents), dtype=np.bool_, count=self._count)
        scores = self._matrix[: self._count] @ vector
        scores[~shown] = -np.inf
        k = min(k, int(shown.sum()))
        if not k:
            return []
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        order = sorted(np.flatnonzero(scores >= least), key=lambda row: (-scores[row], self._segments[row]))[:k]
        return [Scored(SegmentId(self._segments[row]), float(scores[row])) for row in order]

    def rows_of(self, segments: Sequence[SegmentId]) -> Matrix:
        try:
            rows = [self._row_of[segment] for segment in segments]
        except KeyError as error:
            raise BugError(f"no vector is held for segment {error.args[0]}") from error
        return np.asarray(self._matrix[rows] if rows else np.empty((0, self._matrix.shape[1])), dtype=np.float32)
