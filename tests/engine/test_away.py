"""A short seed of the torture of drives that are pulled (tests/torture/away.py)."""

from __future__ import annotations

from pathlib import Path

from tests.torture import away


def test_a_folder_that_goes_and_comes_back_while_it_is_indexed_loses_nothing(tmp_path: Path) -> None:
    told = away.run(tmp_path, away.Renamed(tmp_path / "drive" / "docs"), rounds=6, seed=3)
    assert told["progress_events"]
