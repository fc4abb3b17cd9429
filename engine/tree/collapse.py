"""From the spanning tree to the equi-depth abstract tree: Psi-RAG's Algorithm 1 over sorted edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.tree.edges import Edges, Ints


@dataclass(frozen=True, slots=True)
class Levels:
    """An equi-depth tree as partitions: `labels[h][leaf]` is the leaf's ancestor at height h, `labels[0]` the leaves.

    Ancestors of one height are numbered from 0 in the order of their lowest leaf; the last height is the root. A tree
    of one leaf has the root above it; a tree of none has no height at all.
    """

    labels: tuple[Ints, ...]

    @property
    def height(self) -> int:
        return max(0, len(self.labels) - 1)

    @property
    def leaves(self) -> int:
        return len(self.labels[0]) if self.labels else 0


def collapse(count: int, edges: Edges) -> Levels:
    """Algorithm 1 over the spanning edges of `count` leaves, best first: merging, leaf-node collapse, abstract-node
    collapse with equal heights (a new node over both roots) and unequal ones (the lower root joins the other's path at
    the node whose children have its height). Near linear in time: each step walks at most the height of the tree.
    """
    if count == 0:
        return Levels(())
    parent = [-1] * count
    height = [0] * count
    root = _Roots(count)
    for u, v in zip(edges.lower.tolist(), edges.higher.tolist()):
        tall, low = root.of(u), root.of(v)
        leaf = u
        if height[tall] < height[low]:
            tall, low, leaf = low, tall, v
        if height[tall] == height[low]:
            parent[tall] = parent[low] = len(parent)
            parent.append(-1)
            height.append(height[tall] + 1)
            root.join(u, v, len(parent) - 1)
            continue
        node = leaf
        while height[node] <= height[low]:
            node = parent[node]
        parent[low] = node
        root.join(u, v, tall)
    if count == 1:
        parent[0] = 1
        parent.append(-1)
    return Levels(_partitions(count, np.asarray(parent, dtype=np.int64)))


class _Roots:
    """Union-find over leaves that remembers the tree root of each component."""

    def __init__(self, count: int) -> None:
        self._link = list(range(count))
        self._root = list(range(count))

    def _find(self, leaf: int) -> int:
        link = self._link
        while link[leaf] != leaf:
            link[leaf] = link[link[leaf]]
            leaf = link[leaf]
        return leaf

    def of(self, leaf: int) -> int:
        return self._root[self._find(leaf)]

    def join(self, u: int, v: int, root: int) -> None:
        first, second = self._find(u), self._find(v)
        self._link[second] = first
        self._root[first] = root


def _partitions(count: int, parent: Ints) -> tuple[Ints, ...]:
    current = np.arange(count, dtype=np.int64)
    labels = [current]
    while parent[current[0]] >= 0:
        current = parent[current]
        labels.append(by_lowest_leaf(current))
    return tuple(labels)


def by_lowest_leaf(names: Ints) -> Ints:
    """Renumber any labels of leaves from 0 in the order in which they first occur."""
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    order = np.empty(len(first), dtype=np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    renumbered: Ints = order[inverse.ravel()]
    return renumbered
