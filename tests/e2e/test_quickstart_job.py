"""The terminal half of quickstart on the real program: index the sample library, answer, cite."""

from __future__ import annotations

import os
import sys

import pytest

from engine.core.paths import MODELS_VARIABLE, Home
from installers.console import Console
from installers.environment import Environment
from installers.sample_job import SampleJob
from installers.setup_run import ROOT
from tests import requirements


class ThisEnvironment(Environment):
    """The environment the tests run in."""

    def __init__(self) -> None:
        super().__init__(ROOT, Console())
        self.python = sys.executable

    def variables(self) -> dict[str, str]:
        return dict(os.environ)


def test_the_sample_library_is_indexed_and_answers_with_citations(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    models = requirements.find_models()
    requirements.model_folder(models, "bge-small-en-v1.5-int8")
    monkeypatch.setenv(MODELS_VARIABLE, str(models))
    job = SampleJob(ThisEnvironment(), Console())
    job.add_library()
    job.add_library()
    job.index()
    assert job.answer()
    printed = capsys.readouterr().out
    assert "The sample library: 15 documents" in printed
    assert printed.count("\nQ: ") == 3
    assert "[1] " in printed
    assert ".pdf, page " in printed
    assert (home.root / "sheaf.db").is_file()
    job.index()
    assert "(0 new" in capsys.readouterr().out
