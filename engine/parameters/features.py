"""Feature bullets and "name: value" lines: values stated in text rather than in a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from re import Match

from engine.core.model import BlockKind, Box, Condition, LimitKind, Line, ParsedDocument
from engine.parameters.concepts import concepts_of, load_concepts
from engine.parameters.conditions import stated_conditions
from engine.parameters.drafts import Draft, is_symbol, split_name
from engine.parameters.mentions import Mentioned, find_quantities
from engine.parameters.part_names import parts_named
from engine.parameters.quantities import Quantity, parse_quantity, prepare
from engine.parameters.units import parse_unit

_FEATURES = re.compile(
    r"\bfeatures?\b|\bhighlights\b|\bbenefits\b|\bkey (?:specifications|data|parameters)\b|\bquick reference\b",
    re.IGNORECASE,
)
_GLYPHS = "\u2022\u25cf\u25a0\u25aa\u25c6\u2023\u2043\u25e6\u25b6\u25ba\u2751\u00b7\uf0b7\uf0a7\uf0d8\ufffd"
_BULLET = re.compile(rf"^\s*(?:[{_GLYPHS}]\s*|[\u2013\u2014*-]\s+|o\s+(?=[A-Z][a-z]|\d)|\(?[a-z\d]{{1,2}}[).]\s+)")
_INSIDE = re.compile(rf"\s+(?=[{_GLYPHS}]\s?[A-Z0-9])|\s+(?=o\s[A-Z][a-z])")
_REPEATED = re.compile(r"^\s*(?:([^\W\d_aAI](?:\s))|([^\w\s(\[+\-\u00b1\u2212<>]{1,2}[A-Za-z]?)(?=[A-Z0-9]))")
_LEAST_REPEATS = 3
_PAIR = re.compile(r"^[A-Z][A-Za-z][A-Za-z /-]{2,50}:\s*[<>\u00b1+-]?\d")
_LIMIT = re.compile(r"\b(max(?:imum)?|min(?:imum)?|typ(?:ical(?:ly)?)?|nom(?:inal)?)\b\.?", re.IGNORECASE)
_AT_MOST = re.compile(
    r"\b(?:up to|less than|at most|below|no more than|not exceed(?:ing)?|within|<=?)\s*$", re.IGNORECASE
)
_AT_LEAST = re.compile(
    r"\b(?:at least|more than|over|greater than|better than|in excess of|exceeds?|>=?)\s*$", re.IGNORECASE
)
_FILLER = re.compile(
    r"\b(?:at least|up to|less than|more than|at most|approximately|about|from|only|over|of|to|in|at|is|are|than|with"
    r"|as|low|high|by|a|an|the)\s*$",
    re.IGNORECASE,
)

_LEADER = re.compile(r"^\s*(?P<name>[^.\u2026\u00b7]{3,80}?)\s*(?:[.\u2026\u00b7]\s?){4,}\s*(?P<value>\S.{0,60})$")
_NOTED = re.compile(r"\s*[(\[]\s*(?:see\s+)?notes?\s*\d*\s*[)\]]\s*$", re.IGNORECASE)
_LONGEST = 240
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SPELLED = rf"(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_NUMBERS[1:10])}))?|{'|'.join(_NUMBERS[1:])}"
_COUNT = re.compile(
    rf"^\s*(?P<limit>up to\s+|as many as\s+)?(?P<count>\d{{1,4}}|{_SPELLED})\s+(?:of\s+)?"
    r"(?P<noun>(?:[A-Za-z]|\d+(?:\.\d+)?[ -]?[A-Za-z]).{3,120})$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[,;(.]|\s(?:in|with|on|for|and|from|at)\s")
_COUNT_COLUMN = -1
"""Column of a statement's count, before those of its values."""


def feature_lines(parsed: ParsedDocument) -> Iterator[tuple[str, int, tuple[Line, ...]]]:
    """Items under a features heading and list items of the first two pages: (text, heading, lines)."""
    for block in parsed.blocks:
        path = parsed.headings[block.heading].path if 0 <= block.heading < len(parsed.headings) else ()
        featured = any(_FEATURES.search(title) for title in path[-2:])
        drawn = block.kind is BlockKind.FIGURE and featured and _listed(block.lines)
        if (block.kind not in (BlockKind.LIST, BlockKind.PARAGRAPH) and not drawn) or not block.lines:
            continue
        if not featured and not (block.kind is BlockKind.LIST and block.page <= 2):
            continue
        bullet = _bullet_of(block.lines)
        for lines in _items(block.lines, bullet):
            for text in _INSIDE.split(" ".join(line.text.strip() for line in lines)):
                yield bullet.sub("", text), block.heading, lines


def _listed(lines: tuple[Line, ...]) -> bool:
    """Whether what was taken for a figure is a list: a bullet begins every other line or more."""
    return len(lines) >= _LEAST_REPEATS and 2 * sum(bool(_BULLET.match(line.text)) for line in lines) >= len(lines)


