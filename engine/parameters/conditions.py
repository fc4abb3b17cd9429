"""Test conditions: "VCC = 5 V, TA = 25 °C; RL ≥ 2 kΩ" as quantities with relations and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from engine.core.model import Condition
from engine.parameters.mentions import find_quantities
from engine.parameters.quantities import parse_quantity, prepare

_RELATIONS = {"=<": "<=", "=>": ">=", "==": "=", "\u2264": "<=", "\u2265": ">=", "\u2a7d": "<=", "\u2a7e": ">="}
_RELATION = re.compile(r"\s*(<=|>=|=<|=>|==|[=<>\u2260\u2248\u2264\u2265\u2a7d\u2a7e])\s*")
BESIDE = "beside"
"""Relation of a cell that stands in the same row of a table without being its key."""
FULL = "full"
"""Relation of an asked temperature that is a whole range and no point of it."""
_LESS = r"(?:<=?|\u2264|\u2a7d)"
_NAME = r"[A-Za-z\u03b1-\u03c9\u0394][\w()/+\-\u0394]*(?:\s?[a-z]{2,})?"
_SPLIT = re.compile(
    r"[;\n]|,(?!\d{3}(?!\d))|\s+and\s+(?=[A-Za-z\u03b1-\u03c9]\S*\s*[<>=\u2264\u2265])"
    r"|(?<=\S)\s+(?=[A-Z][\w()]{0,7}\s*=)|(?<=\S)\s+(?=f\s*=)"
    r"|(?<=[A-Za-z])\s+(?=[\d.]+\s?[A-Za-z]{1,3}\s*[<\u2264\u2a7d]=?\s*[A-Z])"
)
_TO = re.compile(r"\s*(?:to|-|\u2013|through)\s*\u00b1?\s*")
_NOTED = re.compile(
    r"[\s,;(]*\b(?:unless|except where|except as)\b[^.;)]*|\ball (?:limits|values|specifications)\b[^.;]*?(?:for|at)\s",
    re.IGNORECASE,
)
_LEADING_MARK = re.compile(r"^(?:[(\[]\d{1,2}[)\]]\s*)+(?=\S)")
_LEADING_WORD = re.compile(
    r"^(?:@\s*|(?:at|for|with|when|where|over|in|and|if|from|under|the|a|an|test conditions?:?)(?:\s+|$))",
    re.IGNORECASE,
)
_CHAIN = re.compile(
    rf"^(?P<low>[^<>=\u2264\u2265]+?)\s*{_LESS}\s*(?P<name>{_NAME})\s*{_LESS}\s*(?P<high>[^<>=\u2264\u2265]+)$"
)
_BARE = re.compile(r"^(?P<name>[A-Za-z][A-Za-z0-9_()]{0,8})\s+(?P<value>[\u00b1+\-]?\s?\d.*)$")
_STATED = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z\u0394\u03b8][\w\u0394]{0,10}(?:\([A-Za-z ]+\))?)\s*"
    r"(?P<relation><=|>=|[=<>\u2264\u2265])\s*(?=[\d.+\-\u2212\u2013\u00b1])"
)


_LEVELS = {"h": "1", "high": "1", "l": "0", "low": "0"}


def level(text: str) -> str:
    """What stands behind "=", a logic level as tables print it as a bit."""
    value = text.split("=")[-1].strip()
    return _LEVELS.get(value, value)


def quantity_key(name: str) -> str:
    """The name of a condition or symbol as it is compared: "V_CC", "VCC" and "V CC" are one."""
    return re.sub(r"[\s_{}()\[\]./'\"]", "", prepare(name)).casefold()


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """Split a conditions cell and read each piece; what has no readable form keeps its words."""
    body = _NOTED.sub("", re.sub(r"\s+", " ", text)).strip(" .:")
    body = body[1:-1] if body.startswith("(") and body.endswith(")") and body.count("(") == 1 else body
    found: list[Condition] = []
    for piece in _pieces(body):
        clean = _LEADING_MARK.sub("", piece.strip(" ,.:"))
        while match := _LEADING_WORD.match(clean):
            clean = clean[match.end() :]
        if clean and not re.fullmatch(r"[-*\u2022]+", clean):
            found.append(_read(clean))
    return tuple(found)


def _pieces(text: str) -> list[str]:
    """Split at separators that stand outside brackets."""
    cuts = [0]
    for match in _SPLIT.finditer(text):
        before = text[: match.start()]
        if before.count("(") == before.count(")"):
            cuts += [match.start(), match.end()]
    cuts.append(len(text))
    return [text[start:end] for start, end in zip(cuts[::2], cuts[1::2])]


def _read(text: str) -> Condition:
    if match := _CHAIN.match(text):
        return _chain(text, match)
    if match := _RELATION.search(text):
        name, value = text[: match.start()].strip(" ("), text[match.end() :].strip(" )")
        relation = _RELATIONS.get(match.group(1), match.group(1))
        if name and value and len(name) <= 40:
            low, high, unit = _value(value)
            return Condition(text, name, relation, low, high, unit)
        return Condition(text)
    quantity = parse_quantity(text)
    if quantity is not None and quantity.unit == "\u00b0C":
        return Condition(text, "T", "=", quantity.low, quantity.high, quantity.unit)
    if (match := _BARE.match(text)) and (quantity := parse_quantity(match["value"])) is not None and quantity.unit:
        return Condition(
            text, match["name"], quantity.relation.strip("\u00b1~") or "=", quantity.low, quantity.high, quantity.unit
        )
    if quantity is not None and quantity.unit:
        return Condition(
            text, "", quantity.relation.strip("\u00b1~") or "=", quantity.low, quantity.high, quantity.unit
        )
    return Condition(text)


def _chain(text: str, match: re.Match[str]) -> Condition:
    low, high = parse_quantity(match["low"]), parse_quantity(match["high"])
    unit = (high or low).unit if (high or low) else ""  # type: ignore[union-attr]
    if low is not None and high is not None and low.unit != high.unit and not low.unit:
        low = parse_quantity(match["low"], high.printed)
    return Condition(text, match["name"], "=", low.low if low else None, high.high if high else None, unit)


def _value(text: str) -> tuple[float | None, float | None, str]:
    quantity = parse_quantity(text)
    if quantity is None and (mentions := find_quantities(text)) and mentions[0].start <= 1:
        rest = prepare(text)[mentions[0].end :]
        # "10 kΩ to GND" is a value with words; "5 V - 0.3 VCC" is an expression
        quantity = None if re.match(r"\s*[-+*/xX\u00b7]\s*[\dA-Z]", rest) else mentions[0].quantity
    return (None, None, "") if quantity is None else (quantity.low, quantity.high, quantity.unit)


def names_temperature(condition: Condition) -> bool:
    return condition.unit == "\u00b0C" or quantity_key(condition.quantity) in (
        "ta",
        "tj",
        "tc",
        "tamb",
        "t",
        "topr",
        "temp",
    )


def is_condition_like(text: str) -> bool:
    """Whether a header or section title is nothing but conditions ("VCC = 5 V", "-40 °C to +85 °C")."""
    read = parse_conditions(text)
    return bool(read) and all(condition.relation and condition.low is not None for condition in read)


def stated_conditions(text: str) -> tuple[Condition, ...]:
    """The readable conditions of a title or a sentence, words around them dropped."""
    body = re.sub(r"\s+", " ", text)
    found: list[Condition] = []
    for match in _STATED.finditer(body):
        value = re.split(r"[,;<>=\u2264\u2265]", body[match.end() : match.end() + 48])[0]
        mentions = find_quantities(value)
        if mentions and mentions[0].start <= 1:
            first = mentions[0]
            shown = value[: first.end] if len(prepare(value)) == len(value) else first.text
            relation = _RELATIONS.get(match["relation"], match["relation"])
            quantity = first.quantity
            if len(mentions) > 1 and _TO.fullmatch(value[first.end : mentions[1].start]):
                whole = value[: mentions[1].end].strip()
                spanned = parse_quantity(whole)
                if spanned is not None and spanned.low < spanned.high:
                    shown, quantity = whole, spanned
            raw = match.group().strip() + (" " if match.group().endswith(" ") else "") + shown.strip()
            found.append(Condition(raw, match["name"], relation, quantity.low, quantity.high, quantity.unit))
    return tuple(found)


def merge(own: Sequence[Condition], *inherited: Iterable[Condition]) -> tuple[Condition, ...]:
    """Own conditions first; an inherited one on a quantity that is already set does not apply."""
    merged = list(own)
    taken = {_slot(condition) for condition in own}
    for level in inherited:
        fresh = [condition for condition in level if _slot(condition) not in taken]
        merged.extend(fresh)
        taken |= {_slot(condition) for condition in fresh}
    return tuple(merged)


def _slot(condition: Condition) -> str:
    if names_temperature(condition) and quantity_key(condition.quantity) in ("t", "ta", "tamb", "temp", "topr"):
        return "temperature"
    return quantity_key(condition.quantity) if condition.quantity else condition.raw.casefold()
