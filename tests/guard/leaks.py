"""What a test must not leave behind: live threads, child processes, open sockets, running Qt timers."""

from __future__ import annotations

import gc
import sys
import threading
import time
from dataclasses import dataclass

import psutil

_PATIENCE = 3.0
"""Seconds a thread or child that is already on its way out may take to end."""
_LIBRARY_THREADS = ("LanceDBBackgroundEventLoop", "pydevd", "ThreadPoolExecutor-lancedb", "execnet")
"""Threads that a library keeps for the life of the process by design."""
_LIBRARY_CHILDREN = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


@dataclass(frozen=True)
class Holdings:
    """What the process held before a test."""

    threads: frozenset[int]
    children: frozenset[int]
    sockets: frozenset[tuple[object, ...]]
    timers: frozenset[int]


def holdings() -> Holdings:
    return Holdings(
        frozenset(id(thread) for thread in threading.enumerate()),
        frozenset(child.pid for child in psutil.Process().children(recursive=True)),
        frozenset(_sockets()),
        frozenset(id(timer) for timer in _timers()),
    )


def leftovers(before: Holdings) -> list[str]:
    """One sentence for each thing held now that was not held before, after waiting for what is ending."""
    deadline = time.monotonic() + _PATIENCE
    found = _leftovers(before)
    while found and time.monotonic() < deadline:
        time.sleep(0.02)
        found = _leftovers(before)
    return found


def _leftovers(before: Holdings) -> list[str]:
    out = [
        f"thread {thread.name!r} still runs"
        for thread in threading.enumerate()
        if id(thread) not in before.threads and not thread.name.startswith(_LIBRARY_THREADS)
    ]
    for child in psutil.Process().children(recursive=True):
        if child.pid not in before.children:
            out += _child(child)
    out += [f"socket {socket} is still open" for socket in _sockets() - before.sockets]
    out += [f"timer {timer!r} still runs" for timer in _timers() if id(timer) not in before.timers]
    return out


def _child(child: psutil.Process) -> list[str]:
    try:
        said = " ".join(child.cmdline())
        if any(name in said for name in _LIBRARY_CHILDREN):
            return []
        return [f"child process {child.pid} is {child.status()}: {said}"]
    except psutil.NoSuchProcess:
        return []


def _sockets() -> set[tuple[object, ...]]:
    connections = psutil.Process().net_connections(kind="inet")
    # A closed connection lingers in TIME_WAIT without belonging to a descriptor.
    return {(c.laddr, c.raddr, c.status) for c in connections if c.fd != -1}


def _timers() -> list[object]:
    core = sys.modules.get("PySide6.QtCore")
    if core is None:
        return []
    valid = sys.modules["shiboken6"].isValid
    timers = [item for item in gc.get_objects() if isinstance(item, core.QTimer)]
    return [timer for timer in timers if valid(timer) and timer.isActive()]
