"""Names of files and folders as a field of the document: followed from the catalogue, so renames cost nothing.

They are analysed once and kept beside the index in a small database of their own, which is only a cache: at 67,000
documents the analysis takes ten seconds and more, and the first search of a program would wait for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core.ids import DocumentId
from engine.keyword.analysis import terms

_SUFFIXES = frozenset(("pdf", "md", "txt", "html", "htm", "docx", "pptx", "xlsx", "epub", "markdown"))
NAMES_FILE = "names.db"
_TABLES = """
CREATE TABLE IF NOT EXISTS noted (
    one INTEGER PRIMARY KEY CHECK (one = 1), state INTEGER NOT NULL, version TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS terms (
    term TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (term, document)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS terms_document ON terms (document);
"""
_NAMED = "SELECT group_concat(document) FROM terms WHERE term = ?"
"""One text of numbers: row by row a word that stands in the names of 60,000 documents takes three times as long."""


class NamesIndex:
    """Term -> documents whose places are named so, by number. Not thread-safe: the keyword store holds its lock.

    `folder` is where the database is kept; in memory where it cannot be (no folder yet, or not writable). `version` is
    that of the analysis.
    """

    def __init__(self, folder: Path, version: str) -> None:
        self._folder = folder
        self._version = version
        self._connection: sqlite3.Connection | None = None

    def update(self, names: Mapping[DocumentId, str], state: int) -> None:
        """Follow the catalogue to a state of it; only names that have changed are analysed again."""
        try:
            self._follow(self._open(), names, state)
        except sqlite3.Error:  # damaged, read-only or held by another process: a cache is not worth a failure
            self.close()
            self._connection = _connect(":memory:")
            self._follow(self._connection, names, state)

    def numbers(self, term: str) -> NDArray[np.int64]:
        """The numbers of the documents whose names hold a term."""
        found = None if self._connection is None else self._connection.execute(_NAMED, (term,)).fetchone()[0]
        return np.fromstring(found or "", dtype=np.int64, sep=",")

    def numbered(self) -> dict[int, DocumentId]:
        """Every document by its number."""
        if self._connection is None:
            return {}
        rows = self._connection.execute("SELECT id, document FROM documents")
        return {number: DocumentId(document) for number, document in rows}

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self._connection = _connect(self._folder / NAMES_FILE if self._folder.is_dir() else ":memory:")
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                with suppress(OSError):
                    (self._folder / NAMES_FILE).unlink()
                self._connection = _connect(self._folder / NAMES_FILE)
        return self._connection

    def _follow(self, connection: sqlite3.Connection, names: Mapping[DocumentId, str], state: int) -> None:
        noted = connection.execute("SELECT state, version FROM noted").fetchone()
        if noted == (state, self._version):
            return
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            if noted is None or noted[1] != self._version:
                connection.execute("DELETE FROM documents")
                connection.execute("DELETE FROM terms")
            held = dict(connection.execute("SELECT document, name FROM documents"))
            _forget(connection, (one for one, name in held.items() if names.get(DocumentId(one)) != name))
            _add(connection, ((one, name) for one, name in names.items() if held.get(one) != name))
            connection.execute("INSERT OR REPLACE INTO noted VALUES (1, ?, ?)", (state, self._version))


def _forget(connection: sqlite3.Connection, documents: Iterable[str]) -> None:
    for document in list(documents):
        connection.execute(
            "DELETE FROM terms WHERE document = (SELECT id FROM documents WHERE document = ?)", (document,)
        )
        connection.execute("DELETE FROM documents WHERE document = ?", (document,))


def _add(connection: sqlite3.Connection, names: Iterable[tuple[str, str]]) -> None:
    for document, name in names:
        number = connection.execute("INSERT INTO documents (document, name) VALUES (?, ?)", (document, name)).lastrowid
        connection.executemany("INSERT INTO terms VALUES (?, ?)", [(term, number) for term in name_terms(name)])


def _connect(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=5.0, check_same_thread=False, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")  # a cache: what a crash costs is made again
        connection.executescript(_TABLES)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def name_terms(name: str) -> set[str]:
    spaced = name.replace("/", " ").replace("_", " ").replace(".", " ")
    return {term for term in terms(f"{name} {spaced}") if term not in _SUFFIXES}
