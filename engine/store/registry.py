"""The list of libraries of one home folder, in SQLite."""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from engine.core.errors import KnownError, UsageError
from engine.core.paths import Home
from engine.core.preflight import preflight
from engine.core.results import Library
from engine.store.database import Connections, plain_errors
from engine.store.lock import WriterLock

_REMOVE_SECONDS = 5.0
"""How long a removal waits for a writer that is just ending."""

_TABLE = """
CREATE TABLE IF NOT EXISTS libraries (name TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, folders TEXT NOT NULL)
    WITHOUT ROWID;
"""


class Registry:
    """Libraries by name. Thread-safe; several processes may share the file."""

    def __init__(self, home: Home, connections: Connections) -> None:
        self._home = home
        self._connections = connections
        connections.create(_TABLE)

    def libraries(self) -> list[Library]:
        with plain_errors(self._home.database):
            rows = self._connections.get().execute("SELECT name, slug, folders FROM libraries ORDER BY name").fetchall()
        return [self._library(*row) for row in rows]

    def library(self, name: str) -> Library:
        """Raise UsageError, naming the libraries there are, when there is none of this name."""
        found = {library.name: library for library in self.libraries()}
        if name not in found:
            known = f"The libraries are: {', '.join(found)}." if found else "Add one with `sheaf library add`."
            raise UsageError(f"There is no library called {name}.", help=known, code="no-library")
        return found[name]

    def add(self, name: str, folders: Sequence[Path]) -> Library:
        """Register a library, or add folders to one. Raises UsageError for a folder that is not there, KnownError where
        the home cannot hold an index."""
        if not name.strip():
            raise UsageError("A library needs a name.", help="Give it one, for example `parts`.", code="no-name")
        chosen = list(dict.fromkeys(_checked_folder(folder) for folder in folders))
        known = {library.name: library for library in self.libraries()}
        if name in known:
            chosen = list(dict.fromkeys((*known[name].folders, *chosen)))
            slug = known[name].home.name
        else:
            slug = _slug(name, {library.home.name for library in known.values()})
        preflight(self._home.libraries)
        written = json.dumps([str(folder) for folder in chosen], ensure_ascii=False)
        with self._connections.transaction() as database:
            database.execute("INSERT OR REPLACE INTO libraries VALUES (?, ?, ?)", (name, slug, written))
        return self.library(name)

    def remove(self, name: str) -> None:
        """Forget a library and delete its index; its documents are not touched. Raises KnownError, above all where
        another program writes to it: what that went on writing would be left behind."""
        library = self.library(name)
        lock = WriterLock(library.home, seconds=_REMOVE_SECONDS, purpose="removing")
        with lock, self._connections.transaction() as database:
            database.execute("DELETE FROM libraries WHERE name = ?", (name,))
        if library.home.exists():
            try:
                shutil.rmtree(library.home)
            except OSError as error:
                raise KnownError(
                    f"The index of {name} could not be deleted: {error.strerror}.",
                    help=f"Delete {library.home} by hand.",
                    code="storage",
                ) from error

    def _library(self, name: str, slug: str, folders: str) -> Library:
        return Library(name, tuple(Path(folder) for folder in json.loads(folders)), self._home.libraries / slug)


def _checked_folder(folder: Path) -> Path:
    resolved = folder.expanduser().resolve()
    if not resolved.is_dir():
        raise UsageError(f"{folder} is not a folder.", help="Name a folder that exists.", code="no-folder")
    return resolved


def _slug(name: str, taken: set[str]) -> str:
    """A folder name that every system allows, unique among `taken`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "library"
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug
