"""A table as a markdown pipe table, one line for each row."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.model import Column, Table


def to_markdown(table: Table) -> str:
    """Caption, pipe table and notes.

    Group headers stand before the column's name ("25 °C Max"); sub-headers are rows of their own in bold; text that
    spans several rows is repeated on each, so that every line can be read alone.
    """
    width = len(table.columns)
    lines = [_line([header_name(column) for column in table.columns]), _line(["---"] * width)]
    section = ""
    for row in table.rows:
        if row.section != section:
            section = row.section
            if section:
                lines.append(_line([f"**{_escaped(section)}**", *[""] * (width - 1)], escape=False))
        lines.append(_line([cell.text for cell in row.cells]))
    parts = [table.caption] if table.caption else []
    parts.append("\n".join(lines))
    parts += table.notes
    return "\n\n".join(parts)


def header_name(column: Column) -> str:
    """The column's name with its groups in front."""
    return " ".join((*column.group, column.name)).strip()


def _line(texts: Sequence[str], *, escape: bool = True) -> str:
    cells = [_escaped(text) if escape else text for text in texts]
    return "| " + " | ".join(cells) + " |"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
