"""The user's own synonyms in SQLite, for one library or for all of a home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.errors import UsageError
from engine.core.lexicon import Lexicon, Synonym, checked
from engine.core.text import fold_case
from engine.store.database import Connections, plain_errors

_TABLE = """
CREATE TABLE IF NOT EXISTS lexicon (
    library TEXT NOT NULL, key TEXT NOT NULL, term TEXT NOT NULL, meaning TEXT NOT NULL, PRIMARY KEY (library, key)
) WITHOUT ROWID
"""


class LexiconStore:
    """Any thread may call. A library is named by its name, "" stands for all. Raises KnownError as SQLite does."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        connections.create(_TABLE)

    def synonyms(self, library: str) -> list[Synonym]:
        """Those kept under one name, by term."""
        with plain_errors(self._connections.path):
            rows = self._connections.get().execute(
                "SELECT term, meaning, library FROM lexicon WHERE library = ? ORDER BY key", (library,)
            )
            return [Synonym(*row) for row in rows]

    def lexicon(self, library: str) -> Lexicon:
        """What holds in a library: its own synonyms, and of those for all the ones it does not word itself."""
        return Lexicon([*self.synonyms(""), *self.synonyms(library)])

    def put(self, term: str, meaning: str, library: str = "") -> Synonym:
        """Keep a synonym; another one of the same term gives way. Raises UsageError."""
        one, other = checked(term, meaning)
        with self._connections.transaction() as database:
            database.execute(
                "INSERT OR REPLACE INTO lexicon VALUES (?, ?, ?, ?)", (library, fold_case(one), one, other)
            )
        return Synonym(one, other, library)

    def drop(self, term: str, library: str = "") -> None:
        """Forget a term's synonym. Raises UsageError where there is none."""
        with self._connections.transaction() as database:
            found = database.execute("DELETE FROM lexicon WHERE library = ? AND key = ?", (library, fold_case(term)))
            gone = found.rowcount
        if not gone:
            raise UsageError(
                f"There is no synonym for {term} here.", help="`sheaf lexicon` lists them.", code="no-term"
            )

    def keep(self, pairs: Sequence[tuple[str, str]], library: str = "") -> None:
        """Keep exactly these (term, meaning) pairs under one name, whole or not at all. Raises UsageError."""
        rows = [(library, fold_case(one), one, other) for one, other in (checked(*pair) for pair in pairs)]
        with self._connections.transaction() as database:
            database.execute("DELETE FROM lexicon WHERE library = ?", (library,))
            database.conn.executemany("INSERT OR REPLACE INTO lexicon VALUES (?, ?, ?, ?)", rows)

    def forget(self, library: str) -> None:
        """Drop all synonyms of a library that is removed."""
        with self._connections.transaction() as database:
            database.execute("DELETE FROM lexicon WHERE library = ?", (library,))

    def of_export(self, library: str) -> list[dict[str, str]]:
        """A library's own synonyms, as an export keeps them."""
        return [{"term": one.term, "meaning": one.meaning} for one in self.synonyms(library)]

    def take_in(self, library: str, exported: Sequence[Mapping[str, str]]) -> None:
        """Take the synonyms of an export to a library."""
        for one in exported:
            self.put(one["term"], one["meaning"], library)
