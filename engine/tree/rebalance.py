"""Splitting of nodes with too many children (Psi-RAG section 3.1; its child limit is 40, appendix D.2).

A wide node is replaced by two siblings at its own height, from the bottom up; its parent may then be too wide in
turn, and a split root gets a new root. No split ever leaves a node with one child.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from engine.tree.collapse import Levels, by_lowest_leaf
from engine.tree.edges import Edges, Ints

CHILD_LIMIT = 40


class Split(StrEnum):
    """Where a wide node is cut."""

    HALVES = "halves"
    """In the middle of the list of children in joining order, as the paper does."""
    WEAKEST = "weakest"
    """At the weakest joining edge that leaves at least a quarter of the children on each side, else in halves."""


class _Joint(NamedTuple):
    """An edge between two children of one node; `rank` 0 is the most similar edge of the whole tree."""

    left: int
    right: int
    rank: int


def rebalance(levels: Levels, edges: Edges, *, limit: int = CHILD_LIMIT, split: Split = Split.WEAKEST) -> Levels:
    """Split every node with more than `limit` children (at least 3). Pure: equal trees give equal results."""
    labels = [*levels.labels]
    height = 1
    while height < len(labels):
        labels[height] = _split_height(labels[height - 1], labels[height], edges, max(3, limit), split)
        if height == len(labels) - 1 and len(labels[height]) and labels[height].max() > 0:
            labels.append(np.zeros_like(labels[height]))
        height += 1
    return Levels(tuple(labels))


def _split_height(below: Ints, here: Ints, edges: Edges, limit: int, split: Split) -> Ints:
    """The partition at one height after its wide nodes have been cut; `below` is the partition of their children."""
    children = int(below.max()) + 1
    node_of = np.empty(children, dtype=np.int64)
    node_of[below] = here
    widths = np.bincount(node_of)
    wide = np.flatnonzero(widths > limit)
    if not len(wide):
        return here
    joints = _joints(below, here, edges, set(wide.tolist()))
    fresh = len(widths)
    for node in wide.tolist():
        order = _joining_order(joints[node], np.flatnonzero(node_of == node).tolist())
        for part in _parts(order, joints[node], limit, split)[1:]:
            node_of[part] = fresh
            fresh += 1
    return by_lowest_leaf(node_of[below])


def _joints(below: Ints, here: Ints, edges: Edges, wide: set[int]) -> dict[int, list[_Joint]]:
    """The spanning edges that join children of each wide node, best first.

    Every node's leaves are connected within the spanning tree until a list is halved; halving never looks at edges
    across the halves again, so a missing edge only shortens the joining order's evidence.
    """
    left, right = below[edges.lower], below[edges.higher]
    owner, other = here[edges.lower], here[edges.higher]
    inside = np.flatnonzero((owner == other) & (left != right))
    joints: dict[int, list[_Joint]] = {node: [] for node in wide}
    for rank in inside.tolist():
        node = int(owner[rank])
        if node in wide:
            joints[node].append(_Joint(int(left[rank]), int(right[rank]), rank))
    return joints


def _joining_order(joints: list[_Joint], children: list[int]) -> list[int]:
    order = dict.fromkeys(child for joint in joints for child in (joint.left, joint.right))
    order.update(dict.fromkeys(children))
    return list(order)


def _parts(order: list[int], joints: list[_Joint], limit: int, split: Split) -> list[list[int]]:
    """Cut a list of children until every part fits the limit."""
    pending, done = [(order, joints)], []
    while pending:
        children, edges = pending.pop(0)
        if len(children) <= limit:
            done.append(children)
            continue
        first = _weakest_side(children, edges) if split is Split.WEAKEST else None
        side = first if first is not None else set(children[: len(children) // 2])
        for keep in (True, False):
            part = [child for child in children if (child in side) is keep]
            inner = [edge for edge in edges if (edge.left in side) is keep and (edge.right in side) is keep]
            pending.append((part, inner))
    return done


def _weakest_side(children: list[int], joints: list[_Joint]) -> set[int] | None:
    """The children on the first child's side of the weakest balanced edge, or None where no edge is balanced."""
    if len(joints) != len(children) - 1:
        return None
    least = max(2, -(-len(children) // 4))
    preorder, above = _walk(children[0], joints)
    size = dict.fromkeys(preorder, 1)
    for child in reversed(preorder[1:]):
        size[above[child].left] += size[child]
    balanced = [child for child in preorder[1:] if least <= size[child] <= len(children) - least]
    if not balanced:
        return None
    cut = max(balanced, key=lambda child: above[child].rank)
    lower: set[int] = set()
    for child in preorder:
        if child == cut or (child in above and above[child].left in lower):
            lower.add(child)
    return set(children) - lower


def _walk(start: int, joints: list[_Joint]) -> tuple[list[int], dict[int, _Joint]]:
    """Children in depth-first order from `start`, and for each the edge to the one it was reached from (`left`)."""
    near: dict[int, list[tuple[int, int]]] = {}
    for joint in joints:
        near.setdefault(joint.left, []).append((joint.right, joint.rank))
        near.setdefault(joint.right, []).append((joint.left, joint.rank))
    order, above, stack = [start], {}, [start]
    seen = {start}
    while stack:
        current = stack.pop()
        for child, rank in near.get(current, ()):
            if child not in seen:
                seen.add(child)
                above[child] = _Joint(current, child, rank)
                order.append(child)
                stack.append(child)
    return order, above
