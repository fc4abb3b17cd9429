"""Whether two answers state the same value: what evaluation and verification compare with."""

from __future__ import annotations

import re

from engine.parameters.quantities import Quantity, parse_quantity, prepare
from engine.parameters.units import comparable


def close(left: float, right: float, tolerance: float = 1e-6) -> bool:
    """Equal within a relative tolerance; zero equals only what is below 1e-15."""
    return abs(left - right) <= max(tolerance * max(abs(left), abs(right)), 1e-15)


def _same(left: Quantity, right: Quantity, tolerance: float) -> bool:
    if comparable(left.unit, right.unit):
        return close(left.low, right.low, tolerance) and close(left.high, right.high, tolerance)
    if "" in (left.unit, right.unit) and close(left.low, left.high) and close(right.low, right.high):
        return close(left.number, right.number, tolerance)
    return False


def hexadecimal(text: str) -> int | None:
    """The value of "0x20", "20h", "20 hex", "$20"; None for anything else."""
    body = prepare(text)
    if capital := re.fullmatch(r"([0-9A-F]{2,8})[hH]", body):
        return int(capital.group(1), 16)
    match = re.fullmatch(r"(?:0x([0-9a-f]+)|\$([0-9a-f]+)|([0-9][0-9a-f]*)\s?(?:h|hex))", body.casefold())
    return None if match is None else int(next(group for group in match.groups() if group), 16)


def same_quantity(left: str, right: str, tolerance: float = 1e-6) -> bool:
    """Whether two answers state the same value: "50,000 writes" and "50000", "0.01 µF" and "10 nF", "20h" and "0x20".

    A side without a unit is compared by its printed number. Texts that are no quantities are never the same.
    """
    numbers = hexadecimal(left), hexadecimal(right)
    if None not in numbers:
        return numbers[0] == numbers[1]
    first, second = parse_quantity(left.strip().rstrip(".")), parse_quantity(right.strip().rstrip("."))
    return first is not None and second is not None and _same(first, second, tolerance)
