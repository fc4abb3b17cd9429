"""The pins of a part as its sheet prints them: tables, drawings, and lists of what each pin is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.agent.pin_drawings import drawings_in
from engine.agent.prose import sentences_of
from engine.agent.units import Unit, split_sentences, units_of
from engine.core.model import Segment, SegmentKind
from engine.core.text import fold_case

PACKAGE_NAMES = (
    r"[PCS]?DIP|[PCS]?DIL|H?SOIC|SOP|[TVSQ]S?SOP|MSOP|QSOP|SO|PLCC|LCC|[TLPV]?QFP|[VWUT]?QFN|[UTV]?DFN|W?SON|BGA|WLCSP|SOT|TO|SSOP"
    r"|CERDIP|PR35"
)
PACKAGE = re.compile(rf"(?<![A-Za-z])(?:{PACKAGE_NAMES})(?:[- ]?[0-9]{{1,3}})?(?![A-Za-z])")
_NUMBERED = re.compile(
    r"^(?:pins?|terminals?|leads?|balls?)(?: ?(?:nos?|numbers?|num|#)\.?)?(?:[ ,(]+(?P<package>.*))?$", re.I
)
_NAMED = re.compile(r"^(?:pin |signal |port )?(?:names?|symbols?|signals?|mnemonics?|designation|labels?|pins?)$", re.I)
_TOLD = re.compile(
    r"^(?:pin )?(?:(?:alternate )?functions?|descriptions?|purpose|comments?|remarks?|connected to)$", re.I
)
_DRAWN = re.compile(
    r"\bpin(?:ning|[- ]?outs?)\b|\bpin (?:configuration|assignment|connection|arrangement|diagram|layout)s?\b"
    r"|\b(?:connection|terminal) diagrams?\b|\bterminal (?:assignment|configuration)s?\b|\btop views?\b",
    re.I,
)
_LISTED = re.compile(
    r"\b(?:pins?|terminals?|signals?)[\w ]* (?:descriptions?|functions?|definitions?|assignments?)\b", re.I
)
_NUMBERS = re.compile(
    r"(?P<numbers>[0-9]{1,3}(?:\s*(?:,|-|to|and|/|&)\s*[0-9]{1,3})*)(?:,? ?(?:tab|\[[^]]*\]|\([^)]*\)))*"
)
_IN_NAME = re.compile(r"(?P<name>\S+?) ?\(pins? (?P<numbers>[0-9][0-9, -]*)\)", re.I)
_LEGS = r"emitter|base|collector|gate|drain|source|anode|cathode|input|output|ground|common|adjust(?:ment)?|tab"
_LEG_LIST = re.compile(
    rf"(?<![\d.])1\s*[.:=)-]?\s*({_LEGS})\W+2\s*[.:=)-]?\s*({_LEGS})\W+3\s*[.:=)-]?\s*({_LEGS})\b", re.I
)


@dataclass(frozen=True)
class Pin:
    """One pin. `numbers` are all that carry the name in its package; `function` is "" where only a drawing names it."""

    numbers: tuple[int, ...]
    name: str
    function: str
    package: str
    segment: Segment
    quote: str

    @property
    def shown(self) -> str:
        """ "2" or "2, 7 to 14"."""
        return _runs(self.numbers)


def pins_of(segments: Sequence[Segment], parts: Sequence[str] = ()) -> list[Pin]:
    """Pins of the tables of a document; of its drawings where no table numbers them. Functions are added from lists."""
    tabled = [pin for segment in segments if segment.kind is SegmentKind.TABLE for pin in _tabled(segment)]
    if any(pin.numbers for pin in tabled):
        return tabled
    drawn = _told_apart([list(_drawn(segment, parts)) for segment in segments])
    known = {_key(pin.name): pin.function for pin in tabled}
    names = [pin.name for pin in drawn]
    told = dict(told_of(segments, names))
    return [replace(pin, function=known.get(_key(pin.name)) or told.get(_key(pin.name), "")) for pin in drawn] or tabled


def same_name(asked: str, name: str) -> bool:
    """Whether two spellings name one pin: "SQW/OUT" and "SQW OUT"; a pin with two names answers to either."""
    one = _key(asked)
    return bool(one) and (one == _key(name) or one in _pieces(name))


def near_name(asked: str, name: str) -> bool:
    """Whether a pin's name is short for what is asked ("OUT" for output, "RST" for reset), or shares one of two."""
    if {piece for piece in _pieces(asked) if len(piece) > 2} & set(_pieces(name)):
        return "/" in asked and "/" in name
    letters, word = re.sub(r"[^a-z]", "", fold_case(name)), fold_case(asked)
    rest = iter(word)
    return len(letters) > 1 and word[:1] == letters[0] and len(word) > len(letters) and all(c in rest for c in letters)


