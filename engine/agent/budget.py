"""How much of the evidence fits: lowest-ranked passages are dropped first."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def fit(passages: Sequence[str], budget: int, count: Callable[[str], int]) -> int:
    """How many of the passages, best first, fit into `budget` tokens; at least one.

    `count` is the model's own tokenizer: tables and CJK take several times the tokens their length suggests.
    """
    left = budget
    for number, passage in enumerate(passages):
        left -= count(passage)
        if left < 0:
            return max(1, number)
    return len(passages)
