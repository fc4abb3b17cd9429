"""Care of the stores that may fail without harm: counted, put off longer each time, told when it keeps failing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TypedDict

from engine.core.errors import KnownError
from engine.store.catalog import Catalog
from engine.store.ledger import Ledger

_TELL_AFTER = 3
_FIRST_PAUSE = 60.0
_LONGEST_PAUSE = 3600.0
_KEY = "upkeep"


class _Trouble(TypedDict):
    count: int
    last: float
    message: str


class Upkeep:
    """Runs maintenance of one library. What has failed is kept in the catalogue, so that it outlives the program."""

    def __init__(self, catalog: Catalog, now: Callable[[], float] = time.time) -> None:
        self._catalog = catalog
        self._ledger = Ledger(catalog)
        self._now = now

    def run(self, what: str, work: Callable[[], None]) -> bool:
        """Do `work` unless it failed a short while ago. A KnownError is noted, not raised. Returns whether it was
        done."""
        troubles = self._troubles()
        trouble = troubles.get(what)
        # A clock that was set back must not put the work off for as long.
        if trouble is not None and 0.0 <= self._now() - trouble["last"] < _pause(trouble["count"]):
            return False
        try:
            work()
        except KnownError as error:
            count = 1 if trouble is None else trouble["count"] + 1
            troubles[what] = _Trouble(count=count, last=self._now(), message=error.message)
            self._keep(troubles)
            return False
        if trouble is not None:
            del troubles[what]
            self._keep(troubles)
        return True

    def complaints(self) -> list[str]:
        """One sentence for each kind of upkeep that has failed several times in a row."""
        return [
            f"{what[:1].upper()}{what[1:]} has failed {trouble['count']} times, last on"
            f" {time.strftime('%Y-%m-%d %H:%M', time.localtime(trouble['last']))}: {trouble['message']}"
            for what, trouble in self._troubles().items()
            if trouble["count"] >= _TELL_AFTER
        ]

    def _troubles(self) -> dict[str, _Trouble]:
        found: dict[str, _Trouble] = json.loads(self._catalog.meta(_KEY, "{}"))
        return found

    def _keep(self, troubles: dict[str, _Trouble]) -> None:
        self._ledger.set_meta(_KEY, json.dumps(troubles, ensure_ascii=False))


def _pause(failures: int) -> float:
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (failures - 1))
