"""Settings, read and changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.bridge.operation import Operation
from engine.core.lexicon import lines_of, pairs_of
from engine.core.results import Forecast
from engine.core.settings import Settings, Value

if TYPE_CHECKING:
    from engine.api import Engine


@dataclass(frozen=True, slots=True)
class Words:
    """A user's own synonyms, one "term = meaning" a line: those for all libraries, and those of `library` alone."""

    library: str
    for_all: str
    own: str


def load_words(library: str) -> Operation[Words]:
    """`library` may be "": then there are only those for all."""

    def load(engine: Engine) -> Words:
        own = lines_of(engine.lexicon.synonyms(library)) if library else ""
        return Words(library, lines_of(engine.lexicon.synonyms("")), own)

    return Operation("Load your words", lambda engine, _emit, _cancel: load(engine))


def keep_words(words: Words) -> Operation[None]:
    """Keep exactly these. Raises UsageError, and keeps what was, for a line that is no synonym."""

    def keep(engine: Engine) -> None:
        for_all, own = pairs_of(words.for_all), pairs_of(words.own)
        engine.lexicon.keep(for_all)
        if words.library:
            engine.lexicon.keep(own, words.library)

    return Operation("Keep your words", lambda engine, _emit, _cancel: keep(engine))


def load_settings() -> Operation[Settings]:
    return Operation("Load settings", lambda engine, _emit, _cancel: engine.settings())


def change_settings(values: Mapping[str, Value]) -> Operation[Settings]:
    """Keep several values. The first that is not allowed raises UsageError; those before it are kept."""

    def change(engine: Engine) -> Settings:
        for key, value in values.items():
            engine.set_setting(key, value)
        return engine.settings()

    return Operation("Change settings", lambda engine, _emit, _cancel: change(engine))


def forecast(name: str, values: Mapping[str, Value]) -> Operation[Forecast]:
    """What a library would do again with these values."""
    return Operation("Forecast", lambda engine, _emit, _cancel: engine.forecast(name, values))


def leave_out(pattern: str) -> Operation[Settings]:
    """Add a pattern to the files that are not indexed."""

    def add(engine: Engine) -> Settings:
        before = engine.settings().texts("index.exclude")
        return engine.set_setting("index.exclude", (*before, pattern))

    return Operation(f"Leave out {pattern}", lambda engine, _emit, _cancel: add(engine))
