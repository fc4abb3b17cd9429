"""Half-written files of LanceDB, which its own clean-up does not know."""

from __future__ import annotations

from pathlib import Path


def sweep_half_written(table: Path) -> None:
    """Remove what a killed write has left under a temporary name (".tmp…") in a table's folder. Only for the one
    writer there is, while it writes nothing. Raises OSError."""
    for path in table.rglob(".tmp*"):
        if path.is_file():
            path.unlink(missing_ok=True)
