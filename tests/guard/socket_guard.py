"""Refuses every connection outside this machine, and loopback too unless a test asks for it.

An audit hook sees what Python's sockets do in any thread, whoever opened them. Uses the standard library only: child
processes load this file by itself, before anything else is importable.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import sys
from pathlib import Path
from typing import Any

LOOPBACK_VARIABLE = "SHEAF_TEST_LOOPBACK"
"""Set to 1 while a test may use loopback; inherited by the children it starts."""
LOG_VARIABLE = "SHEAF_TEST_SOCKET_LOG"
"""File that refused attempts are appended to: one in a child, or one whose error is swallowed, still fails the test."""
_LOOPBACK_NAMES = {"localhost", "localhost.localdomain", "ip6-localhost", ""}
_BY_ADDRESS = {"socket.connect", "socket.sendto", "socket.bind", "socket.sendmsg"}
_BY_NAME = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


class NetworkRefused(OSError):
    """A test, or a process it started, tried to open a connection."""


def install() -> None:
    """Guard this process for the rest of its life; audit hooks cannot be removed.

    Does nothing where `sitecustomize` already did it: the workers of a parallel run are children of the first process.
    """
    by_itself = sys.modules.get("socket_guard")
    if by_itself is None or by_itself is sys.modules[__name__]:
        sys.addaudithook(_audit)


def attempts(log: Path) -> list[str]:
    """Refused attempts noted in `log`, by this process and its children."""
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _BY_ADDRESS and len(arguments) > 1 and isinstance(arguments[1], tuple):
        _check(event, str(arguments[1][0]))
    elif event in _BY_NAME and arguments and arguments[0] is not None:
        host = arguments[0]
        _check(event, host.decode(errors="replace") if isinstance(host, bytes) else str(host))


def _check(event: str, host: str) -> None:
    local = _is_loopback(host)
    if local and event == "socket.bind":
        # urllib3, which LanceDB imports, binds to ::1 to see whether there is IPv6; connecting is still refused.
        return
    if local and os.environ.get(LOOPBACK_VARIABLE) == "1":
        return
    said = f"{event} to {host!r} in process {os.getpid()}"
    if path := os.environ.get(LOG_VARIABLE):
        with contextlib.suppress(OSError), Path(path).open("a", encoding="utf-8") as log:
            log.write(said + "\n")
    hint = "use the `loopback` fixture if the test needs a local server" if local else "tests open no connection"
    raise NetworkRefused(f"{said} refused: {hint}")


def _is_loopback(host: str) -> bool:
    if host.casefold() in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False
