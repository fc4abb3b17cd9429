"""The options that every command has count before and after the command's name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine import cli


@pytest.mark.parametrize("before", [True, False])
def test_home_and_json_count_on_either_side_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: bool
) -> None:
    watched = tmp_path / "sheets"
    watched.mkdir()
    options = ["--home", str(tmp_path / "chosen"), "--json"]
    words = ["library", "add", "mine", str(watched)]
    assert cli.main([*options, *words] if before else [*words, *options]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == 1
    assert (tmp_path / "chosen").is_dir()
    assert cli.main(["library", "list"]) == 0
    assert "mine" not in capsys.readouterr().out


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    """`sheaf library list | head -0` ends in silence, not in a traceback."""
    command = [sys.executable, "-m", "engine", "--home", str(tmp_path), "--json", "library", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (0, "")
