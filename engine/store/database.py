"""Connections to one SQLite file: WAL, one per thread, errors of the world in plain words."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from engine.core.errors import KnownError
from engine.core.storage import storage_error

_BUSY_SECONDS = 30.0
_LOG_BYTES = 4 << 20
"""The write-ahead log is cut back to this once what it holds is in the database; else it keeps its largest size as long
as the program runs: 37 MB beside a catalogue of 39."""


class Connections:
    """Hands every thread its own connection to `path`. Readers never block on the writer (WAL).

    `read_only` connections refuse every write; the file must then exist.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._local = threading.local()
        self._lock = threading.Lock()
        self._open: dict[int, Database] = {}

    def get(self) -> Database:
        """This thread's connection, opened on first use. Raises KnownError."""
        database: Database | None = getattr(self._local, "database", None)
        if database is None or id(database) not in self._open:
            database = self._connect()
            self._local.database = database
            with self._lock:
                self._open[id(database)] = database
        return database

    def create(self, tables: str) -> None:
        """Make the tables of a script that are missing; nothing where writing is refused. Raises KnownError."""
        if not self.read_only:
            with plain_errors(self.path):
                self.get().conn.executescript(tables)

    @contextmanager
    def transaction(self) -> Iterator[Database]:
        """One write transaction, taken at once so that it never fails half-way on a lock. Raises KnownError."""
        database = self.get()
        with plain_errors(self.path):
            database.execute("BEGIN IMMEDIATE")
        try:
            yield database
            with plain_errors(self.path):
                database.execute("COMMIT")
        except sqlite3.Error as error:
            database.rollback()
            raise in_plain_words(error, self.path) from error
        except BaseException:
            database.rollback()
            raise

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for database in self._open.values():
                database.close()
            self._open.clear()

    def _connect(self) -> Database:
        with plain_errors(self.path):
            if self.read_only and not self.path.is_file():
                raise KnownError(f"There is no index at {self.path}.", help="Run `sheaf index` first.", code="no-index")
            if not self.read_only:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, check_same_thread=False)
            try:
                if not self.read_only:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = NORMAL")
                    connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
                else:
                    connection.execute("PRAGMA query_only = ON")
            except sqlite3.Error:
                connection.close()
                raise
            return Database(connection, execute_plugins=False)


def set_meta(database: Database, key: str, value: str) -> None:
    """Set a value of the catalogue's `meta` table inside a transaction."""
    database.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))


def bump_state(database: Database) -> None:
    """Tell all readers that what they may see has changed."""
    row = database.execute("SELECT value FROM meta WHERE key = 'state'").fetchone()
    set_meta(database, "state", str(int(row[0]) + 1 if row else 1))


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn sqlite's and the file system's errors into KnownError."""
    try:
        yield
    except sqlite3.Error as error:
        raise in_plain_words(error, path) from error
    except OSError as error:
        raise storage_error(error, path.parent) from error


def in_plain_words(error: sqlite3.Error, path: Path) -> KnownError:
    """What went wrong with the catalogue, and what to do next."""
    text = str(error).lower()
    if "full" in text or "disk i/o error" in text:
        return storage_error(error, path.parent)
    if "readonly" in text or "read-only" in text or "query_only" in text:
        return KnownError(f"{path} cannot be written.", help="Check the permissions of the folder.", code="read-only")
    if "locked" in text or "busy" in text:
        return KnownError(
            f"{path} is in use by another program.", help="Try again in a moment.", code="locked", retryable=True
        )
    if isinstance(error, sqlite3.OperationalError) and "unable to open" in text:
        return KnownError(
            f"{path} cannot be opened.", help="Check that the folder exists and is writable.", code="storage"
        )
    if isinstance(error, sqlite3.DatabaseError) and ("malformed" in text or "not a database" in text):
        return KnownError(
            f"{path} is damaged.", help="Index the library again; the damaged file is kept aside.", code="damaged"
        )
    return KnownError(f"{path} cannot be used: {error}.", help="Try again; if it stays, report it.", code="storage")
