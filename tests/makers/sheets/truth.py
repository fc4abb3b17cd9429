"""What is truly in a drawn document: outline, reading order, tables, figures, labels, every printed line."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.makers.sheets.ink import Printed

BoxTuple = tuple[float, float, float, float]


@dataclass
class TrueCell:
    text: str
    box: BoxTuple | None
    inherited: bool = False


@dataclass
class TrueRow:
    cells: list[TrueCell]
    page: int
    section: str = ""


@dataclass
class TrueTable:
    caption: str
    columns: list[dict[str, object]]
    heading: int
    rules: str
    rows: list[TrueRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    regions: list[tuple[int, BoxTuple]] = field(default_factory=list)


@dataclass
class Truth:
    """Collected while a document is drawn. Headings are indexed in reading order."""

    headings: list[dict[str, object]] = field(default_factory=list)
    texts: list[dict[str, object]] = field(default_factory=list)
    tables: list[TrueTable] = field(default_factory=list)
    figures: list[dict[str, object]] = field(default_factory=list)
    printed: list[Printed] = field(default_factory=list)
    turned: list[int] = field(default_factory=list)
    scanned: list[int] = field(default_factory=list)

    def add_heading(self, title: str, level: int, page: int, box: BoxTuple) -> None:
        parent = -1
        for index in range(len(self.headings) - 1, -1, -1):
            if _level(self.headings[index]) < level:
                parent = index
                break
        above = self.headings[parent]["path"] if parent >= 0 else []
        assert isinstance(above, list)
        self.headings.append(
            {"title": title, "level": level, "page": page, "parent": parent, "path": [*above, title], "box": list(box)}
        )

    @property
    def heading(self) -> int:
        """Index of the heading that what comes next stands under, -1 before the first."""
        return len(self.headings) - 1

    def add_text(self, kind: str, text: str, pages: list[int]) -> None:
        self.texts.append({"kind": kind, "text": text, "heading": self.heading, "pages": pages})


def _level(heading: dict[str, object]) -> int:
    level = heading["level"]
    assert isinstance(level, int)
    return level
