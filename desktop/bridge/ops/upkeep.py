"""Models and the state of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.bridge.operation import Operation
from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.events import Emit
from engine.core.results import Component

if TYPE_CHECKING:
    from engine.api import Engine


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model as the window offers it. `role` is "answering" for those that can word an answer."""

    id: str
    title: str
    role: str
    licence: str
    megabytes: int
    here: bool


def list_models() -> Operation[list[ModelChoice]]:
    return Operation(
        "List models",
        lambda engine, _emit, _cancel: [
            ModelChoice(one.id, one.title, one.role, one.licence, one.size_bytes // 1_000_000, one.state.value == "ok")
            for one in engine.models.list()
        ],
    )


def fetch_model(model: str) -> Operation[None]:
    def fetch(engine: Engine, emit: Emit, cancel: CancelToken) -> None:
        engine.models.fetch(model, emit, cancel)

    return Operation(f"Fetch {model}", fetch)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What became of a stretch of idle time: abstracts left, and whether any could be worded at all."""

    left: int
    possible: bool


def word_abstracts(library: str, spent: float) -> Operation[Stretch]:
    """Word abstracts for what is left of the budget after `spent` seconds; nothing without a model."""

    def word(engine: Engine, emit: Emit, cancel: CancelToken) -> Stretch:
        budget = 60 * engine.settings().number("refine.minutes") - spent
        if budget <= 0:
            return Stretch(0, False)
        try:
            return Stretch(engine.refine(library, seconds=budget, emit=emit, cancel=cancel).left, True)
        except KnownError as error:
            # Without a model, or beside another writer: nobody asked for it, so nobody is told.
            if error.code in ("no-model", "locked"):
                return Stretch(0, False)
            raise

    return Operation("Word abstracts", word, background=True)


def check_machine() -> Operation[list[Component]]:
    return Operation("Check this machine", lambda engine, _emit, _cancel: engine.doctor())
