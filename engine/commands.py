"""What each `sheaf` command does with an open engine: arguments in, an outcome to print out."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import wire
from engine.agent.thread import changes, resolved_question
from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.errors import UsageError
from engine.core.events import Emit
from engine.core.ids import SegmentId
from engine.core.known import as_json
from engine.core.model import AbstractKind, Amendment
from engine.core.results import Answer, Health, Route, SearchFilter, SearchResult
from engine.core.text import fold_case, number_of
from engine.parameters.results import ResultRow
from engine.wire import Wire

_LAST = "last"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`fields` for `--json`, `lines` for a person; `failed` where the world is at fault though there is a result."""

    fields: Wire
    lines: Sequence[str]
    failed: bool = False


def library(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf library add|list|remove|export|import`."""
    if chosen.action == "add":
        added = engine.add_library(chosen.name, [Path(folder) for folder in chosen.folders])
        return Outcome(wire.envelope(library=wire.library(added)), [f"Added library {added.name}."])
    if chosen.action == "export":
        size = engine.export_library(chosen.name, Path(chosen.file))
        return Outcome(wire.envelope(file=chosen.file, bytes=size), [f"Exported {chosen.name} to {chosen.file}."])
    if chosen.action == "import":
        made = engine.import_library(chosen.name, Path(chosen.file), [Path(folder) for folder in chosen.folders])
        return Outcome(wire.envelope(library=wire.library(made)), [f"Imported library {made.name}."])
    if chosen.action == "remove":
        engine.remove_library(chosen.name)
        return Outcome(wire.envelope(removed=chosen.name), [f"Removed library {chosen.name}."])
    found = engine.libraries()
    lines = [f"{one.name}: {', '.join(str(folder) for folder in one.folders)}" for one in found]
    return Outcome(wire.envelope(libraries=[wire.library(one) for one in found]), lines or ["No library yet."])


def index(engine: Engine, chosen: Namespace, emit: Emit, cancel: CancelToken) -> Outcome:
    """`sheaf index`."""
    if chosen.forecast:
        ahead = engine.forecast(chosen.name)
        return Outcome(wire.forecast(ahead), [ahead.text or "Nothing is done again; new and changed files are read."])
    report = engine.index(chosen.name, emit=emit, cancel=cancel)
    lines = [
        f"{number_of(report.documents, 'document')}, {number_of(report.pages, 'page')},"
        f" {number_of(report.segments, 'segment')} in {report.seconds:.1f} s",
        f"added {report.added}, changed {report.changed}, removed {report.removed}, unchanged {report.unchanged}",
        *report.warnings,
        *(f"{one.file}: {one.reason}" for one in (*report.needs_ocr, *report.skipped, *report.failed)),
    ]
    return Outcome(wire.index_report(report), lines)


def documents(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf documents`."""
    found = engine.documents(chosen.name)
    lines = [
        f"{one.status.value:10} {one.pages:5} p  {one.places[0].file if one.places else '-'}"
        + (f"  ({one.revision.text})" if one.revision is not None else "")
        for one in found
    ]
    return Outcome(wire.envelope(documents=[wire.document(one) for one in found]), lines)


def refine(engine: Engine, chosen: Namespace, emit: Emit, cancel: CancelToken) -> Outcome:
    """`sheaf refine`."""
    done = engine.refine(
        chosen.name,
        seconds=chosen.seconds,
        model=chosen.model,
        kind=AbstractKind(chosen.kind),
        emit=emit,
        cancel=cancel,
    )
    line = f"{done.worded} abstracts worded, {done.failed} failed, {done.left} left, {done.seconds:.0f} s"
    fields = wire.envelope(worded=done.worded, failed=done.failed, left=done.left, seconds=round(done.seconds, 1))
    return Outcome(fields, [line])


def tree(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf tree`."""
    nodes = engine.tree(chosen.name)
    if chosen.output is not None:
        engine.write_text(Path(chosen.output), engine.tree_picture(chosen.name, by=chosen.by, outline=chosen.outline))
        return Outcome(wire.envelope(output=chosen.output), [f"Wrote {chosen.output}."])
    top = max((node.height for node in nodes), default=0)
    upper = [node for node in nodes if node.height >= top - 1]
    lines = [
        f"{'  ' * (top - node.height)}{number_of(node.leaves, 'passage')}:"
        f" {' | '.join(node.abstract.splitlines()) or 'out of date'}"
        for node in sorted(upper, key=lambda one: (-one.height, -one.leaves))
    ]
    return Outcome(wire.envelope(nodes=[wire.node(one) for one in nodes]), lines or ["There is no tree yet."])


def outline(engine: Engine, chosen: Namespace, _emit: Emit, cancel: CancelToken) -> Outcome:
    """`sheaf outline`."""
    parsed = engine.outline(Path(chosen.file), cancel=cancel)
    lines = [f"{'  ' * (one.level - 1)}{one.title}  (p. {one.page})" for one in parsed.headings]
    return Outcome(wire.outline(parsed), [*lines, *(f"warning: {each}" for each in parsed.warnings)])


def markdown(engine: Engine, chosen: Namespace, _emit: Emit, cancel: CancelToken) -> Outcome:
    """`sheaf markdown`."""
    text = engine.markdown(Path(chosen.file), cancel=cancel).text
    if chosen.output is None:
        return Outcome(wire.envelope(markdown=text), [text])
    engine.write_text(Path(chosen.output), text)
    return Outcome(wire.envelope(output=chosen.output), [f"Wrote {chosen.output}."])


def search(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf search`."""
    if not (chosen.query.strip() or chosen.phrase.strip() or chosen.identifier.strip()):
        raise UsageError("Nothing to search for.", help="Give some words, --phrase or --identifier.", code="no-query")
    narrowed = _filter(engine, chosen)
    found = engine.search(chosen.name, chosen.query, k=chosen.k, route=Route(chosen.route), chosen=narrowed)
    return _found(found, chosen.explain)


def like(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf like`."""
    narrowed = _filter(engine, chosen)
    return _found(engine.like(chosen.name, SegmentId(chosen.passage), k=chosen.k, chosen=narrowed), chosen.explain)


def _filter(engine: Engine, chosen: Namespace) -> SearchFilter:
    return SearchFilter(
        folders=tuple(chosen.folder),
        documents=engine.documents_called(chosen.name, chosen.document) if chosen.document else (),
        parts=tuple(chosen.part),
        kinds=tuple(chosen.kind),
        section=chosen.section,
        phrase=chosen.phrase,
        since=chosen.since,
        until=chosen.until,
        contents=tuple(chosen.content),
        identifier=chosen.identifier,
    )


def _found(result: SearchResult, explain: bool) -> Outcome:
    lines = [*_hit_lines(result, explain), *(f"warning: {each}" for each in result.warnings)]
    if explain and result.explanation:
        lines.insert(0, "; ".join(f"{name}: {value}" for name, value in result.explanation.items() if value))
    return Outcome(wire.search_result(result, explain=explain), lines)


def _hit_lines(result: SearchResult, explain: bool) -> list[str]:
    lines: list[str] = []
    for hit in result.hits:
        file = hit.places[0].file if hit.places else "-"
        through = f"  (found through {hit.found_through})" if hit.found_through else ""
        revision = f"  ({hit.revision.text})" if hit.revision is not None else ""
        lines += [
            f"{hit.rank:2}. {file}, page {hit.segment.page}: {' > '.join(hit.segment.path)}{through}{revision}",
            f"    {' '.join(hit.segment.text.split())[:160]}",
        ]
        if explain:
            routes = ", ".join(f"{each.route} #{each.rank} ({each.score:.3f})" for each in hit.routes)
            lines.append(f"    score {hit.score:.3f}; {routes}; matched: {', '.join(hit.matched) or '-'}")
            lines.append(f"    passage {hit.segment.id}")
    return lines or ["Nothing found."]


def ask(engine: Engine, chosen: Namespace, emit: Emit, cancel: CancelToken) -> Outcome:
    """`sheaf ask`; with --again an earlier question, and what changed since."""
    before = engine.answer(chosen.again) if chosen.again else None
    answer = engine.ask(
        chosen.name,
        resolved_question(before) if before is not None else chosen.question,
        model=chosen.model,
        quoted=chosen.quoted,
        thread=chosen.again or _thread(engine, chosen),
        emit=emit,
        cancel=cancel,
    )
    lines = _answer_lines(answer)
    extra: Wire = {}
    if before is not None:
        extra = {"changes": changes(before, answer)}
        lines.append(f"  {extra['changes']}")
    return Outcome({**wire.answer(answer), **extra}, lines)


def _thread(engine: Engine, chosen: Namespace) -> str:
    """The answer that a follow-up belongs to; "last" is the library's newest."""
    if chosen.thread != _LAST:
        return engine.answer(chosen.thread).id if chosen.thread else ""
    kept = engine.answers(chosen.name)
    if not kept:
        raise UsageError(
            f"No answer of {chosen.name} is kept yet.", help="Ask without --thread first.", code="no-answer"
        )
    return kept[0].id


def answers(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf answers`: kept answers, newest first, those that hold all of some words."""
    words = [fold_case(word) for word in chosen.words]
    kept = [
        one
        for one in engine.answers(chosen.name)
        if all(word in fold_case(f"{one.question} {one.short} {one.text}") for word in words)
    ]
    lines = [f"{one.created[:16]}  {one.id}  {one.question} \u2192 {one.short[:80]}" for one in kept]
    return Outcome(wire.envelope(answers=[wire.answer(one) for one in kept]), lines or ["No answers."])


def _answer_lines(answer: Answer) -> list[str]:
    lines = []
    for sentence in answer.sentences:
        marks = "".join(f"[{n}]" for n in sentence.citations)
        lines.append(f"{sentence.text} {marks}".rstrip() + ("" if sentence.verified else "  (unverified)"))
    lines = lines or [answer.text]
    for one in answer.citations:
        label = f" ({one.page_label})" if one.page_label and one.page_label != str(one.page) else ""
        path = f", {' > '.join(one.path)}" if one.path else ""
        lines.append(f"  [{one.n}] {one.place.file}, page {one.page}{label}{path}: “{one.quote}”")
    if answer.coverage:
        lines.append(f"  {answer.coverage}")
    lines += [f"  warning: {each}" for each in answer.warnings]
    lines.append(f"  answer {answer.id}, {answer.model}, {answer.seconds:.2f} s")
    return lines


def find(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf find`."""
    found = engine.find(chosen.name, chosen.expression, about=chosen.about, where=chosen.where)
    lines = [*(_row_line(one) for one in found.rows)] or ["No part keeps these bounds for certain."]
    lines += [f"perhaps: {_row_line(one)}" for one in found.doubtful]
    lines.append(f"{found.examined} of {found.of} documents give these parameters")
    return Outcome(wire.find_result(found), [*lines, *(f"warning: {each}" for each in found.warnings)])


def compare(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf compare`."""
    table = engine.compare(
        chosen.name, chosen.parameters, documents=chosen.documents, about=chosen.about, where=chosen.where
    )
    lines = [_row_line(one) for one in table.rows] or ["None of the documents gives these parameters."]
    return Outcome(wire.compare_table(table), [*lines, *(f"warning: {each}" for each in table.warnings)])


def _row_line(row: ResultRow) -> str:
    columns = []
    for cells in row.cells:
        values = [f"{one.value} {one.unit} {one.kind} ({one.file}, page {one.page})" for one in cells[:3]]
        columns.append("; ".join(values) or "-")
    return f"{row.part}: {' | '.join(columns)}{f'  [{row.note}]' if row.note else ''}"


def lexicon(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf lexicon`."""
    names = [one.name for one in engine.libraries()]
    if chosen.library and chosen.library not in names:
        raise UsageError(f"There is no library {chosen.library}.", help=f"There are: {', '.join(names) or 'none'}.")
    if chosen.forget:
        engine.lexicon.drop(chosen.term, chosen.library)
    elif chosen.term:
        engine.lexicon.put(chosen.term, chosen.meaning, chosen.library)
    wanted = [chosen.library] if chosen.library else ["", *names]
    kept = [one for name in wanted for one in engine.lexicon.synonyms(name)]
    lines = [f"{one.term} = {one.meaning}" + (f"  (in {one.library})" if one.library else "") for one in kept]
    return Outcome(wire.envelope(synonyms=[wire.synonym(one) for one in kept]), lines or ["No synonyms."])


def correct(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf correct`."""
    desk = engine.corrections(chosen.name)
    if not chosen.record:
        kept = desk.kept()
        lines = [f"{one.places[0].file}, page {each.page}: {each.printed}: {dict(each.changes)}" for one, each in kept]
        made = [wire.correction(document, one) for document, one in kept]
        return Outcome(wire.envelope(corrections=made), lines or ["Nothing has been corrected."])
    if chosen.withdraw:
        dropped = desk.withdraw(chosen.record)
        words = f"Forgot {dropped}; what the sheet says is back after `sheaf index {chosen.name}`."
        return Outcome(wire.envelope(withdrawn=dropped), [words if dropped else "This value has not been corrected."])
    amended = Amendment(
        chosen.value, chosen.unit, chosen.limit, chosen.parameter, chosen.symbol,
        tuple(chosen.part) if chosen.part else None, chosen.section,
    )  # fmt: skip
    record = desk.correct(chosen.record, amended)
    words = f"{record.parameter}: {record.value_raw} {record.unit_raw} {record.kind.value}, page {record.page}."
    return Outcome(wire.envelope(record=wire.record(record)), [words])


def questions(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf eval questions`: one JSON object a line."""
    made = [as_json(one) for one in engine.known_questions(chosen.name, chosen.source, chosen.most, chosen.seed)]
    lines = [json.dumps(one, ensure_ascii=False) for one in made]
    if chosen.output is None:
        return Outcome(wire.envelope(questions=made), lines)
    engine.write_text(Path(chosen.output), "".join(f"{line}\n" for line in lines))
    return Outcome(
        wire.envelope(output=chosen.output, questions=len(made)),
        [f"Wrote {number_of(len(made), 'question')} to {chosen.output}."],
    )


def export(engine: Engine, chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf export`."""
    engine.export(chosen.answer, chosen.format, Path(chosen.output))
    return Outcome(wire.envelope(output=chosen.output), [f"Wrote {chosen.output}."])


def doctor(engine: Engine, _chosen: Namespace, _emit: Emit, _cancel: CancelToken) -> Outcome:
    """`sheaf doctor`."""
    found = engine.doctor()
    lines = [f"{one.name:16} {one.health.value:7} {one.reason}".rstrip() for one in found]
    return Outcome(wire.components(found), lines, failed=any(one.health is Health.FAILED for one in found))


def models(engine: Engine, chosen: Namespace, emit: Emit, cancel: CancelToken) -> Outcome:
    """`sheaf models list|fetch|verify|remove|add`."""
    store = engine.models
    if chosen.action == "list":
        found = store.list()
        lines = [
            f"{one.state.value:8} {one.size_bytes / 1e6:7.0f} MB  {one.id}  ({one.role}, {one.licence})"
            for one in found
        ]
        return Outcome(wire.envelope(models=[wire.model(one) for one in found]), lines)
    if chosen.action == "add":
        added = store.add(Path(chosen.model))
        return Outcome(wire.envelope(model=added), [f"Added model {added}."])
    if chosen.action == "fetch":
        store.fetch(chosen.model, emit, cancel)
        return Outcome(wire.envelope(model=chosen.model), [f"Model {chosen.model} is here and verified."])
    if chosen.action == "remove":
        store.remove(chosen.model)
        return Outcome(wire.envelope(removed=chosen.model), [f"Removed model {chosen.model}."])
    faults = store.verify(chosen.model)
    lines = list(faults) or [f"Model {chosen.model} is whole."]
    return Outcome(wire.envelope(model=chosen.model, problems=list(faults)), lines, failed=bool(faults))
