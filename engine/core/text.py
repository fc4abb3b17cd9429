"""One folding of text for search and verification, and what counts as an identifier or a quantity.

Engineers type `u` for µ and `ohm` for Ω; PDFs hold ligatures, no-break spaces, soft hyphens and four kinds of minus.
Both sides of every comparison go through :func:`fold`; what is shown stays as printed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_SPACES = dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_NOTHING = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), "")
_MINUS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-")
_SIGNS = {
    ord("\u00b5"): "u",
    ord("\u03bc"): "u",
    ord("\u2126"): "ohm",
    ord("\u03a9"): "ohm",
    ord("\u2018"): "'",
    ord("\u2019"): "'",
    ord("\u201c"): '"',
    ord("\u201d"): '"',
    ord("\u00d7"): "x",
    ord("\u2044"): "/",
    ord("\u02da"): "\u00b0",
    ord("\u00ba"): "\u00b0",
    ord("\u2264"): "<=",
    ord("\u2265"): ">=",
}
_FOLDING = _SPACES | _NOTHING | _MINUS | _SIGNS
_FOLDED = re.compile("[" + "".join(map(re.escape, map(chr, _FOLDING))) + "]")
"""str.translate looks every character up; few texts hold more than a handful of these."""
_NO_KEY = re.compile(r"[\W_]+")
_ASCII_MARKS = {code: None for code in range(128) if not chr(code).isalnum()}

_IDENTIFIER = re.compile(
    r"""(?<![A-Za-z0-9])
    (?=[A-Za-z0-9/._+-]*[0-9])            # a digit somewhere
    (?=[A-Za-z0-9/._+-]*[A-Za-z])         # and a letter somewhere
    [A-Za-z0-9]+(?:[-/._+][A-Za-z0-9]+)*
    (?![A-Za-z0-9])""",
    re.VERBOSE,
)
_STANDARD = re.compile(
    r"\b(?:IEC|ISO|EN|IEEE|DIN|UL|MIL-STD|MIL-PRF|JEDEC|AEC|ANSI|RFC|JESD|CISPR|ITU-T|RS|EIA|TIA)"
    r"[ -]?[A-Z]?[0-9]+(?:[-./][0-9A-Za-z]+)*"
)
_UNIT = (
    r"[munpfkMGT]?(?:V(?:p-?p|rms|dc|ac)?|A|W|Hz|HZ|hz|F|H|s|S|m|g|J|N|Pa|K|C|B|b|bit|Bit|byte|Byte|baud|ohm|Ohm|R|"
    r"eV|VA|Ah|Wh|bps|sps|SPS|rpm|RPM|Vdc|Sa/s|words?|cycles?)s?"
    r"|(?:MHZ|KHZ|GHZ|khz|mhz|KHz|KB|KHz|Kbps|kbps|Mbps|ksps|Msps|Kbits?|Kbytes?|Mbits?|Mbytes?)"
    r"|dB[mciVuW]?|ppm|ppb|deg|in|inch|mil|mils|min|h|hrs?|yr|rev|sec|msec|usec|nsec|dpi|px|pins?|x|X"
    r"|k|K|M|G|u|n|p|th|st|nd|rd"
)
_NUMBER = r"[0-9]+(?:[.,][0-9]+)*"
_QUANTITY_TOKEN = re.compile(rf"{_NUMBER}(?:{_UNIT})?(?:[-/](?:{_NUMBER})?(?:{_UNIT}))*")
_COMPOUND = re.compile(
    r"[0-9]+(?:[.,][0-9]+)*(?:-?[A-Za-z]{1,3})?(?:-[A-Za-z]?[a-z]+)+|[0-9]+[a-z]+|[0-9]+(?:[xX][0-9]+)+"
)
"""`16-bit`, `3-wire`, `1.8V-tolerant`, `5digit`, `16x2`: counts, not names."""
_COMPOUND_PAIR = re.compile(r"[0-9]+(?:-[A-Za-z]+)?(?:/[0-9]+(?:-[A-Za-z]+)?)+")
"""`16-bit/32-bit`, `4-channel/8-channel`, `16/32-bit`."""
_DATE = re.compile(
    r"[0-9]{1,2}-?(?:JAN|FEB|MAR|APR|MAY|JUNE?|JULY?|AUG|SEPT?|OCT|NOV|DEC)[A-Z]*-?[0-9]{2,4}", re.IGNORECASE
)
_ADJECTIVE = re.compile(r"-(?:based|compatible|like|style|series|family|type|only|free|pin|bit|wire)$", re.IGNORECASE)
"""`HD44780-based` names the HD44780."""
_HEXADECIMAL = re.compile(r"0[xX][0-9A-Fa-f]+|[0-9][0-9A-Fa-f]*[hH]|[01]{4,}[bB]")
_SPAN_END = re.compile(rf"(?:{_UNIT})-{_NUMBER}")
_AFTER_NUMBER = re.compile(r"[0-9] ?$")
"""`4 mA-20 mA`: what stands between the blanks is a unit and the next number."""
_COUNTS = (_QUANTITY_TOKEN, _COMPOUND, _COMPOUND_PAIR, _HEXADECIMAL, _DATE)

_QUANTITY = re.compile(
    rf"""(?<![A-Za-z0-9_.,])
    (?P<sign>\+/-|[+\-\u00b1])?[ ]?
    (?P<number>{_NUMBER})
    (?:[ ]?(?P<unit>%|\u00b0[ ]?[CFK]?\b|[munpfkMG]?ohms?\b|
        (?:{_UNIT})(?:/[\u00b0]?[A-Za-z]+)?(?![A-Za-z0-9])))?
    (?![A-Za-z0-9])""",
    re.VERBOSE,
)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")


_RANGE = re.compile(r"(?P<stem>[A-Za-z][A-Za-z0-9]*?[A-Za-z])(?P<first>[0-9]{3,})-(?P<last>[0-9]{3,})")
_LONGEST_RANGE = 20
_PART_HEAD = re.compile(r"[A-Za-z]{2,}[0-9]+[A-Za-z0-9-]*$|[0-9]{2}[A-Z]+[0-9]+[A-Z]*$")
_DIGIT_MEMBER = re.compile(r"(?P<digits>[0-9]+)[A-Za-z]{0,3}")
_LAST_DIGITS = re.compile(r"(?P<digits>[0-9]+)[A-Za-z]{0,3}(?:-[A-Za-z0-9]+)?$")
_SLIPPED_BLANK = re.compile(r"(?<=[A-Za-z0-9][0-9]) +-(?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in folded text: `text` whole, `number` without thousands separators, `unit` or ""."""

    text: str
    number: str
    unit: str
    start: int


