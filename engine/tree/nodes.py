"""Nodes with identities that survive an update: a node is the hash of what lies below it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.ids import SegmentId
from engine.tree.collapse import Levels


@dataclass(frozen=True, slots=True)
class TreeNode:
    """An abstract node. `children` are node ids, or segment ids at height 1, in the order of their lowest leaf.

    `id` is a hash of the children's ids in sorted order: a node below which nothing changed keeps its id, and with it
    its abstract. `parent` is "" at the root.
    """

    id: str
    height: int
    parent: str
    children: tuple[str, ...]
    leaves: int


def tree_nodes(leaves: Sequence[SegmentId], levels: Levels) -> list[TreeNode]:
    """All abstract nodes, lowest height first; `leaves` in the order of the tree's rows."""
    names: list[str] = [*leaves]
    sizes = np.ones(len(names), dtype=np.int64)
    nodes: list[TreeNode] = []
    for height in range(1, len(levels.labels)):
        owner = np.empty(len(names), dtype=np.int64)
        owner[levels.labels[height - 1]] = levels.labels[height]
        count = int(owner.max()) + 1
        children: list[list[str]] = [[] for _ in range(count)]
        for child, node in enumerate(owner.tolist()):
            children[node].append(names[child])
        sizes = np.bincount(owner, weights=sizes).astype(np.int64)
        names = [_identity(height, below) for below in children]
        nodes += [
            TreeNode(name, height, "", tuple(below), size) for name, below, size in zip(names, children, sizes.tolist())
        ]
    parent_of = {child: node.id for node in nodes if node.height > 1 for child in node.children}
    return [TreeNode(node.id, node.height, parent_of.get(node.id, ""), node.children, node.leaves) for node in nodes]


def _identity(height: int, children: Sequence[str]) -> str:
    digest = hashlib.blake2b(str(height).encode(), digest_size=16)
    for child in sorted(children):
        digest.update(b"\x1f")
        digest.update(child.encode())
    return digest.hexdigest()
