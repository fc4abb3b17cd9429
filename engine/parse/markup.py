"""Markdown, HTML and plain text to parsed documents."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from engine.core.errors import KnownError
from engine.core.model import BlockKind, FileKind, HeadingSource, ParsedDocument
from engine.parse.flow import FlowBuilder
from engine.parse.html import HtmlWalker
from engine.parse.numbering import read_numbering

_MAX_BYTES = 200 << 20
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)
_UNDERLINE = re.compile(r"^[=\-~*^#]{3,}$")
_META_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?([\w-]+)", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*•+]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")


def decode(data: bytes, declared: str = "") -> str:
    """Text of unknown encoding: by byte order mark, declaration, UTF-8, then Windows Latin."""
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    for encoding in (declared, "utf-8", "cp1252"):
        if encoding:
            try:
                return data.decode(encoding)
            except (UnicodeDecodeError, LookupError):
                continue
    return data.decode("latin-1")


def read_markdown(path: Path) -> ParsedDocument:
    """Parse a Markdown file (CommonMark with tables, front matter); its headings are the outline."""
    text = decode(_bytes(path)).replace("\r\n", "\n")
    title = ""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        if named := _FRONT_TITLE.search(front[1]):
            title = named[1]
    builder = FlowBuilder(FileKind.MARKDOWN)
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    headings = _walk_markdown(tokens, builder)
    return builder.build(title or next((name for level, name in headings if level == 1), ""))


def read_html(path: Path) -> ParsedDocument:
    data = _bytes(path)
    charset = _META_CHARSET.search(data[:4096])
    walker = HtmlWalker(FlowBuilder(FileKind.HTML))
    walker.feed(decode(data, charset[1].decode("ascii") if charset else ""))
    walker.finish()
    return walker.builder.build(walker.title)


def read_text(path: Path) -> ParsedDocument:
    """Paragraphs split at blank lines; numbered, underlined and capital lines that stand alone are headings."""
    lines = decode(_bytes(path)).replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    builder = FlowBuilder(FileKind.TEXT)
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            builder.text("\n".join(paragraph), BlockKind.LIST if _ITEM.match(paragraph[0]) else BlockKind.PARAGRAPH)
            paragraph.clear()

    for index, line in enumerate(lines):
        if "\f" in line:
            flush()
            builder.new_page()
            line = line.replace("\f", "")
        before = lines[index - 1] if index else ""
        after = lines[index + 1] if index + 1 < len(lines) else ""
        if not line.strip():
            flush()
        elif _UNDERLINE.match(line.strip()) and before.strip():
            continue
        elif (level := _text_heading(line.strip(), before, after)) > 0:
            flush()
            builder.heading(
                line.strip(), level, HeadingSource.NUMBERING if read_numbering(line) else HeadingSource.MARKUP
            )
        else:
            paragraph.append(line.strip())
    flush()
    return builder.build("")


def _text_heading(line: str, before: str, after: str) -> int:
    if len(line) > 80 or not any(c.isalpha() for c in line):
        return 0
    if _UNDERLINE.match(after.strip()) and 0.6 * len(line) <= len(after.strip()) <= 1.6 * len(line) + 2:
        return 1 if after.strip()[0] in "=#" else 2
    if before.strip() or after.strip():
        return 0
    numbering = read_numbering(line)
    if numbering is not None and not line.endswith((".", ";", ",")) and numbering.rest[:1].isupper():
        return numbering.depth
    letters = [c for c in line if c.isalpha()]
    return 1 if len(letters) >= 4 and all(c.isupper() for c in letters) else 0


def _walk_markdown(tokens: list[Token], builder: FlowBuilder) -> list[tuple[int, str]]:
    headings: list[tuple[int, str]] = []
    rows: list[list[str]] = []
    items: list[str] = []
    depth = 0
    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "heading_open":
            headings.append((int(token.tag[1]), _inline(tokens[index + 1])))
            builder.heading(headings[-1][1], headings[-1][0])
        elif kind.endswith("_list_open"):
            depth += 1
        elif kind.endswith("_list_close"):
            depth -= 1
            if depth == 0:
                builder.text("\n".join(items), BlockKind.LIST)
                items = []
        elif kind == "paragraph_open" and depth:
            items.append(f"• {_inline(tokens[index + 1])}")
        elif kind in ("tr_open", "th_open", "td_open", "table_close"):
            rows = _grid(kind, tokens[index + 1] if kind != "table_close" else token, rows, builder)
        else:
            _leaf(token, tokens[index + 1] if index + 1 < len(tokens) else token, builder)
    return headings


def _grid(kind: str, content: Token, rows: list[list[str]], builder: FlowBuilder) -> list[list[str]]:
    if kind == "table_close":
        builder.table(rows)
        return []
    if kind == "tr_open":
        return [*rows, []]
    rows[-1].append(_inline(content))
    return rows


def _leaf(token: Token, content: Token, builder: FlowBuilder) -> None:
    if token.type == "paragraph_open":
        builder.text(_inline(content))
    elif token.type in ("fence", "code_block"):
        builder.text(token.content, BlockKind.CODE)
    elif token.type == "html_block":
        walker = HtmlWalker(builder)
        walker.feed(token.content)
        walker.finish()


def _inline(token: Token) -> str:
    parts = []
    for child in token.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(child.content)
    return "".join(parts)


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise KnownError(
                f"{path.name} is larger than {_MAX_BYTES >> 20} MB of text.",
                help="Split it into parts.",
                code="too-big",
            )
        return path.read_bytes()
    except OSError as error:
        raise KnownError(
            f"{path.name} cannot be read: {error.strerror}.",
            help="Check that you may open it.",
            code="unreadable",
            retryable=True,
        ) from error
