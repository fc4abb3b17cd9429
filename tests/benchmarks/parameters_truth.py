"""Generated data sheets with the records they should give, for the parameters benchmark.

The tables are those of the tables benchmark (rulings, spans, blanks, rotation, page breaks, column groups of parts and
of temperatures), with conditions inherited from the caption and from footnotes put on some of them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from engine.parameters.conditions import is_condition_like, names_temperature, parse_conditions, quantity_key
from engine.parameters.part_names import part_tokens
from tests.makers.limit_tables import LIMITS, LimitTable, Line, make

INHERITED = ("VDD = 3.3 V", "fOSC = 8 MHz", "VBAT = 3 V")
NOTED = ("RS = 50 Ω", "CREF = 100 nF")

Stated = tuple[str, float | None, float | None]
"""A condition as it is compared: quantity, low, high."""


@dataclass(frozen=True)
class TrueRecord:
    """One value that a sheet prints, with all that it hangs on."""

    parameter: str
    symbol: str
    kind: str
    value: str
    unit: str
    conditions: frozenset[Stated]
    words: frozenset[str]
    """Conditions that are words only."""
    part: str


@dataclass(frozen=True)
class Sheet:
    table: LimitTable
    parts: tuple[str, ...]
    records: tuple[TrueRecord, ...]


def sheet(seed: int) -> Sheet:
    """The sheet of a seed: about SHX10 and SHX10L, or SHA1A and SHA1B, or one part of a look-alike family."""
    rng = random.Random(seed ^ 0x5EED)
    table = _without_own_temperatures(make(seed))
    inherited = rng.choice(INHERITED) if rng.random() < 0.4 else ""
    if inherited:
        table = replace(table, caption=f"{table.caption} ({inherited} unless otherwise noted)")
    noted = rng.choice(NOTED) if rng.random() < 0.3 else ""
    marked: frozenset[int] = frozenset()
    if noted:
        groups = sorted({line.group for line in table.rows})
        marked = frozenset(rng.sample(groups, max(1, len(groups) // 4)))
        table = replace(
            table, lines=tuple(_marked(table, line, marked) for line in table.lines), notes=(f"(1) {noted}",)
        )
    named = [group for group in table.groups if part_tokens(group)]
    parts = tuple(dict.fromkeys(named)) or (f"SHX{100 + seed % 50}",)
    return Sheet(table, parts, tuple(_records(table, parts, inherited, noted, marked)))


def _without_own_temperatures(table: LimitTable) -> LimitTable:
    """Where the columns are temperatures no row states another: such a table would contradict itself."""
    if "CONDITIONS" not in table.kinds or not any(is_condition_like(group) for group in table.groups if group):
        return table
    at = table.kinds.index("CONDITIONS")

    def told(line: Line) -> Line:
        if line.label or not any(names_temperature(one) for one in parse_conditions(line.cells[at])):
            return line
        return replace(line, cells=(*line.cells[:at], "VOUT = 1 V", *line.cells[at + 1 :]))

    return replace(table, lines=tuple(told(line) for line in table.lines))


def _marked(table: LimitTable, line: Line, marked: frozenset[int]) -> Line:
    if line.label or line.group not in marked:
        return line
    at = table.kinds.index("PARAMETER")
    cells = (*line.cells[:at], f"{line.cells[at]} (1)", *line.cells[at + 1 :])
    return replace(line, cells=cells)


def stated(text: str) -> frozenset[Stated]:
    """Readable conditions of a text as they are compared."""
    return frozenset((quantity_key(c.quantity), c.low, c.high) for c in parse_conditions(text) if c.low is not None)


def _records(
    table: LimitTable, parts: tuple[str, ...], inherited: str, noted: str, marked: frozenset[int]
) -> list[TrueRecord]:
    at = {kind: table.kinds.index(kind) for kind in dict.fromkeys(table.kinds) if kind not in LIMITS}
    found: list[TrueRecord] = []
    for line in table.rows:
        condition = line.cells[at["CONDITIONS"]] if "CONDITIONS" in at else ""
        words = frozenset("".join(c.raw.split()) for c in parse_conditions(condition) if c.low is None)
        for column, (kind, group) in enumerate(zip(table.kinds, table.groups, strict=True)):
            if kind not in LIMITS or not line.cells[column]:
                continue
            own = stated(condition) | (stated(group) if group and is_condition_like(group) else frozenset())
            above = stated(line.section.partition("(")[2].rstrip(")")) if "=" in line.section else frozenset()
            own |= {one for one in above if one[0] not in {name for name, _, _ in own}}
            referred = line.group in marked or ("NOTES" in at and line.cells[at["NOTES"]] == "1")
            more = stated(inherited) | (stated(noted) if referred else frozenset())
            part = group if part_tokens(group) else ""
            found.append(
                TrueRecord(
                    line.cells[at["PARAMETER"]].removesuffix(" (1)"),
                    line.cells[at["SYMBOL"]] if "SYMBOL" in at else "",
                    kind.casefold(),
                    line.cells[column],
                    line.cells[at["UNIT"]],
                    own | more,
                    words,
                    part or "/".join(parts),
                )
            )
    return found
