"""Cross-encoder reranking from a local folder: one pair per inference call, so that scores never depend on the pool.

The int8 model quantises activations per batch; single calls are bit-stable and faster (models.md). Pairs are scored
side by side, each by one thread: threads that share one small pair mostly wait for each other, which takes twice the
processor time and, on a busy machine, twice the seconds.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.errors import KnownError

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
_MAX_TOKENS = 512


class OnnxReranker:
    """A sequence-pair classifier with one output (MS MARCO cross-encoders). Loaded at first use; thread-safe.

    `threads` pairs are scored at a time, 0 for one a core. `max_tokens` cuts the longer of the pair from its end.
    Raises KnownError when the folder does not hold the model.
    """

    def __init__(self, folder: Path, *, threads: int = 0, max_tokens: int = _MAX_TOKENS) -> None:
        self._folder = folder
        self._threads = threads or os.cpu_count() or 1
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None
        self._inputs: frozenset[str] = frozenset()

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """The model's logit for each passage; higher is more relevant."""
        if not passages:
            return []
        self._load()
        with ThreadPoolExecutor(self._threads, thread_name_prefix="rerank") as pool:
            return list(pool.map(partial(self._score_pair, query), passages))

    def _score_pair(self, query: str, passage: str) -> float:
        encoded = self._tokenizer.encode(query, passage)
        feed = {
            "input_ids": np.asarray([encoded.ids], dtype=np.int64),
            "attention_mask": np.asarray([encoded.attention_mask], dtype=np.int64),
            "token_type_ids": np.asarray([encoded.type_ids], dtype=np.int64),
        }
        logits = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        return float(np.ravel(logits)[0])

    def _load(self) -> None:
        with self._lock:
            if self._session is not None:
                return
            import onnxruntime
            from onnxruntime.capi import onnxruntime_pybind11_state as native
            from tokenizers import Tokenizer

            for name in (MODEL_FILE, TOKENIZER_FILE):
                if not (self._folder / name).is_file():
                    raise KnownError(
                        f"The reranker's {name} is missing from {self._folder}.",
                        help="Fetch the models again with `sheaf models fetch`.",
                        code="model-missing",
                    )
            try:
                # The tokenizers library raises bare exceptions; a file that was cut short is seen here instead.
                text = (self._folder / TOKENIZER_FILE).read_text(encoding="utf-8")
                json.loads(text)
                tokenizer = Tokenizer.from_str(text)
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1
                options.log_severity_level = 3
                session = onnxruntime.InferenceSession(
                    str(self._folder / MODEL_FILE), options, providers=["CPUExecutionProvider"]
                )
            except (
                ValueError,
                OSError,
                RuntimeError,
                native.Fail,
                native.InvalidProtobuf,
                native.InvalidGraph,
                native.InvalidArgument,
                native.NotImplemented,
                native.RuntimeException,
            ) as error:
                raise self._damaged(error) from error
            tokenizer.enable_truncation(self._max_tokens, strategy="longest_first")
            tokenizer.no_padding()
            self._inputs = frozenset(item.name for item in session.get_inputs())
            self._tokenizer = tokenizer
            self._session = session

    def _damaged(self, error: Exception) -> KnownError:
        return KnownError(
            f"The reranker in {self._folder} could not be loaded: {str(error).splitlines()[0][:200]}.",
            help="Check it with `sheaf models verify` and fetch it again.",
            code="model-damaged",
        )
