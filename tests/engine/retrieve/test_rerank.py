"""The cross-encoder's say, and a folder that does not hold it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.links.mentions import MentionIndex
from engine.retrieve.rerank import MODEL_FILE, TOKENIZER_FILE, OnnxReranker
from engine.retrieve.retriever import Retriever
from engine.retrieve.settings import RetrievalSettings
from tests.engine.retrieve.memory import MemoryLibrary


class LongestFirst:
    def __init__(self) -> None:
        self.asked: list[int] = []

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.asked.append(len(passages))
        return [float(len(passage)) for passage in passages]


def titles(settings: RetrievalSettings, reranker: LongestFirst) -> list[str]:
    library = MemoryLibrary()
    library.add("A", ("", "gain gain"))
    library.add("B", ("", "gain with many other words beside it"))
    library.add("C", ("", "gain once and a few words"))
    retriever = Retriever(
        library.dense, library.keyword, library, MentionIndex(library), library.embedder, reranker, settings
    )
    return [hit.segment.title for hit in retriever.search("gain", 3).hits]


def test_it_is_not_asked_by_default() -> None:
    reranker = LongestFirst()
    assert titles(RetrievalSettings(), reranker)[0] == "A"
    assert reranker.asked == []


def test_it_decides_alone_with_a_large_weight_and_sees_only_its_pool() -> None:
    reranker = LongestFirst()
    assert titles(RetrievalSettings(rerank_pool=3, rerank_weight=1e6), reranker) == ["B", "C", "A"]
    assert reranker.asked == [3]
    reranker = LongestFirst()
    plain = titles(RetrievalSettings(), LongestFirst())
    assert titles(RetrievalSettings(rerank_pool=2, rerank_weight=1e6), reranker)[2] == plain[2]
    assert reranker.asked == [2]


def test_without_weight_the_places_stay() -> None:
    assert titles(RetrievalSettings(rerank_pool=3, rerank_weight=0.0), LongestFirst()) == titles(
        RetrievalSettings(), LongestFirst()
    )


def test_a_missing_model_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match=r"model\.onnx is missing") as failure:
        OnnxReranker(tmp_path).score("question", ["passage"])
    assert "sheaf models fetch" in failure.value.help


def test_a_damaged_model_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / MODEL_FILE).write_bytes(b"no model")
    (tmp_path / TOKENIZER_FILE).write_text(json.dumps({"broken": True})[:-3], encoding="utf-8")
    with pytest.raises(KnownError, match="could not be loaded") as failure:
        OnnxReranker(tmp_path).score("question", ["passage"])
    assert "verify" in failure.value.help


def test_no_passages_need_no_model(tmp_path: Path) -> None:
    assert OnnxReranker(tmp_path).score("question", []) == []
