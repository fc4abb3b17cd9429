"""Answers from records over the handed sheets: the question sets, and ten library-wide queries checked by eye."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import KnownError
from engine.core.ids import DocumentId, document_id
from engine.core.results import DocumentInfo, DocumentStatus, Place
from engine.core.text import fold_case
from engine.evaluate.metrics import wilson
from engine.links.identifiers import about_parts
from engine.parameters.compute import answer_from_records
from engine.parameters.equality import same_quantity
from engine.parameters.finding import find
from engine.parameters.records import extract_records
from engine.parameters.results import SURE, ComputedAnswer
from engine.parse.reader import read_document
from engine.store.records import RecordStore

FURTHER = Path(__file__).parent / "questions" / "datasheets.jsonl"
TEN = Path(__file__).parent / "questions" / "parameter_queries.jsonl"


@dataclass
class Shelf:
    """The handed sheets' records with what the answers need to know of each sheet."""

    store: RecordStore
    documents: list[DocumentInfo]
    first_pages: dict[DocumentId, str]

    def page_text(self, document: DocumentInfo) -> str:
        return self.first_pages[document.id]


def sheets_folder() -> Path:
    """$SHEAF_SHARED/datasheets, or an end with what to do."""
    shared = os.environ.get("SHEAF_SHARED", "")
    folder = Path(shared) / "datasheets"
    if not shared or not (folder / "library").is_dir():
        sys.exit("Set SHEAF_SHARED to the folder that holds datasheets/library.")
    return folder


def load_shelf(folder: Path, database: Path) -> Shelf:
    """Parse every sheet and store its records."""
    shelf = Shelf(RecordStore(database), [], {})
    for path in sorted((folder / "library").rglob("*")):
        if path.suffix.lower() != ".pdf":
            continue
        try:
            parsed = read_document(path)
        except KnownError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        identity, parts = document_id(path), about_parts(parsed)
        shelf.store.put(identity, extract_records(identity, parsed, parts))
        place = Place(str(folder / "library"), path.relative_to(folder / "library").as_posix())
        needs_ocr = tuple(page.number for page in parsed.pages if page.status == "needs_ocr")
        status = DocumentStatus.NEEDS_OCR if needs_ocr else DocumentStatus.INDEXED
        shelf.documents.append(
            DocumentInfo(identity, parsed.title, "pdf", status, (place,), len(parsed.pages), 0, "", needs_ocr, parts)
        )
        shelf.first_pages[identity] = parsed.pages[0].text if parsed.pages else ""
    return shelf


def _squeezed(text: str) -> str:
    return "".join(fold_case(text).split())


def is_right(question: dict[str, object], short: str) -> bool:
    """Whether a short answer is the question's: all parts, or the answer or an accepted form, in any unit."""
    parts = question.get("parts")
    if isinstance(parts, list):
        return all(_squeezed(str(part)) in _squeezed(short) for part in parts)
    accepted = question.get("accept")
    forms = [str(question["answer"]), *(map(str, accepted) if isinstance(accepted, list) else ())]
    bare = short.split(" (")[0]
    return any(_squeezed(form) in _squeezed(short) or same_quantity(form, bare) for form in forms)


def verdict(question: dict[str, object], answer: ComputedAnswer | None) -> str:
    """none, right, wrong; with "listed" where it was not asserted."""
    if answer is None:
        return "none"
    asserted = answer.confidence >= SURE and answer.alternatives == 1
    right = question["type"] != "unanswerable" and is_right(question, answer.short)
    return ("right" if right else "wrong") + ("" if asserted else "_listed")


def questions_of(folder: Path, split: str) -> Iterator[tuple[str, dict[str, object]]]:
    for name, path in (("handed", folder / "questions.jsonl"), ("further", FURTHER)):
        for line in path.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            if name == "handed" or not split or question.get("split") == split:
                yield name, question


def questions_benchmark(split: str, worst: int) -> None:
    """Per question set and type: how many were asserted right, asserted wrong, listed, left to the other answerers."""
    folder = sheets_folder()
    with tempfile.TemporaryDirectory() as home:
        shelf = load_shelf(folder, Path(home) / "records.db")
        counts: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        seconds: list[float] = []
        for name, question in questions_of(folder, split):
            started = time.perf_counter()
            answer = answer_from_records(
                str(question["question"]), shelf.store, shelf.documents, page_text=shelf.page_text
            )
            seconds.append(time.perf_counter() - started)
            told = verdict(question, answer)
            counts[name, str(question["type"])][told] += 1
            if worst and told.startswith("wrong"):
                worst -= 1
                shown = answer.short[:120] if answer else ""
                print(f"{question['id']} {told}: {question['question']} -> {shown}", file=sys.stderr)
        shelf.store.close()
    for (name, kind), told in sorted(counts.items()):
        total, right = sum(told.values()), told["right"]
        share = wilson(right, total)
        interval = [round(share.low, 3), round(share.high, 3)]
        figures = {"benchmark": "parameters.questions", "set": name, "type": kind, "questions": total, "right": right}
        print(json.dumps({**figures, "accuracy": round(right / total, 3), "interval": interval, **told}))
    ordered = sorted(seconds)
    print(
        json.dumps(
            {"benchmark": "parameters.questions.seconds", "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 3)}
        )
    )


def library_benchmark() -> int:
    """The ten queries checked by eye: exactly the written parts, values and pages. Exit code 1 if any differs."""
    folder = sheets_folder()
    failed = 0
    with tempfile.TemporaryDirectory() as home:
        shelf = load_shelf(folder, Path(home) / "records.db")
        for line in TEN.read_text(encoding="utf-8").splitlines():
            query = json.loads(line)
            got = _rows(shelf, query)
            wanted = {tuple(row) for row in query["rows"]}
            passed = got == wanted
            failed += not passed
            figures = {"benchmark": "parameters.library", "query": query["query"], "passed": passed, "rows": len(got)}
            print(json.dumps(figures, ensure_ascii=False))
            for row in sorted(got ^ wanted, key=str):
                print(f"  {'missing' if row in wanted else 'not written down'}: {row}", file=sys.stderr)
        shelf.store.close()
    return 1 if failed else 0


def _rows(shelf: Shelf, query: dict[str, object]) -> set[tuple[object, ...]]:
    """(file, part, value with unit, page) of what a query finds."""
    text, about = str(query["query"]), str(query.get("about", ""))
    if query.get("ask"):
        answer = answer_from_records(text, shelf.store, shelf.documents, page_text=shelf.page_text)
        files = {document.id: document.places[0].file for document in shelf.documents}
        if answer is None or answer.confidence < SURE:
            return set()
        return {
            (files[r.document], part, f"{r.value_raw} {r.unit_raw}".strip(), r.page)
            for r in answer.records
            for part in r.parts
        }
    found = find(text, shelf.store, shelf.documents, about=about, page_text=shelf.page_text)
    return {
        (cell.file, part, f"{cell.value} {cell.unit}".strip(), cell.page)
        for row in found.rows
        for part in row.part.split(", ")
        for cells in row.cells
        for cell in cells
    }
