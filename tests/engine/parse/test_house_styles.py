"""Outlines of sheets in house styles drawn by lot; many more by `python -m tests.benchmarks.headings --styles 200`."""

from __future__ import annotations

from pathlib import Path

from engine.parse.reader import read_document
from tests.benchmarks.outlines import Entry, Score, compare, entries_from_toc
from tests.makers.house_sheets import draw_sheet


def test_outlines_of_styles_never_seen(tmp_path: Path) -> None:
    total = Score()
    for seed in range(12):
        drawn = draw_sheet(seed)
        path = tmp_path / f"{seed}.pdf"
        drawn.document.save(str(path))
        drawn.document.close()
        truth = entries_from_toc([[level, title, page] for title, level, page in drawn.headings])
        found = [Entry(h.title, h.level, h.page, h.parent) for h in read_document(path).headings]
        total.add(compare(truth, [True] * len(truth), found))
    assert total.found >= 0.95 * total.wanted
    assert total.path >= 0.9 * total.wanted
    assert total.found >= 0.97 * total.predicted, "lines that are no headings"
