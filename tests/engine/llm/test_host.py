"""The model host: refusals before loading, and, in the real lane, grammar, cancel, crash and idle."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError
from engine.core.ports import Message
from engine.llm import host, machine
from engine.llm.host import LlamaModel
from tests.makers.gguf import gguf

GRAMMAR = 'root ::= "{\\"found\\": " ("true"|"false") ", \\"answer\\": \\"" [^"\\\\]{1,20} "\\"}"'
ASK = (Message("system", "Answer from the text."), Message("user", "The bus runs at 100 kHz. How fast is the bus?"))


def real_model() -> Path | None:
    folder = os.environ.get("SHEAF_MODELS")
    found = sorted(Path(folder).glob("smollm2*/*.gguf")) if folder else []
    return found[0] if found and importlib.util.find_spec("llama_cpp") else None


@pytest.fixture
def model() -> Iterator[LlamaModel]:
    path = real_model()
    if path is None:
        pytest.skip("SHEAF_MODELS names no folder with SmolLM2, or llama-cpp-python is missing")
    made = LlamaModel(path, "smollm2")
    yield made
    made.close()


def test_a_model_larger_than_the_memory_is_refused_before_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "big.gguf"
    path.write_bytes(gguf())
    monkeypatch.setattr(host, "available_memory", lambda: 1000)
    with pytest.raises(KnownError) as caught:
        LlamaModel(path, "big").complete(ASK)
    assert caught.value.code == "model-memory"
    assert "small model" in caught.value.help


@pytest.mark.parametrize(("asked", "cores", "used"), [(64, 4, 3), (0, 4, 3), (0, 2, 2), (2, 8, 2), (9, 1, 1)])
def test_threads_are_clamped_to_physical_cores(
    monkeypatch: pytest.MonkeyPatch, asked: int, cores: int, used: int
) -> None:
    monkeypatch.setattr(machine, "physical_cores", lambda: cores)
    assert machine.fitting_threads(asked) == used


def test_a_closed_model_refuses(tmp_path: Path) -> None:
    made = LlamaModel(tmp_path / "x.gguf", "x")
    made.close()
    with pytest.raises(KnownError):
        made.complete(ASK)


@pytest.mark.real_model
def test_grammar_holds_and_the_prefix_is_read_once(model: LlamaModel) -> None:
    first = model.complete(ASK, grammar=GRAMMAR, max_tokens=60)
    again = model.complete(ASK, grammar=GRAMMAR, max_tokens=60)
    assert set(json.loads(first.text)) == {"found", "answer"}
    assert first.text == again.text
    assert first.prompt_tokens > 10


@pytest.mark.real_model
def test_cancel_stops_even_while_the_prompt_is_read(model: LlamaModel) -> None:
    model.complete(ASK, max_tokens=1)
    token = CancelToken()
    long = (Message("user", "word " * 3500),)
    set_at: list[float] = []

    def cancel() -> None:
        set_at.append(time.monotonic())
        token.cancel()

    timer = threading.Timer(0.3, cancel)
    timer.start()
    with pytest.raises(Cancelled):
        model.complete(long, cancel=token)
    timer.join()
    assert time.monotonic() - set_at[0] < 1.0
    assert model.loaded, "the child answers the cancel; it is not killed for it"
    assert model.complete(ASK, max_tokens=4).text


@pytest.mark.real_model
def test_a_crash_is_answered_by_a_restart_and_the_question_again(model: LlamaModel) -> None:
    before = model.complete(ASK, max_tokens=8).text
    assert model._child is not None
    assert model._child.pid is not None
    os.kill(model._child.pid, signal.SIGKILL)
    assert model.complete(ASK, max_tokens=8).text == before


@pytest.mark.real_model
def test_a_crash_in_the_middle_asks_again(model: LlamaModel) -> None:
    expected = model.complete(ASK, max_tokens=24).text
    killed: list[int] = []

    def kill_once(_text: str) -> None:
        if not killed and model._child is not None and model._child.pid is not None:
            killed.append(model._child.pid)
            os.kill(model._child.pid, signal.SIGKILL)

    assert model.complete(ASK, max_tokens=24, on_text=kill_once).text == expected
    assert killed


@pytest.mark.real_model
def test_overflow_is_a_plain_sentence_and_the_model_lives_on(model: LlamaModel) -> None:
    with pytest.raises(KnownError) as caught:
        model.complete((Message("user", "word " * 5000),))
    assert caught.value.code == "context-overflow"
    assert model.count_tokens("four words of text") >= 4


@pytest.mark.real_model
def test_unknown_architecture_is_named(tmp_path: Path, model: LlamaModel) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(gguf("nosuchthing"))
    odd = LlamaModel(path, "odd")
    with pytest.raises(KnownError) as caught:
        odd.complete(ASK)
    odd.close()
    assert caught.value.code == "model-architecture"


@pytest.mark.real_model
def test_idle_model_is_unloaded_and_comes_back() -> None:
    path = real_model()
    if path is None:
        pytest.skip("no SmolLM2")
    made = LlamaModel(path, "smollm2", idle_seconds=0.2)
    try:
        made.complete(ASK, max_tokens=2)
        deadline = time.monotonic() + 10
        while made.loaded and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not made.loaded
        assert made.complete(ASK, max_tokens=2).text is not None
    finally:
        made.close()
