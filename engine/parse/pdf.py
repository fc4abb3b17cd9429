"""One page of a PDF to a :class:`PageLayout`, from a single run of MuPDF's structured text device.

Words, fonts and rulings come from the same pass (3 ms a page); boxes of pictures from the page's drawing log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.core.model import Box
from engine.parse import mupdf
from engine.parse.glyphs import UNMAPPED, controls, makes_words, unreadable_share
from engine.parse.layout import PageLayout, Rule, TextLine, Word, turn_box
from engine.parse.pens import broad_strokes, is_pen, maybe_pen
from engine.parse.shades import inset_shades
from engine.parse.symbols import mark_symbol_fonts

_SUPERSCRIPT = 1
_ITALIC = 2
_BOLD = 16
_BOLD_NAMES = ("bold", "black", "heavy", "demi", "semibold", "-bd", "bdcn", "boldmt")
_WIDE_GAP = 2.0
"""Words of one baseline further apart than this many font sizes are different lines."""
_JOIN_GAP = 0.12
_TOUCH_GAP = 0.06
_THICK = 3.2
"""A drawn box no thicker than this (points, stroke included) is a ruling."""
_INVISIBLE = 0.3
"""Characters smaller than this share of their word's are marks of the typesetting program, not print."""
_OWN_SCALE = 0.3
_BY_CODE = 128
"""Flag of characters whose Unicode value is only their code."""
_FEW_UNKNOWN = 0.3
_WHITE = 0xFFFFFF
_MOST = 0.6
"""Share of a page's characters that must stand on their side for the page to be turned."""


def page_layout(page: Any) -> PageLayout:
    """The layout of a `pymupdf.Page`; raises what MuPDF raises on a page it cannot run."""
    textpage, blocks = _structured_text(page)
    width, height, rotation = float(page.rect.width), float(page.rect.height), int(page.rotation)
    printed = [list(line) for line in _printed_lines(blocks, textpage.extractWORDS(), rotation)]
    rules, strokes = _drawings(blocks, width, height)
    if rotation == 0 and any(block["type"] == 3 and maybe_pen(block) for block in blocks):
        pens = broad_strokes(page)
        if pens:
            inked = [b for b in blocks if b["type"] == 3 and not is_pen(b, pens, width, height)]
            rules, strokes = _drawings(inked, width, height)
            rules += [rule for rule, _ in pens]
    layout = PageLayout(
        number=page.number + 1,
        width=width,
        height=height,
        rotation=rotation,
        words=(),
        lines=(),
        rules=tuple(rules),
        images=tuple(_images(page)),
        strokes=tuple(strokes),
    )
    if rotation:
        # MuPDF reports text and drawings on the unrotated page.
        turned = (height, width) if rotation in (90, 270) else (width, height)
        layout = _turned_drawings(layout, rotation, *turned)
        printed = [[replace(word, box=turn_box(word.box, rotation, *turned)) for word in line] for line in printed]
    turn = _turn(printed)
    if turn:
        printed = [[_upright(word, turn, width, height) for word in line] for line in printed]
        layout = _turned_drawings(layout, turn, width, height)
        if turn in (90, 270):
            layout = replace(layout, width=height, height=width)
    lines = _text_lines(printed)
    return replace(layout, turn=turn, lines=lines, words=tuple(word for line in lines for word in line.words))


