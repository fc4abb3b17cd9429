"""What the machine can spare for a model: physical cores and free memory."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_MEMINFO = Path("/proc/meminfo")
_LOADAVG = Path("/proc/loadavg")


def physical_cores() -> int:
    """Physical cores this process may use, at least 1. Two threads on one core slow generation down."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        text = _CPUINFO.read_text(encoding="utf-8")
    except OSError:
        text = ""
    pairs = set(re.findall(r"physical id\s*:\s*(\d+).*?core id\s*:\s*(\d+)", text, re.DOTALL))
    return max(1, min(allowed, len(pairs) or allowed))


def fitting_threads(wanted: int = 0) -> int:
    """Threads for the model: what was asked, clamped to the physical cores; one core stays free where there are
    more than two."""
    cores = physical_cores()
    most = cores - 1 if cores > 2 else cores
    return max(1, min(wanted, most) if wanted > 0 else most)


def free_threads(most: int) -> int:
    """Threads for the next request, at most `most`: cores that other work keeps busy are left to it.

    The model's threads wait for one another at every layer, so one thread too many on a busy machine is several times
    slower than one too few (measured on 2 busy cores: 24 tokens in 18.5 s with two threads, 7.3 s with one).
    """
    busy = min((_running() for _ in range(3)), default=0)
    return max(1, min(most, physical_cores() - busy))


def _running() -> int:
    """Tasks that run or wait for a core now, without the one that asks; 0 where the system does not tell."""
    try:
        match = re.search(r" (\d+)/\d+ ", _LOADAVG.read_text(encoding="utf-8"))
    except OSError:
        return 0
    time.sleep(0.01)
    return max(0, int(match.group(1)) - 1) if match else 0


def available_memory() -> int | None:
    """Bytes that can be had without swapping, None where the system does not tell."""
    if sys.platform == "win32":
        return _windows_memory()
    try:
        match = re.search(r"MemAvailable:\s+(\d+) kB", _MEMINFO.read_text(encoding="utf-8"))
    except OSError:
        match = None
    if match:
        return int(match.group(1)) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def _windows_memory() -> int | None:
    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "available", "page", "free_page", "virtual", "v", "e")),
        )

    status = Status()
    status.length = ctypes.sizeof(Status)
    library = getattr(ctypes, "windll", None)
    if library is None or not library.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(status.available)
