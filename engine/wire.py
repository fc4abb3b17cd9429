"""Results as plain objects for `--json`: one object a command, always with "schema": 1.

The keys are a promise to other programs: more may be added, none changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from engine.core.errors import BugError, KnownError, SheafError
from engine.core.lexicon import Synonym
from engine.core.model import AbstractNode, Box, Heading, PageBox, ParameterRecord, ParsedDocument
from engine.core.results import (
    Answer,
    Citation,
    Component,
    DocumentInfo,
    FileProblem,
    Forecast,
    Hit,
    IndexReport,
    Library,
    Place,
    Revision,
    SearchResult,
)
from engine.export import export_text
from engine.models.store import ModelInfo
from engine.parameters.results import CompareTable, FindResult, ResultRow, ValueCell
from engine.store.corrections import Correction

SCHEMA = 1
Wire = dict[str, Any]


def envelope(**fields: Any) -> Wire:
    """The outermost object."""
    return {"schema": SCHEMA, **fields}


def error(problem: SheafError) -> Wire:
    """The error object: a sentence, what to do next, a stable code."""
    if isinstance(problem, KnownError):
        return envelope(
            error={
                "message": problem.message,
                "help": problem.help,
                "code": problem.code,
                "retryable": problem.retryable,
            }
        )
    code = "bug" if isinstance(problem, BugError) else "cancelled"
    return envelope(error={"message": str(problem) or code, "help": "", "code": code, "retryable": False})


def library(one: Library) -> Wire:
    """A library and its folders."""
    return {"name": one.name, "folders": [str(folder) for folder in one.folders]}


def problems(found: Iterable[FileProblem]) -> list[Wire]:
    """Files with what is wrong with them."""
    return [{"file": one.file, "reason": one.reason} for one in found]


def index_report(report: IndexReport) -> Wire:
    """What an index run found."""
    return envelope(
        documents=report.documents,
        pages=report.pages,
        segments=report.segments,
        added=report.added,
        changed=report.changed,
        removed=report.removed,
        unchanged=report.unchanged,
        needs_ocr=problems(report.needs_ocr),
        skipped=problems(report.skipped),
        failed=problems(report.failed),
        seconds=round(report.seconds, 3),
    )


def forecast(ahead: Forecast) -> Wire:
    """What an index run would do again."""
    return envelope(
        documents=ahead.documents,
        pages=ahead.pages,
        passages=ahead.passages,
        leaving=ahead.leaving,
        seconds=round(ahead.seconds, 1),
        text=ahead.text,
    )


def document(info: DocumentInfo) -> Wire:
    """A document of a library and its state."""
    return {
        "document": info.id,
        "title": info.title,
        "kind": info.kind,
        "status": info.status.value,
        "places": [place(one) for one in info.places],
        "pages": info.pages,
        "segments": info.segments,
        "reason": info.reason,
        "needs_ocr": list(info.needs_ocr),
        "parts": list(info.parts),
        "warnings": list(info.warnings),
        "revision": revision(info.revision),
    }


def revision(one: Revision | None) -> Wire | None:
    """Which of several revisions a document is; null where there is one only."""
    if one is None:
        return None
    return {"code": one.code, "date": one.date, "number": one.number, "of": one.of, "newest": one.newest}


def place(one: Place) -> Wire:
    """A watched folder and a path inside it."""
    return {"folder": one.folder, "file": one.file}


def box(one: Box | None) -> list[float] | None:
    """Edges x0, y0, x1, y1 in points."""
    return None if one is None else [round(edge, 2) for edge in (one.x0, one.y0, one.x1, one.y1)]


def page_boxes(boxes: Iterable[PageBox]) -> list[Wire]:
    """Boxes with their pages."""
    return [{"page": one.page, "box": box(one.box)} for one in boxes]


def heading(one: Heading) -> Wire:
    """A section heading."""
    return {
        "title": one.title,
        "level": one.level,
        "page": one.page,
        "path": list(one.path),
        "source": one.source.value,
        "confidence": round(one.confidence, 3),
        "box": box(one.box),
    }


def outline(parsed: ParsedDocument) -> Wire:
    """The section tree of a file."""
    return envelope(
        title=parsed.title,
        headings=[heading(one) for one in parsed.headings],
        warnings=list(parsed.warnings),
        pages=len(parsed.pages),
        facts=list(parsed.facts),
    )


def hit(one: Hit, *, explain: bool) -> Wire:
    """A passage found; with `explain` the routes, scores and terms."""
    first = one.places[0] if one.places else Place("", "")
    fields: Wire = {
        "rank": one.rank,
        "score": round(one.score, 6),
        "segment_id": one.segment.id,
        "document": one.segment.document,
        "folder": first.folder,
        "file": first.file,
        "places": [place(each) for each in one.places],
        "title": one.segment.title,
        "kind": one.segment.kind.value,
        "page": one.segment.page,
        "pages": list(one.segment.pages),
        "page_label": one.page_label,
        "path": list(one.segment.path),
        "text": one.segment.text,
    }
    if one.revision is not None:
        fields["revision"] = revision(one.revision)
    if one.found_through:
        fields["found_through"] = one.found_through
    if explain:
        fields["routes"] = [
            {"route": each.route, "score": round(each.score, 6), "rank": each.rank} for each in one.routes
        ]
        fields["matched"] = list(one.matched)
    return fields


def search_result(result: SearchResult, *, explain: bool = False) -> Wire:
    """The hits of a search."""
    fields = envelope(
        query=result.query,
        hits=[hit(one, explain=explain) for one in result.hits],
        warnings=list(result.warnings),
    )
    if explain:
        fields["explanation"] = dict(result.explanation)
    return fields


def citation(one: Citation) -> Wire:
    """A numbered citation."""
    return {
        "n": one.n,
        "document": one.document,
        "folder": one.place.folder,
        "file": one.place.file,
        "title": one.title,
        "page": one.page,
        "page_label": one.page_label,
        "path": list(one.path),
        "quote": one.quote,
        "segment_id": one.segment,
        "boxes": page_boxes(one.boxes),
    }


def answer(one: Answer) -> Wire:
    """An answer with sentences, citations and steps."""
    return envelope(
        answer_id=one.id,
        library=one.library,
        question=one.question,
        answer=one.text,
        short_answer=one.short,
        status=one.status.value,
        sentences=[
            {"text": each.text, "verified": each.verified, "citations": list(each.citations)} for each in one.sentences
        ],
        citations=[citation(each) for each in one.citations],
        steps=[
            {"action": each.action, "query": each.query, "segments": list(each.segments), "note": each.note}
            for each in one.steps
        ],
        coverage=one.coverage,
        warnings=list(one.warnings),
        model=one.model,
        seconds=round(one.seconds, 3),
        created=one.created,
    )


def components(found: Iterable[Component]) -> Wire:
    """The state of every component."""
    return envelope(
        components=[{"name": one.name, "status": one.health.value, "reason": one.reason} for one in found],
    )


def model(one: ModelInfo) -> Wire:
    """A model and its state on this machine."""
    return {
        "id": one.id,
        "title": one.title,
        "role": one.role,
        "licence": one.licence,
        "origin": one.origin,
        "bytes": one.size_bytes,
        "state": one.state.value,
        "path": str(one.path),
    }


def cell(one: ValueCell) -> Wire:
    """A value of a find or compare result with all that it hangs on."""
    return {
        "value": one.value,
        "unit": one.unit,
        "kind": one.kind,
        "conditions": list(one.conditions),
        "file": one.file,
        "page": one.page,
        "box": box(one.box),
        "confidence": round(one.confidence, 3),
        "parameter": one.parameter,
        "section": one.section,
        "doubts": list(one.doubts),
        "record": one.record,
        "corrected": one.corrected,
    }


def record(one: ParameterRecord) -> Wire:
    """A value with all that it hangs on, as the store has it."""
    return {
        "record": one.id,
        "document": one.document,
        "parameter": one.parameter,
        "symbol": one.symbol,
        "kind": one.kind.value,
        "section": one.section.value,
        "value": one.value_raw,
        "unit": one.unit_raw,
        "low": one.low,
        "high": one.high,
        "common_unit": one.unit,
        "parts": list(one.parts),
        "conditions": [each.raw for each in one.conditions],
        "page": one.page,
        "box": box(one.box),
        "confidence": round(one.confidence, 3),
        "doubts": list(one.doubts),
        "corrected": one.corrected,
    }


def correction(info: DocumentInfo, one: Correction) -> Wire:
    """A user's correction and where it hangs."""
    return {
        "document": info.id,
        "file": info.places[0].file if info.places else "",
        "page": one.page,
        "box": box(one.box),
        "printed": one.printed,
        "changes": dict(one.changes),
        "at": one.at,
    }


