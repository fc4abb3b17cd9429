"""The answering model as the program sees it: one child process, one question at a time, replaceable after a crash."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.core.cancel import CancelToken
from engine.core.child import Child, ChildGone
from engine.core.errors import BugError, KnownError
from engine.core.gguf import Header, inspect
from engine.core.ports import Completion, Message
from engine.llm.machine import available_memory, fitting_threads, free_threads
from engine.llm.worker import Ask, Count, Load, Ready, Request, serve

_OVERHEAD = 300 << 20
"""Bytes beside the weights: key-value cache, compute buffers, the interpreter."""
_LOW_MEMORY = 256 << 20
_TURN = 0.1


class LlamaModel:
    """Implements ports.LanguageModel with llama-cpp-python in a child process.

    The model is loaded on first use, kept between questions so that a common prompt prefix is read once, and unloaded
    after `idle_seconds` without a question or when memory runs short. A second question waits for the first.
    """

    def __init__(
        self, path: Path, model_id: str, *, context: int = 4096, threads: int = 0, idle_seconds: float = 600.0
    ) -> None:
        self._path = path
        self._id = model_id
        self._context = context
        self._threads = fitting_threads(threads)
        self._idle_seconds = idle_seconds
        self._header: Header | None = None
        self._child: Child | None = None
        self._turn = threading.Lock()
        self._timer: threading.Timer | None = None
        self._counted: dict[str, int] = {}
        self._closed = False

    @property
    def model_id(self) -> str:
        return self._id

    @property
    def context_tokens(self) -> int:
        return self._context

    @property
    def threads(self) -> int:
        """Threads in use, after clamping to the physical cores."""
        return self._threads

    @property
    def loaded(self) -> bool:
        """Whether a child process holds the model now."""
        return self._child is not None and self._child.alive

    def check(self) -> str:
        """Load the model if it is not; returns a warning about its chat template, "" if none. For `sheaf doctor`."""
        return str(self._request(Ready(), None, None))

    def count_tokens(self, text: str) -> int:
        if text not in self._counted:
            if len(self._counted) > 4096:
                self._counted.clear()
            self._counted[text] = int(self._request(Count(text), None, None))
        return self._counted[text]

    def complete(
        self,
        messages: Sequence[Message],
        *,
        grammar: str | None = None,
        max_tokens: int = 256,
        cancel: CancelToken | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Completion:
        """See ports.LanguageModel. `on_text` gets the whole text so far each time it grows.

        A crash of the child is answered by one restart and the same question again.
        """
        done = self._request(Ask(tuple(messages), grammar, max_tokens, free_threads(self._threads)), cancel, on_text)
        if not isinstance(done, Completion):
            raise BugError(f"The model process answered with {type(done).__name__}.")
        return done

    def close(self) -> None:
        """Unload and end the child; safe to call twice. Later questions are refused."""
        self._closed = True
        self._disarm()
        with self._turn:
            self._unload()

    def _request(self, request: Request, cancel: CancelToken | None, on_text: Callable[[str], None] | None) -> Any:
        self._wait_turn(cancel)
        try:
            self._disarm()
            try:
                return self._started().request(request, cancel=cancel, on_report=on_text, grace=1.0)
            except ChildGone:
                return self._started().request(request, cancel=cancel, on_report=on_text, grace=1.0)
        finally:
            self._after()
            self._turn.release()

    def _wait_turn(self, cancel: CancelToken | None) -> None:
        while not self._turn.acquire(timeout=_TURN):
            if cancel is not None:
                cancel.raise_if_cancelled()

    def _started(self) -> Child:
        if self._closed:
            raise KnownError("The model has been closed.", code="model-closed")
        if self._header is None:
            self._header = inspect(self._path)
        if self._child is None:
            self._child = Child("model", serve, (Load(self._path, self._context, self._threads),))
        if not self._child.alive:
            self._check_memory(self._header)
        return self._child

    def _check_memory(self, header: Header) -> None:
        free = available_memory()
        need = header.size + _OVERHEAD
        if free is not None and free < need:
            raise KnownError(
                f"The model needs {need / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free.",
                help="Close other programs or choose the small model.",
                code="model-memory",
                retryable=True,
            )

    def _after(self) -> None:
        """Arm the idle timer, or unload at once when memory is short."""
        if self._child is None or not self._child.alive:
            return
        free = available_memory()
        if self._closed or (free is not None and free < _LOW_MEMORY):
            self._unload()
            return
        self._timer = threading.Timer(self._idle_seconds, self._idle)
        self._timer.daemon = True
        self._timer.start()

    def _idle(self) -> None:
        if self._turn.acquire(blocking=False):
            try:
                self._unload()
            finally:
                self._turn.release()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _unload(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None
