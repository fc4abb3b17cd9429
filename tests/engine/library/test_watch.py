"""The watcher with a clock and a source of events that the test holds in its hands; one test with real events."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.library.watch import Watcher


class HandClock:
    def __init__(self) -> None:
        self.now = 1000.0
        self.skew = 0.0

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> float:
        return self.now + self.skew


class HandSource:
    """Events that the test sends; `fail` ends the listening thread with an error."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.batch: set[str] = set()
        self.error: Exception | None = None
        self.listened: list[tuple[Path, ...]] = []

    def __call__(self, folders: Sequence[Path], stop: threading.Event) -> Iterator[set[str]]:
        self.listened.append(tuple(folders))
        while not stop.wait(0.005):
            if self.ready.is_set():
                self.ready.clear()
                if self.error is not None:
                    raise self.error
                yield self.batch

    def send(self, *paths: str) -> None:
        self.batch = set(paths)
        self.ready.set()
        _until(lambda: not self.ready.is_set())
        time.sleep(0.02)

    def fail(self, error: Exception, watcher: Watcher) -> None:
        self.error = error
        self.ready.set()
        _until(lambda: not self.ready.is_set())
        _until(lambda: watcher._hints is None or not watcher._hints.alive)
        self.error = None


class Desk:
    """A watcher that is stepped by hand."""

    def __init__(self, *folders: Path, blind: bool = False, own: Sequence[Path] = ()) -> None:
        self.clock = HandClock()
        self.source = HandSource()
        self.looks = 0
        self.changed = False
        self.error: KnownError | None = None
        self.notes: list[str] = []
        self.watcher = Watcher(
            folders,
            self.update,
            self.notes.append,
            source=self.source,
            blind=lambda _: blind,
            clock=self.clock,
            own=own,
        )
        self.watcher._listen()
        self.watcher._next_look = self.clock.now + 300

    def update(self) -> bool:
        self.looks += 1
        if self.error is not None:
            raise self.error
        return self.changed

    def step(self, seconds: float = 0.0) -> int:
        """Let time pass, with the watcher at work; returns how often it has looked so far."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.now = min(end, self.clock.now + 1.0)
            self.watcher.step()
        return self.looks

    def sleep(self, seconds: float) -> int:
        """Let time pass in which the watcher takes no step."""
        self.clock.now += seconds
        self.watcher.step()
        return self.looks


def _until(ready: object, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not ready():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    yield one
    if one.watcher._hints is not None:
        one.watcher._hints.stop()


def test_burst_of_events_leads_to_one_look_when_it_is_over(desk: Desk) -> None:
    for _ in range(5):
        desk.source.send("/a/b.pdf")
        assert desk.step(0.5) == 0
    assert desk.step(1.0) == 1
    assert desk.step(1.0) == 1


def test_endless_burst_does_not_put_off_the_look_for_ever(desk: Desk) -> None:
    for _ in range(25):
        desk.source.send("/a/b.pdf")
        desk.step(0.5)
    assert desk.looks == 1


def test_temporary_files_are_no_hint(desk: Desk) -> None:
    desk.source.send("/a/~$b.docx", "/a/c.pdf.part")
    assert desk.step(5.0) == 0


def test_what_the_program_writes_itself_is_no_hint(tmp_path: Path) -> None:
    """A watched folder may hold the program's own: every look writes there, and must not lead to the next."""
    desk = Desk(tmp_path, own=(tmp_path / "AppData" / "sheaf",))
    desk.source.send(str(tmp_path / "AppData" / "sheaf" / "libraries" / "a" / "library.db-wal"))
    desk.source.send(str(tmp_path / ".local" / "share" / "sheaf" / "library.db-wal"))
    assert desk.step(5.0) == 0
    desk.source.send(str(tmp_path / "AppData" / "sheaf2" / "a.pdf"))
    assert desk.step(5.0) == 1
    assert desk.watcher._hints is not None
    desk.watcher._hints.stop()


def test_rescan_comes_without_any_event(desk: Desk) -> None:
    assert desk.step(299) == 0
    assert desk.step(2) == 1
    assert desk.step(298) == 1


