"""Which abstracts cannot be trusted: those of nodes below which a leaf is gone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engine.core.model import AbstractNode, AbstractState
from engine.core.tree_ports import Grove


def marked(grove: Grove, leaves: Collection[str]) -> Grove:
    """The tree where every node below which a leaf is not among `leaves` is stale and says nothing."""
    whole: set[str] = set()
    nodes: list[AbstractNode] = [*grove.nodes]
    # Stored nodes stand in no order of heights; children must be known before their parents.
    for row in sorted(range(len(nodes)), key=lambda row: nodes[row].height):
        node = nodes[row]
        known: Collection[str] = leaves if node.height == 1 else whole
        if all(child in known for child in node.children):
            whole.add(node.id)
        else:
            nodes[row] = replace(node, abstract="", state=AbstractState.STALE)
    return Grove(tuple(nodes), grove.vectors, grove.state)
