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


def circular_tree(nodes: Sequence[AbstractNode], class_of: Mapping[str, str]) -> str:
    """All nodes and leaves on circles by height, the root in the middle.

    `class_of` names what a leaf belongs to (its document, folder, ...); leaves and the nodes over leaves of one class
    have the class's colour, nodes over several are grey. "" for a tree without nodes.
    """
    if not nodes:
        return ""
    by_id = {node.id: node for node in nodes}
    root = next(node for node in nodes if not node.parent)
    leaves = _ordered_leaves(root, by_id)
    hues = {name: index * _GOLDEN_TURN % 360 for index, name in enumerate(sorted(set(class_of.values())))}
    step = 2 * math.pi / max(1, len(leaves))
    rim = _SIZE / 2 - _MARGIN
    spots = {leaf: _Spot(index * step, rim) for index, leaf in enumerate(leaves)}
    classes: dict[str, frozenset[str]] = {leaf: frozenset((class_of.get(leaf, ""),)) for leaf in leaves}
    lines, dots = [], []
    for node in sorted(nodes, key=lambda one: one.height):
        angle = sum(spots[child].angle for child in node.children) / len(node.children)
        spots[node.id] = _Spot(angle, rim * (1 - node.height / root.height))
        classes[node.id] = frozenset().union(*(classes[child] for child in node.children))
        for child in node.children:
            colour = _colour(classes[child], hues)
            lines.append(_line(spots[node.id], spots[child], colour))
        size = 2.0 + 1.2 * math.log1p(node.leaves)
        dots.append(_dot(spots[node.id], size, _colour(classes[node.id], hues), node.abstract))
    dots += [_dot(spots[leaf], 1.6, _colour(classes[leaf], hues), class_of.get(leaf, "")) for leaf in leaves]
    return _svg(_SIZE, _SIZE, [*lines, *dots])


def outline_tree(nodes: Sequence[AbstractNode], *, depth: int = 3) -> str:
    """The upper `depth` heights as an indented list of abstracts with their numbers of leaves."""
    if not nodes:
        return ""
    by_id = {node.id: node for node in nodes}
    root = next(node for node in nodes if not node.parent)
    rows: list[tuple[int, AbstractNode]] = []
    stack = [(0, root)]
    while stack:
        level, node = stack.pop()
        rows.append((level, node))
        if level + 1 < depth and node.height > 1:
            below = sorted((by_id[child] for child in node.children), key=lambda one: (one.leaves, one.id))
            stack += [(level + 1, child) for child in below]
    text = [
        f'<text x="{_MARGIN + level * _INDENT:g}" y="{_MARGIN + row * _LINE_HEIGHT:g}" '
        f'font-weight="{600 if level == 0 else 400}">{escape(_headline(node))}</text>'
        for row, (level, node) in enumerate(rows)
    ]
    return _svg(_SIZE, 2 * _MARGIN + len(rows) * _LINE_HEIGHT, text)


def confused_nodes(nodes: Sequence[AbstractNode], class_of: Mapping[str, str]) -> int:
    """How many parents of leaves have leaves of more than one class (Psi-RAG, appendix D.2)."""
    return sum(node.height == 1 and len({class_of.get(leaf, "") for leaf in node.children}) > 1 for node in nodes)


def _ordered_leaves(root: AbstractNode, by_id: Mapping[str, AbstractNode]) -> list[str]:
    leaves: list[str] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.height == 1:
            leaves += node.children
        else:
            stack += [by_id[child] for child in reversed(node.children)]
    return leaves


def _headline(node: AbstractNode) -> str:
    words = " · ".join(line.partition(": ")[2] or line for line in node.abstract.splitlines())
    cut = words if len(words) <= _WORDS else f"{words[:_WORDS].rsplit(' ', 1)[0]} …"
    return f"{node.leaves}  {cut}"


def _colour(classes: frozenset[str], hues: Mapping[str, float]) -> str:
    if len(classes) != 1:
        return "#8a8f98"
    red, green, blue = colorsys.hls_to_rgb(hues.get(next(iter(classes)), 0.0) / 360, 0.45, 0.6)
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


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="13">\n' + "\n".join(parts) + "\n</svg>\n"
    )