def _structured_text(page: Any) -> tuple[Any, list[Any]]:
    """MuPDF's text page and its blocks. Glyphs without a Unicode value are read by their code, which old fonts keep in
    step with ASCII, unless that makes no words: then they stay unknown."""
    fitz = mupdf.load()
    flags = (
        fitz.TEXT_PRESERVE_LIGATURES
        | fitz.TEXT_PRESERVE_WHITESPACE
        | fitz.TEXT_MEDIABOX_CLIP
        | fitz.TEXT_COLLECT_VECTORS
    )
    textpage = page.get_textpage(flags=flags | fitz.TEXT_CID_FOR_UNKNOWN_UNICODE)
    blocks: list[Any] = textpage.extractDICT()["blocks"]
    spans = [s for block in blocks for line in block.get("lines", ()) for s in line["spans"]]
    if any(span["char_flags"] & _BY_CODE for span in spans):
        strict = page.get_textpage(flags=flags)
        known = strict.extractDICT()["blocks"]
        text = "".join(s["text"] for b in known for line in b.get("lines", ()) for s in line["spans"])
        coded = "".join(span["text"] for span in spans)
        # Codes that are control characters name no sign; MuPDF's words would drop them without a trace.
        nameless = 2 * controls(coded) >= text.count(UNMAPPED) > 0
        if nameless or (unreadable_share(text) > _FEW_UNKNOWN and not makes_words(coded)):
            textpage, blocks = strict, known
            spans = [s for block in blocks for line in block.get("lines", ()) for s in line["spans"]]
    for span in spans:
        height = min(span["bbox"][3] - span["bbox"][1], span["bbox"][2] - span["bbox"][0])
        if span["font"].startswith("Type3") and span["size"] < _OWN_SCALE * height:
            # Type 3 fonts bring a scale of their own: their nominal size says nothing of what is printed.
            span["size"] = 0.8 * height
    mark_symbol_fonts(blocks)
    return textpage, blocks


# --- words ------------------------------------------------------------------------------------------------------------


def _printed_lines(blocks: Sequence[Any], words: Sequence[Any], rotation: int) -> Iterator[list[Word]]:
    """MuPDF's lines as words with fonts, with angles as displayed; slanted text (watermarks) is left out.

    Lines and words number their lines differently, so they are matched by the characters they hold.
    """
    at = 0
    for block in blocks:
        if block["type"] != 0:
            continue
        for line in block["lines"]:
            runs = _span_runs(line["spans"])
            start, held = at, 0
            while at < len(words) and held < len(runs):
                held += _length(words[at][4])
                at += 1
            angle = _angle(line["dir"], rotation)
            if at > start and angle is not None:
                yield list(_line_words(line["spans"], runs, words[start:at], angle))


def _angle(direction: tuple[float, float], rotation: int) -> int | None:
    x, y = direction
    if abs(y) < 0.05:
        angle = 0 if x > 0 else 180
    elif abs(x) < 0.05:
        angle = 90 if y > 0 else 270
    else:
        return None
    return (angle + rotation) % 360


def _line_words(spans: Sequence[Any], runs: Sequence[Any], words: Sequence[Any], angle: int) -> Iterator[Word]:
    if len(spans) == 1:
        span = spans[0]
        bold, italic = _style(span)
        raised = bool(span["flags"] & _SUPERSCRIPT)
        signs = span.get("signs")
        for word in words:
            text = word[4].translate(signs) if signs else word[4]
            yield Word(text, Box(*word[:4]), span["size"], span["font"], bold, italic, raised, False, angle)
        return
    at = 0
    for word in words:
        length = _length(word[4])
        yield from _split_word(word, runs[at : at + length], angle)
        at += length


def _span_runs(spans: Sequence[Any]) -> list[Any]:
    """The span of every printed character, white space left out as in MuPDF's words."""
    return [span for span in spans for character in span["text"] if not _blank(character)]


def _length(text: str) -> int:
    # MuPDF's words break at spaces and no-break spaces only; the rarer spaces stay inside.
    return len(text) if text.isascii() else sum(not _blank(character) for character in text)


def _blank(character: str) -> bool:
    return character <= " " or character.isspace() or character in "\u00a0\u200b"


