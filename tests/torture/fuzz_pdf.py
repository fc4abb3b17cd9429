"""Parses mutated PDFs made from the sample library.

    python -m tests.torture.fuzz_pdf [--rounds 2000] [--seed 1] [--keep FOLDER]

Every file must end with a document whose pages all have a status, or with one plain reason; the program must not crash
and no file may hold it longer than the limit. Prints one JSON line; exit 1 on a failure, with the file kept.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.errors import BugError, KnownError
from engine.parse.host import ParserHost
from tests.makers.sample_library import LIBRARY
from tests.torture.mutations import expanded, mutate

PAGE_SECONDS = 10.0
_FILE_SECONDS = 12 * PAGE_SECONDS


@dataclass
class Tally:
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0


def fuzz(rounds: int, seed: int, keep: Path | None = None, sources: int = 100) -> Tally:
    """Parse `rounds` mutated files, reproducibly for a `seed`."""
    tally = Tally()
    originals = [(path.name, expanded(path)) for path in sorted(LIBRARY.rglob("*.pdf"))[:sources]]
    host = ParserHost(page_seconds=PAGE_SECONDS, ocr=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(rounds):
                chance = random.Random(f"{seed}-{number}")
                name, data = chance.choice(originals)
                damage, mutated = mutate(data, chance)
                path = Path(folder) / "mutated.pdf"
                path.write_bytes(mutated)
                began = time.monotonic()
                outcome = _parse(host, path, tally, f"round {number} ({name}: {damage})")
                tally.outcomes[outcome] += 1
                took = time.monotonic() - began
                tally.slowest = max(tally.slowest, took)
                if took > _FILE_SECONDS:
                    tally.failures.append(f"round {number} ({name}: {damage}) took {took:.0f} s")
                if keep is not None and len(tally.failures) > len(list(keep.glob("*.pdf"))):
                    shutil.copy(path, keep / f"{seed}-{number}.pdf")
    finally:
        host.close()
    return tally


def _parse(host: ParserHost, path: Path, tally: Tally, what: str) -> str:
    try:
        found = host.parse(path, cancel=CancelToken())
    except KnownError as error:
        if not str(error) or not error.code:
            tally.failures.append(f"{what}: a reason without words")
        return error.code
    except BugError as error:
        tally.failures.append(f"{what}: {error}")
        return "bug"
    pages = Counter(page.status.value for page in found.pages)
    unnamed = [page.number for page in found.pages if page.status.value not in ("text", "ocr") and not page.reason]
    if unnamed or not found.pages:
        tally.failures.append(f"{what}: pages without a status or reason: {unnamed}")
    return "parsed" if set(pages) == {"text"} else "parsed with " + ", ".join(sorted(set(pages) - {"text"}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for files that failed")
    chosen = parser.parse_args()
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    tally = fuzz(chosen.rounds, chosen.seed, chosen.keep)
    print(
        json.dumps(
            {
                "torture": "fuzz_pdf",
                "rounds": chosen.rounds,
                "seed": chosen.seed,
                "outcomes": dict(tally.outcomes.most_common()),
                "slowest_seconds": round(tally.slowest, 1),
                "seconds": round(time.monotonic() - began),
                "failures": tally.failures,
            }
        )
    )
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
