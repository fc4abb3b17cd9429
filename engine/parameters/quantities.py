"""Numbers with units as datasheets print them: single values, ranges, tolerances, limits.

`parse_quantity` is strict: the whole text must be accounted for, so "VCC + 0.3 V", "0.7 VCC" and "see Figure 3" are
not numbers. Running text is scanned by `mentions`; answers are compared by `equality`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace

from engine.core.model import LimitKind
from engine.core.text import fold
from engine.parameters.units import Unit, fold_unit, parse_unit, to_common

_SUPERSCRIPT = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a", "0123456789-+")
_SUPERSCRIPTS = re.compile("(?<=10)[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207b\u207a]+")
_FRACTIONS = {"\u00bd": "1/2", "\u00bc": "1/4", "\u00be": "3/4", "\u215b": "1/8"}

NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|[1-9]\d{0,2}(?: 000)+(?![\d.,])|\d+(?:\.\d+)?|\.\d+|\d+,\d+)"
    r"(?:\s?[xX*]\s?10\s?(?:\^|\*\*)\s?[+-]?\d+|\s?[xX*]\s?10\s?[+-]\d+|[eE][+-]?\d+(?![A-Za-z]))?"
)
_DECIMAL_COMMA = r"\d+,(?:\d{1,2}|\d{4,})(?![\d,.])|0,\d+(?![\d,.])"
_POWER_OF_TEN = r"10\s?(?:\^|\*\*)\s?[+-]?\d+"
_FRACTION = r"(?:\d+\s)?[1-9]\d?/(?:2|3|4|5|8|10|16|32|64)(?![\d/.])"
VALUE = rf"(?:{_POWER_OF_TEN}|{_FRACTION}|{_DECIMAL_COMMA}|{NUMBER})"
_UNIT = r"[^\d\s,;:=<>~][^,;:=<>~]*?"
_SIGNED = re.compile(rf"(?P<sign>[+-]?)\s?(?P<number>{VALUE})\s?(?P<unit>{_UNIT})?")
_KILO = re.compile(r"(?P<whole>\d+)(?P<mark>[kKMRG])(?P<rest>\d+)")
_TRAILING = re.compile(r"\s+(?:range|supply|nominal value)$", re.IGNORECASE)
_RELATION = re.compile(r"^(<=|>=|<|>|=|~|\u2248|\u2245)\s*")
_LEADING = {
    **{
        "up to": "<=",
        "at most": "<=",
        "less than": "<",
        "below": "<",
        "under": "<",
        "at least": ">=",
        "more than": ">",
    },
    **{
        "over": ">",
        "above": ">",
        "greater than": ">",
        "approx.": "~",
        "approximately": "~",
        "approx": "~",
        "about": "~",
    },
    **{"ca.": "~", "typically": "~", "not more than": "<=", "no more than": "<=", "not less than": ">=", "circa": "~"},
    **{"maximum of": "<=", "minimum of": ">=", "exceeds": ">", "fewer than": "<", "no less than": ">="},
}
_LEADING_WORDS = re.compile(
    r"^(" + "|".join(re.escape(word) for word in sorted(_LEADING, key=len, reverse=True)) + r")\s+(?=[\d.+\-\u00b1])",
    re.IGNORECASE,
)
_LIMIT_WORD = r"(?:max(?:imum)?|min(?:imum)?|typ(?:ical)?|nom(?:inal)?)\.?"
_LIMIT_END = re.compile(rf"\s*[\(\[,]?\s*({_LIMIT_WORD})\s*[\)\]]?$", re.IGNORECASE)
_LIMIT_START = re.compile(rf"^({_LIMIT_WORD})\s*[:=]?\s+(?=[\d.+\-\u00b1])", re.IGNORECASE)
_FOOTNOTE_END = re.compile(
    r"\s*(\(\d{1,2}\)|\[\d{1,2}\]|\(note\s*\d{1,2}\)|note\s*\d{1,2}|[*\u2020\u2021]+|#)$", re.IGNORECASE
)
_FOOTNOTE_START = re.compile(r"^(\(\d{1,2}\)|\[\d{1,2}\])\s+")
_PLUS_MINUS = re.compile(r"\+\s*/\s*-|\+-|-/\+|\u2213")
_TO = re.compile(
    r"\s*(?:\.{2,3}|\u2026|~|\bto\b|\bthru\b|\bthrough\b)\s*|(?<=[\dA-Za-z%\u00b0.])\s*-\s*(?=[+-]?\.?\d)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"^(?:between\s+(.+?)\s+and\s+(.+)|from\s+(.+?)\s+to\s+(.+))$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value or range in the common form of its unit; `low == high` for a single value.

    `relation` is "", "<", "<=", ">", ">=", "~" or "±" (low and high are then magnitudes of a symmetric supply or, for a
    lone ±x, -x and +x). `limit` is the word printed with it ("750 ms (max)"). `number` and `printed` are the first
    number and unit as printed; `notes` the footnote marks taken off.
    """

    low: float
    high: float
    unit: str
    relation: str = ""
    limit: LimitKind | None = None
    number: float = 0.0
    printed: str = ""
    notes: tuple[str, ...] = ()


