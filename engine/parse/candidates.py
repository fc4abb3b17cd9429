"""Lines that may be headings, each with the evidence for and against it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.core.model import Box
from engine.core.text import fold_case
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.numbering import Numbering, read_numbering
from engine.parse.sections import is_leaf, is_section

CAPTION = re.compile(
    r"^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)|tabelle|tableau|diagram|equation|listing|example|waveform|图|表|図)\s*"
    r"[A-Z]?[-.\s]?\d+",
    re.IGNORECASE,
)
CAPTION_BEHIND = re.compile(r"\S\s+(?:Figure|Fig\.|Table)\s+\d{1,3}[A-Za-z]?\.?$")
"""Some houses print the number behind the title: "Timing diagram Figure 4"."""
_NO_HEADING = re.compile(
    r"^(?:notes?\b[\s\d]*[:.]?|\(?continued\)?|"
    r"rev(?:ision|\.)?\s*[.:]?\s*(?:[A-Z]|\d[\d.]*)\b(?!\w).*\d|"
    r"(?:\d{1,2}[./ ])?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? (?:\d{1,2}, )?(?:19|20)\d\d.*|"
    r"(?:.*\bP\.?\s?O\.? Box\b.*)|[^ ]+(?: [^ ]+){0,3}[™®]|note the following:?|"
    r"application notes?|(?:product |preliminary )?(?:data ?sheet|specification)|page \d+.*)$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\s*[\[(]?\b(?:continued|cont(?:'d|\.)?)[\])]?\.?$", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LIST_ITEM = re.compile(r"^(?:[•\-–—*>»·o]|\(?\d{1,2}\)|\(?[a-z]\)|[a-z]\.)\s")
_SENTENCE_END = re.compile(r"[.;,]$")
_MONOSPACED = re.compile(r"cour|mono|consol|typewriter|lucidacons", re.IGNORECASE)
_PHONE = re.compile(
    r"\b(?:tel|fax|phone|telephone|e-?mail)\b|\(\+?\d{1,4}\)\s?\(?\d|\+\d{1,3}[\s(-]\d|\S@\S+\.\w", re.IGNORECASE
)
_CONTACTS = 3
"""Lines with telephone numbers or addresses that make a page one of contacts: its bold names are no headings."""
_SHARE = 0.3
"""A size with this share of the commonest one's text may be the body's: of several, the largest is."""
_NAMED = 1.5
"""What a line is worth for being the usual name of a section."""
_MAX_CHARACTERS, _MAX_WORDS = 140, 18
_MAX_LINES = 4


@dataclass(frozen=True, slots=True)
class Style:
    """What headings of one level share."""

    size: float
    bold: bool
    caps: bool | None
    """None where the title is too short to tell capitals from an acronym."""
    italic: bool
    font: str
    underlined: bool = False


Look = tuple[float, bool, str, bool]
"""Size, weight, font and whether it is underlined."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run of lines (`start` to `end`, exclusive, of page `page`) that may be a heading."""

    title: str
    page: int
    start: int
    end: int
    box: Box
    place: Box
    style: Style
    numbering: Numbering | None
    score: float
    column: tuple[float, float]
    inside: bool = False
    """It stands at the top of a table's or figure's region: a heading only if others are set just like it."""
    over_figure: bool = False
    """A drawing follows at once, as below the title of a plot."""

    @property
    def look(self) -> Look:
        """What headings of one kind share."""
        return (self.style.size, self.style.bold, self.style.font, self.style.underlined)


@dataclass(frozen=True, slots=True)
class Body:
    """What running text of the document looks like: font size, weight, font, distance of lines over their size."""

    size: float
    bold: bool
    font: str
    leading: float


def body_style(pages: Sequence[PageContent], skip: frozenset[tuple[int, int]]) -> Body:
    """The style most pages are written in: every page has one vote, shared out over its running text."""
    votes: Counter[tuple[float, bool, str]] = Counter()
    leadings: Counter[float] = Counter()
    for page in pages:
        styles: Counter[tuple[float, bool, str]] = Counter()
        before: PageLine | None = None
        for index, line in enumerate(page.lines):
            if line.kind is not RegionKind.TEXT or (page.number, index) in skip or not line.size:
                continue
            prose = line.cells == 1 and line.text.count(" ") >= 5
            styles[(line.size, line.bold, line.font)] += len(line.text) * (10 if prose else 1)
            if before is not None and before.column == line.column and before.size == line.size:
                leadings[round((line.place.y1 - before.place.y1) / line.size, 1)] += 1
            before = line
        total = styles.total()
        for style, count in styles.items():
            votes[style] += int(1000 * min(total, 15_000) * count / total)
    if not votes:
        return Body(10.0, False, "", 1.2)
    sizes: Counter[float] = Counter()
    for (size, _, _), count in votes.items():
        sizes[size] += count
    # Notes and legal pages are set smaller, and may be many.
    size = max(size for size, count in sizes.items() if count >= _SHARE * max(sizes.values()))
    (_, bold, font), _ = max(((k, v) for k, v in votes.items() if k[0] == size), key=lambda pair: pair[1])
    usual = [value for value, _ in leadings.most_common() if 0.8 <= value <= 2.2]
    return Body(size, bold, font, usual[0] if usual else 1.2)


