"""The README says what the program does: its command lines parse, and no command is missing."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from engine.core.errors import UsageError
from tests.meta.committed import ROOT

_README = (ROOT / "README.md").read_text(encoding="utf-8")
_LINES = [line for line in _README.splitlines() if line.startswith("sheaf ")]


def _help(*command: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "engine", *command, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return run.stdout


@pytest.mark.parametrize("line", _LINES)
def test_command_lines_are_understood(line: str) -> None:
    from engine.cli import _parser

    chosen = _parser().parse_args(shlex.split(line)[1:])
    assert chosen.command in line


def test_a_wrong_line_is_not_understood() -> None:
    from engine.cli import _parser

    with pytest.raises(UsageError):
        _parser().parse_args(["library", "forget", "boards"])


def test_every_command_is_named() -> None:
    commands = re.findall(r"^    (\w+) ", _help(), flags=re.MULTILINE)
    assert {"library", "index", "ask", "search", "doctor"} <= set(commands)
    missing = [command for command in commands if not any(line.startswith(f"sheaf {command}") for line in _LINES)]
    assert missing == []


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", _README):
        assert (ROOT / target).exists(), f"the README links to {target}, which is not there"


def test_folders_in_the_readme_are_there() -> None:
    for name in re.findall(r"^\| `(\w+)/` \|", _README, flags=re.MULTILINE):
        assert (ROOT / name).is_dir()
