"""Which parameter a row or a question speaks of, whatever it is called: names and symbols from synonyms.toml."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from engine.core.naming import name_words, symbol_key

_FILL = frozenset(("of", "the", "a", "an", "to", "from", "and", "for", "per", "in", "at", "vs"))


@dataclass(frozen=True, slots=True)
class Concept:
    """One parameter of the synonyms file."""

    key: str
    names: tuple[tuple[str, ...], ...]
    symbols: frozenset[str]
    units: frozenset[str]
    under: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A concept's name in a sequence of words at [start, end)."""

    concept: str
    start: int
    end: int


def plain(words: Iterable[str]) -> tuple[str, ...]:
    """Words without articles and prepositions: "thermal resistance from junction to case" reads as its names do."""
    return tuple(word for word in words if word not in _FILL)


NOUNS = {"A": "current", "V": "voltage", "s": "time", "Hz": "frequency", "W": "power", "\u00b0C": "temperature"}


def without_repeats(words: Sequence[str]) -> tuple[str, ...]:
    """Words that overprinting has doubled ("low low level level") once."""
    return tuple(word for index, word in enumerate(words) if not index or words[index - 1] != word)


class Concepts:
    """The synonyms, indexed by name and by symbol."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self._by_key = {concept.key: concept for concept in concepts}
        self._by_name: dict[tuple[str, ...], list[str]] = {}
        for concept in concepts:
            for name in concept.names:
                self._by_name.setdefault(name, []).append(concept.key)
        self._longest = max((len(name) for name in self._by_name), default=0)
        self._by_symbol: dict[str, list[Concept]] = {}
        for concept in concepts:
            for symbol in concept.symbols:
                self._by_symbol.setdefault(symbol, []).append(concept)

    def __getitem__(self, key: str) -> Concept:
        return self._by_key[key]

    def keys(self) -> tuple[str, ...]:
        """Every parameter of the file."""
        return tuple(self._by_key)

    def in_words(self, words: Sequence[str]) -> list[Found]:
        """Names found in a sequence of words, the longest first at every place, none overlapping."""
        found: list[Found] = []
        start = 0
        while start < len(words):
            for size in range(min(self._longest, len(words) - start), 0, -1):
                keys = self._by_name.get(tuple(words[start : start + size]), ())
                if keys:
                    found += [Found(key, start, start + size) for key in keys]
                    start += size - 1
                    break
            start += 1
        return found

    def of_symbol(self, symbol: str, unit: str | None = None) -> list[str]:
        """Concepts a symbol stands for; with a unit only those that are measured in it."""
        return [
            concept.key
            for concept in self._by_symbol.get(symbol_key(symbol), ())
            if unit is None or unit in concept.units
        ]

    def of_record(self, parameter: str, symbol: str, unit: str) -> frozenset[str]:
        """What a record is about: the longest name in its parameter, else its symbol with a fitting unit."""
        words = without_repeats(plain(name_words(parameter)))
        named = {found.concept for found in self.in_words(words)}
        if not named and unit in NOUNS:
            # "Power-down Mode" measured in amperes is a current, "Operating Range" in volts a voltage range.
            spelled = (*words[:-1], NOUNS[unit], "range") if words[-1:] == ("range",) else (*words, NOUNS[unit])
            named = {found.concept for found in self.in_words(spelled)}
        if not named:
            spread = frozenset(words)
            named = {
                key
                for name, keys in self._by_name.items()
                for key in keys
                if len(name) > 1 and len(words) <= len(name) + 1 and spread.issuperset(name)
            }
        if named:
            return frozenset(named)
        if symbol[:1] == "t" and len(words) >= 3:
            return frozenset()  # timing symbols are given anew in every sheet; the words say what they time
        tokens = [symbol, *parameter.split()] if len(parameter.split()) <= 3 else [symbol]
        return frozenset(key for token in tokens if token for key in self.of_symbol(token, unit))

    def broader(self, key: str) -> str:
        return self._by_key[key].under


@functools.cache
def load_concepts() -> Concepts:
    """The synonyms file, read once."""
    table = tomllib.loads(files("engine.parameters").joinpath("synonyms.toml").read_text(encoding="utf-8"))
    return Concepts(
        [
            Concept(
                key,
                tuple(dict.fromkeys(plain(name_words(name)) for name in entry["names"])),
                frozenset(symbol_key(symbol) for symbol in entry["symbols"]),
                frozenset(entry["units"]),
                entry.get("under", ""),
            )
            for key, entry in table.items()
        ]
    )


@functools.lru_cache(maxsize=65536)
def concepts_of(parameter: str, symbol: str, unit: str) -> frozenset[str]:
    """:meth:`Concepts.of_record` over the shipped synonyms, remembered: libraries repeat their names."""
    return load_concepts().of_record(parameter, symbol, unit)