def find_candidates(
    page: PageContent, skip: frozenset[tuple[int, int]], body: Body, known: frozenset[str]
) -> Iterator[Candidate]:
    """Candidates of one page. `known` holds the folded titles of a printed contents list."""
    lines = [(i, line) for i, line in enumerate(page.lines) if (page.number, i) not in skip]
    contacts = sum(_PHONE.search(line.text) is not None for _, line in lines) >= _CONTACTS
    position, opened = 0, -1
    while position < len(lines):
        index, line = lines[position]
        if line.kind is not RegionKind.TEXT and line.region == opened and not _numbered_title(line):
            # Below the first lines of a region everything is a cell or a label.
            position += 1
            continue
        opened = -1
        if not _possible(line):
            opened = line.region
            position += 1
            continue
        group = [line]
        while (
            position + len(group) < len(lines)
            and len(group) < _MAX_LINES
            and lines[position + len(group)][0] == index + len(group)
            and _same_heading(group, lines[position + len(group)][1])
        ):
            group.append(lines[position + len(group)][1])
        if len(group) == _MAX_LINES and position + len(group) < len(lines):
            following = lines[position + len(group)][1]
            if _same_heading(group, following):
                # Too long for a heading: a paragraph or list set like one.
                position += len(group)
                while position < len(lines) and _same_heading([lines[position - 1][1]], lines[position][1]):
                    position += 1
                continue
        before = lines[position - 1][1] if position else None
        after = lines[position + len(group)][1] if position + len(group) < len(lines) else None
        candidate = _candidate(group, index, body, before, after, known)
        if candidate is not None and _over_figure(candidate, after, page):
            candidate = replace(candidate, over_figure=True)
        if candidate is not None and contacts and candidate.numbering is None:
            candidate = replace(candidate, score=candidate.score - 3.0)
        if candidate is not None:
            yield candidate
            position += len(group)
        else:
            position += 1


def _over_figure(candidate: Candidate, after: PageLine | None, page: PageContent) -> bool:
    if after is not None and after.kind is RegionKind.FIGURE and after.place.y0 - candidate.place.y1 < 40.0:
        return True
    box, height = candidate.box, candidate.box.y1 - candidate.box.y0
    return any(
        -height <= figure.y0 - box.y1 < 2 * height and figure.x0 - 20 < (box.x0 + box.x1) / 2 < figure.x1 + 20
        for figure in page.figures
    )


def _possible(line: PageLine) -> bool:
    if line.kind is RegionKind.MARGIN or not line.size or len(line.text) > _MAX_CHARACTERS:
        return False
    if line.kind is not RegionKind.TEXT and line.cells > 1:
        return False
    if CAPTION.match(line.text) or CAPTION_BEHIND.search(line.text) or _LIST_ITEM.match(line.text):
        return False
    numbering = read_numbering(line.text)
    text = numbering.rest if numbering else line.text
    letters = len(_LETTERS.findall(text))
    return bool(_CJK.search(text)) or (letters >= 1 and letters >= 0.3 * len(text.replace(" ", "")))


def _numbered_title(line: PageLine) -> bool:
    """A section heading between two tables that were taken for one."""
    numbering = read_numbering(line.text) if line.cells == 1 and line.bold else None
    return numbering is not None and line.kind is RegionKind.TABLE and len(numbering.number) >= 2


def _same_heading(group: Sequence[PageLine], line: PageLine) -> bool:
    """The next line of a heading that takes several: same style, close below, no new number."""
    last = group[-1]
    if len(group) == 1 and _names_section(last.text):
        return False
    if line.region != last.region or line.column != last.column or line.cells > 1:
        return False
    if line.italic != last.italic or (last.underlined and not line.underlined):
        return False
    if (
        abs(line.size - last.size) > 0.3
        or line.bold != last.bold
        or {_caps(line.text), _caps(last.text)} == {True, False}
    ):
        return False
    if line.place.y0 - last.place.y1 > 0.55 * line.size or line.place.y0 < last.place.y0:
        return False
    if read_numbering(line.text) or _LIST_ITEM.match(line.text) or last.text.endswith("."):
        return False
    if last.text.endswith(":") and line.text.endswith(":"):
        return False
    left = abs(line.place.x0 - group[0].place.x0) < 2 * line.size or _hangs(group[0], line)
    centred = abs((line.place.x0 + line.place.x1) - (last.place.x0 + last.place.x1)) < line.size
    return left or centred


def _names_section(text: str) -> bool:
    """A line that says nothing but what datasheets call a section, as a typescript or a scan shows its headings."""
    return text[:1].isupper() and (is_section(text) or is_leaf(text))


