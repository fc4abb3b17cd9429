"""How documents print which revision they are, and how questions speak of revisions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.core.model import ParsedDocument
from engine.core.text import fold

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DATES = (
    re.compile(r"\b(?P<y>(?:19|20)\d\d)-(?P<m>[01]\d)(?:-(?P<d>[0-3]\d))?\b"),
    re.compile(rf"\b(?:(?P<d>[0-3]?\d)(?:st|nd|rd|th)? )?(?P<n>{_MONTH}),? (?P<y>(?:19|20)\d\d)\b", re.I),
    re.compile(rf"\b(?P<n>{_MONTH}) (?P<d>[0-3]?\d),? (?P<y>(?:19|20)\d\d)\b", re.I),
    re.compile(rf"\b(?P<y>(?:19|20)\d\d) (?P<n>{_MONTH})(?: (?P<d>[0-3]?\d))?\b", re.I),
)
_SLASHED = re.compile(r"(?:^|[-; ])(?:(?P<m>0?[1-9]|1[0-2])/)(?P<y>\d\d)\b")
"""`02/00` counts as a month only beside a revision's code: elsewhere it is a fraction."""
_DIGITS_DATE = re.compile(r"\brev:? ?(?P<m>[01]\d)(?P<d>[0-3]\d)(?P<y>\d\d)\b", re.I)
_CODE = r"[A-Z]{0,2}\d{0,3}(?:\.\d{1,2})?[A-Z]?"
_CODES = (
    re.compile(r"\brev(?:ision)?[.:]? ?\d{4}(?P<code>[A-Z])-", re.I),
    re.compile(r"^\d{4}(?P<code>[A-Z])-(?:[A-Z0-9]+-)?\d{1,2}/\d\d$"),
    re.compile(rf"\b(?i:rev(?:ision)?|ver(?:sion)?|issue|edition)[.:]? ?(?P<code>{_CODE})(?![\w/])"),
    re.compile(r"(?:^|[ ,(])V ?(?P<code>\d{1,2}\.\d{1,2})(?=,|$| (?:19|20)\d\d)"),
    re.compile(r"\bS[A-Z]{3,4}\d{2,4}(?P<code>[A-Z]?)(?![\w])(?=.*\b(?:19|20)\d\d\b)"),
    re.compile(r"\bDS\d{5}(?P<code>[A-Z])\b"),
)
"""`Rev. 0265G-02/00` and `1919C-MICRO-3/05`; `Rev. B`, `Issue 3`; `V1.2`; literature numbers whose last letter grows,
of which the first has none."""
_LATER_DATE = re.compile(r"\brevised\b(.*)$", re.I)
_LONGEST_LINE = 90
_MARGIN_LINES = 6
_ASKED = re.compile(
    r"\b(?:rev(?:ision)?s?|issues?|editions?|versions?)\.? ?(?P<codes>[a-z]{0,2}\d{0,3}(?:\.\d{1,2})?\b"
    r"(?:(?: ?, ?| and | or | to | vs\.? | with | than |/)(?:rev(?:ision)?\.? )?[a-z]{0,2}\d{0,3}(?:\.\d{1,2})?\b)*)"
)
_ASKED_ONE = re.compile(r"\b(?:[a-z]{1,2}\d{0,3}|\d{1,3}(?:\.\d{1,2})?)\b")
_JOINS = frozenset(("or", "to", "vs", "of", "is", "in", "it", "as", "at", "by", "do", "on", "we", "no", "if"))
_OLDER = re.compile(
    r"\b(?:old(?:er|est)?|earlier|earliest|previous|former|first|original|superseded|obsolete|prior)\b[\w ]{0,24}"
    r"\b(?:revisions?|rev|versions?|issues?|editions?|data ?sheets?|sheets?|documents?)\b"
    r"|\b(?:revisions|versions|editions)\b|\b(?:revision|version) history\b"
    r"|\bchang(?:ed?|es)\b[\w ]{0,40}\b(?:between|since|from)\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Mark:
    """A revision's code as printed and its ISO date, "" where there is none."""

    code: str = ""
    date: str = ""


def mark_of(parsed: ParsedDocument) -> Mark:
    """The mark a document carries: in its running headers first, then at the edges of its first and last page."""
    running = [fold(fact) for fact in parsed.facts]
    first = _lines(parsed, 0)
    last = _lines(parsed, -1)
    edges = [*first[:_MARGIN_LINES], *first[-_MARGIN_LINES:], *last[-_MARGIN_LINES:]]
    lines = [line for line in (*running, *edges, *first) if len(line) <= _LONGEST_LINE]
    code, beside = _first_code(lines)
    date = _date_in(beside, marked=True) or next((found for line in lines if (found := _date_in(line))), "")
    return Mark(code, date)


def code_key(code: str) -> tuple[tuple[int, int, str], ...]:
    """Order of codes: none, then numbers by value, then letters: "" < "0.9" < "03" < "A" < "A2" < "B" < "AA"."""
    pieces = re.findall(r"\d+|[A-Za-z]+", code)
    return tuple((0, int(p), "") if p.isdigit() else (1, len(p), p.upper()) for p in pieces)


def asked_codes(folded: str) -> set[str]:
    """Codes a question names: "rev a", "revisions A and C". `folded` is without case."""
    found: set[str] = set()
    for match in _ASKED.finditer(folded):
        found |= {code for code in _ASKED_ONE.findall(match["codes"]) if code not in _JOINS}
    return found


def asks_for_older(folded: str) -> bool:
    """Whether a question is about revisions, or an older one, rather than about what holds now."""
    return _OLDER.search(folded) is not None


def years_in(folded: str) -> set[str]:
    return set(_YEAR.findall(folded))


def _lines(parsed: ParsedDocument, page: int) -> list[str]:
    if not parsed.pages:
        return []
    return [line for line in map(fold, parsed.pages[page].text.splitlines()) if line]


def _first_code(lines: list[str]) -> tuple[str, str]:
    """(code, the line it stands in); ("", "") where no line has one."""
    for line in lines:
        for pattern in _CODES:
            match = pattern.search(line)
            if match and (match["code"] or match.re is _CODES[4]):
                return match["code"], line
    return "", next((line for line in lines if _DIGITS_DATE.search(line)), "")


def _date_in(line: str, *, marked: bool = False) -> str:
    """The date in a line, that of the revision where the line has the first issue's too; "" if none."""
    if not line:
        return ""
    if later := _LATER_DATE.search(line):
        line = later[1]
    for pattern in (*_DATES, *((_DIGITS_DATE, _SLASHED) if marked else ())):
        if match := pattern.search(line):
            return _iso(match.groupdict())
    return ""


def _iso(found: dict[str, str | None]) -> str:
    year = found["y"] or ""
    if len(year) == 2:
        year = ("19" if int(year) >= 70 else "20") + year
    month = int(found.get("m") or 0) or _month_number(found.get("n") or "")
    day = found.get("d")
    return f"{year}-{month:02d}" + (f"-{int(day):02d}" if day else "")


def _month_number(name: str) -> int:
    return 1 + next(n for n, month in enumerate(_MONTHS) if month.startswith(name.casefold()[:3]))
