"""Merging by tiers: few segments, and each passage rewritten only a few times."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.keyword.merging import to_merge
from tests.engine.keyword.indexed import Indexed, document_of


@dataclass
class Segment:
    rows: int
    deleted: int = 0

    def doc_count_all(self) -> int:
        return self.rows

    def deleted_count(self) -> int:
        return self.deleted


def test_many_commits_leave_few_segments_and_rewrite_each_row_few_times() -> None:
    held: list[Segment] = []
    rewritten = 0
    for _ in range(400):
        chosen = to_merge(held)
        rewritten += sum(one.rows for one in chosen)
        held = [one for one in held if not any(one is other for other in chosen)]
        held.append(Segment(500 + sum(one.rows for one in chosen)))
    assert sum(one.rows for one in held) == 200_000
    assert len(held) <= 24
    assert rewritten / 200_000 <= 3.0


def test_segments_mostly_deleted_are_rewritten_and_large_ones_left_alone() -> None:
    assert to_merge([Segment(50_000), Segment(50_000), Segment(1000, 500)]) == [Segment(1000, 500)]


def test_the_index_stays_whole_over_many_small_commits(tmp_path: Path) -> None:
    with Indexed(tmp_path, {"first": "capacitor first"}) as index:
        for n in range(2, 40):
            index.add({f"d{n}": f"capacitor number{n}"}, n)
        assert len(index.found("capacitor", 100)) == 39
        assert index.found("number17")[0] == "d17"
        index.store.write((), {}, [(document_of(f"d{n}"), n) for n in range(2, 30)])
        index.shown.state += 1
        assert len(index.found("capacitor", 100)) == 11
        assert len(list(tmp_path.glob("*.seg"))) <= 10
