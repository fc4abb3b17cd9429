"""The doctor really uses what it reports on: it notices what is missing, damaged or dead."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import doctor
from engine.core.paths import MODELS_VARIABLE, Home
from engine.core.results import Component, Health
from engine.models.store import ModelStore
from tests import requirements

NAMES = [
    "PDF",
    "table",
    "embedder",
    "vectors",
    "keyword index",
    "model",
    "key store",
    "child process",
    "index location",
]


def by_name(found: list[Component]) -> dict[str, Component]:
    assert [one.name for one in found] == NAMES
    return {one.name: one for one in found}


def test_a_home_without_models_tells_what_to_fetch(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)
    found = by_name(doctor.check(home))
    for name in ("PDF", "table", "vectors", "keyword index", "child process"):
        assert found[name].health is Health.OK, found[name]
    assert found["embedder"].health is Health.FAILED
    assert "sheaf models fetch bge-small-en-v1.5-int8" in found["embedder"].reason
    assert found["model"].health is Health.OFF
    assert found["model"].reason
    assert not home.models.exists()


def test_a_damaged_embedder_is_named_with_its_hash(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)
    spec = ModelStore(home.models).catalogue.with_role("embedder")[0]
    (home.models / spec.id).mkdir(parents=True)
    (home.models / spec.id / "model.onnx").write_bytes(b"cut")
    found = by_name(doctor.check(home))
    assert found["embedder"].health is Health.FAILED
    assert "model.onnx is cut short: 3 of 34015106 bytes" in found["embedder"].reason
    assert spec.main_file.sha256 in found["embedder"].reason


@pytest.mark.real_model
def test_everything_works_with_the_test_models(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    models = requirements.find_models()
    monkeypatch.setenv(MODELS_VARIABLE, str(models))
    requirements.model_folder(models, "bge-small-en-v1.5-int8")
    requirements.model_folder(models, "smollm2-135m-instruct-q4_1")
    found = by_name(doctor.check(home))
    assert {name for name in NAMES if found[name].health is not Health.OK} <= {"key store"}
    assert found["model"].reason


def test_a_parser_that_finds_nothing_is_a_failure(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    blank = doctor.tiny_pdf().replace(b"XQ317-N", b"XQ3170N").replace(b"(2.7)", b"(2.8)")
    monkeypatch.setattr(doctor, "tiny_pdf", lambda: blank)
    found = by_name(doctor.check(home))
    assert found["PDF"].health is Health.FAILED
    assert found["table"].health is Health.FAILED


def test_a_crash_in_a_probe_is_a_line_and_not_the_end(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_probe_worker", _dying_worker)
    found = by_name(doctor.check(home))
    assert "ended unexpectedly" in found["vectors"].reason
    assert "ended unexpectedly" in found["keyword index"].reason
    assert found["PDF"].health is Health.OK


def _dying_worker() -> object:
    import os

    os._exit(139)


def test_the_hand_made_page_is_a_sound_pdf(tmp_path: Path) -> None:
    data = doctor.tiny_pdf()
    start = int(data.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert data[start : start + 4] == b"xref"
    for number in range(1, 6):
        line = data[start:].split(b"\n")[2 + number]
        offset = int(line.split()[0])
        assert data[offset:].startswith(b"%d 0 obj" % number)
