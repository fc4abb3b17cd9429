"""How engineers spell a part that the library knows by a related number: base parts, variants, wildcards."""

from __future__ import annotations

import re

from engine.core.ports import NameEntry, NameKind, NameSource
from engine.core.text import part_key

_LIMIT = 24
_WILDCARD = re.compile(r"(.*[0-9][A-Z]{0,2}?)(X{1,3})([A-Z]{0,2})")
_STANDS_FOR = re.compile(r"(?<=[A-Za-z0-9])(?:x|XX)(?![a-wyz])")
_SHORTEST_BASE = 4
_LONGEST_SUFFIX = 6
_LETTERS = re.compile(r"[A-Z]{1,2}")
_GRADE = re.compile(r"[A-Z]{1,3}[0-9A-Z]{0,6}")


def related_parts(part: str, names: NameSource) -> list[NameEntry]:
    """Entries that `part` means although none is spelled so; the nearest relation that finds any wins.

    LM317 -> LM317L, LM317N; DS32C35 -> DS32x35; OP90G -> OP90; LPC2148FBD64 -> LPC2148.
    """
    key = part_key(part)
    return _variants(key, names) or _families(key, names) or _base(key, names)


def members(part: str, names: NameSource) -> list[NameEntry]:
    """Entries of the parts that a family's name stands for: LPC214x is every LPC214 and one more character."""
    return _wildcard(part_key(part), names)


def graded_parts(part: str, names: NameSource) -> list[NameEntry]:
    """Entries that are `part` with a grade letter or two behind it: who asks for the HD44780 may mean the HD44780U."""
    key = part_key(part)
    return [entry for entry in _variants(key, names) if _LETTERS.fullmatch(entry.key[len(key) :])]


def _wildcard(key: str, names: NameSource) -> list[NameEntry]:
    match = _WILDCARD.fullmatch(key)
    if match is None or len(match[1]) < _SHORTEST_BASE - 1:
        return []
    shape = re.compile(re.escape(match[1]) + f"[0-9A-Z]{{1,{len(match[2])}}}" + re.escape(match[3]) + "[A-Z]{0,2}")
    return [entry for entry in names.starting(match[1], _LIMIT) if shape.fullmatch(entry.key)]


def _variants(key: str, names: NameSource) -> list[NameEntry]:
    """`key` and a grade or package behind it; never a longer number (LM31 is not LM317)."""
    if len(key) < _SHORTEST_BASE:
        return []
    return [entry for entry in names.starting(key, _LIMIT) if entry.key[len(key) : len(key) + 1].isalpha()]


def _families(key: str, names: NameSource) -> list[NameEntry]:
    """Entries that print an x where `key` has a character: the sheet of the DS32x35 is that of the DS32C35."""
    shapes = [key[:at] + "X" * run + key[at + run :] for run in (1, 2) for at in range(2, len(key) - run + 1)]
    found = names.find(shapes) if len(key) >= _SHORTEST_BASE else []
    return [entry for entry in found if entry.kind is NameKind.PART and _STANDS_FOR.search(entry.name)]


def _base(key: str, names: NameSource) -> list[NameEntry]:
    shortest = max(_SHORTEST_BASE, len(key) - _LONGEST_SUFFIX)
    candidates = [key[:length] for length in range(len(key) - 1, shortest - 1, -1) if _GRADE.fullmatch(key[length:])]
    candidates = [base for base in candidates if base[-1:].isdigit() or base[-2:-1].isdigit()]
    found = [entry for entry in names.find(candidates) if entry.kind is NameKind.PART]
    longest = max((len(entry.key) for entry in found), default=0)
    return [entry for entry in found if len(entry.key) == longest]
