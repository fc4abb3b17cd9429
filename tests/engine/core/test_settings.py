"""Settings: declared once, checked, and honest about what they re-do."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import UsageError
from engine.core.settings import SETTINGS, Redo, Settings, redone
from engine.store.database import Connections
from engine.store.preferences import Preferences

NONE = Settings.of({})


@pytest.mark.parametrize("key", SETTINGS)
def test_every_default_passes_its_own_check_and_is_explained(key: str) -> None:
    one = SETTINGS[key]
    assert one.check(one.default) == one.default
    assert one.title
    assert one.help.endswith(".")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("index.max_file_mb", 0),
        ("index.max_file_mb", "ten"),
        ("index.max_file_mb", 1.5),
        ("index.max_file_mb", True),
        ("index.kinds", "pdf"),
        ("index.kinds", ["pdf", "exe"]),
        ("index.exclude", [1]),
        ("index.online_only", "yes"),
        ("no.such", 1),
    ],
)
def test_wrong_values_are_refused_in_words(key: str, value: object) -> None:
    with pytest.raises(UsageError, match=key.replace(".", r"\.")) as caught:
        NONE.with_value(key, value)
    assert caught.value.help


def test_each_setting_redoes_only_what_it_says() -> None:
    assert redone(NONE, NONE.with_value("index.exclude", ["old/*"])) == {Redo.SCAN}
    assert redone(NONE, NONE.with_value("index.page_seconds", 60)) == {Redo.FAILURES}
    assert redone(NONE, NONE.with_value("index.workers", 2)) == set()
    assert NONE.fingerprint(Redo.FAILURES) != NONE.with_value("index.page_seconds", 60).fingerprint(Redo.FAILURES)
    assert NONE.fingerprint(Redo.FAILURES) == NONE.with_value("index.workers", 2).fingerprint(Redo.FAILURES)


def test_stored_values_come_back_and_bad_ones_are_passed_over(tmp_path: Path) -> None:
    connections = Connections(tmp_path / "x.db")
    kept = Preferences(connections)
    kept.set("index.exclude", ["old/*", "*draft*"])
    kept.set("index.max_file_mb", 10)
    kept.set("index.max_file_mb", 2000)
    connections.get().execute("INSERT INTO settings VALUES ('index.workers', '\"many\"'), ('of.a.newer', '1')")
    assert dict(Preferences(connections).settings().changed) == {"index.exclude": ("old/*", "*draft*")}
    connections.close()
