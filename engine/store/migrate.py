"""Bringing a catalogue on disk to the version this program writes, or refusing politely."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from engine.core.errors import KnownError
from engine.store import schema

_STEP = 1000
Migration = Callable[[sqlite3.Connection], None]


def _add_former_places(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE places ADD COLUMN former TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE roots ADD COLUMN device INTEGER NOT NULL DEFAULT 0")


MIGRATIONS: dict[tuple[int, int], Migration] = {(1, 0): _add_former_places}
"""From a past (major, minor) to the next version; each runs inside the opening transaction."""


def version_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """(major, minor) on disk, (0, 0) for a new file."""
    number = int(connection.execute("PRAGMA user_version").fetchone()[0])
    return divmod(number, _STEP)


def refuse_newer(connection: sqlite3.Connection) -> None:
    """Raise KnownError where a newer program has written what this one cannot read."""
    major, minor = version_of(connection)
    if major > schema.MAJOR:
        raise KnownError(
            f"This library was written by a newer Sheaf (format {major}.{minor}; this one reads {schema.MAJOR}.x).",
            help="Update Sheaf, or index the folders again under another name.",
            code="newer-format",
        )


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Create or migrate, in one transaction. The connection must be in autocommit mode."""
    refuse_newer(connection)
    present = version_of(connection)
    wanted = (schema.MAJOR, schema.MINOR)
    if present >= wanted:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        present = version_of(connection)
        if present != (0, 0):
            for start in sorted(MIGRATIONS):
                if start >= present:
                    MIGRATIONS[start](connection)
        for statement in schema.TABLES.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {wanted[0] * _STEP + wanted[1]}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
