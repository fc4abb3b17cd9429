"""What a question asks about pins: the pin of a number, the number of a name, what a pin is for, or all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from engine.agent.pins import PACKAGE, PACKAGE_NAMES
from engine.agent.question import Question

_NUMBERED = re.compile(r"\bpins?(?: (?:no\.?|number|nr\.?))? ?#?(?P<number>[0-9]{1,3})\b(?![./])", re.I)
_WHICH = re.compile(
    r"\b(?:which|what) (?:pin|lead|terminal)(?: numbers?)?\b|\bpin numbers? (?:of|for)\b"
    r"|\b(?:on|at|to) (?:which|what) pin\b|\bwhere is\b.*\bpin\b",
    re.I,
)
_ALL = re.compile(
    r"\bpin[- ]?outs?\b|\bpinning\b|\bwhat are the pins\b|\blist (?:all )?(?:the )?pins\b"
    r"|\bpin (?:configuration|assignment|diagram|description|function|list|connection|layout|arrangement)s?\b",
    re.I,
)
_ALL_OF = re.compile(r"pin[- ]?outs?|pinning|config|assign|diagram|descript|connect|layout|arrang", re.I)
_WHAT_FOR = re.compile(r"(?:what|describe|explain|function|purpose|tell)\b", re.I)
_PLAIN = re.compile(
    r"^(?:please|so|and|what|which|whats|where|is|are|was|does|do|did|s|the|a|an|of|on|in|at|to|for|its|it|this|that|by|with|"
    r"from|pins?|numbers?|no|nr|name|named|names|called|signal|signals|terminal|leads?|function|functions|purpose|use|used|"
    r"doing|connected|located|tell|me|give|show|list|all|describe|explain|chip|ic|part|device|package|packages|version|"
    r"data|sheet|datasheet|has|have|i|my|find|mean|meaning|assignment|assigned|and|or|case|housing|variant)$",
    re.I,
)


class Asks(StrEnum):
    NAME = "name"
    """What the pin of a number is."""
    NUMBER = "number"
    """Which pin has a name."""
    FUNCTION = "function"
    """What the pin of a name is for."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class PinQuestion:
    asks: Asks
    number: int = 0
    name: str = ""
    package: str = ""


def pin_question(question: Question) -> PinQuestion | None:
    """None for questions that merely speak of a pin: "maximum voltage on pin 5", "the reset pin must be held low"."""
    text = question.folded
    found = PACKAGE.search(text)
    package = found.group() if found else ""
    rest = _rest(question, package)
    if _ALL.search(text):
        left = [word for word in rest if not _ALL_OF.match(word)]
        return PinQuestion(Asks.ALL, package=package) if not left else None
    if numbered := _NUMBERED.search(text):
        left = [word for word in rest if word != numbered["number"]]
        return PinQuestion(Asks.NAME, int(numbered["number"]), package=package) if not left else None
    if _WHICH.search(text) and 1 <= len(rest) <= 3:
        return PinQuestion(Asks.NUMBER, name=" ".join(rest), package=package)
    beside = rf"{re.escape(rest[-1])}[ -](?:pin|terminal|lead)s?\b" if 1 <= len(rest) <= 2 else ""
    if beside and _WHAT_FOR.match(text) and re.search(beside, text):
        return PinQuestion(Asks.FUNCTION, name=" ".join(rest), package=package)
    return None


def _rest(question: Question, package: str) -> list[str]:
    """Words that are neither filler nor the part nor the package: the name asked for, or a sign of another question."""
    text = question.folded
    for name in (*question.parts, package):
        if name:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", " ", text, flags=re.I)
    text = re.sub(rf"\b(?:{PACKAGE_NAMES})\b", " ", text) if package else text
    words = [word.strip("?!,;:\"'()").removesuffix(".") for word in text.replace("'s", " ").split()]
    return [word for word in words if word and not _PLAIN.match(word)]
