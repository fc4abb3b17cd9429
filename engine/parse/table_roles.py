"""What a column holds, read from its header words."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

from engine.core.model import ColumnRole
from engine.parse.glyphs import UNMAPPED

LIMITS = frozenset({ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX, ColumnRole.NOM})
VALUES = LIMITS | {ColumnRole.VALUE}

_MARKS = re.compile(r"\(\s*(?:note\s*)?\d{0,2}\s*\)|[*#†‡§¹²³.:]|\bnotes?\s+\d+\b", re.IGNORECASE)
_PLURAL = re.compile(r"\(s\)$", re.IGNORECASE)
_WORDS: dict[ColumnRole, tuple[str, ...]] = {
    ColumnRole.MIN: ("min", "minimum", "min value", "minimum value", "min limit", "最小", "最小值"),
    ColumnRole.TYP: ("typ", "typical", "typ value", "typical value", "typicals", "標準", "典型", "典型值"),
    ColumnRole.MAX: ("max", "maximum", "max value", "maximum value", "max limit", "最大", "最大值"),
    ColumnRole.NOM: ("nom", "nominal", "nominal value"),
    ColumnRole.UNIT: ("unit", "units", "unit s", "u/m", "uom", "einheit", "単位", "单位"),
    ColumnRole.SYMBOL: ("symbol", "symbols", "sym", "symb", "記号", "符号"),
    ColumnRole.PARAMETER: (
        "parameter", "parameters", "parameter name", "characteristic", "characteristics", "item", "items",
        "rating name", "specification", "parameter description", "項目", "参数",
    ),
    ColumnRole.CONDITION: (
        "condition", "conditions", "test condition", "test conditions", "conditions/comments", "comments/conditions",
        "condition/comment", "conditions/notes", "test condition/comment", "test conditions/comments",
        "測定条件", "条件", "测试条件",
    ),
    ColumnRole.VALUE: ("value", "values", "rating", "ratings", "limit", "limits", "数值", "規格値", "定格"),
    ColumnRole.NOTE: ("note", "notes", "remark", "remarks", "comment", "comments", "备注", "備考"),
}  # fmt: skip
_ROLE = {word: role for role, words in _WORDS.items() for word in words}
_ENDING = re.compile(
    r"(?:^|\s)(?P<limit>min|minimum|typ|typical|max|maximum|nom|nominal|unit|units|symbol|conditions?|parameters?|limits?|values?)$"
)
_BRACKET = re.compile(r"\s*[\[(][^\])]*[\])]$")
_LEADING = re.compile(r"(min|typ|max|nom)(?:imum|ical|inal)?\s+(?=[a-z-]*\d)")
"""A limit and the parts or the temperature it holds for: "Max BC548 / A / B / C"."""
_LONG = tuple(
    word
    for role in (*sorted(LIMITS), ColumnRole.PARAMETER, ColumnRole.SYMBOL, ColumnRole.CONDITION)
    for word in _WORDS[role]
    if word.isascii() and word.isalpha() and len(word) >= 6
)
_ALIKE = 0.8
"""Likeness from which a header is a known one with a slip of the pen ("Prameter", "Smybol")."""


def normal(text: str) -> str:
    """Header text without note marks, case and spare spaces."""
    bare = _PLURAL.sub("s", text.strip())
    return re.sub(r"\s+", " ", _MARKS.sub(" ", bare)).strip().casefold()


@lru_cache(maxsize=8192)
def role_of(text: str) -> ColumnRole:
    """The role a header names, OTHER if it names none.

    A limit word at the end ("25°C Max", "Limit (Min)") or a unit behind it ("Max (V)") still tells the limit.
    """
    name = normal(text)
    role = _ROLE.get(name) or _ROLE.get(_BRACKET.sub("", name))
    if role is None and len(name) < 40:
        inner = re.search(r"\((min|typ|max|nom)\.?\)", text, re.IGNORECASE)
        found = _ENDING.search(name)
        if inner:
            role = _ROLE[inner.group(1).casefold()]
        elif found and len(name.split()) <= 4:
            role = _ROLE.get(found.group("limit"))
        elif leading := _LEADING.match(name):
            role = _ROLE[leading.group(1)]
    return role or _slipped(name)


def _slipped(name: str) -> ColumnRole:
    """The role of a header word broken over two lines in a narrow column ("Minimu m") or misspelt."""
    whole = name.replace(" ", "")
    if len(name.split()) <= 2 and whole in _LONG:
        return _ROLE[whole]
    near = difflib.get_close_matches(name, _LONG, 1, _ALIKE) if name.isalpha() and len(name) >= 6 else []
    return _ROLE[near[0]] if near else ColumnRole.OTHER


_LABELS = frozenset(
    "name function functions description pin pins no number type mode bit bits register address code codes package "
    "version device devices order ordering part range reset access signal signals input inputs output outputs state "
    "marking status feature features command instruction operation level field direction i/o default dim dimension "
    "size speed class family option port qty quantity title definition revision date".split()
)


def is_label(text: str) -> bool:
    """Whether a cell reads as the header of a table without limits ("Pin No.", "Ordering Code")."""
    words = normal(text).split()
    return 0 < len(words) <= 4 and any(word.strip("()/,") in _LABELS for word in words)


def is_header_word(text: str) -> bool:
    """Whether the text alone is a limit table's column header."""
    return role_of(text) is not ColumnRole.OTHER


_NUMBER = re.compile(r"[-+−–±~≈<>≤≥]?\s*(?:\d[\d,]*\.?\d*|\.\d+)")
_BLANK_VALUE = re.compile(r"[-—–−.*]{1,4}|n/?a|note \d+", re.IGNORECASE)


def looks_numeric(text: str) -> bool:
    """A number, a number with a unit or expression, a dash: what stands in a value column."""
    text = text.strip()
    return bool(_BLANK_VALUE.fullmatch(text)) or (bool(_NUMBER.match(text)) and len(text.split()) <= 6)


_MICRO = re.compile(rf"{UNMAPPED}(?=[AsVFHWgm](?:\b|$|[/\s]))")
_OHM = re.compile(rf"(?<=[kKM]){UNMAPPED}$|^{UNMAPPED}$")


_CHAIN = re.compile(rf"(?<=[\dA-Z\u00b0])\s?{UNMAPPED}\s?(?P<name>[A-Z]\w{{0,6}})\s?{UNMAPPED}\s?(?=[-+]?[\d.])")


def named_glyphs(text: str, role: ColumnRole) -> str:
    """Glyphs without a meaning where their column leaves one only: µ and Ω in a unit, a dash for no limit.

    "2.7 V ? VDD ? 3.0 V" can only be a range.
    """
    if UNMAPPED not in text:
        return text
    text = _CHAIN.sub(" \u2264 \\g<name> \u2264 ", text)
    if role is ColumnRole.UNIT:
        return _OHM.sub("Ω", _MICRO.sub("µ", text))
    return "−" if text == UNMAPPED and role in LIMITS | {ColumnRole.CONDITION} else text
