"""Peak memory of indexing many documents, workers included: copies of real documents, each with a text of its own.

    python -m tests.benchmarks.memory [FOLDER] [--files 2000] [--minutes 25] [--pages 0] [--scan-pages 4]

FOLDER defaults to $SHEAF_SHARED/datasheets/library. Every copy gets a unique token written on its first page, so that
all are distinct documents; those whose token was read are counted. The run ends when all are indexed or after
--minutes. Of documents whose pages hold no text only --scan-pages are copied, as OCR takes seconds a page, and of each
document only its first --pages. Prints one JSON line; memory is resident memory summed over the processes, where pages
that they share (libraries above all) count in each; `proportional` counts them once, where the system tells.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled
from engine.core.events import Event
from engine.core.results import DocumentInfo
from engine.parse import mupdf
from tests.torture.streams import backward_steps

_EVERY = 0.25
_SCAN_CHARACTERS = 40


@dataclass
class Samples:
    """Resident bytes over time: of this process, and of its children."""

    at: list[float] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    proportional: list[int] = field(default_factory=list)
    """The same of both, each shared page counted once."""
    largest_child: int = 0

    def take(self) -> None:
        me = psutil.Process()
        sizes = []
        once = _proportional(me)
        for child in me.children(recursive=True):
            try:
                sizes.append(child.memory_info().rss)
                once += _proportional(child)
            except psutil.NoSuchProcess:
                continue
        self.at.append(time.monotonic())
        self.parent.append(me.memory_info().rss)
        self.children.append(sum(sizes))
        self.proportional.append(once)
        self.largest_child = max([self.largest_child, *sizes])

    @property
    def together(self) -> list[int]:
        return [a + b for a, b in zip(self.parent, self.children, strict=True)]

    def by_quarter(self) -> list[int]:
        """Highest sum in MB in each quarter of the run."""
        return self._by_quarter(self.together)

    def proportional_by_quarter(self) -> list[int]:
        return self._by_quarter(self.proportional)

    def _by_quarter(self, sums: Sequence[int]) -> list[int]:
        step = max(1, len(sums) // 4)
        return [round(max(sums[n * step : (n + 1) * step or None]) / 1e6) for n in range(4) if sums[n * step :]]


def _proportional(process: psutil.Process) -> int:
    """Bytes of a process, a page shared by n processes counted as an n-th; its resident bytes where that is unknown."""
    return int(getattr(process.memory_full_info(), "pss", 0)) or int(process.memory_info().rss)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(os.environ.get("SHEAF_SHARED", ""))
    arguments.add_argument("folder", nargs="?", type=Path, default=shared / "datasheets" / "library")
    arguments.add_argument("--files", type=int, default=2000)
    arguments.add_argument("--minutes", type=float, default=25.0)
    arguments.add_argument("--pages", type=int, default=0, help="of each document; 0 for all")
    arguments.add_argument("--scan-pages", type=int, default=4)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-memory-") as folder:
        copies = Path(folder) / "copies"
        made = copy(chosen.folder, copies, chosen.files, chosen.pages, chosen.scan_pages)
        print(
            json.dumps({"benchmark": "memory", "files": made, **measure(copies, Path(folder) / "home", chosen.minutes)})
        )


def copy(source: Path, target: Path, count: int, pages: int, scan_pages: int) -> int:
    """Copy the PDFs of a folder in turn until there are `count`, each with a token of its own. Returns how many."""
    fitz = mupdf.load()
    files = sorted(source.rglob("*.pdf"))
    target.mkdir(parents=True)
    for number in range(count):
        document = fitz.open(files[number % len(files)])
        if 0 < pages < document.page_count:
            document.delete_pages(range(pages, document.page_count))
        scanned = [page.number for page in document if len(page.get_text().strip()) < _SCAN_CHARACTERS]
        if len(scanned) > scan_pages:
            document.delete_pages(scanned[scan_pages:])
        document[0].insert_text((36, 24), _token(number), fontsize=8)
        path = target / f"{number:05d} {files[number % len(files)].stem}.pdf"
        document.save(path, garbage=3 if pages else 0, encryption=fitz.PDF_ENCRYPT_NONE)
        document.close()
    return count


def _token(number: int) -> str:
    return f"copy{number:05d}token"


def _tokens_read(engine: Engine, documents: Sequence[DocumentInfo]) -> int:
    """Documents on whose first page the token was read that its copy was given."""
    found = 0
    for one in documents:
        page = engine.page("copies", one.id, 1)
        found += page is not None and _token(int(one.places[0].file[:5])) in page.text
    return found


def measure(folder: Path, home: Path, minutes: float) -> dict[str, object]:
    samples, events, cancel, over = Samples(), list[Event](), CancelToken(), threading.Event()

    def watch() -> None:
        end = time.monotonic() + 60 * minutes
        while not over.wait(_EVERY):
            samples.take()
            if time.monotonic() > end:
                cancel.cancel()

    began = time.monotonic()
    with Engine.open(home) as engine:
        engine.add_library("copies", [folder])
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        with contextlib.suppress(Cancelled):
            engine.index("copies", emit=events.append, cancel=cancel)
        over.set()
        watcher.join()
        found = engine.documents("copies")
        indexed = [one for one in found if one.segments]
        tokens = _tokens_read(engine, indexed)
    return {
        "distinct_documents": len({one.id for one in found}),
        "indexed": len(indexed),
        "tokens_read": tokens,
        "pages": sum(one.pages for one in indexed),
        "seconds": round(time.monotonic() - began, 1),
        "peak_mb": round(max(samples.together) / 1e6),
        "peak_parent_mb": round(max(samples.parent) / 1e6),
        "peak_children_mb": round(max(samples.children) / 1e6),
        "largest_child_mb": round(samples.largest_child / 1e6),
        "median_mb": round(statistics.median(samples.together) / 1e6),
        "peak_by_quarter_mb": samples.by_quarter(),
        "peak_proportional_mb": round(max(samples.proportional) / 1e6),
        "proportional_by_quarter_mb": samples.proportional_by_quarter(),
        "backward_steps": backward_steps(events)[:5],
    }


if __name__ == "__main__":
    main()
