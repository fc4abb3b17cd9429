"""Pictures are well-formed, complete and safe whatever the abstracts say."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from engine.core.model import AbstractNode
from engine.tree.picture import circular_tree, confused_nodes, outline_tree

_NODES = (
    AbstractNode("a", 1, "r", ("s1", "s2"), 2, "Themes: <voltage> & current"),
    AbstractNode("b", 1, "r", ("s3", "s4", "s5"), 3, "Themes: timing"),
    AbstractNode("r", 2, "", ("a", "b"), 5, "Themes: everything"),
)
_CLASSES = {"s1": "x.pdf", "s2": "x.pdf", "s3": "x.pdf", "s4": "y.pdf", "s5": "y.pdf"}
_TEXT = "{http://www.w3.org/2000/svg}text"
_CIRCLE = "{http://www.w3.org/2000/svg}circle"


def test_the_circle_shows_every_node_and_leaf() -> None:
    drawn = ElementTree.fromstring(circular_tree(_NODES, _CLASSES))
    assert len(drawn.findall(_CIRCLE)) == 8
    titles = {one.text for circle in drawn.findall(_CIRCLE) for one in circle}
    assert "Themes: <voltage> & current" in titles


def test_the_outline_lists_the_larger_subtree_first() -> None:
    drawn = ElementTree.fromstring(outline_tree(_NODES))
    rows = [one.text for one in drawn.findall(_TEXT)]
    assert rows[:-1] == ["5  everything", "3  timing", "2  <voltage> & current"]


def test_levels_are_told_by_one_colour_each_and_differ() -> None:
    drawn = ElementTree.fromstring(circular_tree(_NODES))
    shades = [circle.get("fill") for circle in drawn.findall(_CIRCLE)]
    assert shades[0] == shades[1] != shades[2]  # the two lower nodes, then the root
    assert len(set(shades[3:])) == 1  # the leaves
    assert len(set(shades)) == 3


@pytest.mark.parametrize("draw", [circular_tree, outline_tree])
def test_nodes_over_several_documents_are_grey_and_counted(draw: Callable[..., str]) -> None:
    drawn = draw(_NODES, _CLASSES, kind="document")
    assert "1 of 2 nodes over passages stand over more than one document." in drawn
    assert "#8a8f98" in drawn
    assert "#8a8f98" not in draw(_NODES, dict.fromkeys(_CLASSES, "one.pdf"), kind="document")


def test_confused_nodes_are_parents_of_two_classes() -> None:
    assert confused_nodes(_NODES, _CLASSES) == 1
    assert confused_nodes(_NODES, dict.fromkeys(_CLASSES, "one")) == 0


def test_no_tree_no_picture() -> None:
    assert circular_tree((), {}) == outline_tree(()) == ""
