"""What all libraries of a home share: models, and the threads that search beside one another."""

from __future__ import annotations

import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib.util import find_spec

from engine.core.errors import KnownError
from engine.core.paths import Home
from engine.core.ports import LanguageModel, Reranker
from engine.embed.batch import FastEmbedder
from engine.embed.cache import CachedEmbedder
from engine.models.store import ModelStore
from engine.retrieve.rerank import OnnxReranker

EMBEDDER = "bge-small-en-v1.5-int8"
RERANKER = "ms-marco-minilm-l12-int8"
_BESIDE = 2
"""Threads of the dense route: two texts are embedded at a time, one on each core."""


class Machinery:
    """What all libraries of a home share: the embedder with its cache, the reranker, the answering models."""

    def __init__(self, home: Home, models: ModelStore) -> None:
        self.models = models
        self.home = home
        self._lock = threading.Lock()
        self._embedder: CachedEmbedder | None = None
        self._reranker: OnnxReranker | None = None
        self._language: dict[str, LanguageModel] = {}
        self._beside: Executor | None = None

    def embedder(self) -> CachedEmbedder:
        """Raises KnownError when the embedding model is not here."""
        with self._lock:
            if self._embedder is None:
                self._embedder = CachedEmbedder(FastEmbedder(self.models.path(EMBEDDER)), self.home.embeddings)
            return self._embedder

    def reranker(self) -> Reranker | None:
        """None where it was not fetched: ranking is a little worse without it, nothing else."""
        with self._lock:
            if self._reranker is None:
                try:
                    self._reranker = OnnxReranker(self.models.path(RERANKER))
                except KnownError:
                    return None
            return self._reranker

    def beside(self) -> Executor:
        """The threads in which the dense route works beside the keyword route."""
        with self._lock:
            if self._beside is None:
                self._beside = ThreadPoolExecutor(_BESIDE, thread_name_prefix="dense")
            return self._beside

    def language_model(self, chosen: str | None) -> LanguageModel | None:
        """The chosen model, or without a choice the best one that is here; None if there is none.

        Raises KnownError for a chosen one that cannot be used.
        """
        from engine.llm.host import LlamaModel

        with self._lock:
            name = chosen or self._best()
            if not name:
                return None
            info = self.models.info(name)
            if info.id not in self._language:
                self._language[info.id] = LlamaModel(self.models.path(info.id), info.id)
            return self._language[info.id]

    def close(self) -> None:
        with self._lock:
            for model in self._language.values():
                model.close()
            self._language.clear()
            if self._embedder is not None:
                self._embedder.close()
                self._embedder = None
            if self._beside is not None:
                self._beside.shutdown()
                self._beside = None

    def _best(self) -> str:
        here = [one for one in self.models.list() if one.role == "answering" and one.state.value == "ok"]
        if not here or find_spec("llama_cpp") is None:
            return ""
        return max(here, key=lambda one: one.size_bytes).id
