"""Vectors and queries that are known are not embedded again; a model that cannot be used is told in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.ports import Matrix, Vector
from engine.embed.batch import FastEmbedder
from engine.embed.cache import CachedEmbedder


class Counted:
    """Implements Embedder over three numbers; notes what it is asked."""

    model_key = "counted:1"
    dimension = 3

    def __init__(self) -> None:
        self.passages: list[str] = []
        self.queries: list[str] = []

    def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        self.passages += texts
        return np.array([_vector(text) for text in texts], dtype=np.float32).reshape(-1, 3)

    def embed_query(self, text: str) -> Vector:
        self.queries.append(text)
        return _vector(text)


def _vector(text: str) -> Vector:
    return np.array([len(text), text.count("a"), 1], dtype=np.float32)


def test_a_text_is_embedded_once_for_all_processes_and_a_query_once_for_each(tmp_path: Path) -> None:
    for _ in range(2):
        base = Counted()
        cached = CachedEmbedder(base, tmp_path / "embeddings.db")
        rows = cached.embed_passages(["aa", "b", "aa"])
        assert np.array_equal(rows, [_vector("aa"), _vector("b"), _vector("aa")])
        assert all(np.array_equal(cached.embed_query("aab"), _vector("aab")) for _ in range(3))
        assert base.queries == ["aab"]
        cached.close()
    assert base.passages == []


def test_only_the_last_queries_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.embed.cache._QUERIES", 2)
    base = Counted()
    cached = CachedEmbedder(base, tmp_path / "embeddings.db")
    for query in ("one", "two", "one", "three", "one", "two"):
        cached.embed_query(query)
    assert base.queries == ["one", "two", "three", "two"]
    cached.close()


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "embeddings.db"
    path.write_bytes(b"no database, but as long as the header of one " * 40)
    cached = CachedEmbedder(Counted(), path)
    assert np.array_equal(cached.embed_passages(["aa"]), [_vector("aa")])
    cached.close()


def test_a_missing_and_a_damaged_model_are_told_with_the_way_to_mend_them(tmp_path: Path) -> None:
    folder = tmp_path / "some-model"
    folder.mkdir()
    with pytest.raises(KnownError) as missing:
        FastEmbedder(folder).embed_query("x")
    assert missing.value.code == "model-missing"
    for name in ("tokenizer.json", "tokenizer_config.json", "config.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    (folder / "model.onnx").write_bytes(b"cut short")
    with pytest.raises(KnownError) as damaged:
        FastEmbedder(folder).embed_query("x")
    assert damaged.value.code == "model-damaged"
    assert "sheaf models" in damaged.value.help
