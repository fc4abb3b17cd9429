"""Removing a library that another program writes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.api import Engine
from engine.core.errors import KnownError
from engine.store import registry
from engine.store.lock import WriterLock


def test_a_library_is_not_removed_under_a_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the writer went on writing would be left behind."""
    monkeypatch.setattr(registry, "_REMOVE_SECONDS", 0.1)
    docs = tmp_path / "docs"
    docs.mkdir()
    with Engine.open(tmp_path / "home") as engine:
        home = engine.add_library("parts", [docs]).home
        with WriterLock(home), pytest.raises(KnownError, match="Another program is writing"):
            engine.remove_library("parts")
        assert [one.name for one in engine.libraries()] == ["parts"]
        engine.remove_library("parts")
        assert not engine.libraries()
        assert not home.exists()
