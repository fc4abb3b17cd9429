"""The shipped catalogue is sound, and the whole package needs the standard library only."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from engine.models.catalogue import load_catalogue

ROOT = Path(__file__).parents[3]
CATALOGUE = load_catalogue()


def test_every_pin_is_a_hash_and_every_size_is_one() -> None:
    for model in CATALOGUE.models:
        for file in model.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            for part in file.parts:
                assert re.fullmatch(r"[0-9a-f]{64}", part.sha256)
                assert re.fullmatch(r"[0-9a-f]{64}", part.carrier.sha256)
                assert 0 < part.size_bytes <= file.size_bytes
            assert sum(part.size_bytes for part in file.parts) == file.size_bytes


def test_parts_stand_in_the_order_of_their_numbers() -> None:
    joined = [file for model in CATALOGUE.models for file in model.files if len(file.parts) > 1]
    assert joined
    for file in joined:
        numbers = [int(re.findall(r"\d+", part.member)[-1]) for part in file.parts]
        assert numbers == list(range(1, len(numbers) + 1))


def test_there_is_one_of_each_that_the_program_needs() -> None:
    assert [model.id for model in CATALOGUE.with_role("embedder")] == ["bge-small-en-v1.5-int8"]
    assert len(CATALOGUE.with_role("reranker")) == 1
    assert {model.choice for model in CATALOGUE.with_role("answering")} == {"standard", "small"}
    assert CATALOGUE.find("small").id == "qwen2.5-coder-0.5b-instruct-q4_k_m"
    assert [model.id for model in CATALOGUE.with_role("test")] == ["smollm2-135m-instruct-q4_1"]


def test_every_licence_ships_with_the_program() -> None:
    for model in CATALOGUE.models:
        text = (ROOT / "resources" / "licences" / f"{model.licence}.txt").read_text(encoding="utf-8")
        assert len(text) > 1000
        assert model.id in (ROOT / "resources" / "licences" / "models.md").read_text(encoding="utf-8")


def test_the_package_needs_no_site_packages() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import engine.models.store; print(len(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
