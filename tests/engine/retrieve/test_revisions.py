"""The newest revision first: what it says too replaces what an older one says, what only the older one says stays."""

from __future__ import annotations

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment, SegmentKind
from engine.retrieve.places import Ranked
from engine.retrieve.revisions import newest_first

_OUTDATED = {DocumentId("old"): DocumentId("new")}


def ranked(*names: str) -> tuple[list[Ranked], dict[SegmentId, Segment]]:
    """Names are document/section, best first."""
    segments = {}
    for name in names:
        document, section = name.split("/")
        segments[SegmentId(name)] = Segment(
            SegmentId(name), DocumentId(document), 0, SegmentKind.TEXT, document, (section,), "", "", 1, (1,), ()
        )
    return [Ranked(SegmentId(name), 1.0 - n / 100) for n, name in enumerate(names)], segments


def after(*names: str) -> list[str]:
    items, segments = ranked(*names)
    return [str(item.segment) for item in newest_first(items, segments, _OUTDATED)]


def test_a_section_that_the_newer_has_too_goes_behind_everything() -> None:
    assert after("old/Ratings", "new/Ratings", "x/Ratings") == ["new/Ratings", "x/Ratings", "old/Ratings"]


def test_what_only_the_older_says_keeps_a_place_of_its_family() -> None:
    assert after("old/Packages", "x/A", "new/Ratings") == ["new/Ratings", "x/A", "old/Packages"]
    assert after("old/Packages", "x/A") == ["old/Packages", "x/A"]


def test_without_revisions_nothing_moves() -> None:
    assert after("x/A", "new/B", "y/C") == ["x/A", "new/B", "y/C"]
