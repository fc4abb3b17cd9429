"""Two or more whole parts side by side: what each is, and the parameters that all of their sheets give."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.agent.cite import Citations
from engine.agent.computed import printed_row
from engine.agent.digest import what_it_is
from engine.agent.draft import Draft, Notes
from engine.agent.homes import homes_of
from engine.agent.question import Question
from engine.agent.sources import Sources
from engine.agent.targets import resolve
from engine.agent.terms import content_terms, name_terms
from engine.agent.verify import check_sentence
from engine.core.results import AnswerStatus, DocumentInfo, Sentence, SharedRow, SideBySide, Step

Shared = Callable[[Sequence[tuple[str, DocumentInfo]]], SideBySide]
"""What the parameter records of some parts have in common (engine/parameters/side_by_side.py)."""

_ASKED = re.compile(
    r"^(?:please )?compare\b|\b(?:difference|differences|comparison) (?:between|of)\b|\bdiffers? from\b"
    r"|\bcompares? (?:to|with)\b|^how (?:do|does|is|are) .+ (?:differ|compare|different)\b|\b(?:versus|vs\.?)(?= |$)",
    re.I,
)
_PLAIN = frozenset(
    content_terms(
        "compare comparison differ difference different main key important overall general between part device chip "
        "sheet data datasheet document choice choose new design option alternative versus vs use summarize briefly "
        "short table side other another both two three give show please select selection better suited"
    )
)
_PARTS = 4


def asks_side_by_side(question: Question) -> bool:
    """Whether whole parts are to be set side by side, not one of their properties."""
    names = name_terms(question.parts)
    topic = [term for term in question.terms if term not in _PLAIN and term not in names]
    return bool(_ASKED.search(question.folded)) and 2 <= len(question.parts) <= _PARTS and not topic


def answer_side_by_side(question: Question, shared: Shared, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """None where the question asks for something else or one of the parts has no document."""
    if not asks_side_by_side(question):
        return None
    documents = sources.documents()
    targets = resolve(question, documents)
    sides = homes_of(targets, documents)
    if targets.unknown or len(sides) < 2:
        return None
    found = shared(sides)
    citations = Citations(sources)
    sentences = _descriptions(sides, sources, citations)
    rows = [_row(row, [name for name, _ in sides], sources, citations) for row in found.rows]
    sentences += [row for row in rows if row is not None and row.verified]
    if not sentences:
        return None
    for sentence in sentences:
        notes.sentence(sentence, citations.pick)
    kept = sum(row is not None and row.verified for row in rows)
    names = [name for name, _ in sides]
    coverage = _coverage(names, found, kept)
    notes.step(Step("compare", " and ".join(names), (), coverage))
    short = f"{kept} parameters of {' and '.join(names)} side by side" if kept else sentences[0].text
    status = AnswerStatus.ANSWERED if kept else AnswerStatus.PARTIAL
    warnings = () if kept else ("No parameter was found that the sheets give alike.",)
    return Draft(status, short, tuple(sentences), citations.all, model, coverage, warnings, separator="\n")


def _descriptions(sides: Sequence[tuple[str, DocumentInfo]], sources: Sources, citations: Citations) -> list[Sentence]:
    """One sentence of each sheet about what its part is; of one sheet for several parts once."""
    found: list[Sentence] = []
    seen: set[str] = set()
    for name, home in sides:
        quote = what_it_is(home, sources)
        if quote is None or home.id in seen:
            continue
        seen.add(home.id)
        number = citations.cite_text(quote.segment, quote.text)
        verified = check_sentence(quote.text, [citations.page_text(number)]).verified
        found.append(Sentence(f"{name}: {quote.text}", verified, (number,)))
    return found


def _row(row: SharedRow, names: Sequence[str], sources: Sources, citations: Citations) -> Sentence | None:
    """ "Supply voltage: DS1307 min 4.5 V, max 5.5 V; DS12887 ...", verified cell by cell on the page of each."""
    numbers: list[int] = []
    verified = True
    for cell in row.cells:
        unit = printed_row(cell.records[0], sources)
        if unit is None:
            return None
        number = citations.cite(unit)
        texts = (*unit.texts, *(text for record in cell.records for text in (record.value_raw, record.unit_raw)))
        values = cell.text.split(" at ")[0]
        verified &= check_sentence(values, [citations.page_text(number)], cells=texts).verified
        numbers.append(number)
    told = "; ".join(f"{name} {cell.text}" for name, cell in zip(names, row.cells))
    return Sentence(f"{row.name}: {told}.", verified, tuple(dict.fromkeys(numbers)))


def _coverage(names: Sequence[str], found: SideBySide, shown: int) -> str:
    both = "both" if len(names) == 2 else "all"
    told = (
        f"{shown} of the {found.shared} parameters that {both} sheets give" if found.shared else "No shared parameters"
    )
    own = ", ".join(f"{count} only by the {name}" for name, count in zip(names, found.own) if count)
    return f"{told}; given {own}." if own else f"{told}."