def prepare(text: str) -> str:
    """Fold, with powers of ten kept as powers and one form of plus-minus."""
    marked = _SUPERSCRIPTS.sub(lambda match: "^" + match.group().translate(_SUPERSCRIPT), text)
    for sign, plain in _FRACTIONS.items():
        marked = marked.replace(sign, plain)
    return _PLUS_MINUS.sub("\u00b1", fold(marked))


def read_number(text: str) -> float:
    """A printed number without sign or unit: "1,000", "4,7", "50 000", "1.5 x 10^3", "1/2"."""
    compact = re.sub(r"\s?[xX*]\s?10\s?(?:\^|\*\*)?\s?(?=[+-]?\d)", "e", text) if "10" in text[1:] else text
    if match := re.fullmatch(r"10\s?(?:\^|\*\*)\s?([+-]?\d+)", text):
        return float(10.0 ** int(match.group(1)))
    if "/" in text:
        whole, _, fraction = text.rpartition(" ")
        top, _, bottom = fraction.partition("/")
        return (float(whole) if whole else 0.0) + int(top) / int(bottom)
    if re.fullmatch(_DECIMAL_COMMA, text):
        return float(text.replace(",", "."))
    return float(compact.replace(",", "").replace(" ", ""))


@dataclass(frozen=True, slots=True)
class _Single:
    number: float
    scale: float
    unit: Unit | None
    printed: str


def _magnitude_suffix(unit: str, glued: bool) -> tuple[float, str] | None:
    """ "4.7K" is 4,700 of whatever the column says; "10 K" with a space is kelvin."""
    scale = {"k": 1e3, "M": 1e6, "G": 1e9, "u": 1e-6, "n": 1e-9, "p": 1e-12, "meg": 1e6, "Meg": 1e6}.get(unit)
    if scale is not None:
        return scale, ""
    return (1e3, "") if unit == "K" and glued else None


def _spaced_prefix(unit: str) -> Unit | None:
    """ "K bytes", "k RPM": a prefix that was printed with the number."""
    match = re.fullmatch(r"([kKMG])[ -](\S.*)", unit)
    return parse_unit(match.group(1) + match.group(2)) if match else None


def glued_unit(text: str) -> bool:
    """Whether letters glued to a number scale it ("4.7K", "64K bytes") rather than name something ("74F148")."""
    return _magnitude_suffix(text, True) is not None or _spaced_prefix(text) is not None


def _read_single(text: str) -> _Single | None:
    """One signed number with an optional unit, nothing else."""
    text = text.strip()
    if match := _KILO.fullmatch(text):
        value = float(f"{match['whole']}.{match['rest']}")
        return _Single(value, {"R": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}[match["mark"]], None, "")
    if (match := _SIGNED.fullmatch(text)) is None:
        return None
    number = read_number(match["number"]) * (-1.0 if match["sign"] == "-" else 1.0)
    unit_text = fold_unit(match["unit"] or "")
    if not unit_text:
        return _Single(number, 1.0, None, "")
    glued = match.end("number") == match.start("unit")
    if glued and unit_text in ("h", "H") and match["number"].isdigit():
        return None  # "22h" is as often a hexadecimal number as hours or henries
    if suffix := _magnitude_suffix(unit_text, glued):
        return _Single(number, suffix[0], None, "")
    unit = (_spaced_prefix(unit_text) if glued else None) or parse_unit(unit_text)
    return None if unit is None else _Single(number, 1.0, unit, unit_text)


def _common(single: _Single, unit: Unit) -> float:
    return to_common(single.number * single.scale, unit)


def _read_range(left: str, right: str, default: Unit) -> tuple[float, float, str, _Single] | None:
    low, high = _read_single(left), _read_single(right)
    if low is None or high is None:
        return None
    shared = high.unit or low.unit or default
    low_unit, high_unit = low.unit or shared, high.unit or shared
    if low_unit.symbol != high_unit.symbol:
        return None
    if low.unit is None and low.scale == 1.0 and high.scale != 1.0:
        low = replace(low, scale=high.scale)
    first, second = _common(low, low_unit), _common(high, high_unit)
    printed = low if low.printed else replace(low, printed=high.printed)
    return first, second, high_unit.symbol, printed


