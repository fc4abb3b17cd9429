"""Memory that is free but still held by the process, given back to the system."""

from __future__ import annotations

import ctypes
import os
import sys

_M_ARENA_MAX = -8
"""malloc.h of glibc."""


def keep_together() -> None:
    """Let threads share arenas, one a core. Left to itself glibc makes eight a core; what hundreds of short tasks of
    LanceDB's threads leave in each keeps its pages from being given back, some 0.1 MB a commit. Call it before them."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(_M_ARENA_MAX, max(2, os.cpu_count() or 1))


def give_back() -> None:
    """Return what the allocator keeps for later. Model runs free hundreds of megabytes that glibc would hold on to;
    other systems' allocators return them by themselves."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
