"""The names documents go by: parts they are about, titles, shorter forms, section titles that are names.

An entry's key is what names are compared in: :func:`part_key` for identifiers, the words of the folded, case-folded
text for phrases. Entries of a document depend on that document alone, so that adding or removing one never touches
another's (the mention index is incremental by construction).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.ports import NameEntry, NameKind
from engine.core.text import fold, identifiers, part_key

LONGEST_NAME = 14
"""Words; longer titles are known by their shorter forms only."""
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_DIVIDER = re.compile(r"\s*(?::|;|\s-\s|\s\u00b7\s|\|)\s*")
_CORE = re.compile(r"[A-Z]{1,5}([0-9]{2}[A-Z]{0,3}[0-9]{2,}[A-Z0-9]*|[0-9]{4,}[A-Z]{0,2})")
_SERIES = re.compile(r"(?:[A-Z]{1,3})?([57]4)[A-Z]{1,5}([0-9]{2,5})[A-Z]*")
"""Logic families: 74HC147 and 74F147 are both called 74147."""
_REGNAL = re.compile(r"((?:[^\W\d_]+ ){1,3}[IVX]+) of [A-Z]")
"""`Charles III of Spain` is called Charles III."""
_HONORIFIC = re.compile(
    r"^(?:(?:Grand )?(?:Prince|Princess|King|Queen|Emperor|Empress|Duke|Duchess|Count|Countess|Baron|Baroness|Lord|"
    r"Lady|Sir|Dame|Saint|St\.?|Dr\.?|Archduke|Archduchess|Infante|Infanta|Pope|President|General|Professor)) (?=[A-Z])"
)
_PHRASE_MARK = " "
_SHORTEST_NUMBER = 5
_LEAST_DIGITS = 3
_NO_NUMBER = re.compile(
    r"(?i:(?:rev|ver|iso|iec|en|www|v)[-._ ]?[0-9])|(?:19|20)[0-9]{2}(?![0-9])|.*[a-z]{3}|.*\D(?:19|20)[0-9]{2}$"
)
"""Revisions, dates, standards and words run together with a year stand in the running lines of many documents."""


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SMALL_WORDS = _word_set(
    "a an and as at by de der des di du for from in into la le of on or the to und van von vs with bin ibn al"
)


class Word(NamedTuple):
    """A word of folded text; `key` is its case-folded form. A tuple: a page has hundreds, and searching makes them."""

    key: str
    start: int
    end: int
    capital: bool


def words_of(folded: str) -> list[Word]:
    """The words of an already folded text; each CJK character is a word."""
    found = []
    for match in _WORD.finditer(folded):
        text, (start, end) = match.group(), match.span()
        found.append(Word(text.casefold(), start, end, not text[0].islower()))
    return found


def phrase_key(text: str) -> str:
    """`Princess Ra'ad (writer)` -> "princess ra ad writer"; never equal to a part key of several characters."""
    return _PHRASE_MARK.join(word.key for word in words_of(fold(text)))


def entries_of(
    document: DocumentId,
    title: str,
    parts: Sequence[str],
    segments: Iterable[Segment] = (),
    facts: Iterable[str] = (),
) -> tuple[NameEntry, ...]:
    """All names of one document, each key once with its strongest kind.

    `facts` are its running headers and footers: what number they carry on every page is the document's own
    ("SBOS032", "AN-1148"), by which other documents refer to it.
    """
    found: dict[tuple[str, str], NameEntry] = {}

    def add(key: str, name: str, kind: NameKind, segment: Segment | None = None) -> None:
        if key:
            entry = NameEntry(key, name, kind, document, segment.id if segment is not None else None)
            found.setdefault((key, "" if segment is None else segment.id), entry)

    for part in parts:
        add(part_key(part), part, NameKind.PART)
    for alias, named in [(alias, part) for part in parts for alias in _part_aliases(part_key(part))]:
        add(alias, named, NameKind.ALIAS)
    if _fits(title):
        add(phrase_key(title), title, NameKind.TITLE)
    for alias in _title_aliases(title):
        add(phrase_key(alias), alias, NameKind.ALIAS)
    for number in _document_numbers(facts):
        add(part_key(number), number, NameKind.ALIAS)
    known = {key for key, _ in found}
    for segment in _first_of_sections(segments):
        name = segment.path[-1]
        if _is_name(name) and phrase_key(name) not in known:
            add(phrase_key(name), name, NameKind.SECTION, segment)
    return tuple(found.values())


def _fits(title: str) -> bool:
    count = len(words_of(fold(title)))
    return 0 < count <= LONGEST_NAME and len(title) > 1


def _title_aliases(title: str) -> list[str]:
    """Without the closing parenthesis; the halves around a colon or dash; before the first comma if still a name."""
    folded = fold(title)
    plain = _PARENTHESIS.sub("", folded)
    aliases = [plain] if plain != folded else []
    pieces = _DIVIDER.split(plain)
    if len(pieces) > 1:
        aliases += [piece for piece in pieces if len(words_of(piece)) > 1 or identifiers(piece)]
    if "," in plain:
        head = plain.split(",")[0]
        if len(words_of(head)) > 1 and _capitalised(head):
            aliases.append(head)
    for name in (plain, *aliases):
        if match := _REGNAL.match(name):
            aliases.append(match[1])
        if (bare := _HONORIFIC.sub("", name)) != name and len(words_of(bare)) > 1 and _capitalised(bare):
            aliases.append(bare)
    return [alias for alias in dict.fromkeys(aliases) if _fits(alias)]


def _document_numbers(facts: Iterable[str]) -> list[str]:
    return [
        number
        for fact in facts
        for number in identifiers(fact)
        if len(part_key(number)) >= _SHORTEST_NUMBER
        and sum(character.isdigit() for character in number) >= _LEAST_DIGITS
        and _NO_NUMBER.match(number) is None
    ]


def _part_aliases(key: str) -> list[str]:
    """`AT89S52` -> `89S52`, `HD44780U` -> `44780U`, `74HC147` -> `74147`."""
    aliases = []
    if match := _SERIES.fullmatch(key):
        aliases.append(match[1] + match[2])
    elif match := _CORE.fullmatch(key):
        aliases.append(match[1])
        trimmed = match[1].rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        if trimmed != match[1] and len(trimmed) >= 4:
            aliases.append(trimmed)
    return aliases


def _first_of_sections(segments: Iterable[Segment]) -> list[Segment]:
    seen: dict[tuple[str, ...], Segment] = {}
    for segment in segments:
        if len(segment.path) > 1:
            seen.setdefault(segment.path, segment)
    return list(seen.values())


def _is_name(heading: str) -> bool:
    """Ordinary headings are shared by half a library; one that holds an identifier names something of its own."""
    words = words_of(fold(heading))
    return bool(identifiers(heading)) and 2 <= len(words) <= LONGEST_NAME and _capitalised(heading)


def _capitalised(text: str) -> bool:
    return all(word.capital for word in words_of(fold(text)) if word.key not in SMALL_WORDS)
