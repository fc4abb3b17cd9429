"""Stand-ins for parts of libraries that are not to be imported: harmless while they stand, gone afterwards."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.imports import without


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package that talks to a server when its client is imported, and whose own module needs names of it."""
    root = tmp_path / "talkative"
    (root / "client").mkdir(parents=True)
    (root / "__init__.py").write_text("from talkative.client.http import Client\nfrom talkative.core import tried\n")
    (root / "client" / "__init__.py").write_text("loaded = True\n")
    (root / "client" / "http.py").write_text("class Client: ...\n")
    (root / "core.py").write_text(
        "from talkative.client import errors\n"
        "def tried(raised: Exception) -> str:\n"
        "    try:\n"
        "        raise raised\n"
        "    except (errors.Transport, ValueError):\n"
        "        return 'caught'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "talkative"
    for name in [name for name in sys.modules if name.partition(".")[0] == "talkative"]:
        del sys.modules[name]


def test_the_rest_of_the_package_works_without_the_part(package: str) -> None:
    with without("talkative.client"):
        talkative = importlib.import_module(package)
    assert talkative.tried(ValueError()) == "caught"
    assert isinstance(talkative.Client, type)


def test_afterwards_the_part_itself_can_be_imported(package: str) -> None:
    with without("talkative.client"):
        importlib.import_module(package)
    assert "talkative.client" not in sys.modules
    assert importlib.import_module("talkative.client").loaded


def test_what_was_imported_before_stays(package: str) -> None:
    real = importlib.import_module("talkative.client.http") if _prepared(package) else None
    with without("talkative.client"):
        assert importlib.import_module("talkative.client.http") is real


def test_nothing_is_left_behind_by_a_failure(package: str) -> None:
    finders = list(sys.meta_path)
    with pytest.raises(ModuleNotFoundError), without("talkative.client"):
        importlib.import_module("talkative_absent")
    assert sys.meta_path == finders


def _prepared(package: str) -> bool:
    with without("talkative.client.errors"):
        importlib.import_module(package)
    return True
