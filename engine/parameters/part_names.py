"""Part numbers in column headers, row keys and questions, and which parts a document's table speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from engine.core.text import fold

_PART = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z0-9-]*\d{2})"
    r"(?:[A-Za-z]{1,6}-?\d{1,6}[A-Za-z0-9]*(?:[-/][A-Za-z0-9]+)*|\d{1,2}[A-Za-z]{1,5}\d{2,5}[A-Za-z0-9-]*)"
    r"(?![A-Za-z0-9])"
)
_STACK = re.compile(r"(?:(?:^|\s+)[A-Z0-9]*\d[A-Z0-9-]*(?:\s*[;,/&]\s*[A-Z0-9]*\d[A-Z0-9-]*)*){2,}\s*$")
_SHORTHAND = re.compile(r"(?<![\w.\-/])(\d{3,4}[A-C])(?![\w/])")
_SERIES = re.compile(r"(?<![A-Za-z0-9])\d{2}[A-Z]{1,4}(?![A-Za-z0-9])")
_LABEL = re.compile(r"(?<=[A-Za-z])\s+(?P<figures>\d{3,5})$")
_SPACED = re.compile(r"(?<=[A-Za-z0-9])\s+/\s+(?=[A-Z]{1,2}(?![A-Za-z0-9]))")
""" "BC548 / A / B / C" lists suffixes."""
_SEPARATORS = frozenset(" -_/.()")
_FAMILY = 3
"""Letters that parts of one family share."""
_MAKERS = 4
"""Most letters a maker puts in front of a name that begins with figures."""
_RANGE = re.compile(r"([A-Za-z]{2,6})(\d{3,4})-(\d{3,4})")
_LETTERS_FIRST = re.compile(
    r"^(?:[A-Z]{2,6}-?\d{2,}|[A-Z]{2,5}\d[A-Z]+\d+|[A-Z]\d{4,}|[A-Z]\d[A-Z]\d{2,}|\d{2}[A-Z]{1,5}\d{2,}|\d[A-Z]\d{3,}|[A-Z]\d{3,}[A-Z])"
)
_QUANTITY_LIKE = re.compile(r"^\d+(?:[kKMGmunp]?(?:Hz|V|A|W|F|H|s|bit|B|SPS|Bps)|[kKM])\d{0,2}$", re.IGNORECASE)
_UNIT_RANGE = re.compile(
    r"^(?:[numkMGp\u00b5]?(?:A|V|W|Hz|F|H|s|m|bps|Bps|SPS)|dBm?|ppm|[kKMG]?(?:bits?|bytes?|B)|Ohms?)-\d"
)
""" "mA-20" of "4 mA-20 mA" is a unit and the next number."""
_SIGNAL = re.compile(
    r"^(?:(?:RS|P[A-K]?|D[BQ]?|A|AD|IN|OUT|GPIO|T|R|C|Q|IO|CH|INT|IRQ|TP|U|X|FIG|NOTE|PIN|BIT|TABLE|REV|ROW)-?\d{1,2}[A-Z]?"
    r"|(?:ISO|IEC|EN|UL|MIL|UTF|USB|CRC|AES|RS)-?\d{1,5}"
    r"|(?:DIP|SOIC?|SO|TSSOP|PLCC|TQFP|LQFP|QFP|SOT|TO|MSOP|PDIP|CDIP|SSOP|QFN|DFN|BGA|SC|SOP)-?\d{1,3}[A-Z]?)$"
)


@lru_cache(maxsize=65536)
def bare(part: str) -> str:
    """A part number as it is compared: upper case, no dashes, spaces or slashes."""
    return re.sub(r"[\s\-_/.()]", "", fold(part)).upper()


def looks_like_part(token: str) -> bool:
    """Letters and at least two figures in the way of device names; no quantity, signal or package."""
    upper = fold(token).upper()
    odd = _QUANTITY_LIKE.match(upper) or _SIGNAL.match(upper) or _UNIT_RANGE.match(fold(token))
    return bool(_LETTERS_FIRST.match(upper)) and not odd


def part_tokens(text: str) -> tuple[str, ...]:
    """Device names in reading order; "AT89C51/52" and "BC546/547/548" are written out."""
    found: dict[str, None] = {}
    for match in _PART.finditer(_SPACED.sub("/", fold(text))):
        if listed := _RANGE.fullmatch(match.group()):
            found.update(dict.fromkeys(_numbered(listed)))
            continue
        pieces = match.group().split("/")
        if not looks_like_part(pieces[0]):
            continue
        found.setdefault(pieces[0])
        for piece in pieces[1:]:
            found.setdefault(_written_out(pieces[0], piece))
    return tuple(found)


def _meant(token: str, known: tuple[str, ...]) -> list[str]:
    """The part that "548A" stands for in a sheet about the BC548A, or about the BC548 of which it is a grade."""
    whole = [part for part in known if bare(part).endswith(token.upper()) and bare(part) != token.upper()]
    figures = re.match(r"\d+", token)
    base = [part for part in known if figures and bare(part).endswith(figures.group())]
    return whole[:1] or [f"{base[0]}{token[len(figures.group()) :]}" if figures else base[0] for _ in base[:1]]


def _numbered(listed: re.Match[str]) -> list[str]:
    """BC546-550 is BC546, BC547 ... BC550; a suffix of other length or a long run is one name."""
    stem, first, last = listed.groups()
    if len(first) == len(last) and 0 < int(last) - int(first) <= 12:
        return [f"{stem}{number:0{len(first)}d}" for number in range(int(first), int(last) + 1)]
    return [listed.group()]


def _written_out(first: str, rest: str) -> str:
    """The part that "/52" stands for after AT89C51: its last figures or its suffix replaced."""
    if looks_like_part(rest):
        return rest
    stem = re.match(r"^(.*?\d)(\d*)([A-Za-z]*)$", first)
    core = re.sub(r"[A-Za-z]*$", "", first)
    if rest.isalpha() and core:
        return core + rest
    digits = re.match(r"^\d+", rest)
    if stem and digits:
        return core[: -len(digits.group())] + rest if core[-len(digits.group()) :].isdigit() else first + "/" + rest
    return f"{first}/{rest}"


def is_variant(token: str, part: str) -> bool:
    """Whether `token` is `part` with a suffix or grade (LM317L of LM317, AT89S51-24PC of AT89S51), or the part itself.

    A longer number is another part: LM3170 is no variant of LM317.
    """
    base = bare(part)
    if len(base) < 3:
        return False
    name = fold(token).upper()
    if base[0].isdigit():
        # A name that begins with figures (74HC147) is printed with its maker's letters in front (SN74HC147) as well.
        letters = len(name) - len(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        if letters <= _MAKERS and _begins(name[letters:], base):
            return True
    return _begins(name, base)


def _begins(name: str, base: str) -> bool:
    """Whether `name` begins with `base`, separators aside, and does not go on with a figure."""
    at = 0
    for wanted in base:
        while at < len(name) and name[at] in _SEPARATORS:
            at += 1
        if at >= len(name) or name[at] != wanted:
            return False
        at += 1
    return not name[at : at + 1].isdigit()


def parts_named(text: str, about: Iterable[str]) -> tuple[str, ...]:
    """Variants of the document's own parts that a header or key names."""
    known = tuple(about)
    short = [part for token in _SHORTHAND.findall(fold(text)) for part in _meant(token, known)]
    return tuple(short) or tuple(
        token
        for token in part_tokens(text)
        if any(is_variant(token, part) or is_variant(part, token) for part in known)
    )