def _hangs(first: PageLine, line: PageLine) -> bool:
    """The second line of a numbered title stands under the title, right of the number."""
    return read_numbering(first.text) is not None and first.place.x0 < line.place.x0 < first.place.x0 + 8 * line.size


def _candidate(
    group: Sequence[PageLine],
    start: int,
    body: Body,
    before: PageLine | None,
    after: PageLine | None,
    known: frozenset[str],
) -> Candidate | None:
    title = " ".join(line.text for line in group).strip()
    numbering = read_numbering(title)
    rest = numbering.rest if numbering else title
    if after is not None and after.text.casefold().strip("() ") == "continued":
        return None
    if _NO_HEADING.match(rest) or _CONTINUED.search(rest) or _PHONE.search(title):
        return None
    if not rest or len(title) > 2 * _MAX_CHARACTERS or len(title.split()) > _MAX_WORDS + 6:
        return None
    lead = group[0]
    style = Style(lead.size, lead.bold, _caps(rest), lead.italic, lead.font, group[-1].underlined)
    looks = _style_score(style, body, group)
    score = looks + _text_score(title, rest, numbering) + _place_score(group, before, after, body)
    if looks > 0.25 and (fold_case(title) in known or fold_case(rest) in known):
        score += 2.0
    if looks <= 0.25 and numbering is not None:
        # Set like the text around it: an item of a list, unless its number has a point inside.
        score -= 1.5 if len(numbering.number) == 1 else 0.3
    place = _hull([line.place for line in group])
    box = _hull([line.box for line in group])
    return Candidate(
        title,
        lead.page,
        start,
        start + len(group),
        box,
        place,
        style,
        numbering,
        score,
        lead.column,
        lead.kind is not RegionKind.TEXT,
    )


def _style_score(style: Style, body: Body, group: Sequence[PageLine]) -> float:
    ratio = style.size / body.size
    score = min(2.5, (ratio - 1.0) / 0.085) if ratio > 1.04 else 0.0
    if ratio < 0.93:
        score -= 2.0
    if style.bold and not body.bold:
        score += 1.8
    if style.caps is not False:
        score += 0.9 if style.caps else 0.3
    if style.italic:
        score += 0.4
    if style.font != body.font and not _MONOSPACED.search(style.font):
        score += 0.4
    if _MONOSPACED.search(style.font):
        score -= 2.5
    if group[-1].underlined:
        score += 1.0
    if group[0].side:
        score += 1.0
    return score


def _text_score(title: str, rest: str, numbering: Numbering | None) -> float:
    score = 0.0
    words = rest.split()
    if numbering:
        score += 1.0 + 0.5 * min(2, len(numbering.number) - 1)
        if rest[:1].islower() or _looks_like_quantity(title, numbering):
            score -= 2.5
    elif rest[:1].islower():
        score -= 1.5
    elif _names_section(rest):
        score += _NAMED
    if _SENTENCE_END.search(rest):
        score -= 2.0
    if title[0] in "([)]" or title.count(")") > title.count("("):
        score -= 1.5
    if len(words) > 9:
        score -= 0.25 * (len(words) - 9)
    if not re.search(r"[^\W\d_]{3}", rest) and not _CJK.search(rest):
        score -= 0.8
    return score


def _looks_like_quantity(title: str, numbering: Numbering) -> bool:
    """ "5 V Supply" and "16 bits" are no section numbers."""
    first = numbering.rest.split()[0] if numbering.rest.split() else ""
    return (
        len(numbering.number) == 1
        and not title.startswith(numbering.label + ".")
        and len(first) <= 2
        and first.isalpha()
    )


def _place_score(group: Sequence[PageLine], before: PageLine | None, after: PageLine | None, body: Body) -> float:
    score = 0.0
    first, last = group[0], group[-1]
    if before is None or before.column != first.column or before.place.y0 > first.place.y0:
        score += 0.5
    elif (first.place.y1 - before.place.y1) / first.size > 1.25 * body.leading:
        score += 0.7
    else:
        score -= 0.4
    if any(line.cells > 2 for line in group) or (first.cells == 2 and not read_numbering(first.text)):
        score -= 1.8
    if after is None or after.kind is RegionKind.FIGURE:
        score -= 0.2
    elif (
        after.column == last.column and after.text[:1].islower() and after.size == last.size and after.bold == last.bold
    ):
        score -= 1.5
    return score


def _caps(text: str) -> bool | None:
    letters = [c for c in text if c.isalpha() and c.upper() != c.lower()]
    if sum(c.isupper() for c in letters) < 0.85 * len(letters):
        return False
    words = [word for word in text.split() if any(c.isalpha() for c in word)]
    plain = not any(c.isdigit() or c in "/_" for c in text)
    return True if plain and (len(words) >= 2 or len(letters) >= 8) else None


def _hull(boxes: Sequence[Box]) -> Box:
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))
