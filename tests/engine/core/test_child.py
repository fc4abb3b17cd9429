"""A child process: answers, reports, cancels, dies and comes back, and never outlives its parent."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.core.cancel import CancelToken
from engine.core.child import Child, ChildGone, Handler
from engine.core.errors import BugError, Cancelled, KnownError

ROOT = Path(__file__).resolve().parents[3]


def worker() -> Handler:
    """Obeys (verb, argument): see _VERBS, and the three that report or listen."""

    def handle(request: Any, report: Callable[[Any], None], cancelled: Callable[[], bool]) -> Any:
        verb, argument = request
        if verb == "count":
            for number in range(argument):
                report(number)
            return "counted"
        if verb in ("polite", "deaf"):
            report("started")
            end = time.monotonic() + argument
            while time.monotonic() < end:
                time.sleep(0.01)
                if verb == "polite" and cancelled():
                    raise Cancelled
        return _VERBS[verb](argument)

    return handle


def _known(_argument: object) -> None:
    raise KnownError("No such page.", help="Try another.", code="page", retryable=True)


_VERBS: dict[str, Callable[[Any], Any]] = {
    "echo": lambda argument: argument,
    "known": _known,
    "bug": lambda argument: 1 // argument,
    "die": os._exit,
    "eat": lambda argument: len(bytearray(argument)),
    "pid": lambda _argument: os.getpid(),
    "function": lambda _argument: lambda: None,
}


@pytest.fixture
def child() -> Iterator[Child]:
    made = Child("test", worker)
    yield made
    made.close()


def test_one_process_answers_many_requests(child: Child) -> None:
    assert child.request(("echo", {"a": 1})) == {"a": 1}
    pid = child.request(("pid", None))
    assert pid not in (None, os.getpid())
    assert child.request(("pid", None)) == pid == child.pid


def test_reports_come_before_the_result_and_in_order(child: Child) -> None:
    seen: list[int] = []
    assert child.request(("count", 5), on_report=seen.append) == "counted"
    assert seen == [0, 1, 2, 3, 4]


def test_errors_cross_the_pipe_whole(child: Child) -> None:
    with pytest.raises(KnownError) as caught:
        child.request(("known", None))
    error = caught.value
    assert (str(error), error.help, error.code, error.retryable) == ("No such page.", "Try another.", "page", True)
    with pytest.raises(BugError, match="ZeroDivisionError"):
        child.request(("bug", 0))
    with pytest.raises(BugError, match="cannot cross"):
        child.request(("function", None))
    assert child.request(("echo", 1)) == 1, "an error is not the end of the child"


def test_a_child_that_dies_is_told_and_replaced(child: Child) -> None:
    first = child.request(("pid", None))
    with pytest.raises(ChildGone, match="exit code 7"):
        child.request(("die", 7))
    assert not child.alive
    assert child.request(("pid", None)) != first


def test_a_silent_child_is_ended_by_the_time_limit(child: Child) -> None:
    child.request(("echo", 1))
    pid = child.pid
    with pytest.raises(KnownError) as caught:
        child.request(("deaf", 60), timeout=0.3)
    assert caught.value.code == "timeout"
    assert pid is not None
    assert not psutil.pid_exists(pid), "not even a zombie is left"


@pytest.mark.parametrize("verb", ["polite", "deaf"])
def test_cancel_is_heard_or_enforced(child: Child, verb: str) -> None:
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        child.request((verb, 60), cancel=cancel, on_report=lambda _: cancel.cancel(), grace=0.3)
    assert child.alive is (verb == "polite")
    assert child.request(("echo", 2)) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="address space limits are kept on Linux only")
def test_memory_beyond_the_cap_is_refused() -> None:
    child = Child("small", worker, memory_bytes=1 << 30)
    try:
        with pytest.raises(KnownError) as caught:
            child.request(("eat", 2 << 30))
        assert caught.value.code == "memory"
        assert child.request(("eat", 1 << 20)) == 1 << 20
    finally:
        child.close()


def test_close_leaves_no_process_and_no_thread(child: Child) -> None:
    child.request(("echo", 1))
    pid = child.pid
    child.close()
    child.close()
    assert pid is not None
    assert not psutil.pid_exists(pid)
    assert not [thread for thread in threading.enumerate() if thread.name == "keep-test"]


def test_a_killed_parent_takes_its_child_along(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import time\n"
        "from engine.core.child import Child\n"
        "from tests.engine.core.test_child import worker\n"
        "if __name__ == '__main__':\n"
        "    child = Child('orphan', worker)\n"
        "    print(child.request(('pid', None)), flush=True)\n"
        "    time.sleep(60)\n"
    )
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=variables) as parent:
        assert parent.stdout is not None
        orphan = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
    psutil.wait_procs([orphan], timeout=10)
    assert not orphan.is_running()