def fold(text: str) -> str:
    """Compatibility-normalise, unify spaces, dashes, micro, ohm and quotes; keep case and line structure as spaces."""
    if text.isascii():
        return " ".join(text.split())
    unified = _FOLDED.sub(_folded, unicodedata.normalize("NFKC", _FOLDED.sub(_folded, text)))
    return " ".join(unified.split())


def _folded(match: re.Match[str]) -> str:
    return _FOLDING[ord(match.group())]


def fold_case(text: str) -> str:
    """:func:`fold`, then without case: the form in which texts are compared."""
    return fold(text).casefold()


def identifiers(text: str) -> list[str]:
    """Part numbers, standards, registers and pins in reading order, as printed after folding, without repeats.

    `5V`, `100kHz`, `16-bit`, `0x20` and `2nd` are quantities or counts, not identifiers.
    """
    found: dict[str, None] = {}
    for token in _identifier_tokens(fold(text)):
        found.setdefault(token)
    return list(found)


def mend_parts(question: str) -> str:
    """Folded, with the blank gone that slipped into a part number: `LM317 -N` is LM317-N."""
    return _SLIPPED_BLANK.sub("-", fold(question))


def is_identifier(token: str) -> bool:
    """True if the whole of `token` is one identifier."""
    return identifiers(token) == [fold(token)]


