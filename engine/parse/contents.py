"""Printed contents lists: evidence for the outline, but no text to be found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.text import fold_case
from engine.parse.content import PageContent, PageLine

_LEADERS = re.compile(r"^(?P<title>.*?\S)\s*(?:\.\s?){4,}\s*(?P<page>\d{1,4}(?:-\d{1,4})?|[ivxlc]{1,6})?$")
_PLAIN = re.compile(r"^(?P<title>\S.*?\D)\s+(?P<page>\d{1,4}|[ivxlc]{1,5})$")
_HEADS = frozenset(
    (
        "contents",
        "table of contents",
        "inhalt",
        "inhaltsverzeichnis",
        "sommaire",
        "index",
        "目次",
        "目录",
        "目錄",
        "contenido",
        "indice",
    )
)
_MIN_RUN = 3


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A line of a contents list; `indent` is its left edge in points."""

    title: str
    page_label: str
    indent: float


@dataclass(frozen=True, slots=True)
class Contents:
    lines: frozenset[tuple[int, int]]
    entries: tuple[ContentsEntry, ...]


def find_contents(pages: Sequence[PageContent], skip: frozenset[tuple[int, int]]) -> Contents:
    """Runs of lines that end in leaders and a page number, or that follow a "Contents" title and end in a number.

    The title belongs to the list: it heads no section.
    """
    lines: set[tuple[int, int]] = set()
    entries: list[ContentsEntry] = []
    for page in pages:
        kept = [(i, line) for i, line in enumerate(page.lines) if (page.number, i) not in skip]
        for run in _runs(kept):
            lines.update((page.number, index) for index, _ in run)
            before = [(i, line) for i, line in kept if i < run[0][0]][-1:]
            lines.update((page.number, i) for i, line in before if is_contents_title(line.text))
            pending = ""
            for _, line in run:
                match = _LEADERS.match(line.text) or _PLAIN.match(line.text)
                if match is None:
                    pending = f"{pending} {line.text}".strip()
                    continue
                title = f"{pending} {match['title']}".strip()
                entries.append(ContentsEntry(title.rstrip(" ."), match["page"] or "", line.place.x0))
                pending = ""
    return Contents(frozenset(lines), tuple(entries))


def is_contents_title(text: str) -> bool:
    """True for "Contents", "Table of contents" and the like, numbered or not."""
    return fold_case(text).strip(" .:0123456789") in _HEADS


def _runs(kept: Sequence[tuple[int, PageLine]]) -> list[list[tuple[int, PageLine]]]:
    runs = []
    current: list[tuple[int, PageLine]] = []
    strong = gap = 0
    opened = False
    for index, line in kept:
        if is_contents_title(line.text):
            if strong >= _MIN_RUN:
                runs.append(_trimmed(current))
            current, strong, gap, opened = [], 0, 0, True
            continue
        leaders = _LEADERS.match(line.text) is not None
        if leaders or (opened and _PLAIN.match(line.text)):
            current.append((index, line))
            strong += 1
            gap = 0
        elif current and gap < 2 and len(line.text) < 110 and not _stands_out(line, current):
            current.append((index, line))
            gap += 1
        else:
            if strong >= _MIN_RUN:
                runs.append(_trimmed(current))
            current, strong, gap, opened = [], 0, 0, False
    if strong >= _MIN_RUN:
        runs.append(_trimmed(current))
    return runs


def _stands_out(line: PageLine, run: Sequence[tuple[int, PageLine]]) -> bool:
    """A line set larger or bolder than the entries is a heading after the list, not the rest of an entry."""
    return line.size > 1.1 * max(entry.size for _, entry in run) or (line.bold and not any(e.bold for _, e in run))


def _trimmed(run: list[tuple[int, PageLine]]) -> list[tuple[int, PageLine]]:
    """Lines after the last entry are no part of the list."""
    while run and not (_LEADERS.match(run[-1][1].text) or _PLAIN.match(run[-1][1].text)):
        run = run[:-1]
    return run
