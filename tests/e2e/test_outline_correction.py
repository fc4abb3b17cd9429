"""A corrected outline holds through re-indexing, re-does its document only, and shows in the paths of what is found."""

from __future__ import annotations

from engine.api import Engine
from engine.core.model import OutlineEntry
from engine.parse.reader import read_document


def test_a_users_outline_is_kept_and_used(engine: Engine) -> None:
    document = next(d for d in engine.documents("sample") if any(p.file == "shf317.pdf" for p in d.places))
    parsed = read_document(engine.file_of("sample", document.id))
    entries = [
        OutlineEntry(
            "Limits Nobody May Pass" if h.title == "Absolute Maximum Ratings" else h.title, h.level, h.page, h.box
        )
        for h in parsed.headings
    ]
    engine.set_outline("sample", document.id, entries)
    report = engine.index("sample")
    assert report.added + report.changed + report.removed == 0 or report.changed == 1
    paths = {hit.segment.path for hit in engine.search("sample", "SHF317 Limits Nobody May Pass", k=10).hits}
    assert any("Limits Nobody May Pass" in path for path in paths)
    engine.index("sample")
    again = engine.search("sample", "SHF317 Limits Nobody May Pass", k=10).hits
    assert any("Limits Nobody May Pass" in hit.segment.path for hit in again)
    engine.set_outline("sample", document.id, None)
    engine.index("sample")
    back = engine.search("sample", "SHF317 absolute maximum ratings", k=10).hits
    assert any("Absolute Maximum Ratings" in hit.segment.path for hit in back)
