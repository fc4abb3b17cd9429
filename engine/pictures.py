"""The composer of pictures: the abstract tree with its colours, from what the catalogue knows of the leaves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from engine.core.errors import UsageError
from engine.core.ids import SegmentId
from engine.core.model import AbstractNode
from engine.core.ports import SegmentSource
from engine.core.results import DocumentInfo
from engine.tree.picture import circular_tree, outline_tree

COLOURINGS = ("document", "folder", "level")


def tree_picture(
    nodes: Sequence[AbstractNode], documents: Sequence[DocumentInfo], source: SegmentSource, by: str, *, outline: bool
) -> str:
    """SVG of the tree as a circle or an outline, coloured by one of COLOURINGS; "" where there is no tree.

    Raises UsageError for another colouring.
    """
    if by not in COLOURINGS:
        raise UsageError(f"The tree cannot be coloured by {by}.", help=f"Choose {', '.join(COLOURINGS)}.")
    draw = outline_tree if outline else circular_tree
    if by == "level":
        return draw(nodes)
    files = {one.id: one.places[0].file for one in documents if one.places}
    names = files if by == "document" else {one: str(PurePosixPath(file).parent) for one, file in files.items()}
    leaves = [SegmentId(child) for node in nodes if node.height == 1 for child in node.children]
    return draw(nodes, {one.id: names.get(one.document, "") for one in source.segments(leaves)}, kind=by)
