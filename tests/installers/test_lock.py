"""The lock files say what pyproject.toml says, completely."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from installers import lock

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(file: str) -> dict[str, str]:
    found = {}
    for line in (lock.FOLDER / file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition("==")
            found[name] = rest.partition(" ;")[0]
    return found


@pytest.mark.parametrize("extra", ["", "model", "test"])
def test_every_dependency_is_locked_at_its_pin(extra: str) -> None:
    wanted = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    locked = pins(lock.FILES[""]) | pins(lock.FILES[extra])
    for text in wanted:
        name, _, version = text.partition("==")
        assert locked.get(lock.canonical(name)) == version, f"{text}: run installers/lock.py"


def test_the_lock_is_closed_under_what_its_packages_need() -> None:
    locked = pins(lock.FILES[""])
    for name in locked:
        for text in metadata.requires(name) or ():
            child = Requirement(text)
            if child.marker is not None and (not child.marker.evaluate({"extra": ""})):
                continue
            needed = lock.canonical(child.name)
            assert needed in locked or needed in ("pip", "setuptools", "wheel"), f"{name} needs {needed}"
            assert needed not in locked or child.specifier.contains(locked[needed], prereleases=True)


def test_no_package_is_locked_that_nothing_needs() -> None:
    assert set(lock.closure(PROJECT["dependencies"])) == set(pins(lock.FILES[""]))


def test_what_only_one_system_needs_says_so() -> None:
    text = (lock.FOLDER / lock.FILES[""]).read_text(encoding="utf-8")
    assert re.search(r'^secretstorage==\S+ ; sys_platform == "linux"$', text, re.MULTILINE)
    assert re.search(r"^numpy==\S+$", text, re.MULTILINE)
