"""Text to terms, for engineers: part numbers, signs, decimals and units survive whole and in parts.

The same analysis serves documents and queries, so nothing in a query can be syntax. A *term* holds no white space.
`=` in front marks a whole printed token that also yields parts: it lets the exact part number win over its relatives.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.core.text import fold_case, plain_number

EXACT = "="
_CJK = (
    "\u3040-\u30ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # han
    "\uac00-\ud7af"  # hangul
    "\U00020000-\U0002fa1f"
)
_CJK_RUN = re.compile(f"[{_CJK}]+")
_PLAIN = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"[-+±]?\d+(?:[.,]\d+)*")
_QUANTITY = re.compile(r"(?P<number>[-+±]?\d+(?:[.,]\d+)*)(?P<unit>[a-z°%Ω/²³^]{1,6}\d?)")
_BASE_UNIT = (
    r"(?:[munpkgt]?(?:v|a|w|hz|f|h|s|ohm|c|k|m|g|b|db|bit|bits|bps|sps|pa|bar|in|mil|ppm|dbm|vrms|vpp|va|wh|ah|ev)"
    r"|°c|°f|°|%|min|sec|hour)"
)
_UNIT = re.compile(rf"{_BASE_UNIT}(?:/{_BASE_UNIT})?(?![a-z])")
_SPAN = re.compile(
    r"(?P<first>[-+±]?\d+(?:[.,]\d+)*)(?P<unit>[a-z°%/]{1,6})?(?P<between>[-~/])"
    r"(?P<last>[-+±]?\d+(?:[.,]\d+)*)(?P<last_unit>[a-z°%/]{1,6})"
)
"""`2.7v-5.5v`, `2.7-5.5v`, `5v/12v`: two quantities, of which the first may lend the unit of the second."""
_CODED = re.compile(r"(?P<whole>\d+)(?P<unit>[vkmr])(?P<part>\d{1,2})")
"""`3V3` is 3.3 V, `4k7` is 4.7 k, `2R2` is 2.2 ohm (IEC 60062)."""
_SIGNED = re.compile(r"[a-z0-9]+(?:\+\+?|--?)$")
"""`V+` and `V-`, `IN-`, `D+`: pins that differ by their sign alone."""
_PLUS_MINUS = re.compile(r"(?:\+/?-|±)\s*(?=\.?\d)")
_BARE_POINT = re.compile(r"(?<![\w.,])([-+±]?)\.(?=\d)")
_TRAILING_ZEROS = re.compile(r"(\.\d*?)0+(?!\d)")
_PIECES = re.compile(r"[^\W_]+", re.UNICODE)
_BORDER = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_OUTER = "\"'`()[]{}<>,;:!?|*#~“”„«»…•·■□●○◆▪†‡§¶=\\"
_STANDARD_BODIES = frozenset(
    ("iec", "iso", "en", "ieee", "din", "ul", "mil", "mil-std", "jedec", "aec", "ansi", "rfc", "jesd", "ipc", "cispr")
)
_MAX_TERM = 80


def terms(text: str) -> list[str]:
    """All terms of a text in reading order, with repeats."""
    return list(_terms(clean(text)))


def clean(text: str) -> str:
    """Folded, without case, and without the half characters that no index can hold."""
    folded = fold_case(text)
    folded = folded if folded.isascii() else folded.encode("utf-8", "replace").decode("utf-8")
    if "." in folded:
        folded = _BARE_POINT.sub(r"\g<1>0.", folded)
    return _PLUS_MINUS.sub("±", folded) if "±" in folded or "+" in folded else folded


def _terms(folded: str) -> Iterator[str]:
    before = ""
    for chunk in folded.split():
        token = _bare(chunk)
        if not token:
            continue
        yield from _of_token(token)
        if signed := _SIGNED.search(chunk.strip(_OUTER)):
            yield EXACT + signed.group()[-_MAX_TERM + 1 :]
        yield from _joined(before, token)
        before = token


def _bare(chunk: str) -> str:
    """A chunk without the punctuation around it, but with its sign, degree and percent marks."""
    token = chunk.strip(_OUTER)
    token = token.rstrip("./-+_&")
    if token.startswith((".", "/", "_", "&")):
        token = token.lstrip("./_&")
    if token[:1] in "-+±" and not (len(token) > 1 and (token[1].isdigit() or token[1] == ".")):
        token = token.lstrip("-+±")
    return token[: _MAX_TERM * 3]


@lru_cache(maxsize=100_000)
def _of_token(token: str) -> tuple[str, ...]:
    if _PLAIN.fullmatch(token):
        return (stem(token),)
    found: dict[str, None] = {}
    for part in _split_cjk(token):
        for term in _bigrams(part) if _CJK_RUN.fullmatch(part) else _of_part(part):
            if term:
                found.setdefault(term[:_MAX_TERM])
    return tuple(found)


def _split_cjk(token: str) -> Iterable[str]:
    if not _CJK_RUN.search(token):
        return (token,)
    return (part for part in re.split(f"([{_CJK}]+)", token) if part)


def _bigrams(run: str) -> Iterable[str]:
    if len(run) == 1:
        return (run,)
    return (run[n : n + 2] for n in range(len(run) - 1))


def _of_part(part: str) -> Iterator[str]:
    number = _NUMBER.fullmatch(part)
    quantity = None if number else _QUANTITY.fullmatch(part)
    if number:
        yield from _number(part)
    elif quantity and _UNIT.fullmatch(quantity["unit"]):
        yield from _quantity(quantity["number"], quantity["unit"])
    elif _UNIT.fullmatch(part) and not part.isalpha():
        yield part
    elif (span := _SPAN.fullmatch(part)) and _is_span(span):
        yield EXACT + part
        yield from _quantity(span["first"], span["unit"] or span["last_unit"])
        yield from _quantity(span["last"], span["last_unit"])
    else:
        yield from _word_or_identifier(part)
        if coded := _CODED.fullmatch(part):
            unit = "ohm" if coded["unit"] == "r" else coded["unit"]
            yield from _quantity(f"{coded['whole']}.{coded['part']}", unit)


def _is_span(span: re.Match[str]) -> bool:
    units = [unit for unit in (span["unit"], span["last_unit"]) if unit]
    return all(_UNIT.fullmatch(unit) for unit in units) and (span["between"] != "/" or len(units) == 2)


def _quantity(number: str, unit: str) -> Iterator[str]:
    yield from _number(number)
    yield unit
    for form in _forms(number):
        yield form + unit


def _number(number: str) -> Iterator[str]:
    yield from _forms(number)
    unsigned = number.lstrip("-+±")
    if unsigned != number:
        yield from _forms(unsigned)


def _forms(number: str) -> Iterator[str]:
    """A number as printed, then as others print it: 50,000 is 50000, and 5.0 is found by who asks for 5."""
    yield number
    sign = number[: len(number) - len(number.lstrip("-+±"))]
    plain = sign + plain_number(number[len(sign) :])
    if plain != number:
        yield plain
    short = _TRAILING_ZEROS.sub(r"\1", plain).rstrip(".") if plain.count(".") == 1 else plain
    if short != plain:
        yield short


def _word_or_identifier(part: str) -> Iterator[str]:
    pieces = _PIECES.findall(part)
    if not pieces:
        yield part
        return
    if len(pieces) == 1 and pieces[0] == part and not any(c.isdigit() for c in part):
        yield stem(_without_marks(part))
        return
    yield EXACT + part
    if len(pieces) > 1:
        yield part
        yield "".join(pieces)
    for piece in pieces:
        yield piece if any(c.isdigit() for c in piece) else stem(_without_marks(piece))
        borders = _BORDER.findall(piece)
        if len(borders) > 1:
            yield from borders


def _joined(before: str, token: str) -> Iterator[str]:
    """Terms across a blank: `-40 °C`, `IEC 60601-1-2`, `LM317 -N`."""
    if not before:
        return
    if _NUMBER.fullmatch(before) and _UNIT.fullmatch(token):
        for form in _forms(before):
            yield form + token
    elif before in _STANDARD_BODIES and any(c.isdigit() for c in token):
        yield f"{before}{token}"
        yield f"{EXACT}{before}-{token}"


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Harman's weak stemmer: plurals only, so that no two different names meet."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word


def _without_marks(word: str) -> str:
    """`größe` -> `grosse`-like matching is not attempted; accents are dropped so that both spellings meet."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))
