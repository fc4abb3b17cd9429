"""An answer that code computed from parameter records, put into words that are verified and cited like any other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes
from engine.agent.sources import Sources
from engine.agent.terms import word_forms
from engine.agent.units import Unit, units_of
from engine.agent.verify import check_sentence, stands
from engine.core.ids import SegmentId
from engine.core.model import ParameterRecord, Segment
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold

COMPUTED = "computed"
"""Stands for the model of an answer that code made."""
_UNSETTLED = re.compile(r"\bt\.?b\.?[dcs]\b|\bto be (?:determined|defined|confirmed|specified)\b", re.I)
"""What preliminary sheets print instead of a value."""
_CITED = 12
"""Rows quoted one by one; a longer list cites them in its one sentence."""


def draft_from_records(
    question: str,
    short: str,
    text: str,
    records: Sequence[ParameterRecord],
    caveats: Sequence[str],
    sources: Sources,
    notes: Notes,
    unprinted: Sequence[str] = (),
    lines: Sequence[tuple[str, Sequence[ParameterRecord]]] = (),
) -> Draft | None:
    """Cite each record's printed row and verify the sentence against those pages, but for what is `unprinted`:
    differences, counts printed in words.

    The `lines` of a list become a sentence each; a line that cannot be verified is left out and named. None where a
    value does not stand where its record says (then the records are not to be trusted here), or is yet to be settled.
    """
    if _UNSETTLED.search(short):
        return None
    if lines:
        return _listed(question, short, lines, caveats, sources, notes)
    citations = Citations(sources)
    numbers: list[int] = []
    rows: list[Unit] = []
    for record in records[:_CITED]:
        row = printed_row(record, sources)
        if row is None:
            continue
        rows.append(row)
        numbers.append(citations.cite(row))
    if not numbers:
        return None
    unique = tuple(dict.fromkeys(numbers))
    pages = [citations.page_text(n) for n in unique]
    cells = [text for row in rows for text in row.texts]
    allowed = " | ".join((question, *unprinted))
    verdict = check_sentence(text, pages, allowed, cells)
    if not verdict.verified:
        text, dropped = _without_conditions(text, records, verdict.missing)
        if not dropped or not check_sentence(text, pages, allowed, cells).verified:
            return None
        caveats = (*caveats, f"Not found on the cited page as read, and left out: {', '.join(dropped)}.")
    used = tuple(dict.fromkeys(row.segment.id for row in rows))
    notes.step(Step("compute", question, used, f"{len(records)} table values"))
    sentences = [notes.sentence(Sentence(text, True, unique), citations.pick)]
    notes.step(Step("answer", question, used, "computed"))
    coverage = "" if len(records) <= _CITED else f"{_CITED} of {len(records)} values cited"
    return Draft(AnswerStatus.ANSWERED, short, tuple(sentences), citations.all, COMPUTED, coverage, tuple(caveats))


def _without_conditions(
    text: str, records: Sequence[ParameterRecord], missing: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """The sentence without the conditions that hold a claim its page does not (a footnote of another page)."""
    dropped: list[str] = []
    for raw in dict.fromkeys(condition.raw for record in records for condition in record.conditions):
        if raw in text and any(stands(claim, fold(raw)) for claim in missing):
            text = text.replace(f", {raw}", "").replace(f" at {raw}, ", " at ").replace(f" at {raw}", "")
            dropped.append(raw)
    return text, tuple(dropped)


def _listed(
    question: str,
    short: str,
    lines: Sequence[tuple[str, Sequence[ParameterRecord]]],
    caveats: Sequence[str],
    sources: Sources,
    notes: Notes,
) -> Draft | None:
    """A sentence for each line of a list, verified on the pages of its own records."""
    citations = Citations(sources)
    sentences: list[Sentence] = []
    used: list[SegmentId] = []
    left_out: list[str] = []
    for text, records in lines:
        units = [unit for record in records if (unit := printed_row(record, sources)) is not None]
        numbers = tuple(dict.fromkeys(citations.cite(unit) for unit in units))
        cells = [cell for unit in units for cell in unit.texts]
        if not check_sentence(text, [citations.page_text(n) for n in numbers], question, cells).verified:
            left_out.append(text)
            continue
        used += [unit.segment.id for unit in units]
        sentences.append(notes.sentence(Sentence(f"{text}.", True, numbers), citations.pick))
    if not sentences:
        return None
    notes.step(Step("compute", question, tuple(dict.fromkeys(used)), f"{len(sentences)} of {len(lines)} rows"))
    notes.step(Step("answer", question, tuple(dict.fromkeys(used)), "computed"))
    warnings = (*caveats, *(f"Left out, because its page does not show it as read: {text}." for text in left_out))
    coverage = f"{len(sentences)} of {len(lines)} rows verified" if left_out else ""
    status = AnswerStatus.PARTIAL if left_out else AnswerStatus.ANSWERED
    return Draft(status, short, tuple(sentences), citations.all, COMPUTED, coverage, warnings)


def printed_row(record: ParameterRecord, sources: Sources) -> Unit | None:
    """The unit of the table row a record was read from."""
    segments = [s for s in sources.segments_of(record.document) if record.page in (s.pages or (s.page,))]
    home = [s for s in segments if s.table == record.table and record.table >= 0] or segments
    best: tuple[float, Unit] | None = None
    for unit in units_of(home):
        fit = _fit(record, unit)
        if best is None or fit > best[0]:
            best = (fit, unit)
    return best[1] if best is not None and best[0] > 0 else _stand_in(record, home)


def _fit(record: ParameterRecord, unit: Unit) -> float:
    """0 unless the value's cell is in the row; then how much of the parameter's name is."""
    value = fold(record.value_raw)
    cells = [fold(cell) for _, cell in unit.cells] or [fold(unit.text)]
    if not value or not any(
        value == cell or (not unit.is_row and value in cell) or value in cell.split() for cell in cells
    ):
        return 0.0
    words = word_forms(f"{record.parameter} {record.symbol}")
    return 0.1 + len(words & unit.forms) / max(1, len(words))


def _stand_in(record: ParameterRecord, segments: Sequence[Segment]) -> Unit | None:
    """A quotation put together from the record's own printed cells, on its page."""
    if not segments:
        return None
    text = " ".join(one for one in (record.parameter, record.symbol, record.value_raw, record.unit_raw) if one)
    cells = ((record.parameter, record.value_raw), ("", record.unit_raw))
    return Unit(segments[0], text, 0, tuple(pair for pair in cells if pair[1]), "", frozenset(), frozenset())
