"""Memory that is free but still held by the process, given back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return what the allocator keeps for later. Model runs free hundreds of megabytes that glibc would hold on to;
    other systems' allocators return them by themselves."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
