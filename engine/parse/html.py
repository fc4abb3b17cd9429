"""HTML to headings, paragraphs, lists and tables, with the standard library's tolerant tokenizer."""

from __future__ import annotations

from html.parser import HTMLParser

from engine.core.model import BlockKind
from engine.parse.flow import FlowBuilder

_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "nav", "select", "button"))
_BREAKING = frozenset(
    (
        "p",
        "div",
        "section",
        "article",
        "header",
        "footer",
        "main",
        "aside",
        "blockquote",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "figure",
        "figcaption",
        "form",
        "hr",
        "address",
        "body",
    )
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class HtmlWalker(HTMLParser):
    """Feeds a :class:`FlowBuilder`. Layout tables (a table in a table, or of one cell) count as running text."""

    def __init__(self, builder: FlowBuilder) -> None:
        super().__init__(convert_charrefs=True)
        self.builder = builder
        self.title = ""
        self._first_heading = ""
        self._text: list[str] = []
        self._silent = 0
        self._in_title = False
        self._heading = 0
        self._list = 0
        self._pre = 0
        self._items: list[str] = []
        self._table = 0
        self._rows: list[list[str]] = []
        self._cell = 0
        self._caption = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        elif tag == "title":
            self._in_title = True
        elif tag == "br":
            self._text.append("\n" if self._pre else " ")
        elif tag == "table" or (self._table and tag in ("tr", "td", "th")):
            self._start_in_table(tag, attrs)
        elif tag in _HEADINGS or tag in _BREAKING or tag in ("li", "pre"):
            self._flush()
            self._heading = int(tag[1]) if tag in _HEADINGS else self._heading
            self._list += tag in ("ul", "ol")
            self._pre += tag == "pre"

    def _start_in_table(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._flush()
            self._table += 1
            return
        self._flush_cell()
        if tag == "tr" or not self._rows:
            self._rows.append([])
        if tag != "tr":
            self._cell = len(self._rows[-1])
            self._rows[-1] += [""] * _span(attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag == "title":
            self._in_title = False
        elif tag in ("caption", "table") or (self._table and tag in ("td", "th", "tr")):
            self._end_in_table(tag)
        elif tag in _HEADINGS:
            title = " ".join(self._taken().split())
            if title:
                self.builder.heading(title, self._heading or int(tag[1]))
                self._first_heading = self._first_heading or title
            self._heading = 0
        elif tag in ("ul", "ol"):
            self._flush()
            self._list = max(0, self._list - 1)
            self._end_list()
        elif tag == "pre":
            self.builder.text(self._taken(), BlockKind.CODE)
            self._pre = max(0, self._pre - 1)
        elif tag == "li" or tag in _BREAKING:
            self._flush()

    def _end_in_table(self, tag: str) -> None:
        if tag == "caption":
            self._caption = self._taken()
            return
        self._flush_cell()
        if tag == "table":
            self._table = max(0, self._table - 1)
            if not self._table:
                self._end_table()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._silent:
            self._text.append(data)

    def finish(self) -> None:
        """Close what the file left open."""
        self.close()
        self._flush_cell()
        if self._rows:
            self._end_table()
        self._flush()
        self._list = 0
        self._end_list()
        self.title = " ".join(self.title.split()) or self._first_heading

    def _taken(self) -> str:
        text, self._text = "".join(self._text), []
        return text

    def _flush(self) -> None:
        if self._table and self._rows and self._rows[-1]:
            # Blocks inside a cell only separate words.
            self._text.append(" ")
            return
        text = " ".join(self._taken().split())
        if not text or self._heading:
            if self._heading:
                self._text.append(f"{text} ")
            return
        if self._list:
            self._items.append(f"• {text}")
        else:
            self.builder.text(text)

    def _flush_cell(self) -> None:
        text = " ".join(self._taken().split())
        if text and self._rows and self._rows[-1]:
            self._rows[-1][self._cell] = f"{self._rows[-1][self._cell]} {text}".strip()
        elif text:
            self.builder.text(text)

    def _end_table(self) -> None:
        rows, self._rows = [row for row in self._rows if row], []
        caption, self._caption = self._caption, ""
        if len(rows) < 2 or max(map(len, rows)) < 2:
            for row in rows:
                self.builder.text(" ".join(cell for cell in row if cell))
            return
        self.builder.table(rows, caption)

    def _end_list(self) -> None:
        if not self._list and self._items:
            items, self._items = self._items, []
            self.builder.text("\n".join(items), BlockKind.LIST)


def _span(attrs: list[tuple[str, str | None]]) -> int:
    value = dict(attrs).get("colspan") or "1"
    return min(50, int(value)) if value.isdigit() and int(value) > 0 else 1
