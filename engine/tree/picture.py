"""Pictures of the abstract tree as SVG: the circle of Psi-RAG's Figure 5, and an outline."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from engine.core.model import AbstractNode

_SIZE = 900.0
_MARGIN = 40.0
_GOLDEN_TURN = 137.508
"""Degrees between the hues of successive classes: neighbours in number stay far apart in colour."""
_LINE_HEIGHT = 20
_INDENT = 22
_WORDS = 90


@dataclass(frozen=True, slots=True)
class _Spot:
    angle: float
    radius: float

    @property
    def x(self) -> float:
        return _SIZE / 2 + self.radius * math.cos(self.angle)

    @property
    def y(self) -> float:
        return _SIZE / 2 + self.radius * math.sin(self.angle)


def circular_tree(nodes: Sequence[AbstractNode], class_of: Mapping[str, str] | None = None, *, kind: str = "") -> str:
    """All nodes and leaves on circles by height, the root in the middle; "" for a tree without nodes.

    `class_of` names what a leaf belongs to (its document, folder, ...), `kind` what such a class is called: leaves and
    the nodes over leaves of one class have the class's colour, nodes over several are grey and counted below the
    picture. Without classes the colours tell the height.
    """
    if not nodes:
        return ""
    root, leaves = _root_and_leaves(nodes)
    colours = _colours(nodes, leaves, class_of)
    step = 2 * math.pi / max(1, len(leaves))
    rim = _SIZE / 2 - _MARGIN
    spots = {leaf: _Spot(index * step, rim) for index, leaf in enumerate(leaves)}
    lines, dots = [], []
    for node in sorted(nodes, key=lambda one: one.height):
        angle = sum(spots[child].angle for child in node.children) / len(node.children)
        spots[node.id] = _Spot(angle, rim * (1 - node.height / root.height))
        lines += [_line(spots[node.id], spots[child], colours[child]) for child in node.children]
        dots.append(_dot(spots[node.id], 2.0 + 1.2 * math.log1p(node.leaves), colours[node.id], node.abstract))
    named = class_of or {}
    dots += [_dot(spots[leaf], 1.6, colours[leaf], named.get(leaf, "")) for leaf in leaves]
    words = _text(_MARGIN, _SIZE - _MARGIN / 3, _caption(nodes, class_of, kind))
    return _svg(_SIZE, _SIZE, [*lines, *dots, words])


def outline_tree(
    nodes: Sequence[AbstractNode], class_of: Mapping[str, str] | None = None, *, kind: str = "", depth: int = 3
) -> str:
    """The upper `depth` heights as an indented list of abstracts with their numbers of leaves, coloured as the circle
    is."""
    if not nodes:
        return ""
    by_id = {node.id: node for node in nodes}
    root, leaves = _root_and_leaves(nodes)
    colours = _colours(nodes, leaves, class_of)
    rows: list[tuple[int, AbstractNode]] = []
    stack = [(0, root)]
    while stack:
        level, node = stack.pop()
        rows.append((level, node))
        if level + 1 < depth and node.height > 1:
            below = sorted((by_id[child] for child in node.children), key=lambda one: (one.leaves, one.id))
            stack += [(level + 1, child) for child in below]
    parts = []
    for row, (level, node) in enumerate(rows):
        left, line = _MARGIN + level * _INDENT, _MARGIN + row * _LINE_HEIGHT
        parts.append(_bullet(left - _INDENT / 2, line - 4, colours[node.id]))
        parts.append(_text(left, line, _headline(node), bold=level == 0))
    end = _MARGIN + len(rows) * _LINE_HEIGHT
    return _svg(_SIZE, end + _MARGIN, [*parts, _text(_MARGIN, end + _LINE_HEIGHT, _caption(nodes, class_of, kind))])


def confused_nodes(nodes: Sequence[AbstractNode], class_of: Mapping[str, str]) -> int:
    """How many parents of leaves have leaves of more than one class (Psi-RAG, appendix D.2)."""
    return sum(node.height == 1 and len({class_of.get(leaf, "") for leaf in node.children}) > 1 for node in nodes)


def _caption(nodes: Sequence[AbstractNode], class_of: Mapping[str, str] | None, kind: str) -> str:
    if class_of is None:
        return f"Heights 0 to {max(node.height for node in nodes)}, from pale to dark."
    lowest = sum(node.height == 1 for node in nodes)
    return (
        f"{confused_nodes(nodes, class_of)} of {lowest} nodes over passages stand over more than one {kind or 'class'}."
    )


def _root_and_leaves(nodes: Sequence[AbstractNode]) -> tuple[AbstractNode, list[str]]:
    """The root, and all leaves in the order in which they stand around the circle."""
    by_id = {node.id: node for node in nodes}
    root = next(node for node in nodes if not node.parent)
    leaves: list[str] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.height == 1:
            leaves += node.children
        else:
            stack += [by_id[child] for child in reversed(node.children)]
    return root, leaves


def _colours(
    nodes: Sequence[AbstractNode], leaves: Sequence[str], class_of: Mapping[str, str] | None
) -> dict[str, str]:
    """The colour of every node and leaf: of its height, or of the one class below it, grey over several."""
    if class_of is None:
        top = max(node.height for node in nodes)
        return {leaf: _shade(0.0) for leaf in leaves} | {node.id: _shade(node.height / top) for node in nodes}
    hues = {name: index * _GOLDEN_TURN % 360 for index, name in enumerate(sorted(set(class_of.values())))}
    classes: dict[str, frozenset[str]] = {leaf: frozenset((class_of.get(leaf, ""),)) for leaf in leaves}
    for node in sorted(nodes, key=lambda one: one.height):
        classes[node.id] = frozenset().union(*(classes[child] for child in node.children))
    return {name: _colour(held, hues) for name, held in classes.items()}


def _headline(node: AbstractNode) -> str:
    words = " · ".join(line.partition(": ")[2] or line for line in node.abstract.splitlines())
    cut = words if len(words) <= _WORDS else f"{words[:_WORDS].rsplit(' ', 1)[0]} …"
    return f"{node.leaves}  {cut}"


def _colour(classes: frozenset[str], hues: Mapping[str, float]) -> str:
    if len(classes) != 1:
        return "#8a8f98"
    return _hex(hues.get(next(iter(classes)), 0.0) / 360, 0.45, 0.6)


def _shade(share: float) -> str:
    """One hue from pale at the leaves to dark at the root: heights are an order, unlike classes."""
    return _hex(0.60, 0.78 - 0.55 * share, 0.55)


def _hex(hue: float, lightness: float, saturation: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _line(start: _Spot, end: _Spot, colour: str) -> str:
    return (
        f'<line x1="{start.x:.1f}" y1="{start.y:.1f}" x2="{end.x:.1f}" y2="{end.y:.1f}" '
        f'stroke="{colour}" stroke-width="0.7" stroke-opacity="0.55"/>'
    )


def _dot(spot: _Spot, radius: float, colour: str, title: str) -> str:
    return (
        f'<circle cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="{radius:.1f}" fill="{colour}">'
        f"<title>{escape(title)}</title></circle>"
    )


def _bullet(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{colour}"/>'


def _text(x: float, y: float, words: str, *, bold: bool = False) -> str:
    weight = 600 if bold else 400
    return f'<text x="{x:g}" y="{y:g}" font-weight="{weight}">{escape(words)}</text>'


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="13">\n' + "\n".join(parts) + "\n</svg>\n"
    )