def _split_word(word: Any, runs: Sequence[Any], angle: int) -> Iterator[Word]:
    """One word, or several where raised characters (powers, note marks) begin or end inside it."""
    text, box = word[4], Box(*word[:4])
    if not runs:
        yield Word(text, box, box.y1 - box.y0, "", False, False, False, False, angle)
        return
    if len(runs) == len(text) and any("signs" in span for span in runs):
        text = "".join(c.translate(run.get("signs", {})) for c, run in zip(text, runs, strict=True))
    largest = max(span["size"] for span in runs)
    cuts = [0]
    cuts += [i for i in range(1, len(runs)) if _parts(runs[i - 1], runs[i], largest)]
    if angle or len(runs) != len(text):
        cuts = [0]
    for position, start in enumerate(cuts):
        end = cuts[position + 1] if position + 1 < len(cuts) else len(text)
        part = runs[start:end]
        lead = max(part, key=lambda span: span["size"])
        bold, italic = _style(lead)
        x0 = box.x0 if start == 0 else float(part[0]["bbox"][0])
        x1 = box.x1 if end == len(text) else float(part[-1]["bbox"][2])
        raised = bool(part[0]["flags"] & _SUPERSCRIPT)
        if lead["size"] < _INVISIBLE * largest:
            continue
        yield Word(
            text[start:end],
            Box(x0, box.y0, max(x0, min(x1, box.x1)), box.y1),
            lead["size"],
            lead["font"],
            bold,
            italic,
            raised,
            start > 0 and runs[start - 1]["size"] >= _INVISIBLE * largest,
            angle,
        )


def _parts(before: Any, after: Any, largest: float) -> bool:
    """True where a word is to be cut: at raised characters, and at marks too small to be seen."""
    raised = (before["flags"] ^ after["flags"]) & _SUPERSCRIPT
    return bool(raised) or (before["size"] < _INVISIBLE * largest) != (after["size"] < _INVISIBLE * largest)


def _style(span: Any) -> tuple[bool, bool]:
    name = span["font"].lower()
    bold = bool(span["flags"] & _BOLD) or any(mark in name for mark in _BOLD_NAMES)
    return bold, bool(span["flags"] & _ITALIC)


# --- lines ------------------------------------------------------------------------------------------------------------


def _text_lines(printed: Sequence[list[Word]]) -> tuple[TextLine, ...]:
    pieces: list[list[Word]] = []
    seen: set[tuple[str, int, int]] = set()
    for words in printed:
        # Bold faked by printing twice, a fraction of a point apart.
        fresh = []
        for word in words:
            key = (word.text, round(word.box.x0 / 2), round(word.box.y0 / 2))
            if key not in seen:
                seen.add(key)
                fresh.append(word)
        pieces.extend(_split_gaps(fresh))
    merged: list[list[Word]] = []
    for piece in pieces:
        if merged and _continues(merged[-1], piece):
            merged[-1] = _join(merged[-1], piece)
        else:
            merged.append(piece)
    return tuple(TextLine(tuple(words), _hull(words)) for words in merged)


def _split_gaps(words: Sequence[Word]) -> Iterator[list[Word]]:
    current: list[Word] = []
    for word in words:
        if current and word.angle == 0 and word.box.x0 - current[-1].box.x1 > _WIDE_GAP * max(word.size, 6.0):
            yield current
            current = []
        current.append(word)
    if current:
        yield current


def _continues(line: Sequence[Word], piece: Sequence[Word]) -> bool:
    """MuPDF starts a new line at a shifted baseline: a sub- or superscript stays with its line.

    A heading in the margin close to the text beside it does not: it differs in size without touching, or in weight.
    """
    last, first = line[-1], piece[0]
    if last.angle or first.angle:
        return False
    size = max(last.size, first.size)
    gap = first.box.x0 - last.box.x1
    alike = abs(last.size - first.size) <= 0.12 * size
    if not -0.5 * size < gap < (0.5 if alike and last.bold == first.bold else 0.2) * size:
        return False
    overlap = min(last.box.y1, first.box.y1) - max(last.box.y0, first.box.y0)
    return overlap > 0.4 * min(last.box.y1 - last.box.y0, first.box.y1 - first.box.y0)


