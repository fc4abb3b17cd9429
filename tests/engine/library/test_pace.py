"""Background work gives way."""

from __future__ import annotations

import threading
import time

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled
from engine.library.pace import Pace


def breathes(pace: Pace, cancel: CancelToken) -> threading.Thread:
    thread = threading.Thread(target=pace.breathe, args=(cancel,))
    thread.start()
    return thread


def test_pause_and_resume() -> None:
    pace, cancel = Pace(), CancelToken()
    pace.pause()
    thread = breathes(pace, cancel)
    thread.join(0.2)
    assert thread.is_alive()
    pace.resume()
    thread.join(5)
    assert not thread.is_alive()


def test_waits_behind_a_question_but_not_for_ever() -> None:
    now = [100.0]
    pace, cancel = Pace(clock=lambda: now[0]), CancelToken()
    with pace.question():
        thread = breathes(pace, cancel)
        thread.join(0.2)
        assert thread.is_alive()
        now[0] += 1000
        thread.join(5)
        assert not thread.is_alive()
    pace.breathe(cancel)


def test_stops_on_battery_only_if_told_to() -> None:
    cancel = CancelToken()
    Pace(battery=lambda: True).breathe(cancel)
    pace = Pace(on_battery=False, battery=lambda: True)
    thread = breathes(pace, cancel)
    thread.join(0.2)
    assert thread.is_alive()
    pace.on_battery = True
    thread.join(5)
    assert not thread.is_alive()


def test_share_of_time_is_kept() -> None:
    pace, cancel = Pace(share=0.25), CancelToken()
    pace.breathe(cancel)
    time.sleep(0.05)
    began = time.monotonic()
    pace.breathe(cancel)
    assert time.monotonic() - began >= 0.14


def test_cancel_ends_a_pause() -> None:
    pace, cancel = Pace(), CancelToken()
    pace.pause()
    cancel.cancel()
    with pytest.raises(Cancelled):
        pace.breathe(cancel)
