"""Codes and what they stand for where a sheet lists them without a grid: "101b – 4 frames", "A[1:0]=00 External VSL",
"5 2.6 MHz" of a numbered list. Read from the lines of a page, whatever block or cell they stand in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.core.model import Box, Condition, LimitKind, Line, ParsedDocument
from engine.parameters.bit_lists import bit_conditions
from engine.parameters.drafts import Draft
from engine.parameters.part_names import parts_named
from engine.parameters.quantities import parse_quantity

_CODE = r"0x[0-9A-Fa-f]{1,4}|\$[0-9A-Fa-f]{1,4}|[01]{2,8}[bB]?|[0-9][0-9A-F]{0,3}[hH]|[A-F][0-9A-F]{1,3}[hH]"
_FIELD = r"[A-Za-z]\w{0,7}(?:\s?\[\d{1,2}(?::\d{1,2})?\])?"
_ITEM = re.compile(
    rf"(?<![\w.\[:/-])(?:(?P<field>{_FIELD})\s?=\s?)?(?P<code>{_CODE})"
    r"(?P<mark>\s*[:\u2013\u2014=]\s*|\s+-\s+|\s+)(?=[^\s\d]|\d+(?:[./,]\d+)*\s?[A-Za-z%\u00b5\u03bc\u2126\u03a9])"
)
_NUMBERED = re.compile(r"^\s*(?P<code>\d{1,2})\s+(?P<meaning>\S.{0,38}\S)\s*$")
_PLAIN_WORD = re.compile(
    r"^(?:address|values?|follows?|following|note|code|bits?|hex|mode|table|figure)$", re.IGNORECASE
)
_BIT_NAMES = re.compile(
    r"^(?:bits?\s+)?(?P<names>[A-Z][A-Z0-9]{0,5}(?:(?:\s*,\s*|\s+and\s+|\s*/\s*)[A-Z][A-Z0-9]{0,5})+)$"
)
_NAMED_FIELD = re.compile(rf"(?:^|\s)(?P<field>{_FIELD})\s*:")
_COUNTED = re.compile(r"(?P<field>[A-Za-z]\w{1,15})=\d+\.\.\d+")
_OPENS = re.compile(rf"(?:^|\s){_FIELD}\s*:\s*\S|[:\u2026]\s*$|=\d+\.\.\d+|\bfollow(?:s|ing)\b", re.IGNORECASE)
_MEANT = re.compile(
    r"^(?!.*[|_;{}])(?=.*[A-Za-z]{3}|\d[\d.,/]*\s?[A-Za-z%\u00b5\u03bc\u2126\u03a9]+)(?![0-9A-F]{2,4}[hH]\b|[01X]{2,}\b)"
)
"""What a code may stand for: words or a value, no further code."""
_LEAST, _LEAST_NUMBERED = 2, 4
_LONGEST, _LONGEST_NAME = 60, 120
_MOST_LEAD = 3
"""Lines above a list in which its subject is looked for."""


@dataclass(frozen=True, slots=True)
class _Item:
    field: str
    code: str
    meaning: str
    line: int
    marked: bool


def read_code_lists(parsed: ParsedDocument, about: tuple[str, ...]) -> list[tuple[Draft, int]]:
    """A draft for each code of each list, with the heading it stands under (-1 for none)."""
    found: list[tuple[Draft, int]] = []
    before: list[str] = []
    for page in parsed.pages:
        lines = page.text.splitlines()
        for run in _runs(lines):
            name, field = _subject(lines, run, before)
            if len(re.findall(r"[A-Za-z]{3,}", name)) == 0:
                continue
            boxes = _Places(parsed, page.number)
            for place, item in enumerate(run):
                line, heading = boxes.find(lines[item.line])
                draft = _draft(len(found), place, item, name, item.field or field, page.number, line, about)
                found.append((draft, heading))
        before = lines
    return found


def _runs(lines: Sequence[str]) -> Iterator[list[_Item]]:
    """Lists of codes: neighbouring lines that each begin with one or hold several."""
    run: list[_Item] = []
    for number, text in enumerate(lines):
        items = _items(text, number)
        if items and (not run or number - run[-1].line <= 1):
            run += items
            continue
        if not items and run and number - run[-1].line <= 1 and not _OPENS.search(text):
            continue  # a meaning that runs on
        yield from _whole(run)
        run = items
    yield from _whole(run)
    yield from _numbered(lines)


def _whole(run: list[_Item]) -> Iterator[list[_Item]]:
    """A run that is a list: each code once; bare digits only where they count up in binary from zero, for "10" and "11"
    are numbers as well."""
    codes = [(item.field, item.code.casefold()) for item in run]
    if len(run) < _LEAST or len(set(codes)) < len(codes):
        return
    bare = [int(item.code, 2) for item in run if re.fullmatch(r"[01]+", item.code)]
    if bare and not (len(bare) > _LEAST and sorted(bare) == list(range(len(bare)))) and not all(i.field for i in run):
        return
    if len(run) == _LEAST and not all(item.marked for item in run):
        return
    yield run


def _items(text: str, number: int) -> list[_Item]:
    """The codes of a line with their meanings; bare ones ("0110 divide by 64") only at its start."""
    matches = [
        match
        for match in _ITEM.finditer(text)
        if match["field"] or match["mark"].strip() or not text[: match.start()].strip()
    ]
    found = []
    for place, match in enumerate(matches):
        end = matches[place + 1].start() if place + 1 < len(matches) else len(text)
        meaning = text[match.end() : end].strip(" ,;")
        coded = bool(match["field"]) and not match["mark"].strip() and parse_quantity(f"{match['code']} {meaning}")
        if 1 < len(meaning) <= _LONGEST and _MEANT.match(meaning) and not coded:
            marked = bool(match["mark"].strip() or match["field"])
            found.append(_Item((match["field"] or "").strip(), match["code"], meaning, number, marked))
    return found


def _numbered(lines: Sequence[str]) -> Iterator[list[_Item]]:
    """Lines that count up from 0 or 1 with a short value each."""
    run: list[_Item] = []
    for number, text in enumerate(lines):
        match = _NUMBERED.match(text)
        follows = match is not None and (
            int(match["code"]) == int(run[-1].code) + 1 and number - run[-1].line <= 2
            if run
            else match["code"] in ("0", "1")
        )
        if match is not None and follows:
            run.append(_Item("", match["code"], match["meaning"], number, False))
        elif match is not None or (run and number - run[-1].line > 1):
            if _valued(run):
                yield run
            again = match is not None and match["code"] in ("0", "1")
            run = [_Item("", match["code"], match["meaning"], number, False)] if match is not None and again else []
    if _valued(run):
        yield run


def _valued(run: Sequence[_Item]) -> bool:
    """Whether most items of a numbered list are values: steps and headings are numbered as well."""
    quantities = [parse_quantity(item.meaning) for item in run]
    return len(run) >= _LEAST_NUMBERED and sum(one is not None and bool(one.unit) for one in quantities) > len(run) / 2


def _subject(lines: Sequence[str], run: Sequence[_Item], before: Sequence[str]) -> tuple[str, str]:
    """What a list is of, by the lines above it or, at the top of a page, the last that opens one on the page before;
    and the field its codes are of."""
    first = run[0].line
    if first < _MOST_LEAD:
        opening = next((line for line in reversed(before[-2 * _MOST_LEAD :]) if _OPENS.search(line)), "")
        if opening:
            counted = _COUNTED.search(opening)
            return opening.strip(" .:")[-_LONGEST_NAME:], counted["field"] if counted else ""
    above = [lines[i].strip() for i in range(max(0, first - _MOST_LEAD), first) if not _items(lines[i], i)]
    opens = next((place for place in reversed(range(len(above))) if _OPENS.search(above[place])), None)
    lead = " ".join(above[opens:] if opens is not None else above[-1:])
    fields = [match for match in _NAMED_FIELD.finditer(lead) if not _PLAIN_WORD.match(match["field"])]
    named = lead[fields[-1].end() :].strip(" .:") if fields else ""
    if named:
        return named[:_LONGEST_NAME], fields[-1]["field"]
    return lead.strip(" .:")[-_LONGEST_NAME:], ""


def _draft(
    row: int, column: int, item: _Item, name: str, field: str, page: int, line: Line | None, about: tuple[str, ...]
) -> Draft:
    title = "code" if _PLAIN_WORD.match(field) else field or "code"
    bits = bit_conditions(title, item.code.rstrip("bB")) or _named_bits(name, item.code)
    conditions = (Condition(f"{title} = {item.code}", title, "="), *bits)
    box: Box | None = line.box if line is not None else None
    return Draft(
        row, column, name, "", LimitKind.VALUE, item.meaning, "", parse_quantity(item.meaning), conditions, page, box,
        box, parts_named(item.meaning, about), "", "", 0.9 if item.marked else 0.8,
    )  # fmt: skip


def _named_bits(name: str, code: str) -> list[Condition]:
    """The bits of a list under their names: "D and E" over "10" states D = 1, E = 0."""
    match = _BIT_NAMES.match(name)
    names = re.findall(r"[A-Z][A-Z0-9]*", match["names"]) if match else []
    if len(names) != len(code) or not set(code) <= {"0", "1"}:
        return []
    return [Condition(f"{one} = {bit}", one, "=", float(bit), float(bit)) for one, bit in zip(names, code, strict=True)]


class _Places:
    """Where the lines of a page stand, by their text."""

    def __init__(self, parsed: ParsedDocument, page: int) -> None:
        self._lines = [(line, block.heading) for block in parsed.blocks for line in block.lines if line.page == page]

    def find(self, text: str) -> tuple[Line | None, int]:
        """The line and the heading above it; the page's last heading where a table holds the line."""
        wanted = text.strip()
        for line, heading in self._lines:
            if wanted and wanted in line.text:
                return line, heading
        return None, self._lines[-1][1] if self._lines else -1
