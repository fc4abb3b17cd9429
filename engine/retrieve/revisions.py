"""The newest revision first: a hit of an older one steps back behind the same section of the one that replaced it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.results import Hit
from engine.core.revision_ports import RevisionSource
from engine.core.text import fold_case
from engine.retrieve.places import Ranked


def newest_first(
    ranked: Sequence[Ranked], segments: Mapping[SegmentId, Segment], outdated: Mapping[DocumentId, DocumentId]
) -> list[Ranked]:
    """`ranked` anew, given which documents another revision stands for (`outdated`: that document -> the other).

    A segment whose section the other revision has among the candidates too goes behind everything. What only the older
    one has keeps a place of its family, behind the newer one's hits: it may be all there is.
    """
    if not outdated:
        return list(ranked)
    sections = {(segments[item.segment].document, _section(segments[item.segment])) for item in ranked}
    replaced: list[Ranked] = []
    kept: list[Ranked] = []
    for item in ranked:
        segment = segments[item.segment]
        newer = outdated.get(segment.document)
        (replaced if newer is not None and (newer, _section(segment)) in sections else kept).append(item)
    return _newer_before_older(kept, segments, outdated) + replaced


def marked(hits: Sequence[Hit], revisions: RevisionSource | None) -> tuple[Hit, ...]:
    """Hits that say which revision they come from."""
    if revisions is None:
        return tuple(hits)
    return tuple(replace(hit, revision=revisions.revision_of(hit.segment.document)) for hit in hits)


def _newer_before_older(
    ranked: Sequence[Ranked], segments: Mapping[SegmentId, Segment], outdated: Mapping[DocumentId, DocumentId]
) -> list[Ranked]:
    """The places a family has stay its places; within them the standing revision comes first."""
    places: dict[DocumentId, list[int]] = {}
    for place, item in enumerate(ranked):
        document = segments[item.segment].document
        places.setdefault(outdated.get(document, document), []).append(place)
    result = list(ranked)
    for family in places.values():
        members = sorted(
            (ranked[place] for place in family), key=lambda one: segments[one.segment].document in outdated
        )
        for place, item in zip(family, members, strict=True):
            result[place] = item
    return result


def _section(segment: Segment) -> str:
    return fold_case(" > ".join(segment.path[1:] or segment.path))
