"""Part names as people say them, put as the library's documents print them: "ad 420" is AD420, "the 44780" HD44780.

Only names the library knows are restored, and bare digits only where one family alone has them: "555" in a library
without such a part stays a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.agent.parts import expand, looks_like_part
from engine.core.results import DocumentInfo
from engine.core.text import fold

_PIECES = re.compile(r"([0-9]?[A-Z]{1,5})-?([0-9]{3,})([A-Z]{0,3})")
_VERSION = re.compile(r"(?<![\w-])(?<!not the )(?<!not )([A-Z])[- ](?:version|variant|type|grade)\b")
_LEAST_BARE = 4
"""Digits from which a bare number is a name rather than a count."""
_BARE = re.compile(
    r"(?<![\w.,/-])([0-9]{4,})(?![\w/-]|[.,][0-9]| ?(?:[munpkMG]?(?:V|A|W|Hz|F|s|ohm)\b|bit|byte|cycle|%|ppm))"
)


def with_known_names(question: str, documents: Sequence[DocumentInfo]) -> str:
    """The question with split and shortened part names restored; unchanged where it names none."""
    text = fold(question)
    known = _known(documents)
    changed = text
    for name, (letters, digits, suffix) in known.items():
        split = re.compile(rf"(?<![\w-]){letters}[ ]{digits}{suffix}(?![\w-])", re.IGNORECASE)
        changed = split.sub(name, changed)
    changed = _BARE.sub(lambda match: _family(match.group(1), known) or match.group(1), changed)
    changed = _VERSION.sub(lambda match: _version(match.group(1), changed, known) or match.group(), changed)
    return question if changed == text else changed


def _version(letter: str, question: str, known: dict[str, tuple[str, str, str]]) -> str:
    """ "the plain QD22 or the A version" -> "QD22A": the one known variant by that letter of a part named beside it."""
    named = {name for name in known if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE)}
    variants = [name + letter for name in named if name + letter in known and name + letter not in named]
    return variants[0] if len(variants) == 1 else ""


def _known(documents: Sequence[DocumentInfo]) -> dict[str, tuple[str, str, str]]:
    """Single part names of the library with their letters, digits and suffix."""
    found: dict[str, tuple[str, str, str]] = {}
    for info in documents:
        for part in info.parts:
            for name in expand(part):
                match = _PIECES.fullmatch(name)
                if match and looks_like_part(name):
                    found[name] = (match.group(1), match.group(2), match.group(3))
    return found


def _family(digits: str, known: dict[str, tuple[str, str, str]]) -> str:
    """The shortest name with these digits where all such names have the same letters in front, else ""."""
    if len(digits) < _LEAST_BARE or re.fullmatch(r"(?:19|20)[0-9]{2}", digits):
        return ""
    names = [name for name, pieces in known.items() if pieces[1] == digits]
    return min(names, key=len) if len({known[name][0] for name in names}) == 1 else ""
