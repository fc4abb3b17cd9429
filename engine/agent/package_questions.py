"""What a question asks about packages: in which ones a part comes, or under which code it is ordered."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.agent.pins import PACKAGE
from engine.agent.question import Question
from engine.agent.terms import content_terms, name_terms

_PACKAGES = re.compile(
    r"\b(?:what|which) (?:\w+ of )?(?:packages?|cases?|housings?|enclosures?)\b"
    r"|\bpackage (?:options?|types?|variants?)\b|^(?:the )?packages? (?:of|for)\b",
    re.I,
)
_CODES = re.compile(
    r"\border(?:ing|able)?(?: (?:code|number|part number|information|options?|guide|name)s?)?\b"
    r"|\b(?:part|type|model) numbers? (?:of|for)\b|\b(?:what|which) (?:part|type|model) number\b",
    re.I,
)
_PLAIN = frozenset(
    content_terms(
        "package packages case housing enclosure kind type option variant come comes available offered supplied order "
        "ordering orderable code number information guide name part model device chip version which what have get need "
        "made list give buy sold is of for the in data sheet"
    )
)


@dataclass(frozen=True, slots=True)
class PackageQuestion:
    """`package` is a family named ("DIP"), "" for all; `codes` whether ordering codes are asked for."""

    codes: bool
    package: str = ""


def package_question(question: Question) -> PackageQuestion | None:
    """None for questions of another thing in a package: its thermal resistance, a pin, a price."""
    text = question.folded
    codes = bool(_CODES.search(text))
    if not (codes or _PACKAGES.search(text)) or not question.parts or question.options:
        return None
    found = PACKAGE.search(text)
    package = found.group() if found and found.group() not in question.parts else ""
    names = name_terms((*question.parts, package))
    left = [term for term in question.terms if term not in _PLAIN and term not in names and not term.startswith("^")]
    return PackageQuestion(codes, package) if not left and not question.given else None
