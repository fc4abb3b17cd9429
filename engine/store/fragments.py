"""When a LanceDB table is due for care: merging its fragments rewrites the table, so it must be worth it."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

COMPACT_FRAGMENTS = 24
KEEP_OLD = timedelta(seconds=20)
"""Old versions stay this long for readers in other processes that are at it; they look again where one is gone."""
_MOST_KEPT = 32
"""Of more versions the older go however young they are: else a quick machine that saves one document after another
holds hundreds of files."""
_MOST_OLD = 24
_WASTE = 0.25
_LEAST_WASTE = 1 << 20
"""Share of a table, and bytes, that may belong to nobody any more."""


def is_due(table: Any, folder: Path) -> bool:
    """Whether there are many fragments, many old versions, or much that only old versions hold.

    While one write follows another the old versions cannot go yet: then only the first two count, or every write would
    rewrite the table.
    """
    stats = table.stats()
    fragments = stats["fragment_stats"]
    if fragments["num_fragments"] >= COMPACT_FRAGMENTS:
        return True
    ages = _ages(folder)[1:]
    limit = kept(folder).total_seconds()
    if sum(age > limit for age in ages) > _MOST_OLD:
        return True
    live = int(stats["total_bytes"])
    rows = fragments["num_fragments"] * fragments["lengths"]["mean"]
    deleted = live * (1.0 - int(stats["num_rows"]) / rows) if rows else 0.0
    outlived = _bytes(folder / "data") - live if ages and ages[0] > limit else 0
    return max(deleted, outlived) > max(_LEAST_WASTE, _WASTE * live)


def kept(folder: Path) -> timedelta:
    """How long old versions of the table in `folder` stay: :data:`KEEP_OLD`, less where there are very many."""
    ages = _ages(folder)
    if len(ages) <= _MOST_KEPT:
        return KEEP_OLD
    return min(KEEP_OLD, max(timedelta(milliseconds=1), timedelta(seconds=ages[_MOST_KEPT - 1])))


def _ages(folder: Path) -> list[float]:
    """Seconds since each version was written, the latest first."""
    now = time.time()
    return sorted(now - path.stat().st_mtime for path in (folder / "_versions").glob("*.manifest"))


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir()) if folder.is_dir() else 0
