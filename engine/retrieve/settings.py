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
    links: bool = True
    hops: HopSettings = field(default_factory=HopSettings)
    rerank_pool: int = 0
    """How many of the best candidates the cross-encoder orders anew; 0 for none."""
    per_page: int = 1
    """Segments of one page before other pages get their turn; 0 for no limit."""
