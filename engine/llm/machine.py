"""What the machine can spare for a model: physical cores and free memory."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_MEMINFO = Path("/proc/meminfo")


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
