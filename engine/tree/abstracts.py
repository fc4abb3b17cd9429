"""Keyword abstracts without a model: what kinds of information, common themes, what distinguishes the children.

The three groups are those of Psi-RAG's keyword abstract (at most 20 phrases, appendix C.2). Here they are counted:
titles of the sections below, phrases that many leaves share and the corpus does not, and phrases that one child has
and its siblings lack. Identifiers stay whole. An abstract is keyed by its node (hence by its children) and by the
version of a frozen snapshot of corpus statistics, so it is the same whenever it is made.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.core.text import fold, identifiers
from engine.tree.nodes import TreeNode

KINDS, THEMES, DISTINCTIONS = 5, 8, 7
"""How many phrases each group may hold: 20 in all."""
VERSION = 2
"""Raised when other words would be chosen: stored trees are then grown again."""
_TERMS_A_LEAF = 48
SAMPLE = 400
"""Leaves looked at below each child: enough to tell children apart, and it bounds the work at the root."""
_WORD = re.compile(r"[^\W\d_][\w'-]+|[\u3040-\u30ff\u4e00-\u9fff]{2,}")
STOP_WORDS = frozenset(
    "a about after all also an and any are as at be been between both but by can could do does during each either "
    "for from further had has have he her his how if in into is it its may more most must no nor not of off on once "
    "one only or other our out over own page same see she should so some such table figure than that the their them "
    "then there these they this those through to two under unless until up use used using very was we were what when "
    "where which while who will with within would you your".split()
)


@dataclass(frozen=True, slots=True)
class LeafTerms:
    """What one leaf says, each phrase once."""

    terms: tuple[str, ...]
    kind: str
    """Title of the section it stands in."""


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """A frozen snapshot: in how many leaves each phrase occurs."""

    frequency: Mapping[str, int]
    leaves: int
    version: str

    def to_bytes(self) -> bytes:
        """For the store; `corpus_of_bytes` reads it."""
        written = json.dumps([self.leaves, self.version, dict(self.frequency)], ensure_ascii=False)
        return zlib.compress(written.encode())

    def weight(self, term: str) -> float:
        """Inverse leaf frequency, at least 0."""
        return math.log((1 + self.leaves) / (1 + self.frequency.get(term, 0)))


@dataclass(frozen=True, slots=True)
class KeywordAbstract:
    kinds: tuple[str, ...]
    themes: tuple[str, ...]
    distinctions: tuple[str, ...]

    def text(self) -> str:
        """As it is embedded and shown."""
        groups = (("Information", self.kinds), ("Themes", self.themes), ("Differences", self.distinctions))
        return "\n".join(f"{name}: {'; '.join(phrases)}" for name, phrases in groups if phrases)


def leaf_terms(segment: Segment) -> LeafTerms:
    """Identifiers, content words and pairs of neighbouring content words of a segment."""
    text = f"{segment.title}. {' . '.join(segment.path)}. {segment.text}"
    found: dict[str, None] = dict.fromkeys(identifiers(text))
    known = {name.casefold() for name in found}
    previous, end = "", -1
    for match in _WORD.finditer(fold(text)):
        word = match.group().lower()
        if word in STOP_WORDS or len(word) < 3 or any(word in name for name in known):
            previous = ""
            continue
        found.setdefault(word)
        if previous and match.start() - end == 1:
            found.setdefault(f"{previous} {word}")
        previous, end = word, match.end()
    return LeafTerms(tuple(found)[:_TERMS_A_LEAF], segment.path[-1] if segment.path else segment.title)


def corpus_statistics(leaves: Iterable[LeafTerms]) -> CorpusStatistics:
    """Count phrases over all leaves; those of one leaf alone are dropped, for they weigh the same."""
    counts: Counter[str] = Counter()
    total = 0
    for leaf in leaves:
        counts.update(leaf.terms)
        total += 1
    kept = {term: count for term, count in counts.items() if count > 1}
    digest = hashlib.blake2b(f"{total}".encode(), digest_size=8)
    for term in sorted(kept):
        digest.update(f"{term}\x1f{kept[term]}\x1e".encode())
    return CorpusStatistics(kept, total, digest.hexdigest())


def sampled_leaves(nodes: Sequence[TreeNode]) -> dict[str, tuple[SegmentId, ...]]:
    """For each node, lowest height first, its `SAMPLE` lowest leaf ids. Ids are hashes, so this is a fair sample, and
    it depends on nothing but what lies below the node."""
    below: dict[str, tuple[SegmentId, ...]] = {}
    for node in nodes:
        if node.height == 1:
            below[node.id] = tuple(SegmentId(child) for child in sorted(node.children)[:SAMPLE])
        else:
            merged = heapq.merge(*(below[child] for child in node.children))
            below[node.id] = tuple(itertools.islice(merged, SAMPLE))
    return below


def leaves_of_children(node: TreeNode, below: Mapping[str, tuple[SegmentId, ...]]) -> list[tuple[SegmentId, ...]]:
    """The (sampled) leaves below each child of a node, from `sampled_leaves`; a child that is a leaf stands alone."""
    if node.height == 1:
        return [(SegmentId(child),) for child in node.children]
    return [below[child] for child in node.children]


def corpus_of_bytes(written: bytes) -> CorpusStatistics:
    """A snapshot that `CorpusStatistics.to_bytes` wrote."""
    leaves, version, frequency = json.loads(zlib.decompress(written))
    return CorpusStatistics(frequency, leaves, version)


def keyword_abstract(children: Sequence[Sequence[LeafTerms]], corpus: CorpusStatistics) -> KeywordAbstract:
    """Abstract of a node from the (sampled) leaves below each of its children."""
    below = [Counter(term for leaf in child for term in leaf.terms) for child in children]
    leaves = sum(len(child) for child in children)
    total: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    share: dict[str, float] = {}  # in what part of a child's leaves a term stands, where it is most at home
    for child, counts in zip(children, below):
        total.update(counts)
        spread.update(counts.keys())
        for term, count in counts.items():
            share[term] = max(share.get(term, 0.0), count / len(child))
    shared = {term: count / leaves * corpus.weight(term) for term, count in total.items() if count > 1}
    themes = _distinct(_best(shared, THEMES * 3), THEMES)
    apart = {
        term: corpus.weight(term) * share[term] * (1 + count / leaves) * (1.5 if _has_digit(term) else 1.0)
        for term, count in total.items()
        if spread[term] * 3 <= max(3, len(below)) and not (count > 1 and spread[term] > 1)
    }
    distinctions = _distinct(_best(apart, DISTINCTIONS * 3), DISTINCTIONS, taken=themes)
    kinds = Counter(leaf.kind for child in children for leaf in child if leaf.kind)
    return KeywordAbstract(
        tuple(sorted(kinds, key=lambda kind: (-kinds[kind], kind))[:KINDS]), tuple(themes), tuple(distinctions)
    )


def _has_digit(term: str) -> bool:
    return any(character.isdigit() for character in term)


def _best(scores: Mapping[str, float], count: int) -> list[str]:
    return heapq.nsmallest(count, scores, key=lambda term: (-scores[term], term))


def _distinct(terms: Sequence[str], count: int, taken: Sequence[str] = ()) -> list[str]:
    """The first `count` phrases none of which is contained in another one's words."""
    kept: list[str] = []
    for term in terms:
        words = set(term.split())
        if any(words <= set(other.split()) or words >= set(other.split()) for other in (*kept, *taken)):
            continue
        kept.append(term)
        if len(kept) == count:
            break
    return kept