def _bullet_of(lines: tuple[Line, ...]) -> re.Pattern[str]:
    """What begins an item of this block: a known bullet, or whatever odd glyph ("n ", "\ufffdO") begins three lines."""
    starts = Counter(match.group() for line in lines if (match := _REPEATED.match(line.text)))
    often = [re.escape(start) for start, count in starts.items() if count >= _LEAST_REPEATS]
    return re.compile(rf"^(?:{'|'.join(often)})\s*|{_BULLET.pattern}") if often else _BULLET


def _items(lines: tuple[Line, ...], bullet: re.Pattern[str]) -> Iterator[tuple[Line, ...]]:
    """Cut a block where a line begins with a bullet or is a pair "Name: 40 mA"; without these the block is one item."""
    current: list[Line] = []
    for line in lines:
        if current and (bullet.match(line.text) or _PAIR.match(line.text)):
            yield tuple(current)
            current = []
        current.append(line)
    if current:
        yield tuple(current)


def leader_lines(parsed: ParsedDocument) -> Iterator[tuple[Match[str], int, Line, str]]:
    """Lines "name ........ value" of any section: (match, heading, line, title line above it that ends in a colon)."""
    for block in parsed.blocks:
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.NOTE):
            title = ""
            for line in block.lines:
                if match := _LEADER.match(line.text):
                    yield match, block.heading, line, title
                else:
                    title = _NOTED.sub("", line.text.strip()[:-1]) if line.text.rstrip().endswith(":") else title


def read_leaders(parsed: ParsedDocument, about: tuple[str, ...]) -> list[tuple[Draft, int]]:
    """Ratings printed as lines with dotted leaders."""
    found: list[tuple[Draft, int]] = []
    for number, (match, heading, line, title) in enumerate(leader_lines(parsed)):
        name, value = split_name(match["name"].strip(" .:")), match["value"].strip()
        quantity = parse_quantity(value)
        if quantity is not None and len(re.findall(r"[A-Za-z]{2,}", name.name)) > 0:
            found.append(
                (
                    Draft(
                        number, -1, name.name, name.symbol, quantity.limit or LimitKind.VALUE, value, name.unit,
                        quantity, (), line.page, line.box, line.box, parts_named(line.text, about),
                        title if _titles(title, name.name, quantity) else "", "", 0.9,
                    ),
                    heading,
                )
            )  # fmt: skip
    return found


def _titles(title: str, name: str, quantity: Quantity) -> bool:
    """Whether the title line says what is measured and the name does not: packages under a thermal impedance."""
    named = concepts_of(split_name(title).name, "", quantity.unit) if title else frozenset()
    measured = any(quantity.unit in load_concepts()[key].units for key in named)
    return measured and not concepts_of(name, "", "")


def read_features(parsed: ParsedDocument, about: tuple[str, ...]) -> list[tuple[Draft, int]]:
    """Drafts with the heading they stand under. Row numbers count the items, columns the values within one."""
    found: list[tuple[Draft, int]] = []
    for number, (text, heading, lines) in enumerate(feature_lines(parsed)):
        if len(text) <= _LONGEST:
            found.extend((draft, heading) for draft in read_statement(text, number, lines, about))
    return found


def read_statement(text: str, number: int, lines: tuple[Line, ...], about: tuple[str, ...]) -> list[Draft]:
    """Values of one statement, each named by the words of its own clause."""
    body = prepare(text)
    conditions = tuple(one for one in stated_conditions(body) if is_symbol(one.quantity) or len(one.quantity) <= 2)
    mentions = [mention for mention in find_quantities(text) if not _is_condition(body, mention, conditions)]
    mentions = [mention for mention in mentions if mention.quantity.unit or len(mentions) == 1]
    mentions = [mention for mention in mentions if not _restates(body, mention, mentions)]
    drafts = _counted(text, number, lines, about)
    if drafts:
        mentions = [mention for mention in mentions if mention.quantity.unit]
    for column, mention in enumerate(mentions):
        start, end = _clause(body, mention, mentions)
        shown = _shown(body, mention)
        name = _name(body[start : mention.start], body[mention.start + len(shown) : end])
        if len(re.findall(r"[A-Za-z]{2,}", name)) == 0:
            continue
        sure = len(mentions) == 1 or (start, end) != (0, len(body))
        drafts.append(
            Draft(
                number, column, name, "", _kind(body, mention, start, end), shown, "", mention.quantity,
                conditions, lines[0].page, _hull(lines), _hull(lines), parts_named(text, about), "", "",
                0.85 if sure else 0.55, () if sure else ("the statement gives several values",),
            )
        )  # fmt: skip
    return drafts


