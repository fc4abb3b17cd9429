"""The catalogue's tables, at the version this program writes.

`documents.modified` is of format 1.0 and no longer written: a newer minor only adds.

SQLite holds visible rows only: a document's pages, segments, records and mentions are replaced in the transaction that
makes its new generation visible. The other stores hold (document, generation) and readers filter by
`documents.generation`.
"""

from __future__ import annotations

MAJOR = 1
MINOR = 1
"""A newer major cannot be read by an older program; a newer minor only adds."""

TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS roots (
    folder TEXT PRIMARY KEY, status TEXT NOT NULL, note TEXT NOT NULL DEFAULT '', device INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'pending',
    pages INTEGER NOT NULL DEFAULT 0,
    segments INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    needs_ocr TEXT NOT NULL DEFAULT '[]',
    parts TEXT NOT NULL DEFAULT '[]',
    warnings TEXT NOT NULL DEFAULT '[]',
    facts TEXT NOT NULL DEFAULT '[]',
    metadata TEXT NOT NULL DEFAULT '{}',
    modified TEXT NOT NULL DEFAULT '',
    generation INTEGER
);
CREATE INDEX IF NOT EXISTS documents_generation ON documents (generation);

CREATE TABLE IF NOT EXISTS places (
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    document TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    former TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (folder, name)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS places_document ON places (document);
CREATE INDEX IF NOT EXISTS places_former ON places (former) WHERE former != '';

CREATE TABLE IF NOT EXISTS skips (
    folder TEXT NOT NULL, file TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (folder, file)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS pages (
    document TEXT NOT NULL,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    width REAL NOT NULL,
    height REAL NOT NULL,
    text TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    rotation INTEGER NOT NULL,
    PRIMARY KEY (document, number)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS segments (
    id TEXT PRIMARY KEY,
    document TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    embed_head TEXT NOT NULL,
    embed_body TEXT,
    page INTEGER NOT NULL,
    pages TEXT NOT NULL,
    boxes TEXT NOT NULL,
    table_index INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS segments_document ON segments (document, ordinal);

CREATE TABLE IF NOT EXISTS generations (
    id INTEGER PRIMARY KEY, state TEXT NOT NULL, started TEXT NOT NULL, vector_version INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS ledger (
    document TEXT NOT NULL, stage TEXT NOT NULL, version TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (document, stage)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, started TEXT NOT NULL, finished TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL DEFAULT '', report TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
