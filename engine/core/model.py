"""The frozen values that cross the seams between stages.

Pages are 1-based and physical. Boxes are in points, origin at the top left of the page as displayed (page rotation
applied). Markdown headings have levels 1..6. Nothing here knows how it was made or where it is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.ids import DocumentId, SegmentId

# --- where things stand on a page -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """Axis-aligned rectangle in points."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class PageBox:
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line. `text` is normalised for search, `source` the glyphs as printed where they differ."""

    text: str
    page: int
    box: Box
    source: str = ""


# --- a parsed document ------------------------------------------------------------------------------------------------


class FileKind(StrEnum):
    PDF = "pdf"
    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    EPUB = "epub"


class HeadingSource(StrEnum):
    """Evidence a heading rests on, strongest first."""

    USER = "user"
    BOOKMARK = "bookmark"
    NUMBERING = "numbering"
    CONTENTS = "contents"
    FONT = "font"
    MARKUP = "markup"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Heading:
    """A section heading. `path` runs from the top-level ancestor to this heading's own title."""

    title: str
    level: int
    page: int
    path: tuple[str, ...]
    parent: int = -1
    """Index of the parent in `ParsedDocument.headings`, -1 at the top."""
    box: Box | None = None
    source: HeadingSource = HeadingSource.FONT
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One heading of an outline a user has corrected; hangs on page and box, so that it survives a new parser."""

    title: str
    level: int
    page: int
    box: Box | None = None


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    FIGURE = "figure"
    CODE = "code"
    NOTE = "note"
    CONTENTS = "contents"
    """A printed table of contents: kept as a document fact, never made into a segment."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of content in reading order that belongs to one heading."""

    kind: BlockKind
    text: str
    lines: tuple[Line, ...]
    heading: int
    """Index in `ParsedDocument.headings` of the nearest heading above, -1 before the first."""
    table: int = -1
    figure: int = -1

    @property
    def page(self) -> int:
        return self.lines[0].page if self.lines else 1


class ColumnRole(StrEnum):
    """What a column of a table holds, read from its header."""

    KEY = "key"
    PARAMETER = "parameter"
    SYMBOL = "symbol"
    CONDITION = "condition"
    MIN = "min"
    TYP = "typ"
    MAX = "max"
    NOM = "nom"
    VALUE = "value"
    UNIT = "unit"
    NOTE = "note"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Column:
    """A table column: `name` its own header, `group` the spanning headers above it, outermost first."""

    name: str
    role: ColumnRole = ColumnRole.OTHER
    group: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell. Blank stays blank: `text` is "" unless something is printed there or spans into it (`inherited`)."""

    text: str
    box: Box | None = None
    inherited: bool = False
    doubtful: bool = False
    """True where the grid does not settle which column the text belongs to: show the page, do not assert."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One body row: exactly one cell for each column of the table."""

    cells: tuple[Cell, ...]
    page: int
    box: Box | None = None
    section: str = ""
    """Text of the full-width sub-header the row stands under ("DC CHARACTERISTICS (V_CC = 5 V)"), else ""."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table joined over the pages it runs across."""

    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    page: int
    regions: tuple[PageBox, ...] = ()
    caption: str = ""
    notes: tuple[str, ...] = ()
    heading: int = -1
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()
    opens_page: bool = True
    """Nothing but running heads and its own caption stands above it on its page: it may go on from the page before."""


@dataclass(frozen=True, slots=True)
class Figure:
    page: int
    box: Box
    caption: str = ""
    number: str = ""
    heading: int = -1


class PageStatus(StrEnum):
    TEXT = "text"
    OCR = "ocr"
    NEEDS_OCR = "needs_ocr"
    EMPTY = "empty"
    FALLBACK = "fallback"
    """The layout pass failed or ran out of time or memory; `reason` says why and the plain text was used."""


