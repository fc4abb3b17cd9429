"""A token that one side sets and the other side looks at."""

from __future__ import annotations

import threading

from engine.core.errors import Cancelled


class CancelToken:
    """Set once, seen by everybody who holds it. Thread-safe."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def raise_if_cancelled(self) -> None:
        """Raise :class:`Cancelled` if the token has been set."""
        if self.cancelled:
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep for at most `seconds`; return at once, with True, when the token is set."""
        return self._event.wait(seconds)
