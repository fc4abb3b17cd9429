"""The one loader of everything that ships beside the code; it also works in a frozen build.

The folders: `icons` and `style` (window), `sample_library` (documents of made-up parts with `questions.jsonl`).
"""

from __future__ import annotations

import sys
from pathlib import Path


def root() -> Path:
    """Folder the resources lie in: beside this file, or in the bundle when frozen."""
    bundle = getattr(sys, "_MEIPASS", None)
    return Path(bundle) / "resources" if bundle else Path(__file__).resolve().parent


def find(*names: str) -> Path:
    """Path of a resource, e.g. ``find("icons", "sheaf.svg")``. Raises FileNotFoundError if it did not ship."""
    path = root().joinpath(*names)
    if not path.exists():
        raise FileNotFoundError(f"The installation is incomplete: {'/'.join(names)} is missing from its resources.")
    return path


def read_text(*names: str) -> str:
    """Text of a resource, UTF-8."""
    return find(*names).read_text(encoding="utf-8")


def sample_library() -> Path:
    """Folder of the sample library's documents."""
    return find("sample_library")
