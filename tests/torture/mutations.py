"""Damage to PDFs: what disks, networks and bad writers do to files."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from engine.parse import mupdf

_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_NAME = re.compile(rb"/[A-Za-z]+")
_ODD_NUMBERS = (b"0", b"-1", b"99999999", b"1e30", b"0.0000001", b"2147483648", b"-32769")


def expanded(path: Path) -> bytes:
    """The file with its streams unpacked, so that mutations reach page contents, fonts and tables of objects."""
    with mupdf.load().open(str(path)) as document:
        data: bytes = document.tobytes(expand=255, garbage=0)
        return data


def mutate(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    """One to four damages, with their names."""
    names = []
    for _ in range(chance.randint(1, 4)):
        damage = chance.choice(_DAMAGES)
        names.append(damage.__name__.strip("_"))
        data = damage(data, chance)
    return "+".join(names), data


def _flip(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 3, 20, 200))):
        if out:
            out[chance.randrange(len(out))] = chance.randrange(256)
    return bytes(out)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _drop(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 16, 512, 8192)) :]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    piece = data[start : start + chance.choice((16, 512, 8192))]
    return data[:start] + piece * chance.choice((2, 5)) + data[start:]


def _blank(data: bytes, chance: random.Random) -> bytes:
    start, length = chance.randrange(len(data) + 1), chance.choice((512, 4096))
    return data[:start] + bytes(length) + data[start + length :]


def _swap(data: bytes, chance: random.Random) -> bytes:
    a, b = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    length = min(chance.choice((64, 2048)), b - a)
    return data[:a] + data[b : b + length] + data[a + length : b] + data[a : a + length] + data[b + length :]


def _number(data: bytes, chance: random.Random) -> bytes:
    return _replaced(data, _NUMBER, lambda _: chance.choice(_ODD_NUMBERS), chance)


def _name(data: bytes, chance: random.Random) -> bytes:
    names = _NAME.findall(data[:200_000]) or [b"/X"]
    return _replaced(data, _NAME, lambda _: chance.choice(names), chance)


def _replaced(data: bytes, pattern: re.Pattern[bytes], new: Callable[[bytes], bytes], chance: random.Random) -> bytes:
    found = list(pattern.finditer(data))
    for match in sorted(chance.sample(found, min(len(found), chance.choice((1, 5, 60)))), key=lambda m: -m.start()):
        data = data[: match.start()] + new(match.group()) + data[match.end() :]
    return data


_DAMAGES = (_flip, _cut, _drop, _repeat, _blank, _swap, _number, _name)