def test_after_a_change_the_young_files_are_looked_at_again_soon(desk: Desk) -> None:
    desk.changed = True
    assert desk.step(301) == 1
    desk.changed = False
    assert desk.step(4) == 2
    assert desk.step(4) == 2


@pytest.mark.parametrize("skew", [3600.0, -3600.0], ids=["forward", "back"])
def test_sleep_or_set_clock_leads_to_a_look(desk: Desk, skew: float) -> None:
    desk.clock.skew = skew
    assert desk.step(1) == 1
    assert desk.step(1) == 1


def test_sleep_that_both_clocks_have_counted_leads_to_a_look(desk: Desk) -> None:
    """On some systems the monotonic clock goes on while the machine sleeps: then the watcher's own steps have a gap."""
    desk.step(1)
    assert desk.sleep(90) == 1
    assert desk.step(1) == 1


def test_a_look_that_takes_long_is_no_sleep(desk: Desk) -> None:
    def slow() -> bool:
        desk.clock.now += 100
        return False

    desk.watcher._update = slow
    desk.step(301)
    desk.watcher._update = desk.update
    assert desk.step(1) == 0


def test_a_clock_that_is_set_again_and_again_leads_to_a_look_each_time(desk: Desk) -> None:
    for times in range(1, 6):
        desk.clock.skew += 86_400.0 * (-1) ** times * times
        assert desk.step(1) == times


def test_locked_library_is_noted_once_and_tried_again(desk: Desk) -> None:
    desk.error = KnownError("Another program is writing to this library.", code="locked", retryable=True)
    desk.step(301)
    desk.step(16)
    assert desk.looks == 2
    assert len(desk.notes) == 1
    desk.error = None
    assert desk.step(16) == 3


def test_dead_watcher_is_started_again_and_says_so(desk: Desk) -> None:
    desk.source.fail(OSError("watch queue overflow"), desk.watcher)
    desk.step(0.1)
    assert "started again" in desk.notes[0]
    assert len(desk.source.listened) == 2
    assert desk.step(1.0) == 1, "what happened meanwhile is looked for"


def test_exhausted_watches_fall_back_to_a_schedule(desk: Desk) -> None:
    desk.source.fail(OSError("OS file watch limit reached."), desk.watcher)
    desk.step(0.1)
    assert "every 60 seconds" in desk.notes[0]
    assert desk.step(61) == 1
    assert desk.step(61) == 2


def test_shares_without_events_are_looked_at_on_a_schedule(tmp_path: Path) -> None:
    desk = Desk(tmp_path, blind=True)
    assert "no events" in desk.notes[0]
    assert desk.source.listened == []
    desk.watcher._next_look = desk.clock.now + 60
    assert desk.step(61) == 1
    assert desk.step(61) == 2


def test_folder_that_went_and_came_back_is_listened_to_again(tmp_path: Path) -> None:
    folder = tmp_path / "root"
    folder.mkdir()
    desk = Desk(folder)
    folder.rename(tmp_path / "away")
    desk.step(3)
    (tmp_path / "away").rename(folder)
    desk.step(3)
    assert desk.source.listened[0] == (folder,)
    _until(lambda: desk.source.listened[-1] == (folder,) and len(desk.source.listened) >= 2)
    assert desk.step(1.0) >= 1
    if desk.watcher._hints is not None:
        desk.watcher._hints.stop()


def test_real_events_reach_the_update(tmp_path: Path) -> None:
    looks = threading.Event()
    cancel = CancelToken()

    def update() -> bool:
        looks.set()
        return False

    watcher = Watcher([tmp_path], update, lambda _: None)
    thread = threading.Thread(target=watcher.run, args=(cancel,))
    thread.start()
    try:
        end = time.monotonic() + 20
        while not looks.is_set() and time.monotonic() < end:
            (tmp_path / f"{time.monotonic_ns()}.txt").write_text("x")
            looks.wait(0.5)
        assert looks.is_set()
    finally:
        cancel.cancel()
        thread.join()
