"""Psi-RAG's Algorithm 1 written out literally, all pairs and all cases: the peer the fast tree is checked against."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Node:
    leaves: frozenset[int]
    height: int
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None

    @property
    def root(self) -> Node:
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def adopt(self, child: Node) -> None:
        self.children.append(child)
        child.parent = self
        node: Node | None = self
        while node is not None:
            node.leaves = node.leaves | child.leaves
            node = node.parent


def abstract_tree(vectors: np.ndarray) -> Node:
    """The root of the tree over quantised vectors, in O(n^2) pairs."""
    count = len(vectors)
    whole = vectors.astype(np.int64)
    pairs = sorted((-int(whole[i] @ whole[j]), i, j) for i in range(count) for j in range(i + 1, count))
    leaves = [Node(frozenset({i}), 0) for i in range(count)]
    for _, i, j in pairs:
        u, v = leaves[i], leaves[j]
        if u.root is v.root:
            continue
        if u.parent is None and v.parent is None:
            _new_node(u, v)
        elif u.root.height == v.root.height:
            _new_node(u.root, v.root)
        elif u.root.height > v.root.height:
            _ancestor(u, v.root.height + 1).adopt(v.root)
        else:
            _ancestor(v, u.root.height + 1).adopt(u.root)
    if count == 1:
        top = Node(frozenset(), 1)
        top.adopt(leaves[0])
    return leaves[0].root


def partitions(root: Node) -> list[set[frozenset[int]]]:
    """Leaf sets of the nodes at each height, lowest first."""
    heights: list[set[frozenset[int]]] = [set() for _ in range(root.height + 1)]
    stack = [root]
    while stack:
        node = stack.pop()
        heights[node.height].add(node.leaves)
        stack.extend(node.children)
    return heights


def _new_node(left: Node, right: Node) -> None:
    node = Node(frozenset(), left.height + 1)
    node.adopt(left)
    node.adopt(right)


def _ancestor(node: Node, height: int) -> Node:
    while node.height < height:
        assert node.parent is not None
        node = node.parent
    return node
