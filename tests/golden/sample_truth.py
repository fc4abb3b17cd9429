"""The sample library's truth and a parse of each document, both in the folded form in which they are compared."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.model import Box, Markdown, ParsedDocument
from engine.core.text import fold
from engine.parse.markdown import render
from engine.parse.reader import read_document
from tests.makers.sample_library import GOLDEN, LIBRARY

NAMES = tuple(sorted(path.stem for path in GOLDEN.glob("*.json")))
CONTENT = {"heading", "body", "item", "code", "caption", "head", "band", "cell", "note"}
"""Kinds of printed lines that must be found in the markdown."""


@cache
def truth(name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return told


@cache
def parsed(name: str) -> ParsedDocument:
    return read_document(Path(LIBRARY / truth(name)["file"]), lambda page, pages: None)


@cache
def markdown(name: str) -> Markdown:
    return render(parsed(name))


def squeeze(text: str) -> str:
    """Folded, without white space and markup: line breaks and cell borders fall where they like."""
    return re.sub(r"[\s\\|*#_`-]+", "", fold(text))


def overlap(box: Box, other: list[float]) -> bool:
    """Whether the middle line of `other` runs through `box`."""
    middle = (other[1] + other[3]) / 2
    return box.y0 - 1 <= middle <= box.y1 + 1 and box.x0 - 1 <= (other[0] + other[2]) / 2 <= box.x1 + 1


def close(box: Box, other: list[float], room: float = 2.0) -> bool:
    """Whether two boxes have the same edges within `room` points."""
    edges = (box.x0, box.y0, box.x1, box.y1)
    return all(abs(one - two) <= room for one, two in zip(edges, other))
