"""The sufficient-context test: whether evidence answers the question or merely looks like it.

A look-alike passage shares the common words of a question; an answer also has its rare ones, speaks of the right part
and holds a value of the kind asked for. `engine/agent/support.py` turns these signs into one probability; here stand
the probabilities from which an answer is given.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Chosen from the held-out lines that `python -m tests.benchmarks.fit_support` prints, for few false answers: of 60
    unanswerable questions from records 0.4 answered 7 and 0.6 one, with as many of the answerable right."""

    answered: float = 0.6
    gate: float = 0.1
    """Probability below which the model is not even asked ..."""
    plain: float = 0.85
    """... and from which it need not be."""
