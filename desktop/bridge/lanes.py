"""Where engine calls run: never on the main thread, and never more of a kind at once than is good."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum


class Lane(Enum):
    """Name and width of a lane."""

    WRITER = ("writer", 1)
    """Indexing and everything else that changes a library."""
    MODEL = ("model", 1)
    """Questions: one at a time, the next one waits."""
    READER = ("reader", 2)
    """Searches, lists, page pictures."""
    IDLE = ("idle", 1)
    """What is only done while nobody wants anything."""
    UPKEEP = ("upkeep", 1)
    """Watching and downloads: long and patient."""


class Lanes:
    """One executor a lane."""

    def __init__(self) -> None:
        self._executors = {
            lane: ThreadPoolExecutor(lane.value[1], thread_name_prefix=f"lane-{lane.value[0]}") for lane in Lane
        }

    def run(self, lane: Lane, call: Callable[[], None]) -> None:
        self._executors[lane].submit(call)

    def close(self) -> None:
        """Drop what has not begun and wait for what has."""
        for executor in self._executors.values():
            executor.shutdown(wait=True, cancel_futures=True)
