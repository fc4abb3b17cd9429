"""Files of the index that another program holds (checks.md: keyword index locks)."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import KnownError
from engine.keyword.index import KeywordStore
from tests.engine.keyword.indexed import Indexed


def test_a_file_that_a_virus_scanner_holds_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.keyword.index._PAUSE", 0.01)
    tries, real = [PermissionError("held"), PermissionError("held"), None], KeywordStore._write_once

    def held(store: KeywordStore, *what: Any) -> None:
        if (error := tries.pop(0)) is not None:
            raise error
        real(store, *what)

    monkeypatch.setattr(KeywordStore, "_write_once", held)
    with Indexed(tmp_path, {"a": "patient regulator"}) as index:
        assert index.found("regulator") == ["a"]
    assert tries == []


def test_a_file_that_is_never_let_go_is_told_and_searching_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Indexed(tmp_path, {"a": "patient regulator"}) as index:
        monkeypatch.setattr("engine.keyword.index._PATIENCE", 0.02)
        monkeypatch.setattr("engine.keyword.index._PAUSE", 0.01)

        def held(*_what: Any) -> None:
            raise PermissionError(errno.EACCES, "held")

        monkeypatch.setattr(KeywordStore, "_write_once", held)
        with pytest.raises(KnownError) as told:
            index.add({"b": "another regulator"}, 2)
        assert told.value.help
        assert index.found("regulator") == ["a"]