@dataclass(frozen=True, slots=True)
class PageInfo:
    number: int
    label: str
    width: float
    height: float
    text: str
    """Plain text of the page, normalised like segment text: what quotes and numbers are verified against."""
    status: PageStatus = PageStatus.TEXT
    reason: str = ""
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """Everything later stages may know of a file. Text and values are copied from it, never rewritten."""

    kind: FileKind
    title: str
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    pages: tuple[PageInfo, ...]
    facts: tuple[str, ...] = ()
    """Running headers and footers, once each."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """Characters [start, end) of a document's markdown stand in `box` on `page`."""

    start: int
    end: int
    page: int
    box: Box | None


@dataclass(frozen=True, slots=True)
class Markdown:
    """Hierarchical markdown with its page map; anchors are sorted and do not overlap."""

    text: str
    anchors: tuple[Anchor, ...]


# --- segments ---------------------------------------------------------------------------------------------------------


class SegmentKind(StrEnum):
    TEXT = "text"
    TABLE = "table"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class Segment:
    """A passage with its cascading metadata (HiQA, Algorithm 1).

    `text` is what is shown, quoted and keyword-indexed. `embed_text` is title, path and content as the embedder sees
    it: for tables caption, headers and units but not the figures (HiQA 7.4).
    """

    id: SegmentId
    document: DocumentId
    ordinal: int
    kind: SegmentKind
    title: str
    path: tuple[str, ...]
    text: str
    embed_text: str
    page: int
    pages: tuple[int, ...]
    boxes: tuple[PageBox, ...] = ()
    table: int = -1
    """Index in `ParsedDocument.tables`, -1 for other kinds."""


# --- parameter records ------------------------------------------------------------------------------------------------


class RecordSection(StrEnum):
    """Which kind of table a record comes from: limits of different kinds are never mixed."""

    ABSOLUTE_MAXIMUM = "absolute_maximum"
    RECOMMENDED = "recommended"
    CHARACTERISTICS = "characteristics"
    FEATURES = "features"
    OTHER = "other"


class LimitKind(StrEnum):
    MIN = "min"
    TYP = "typ"
    MAX = "max"
    NOM = "nom"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Condition:
    """A test condition: "V_CC = 5 V" -> quantity "V_CC", relation "=", low = high = 5.0, unit "V" in SI base form.

    Conditions that are not of this form keep only `raw`.
    """

    raw: str
    quantity: str = ""
    relation: str = ""
    low: float | None = None
    high: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ParameterRecord:
    """One value of one limit table (or row-key x column cell of another table), with all that it hangs on.

    `value_raw` is printed text. `low`/`high` hold the SI value (equal unless the cell is a range); None where the cell
    is not a number ("see Figure 3").
    """

    id: str
    document: DocumentId
    table: int
    row: int
    column: int
    parts: tuple[str, ...]
    parameter: str
    symbol: str
    kind: LimitKind
    section: RecordSection
    value_raw: str
    unit_raw: str
    low: float | None
    high: float | None
    unit: str
    conditions: tuple[Condition, ...]
    caption: str
    path: tuple[str, ...]
    page: int
    box: Box | None
    row_box: Box | None
    confidence: float
    doubts: tuple[str, ...] = ()
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Amendment:
    """What a user corrects in a record, as typed; None leaves what was read."""

    value: str | None = None
    unit: str | None = None
    limit: str | None = None
    parameter: str | None = None
    symbol: str | None = None
    parts: tuple[str, ...] | None = None
    section: str | None = None


# --- the abstract tree ------------------------------------------------------------------------------------------------


class AbstractKind(StrEnum):
    KEYWORD = "keyword"
    SUMMATIVE = "summative"


class AbstractState(StrEnum):
    """How far a node's abstract can be trusted. A failure is a state, never text."""

    STATISTICAL = "statistical"
    MODEL = "model"
    STALE = "stale"
    """Leaves below have changed: not to be shown as current."""
    FAILED = "failed"
    """The model could not word it; the statistical text stands."""


@dataclass(frozen=True, slots=True)
class AbstractNode:
    """A stored node of the tree. `children` are node ids, at height 1 segment ids; `parent` is "" at the root."""

    id: str
    height: int
    parent: str
    children: tuple[str, ...]
    leaves: int
    abstract: str
    kind: AbstractKind = AbstractKind.KEYWORD
    state: AbstractState = AbstractState.STATISTICAL