def part_key(name: str) -> str:
    """The form in which spellings of one identifier agree: `LM317-N`, `lm317 n` and `LM317_N` are `LM317N`."""
    return key_of_folded(fold(name))


def key_of_folded(folded: str) -> str:
    """:func:`part_key` of a text that is folded already."""
    upper = folded.upper()
    return upper.translate(_ASCII_MARKS) if upper.isascii() else _NO_KEY.sub("", upper)


def expand_list(token: str) -> list[str]:
    """The identifiers a slash list stands for: `LPC2141/42/44` -> LPC2141, LPC2142, LPC2144; `BC546-550` likewise.

    A member is completed from the one before it when it is shorter and of digits (`BC556/557`) or of digits and
    letters where those end the first (`LM124A/224A`); members that are names themselves stay (`CD4049UB/CD4050B`).
    A token that is no list is returned alone.
    """
    folded = fold(token)
    if match := _RANGE.fullmatch(folded):
        return _expand_range(match["stem"], match["first"], match["last"]) or [folded]
    first, *rest = folded.split("/")
    if not rest or not first or not all(rest):
        return [folded]
    members = [first]
    for member in rest:
        completed = _complete(members[-1], member)
        if not completed:
            return [folded]
        members.append(completed)
    return members


def _expand_range(stem: str, first: str, last: str) -> list[str]:
    if len(last) != len(first):  # `LM1117-33` is a voltage suffix, not a range
        return []
    low, high = int(first), int(last)
    if not 0 < high - low <= _LONGEST_RANGE:
        return []
    return [f"{stem}{number:0{len(first)}d}" for number in range(low, high + 1)]


def _complete(before: str, member: str) -> str:
    if _PART_HEAD.match(member):
        return member
    digits = _DIGIT_MEMBER.fullmatch(member)
    tail = _LAST_DIGITS.search(before)
    if digits is None or tail is None or len(digits["digits"]) > len(tail["digits"]):
        return ""
    keep = tail.start("digits") + len(tail["digits"]) - len(digits["digits"])
    return before[:keep] + member


def quantities(text: str) -> list[Quantity]:
    """Numbers with their units in reading order: "-40 °C", "±5 V", "0.1 %", "50,000", "8.192kHz".

    Digits inside identifiers ("LM317") are no quantities. A comma before exactly three digits separates thousands, any
    other comma is a decimal one ("4,7K").
    """
    found = []
    for match in _QUANTITY.finditer(fold(text)):
        sign = (match["sign"] or "").replace("+/-", "\u00b1")
        number = sign + plain_number(match["number"])
        found.append(Quantity(match.group().strip(), number, (match["unit"] or "").replace(" ", ""), match.start()))
    return found


def number_of(count: int, noun: str) -> str:
    """A count with its noun: "1 document", "2,100 documents"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def spoken_time(seconds: float) -> str:
    """A length of time as one says it: "40 s", "3 min", "1.5 h"."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 3600:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def plain_number(digits: str) -> str:
    """`50,000` -> `50000`, `4,7` -> `4.7`; other forms unchanged."""
    if _THOUSANDS.fullmatch(digits.split(".")[0]):
        return digits.replace(",", "")
    if digits.count(",") == 1 and "." not in digits:
        return digits.replace(",", ".")
    return digits


def _identifier_tokens(folded: str) -> Iterator[str]:
    standards = list(_STANDARD.finditer(folded))
    taken = [match.span() for match in standards]
    matches = standards + [m for m in _IDENTIFIER.finditer(folded) if not _inside(m.span(), taken)]
    for match in sorted(matches, key=lambda m: m.start()):
        token = _ADJECTIVE.sub("", match.group().rstrip("-/._+"))
        if _SPAN_END.fullmatch(token) and _AFTER_NUMBER.search(folded[: match.start()][-8:]):
            continue
        if len(token) >= 3 and not _is_count(token):
            yield token


def _inside(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in taken)


def _is_count(token: str) -> bool:
    return any(form.fullmatch(token) for form in _COUNTS)
