"""Hops over mention links (algorithms.md section 3): from the best segments to the documents they name.

A link is worth following when its sentence speaks of what is asked ("directed by X" for a question about the director,
"use AT89S51" for one about a replacement); names that many documents share, or that stand everywhere, count less.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.ports import Mention, MentionSource
from engine.core.text import fold_case
from engine.retrieve.understand import Understanding

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a an the of in on at to for from by with and or is are was were be been do does did has have had who whom"
        " whose which what when where why how that this these those it its his her their there than then as if not"
        " no can according data sheet datasheet document note says s",
    )
)
_LEAST_PLACE = 0.6
_STEM = 4
"""Words agree when they share this many first letters (director, directed; replacement, replaced)."""


@dataclass(frozen=True, slots=True)
class HopSettings:
    """`sources` segments start links, `targets` documents are followed, `popular` is the share of segments that makes a
    name too common to lead anywhere."""

    sources: int = 3
    targets: int = 12
    popular: int = 200
    places: int = 3
    weight: float = 0.6
    """Bonus of a full-strength link from a segment that was merely found."""
    named_weight: float = 0.8
    """Bonus of one from a document the question names: below its own segments."""
    short_weight: float = 1.6
    """Bonus of one from a named document of at most `short` segments, which has little more to say itself: above all
    documents that merely look like it."""
    short: int = 4
    sure: float = 0.5
    """Anchor agreement from which a linked document gets a reserved place even among a named document's segments."""
    after: int = 4
    """Direct hits before those places."""
    after_hop: int = 2
    """The same where the question itself says that one document leads to another."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A document reached over a link, with the link's strength in 0..1."""

    document: DocumentId
    through: str
    strength: float
    anchor: float
    bonus: float
    source: SegmentId
    """The segment that names the document."""


def follow(
    asked: Understanding,
    sources: Sequence[Segment],
    known: Mapping[DocumentId, int],
    mentions: MentionSource,
    popularity: Callable[[str], int],
    settings: HopSettings,
) -> list[Hop]:
    """Documents linked from `sources` (best first) that are not `known` already, strongest first.

    `known` are the documents the question names, with the number of their segments among the candidates.
    """
    questions = asked.sentences or (asked.text,)
    place = {segment.id: rank for rank, segment in enumerate(sources)}
    titles = {segment.id: segment.title for segment in sources}
    homes = {segment.id: segment.document for segment in sources}
    best: dict[DocumentId, Hop] = {}
    for mention in mentions.mentions_in(sources):
        if mention.target in known:
            continue
        anchor = max(anchor_agreement(text, mention, titles[mention.segment]) for text in questions)
        common = popularity(mention.entry)
        strength = (0.5 + 0.5 * anchor) / mention.shared
        strength *= max(_LEAST_PLACE, 1 / (1 + 0.15 * place[mention.segment]))
        if common > settings.popular:
            strength *= math.log1p(settings.popular) / math.log1p(common) / 2
        weight = _weight(known.get(homes[mention.segment]), settings)
        through = f"{titles[mention.segment]} -> {mention.entry}"
        hop = Hop(mention.target, through, strength, anchor, weight * strength, mention.segment)
        if mention.target not in best or best[mention.target].bonus < hop.bonus:
            best[mention.target] = hop
    ordered = sorted(best.values(), key=lambda hop: (-hop.bonus, hop.document))
    return ordered[: settings.targets]


def _weight(own_segments: int | None, settings: HopSettings) -> float:
    if own_segments is None:
        return settings.weight
    return settings.short_weight if own_segments <= settings.short else settings.named_weight


def anchor_agreement(question: str, mention: Mention, title: str) -> float:
    """Share of the question's own words (names aside) that the sentence around the mention takes up, 0..1."""
    names = _stems(title) | _stems(mention.entry)
    asked = _stems(question) - names
    if not asked:
        return 0.0
    return len(asked & _stems(mention.context)) / len(asked)


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(fold_case(text)) if word not in _STOP}
