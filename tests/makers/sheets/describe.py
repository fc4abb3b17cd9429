"""What a datasheet is made of, before it is drawn. The description is the only source of both the PDF and its truth.

Inline markup: ``V_{CC}`` prints a subscript (read back as "VCC"), U+00AD marks where a word may be hyphenated, U+200B
where a name may be broken without a hyphen of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Head:
    title: str
    level: int = 1


@dataclass(frozen=True)
class Para:
    text: str
    kind: str = "body"


@dataclass(frozen=True)
class Items:
    """A bulleted list."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """`role` is a value of engine.core.model.ColumnRole; `group` the spanning headers above, outermost first."""

    name: str
    role: str
    weight: float = 1.0
    group: tuple[str, ...] = ()


@dataclass(frozen=True)
class Band:
    """A full-width row inside a table that says what the rows below it have in common."""

    text: str


Row = tuple["str | None", ...]
"""One text for each column; "" is blank, None continues the cell above (printed once over the span)."""


@dataclass(frozen=True)
class Grid:
    """`rules`: "all" draws a full grid, "rows" a line under each row, "groups" one between spans, "none" nothing."""

    columns: tuple[Column, ...]
    rows: tuple[Row | Band, ...]
    caption: str = ""
    rules: str = "all"
    notes: tuple[str, ...] = ()
    align: str = "left"


@dataclass(frozen=True)
class Drawing:
    """`kind` names a function of figures.py; `labels` are printed inside the figure."""

    number: str
    caption: str
    kind: str
    labels: tuple[str, ...] = ()
    height: float = 110.0


@dataclass(frozen=True)
class Contents:
    """The printed list of contents: titles, dotted leaders, page labels. `title` above it is no heading of the text."""

    title: str = ""


@dataclass(frozen=True)
class Break:
    """The next block starts on a new page."""


@dataclass(frozen=True)
class Beside:
    """Blocks side by side: each column is read to its end before the next one starts."""

    columns: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True)
class Columns:
    """Text set in two columns that fill the rest of the page and go on overleaf."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Turned:
    """A page of its own, printed in landscape and stored with /Rotate 90."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Scan:
    """A page that is nothing but a picture of `lines`; `native` keeps the running header and footer as text."""

    lines: tuple[str, ...]
    native: bool = False


Block = Head | Para | Items | Code | Grid | Drawing | Contents | Break | Beside | Columns | Turned | Scan


@dataclass(frozen=True)
class Style:
    family: str = "sans"
    body: float = 9.0
    heads: tuple[float, ...] = (13.0, 10.5, 9.5)
    rule_under_head: bool = False
    capitals: bool = False


@dataclass(frozen=True)
class Label:
    """Page labels from physical page `first` (1-based): PDF style "r", "D", "A" with a prefix."""

    first: int
    style: str = "D"
    prefix: str = ""
    start: int = 1


@dataclass(frozen=True)
class Sheet:
    """`running` are (left, centre, right) texts of header and footer; {page}, {pages} and {label} are filled in."""

    file: str
    title: tuple[str, ...]
    blocks: tuple[Block, ...]
    parts: tuple[str, ...] = ()
    """Part numbers the sheet is about."""
    style: Style = field(default_factory=Style)
    header: tuple[str, str, str] = ("", "", "")
    footer: tuple[str, str, str] = ("", "", "")
    labels: tuple[Label, ...] = ()
    bookmarks: bool = False
    metadata_title: str = ""


def limits(*names: str, group: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """Narrow columns for limits: MIN, TYP, MAX, NOM by their own name."""
    return tuple(Column(name, _limit_role(name), 0.55, group) for name in names)


def _limit_role(name: str) -> str:
    short = name.strip(". ").casefold()[:3]
    return {"min": "min", "typ": "typ", "max": "max", "nom": "nom"}.get(short, "value")


def rows(text: str, spans: Sequence[str] = ('"',)) -> tuple[Row | Band, ...]:
    """A table typed as lines with | between cells. A cell of `"` continues the one above; "== text" is a band."""
    out: list[Row | Band] = []
    for line in text.strip().splitlines():
        line = line.strip()
        if line.startswith("== "):
            out.append(Band(line[3:]))
        else:
            out.append(tuple(None if cell in spans else cell for cell in (part.strip() for part in line.split("|"))))
    return tuple(out)
