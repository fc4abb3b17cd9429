"""How truly limit tables become records, how well records answer, and how fast.

    python -m tests.benchmarks.parameters records [--count 300] [--first 0] [--worst 10]
    python -m tests.benchmarks.parameters questions [--split dev] [--worst 40]
    python -m tests.benchmarks.parameters pages --home FOLDER --library NAME [--model ID] [--count 0]
    python -m tests.benchmarks.parameters library
    python -m tests.benchmarks.parameters speed [--records 1000000] [--home FOLDER]

Each prints JSON lines. `questions` and `library` read the handed sheets below $SHEAF_SHARED/datasheets; `library` runs
the ten queries whose answers were checked by eye. `pages` asks the table and comparison questions of an indexed library
of those sheets by records, by the whole program, and the plain way: the right page in the model's prompt. A record is
*asserted wrong* when it is not doubted and no value of the sheet has its parameter, limit, value, unit and part.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.core.ids import DocumentId
from engine.core.model import ParameterRecord
from engine.parameters.conditions import quantity_key
from engine.parameters.records import extract_records
from engine.parameters.results import SURE
from engine.parse.reader import read_document
from tests.benchmarks.parameters_truth import Sheet, TrueRecord, sheet
from tests.makers.limit_drawing import draw


@dataclass
class Score:
    """Counts over many sheets."""

    sheets: int = 0
    true: int = 0
    found: int = 0
    matched: int = 0
    asserted: int = 0
    asserted_wrong: int = 0
    right: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    seconds: float = 0.0


def _plain(text: str) -> str:
    return "".join(text.split())


def _key(parameter: str, kind: str, value: str) -> tuple[str, str, str]:
    return _plain(parameter).casefold(), kind, _plain(value)


def _part(record: ParameterRecord) -> str:
    return "/".join(record.parts)


def _shown(record: ParameterRecord) -> str:
    stated = [condition.raw for condition in record.conditions]
    value = f"{record.kind.value} {record.value_raw} {record.unit_raw}"
    return f"p{record.page} row {record.row} {record.parameter} {value} at {stated} for {record.parts} {record.doubts}"


def _matches(record: ParameterRecord, truth: TrueRecord) -> dict[str, bool]:
    """What of a record is right, attribute by attribute."""
    readable = {(quantity_key(c.quantity), c.low, c.high) for c in record.conditions if c.low is not None}
    worded = {_plain(c.raw) for c in record.conditions}
    return {
        "value": _plain(record.value_raw) == _plain(truth.value),
        "limit": record.kind.value == truth.kind,
        "unit": _plain(record.unit_raw) == _plain(truth.unit),
        "condition": readable == truth.conditions and truth.words <= worded,
        "part": _part(record) == truth.part,
        "symbol": _plain(record.symbol) == _plain(truth.symbol),
    }


def score(truth: Sheet, records: Sequence[ParameterRecord]) -> Score:
    """Pair every true record with its best unused reading: same parameter, then most attributes in common."""
    result = Score(sheets=1, true=len(truth.records), found=len(records))
    unused = list(range(len(records)))
    names = [_plain(record.parameter).casefold() for record in records]
    for expected in truth.records:
        name = _plain(expected.parameter).casefold()
        pool = [i for i in unused if names[i] == name]
        best = max(pool, key=lambda i: sum(_matches(records[i], expected).values()), default=-1)
        if best < 0 or not _matches(records[best], expected)["value"]:
            result.misses.append(f"{truth.table.seed}: not found: {expected}")
            continue
        unused.remove(best)
        result.matched += 1
        told = _matches(records[best], expected)
        result.right.update(name for name, good in told.items() if good)
        if not all(told.values()):
            wrong = ", ".join(name for name, good in told.items() if not good)
            result.misses.append(f"{truth.table.seed}: {wrong} wrong: {expected} read as {_shown(records[best])}")
    known = Counter((*_key(t.parameter, t.kind, t.value), _plain(t.unit), t.part) for t in truth.records)
    for record in records:
        if record.confidence < SURE or record.doubts:
            continue
        result.asserted += 1
        seen = (*_key(record.parameter, record.kind.value, record.value_raw), _plain(record.unit_raw), _part(record))
        if known[seen]:
            known[seen] -= 1
        else:
            result.asserted_wrong += 1
            result.misses.append(f"{truth.table.seed}: asserted wrong: {_shown(record)}")
    return result


def read_sheet(truth: Sheet, folder: Path) -> list[ParameterRecord]:
    """The records that the real parser and the real extraction make of a drawn sheet's limit table."""
    path = folder / f"{truth.table.seed}.pdf"
    document = draw(truth.table)
    document.save(path)
    document.close()
    parsed = read_document(path)
    made = extract_records(DocumentId(f"{truth.table.seed:064d}"), parsed, truth.parts)
    return [record for record in made if record.table >= 0]


def records_benchmark(first: int, count: int, worst: int) -> None:
    total = Score()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            truth = sheet(seed)
            started = time.perf_counter()
            found = read_sheet(truth, Path(folder))
            one = score(truth, found)
            total.seconds += time.perf_counter() - started
            for name in ("sheets", "true", "found", "matched", "asserted", "asserted_wrong"):
                setattr(total, name, getattr(total, name) + getattr(one, name))
            total.right.update(one.right)
            total.misses += one.misses
    matched = max(1, total.matched)
    figures = {
        "benchmark": "parameters.records",
        "sheets": total.sheets,
        "records": total.true,
        "recall": round(total.matched / max(1, total.true), 5),
        "precision": round(total.matched / max(1, total.found), 5),
        **{f"{name}_accuracy": round(total.right[name] / matched, 5) for name in sorted(total.right)},
        "asserted": total.asserted,
        "asserted_wrong_share": round(total.asserted_wrong / max(1, total.asserted), 5),
        "sheets_per_second": round(total.sheets / max(1e-9, total.seconds), 2),
    }
    print(json.dumps(figures))
    for miss in total.misses[:worst]:
        print(miss[:600], file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("records", "questions", "pages", "library", "speed"))
    parser.add_argument("--count", type=int, default=300, help="generated sheets, or questions of each set (0: all)")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--split", default="")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--library", default="")
    parser.add_argument("--model", default="")
    chosen = parser.parse_args(arguments)
    if chosen.what == "records":
        records_benchmark(chosen.first, chosen.count, chosen.worst)
    elif chosen.what == "questions":
        from tests.benchmarks.parameters_questions import questions_benchmark

        questions_benchmark(chosen.split, chosen.worst)
    elif chosen.what == "pages":
        from tests.benchmarks.parameters_pages import pages_benchmark

        pages_benchmark(chosen.home, chosen.library, chosen.model, chosen.count, chosen.split)
    elif chosen.what == "library":
        from tests.benchmarks.parameters_questions import library_benchmark

        return library_benchmark()
    else:
        from tests.benchmarks.parameters_speed import speed_benchmark

        speed_benchmark(chosen.records, chosen.home)
    return 0


if __name__ == "__main__":
    sys.exit(main())
