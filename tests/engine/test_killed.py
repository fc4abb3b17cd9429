"""A short seed of the kill torture (tests/torture/killed.py): kill -9 while indexing, restart, same library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture import killed


@pytest.mark.parametrize("seed", [3])
def test_killed_at_random_moments_the_library_comes_out_the_same(tmp_path: Path, seed: int) -> None:
    told = killed.run(tmp_path / "library", rounds=5, seed=seed, changes_each=8)
    assert told["killed"] > 0