def _join(line: list[Word], piece: list[Word]) -> list[Word]:
    last, first = line[-1], piece[0]
    size = max(last.size, first.size)
    gap = first.box.x0 - last.box.x1
    if gap > _JOIN_GAP * size or abs(last.size - first.size) < 0.12 * size:
        # Runs of one size that touch are one word cut by a change of style (an overline, a colour).
        return [*line, replace(first, attached=-0.2 * size < gap < _TOUCH_GAP * size), *piece[1:]]
    shifted = (last.box.y0 + last.box.y1) / 2 - (first.box.y0 + first.box.y1) / 2
    if first.size < last.size and shifted > 0.12 * size:
        return [*line, replace(first, superscript=True, attached=True), *piece[1:]]
    joined = replace(last if last.size >= first.size else first, text=last.text + first.text, box=_hull([last, first]))
    return [*line[:-1], replace(joined, attached=last.attached, superscript=last.superscript), *piece[1:]]


def _hull(words: Sequence[Word]) -> Box:
    return Box(
        min(w.box.x0 for w in words),
        min(w.box.y0 for w in words),
        max(w.box.x1 for w in words),
        max(w.box.y1 for w in words),
    )


# --- drawings ---------------------------------------------------------------------------------------------------------


def _drawings(blocks: Sequence[Any], width: float, height: float) -> tuple[list[Rule], list[Box]]:
    rules: list[Rule] = []
    strokes: list[Box] = []
    area = width * height
    inner = inset_shades(blocks)
    for number, block in enumerate(blocks):
        if block["type"] != 3 or block["alpha"] == 0 or number in inner:
            continue
        x0, y0, x1, y1 = block["bbox"]
        across, down = x1 - x0, y1 - y0
        if not block["isrect"]:
            strokes.append(Box(x0, y0, x1, y1))
        elif min(across, down) <= _THICK:
            rules.append(_thin(x0, y0, x1, y1, block["stroked"]))
        elif across * down < 0.9 * area and (block["stroked"] or block["color"] != _WHITE):
            rules += (Rule(x0, y0, x1, y0), Rule(x0, y1, x1, y1), Rule(x0, y0, x0, y1), Rule(x1, y0, x1, y1))
    return rules, strokes


def _thin(x0: float, y0: float, x1: float, y1: float, stroked: bool) -> Rule:
    if x1 - x0 >= y1 - y0:
        trim = (y1 - y0) / 2 if stroked and x1 - x0 > y1 - y0 else 0.0
        middle = (y0 + y1) / 2
        return Rule(x0 + trim, middle, x1 - trim, middle)
    trim = (x1 - x0) / 2 if stroked else 0.0
    middle = (x0 + x1) / 2
    return Rule(middle, y0 + trim, middle, y1 - trim)


def _images(page: Any) -> Iterator[Box]:
    for kind, box in page.get_bboxlog():
        if kind in ("fill-image", "fill-imgmask"):
            yield Box(*map(float, box))


# --- turning ----------------------------------------------------------------------------------------------------------


def _turn(printed: Sequence[Sequence[Word]]) -> int:
    """Degrees clockwise that bring most of the text upright, 0 if it already stands."""
    count: Counter[int] = Counter()
    for line in printed:
        for word in line:
            count[word.angle] += len(word.text)
    if not count:
        return 0
    angle, share = count.most_common(1)[0]
    return (360 - angle) % 360 if angle and share >= _MOST * count.total() else 0


def _upright(word: Word, degrees: int, width: float, height: float) -> Word:
    return replace(word, box=turn_box(word.box, degrees, width, height), angle=(word.angle + degrees) % 360)


def _turned_drawings(layout: PageLayout, degrees: int, width: float, height: float) -> PageLayout:
    rules = []
    for rule in layout.rules:
        box = turn_box(Box(rule.x0, rule.y0, rule.x1, rule.y1), degrees, width, height)
        rules.append(Rule(box.x0, box.y0, box.x1, box.y1))
    return replace(
        layout,
        rules=tuple(rules),
        images=tuple(turn_box(box, degrees, width, height) for box in layout.images),
        strokes=tuple(turn_box(box, degrees, width, height) for box in layout.strokes),
    )
