"""Filters on segments: a phrase, an exact identifier, a section, a kind of content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from engine.core.errors import UsageError
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import FileKind, Segment, SegmentKind
from engine.core.ports import KeywordIndex, SegmentSource
from engine.core.results import SearchFilter
from engine.core.text import expand_list, fold_case, identifiers

_MOST = 5_000
"""Segments that may pass a filter; of more, those that say its words most tellingly."""
_OUTER = "\"'`()[]{}<>,;:!?.*#"
_EDGE_WORD = re.compile(r"[^\W_]")


def checked(chosen: SearchFilter) -> SearchFilter:
    """`chosen` itself. Raises UsageError for a date, a file type or a kind of content that does not exist."""
    for day in (chosen.since, chosen.until):
        if day and not _is_date(day):
            raise UsageError(f"{day} is not a date.", help="Write it as 2024-05-31.", code="bad-date")
    _known(chosen.kinds, [kind.value for kind in FileKind], "file type")
    _known(chosen.contents, [kind.value for kind in SegmentKind], "kind of content")
    return chosen


def narrowed(
    chosen: SearchFilter, within: Sequence[DocumentId] | None, keyword: KeywordIndex, source: SegmentSource
) -> list[SegmentId] | None:
    """The segments that pass; None where no filter needs them one by one.

    The keyword index gives all that hold a filter's words, the texts decide.
    """
    asked = [(chosen.phrase, ""), (chosen.identifier, ""), (chosen.section, "path")]
    found: set[SegmentId] | None = None
    for text, field in asked:
        if text:
            holding = {item.segment for item in keyword.holding(text, _MOST, within, field)}
            found = holding if found is None else found & holding
    if found is None:
        return None
    return [segment.id for segment in source.segments(sorted(found)) if passes(segment, chosen)]


def passes(segment: Segment, chosen: SearchFilter) -> bool:
    """Whether a segment holds what the filter wants; the document's own filters are not looked at."""
    if chosen.contents and segment.kind.value not in chosen.contents:
        return False
    if chosen.section and not any(_says(chosen.section, title) for title in segment.path):
        return False
    whole = " ".join((*segment.path, segment.text)) if chosen.phrase or chosen.identifier else ""
    if chosen.phrase and not _says(chosen.phrase, whole):
        return False
    return not chosen.identifier or prints(chosen.identifier, whole)


def prints(identifier: str, text: str) -> bool:
    """Whether `text` prints exactly this identifier, in whatever case: LM317 is neither in "LM317-N" nor in "LM3170",
    but it is in "LM317." and in the list "LM117/317"."""
    wanted = fold_case(identifier)
    folded = fold_case(text)
    if wanted not in folded and "/" not in folded and "-" not in folded:
        return False
    if wanted in {chunk.strip(_OUTER) for chunk in folded.split()}:
        return True
    return any(wanted == fold_case(part) for token in identifiers(text) for part in (token, *expand_list(token)))


def _says(phrase: str, text: str) -> bool:
    """Whether `text` holds `phrase` as whole words, whatever its case, blanks and signs."""
    wanted, folded = fold_case(phrase), fold_case(text)
    before = r"(?<![^\W_])" if _EDGE_WORD.match(wanted[:1]) else ""
    after = r"(?![^\W_])" if _EDGE_WORD.match(wanted[-1:]) else ""
    return re.search(f"{before}{re.escape(wanted)}{after}", folded) is not None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _known(given: Sequence[str], there_are: Sequence[str], what: str) -> None:
    for one in given:
        if one not in there_are:
            raise UsageError(f"There is no {what} {one}.", help=f"There are {', '.join(there_are)}.", code="bad-filter")
