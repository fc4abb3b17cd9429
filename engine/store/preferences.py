"""Settings kept in SQLite, per home and per library; a library's own value wins."""

from __future__ import annotations

import json

from engine.core.errors import UsageError
from engine.core.settings import SETTINGS, Settings
from engine.store.database import Connections, plain_errors

_TABLE = "CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


class Preferences:
    """Reads and writes :class:`Settings` in the file behind `connections`. Any thread may call."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        if not connections.read_only:
            with plain_errors(connections.path):
                connections.get().execute(_TABLE)

    def settings(self) -> Settings:
        """What is stored; a value that no longer passes its check counts as not set."""
        with plain_errors(self._connections.path):
            rows = self._connections.get().execute("SELECT key, value FROM settings").fetchall()
        values: dict[str, object] = {}
        for key, text in rows:
            value = _read(text)
            if key in SETTINGS and _passes(key, value):
                values[key] = value
        return Settings.of(values)

    def set(self, key: str, value: object) -> Settings:
        """Store one value; the default removes it. Raises UsageError."""
        after = self.settings().with_value(key, value)
        with self._connections.transaction() as database:
            if key in after.changed:
                text = json.dumps(after.changed[key], ensure_ascii=False)
                database.execute("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", (key, text))
            else:
                database.execute("DELETE FROM settings WHERE key = ?", (key,))
        return after


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _passes(key: str, value: object) -> bool:
    try:
        SETTINGS[key].check(value)
    except UsageError:
        return False
    return True
