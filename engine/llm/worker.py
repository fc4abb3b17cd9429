"""The model's side of the pipe: runs in the child process and is the only place that imports llama_cpp."""

from __future__ import annotations

import ctypes
import importlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.errors import BugError, Cancelled, KnownError
from engine.core.ports import Completion, Message
from engine.llm.chat import Format, choose_format

_ABORTED = "llama_decode returned 2"
_BATCH = 256
_SILENT_LEVEL = 4
"""GGML log levels: 3 warning, 4 error."""


@dataclass(frozen=True, slots=True)
class Load:
    """How to load: `context` tokens, `threads` as fitted by machine.py."""

    path: Path
    context: int
    threads: int


@dataclass(frozen=True, slots=True)
class Ask:
    messages: tuple[Message, ...]
    grammar: str | None
    max_tokens: int
    threads: int = 0
    """Threads for this request, 0 for those it was loaded with."""


@dataclass(frozen=True, slots=True)
class Count:
    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Load if not loaded; the answer is the warning of the chat template."""


Request = Ask | Count | Ready


def serve(load: Load) -> Callable[[Request, Callable[[Any], None], Callable[[], bool]], Any]:
    """Factory for engine.core.child.Child: load the model, return the handler."""
    return _Worker(load).handle


class _Worker:
    def __init__(self, load: Load) -> None:
        self._cpp = _import()
        self._complaints: list[str] = []
        self._silence()
        self._stop: Callable[[], bool] = lambda: False
        self._llm = self._load(load)
        # Both callbacks must outlive this call: llama.cpp keeps bare pointers to them.
        self._abort = self._cpp.llama_cpp.ggml_abort_callback(lambda _data: self._stop())
        self._cpp.llama_cpp.llama_set_abort_callback(self._llm.ctx, self._abort, None)
        self._format, self._warning = self._template()

    def handle(self, request: Request, report: Callable[[Any], None], cancelled: Callable[[], bool]) -> Any:
        if isinstance(request, Count):
            return len(self._llm.tokenize(request.text.encode("utf-8", "replace"), add_bos=False, special=False))
        if isinstance(request, Ready):
            return self._warning
        self._stop = cancelled
        try:
            return self._complete(request, report, cancelled)
        finally:
            self._stop = lambda: False

    def _complete(self, ask: Ask, report: Callable[[Any], None], cancelled: Callable[[], bool]) -> Completion:
        started = time.monotonic()
        if ask.threads:
            self._cpp.llama_cpp.llama_set_n_threads(self._llm.ctx, ask.threads, ask.threads)
        prompt = self._format(ask.messages)
        tokens = self._llm.tokenize(prompt.encode("utf-8", "replace"), add_bos=False, special=True)
        room = self._llm.n_ctx() - len(tokens) - 1
        if room < 8:
            raise KnownError(
                f"The question and its passages take {len(tokens)} tokens, the model reads {self._llm.n_ctx()}.",
                help="Ask a shorter question or choose a model with a larger context.",
                code="context-overflow",
            )
        limit = min(ask.max_tokens, room)
        made: list[int] = []
        chances: list[float] = []
        finished = False
        for token, chance in self._tokens(tokens, ask.grammar, cancelled):
            if self._is_end(token):
                finished = True
                break
            made.append(token)
            chances.append(chance)
            report(self._text(made))
            if len(made) >= limit:
                break
        return Completion(
            text=self._text(made).strip(),
            prompt_tokens=len(tokens),
            completion_tokens=len(made),
            seconds=time.monotonic() - started,
            finished=finished,
            confidence=min(chances, default=1.0),
            tokens=tuple((self._text([token]), chance) for token, chance in zip(made, chances)),
        )

    def _tokens(
        self, prompt: list[int], grammar: str | None, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[int, float]]:
        rules = self._cpp.LlamaGrammar.from_string(grammar, verbose=False) if grammar else None
        try:
            stream = self._llm.generate(prompt, temp=0.0, grammar=rules)
            for token in stream:
                if cancelled():
                    raise Cancelled
                yield token, self._chance(token)
        except RuntimeError as error:
            if cancelled() or _ABORTED in str(error):
                self._llm.reset()
                raise Cancelled from error
            raise BugError(f"The model stopped: {error}") from error
        except ValueError as error:
            raise BugError(f"The grammar was refused: {error}") from error

    def _chance(self, token: int) -> float:
        """The model's own probability of the token it was made to choose, before the grammar."""
        import numpy as np

        row = self._llm._ctx.get_logits_ith(-1)
        logits = np.ctypeslib.as_array(row, shape=(self._llm.n_vocab(),))
        top = float(logits.max())
        return math.exp(float(logits[token]) - top) / float(np.exp(logits - top).sum())

    def _text(self, tokens: list[int]) -> str:
        return str(self._llm.detokenize(tokens).decode("utf-8", "ignore"))

    def _is_end(self, token: int) -> bool:
        return bool(self._cpp.llama_cpp.llama_vocab_is_eog(self._llm._model.vocab, token))

    def _silence(self) -> None:
        """Keep native complaints for the error message; nothing may reach standard error."""
        cpp = self._cpp.llama_cpp

        def listen(level: int, text: bytes, _data: ctypes.c_void_p) -> None:
            if level >= _SILENT_LEVEL:
                self._complaints.append(text.decode("utf-8", "replace").strip())

        self._log = cpp.llama_log_callback(listen)
        cpp.llama_log_set(self._log, None)

    def _load(self, load: Load) -> Any:
        try:
            return self._cpp.Llama(
                model_path=str(load.path),
                n_ctx=load.context,
                n_batch=_BATCH,
                n_threads=load.threads,
                n_threads_batch=load.threads,
                verbose=False,
            )
        except (ValueError, RuntimeError, AssertionError, OSError) as error:
            raise self._explain(load.path.name, f"{' '.join(self._complaints)} {error}") from error

    def _explain(self, name: str, complaint: str) -> KnownError:
        if "unknown model architecture" in complaint:
            return KnownError(
                f"{name} is of a kind this version cannot run.",
                help="Choose one of the models that `sheaf models list` offers.",
                code="model-architecture",
            )
        if any(
            word in complaint for word in ("failed to allocate", "unable to allocate", "out of memory", "bad_alloc")
        ):
            return KnownError(
                f"There is not enough memory to load {name}.",
                help="Close other programs or choose the small model.",
                code="model-memory",
                retryable=True,
            )
        return KnownError(
            f"{name} could not be loaded: {complaint.strip()[:160]}",
            help="Verify it with `sheaf models verify`, or choose another model.",
            code="model-load",
        )

    def _template(self) -> tuple[Format, str]:
        source = self._llm.metadata.get("tokenizer.chat_template")
        if not source:
            return choose_format(None)
        formats = importlib.import_module("llama_cpp.llama_chat_format")
        jinja = importlib.import_module("jinja2")
        try:
            formatter = formats.Jinja2ChatFormatter(
                template=source, eos_token=self._piece(False), bos_token=self._piece(True)
            )
        except jinja.TemplateError:
            return choose_format(None)

        def render(messages: list[dict[str, str]]) -> str:
            try:
                return str(formatter(messages=messages).prompt)
            except jinja.TemplateError as error:
                raise ValueError(str(error)) from error

        return choose_format(render)

    def _piece(self, begin: bool) -> str:
        token = self._llm.token_bos() if begin else self._llm.token_eos()
        return "" if token < 0 else str(self._llm._model.token_get_text(token))


def _import() -> Any:
    try:
        return importlib.import_module("llama_cpp")
    except (ImportError, OSError, RuntimeError) as error:
        raise KnownError(
            "The library that runs language models (llama-cpp-python) is not installed or does not run here.",
            help="Install it with `pip install 'sheaf[model]'` (needs a C++ compiler); quoting works without it.",
            code="model-library",
        ) from error
