"""What some tests need and a machine may lack. In continuous integration a missing thing fails; elsewhere it skips."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.core.paths import find_home

MODELS_VARIABLE = "SHEAF_MODELS"
CI_VARIABLE = "CI"


def require(present: object, what: str) -> None:
    """Go on if `present` is true; otherwise skip the test, or fail it where `CI` is set."""
    if present:
        return
    if os.environ.get(CI_VARIABLE):
        pytest.fail(f"{what}; in continuous integration this must be there", pytrace=False)
    pytest.skip(what)


def find_models() -> Path:
    """$SHEAF_MODELS, else the models of the user's own home folder."""
    return Path(os.environ.get(MODELS_VARIABLE) or find_home().models)


def model_folder(models: Path, model_id: str) -> Path:
    """Folder of one model; skips or fails the test if it is not there."""
    folder = models / model_id
    require(folder.is_dir(), f"model {model_id} is not in {models}; set {MODELS_VARIABLE} or run the quickstart")
    return folder