def _counted(text: str, number: int, lines: tuple[Line, ...], about: tuple[str, ...]) -> list[Draft]:
    """A statement that begins with how many there are: "Eight Interrupt Sources", "Up to 47 5 V tolerant I/O pins"."""
    match = _COUNT.match(text)
    if match is None or parse_unit(match["noun"].split()[0].strip("-,")) is not None:
        return []
    value = _number(match["count"].casefold())
    quantity = Quantity(value, value, "", "", None, value, "")
    box = _hull(lines)
    name = re.sub(r"\s+", " ", _ENDED.split(match["noun"])[0]).strip(" .,;:-")
    return [
        Draft(
            number, _COUNT_COLUMN, name, "", LimitKind.MAX if match["limit"] else LimitKind.VALUE, match["count"], "",
            quantity, (), lines[0].page, box, box, parts_named(text, about), "", "", 0.85,
        )
    ]  # fmt: skip


def _number(words: str) -> float:
    """ "47", "twelve", "forty-seven"."""
    tens, _, ones = words.partition("-")
    if tens in _TENS:
        return 10.0 * (2 + _TENS.index(tens)) + (_NUMBERS.index(ones) if ones else 0)
    return float(_NUMBERS.index(words) if words in _NUMBERS else words)


def _is_condition(body: str, mention: Mentioned, conditions: tuple[Condition, ...]) -> bool:
    return any(body[: mention.end].rstrip().endswith(one.raw) for one in conditions)


def _restates(body: str, mention: Mentioned, mentions: list[Mentioned]) -> bool:
    """Whether a value in brackets says the one before it again: "3.0 V to 3.6 V (3.3 V ± 10 %)"."""
    before = body[: mention.start].rstrip()
    if not before.endswith("("):
        return False
    earlier = [
        other for other in mentions if other.end <= mention.start and other.quantity.unit == mention.quantity.unit
    ]
    return bool(earlier) and not body[earlier[-1].end : mention.start].strip(" (")


def _clause(body: str, mention: Mentioned, mentions: list[Mentioned]) -> tuple[int, int]:
    """The part between separators around a value (comma, semicolon, spaced slash) when it holds no other value."""
    if len(mentions) == 1:
        return 0, len(body)
    cuts = [
        0,
        *(match.end() for match in re.finditer(r"[,;](?!\d{3})\s+|\s/\s|\.\s+(?=[A-Z])|\s+and\s+(?=[a-z])", body)),
        len(body),
    ]
    start = max(cut for cut in cuts if cut <= mention.start)
    end = min(cut for cut in cuts if cut >= mention.end)
    inside = [other for other in mentions if start <= other.start < end]
    words = body[start : mention.start] + body[mention.end : end]
    alone = len(inside) == 1 and re.search(r"[A-Za-z]{3,}", words) is not None
    return (start, end) if alone else (0, len(body))


def _name(left: str, right: str) -> str:
    """The words around the value: "4.0V to 5.5V Operating Range" -> "Operating Range"."""
    left = re.sub(r"[(\[:=,\-\s]+$", "", left)
    while match := _FILLER.search(left):
        left = left[: match.start()].rstrip()
    joined = f"{left} {right}"
    joined = re.sub(r"[(\[]\s*(?:max|min|typ|nom)(?:imum|ical|inal)?\.?\s*[)\]]", " ", joined, flags=re.IGNORECASE)
    joined = _LIMIT.sub(" ", joined)
    joined = re.sub(r"\bat\s+[A-Za-z]\w{0,6}\s*=\s*\S+(?:\s[A-Z\u00b0]\w?\b)?", " ", joined)
    joined = re.sub(r"\s+", " ", joined).strip(" .,;:-")
    return joined.replace("(", "").replace(")", "").strip() if joined.count("(") != joined.count(")") else joined


def _kind(body: str, mention: Mentioned, start: int, end: int) -> LimitKind:
    before, after = body[start : mention.start], body[mention.end : end]
    words = [*(m.group(1) for m in _LIMIT.finditer(after[:16])), *(m.group(1) for m in _LIMIT.finditer(before[-16:]))]
    named = _LIMIT.findall(before)
    words = words or (named if len(named) == 1 else [])  # "Maximum common sink current: 27 mA"
    if words:
        return LimitKind(words[0].casefold()[:3])
    if _AT_MOST.search(before):
        return LimitKind.MAX
    return LimitKind.MIN if _AT_LEAST.search(before) else LimitKind.VALUE


def _shown(body: str, mention: Mentioned) -> str:
    """The value with the noun it counts: "10,000 Write/Erase Cycles"."""
    if mention.quantity.unit:
        return mention.text
    tail = re.match(r"\s[A-Z][\w/]*(?:\s[A-Z][\w/]*)?", body[mention.end :])
    return mention.text + (tail.group() if tail else "")


def _hull(lines: tuple[Line, ...]) -> Box:
    page = [line.box for line in lines if line.page == lines[0].page]
    return Box(min(b.x0 for b in page), min(b.y0 for b in page), max(b.x1 for b in page), max(b.y1 for b in page))
