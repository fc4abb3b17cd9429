"""Packages (cases) by name: "SO-8", "8-pin SOIC", "TO-220": thermal values and ordering codes hang on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from engine.core.text import fold

PACKAGE = "package"
"""Quantity and relation of a condition that names a package."""
_FAMILY = (
    "PDIP|CDIP|SDIP|DIP|DIL|HSOIC|SOIC|SOP|SSOP|TSSOP|VSSOP|MSOP|QSOP|SO|PLCC|LCC|TQFP|LQFP|HTQFP|QFP|VQFN|WQFN|QFN|UDFN"
    "|TDFN|DFN|WSON|SON|DSBGA|BGA|WLCSP|SOT|TO|SC|DPAK|D2PAK|SIP|SIL|CPGA|PGA"
)
_ALIKE = {"SOIC": "SO", "SOP": "SO", "PDIP": "DIP", "CDIP": "DIP", "DIL": "DIP", "SIL": "SIP"}
_NAMED = re.compile(rf"(?<![A-Za-z0-9-])(?P<family>{_FAMILY})[- ]?(?P<size>\d{{1,3}})(?![\d.])[A-Z]?(?![a-z])")
_COUNTED = re.compile(rf"(?<![\w.-])(?P<size>\d{{1,3}})[- ](?:pin|lead|ball|terminal)s?[- ](?P<family>{_FAMILY})\b")
_WHOLE = re.compile(
    rf"(?<![A-Za-z0-9-])(?P<family>{_FAMILY})\)?(?:\s+\([A-Z]{{1,3}}\))?\s+(?:[Pp]ackage|[Cc]ase|[Hh]ousing)s?\b"
)


def find_packages(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, key) of every package named in a text; "SOIC-8", "SO-8" and "8-pin SOIC" have one key.

    "SOIC package" has the key of its family, without a size.
    """
    taken: list[tuple[int, int]] = []
    for pattern in (_NAMED, _COUNTED, _WHOLE):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            family = match["family"].upper()
            sized = match.groupdict().get("size")
            yield match.start(), match.end(), f"{_ALIKE.get(family, family)}-{sized}" if sized else family


def same_package(asked: str, named: str) -> bool:
    """Whether two keys may mean one package: one of them may leave the size open."""
    left, right = asked.partition("-"), named.partition("-")
    if asked == named or (left[2] and right[2]):
        return asked == named
    alike = _ALIKE.get(left[0], left[0]) == _ALIKE.get(right[0], right[0])
    return alike and {left[0], right[0]} != {"PDIP", "CDIP"}


@lru_cache(maxsize=65536)
def packages_in(text: str) -> frozenset[str]:
    """Keys of the packages a text names."""
    return frozenset(key for _, _, key in find_packages(fold(text)))