def series_named(text: str, about: Iterable[str]) -> tuple[str, ...]:
    """The document's parts of a series that a header names ("54HC", "74LS"), where others are of another series."""
    known = tuple(about)
    found = [re.escape(token) for token in _SERIES.findall(fold(text))]
    named = tuple(part for part in known if any(re.search(rf"{token}\d", bare(part)) for token in found))
    return named if len(named) < len(known) else ()


def labelled_part(text: str, about: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Take a part's bare figures off the end of a conditions cell: "IC = 2.0 mA 548" in the sheet of the BC548."""
    match = _LABEL.search(text)
    if match is None:
        return text, ()
    named = tuple(part for part in about if re.fullmatch(rf"[A-Z]+{match['figures']}", bare(part)))
    return (text[: match.start()], named) if named else (text, ())


def without_parts(text: str, about: Iterable[str], *, siblings: bool = False) -> tuple[str, tuple[str, ...]]:
    """Take the parts a row is for off its name: "Noise figure : BC549"; of "LM324/LM324A" an empty name is left.

    With `siblings` a name that is nothing but a part of the same family is one, known to the document or not.
    """
    tail = re.split(r"\s*[:\u2013\u2014]\s*|\s+-\s+", text)[-1]
    named = parts_named(tail, about)
    if named and not re.search(r"[a-z]{2,}", bare_parts(tail)):
        return text[: len(text) - len(tail)].rstrip(" :-\u2013\u2014"), named
    alone = part_tokens(text) if siblings and not re.search(r"[A-Za-z]", bare_parts(text)) else ()
    alone = tuple(part for part in alone if any(bare(part)[:_FAMILY] == bare(one)[:_FAMILY] for one in about))
    return ("", alone) if alone else (text, ())


def stacked_parts(text: str, about: Iterable[str]) -> tuple[str, list[tuple[str, ...]]]:
    """A name with several lines of parts behind it ("DC current gain BC556 BC557 BC556A"): the name and the lines.

    Parts joined by ; , / or & stand on one line. No lines where fewer than two are found.
    """
    known = tuple(about)
    match = _STACK.search(text)
    if match is None:
        return text, []
    lines = [parts_named(line, known) for line in re.split(r"(?<![;,/&])\s+(?![;,/&])", match.group().strip())]
    if len(lines) < 2 or not all(lines):
        return text, []
    return text[: match.start()].rstrip(" :,-"), lines


def bare_parts(text: str) -> str:
    """What is left of a text when device names and their suffix lists are taken out."""
    return re.sub(r"[A-Za-z]*\d[\w-]*(?:/\w+)*", " ", text)
