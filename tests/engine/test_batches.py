"""How long finished documents wait for a commit, and what a commit leaves in memory."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import ingest
from engine.store import vectors


@pytest.mark.parametrize(
    ("run_seconds", "held_seconds", "due"),
    [(5, 3.0, False), (5, 4.5, True), (400, 4.5, False), (400, 7.0, True), (90_000, 9.0, False), (90_000, 10.5, True)],
)
def test_in_a_long_run_documents_wait_longer_for_each_other(run_seconds: float, held_seconds: float, due: bool) -> None:
    now = time.monotonic()
    anything: Any = SimpleNamespace(segments=())
    run = ingest._Run(anything, anything, anything, anything, now - run_seconds)
    run.hold(anything, anything)
    run.held_since = now - held_seconds
    assert run.due(hurry=False) is due
    assert run.due(hurry=True)


@pytest.mark.parametrize("most", [100_000, 4_000_000])
def test_what_lancedb_remembers_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """By itself it keeps what it knows of every version there ever was: of these some 900,000 bytes."""
    import lancedb
    import pyarrow as pa

    sessions: list[Any] = []
    real = lancedb.Session

    def session(**sizes: int) -> Any:
        sessions.append(real(**sizes))
        return sessions[-1]

    monkeypatch.setattr(lancedb, "Session", session)
    monkeypatch.setattr(vectors, "METADATA_CACHE", most)
    connection = vectors.connect(tmp_path)
    table = connection.create_table("t", data=pa.table({"a": [0]}))
    for n in range(40):
        table.add(pa.table({"a": [n]}))
    [kept] = sessions
    assert kept.size_bytes > 0
    assert (kept.size_bytes < 200_000) is (most == 100_000)