def _pieces(name: str) -> list[str]:
    return [_key(piece) for piece in re.split(r"[/,]\s*|\s+or\s+", name)]


def drawing_page(segments: Sequence[Segment]) -> tuple[Segment, str] | None:
    """A passage of the page on which the pins are drawn, and the heading or caption that says so, if it can be told."""
    for segment in segments:
        heads = [*segment.path[-1:], *(segment.text.splitlines()[:1] if segment.kind is SegmentKind.FIGURE else [])]
        if drawn := next((head for head in heads if _DRAWN.search(head)), ""):
            return segment, drawn
    return None


# --- tables -----------------------------------------------------------------------------------------------------------


def _tabled(segment: Segment) -> Iterator[Pin]:
    titled = bool(
        re.search(r"\bpin|terminal|lead\b", f"{' '.join(segment.path[-1:])} {segment.text.splitlines()[0]}", re.I)
    )
    for unit in units_of([segment]):
        if unit.is_row:
            yield from _row_pins(unit, titled)


def _row_pins(unit: Unit, titled: bool) -> Iterator[Pin]:
    numbers: list[tuple[tuple[int, ...], str]] = []
    told: dict[str, str] = {}
    for head, cell in unit.cells:
        label = " ".join(head.split())
        if (pins := _numbers(cell)) and (package := _package_of(label)) is not None:
            numbers.append((pins, package))
        elif not label and (inside := _IN_NAME.match(cell)):
            numbers, told["name"] = [(_numbers(inside["numbers"].strip(" ,-")), "")], inside["name"]
        elif role := "function" if _TOLD.match(label) or (not label and "name" in told) else _named_role(label):
            told.setdefault(role, cell)
    if any(package for _, package in numbers):
        numbers = [one for one in numbers if one[1]]
    name, function = told.get("name", ""), told.get("function", "")
    headed = any(_NUMBERED.match(" ".join(head.split())) for head, _ in unit.cells)
    if not (name and function and (numbers or titled)) and not (headed and numbers and (name or function)):
        return
    if not name:
        name, function = function, ""
    if not re.search(r"[^\W\d_]", name):
        return
    for pins, package in numbers or [((), "")]:
        yield Pin(pins, name, function, package, unit.segment, unit.text)


def _package_of(label: str) -> str | None:
    """The package whose pin numbers a column holds, "" for a column of the only one; None for another column."""
    if match := _NUMBERED.match(label):
        return (match["package"] or "").strip(" )")
    return label if PACKAGE.search(label) else None


def _named_role(label: str) -> str:
    return "name" if _NAMED.match(label) else ""


def _numbers(cell: str) -> tuple[int, ...]:
    """ "2, 7-14" -> 2, 7, 8, ... 14; nothing for a cell that is no list of pins."""
    match = _NUMBERS.fullmatch(cell.replace("\u2013", "-").replace("\u2212", "-").strip())
    if not match:
        return ()
    found: list[int] = []
    for piece in re.split(r"\s*(?:,|and|&|/)\s*", match["numbers"]):
        ends = [int(end) for end in re.split(r"\s*(?:-|to)\s*", piece)]
        found += range(ends[0], ends[-1] + 1) if ends[0] < ends[-1] < ends[0] + 100 else ends
    return tuple(found)


