"""The guards themselves: each is shown what it exists for and must notice."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guard import leaks, socket_guard

_ELSEWHERE = ("192.0.2.1", 9)


@pytest.fixture
def own_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Refusals are noted here, so that provoking one does not fail this very test."""
    log = tmp_path / "refused.txt"
    monkeypatch.setenv(socket_guard.LOG_VARIABLE, str(log))
    return log


@pytest.fixture
def before_test() -> leaks.Holdings:
    return leaks.holdings()


def _tcp(address: tuple[str, int]) -> None:
    with socket.socket() as connection:
        connection.connect(address)


def _udp(address: tuple[str, int]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as connection:
        connection.sendto(b"?", address)


def _resolve(address: tuple[str, int]) -> None:
    socket.getaddrinfo("example.invalid", 80)


@pytest.mark.parametrize("attempt", [_tcp, _udp, _resolve])
def test_a_connection_outside_is_refused_and_noted(own_log: Path, attempt: Callable[[tuple[str, int]], None]) -> None:
    with pytest.raises(OSError, match="refused"):
        attempt(_ELSEWHERE)
    assert len(socket_guard.attempts(own_log)) == 1


def test_loopback_is_refused_unless_asked_for(own_log: Path) -> None:
    with pytest.raises(OSError, match="refused: use the `loopback`"):
        _tcp(("127.0.0.1", 9))


def test_loopback_works_when_asked_for_and_outside_still_does_not(loopback: None, own_log: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        _tcp(server.getsockname())
    with pytest.raises(OSError, match="refused"):
        _tcp(_ELSEWHERE)


def test_a_child_process_is_guarded_too(own_log: Path) -> None:
    code = f"import socket; socket.create_connection({_ELSEWHERE!r}, timeout=1)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert child.returncode != 0
    assert "NetworkRefused" in child.stderr
    assert own_log.read_text().count("192.0.2.1") == 1


def test_a_live_thread_is_noticed(before_test: leaks.Holdings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "_PATIENCE", 0.1)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="forgotten")
    thread.start()
    try:
        assert leaks.leftovers(before_test) == ["thread 'forgotten' still runs"]
    finally:
        stop.set()
        thread.join()
    assert leaks.leftovers(before_test) == []


def test_a_child_process_is_noticed(before_test: leaks.Holdings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "_PATIENCE", 0.1)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        found = leaks.leftovers(before_test)
        assert child.stdin is not None
        child.stdin.close()
    assert len(found) == 1
    assert f"child process {child.pid}" in found[0]
    assert leaks.leftovers(before_test) == []


def test_an_open_socket_is_noticed(
    loopback: None, before_test: leaks.Holdings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "_PATIENCE", 0.1)
    with contextlib.closing(socket.socket()) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        assert any("is still open" in said for said in leaks.leftovers(before_test))
    assert leaks.leftovers(before_test) == []


def test_what_ends_by_itself_is_waited_for(before_test: leaks.Holdings) -> None:
    threading.Timer(0.2, lambda: None).start()
    assert leaks.leftovers(before_test) == []


_LEAKY = {
    "thread": (
        "import threading\ndef test_it():\n    threading.Thread(target=threading.Event().wait, daemon=True).start()"
    ),
    "swallowed": (
        "import socket\ndef test_it():\n    try:\n        socket.create_connection(('192.0.2.1', 9))\n"
        "    except OSError:\n        pass"
    ),
    "warning": "import warnings\ndef test_it():\n    warnings.warn('look', DeprecationWarning)",
    "unclosed": "def test_it():\n    open(__file__)",
}


_COMPLAINTS = {
    "thread": "left behind: thread",
    "swallowed": "connections were attempted",
    "warning": "DeprecationWarning: look",
    "unclosed": "ResourceWarning: unclosed file",
}


@pytest.mark.parametrize("name", _LEAKY)
def test_the_suite_fails_a_test_that_leaks(name: str, tmp_path: Path) -> None:
    """A real run with this repository's conftest and settings over a planted test."""
    root = Path(__file__).resolve().parents[2]
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "conftest.py").write_text(
        "from tests.conftest import away_from_home, no_network, nothing_left_behind, pytest_configure\n"
    )
    (folder / "test_planted.py").write_text(_LEAKY[name])
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", str(root / "pyproject.toml"), f"--rootdir={root}", str(folder)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert _COMPLAINTS[name] in run.stdout
