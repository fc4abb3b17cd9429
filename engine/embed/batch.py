"""The local embedder: fastembed from the program's own folder, one text per inference call.

The int8 model quantises activations over the whole batch, so a vector would depend on its neighbours; one text per
call is bit-stable and faster (algorithms.md, section 4). Several one-threaded calls side by side use the cores better
than one call with several threads, and give the same bits.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.imports import without
from engine.core.ports import Matrix, Vector

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
"""What the bge family puts in front of queries, and only of queries."""
_MODEL_FILE = "model.onnx"
_NEEDED = (_MODEL_FILE, "tokenizer.json", "tokenizer_config.json", "config.json")
_DIMENSION = 384
_WINDOW = 64
"""Texts handed to the pool at a time: the delay before a cancel is seen."""
_HUB_OFF = ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY")


class FastEmbedder:
    """Implements :class:`engine.core.ports.Embedder` over a folder with an ONNX model and its tokenizer.

    The model is loaded at the first use. Vectors are CLS-pooled and of unit length. Thread-safe.
    """

    def __init__(self, folder: Path, *, threads: int | None = None, query_prefix: str = QUERY_PREFIX) -> None:
        self._folder = folder
        self._threads = max(1, threads or _cores())
        self._prefix = query_prefix
        self._lock = threading.Lock()
        self._model: Any = None
        self._key: str | None = None

    @property
    def model_key(self) -> str:
        """`<folder name>:<first 16 hex digits of the model file's SHA-256>`. Raises KnownError if it is missing."""
        if self._key is None:
            self._check_files()
            digest = sha256()
            with (self._folder / _MODEL_FILE).open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
            self._key = f"{self._folder.name}:{digest.hexdigest()[:16]}"
        return self._key

    @property
    def dimension(self) -> int:
        return _DIMENSION

    def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        """Shape (len(texts), dimension), rows in the order of `texts`. Raises Cancelled, KnownError."""
        model = self._load()
        rows = np.empty((len(texts), _DIMENSION), dtype=np.float32)
        if not texts:
            return rows
        with ThreadPoolExecutor(self._threads, thread_name_prefix="embed") as pool:
            for start in range(0, len(texts), _WINDOW):
                if cancel is not None:
                    cancel.raise_if_cancelled()
                window = texts[start : start + _WINDOW]
                for offset, vector in enumerate(pool.map(lambda text: _embed(model, text), window)):
                    rows[start + offset] = vector
        return rows

    def embed_query(self, text: str) -> Vector:
        return _embed(self._load(), self._prefix + text)

    def _check_files(self) -> None:
        missing = [name for name in _NEEDED if not (self._folder / name).is_file()]
        if missing:
            raise KnownError(
                f"The embedding model in {self._folder} lacks {', '.join(missing)}.",
                help=f"Run `sheaf models fetch {self._folder.name}` to get it again.",
                code="model-missing",
            )

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                self._check_files()
                self._model = _load_model(self._folder)
            return self._model


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load_model(folder: Path) -> Any:
    """A fastembed model with a one-threaded session. Never touches the network."""
    for name in _HUB_OFF:
        os.environ.setdefault(name, "1")
    with without("huggingface_hub", "requests"):
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType

    name = f"sheaf/{folder.name}"
    if name.lower() not in {known["model"].lower() for known in TextEmbedding.list_supported_models()}:
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType.CLS,
            normalization=True,
            sources=ModelSource(hf=name),
            dim=_DIMENSION,
            model_file=_MODEL_FILE,
        )
    failures: tuple[type[Exception], ...] = (RuntimeError, ValueError, OSError, *_runtime_errors())
    try:
        return TextEmbedding(
            model_name=name,
            specific_model_path=str(folder),
            local_files_only=True,
            threads=1,
            providers=["CPUExecutionProvider"],
        )
    except failures as error:
        raise _unreadable(folder, error) from error


def _runtime_errors() -> tuple[type[Exception], ...]:
    """onnxruntime's own errors, which share no parent below Exception."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return (state.Fail, state.InvalidProtobuf, state.InvalidGraph, state.NoSuchFile, state.RuntimeException)


def _unreadable(folder: Path, error: Exception) -> KnownError:
    return KnownError(
        f"The embedding model in {folder} cannot be loaded: {_first_line(error)}.",
        help=f"Run `sheaf models verify {folder.name}`, then `sheaf models fetch {folder.name}` to repair it.",
        code="model-damaged",
    )


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


def _embed(model: Any, text: str) -> Vector:
    vectors: Iterator[Vector] = iter(model.embed([text], batch_size=1))
    return np.ascontiguousarray(next(vectors), dtype=np.float32)