def _plus_minus(text: str, default: Unit) -> Quantity | None:
    before, _, after = text.partition("\u00b1")
    before, after = before.strip(), after.strip()
    if not before:
        pieces = re.split(r"\s*(?:\bto\b|\.{2,3}|\u2026|~)\s*\u00b1|-\s*\u00b1", after)
        if len(pieces) == 2 and (ends := _read_range(pieces[0], pieces[1], default)):
            return Quantity(ends[0], ends[1], ends[2], "\u00b1", None, ends[3].number, ends[3].printed)
        single = _read_single(after)
        if single is None or len(pieces) != 1:
            return None
        unit = single.unit or default
        size = abs(to_common(single.number * single.scale, replace(unit, offset=0.0)))
        return Quantity(-size, size, unit.symbol, "\u00b1", None, single.number, single.printed)
    centre, spread = _read_single(before), _read_single(after)
    if centre is None or spread is None:
        return None
    unit = centre.unit or spread.unit or default
    if spread.unit is not None and spread.unit.symbol == "1" and unit.symbol != "1":
        middle = _common(centre, unit)
        size = abs(middle) * spread.unit.factor * spread.number
    elif spread.unit is not None and spread.unit.symbol == "1" and centre.unit is None:
        unit = default
        middle = _common(centre, unit)
        size = abs(middle) * spread.unit.factor * spread.number
    else:
        middle = _common(centre, unit)
        size = to_common(spread.number * spread.scale, replace(spread.unit or unit, offset=0.0))
    return Quantity(
        float(f"{middle - size:.12g}"),
        float(f"{middle + size:.12g}"),
        unit.symbol,
        "",
        None,
        centre.number,
        centre.printed,
    )


def _strip_marks(text: str) -> tuple[str, LimitKind | None, str, tuple[str, ...]]:
    """Take off footnote marks, limit words and relation words: (rest, limit, relation, marks)."""
    notes: list[str] = []
    limit: LimitKind | None = None
    relation = ""
    while match := _FOOTNOTE_END.search(text):
        if not text[: match.start()].strip():
            break
        notes.append(match.group(1))
        text = text[: match.start()]
    text = _TRAILING.sub("", text)
    if match := _FOOTNOTE_START.match(text):
        notes.append(match.group(1))
        text = text[match.end() :]
    for pattern in (_LIMIT_END, _LIMIT_START):
        if match := pattern.search(text):
            rest = text[: match.start()] if pattern is _LIMIT_END else text[match.end() :]
            if rest.strip():
                limit, text = LimitKind(match.group(1).casefold()[:3]), rest
    if match := _RELATION.match(text):
        relation, text = (
            {"=": "", "\u2248": "~", "\u2245": "~"}.get(match.group(1), match.group(1)),
            text[match.end() :],
        )
    elif match := _LEADING_WORDS.match(text):
        relation, text = _LEADING[match.group(1).casefold()], text[match.end() :]
    return text.strip(), limit, relation, tuple(notes)


@functools.lru_cache(maxsize=16384)
def parse_quantity(text: str, unit: str = "") -> Quantity | None:
    """Read a cell's text as a value; `unit` is the unit column's, used where the cell prints none.

    None for blanks, dashes, symbolic expressions and words. An unknown `unit` becomes its own symbol.
    """
    default = parse_unit(unit) or Unit(fold_unit(unit))
    body, limit, relation, notes = _strip_marks(prepare(text))
    if not body or not any(char.isdigit() for char in body):
        return None
    found = _read_body(body, default)
    if found is None:
        return None
    return replace(found, relation=found.relation or relation, limit=limit, notes=notes)


def _read_body(body: str, default: Unit) -> Quantity | None:
    if "\u00b1" in body:
        return _plus_minus(body, default)
    if (single := _read_single(body)) is not None:
        unit = single.unit or default
        value = _common(single, unit)
        return Quantity(value, value, unit.symbol, "", None, single.number, single.printed)
    if match := _BETWEEN.match(body):
        left, right = (match.group(1), match.group(2)) if match.group(1) else (match.group(3), match.group(4))
        pairs = [(left, right)]
    else:
        pairs = [(body[: gap.start()], body[gap.end() :]) for gap in _TO.finditer(body)]
    for left, right in pairs:
        if left.strip() and right.strip() and (ends := _read_range(left, right, default)):
            return Quantity(ends[0], ends[1], ends[2], "", None, ends[3].number, ends[3].printed)
    return None