def row(one: ResultRow) -> Wire:
    """A part with its cells: a list for each asked parameter."""
    return {
        "document": one.document,
        "title": one.title,
        "part": one.part,
        "cells": [[cell(each) for each in column] for column in one.cells],
        "note": one.note,
    }


def find_result(found: FindResult) -> Wire:
    """Parts that keep the bounds, and those that may."""
    return envelope(
        expression=found.expression,
        parameters=list(found.parameters),
        rows=[row(one) for one in found.rows],
        doubtful=[row(one) for one in found.doubtful],
        examined=found.examined,
        documents=found.of,
        warnings=list(found.warnings),
    )


def compare_table(table: CompareTable) -> Wire:
    """Parts x parameters."""
    return envelope(
        parameters=list(table.parameters), rows=[row(one) for one in table.rows], warnings=list(table.warnings)
    )


def node(one: AbstractNode) -> Wire:
    """A node of the abstract tree."""
    return {
        "id": one.id,
        "height": one.height,
        "parent": one.parent,
        "children": list(one.children),
        "leaves": one.leaves,
        "abstract": one.abstract,
        "kind": one.kind.value,
        "state": one.state.value,
    }


def synonym(one: Synonym) -> dict[str, Any]:
    """A user's own synonym; `library` is "" where it holds for all."""
    return {"term": one.term, "meaning": one.meaning, "library": one.library}


def exported(one: Answer, format: str) -> str:
    """An answer as a file holds it. Raises UsageError for an unknown format."""
    if format == "json":
        return json.dumps(answer(one), ensure_ascii=False, indent=2) + "\n"
    return export_text(one, format)
