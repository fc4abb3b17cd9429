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


def find_packages(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, key) of every package named in a text; "SOIC-8", "SO-8" and "8-pin SOIC" have one key."""
    for pattern in (_NAMED, _COUNTED):
        for match in pattern.finditer(text):
            family = match["family"].upper()
            yield match.start(), match.end(), f"{_ALIKE.get(family, family)}-{match['size']}"


@lru_cache(maxsize=65536)
def packages_in(text: str) -> frozenset[str]:
    """Keys of the packages a text names."""
    return frozenset(key for _, _, key in find_packages(fold(text)))
