"""A model file is judged by its header before anything native touches it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.llm.gguf import inspect


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def gguf(architecture: str = "llama", *, tensor_bytes: int = 64) -> bytes:
    """A small but whole GGUF file with one float32 tensor of 16 elements."""
    pairs = [
        text("general.architecture") + struct.pack("<I", 8) + text(architecture),
        text(f"{architecture}.context_length") + struct.pack("<II", 4, 2048),
        text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"),
        text("some.numbers") + struct.pack("<IIQ", 9, 4, 3) + struct.pack("<3I", 1, 2, 3),
    ]
    tensor = text("weight") + struct.pack("<IQIQ", 1, 16, 0, 0)
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs)) + b"".join(pairs) + tensor
    padding = -len(header) % 32
    return header + b"\0" * padding + b"\0" * tensor_bytes


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
