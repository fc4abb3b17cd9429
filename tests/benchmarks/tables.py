"""How truly generated limit tables are read: cells, limit kinds, wrong values shown without a flag.

    python -m tests.benchmarks.tables [--count 300] [--first 0] [--worst 5] [--pages FOLDER]

Prints one JSON line. A value is *asserted wrong* if it is printed under a limit of the truth but stands elsewhere in
the table read, and neither its cell nor the table's confidence says so. `--pages` adds the reading speed over PDFs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymupdf

from engine.core.model import Cell, ColumnRole, Table
from engine.parse.pdf import page_layout
from engine.parse.tables import find_tables, join_tables
from tests.makers.limit_drawing import draw
from tests.makers.limit_tables import LIMITS, LimitTable, make

_ROLES = {
    "PARAMETER": ColumnRole.PARAMETER,
    "SYMBOL": ColumnRole.SYMBOL,
    "CONDITIONS": ColumnRole.CONDITION,
    "MIN": ColumnRole.MIN,
    "TYP": ColumnRole.TYP,
    "MAX": ColumnRole.MAX,
    "UNIT": ColumnRole.UNIT,
    "NOTES": ColumnRole.NOTE,
}


@dataclass
class Score:
    """Counts over one or many tables."""

    tables: int = 0
    found: int = 0
    spurious: int = 0
    rows: int = 0
    cells: int = 0
    right: int = 0
    values: int = 0
    values_right: int = 0
    flagged: int = 0
    asserted_wrong: int = 0
    mislabelled: int = 0
    """Rows read with a wrong parameter, symbol, condition or unit that no flag marks."""
    sections: int = 0
    sections_right: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        for name in self.__dataclass_fields__:
            if name != "misses":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        self.misses += other.misses


def read(document: Any) -> tuple[Table, ...]:
    """The joined tables of a document."""
    return join_tables([table for page in document for table in find_tables(page_layout(page))])


def score(truth: LimitTable, tables: Sequence[Table]) -> Score:
    """Compare what was read with the table that was drawn."""
    result = Score(tables=1, rows=len(truth.rows))
    expected = [row.cells for row in truth.rows]
    result.cells = sum(len(row) for row in expected)
    values = [i for i, kind in enumerate(truth.kinds) if kind in LIMITS]
    result.values = sum(1 for row in expected for i in values if row[i])
    result.sections = sum(1 for row in truth.rows if row.section)
    limit_tables = [table for table in tables if any(c.role is ColumnRole.MAX for c in table.columns)]
    result.found = int(len(limit_tables) == 1)
    result.spurious = len(tables) - len(limit_tables) + max(0, len(limit_tables) - 1)
    rows = [(row.cells, row.section, _mapping(truth, table)) for table in limit_tables for row in table.rows]
    got = [[_cell(cells, at) for at in mapping] for cells, _, mapping in rows]
    pairs = _aligned(expected, [[_plain(cell.text) for cell in row] for row in got])
    for i, j in pairs:
        row = truth.rows[i]
        result.sections_right += bool(row.section) and rows[j][1].replace(" ", "") == row.section.replace(" ", "")
        wrong_label = False
        for c, text in enumerate(row.cells):
            cell = got[j][c]
            right = _plain(cell.text) == _plain(text)
            result.right += right
            if c in values:
                result.values_right += right and bool(text)
                result.flagged += cell.doubtful
                result.asserted_wrong += bool(cell.text) and not right and not cell.doubtful
            wrong_label = wrong_label or (bool(cell.text) and not right and not cell.doubtful and c not in values)
            if not right:
                result.misses.append(f"{truth.kinds[c]}: {text!r} read as {cell.text!r}{' ?' if cell.doubtful else ''}")
        result.mislabelled += wrong_label
    if len(pairs) < len(expected) or len(got) > len(pairs):
        result.misses.append(f"{len(expected)} rows drawn, {len(got)} read")
        matched = {j for _, j in pairs}
        for j, row in enumerate(got):
            if j not in matched:
                result.asserted_wrong += sum(bool(row[c].text) and not row[c].doubtful for c in values)
    return result


def _plain(text: str) -> str:
    return "".join(text.split())


def _cell(cells: Sequence[Cell], at: int | None) -> Cell:
    return Cell("") if at is None else cells[at]


def _mapping(truth: LimitTable, table: Table) -> list[int | None]:
    """The read column of every drawn column, by role and, under groups, by group and order."""
    by_role: dict[ColumnRole, list[int]] = defaultdict(list)
    for i, column in enumerate(table.columns):
        by_role[column.role].append(i)
    seen: Counter[str] = Counter()
    found: list[int | None] = []
    for kind, group in zip(truth.kinds, truth.groups, strict=True):
        candidates = by_role[_ROLES[kind]]
        if group:
            named = [i for i in candidates if any(_plain(group) == _plain(text) for text in table.columns[i].group)]
            found.append(named[0] if len(named) == 1 else None)
            continue
        found.append(candidates[seen[kind]] if seen[kind] < len(candidates) else None)
        seen[kind] += 1
    return found


def _aligned(expected: Sequence[Sequence[str]], got: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Rows matched in order so that the most cells agree."""
    if len(expected) == len(got):
        return [(i, i) for i in range(len(got))]
    best = [[0.0] * (len(got) + 1) for _ in range(len(expected) + 1)]
    for i in range(len(expected) - 1, -1, -1):
        for j in range(len(got) - 1, -1, -1):
            same = sum(_plain(a) == b for a, b in zip(expected[i], got[j], strict=True)) + 0.01
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + same)
    pairs, i, j = [], 0, 0
    while i < len(expected) and j < len(got):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def speed(folder: Path) -> dict[str, float]:
    """Pages a second over the PDFs of a folder: layout, tables, both."""
    pages, layout, tables = 0, 0.0, 0.0
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".pdf"):
        for page in pymupdf.open(path):
            start = time.perf_counter()
            found = page_layout(page)
            middle = time.perf_counter()
            find_tables(found)
            tables += time.perf_counter() - middle
            layout += middle - start
            pages += 1
    both = layout + tables
    return {"pages": pages, "tables_ms": 1000 * tables / pages, "pages_per_second": pages / both} if pages else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0, help="show the misses of this many tables on standard error")
    parser.add_argument("--pages", type=Path, help="a folder of PDFs to measure the reading speed on")
    asked = parser.parse_args()
    total = Score()
    by_style: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    bad: list[tuple[float, LimitTable, Score]] = []
    for seed in range(asked.first, asked.first + asked.count):
        truth = make(seed)
        one = score(truth, read(draw(truth)))
        total.add(one)
        for name in (truth.style.rulings, truth.style.turn or "upright"):
            by_style[name][0] += one.right
            by_style[name][1] += one.cells
        bad.append((one.right / one.cells, truth, one))
    bad.sort(key=lambda item: item[0])
    for share, truth, one in bad[: asked.worst]:
        print(f"seed {truth.seed} {share:.3f} {truth.style}", *one.misses[:6], sep="\n   ", file=sys.stderr)
    figures: dict[str, Any] = {
        "benchmark": "tables",
        "tables": total.tables,
        "found_whole": total.found / total.tables,
        "spurious": total.spurious,
        "cell_accuracy": total.right / total.cells,
        "limit_accuracy": total.values_right / total.values,
        "sections": total.sections_right / max(1, total.sections),
        "asserted_wrong": total.asserted_wrong / total.values,
        "mislabelled_rows": total.mislabelled / total.rows,
        "flagged": total.flagged / total.values,
        "cell_accuracy_by_style": {name: round(a / b, 4) for name, (a, b) in sorted(by_style.items())},
    }
    if asked.pages:
        figures |= speed(asked.pages)
    print(json.dumps({key: round(v, 5) if isinstance(v, float) else v for key, v in figures.items()}))


if __name__ == "__main__":
    main()
