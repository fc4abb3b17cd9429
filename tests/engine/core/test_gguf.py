"""A model file is judged by its header before anything native touches it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.core.gguf import inspect
from tests.makers.gguf import gguf


def refused(path: Path) -> KnownError:
    with pytest.raises(KnownError) as caught:
        inspect(path)
    return caught.value


def test_whole_file_tells_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf("qwen2"))
    header = inspect(path)
    assert (header.architecture, header.context, header.has_template) == ("qwen2", 2048, False)


def test_renamed_text_file_is_not_gguf(tmp_path: Path) -> None:
    path = tmp_path / "notes.gguf"
    path.write_text("just some notes")
    error = refused(path)
    assert error.code == "not-gguf"
    assert error.help


@pytest.mark.parametrize("keep", [5, 30, 120, -1])
def test_file_cut_anywhere_is_incomplete(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(gguf()[:keep])
    assert refused(path).code == "model-truncated"


def test_absurd_counts_are_damage_not_a_memory_error(tmp_path: Path) -> None:
    path = tmp_path / "mad.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 60))
    assert refused(path).code == "model-truncated"


def test_missing_file_says_how_to_get_it(tmp_path: Path) -> None:
    error = refused(tmp_path / "gone.gguf")
    assert error.code == "model-missing"
    assert "fetch" in error.help.lower()


def test_a_version_of_the_future_is_named(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(version=99))
    error = refused(path)
    assert error.code == "not-gguf"
    assert "version 99" in str(error)


def test_an_unknown_tensor_type_is_not_called_damage(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(weights=64, kind=77))
    assert inspect(path).size == path.stat().st_size


@pytest.mark.parametrize("weights", [32, 4096])
def test_one_missing_byte_is_noticed_and_counted(tmp_path: Path, weights: int) -> None:
    whole = gguf(weights=weights)
    path = tmp_path / "m.gguf"
    path.write_bytes(whole[:-1])
    assert f"{len(whole) - 1} of {len(whole)} bytes" in str(refused(path))
