"""Words of a parameter's name in the one form in which the store's index and the questions compare them."""

from __future__ import annotations

import re

from engine.core.text import fold_case

_WORD = re.compile(r"[^\W_]+(?:\.[0-9]+)?", re.UNICODE)
_SPELLED = {
    **{
        "centre": "center",
        "colour": "color",
        "metre": "meter",
        "analogue": "analog",
        "max": "maximum",
        "min": "minimum",
    },
    **{"typ": "typical", "temp": "temperature", "freq": "frequency", "prop": "propagation", "volt": "voltage"},
    **{"osc": "oscillator", "xtal": "crystal", "pwr": "power", "curr": "current", "capacitor": "capacitance"},
}


def stem(word: str) -> str:
    """Singular of a word, abbreviation spelled out; words with figures stay."""
    if word in _SPELLED:
        return _SPELLED[word]
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os")):
        return word[:-1]
    return word


def name_words(text: str) -> tuple[str, ...]:
    """Words of a name in order: ("input", "offset", "voltage") for "Input Offset Voltages"; V_CC is one word."""
    joined = re.sub(r"(?<=[a-z0-9])_(?=[a-z0-9])", "", fold_case(text))
    return tuple(stem(match.group()) for match in _WORD.finditer(joined))


def symbol_key(text: str) -> str:
    """A symbol as it is compared: V_CE(sat), VCE(SAT) and "VCE sat" are one; Δ and θ are kept."""
    return re.sub(r"[\s_{}()\[\]./'\",\-]", "", fold_case(text))
