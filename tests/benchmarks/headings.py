"""Outlines read from print against the bookmarks the PDFs carry.

`python -m tests.benchmarks.headings --folder DIR... [--peer] [--model ID] [--styles COUNT] [--show]`

Every PDF with at least five bookmarks is copied without them, parsed, and its headings are compared with the bookmarks.
Prints one JSON line: our figures, and with `--peer` those of pymupdf4llm in the same run. Speed counts processor time,
so that a busy machine does not tell. Without `--folder` the datasheets under SHEAF_SHARED. `--styles` takes so many
generated sheets in house styles drawn by lot instead, whose outline is known: layouts no folder holds.

`path_accuracy` asks for every ancestor and no other; `right_parent` only for the nearest ancestor that is a bookmark,
which forgives a formatter that puts the document's title over everything. Not counted: bookmarks whose title is not
printed where they lead (`not_printed`), captions and contents lists, and, for level and path, bookmarks whose level
contradicts their own section number (`levels_against_numbers`: "1.1" beside "1.0").
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.core.errors import KnownError
from engine.core.ports import LanguageModel
from engine.llm.host import LlamaModel
from engine.parse import mupdf
from engine.parse.candidates import CAPTION
from engine.parse.contents import is_contents_title
from engine.parse.outline_model import correct_outline
from engine.parse.reader import read_document
from tests.benchmarks.outlines import Entry, Score, compare, contradicts_number, entries_from_toc, truth_of
from tests.makers.house_sheets import draw_sheet

_MIN_BOOKMARKS = 5
_SHOWN = 3
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")


def documents(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".pdf" and p.is_file())


def ours(path: Path) -> list[Entry]:
    parsed = read_document(path)
    return [Entry(h.title, h.level, h.page, h.parent) for h in parsed.headings]


def corrected(model: LanguageModel) -> Callable[[Path], list[Entry]]:
    """Our outline, looked through by a local model (HiQA, equation 1)."""

    def read(path: Path) -> list[Entry]:
        parsed = correct_outline(read_document(path), model)
        return [Entry(h.title, h.level, h.page, h.parent) for h in parsed.headings]

    return read


def peer(path: Path) -> list[Entry]:
    import pymupdf4llm

    chunks = pymupdf4llm.to_markdown(str(path), page_chunks=True, show_progress=False)
    toc: list[list[object]] = []
    for number, chunk in enumerate(chunks, start=1):
        for line in chunk["text"].splitlines():
            if match := _HEADING.match(line.strip()):
                toc.append([len(match[1]), re.sub(r"[*_`]+", "", match[2]), number])
    return entries_from_toc(toc)


def measure(paths: list[Path], read: Callable[[Path], list[Entry]], show: bool) -> dict[str, object]:
    fitz = mupdf.load()
    total, pages, seconds, files, failed = Score(), 0, 0.0, 0, []
    disagreements: dict[str, dict[str, list[str]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            with fitz.open(str(path)) as document:
                if document.needs_pass or len(toc := document.get_toc()) < _MIN_BOOKMARKS:
                    continue
                truth = entries_from_toc(toc)
                counts, unprinted, captions = truth_of(truth, [page.get_text() for page in document])
                if sum(counts) < 0.5 * (len(truth) - captions):
                    continue
                if reasons := disagreeing(truth, counts):
                    disagreements[path.name] = reasons
                document.set_toc([])
                stripped = Path(folder) / "stripped.pdf"
                document.save(str(stripped))
                count = document.page_count
            began = time.process_time()
            try:
                predicted = read(stripped)
            except KnownError as error:
                failed.append(f"{path.name}: {error}")
                continue
            seconds += time.process_time() - began
            pages += count
            files += 1
            score = compare(truth, counts, predicted)
            score.unprinted, score.captions = unprinted, captions
            total.add(score)
            if show:
                _show(path, score)
    figures: dict[str, object] = {
        "files": files,
        "pages": pages,
        "pages_per_cpu_second": round(pages / max(seconds, 1e-9), 1),
    }
    return {**figures, **total.figures(), "failed": failed, "bookmarks_against_page": disagreements}


def disagreeing(truth: list[Entry], counts: list[bool]) -> dict[str, list[str]]:
    """The bookmarks of one file that its pages do not bear out, by reason, the first few of each."""
    reasons: dict[str, list[str]] = {}
    for index, entry in enumerate(truth):
        if not counts[index]:
            named = CAPTION.match(entry.title.replace("\x15", "-")) or is_contents_title(entry.title)
            reason = "captions and contents lists" if named else "not printed where it leads"
        elif contradicts_number(truth, index):
            reason = "level against its own section number"
        else:
            continue
        held = reasons.setdefault(reason, [])
        if len(held) < _SHOWN:
            held.append(entry.title)
    return reasons


def draw(count: int, folder: Path) -> list[Path]:
    """Sheets in made-up house styles, with their outline as bookmarks."""
    paths = []
    for seed in range(count):
        drawn = draw_sheet(seed)
        drawn.document.set_toc([[level, title, page] for title, level, page in drawn.headings])
        path = folder / f"house-{seed}.pdf"
        drawn.document.save(str(path))
        drawn.document.close()
        paths.append(path)
    return paths


def _show(path: Path, score: Score) -> None:
    print(f"{path.name}: {score.figures()}", file=sys.stderr)
    for name, items in (("missed", score.missed), ("misplaced", score.misplaced), ("extra", score.extra)):
        for item in items[:60]:
            print(f"    {name}: {item}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, action="append", default=[])
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--styles", type=int, default=0, help="so many generated sheets instead of files")
    parser.add_argument("--peer", action="store_true", help="also run pymupdf4llm (an order of magnitude slower)")
    parser.add_argument("--model", default="", help="also our outline corrected by this model, from $SHEAF_MODELS/ID")
    parser.add_argument("--show", action="store_true", help="what was missed, misplaced or extra, on standard error")
    chosen = parser.parse_args()
    folders = chosen.folder
    if shared := os.environ.get("SHEAF_SHARED", ""):
        folders = [*folders, Path(shared) / "datasheets" / "library"]
    if not folders and not chosen.styles:
        parser.error("give --folder or --styles, or set SHEAF_SHARED")
    weights = None
    if chosen.model:
        folder = Path(os.environ.get("SHEAF_MODELS", "models")) / chosen.model
        weights = next(folder.glob("*.gguf"), None)
        if weights is None:
            parser.error(f"there is no GGUF in {folder}; set SHEAF_MODELS")
    with tempfile.TemporaryDirectory() as drawn:
        paths = draw(chosen.styles, Path(drawn)) if chosen.styles else list(documents(folders))
        paths = [path for path in paths if chosen.only in path.name]
        print(json.dumps({"benchmark": "headings", **run(paths, chosen.model, weights, chosen.peer, chosen.show)}))


def run(paths: list[Path], model_id: str, weights: Path | None, with_peer: bool, show: bool) -> dict[str, object]:
    """The figures of every formatter asked for, over the same files."""
    result: dict[str, object] = {"ours": measure(paths, ours, show)}
    if weights is not None:
        model = LlamaModel(weights, model_id)
        try:
            result[f"ours, corrected by {model_id}"] = measure(paths, corrected(model), show)
        finally:
            model.close()
    if with_peer:
        result["pymupdf4llm"] = measure(paths, peer, False)
    return result


if __name__ == "__main__":
    main()
