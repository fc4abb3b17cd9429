"""What quickstart shows: plain lines, one rewritten progress line on a terminal, a question with a default."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Mapping

from engine.core.errors import KnownError
from engine.core.events import Event, FetchProgress

_WIDTH = 110
_QUIET_INTERVAL = 30.0
"""Seconds between two progress lines where lines cannot be rewritten (a log file)."""


class Console:
    """The terminal, or a log file that pretends to be one."""

    def __init__(self) -> None:
        self._rewritable = sys.stdout.isatty()
        self._open_line = False
        self._last = 0.0

    @property
    def interactive(self) -> bool:
        return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

    def say(self, text: str) -> None:
        self.end_progress()
        print(text, flush=True)

    def fail(self, problem: KnownError) -> None:
        self.end_progress()
        print(f"{problem.message} {problem.help}".strip(), file=sys.stderr, flush=True)

    def status(self, text: str) -> None:
        """A line that the next one replaces; in a log, one line every half minute."""
        if self._rewritable:
            print(f"\r{text[:_WIDTH]:{_WIDTH}}", end="", flush=True)
            self._open_line = True
        elif time.monotonic() - self._last >= _QUIET_INTERVAL:
            self._last = time.monotonic()
            print(text, flush=True)

    def progress(self, event: Event) -> None:
        if isinstance(event, FetchProgress):
            self.status("  " + describe(event))

    def end_progress(self) -> None:
        if self._open_line:
            print(flush=True)
            self._open_line = False

    def choose(self, question: str, choices: Mapping[str, str]) -> str:
        """One of `choices` (name -> what it means), by name or first letters; Enter alone takes the last one."""
        self.say(question)
        for name, meaning in choices.items():
            self.say(f"  {name}: {meaning}")
        default = list(choices)[-1]
        while True:
            try:
                typed = input(f"{'/'.join(choices)} [{default}]: ").strip().lower()
            except EOFError:
                return default
            if not typed:
                return default
            fitting = [name for name in choices if name.startswith(typed)]
            if len(fitting) == 1:
                return fitting[0]
            self.say("Please type one of the names.")

    def nothing(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()


def describe(event: FetchProgress) -> str:
    """Size, speed and time left in words."""
    text = f"{event.file}: {event.done_bytes / 1e6:.1f} of {event.total_bytes / 1e6:.1f} MB"
    if event.bytes_per_second > 0:
        text += f", {event.bytes_per_second / 1e6:.1f} MB/s"
    if event.seconds_left is not None and event.done_bytes < event.total_bytes:
        minutes, seconds = divmod(round(event.seconds_left), 60)
        text += f", {minutes} min {seconds} s left" if minutes else f", {seconds} s left"
    return text
