"""The table of checks (tests/checks.md) names tests and commands that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_COMMAND = re.compile(r"`python -m (tests[\w.]+)`")


def missing(text: str) -> Iterator[str]:
    """Tests and commands of a table that are not there."""
    for path, name in _TEST.findall(text):
        file = ROOT / path
        if not file.is_file() or name not in _functions(file):
            yield f"{path}::{name}"
    for module in _COMMAND.findall(text):
        if not (ROOT / f"{module.replace('.', '/')}.py").is_file():
            yield module


def _functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_what_the_table_names_is_there() -> None:
    assert list(missing((ROOT / "tests" / "checks.md").read_text(encoding="utf-8"))) == []


def test_every_line_of_the_table_names_something() -> None:
    lines = (ROOT / "tests" / "checks.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ")][1:]
    assert len(rows) > 30
    assert [row for row in rows if not _TEST.search(row) and not _COMMAND.search(row)] == []


def test_a_name_that_is_gone_is_seen() -> None:
    text = "`tests/meta/test_checks.py::test_gone` `tests/gone.py::test_a` `python -m tests.torture.gone`"
    assert list(missing(text)) == [
        "tests/meta/test_checks.py::test_gone",
        "tests/gone.py::test_a",
        "tests.torture.gone",
    ]
    assert list(missing("`tests/meta/test_checks.py::test_a_name_that_is_gone_is_seen`")) == []