# --- drawings and lists -----------------------------------------------------------------------------------------------


def _drawn(segment: Segment, parts: Sequence[str]) -> Iterator[Pin]:
    if segment.kind is SegmentKind.TABLE:
        return
    for drawing in drawings_in(segment.text, parts):
        package = f"{drawing.count}-pin" if drawing.count else ""
        package = f"{drawing.part} {package}".strip() if len(parts) > 1 else package
        for pin in drawing.pins:
            yield Pin((pin.number,), pin.name, "", package, segment, pin.row)
    if segment.page <= 2 and (legs := _LEG_LIST.search(segment.text)):
        case = PACKAGE.search(segment.text)
        for number, name in enumerate(legs.groups(), 1):
            yield Pin((number,), name, "", case.group() if case else "", segment, legs.group())


def _told_apart(drawings: Sequence[Sequence[Pin]]) -> list[Pin]:
    """Drawings of as many pins that name them differently are counted; one that repeats another is left out."""
    kept: list[Pin] = []
    seen: dict[str, list[set[tuple[tuple[int, ...], str]]]] = {}
    for pins in drawings:
        for package in dict.fromkeys(pin.package for pin in pins):
            these = [pin for pin in pins if pin.package == package]
            names = {(pin.numbers, pin.name) for pin in these}
            others = seen.setdefault(package, [])
            if names in others:
                continue
            others.append(names)
            label = f"{package}, drawing {len(others)}" if package and len(others) > 1 else package
            kept += [replace(pin, package=label) for pin in these]
    return kept


def told_of(segments: Sequence[Segment], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What lists and sections say each of some pins is for, by :func:`_key`; the first mention of each."""
    wanted = {_key(name): name for name in names if name}
    found: set[str] = set()
    for segment in segments:
        if segment.kind is not SegmentKind.TEXT:
            continue
        for key, function in _told_in(segment, wanted):
            if key not in found:
                found.add(key)
                yield key, function


def _told_in(segment: Segment, wanted: dict[str, str]) -> Iterator[tuple[str, str]]:
    headed = _key(re.sub(r"^[0-9.]+\s+", "", segment.path[-1])) if segment.path else ""
    lines = [line.strip() for line in segment.text.splitlines()]
    listing = bool(_LISTED.search(f"{' '.join(segment.path[-2:])} {segment.text}"))
    if headed in wanted and any(_LISTED.search(title) for title in segment.path):
        yield headed, " ".join(list(sentences_of(segment))[:2])
    if not listing:
        return
    for line, below in pairwise([*lines, ""]):
        key = _key(re.sub(r"^[0-9.]+\s+", "", line).strip(":"))
        if key in wanted and below and _key(below) not in wanted:
            yield key, " ".join(split_sentences(below)[:2])
    yield from _inline(" ".join(lines), wanted)


def _inline(text: str, wanted: dict[str, str]) -> Iterator[tuple[str, str]]:
    """ "GND - Ground RST - Reset I/O - Data Input/Output": each up to the next pin."""
    names = sorted(wanted.values(), key=len, reverse=True)
    one = "|".join(r"\s?".join(re.escape(c) for c in name.replace(" ", "")) for name in names)
    if not one:
        return
    head = re.compile(rf"(?<![\w/])(?P<names>(?:{one})(?:, ?(?:{one}))*)(?: \([^)]*\))?\s*[-\u2013\u2014:]\s+(?=\S)")
    heads = list(head.finditer(text))
    for match, after in zip(heads, [*heads[1:], None]):
        told = text[match.end() : after.start() if after else match.end() + 200].strip()
        said = split_sentences(told)
        for name in match["names"].split(","):
            if said:
                yield _key(name), said[0] if after is None else " ".join(said[:2])


def _key(name: str) -> str:
    """The form pin names are compared in: letters, digits and what tells "V+" from "V-"."""
    return re.sub(r"[^a-z0-9+\-]|(?<=[a-z0-9])-(?=[a-z0-9])", "", fold_case(name).replace("\u2212", "-"))


def _runs(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
