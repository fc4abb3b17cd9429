"""Settings of the retriever: what the benchmarks measured best (tests/benchmarks/retrieval.py)."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.retrieve.fuse import Floors, Fusion, Weights
from engine.retrieve.hops import HopSettings


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Ablations switch parts off; the defaults are what the application uses."""

    fusion: Fusion = Fusion.MIN_MAX
    weights: Weights = field(default_factory=lambda: Weights(alpha=0.25, beta=1.0))
    floors: Floors = field(default_factory=Floors)
    pool: int = 60
    """Candidates each route returns for the whole library, and again for the documents a question names."""
    names: bool = True
    """Resolve the names in a question and give their documents the critical-term bonus and places of their own."""
    table_weight: float = 0.1
    """Bonus of a table, times its keyword score among the candidates, where a number is asked for.

    Over 435 questions Recall@1 0.642 -> 0.656 and MRR 0.811 -> 0.825 at the same Recall@5; at 0.3 Recall@1 0.677, but
    tables then press out the passages that lead on to another document.
    """
    links: bool = True
    hops: HopSettings = field(default_factory=HopSettings)
    rerank_pool: int = 0
    """How many of the best candidates the cross-encoder has a say in; 0 for none, which is what the application uses.

    On datasheets it lowers recall when it alone decides (Recall@5 0.972 -> 0.902 over 123 questions); beside the places
    the gain is within chance (MRR +0.037, 95 % interval -0.002 to +0.076) and costs 12 ms a pair.
    """
    rerank_weight: float = 1.0
    """Weight of its scaled score beside the place a candidate had, both 0..1."""
    per_page: int = 1
    """Segments of one page before other pages get their turn; 0 for no limit."""
