"""House styles drawn by lot: how headings, columns, running lines and tables of a made-up house look."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class HeadStyle:
    """`size` is a multiple of the body's; `bar` prints white on a dark bar, `rule` a line below (-1: above)."""

    size: float = 1.0
    family: str = ""
    bold: bool = True
    italic: bool = False
    caps: bool = False
    blue: bool = False
    centred: bool = False
    underlined: bool = False
    bar: bool = False
    rule: int = 0


@dataclass(frozen=True)
class House:
    """One house's typography. `numbers`: "" none, "1" decimal, "1.0" with a point nought, "I" roman, "A" letters."""

    family: str
    body: float
    leading: float
    heads: tuple[HeadStyle, ...]
    numbers: str
    tabbed: bool
    columns: int
    front: str
    running: str
    tables: str
    margin: float
    title: str


def draw_house(chance: random.Random) -> House:
    """A house drawn by lot from what houses do."""
    kind = chance.choice(tuple(_LOOKS))
    heads = _LOOKS[kind](chance)
    numbers = chance.choice(("1", "1", "1.0", "")) if kind != "body size" else chance.choice(("1", "1.0"))
    if kind in ("capitals", "italics", "bars", "centred"):
        numbers = chance.choice(("", "", "", "1", "I", "A"))
    return House(
        family=chance.choice(("sans", "sans", "serif")),
        body=chance.choice((7.5, 8.0, 9.0, 9.0, 10.0, 10.0, 11.0)),
        leading=chance.choice((1.15, 1.2, 1.3, 1.45)),
        heads=heads,
        numbers=numbers,
        tabbed=chance.random() < 0.5,
        columns=chance.choice((1, 1, 2)),
        front=chance.choice(("two columns", "stacked", "three columns", "boxed")),
        running=chance.choice(("part", "section", "foot only", "both")),
        tables=chance.choice(("grid", "rows", "none", "head")),
        margin=chance.choice((48.0, 56.0, 72.0)),
        title=chance.choice(("one size", "two sizes", "right", "bar")),
    )


def _descending(chance: random.Random) -> tuple[HeadStyle, ...]:
    blue, top = chance.random() < 0.4, chance.choice((1.3, 1.5, 1.8))
    bold = chance.random() < 0.7
    return (
        HeadStyle(top, bold=bold, blue=blue, rule=chance.choice((0, 0, 1, -1))),
        HeadStyle((1 + top) / 2 + 0.02, bold=bold, blue=blue),
        HeadStyle(1.0, bold=True, italic=chance.random() < 0.3, blue=blue),
    )


def _capitals(chance: random.Random) -> tuple[HeadStyle, ...]:
    return (
        HeadStyle(chance.choice((1.0, 1.1, 1.2)), caps=True, blue=chance.random() < 0.4),
        HeadStyle(1.0),
        HeadStyle(1.0, bold=False, italic=True),
    )


def _body_size(chance: random.Random) -> tuple[HeadStyle, ...]:
    return (HeadStyle(1.0, caps=chance.random() < 0.4), HeadStyle(1.0), HeadStyle(1.0))


def _italics(chance: random.Random) -> tuple[HeadStyle, ...]:
    """Large and slanted over a rule, as one house does."""
    return (
        HeadStyle(1.5, bold=True, italic=True, rule=chance.choice((1, -1))),
        HeadStyle(1.15, bold=True, italic=True),
        HeadStyle(1.0, bold=True, italic=True),
    )


def _bars(chance: random.Random) -> tuple[HeadStyle, ...]:
    return (
        HeadStyle(chance.choice((1.0, 1.15)), caps=True, bar=True),
        HeadStyle(chance.choice((1.0, 1.1)), blue=True),
        HeadStyle(1.0, underlined=True, bold=chance.random() < 0.5),
    )


def _centred(chance: random.Random) -> tuple[HeadStyle, ...]:
    return (
        HeadStyle(chance.choice((1.1, 1.3)), centred=True, caps=chance.random() < 0.6),
        HeadStyle(chance.choice((1.0, 1.05)), caps=False),
        HeadStyle(1.0, bold=True, italic=True),
    )


def _other_family(chance: random.Random) -> tuple[HeadStyle, ...]:
    return (
        HeadStyle(1.6, family="other", bold=False, blue=True),
        HeadStyle(1.25, family="other", bold=False, blue=True),
        HeadStyle(1.05, family="other", bold=True),
    )


_LOOKS: dict[str, Callable[[random.Random], tuple[HeadStyle, ...]]] = {
    "descending": _descending,
    "capitals": _capitals,
    "body size": _body_size,
    "italics": _italics,
    "bars": _bars,
    "centred": _centred,
    "other family": _other_family,
}
