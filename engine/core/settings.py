"""Settings, each declared once: dialog, validation, documentation and what a change re-does follow from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.core.errors import UsageError
from engine.core.model import FileKind

Value = bool | int | float | str | tuple[str, ...]


class Redo(StrEnum):
    """What a changed setting makes necessary, least first."""

    NOTHING = "nothing"
    SCAN = "scan"
    """The folders are looked at again; only files that come or go are touched."""
    FAILURES = "failures"
    """Documents that failed are tried again."""
    PARSE = "parse"
    """Every document is read again; texts that come out the same are not embedded again."""
    EMBED = "embed"
    """Every segment is embedded again, in a new generation while the old one serves."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting's type is that of its default. `low`/`high` bound numbers, `choices` strings and lists of strings."""

    key: str
    default: Value
    title: str
    help: str
    redo: Redo = Redo.NOTHING
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""

    def check(self, value: object) -> Value:
        """The value as it is kept. Raises UsageError that names the setting, what is wrong and what is allowed."""
        if isinstance(self.default, tuple):
            return self._check_list(value)
        if isinstance(self.default, bool):
            return self._check_type(value, bool, "yes or no")
        if isinstance(self.default, str):
            text = str(self._check_type(value, str, "a text"))
            if self.choices and text not in self.choices:
                raise self._wrong(f"one of {', '.join(self.choices)}")
            return text
        return self._check_number(value)

    def _check_number(self, value: object) -> Value:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong("a number")
        if isinstance(self.default, int) and value != int(value):
            raise self._wrong("a whole number")
        low, high = self.low, self.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise self._wrong(f"between {low:g} and {high:g}" if None not in (low, high) else f"at least {low}")
        return int(value) if isinstance(self.default, int) else float(value)

    def _check_list(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
            raise self._wrong("a list of texts")
        if self.choices and not set(value) <= set(self.choices):
            raise self._wrong(f"some of {', '.join(self.choices)}")
        return tuple(dict.fromkeys(value))

    def _check_type(self, value: object, kind: type[bool] | type[str], words: str) -> bool | str:
        if not isinstance(value, kind):
            raise self._wrong(words)
        return value

    def _wrong(self, allowed: str) -> UsageError:
        return UsageError(
            f"The setting {self.key} ({self.title}) must be {allowed}.",
            help=f"Its usual value is {self.default}.",
            code="setting",
        )


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        one.key: one
        for one in (
            Setting(
                "index.kinds",
                tuple(kind.value for kind in FileKind),
                "File types",
                "Which kinds of files are indexed.",
                Redo.SCAN,
                choices=tuple(kind.value for kind in FileKind),
            ),
            Setting(
                "index.include",
                (),
                "Only these files",
                "Patterns such as *.pdf or datasheets/*; without one all files are taken.",
                Redo.SCAN,
            ),
            Setting(
                "index.exclude",
                (),
                "Not these files",
                "Patterns of files and folders that are left out, such as old/* or *draft*.",
                Redo.SCAN,
            ),
            Setting(
                "index.max_file_mb",
                2000,
                "Largest file",
                "Larger files are listed as skipped.",
                Redo.SCAN,
                low=1,
                high=100_000,
                unit="MB",
            ),
            Setting(
                "index.online_only",
                False,
                "Fetch online-only files",
                "Files that lie only in a cloud folder are downloaded to be indexed.",
                Redo.SCAN,
            ),
            Setting(
                "index.page_seconds",
                30.0,
                "Time for one page",
                "A page that takes longer falls back to its plain text.",
                Redo.FAILURES,
                low=1.0,
                high=3600.0,
                unit="s",
            ),
            Setting(
                "index.page_memory_mb",
                3072,
                "Memory for one page",
                "A page that needs more falls back to its plain text.",
                Redo.FAILURES,
                low=512,
                high=65_536,
                unit="MB",
            ),
            Setting(
                "index.workers",
                0,
                "Documents read side by side",
                "0 takes as many as the machine has cores.",
                low=0,
                high=64,
            ),
            Setting(
                "index.on_battery",
                True,
                "Index on battery",
                "Whether background indexing goes on while the machine runs on its battery.",
            ),
            Setting(
                "index.cpu_share",
                100,
                "Share of processor time",
                "How much of the time background indexing may work; the rest it pauses.",
                low=5,
                high=100,
                unit="%",
            ),
            Setting(
                "watch.enabled",
                True,
                "Watch the folders",
                "Changed files are picked up while the program runs.",
            ),
            Setting(
                "refine.minutes",
                30,
                "Time for wording abstracts",
                "How long a model may work on abstracts while you are away, each time the program runs; 0 for never.",
                low=0,
                high=1440,
                unit="min",
            ),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Values that differ from the defaults, checked. Immutable; `with_value` gives another."""

    changed: Mapping[str, Value]

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Settings:
        """From stored or typed values. Raises UsageError; unknown keys (of a newer program) are left out."""
        checked = {key: SETTINGS[key].check(value) for key, value in values.items() if key in SETTINGS}
        return cls({key: value for key, value in checked.items() if value != SETTINGS[key].default})

    def with_value(self, key: str, value: object) -> Settings:
        if key not in SETTINGS:
            raise UsageError(
                f"There is no setting {key}.", help=f"The settings are: {', '.join(SETTINGS)}.", code="setting"
            )
        return Settings.of({**self.changed, key: value})

    def get(self, key: str) -> Value:
        return self.changed.get(key, SETTINGS[key].default)

    def flag(self, key: str) -> bool:
        return bool(self.get(key))

    def number(self, key: str) -> float:
        value = self.get(key)
        assert isinstance(value, int | float)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.get(key)
        assert isinstance(value, tuple)
        return value

    def fingerprint(self, redo: Redo) -> str:
        """Equal for settings that agree in everything that re-does `redo`."""
        parts = [f"{key}={self.get(key)}" for key, one in SETTINGS.items() if one.redo is redo and key in self.changed]
        return ";".join(parts)


def redone(before: Settings, after: Settings) -> set[Redo]:
    """What going from one to the other re-does."""
    return {one.redo for key, one in SETTINGS.items() if before.get(key) != after.get(key)} - {Redo.NOTHING}
