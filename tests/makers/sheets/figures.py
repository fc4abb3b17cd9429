"""Line drawings for figures: circuits, curves, block diagrams, packages, timing. Labels are the describer's."""

from __future__ import annotations

import math
from collections.abc import Callable

import pymupdf

from tests.makers.sheets.ink import Page, width

Area = tuple[float, float, float, float]
_SIZE = 7.0


def _centred(page: Page, x: float, y: float, text: str, font: pymupdf.Font) -> None:
    page.text(x - width(text, font, _SIZE) / 2, y, text, font, _SIZE, "figure")


def circuit(page: Page, area: Area, labels: tuple[str, ...], font: pymupdf.Font) -> None:
    """Input, one block, output, and a resistor or capacitor to ground for each further label."""
    x0, y0, x1, y1 = area
    top = y0 + 22
    middle = (x0 + x1) / 2
    page.frame(middle - 45, y0 + 6, middle + 45, y0 + 40)
    page.line(x0 + 12, top, middle - 45, top)
    page.line(middle + 45, top, x1 - 12, top)
    _centred(page, x0 + 16, top - 5, labels[0], font)
    _centred(page, middle, top + 3, labels[1], font)
    _centred(page, x1 - 20, top - 5, labels[2], font)
    rest = labels[3:]
    for index, label in enumerate(rest):
        x = x0 + 40 + (x1 - x0 - 80) * (index + 0.5) / max(len(rest), 1)
        points = [(x, y0 + 44.0)]
        points += [(x + (4 if step % 2 else -4), y0 + 48.0 + step * 4) for step in range(7)]
        page.curve([*points, (x, y1 - 16.0)])
        page.line(x - 6, y1 - 16, x + 6, y1 - 16)
        page.text(x + 8, (y0 + y1) / 2 + 12, label, font, _SIZE, "figure")


def curve(page: Page, area: Area, labels: tuple[str, ...], font: pymupdf.Font) -> None:
    """Axes with ticks; labels are x title, y title, then tick numbers along x."""
    x0, y0, x1, y1 = area
    left, bottom = x0 + 34, y1 - 24
    page.frame(left, y0 + 6, x1 - 10, bottom)
    span = x1 - 10 - left
    for index, tick in enumerate(labels[2:]):
        x = left + span * index / max(len(labels) - 3, 1)
        page.line(x, bottom, x, bottom + 3)
        _centred(page, x, bottom + 10, tick, font)
    _centred(page, left + span / 2, y1 - 4, labels[0], font)
    page.text(x0 + 2, y0 + 4, labels[1], font, _SIZE, "figure")
    height = bottom - y0 - 20
    page.curve([(left + span * t / 30, bottom - 6 - height * (1 - math.exp(-t / 9))) for t in range(31)])


def blocks(page: Page, area: Area, labels: tuple[str, ...], font: pymupdf.Font) -> None:
    """A chain of named boxes joined by lines."""
    x0, y0, x1, y1 = area
    step = (x1 - x0) / len(labels)
    middle = (y0 + y1) / 2
    for index, label in enumerate(labels):
        left = x0 + index * step + 6
        page.frame(left, middle - 18, left + step - 18, middle + 18)
        _centred(page, left + (step - 18) / 2, middle + 3, label, font)
        if index:
            page.line(left - 12, middle, left, middle)


def package(page: Page, area: Area, labels: tuple[str, ...], font: pymupdf.Font) -> None:
    """A dual in-line outline, pin names counter-clockwise from the top left, numbers inside."""
    x0, y0, x1, y1 = area
    count = len(labels) // 2
    middle = (x0 + x1) / 2
    page.frame(middle - 35, y0 + 4, middle + 35, y1 - 4)
    pitch = (y1 - y0 - 8) / count
    for index in range(count):
        y = y0 + 4 + pitch * (index + 0.5)
        left, right = labels[index], labels[len(labels) - 1 - index]
        page.line(middle - 45, y, middle - 35, y)
        page.line(middle + 35, y, middle + 45, y)
        page.text(middle - 50 - width(left, font, _SIZE), y + 2.5, left, font, _SIZE, "figure")
        page.text(middle + 50, y + 2.5, right, font, _SIZE, "figure")
        page.text(middle - 32, y + 2.5, str(index + 1), font, 6.0, "figure")
        number = str(len(labels) - index)
        page.text(middle + 32 - width(number, font, 6.0), y + 2.5, number, font, 6.0, "figure")


def timing(page: Page, area: Area, labels: tuple[str, ...], font: pymupdf.Font) -> None:
    """One square wave for each label."""
    x0, y0, x1, y1 = area
    pitch = (y1 - y0) / len(labels)
    for index, label in enumerate(labels):
        low = y0 + pitch * (index + 0.8)
        high = low - pitch * 0.5
        page.text(x0 + 2, low - 2, label, font, _SIZE, "figure")
        points: list[tuple[float, float]] = [(x0 + 60, low)]
        period = 20 + 12 * index
        x = x0 + 60.0
        level = low
        while x < x1 - period:
            x += period
            points.append((x, level))
            level = high if level == low else low
            points.append((x, level))
        points.append((x1 - 6, level))
        page.curve(points)


KINDS: dict[str, Callable[[Page, Area, tuple[str, ...], pymupdf.Font], None]] = {
    "circuit": circuit,
    "curve": curve,
    "blocks": blocks,
    "package": package,
    "timing": timing,
}
