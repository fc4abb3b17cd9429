"""What every stream of events of an index run must keep: nothing runs backwards."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from engine.core.events import Event, IndexProgress

_JUMP = 2.5
"""The time left may grow by this factor between two documents, not more."""
_SETTLED = 20
"""Documents after which the time left is to be trusted."""


class Recorded(list[Event]):
    """Events that are also written down, so that what was told before a kill can be read after it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._stream = path.open("w", encoding="utf-8", buffering=1)

    def append(self, event: Event) -> None:
        super().append(event)
        if isinstance(event, IndexProgress):
            self._stream.write(json.dumps(asdict(event)) + "\n")


def read_recorded(path: Path) -> list[IndexProgress]:
    """Progress as a killed process had told it; a last line that was cut is left out."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return [IndexProgress(**json.loads(line)) for line in lines]


def check_stream(events: Iterable[Event]) -> None:
    """Raises AssertionError where progress ran backwards."""
    steps = backward_steps(events)
    assert not steps, steps[:3]


def backward_steps(events: Iterable[Event]) -> list[str]:
    """Where progress fell, work vanished or the time left jumped, in words; empty for an honest stream."""
    found: list[str] = []
    before: IndexProgress | None = None
    left: float | None = None
    expected = 0
    for event in events:
        if not isinstance(event, IndexProgress):
            continue
        if event.done > event.total:
            found.append(f"{event.done} of {event.total} done")
        if before is not None:
            for what, old, new in (
                ("done", before.done, event.done),
                ("total", before.total, event.total),
                ("pages", before.pages_done, event.pages_done),
            ):
                if new < old:
                    found.append(f"{what} fell from {old} to {new}")
            if event.done != before.done and event.done > _SETTLED and event.seconds_left is not None:
                if left is not None and event.total == expected and event.seconds_left > _JUMP * left + 5.0:
                    found.append(f"time left rose from {left} to {event.seconds_left} at {event.done} of {event.total}")
                left, expected = event.seconds_left, event.total
        before = event
    return found
