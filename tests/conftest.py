"""Fixtures for every test: no network, nothing left behind, a home folder of its own.

In continuous integration (`CI` set) a missing tool or model fails the test that needs it; elsewhere it is skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

import resources
from engine.core.paths import HOME_VARIABLE, Home
from tests import requirements
from tests.guard import leaks, socket_guard

if TYPE_CHECKING:
    from engine.api import Engine

_GUARD = Path(__file__).parent / "guard"
_MODELS = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Guard this process and, through PYTHONPATH, every Python it starts; note where the models are."""
    config.stash[_MODELS] = requirements.find_models()
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(_GUARD) not in before:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(_GUARD), *filter(None, before)])
    socket_guard.install()
    # The suite must say the same on every run; the torture tests choose their own, random examples.
    hypothesis.settings.register_profile("suite", deadline=None, derandomize=True)
    hypothesis.settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def away_from_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test ever sees or touches the user's own home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, str(tmp_path_factory.mktemp("shared") / "home"))
        yield


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """A live thread, child process, open socket or running timer fails the test that left it."""
    before = leaks.holdings()
    yield
    found = leaks.leftovers(before)
    assert not found, f"left behind: {'; '.join(found)}"


@pytest.fixture(autouse=True)
def no_network(nothing_left_behind: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every connection attempt fails, here and in children, and fails the test even where the error is swallowed."""
    log = tmp_path_factory.mktemp("sockets") / "refused.txt"
    # A patch of its own: a test that calls `monkeypatch.undo()` must not lift the guard.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(socket_guard.LOG_VARIABLE, str(log))
        yield
    refused = socket_guard.attempts(log)
    assert not refused, f"connections were attempted: {refused}"


@pytest.fixture
def loopback() -> Iterator[None]:
    """Allow connections to this machine, for tests that run a local server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(socket_guard.LOOPBACK_VARIABLE, "1")
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """An empty home folder of this test's own, also in $SHEAF_HOME."""
    root = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(root))
    return Home(root)


@pytest.fixture(scope="session")
def sample_library() -> Path:
    """Folder of the sample library; read only."""
    return resources.sample_library()


@pytest.fixture(scope="session")
def models_dir(request: pytest.FixtureRequest) -> Path:
    """Folder with one sub-folder for each model on this machine."""
    folder = request.config.stash[_MODELS]
    requirements.require(folder.is_dir(), f"no models in {folder}")
    return folder


@pytest.fixture(scope="session")
def model_folder(models_dir: Path) -> Callable[[str], Path]:
    """Folder of a model by its id; asking for one that is not there skips the test, or fails it in CI."""
    return lambda model_id: requirements.model_folder(models_dir, model_id)


@pytest.fixture(scope="session")
def indexed_home(tmp_path_factory: pytest.TempPathFactory, model_folder: Callable[[str], Path]) -> Home:
    """A home folder whose library "sample" holds the indexed sample library; not to be changed by tests.

    One for each process of the run: copy it with `shutil.copytree` to change it.
    """
    from engine.api import Engine

    home = Home(tmp_path_factory.mktemp("indexed") / "home")
    for model_id in ("bge-small-en-v1.5-int8", "ms-marco-minilm-l12-int8"):
        there = model_folder(model_id)
        if home.models.is_relative_to(home.root):
            home.models.mkdir(parents=True, exist_ok=True)
            (home.models / model_id).symlink_to(there, target_is_directory=True)
    with Engine.open(home.root) as engine:
        engine.add_library("sample", [resources.sample_library()])
        report = engine.index("sample")
    assert not report.failed, report.failed
    return home


@pytest.fixture
def engine(indexed_home: Home, tmp_path: Path) -> Iterator[Engine]:
    """An engine on a copy of the indexed sample library, closed after the test so that no child stays.

    Even a question changes a home folder: its answer is kept.
    """
    from engine.api import Engine

    root = tmp_path / "indexed"
    shutil.copytree(indexed_home.root, root, symlinks=True)
    with Engine.open(root) as opened:
        yield opened
