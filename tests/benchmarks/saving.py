"""From saving a ten-page PDF in a watched folder to finding it by search, with the real watcher, reader and models.

    python -m tests.benchmarks.saving [--times 5]

The library holds the sample library meanwhile. Needs the search models ($SHEAF_MODELS). Prints one JSON line: besides
the seconds, the median moment (after the save) at which each stage began, and the processor seconds of program and
children.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path

import psutil

import resources
from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.events import DocumentIndexed, Event, IndexProgress
from engine.core.results import Route
from engine.parse import mupdf

_PAGES = 10
_LONGEST = 120.0
_PAUSE = 0.1


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--times", type=int, default=5)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-saving-") as folder:
        print(json.dumps({"benchmark": "saving", **measure(Path(folder), chosen.times)}))


def measure(root: Path, times: int) -> dict[str, object]:
    docs = root / "docs"
    shutil.copytree(resources.sample_library(), docs)
    stop, stages = CancelToken(), Stages()
    with Engine.open(root / "home") as engine:
        engine.add_library("docs", [docs])
        engine.index("docs")
        watcher = threading.Thread(
            target=lambda: engine.watch("docs", emit=stages.follow, cancel=stop), name="watching"
        )
        watcher.start()
        time.sleep(3.0)
        worked = _processor_seconds()
        took = [_once(engine, docs, number, stages) for number in range(times)]
        worked = _processor_seconds() - worked
        stop.cancel()
        watcher.join()
    return {
        "pages": _PAGES,
        "seconds": [round(one, 2) for one in took],
        "median_seconds": round(statistics.median(took), 2),
        "median_stages": stages.medians(),
        "processor_seconds_each": round(worked / times, 2),
    }


class Stages:
    """When each stage of indexing was first told of, in seconds after a save."""

    def __init__(self) -> None:
        self._began = 0.0
        self._of_save: dict[str, float] = {}
        self._all: list[dict[str, float]] = []

    def save(self) -> None:
        self._began, self._of_save = time.monotonic(), {}
        self._all.append(self._of_save)

    def follow(self, event: Event) -> None:
        """Called by the watching thread."""
        stage = event.stage if isinstance(event, IndexProgress) else "visible"
        if isinstance(event, IndexProgress | DocumentIndexed):
            self._of_save.setdefault(stage, time.monotonic() - self._began)

    def medians(self) -> dict[str, float]:
        names = [name for name in self._all[-1] if all(name in one for one in self._all)]
        return {name: round(statistics.median(one[name] for one in self._all), 2) for name in names}


def _processor_seconds() -> float:
    """Of this process and its living children."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(one.cpu_times()[:2]) for one in processes)


def _once(engine: Engine, docs: Path, number: int, stages: Stages) -> float:
    token = f"QX{number}7731 quiescent"
    prepared = docs.parent / f"prepared{number}.pdf"
    write_pdf(prepared, token)
    began = time.monotonic()
    stages.save()
    prepared.replace(docs / f"saved {number}.pdf")
    while time.monotonic() - began < _LONGEST:
        # By keywords, which costs little: a whole search every moment would take the processor from the indexing.
        if _finds(engine, token, number, Route.KEYWORD) and _finds(engine, token, number, Route.HYBRID):
            return time.monotonic() - began
        time.sleep(_PAUSE)
    raise TimeoutError(f"not found after {_LONGEST:.0f} s")


def _finds(engine: Engine, query: str, number: int, route: Route) -> bool:
    hits = engine.search("docs", query, k=3, route=route).hits
    return any(place.file == f"saved {number}.pdf" for hit in hits for place in hit.places)


def write_pdf(path: Path, token: str) -> None:
    fitz = mupdf.load()
    with fitz.open() as document:
        for page_number in range(_PAGES):
            page = document.new_page()
            page.insert_text((60, 70), f"{page_number + 1} Characteristics of the {token}", fontsize=14)
            for line in range(45):
                text = f"In mode {page_number}.{line} the amplifier {token} draws {line * 7 + page_number} uA from 5 V."
                page.insert_text((60, 100 + 14 * line), text, fontsize=10)
        document.save(path)


if __name__ == "__main__":
    main()
