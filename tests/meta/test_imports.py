"""Import direction: the contracts hold, and each is shown a violation that it must see."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_PLANTED = {
    "flow": ("engine/segments/planted.py", "import desktop"),
    "stages": ("engine/retrieve/planted.py", "from engine.store import catalog"),
    "window": ("desktop/views/planted.py", "import engine.answer"),
    "qt": ("engine/parse/planted.py", "from PySide6 import QtCore"),
    "vectors": ("engine/retrieve/planted.py", "import lancedb"),
    "keywords": ("engine/links/planted.py", "from whoosh import fields"),
    "model": ("engine/agent/planted.py", "import llama_cpp"),
    "pdf": ("engine/library/planted.py", "import pymupdf"),
    "keys": ("engine/llm/planted.py", "import keyring"),
    "database": ("engine/links/planted.py", "import sqlite_utils"),
    "pure-tree": ("engine/tree/planted.py", "import pathlib"),
}
_MORE = [
    ("stages", "engine/core/planted.py", "import engine.parse"),
    ("stages", "engine/parse/planted.py", "def late():\n    import engine.answer"),
    ("stages", "engine/novelty/__init__.py", '"""A stage that no contract knows."""'),
    ("window", "desktop/bridge/planted.py", "import engine.retrieve"),
    ("window", "desktop/planted.py", "from engine import store"),
    ("vectors", "engine/store/planted.py", "def late():\n    import lancedb"),
]


def _lint(folder: Path, *contract: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    chosen = [part for name in contract for part in ("--contract", name)]
    return subprocess.run([*command, *chosen], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources without anything else, to plant violations in."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("engine", "desktop", "resources"):
        shutil.copytree(ROOT / name, folder / name, ignore=lambda where, names: _not_source(Path(where), names))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def _not_source(where: Path, names: list[str]) -> set[str]:
    return {name for name in names if not (where / name).is_dir() and not name.endswith(".py")}


def test_contracts_are_kept() -> None:
    run = _lint(ROOT)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_contract_has_a_planted_violation() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in contracts} == set(_PLANTED)
    assert any(contract.get("exhaustive") for contract in contracts)


@pytest.mark.parametrize(("contract", "file", "text"), [(name, *planted) for name, planted in _PLANTED.items()] + _MORE)
def test_a_violation_is_seen(copy: Path, contract: str, file: str, text: str) -> None:
    path = copy / file
    new = next((folder for folder in reversed(path.parents) if copy in folder.parents and not folder.exists()), None)
    path.parent.mkdir(parents=True, exist_ok=True)
    package = path.parent / "__init__.py"
    if not package.exists():
        package.touch()
    path.write_text(text + "\n", encoding="utf-8")
    try:
        run = _lint(copy, contract)
    finally:
        path.unlink()
        if new is not None:
            shutil.rmtree(new)
    assert run.returncode == 1, run.stdout + run.stderr
    assert re.search(r"planted|novelty", run.stdout), run.stdout
