"""What the user looks at, and the order it gives to the queue: what is on the screen is read first."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from engine.core.ids import DocumentId

_REMEMBERED = 64


class Queued(Protocol):
    """A place that waits to be read: its document, and the one it held before its file changed ("" for none)."""

    @property
    def document(self) -> DocumentId: ...
    @property
    def former(self) -> str: ...


Waits = TypeVar("Waits", bound=Queued)


class Attention:
    """Documents that were opened or found lately, latest first, and those in sight. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lately: tuple[str, ...] = ()
        self._in_sight: frozenset[str] = frozenset()
        self.changes = 0
        """Grows with every change."""

    def look_at(self, documents: Iterable[DocumentId]) -> None:
        """These were opened, or a search hit them; the first is the most wanted."""
        with self._lock:
            lately = tuple(dict.fromkeys((*documents, *self._lately)))[:_REMEMBERED]
            self.changes += lately != self._lately
            self._lately = lately

    def browse(self, documents: Iterable[DocumentId]) -> None:
        """These are listed before the user now, in place of those listed before."""
        with self._lock:
            in_sight = frozenset(documents)
            self.changes += in_sight != self._in_sight
            self._in_sight = in_sight

    def ranks(self) -> Mapping[str, int]:
        """Document -> how soon it is wanted, 0 first; those that nobody looks at are left out."""
        with self._lock:
            return dict.fromkeys(self._in_sight, _REMEMBERED) | {one: n for n, one in enumerate(self._lately)}

    def is_on(self, place: Queued) -> bool:
        """Whether a place's document, or what it was before its file changed, was opened or found lately."""
        return bool({place.document, place.former} & {*self._lately})


class Waiting(Generic[Waits]):
    """What waits to be read: in its own order, but for what the user looks at meanwhile."""

    def __init__(self, places: Sequence[Waits], attention: Attention) -> None:
        self._places = deque(enumerate(places))
        self._attention = attention
        self._seen = 0

    def __len__(self) -> int:
        return len(self._places)

    def take(self) -> Waits:
        """The next one; raises IndexError where nothing waits."""
        if self._seen != self._attention.changes:
            self._seen = self._attention.changes
            ranks = self._attention.ranks()
            last = _REMEMBERED + 1

            def order(waiting: tuple[int, Waits]) -> tuple[int, int]:
                number, place = waiting
                return min(ranks.get(place.document, last), ranks.get(place.former, last)), number

            self._places = deque(sorted(self._places, key=order))
        return self._places.popleft()[1]
