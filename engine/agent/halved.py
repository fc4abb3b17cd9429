"""A comparison whose sides are asked one by one, each with the reader that answers single questions, and put together
by code: the values, which has more, by how much, whether they are the same.

A side counts only where what was found speaks of it: its name stands in the passage, in what the passage stands under
or in the document's title. Where a side is not found, the answer says which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.agent.alone import plainly
from engine.agent.compare import comparison_of, verdict
from engine.agent.counts import counted
from engine.agent.draft import NOT_MENTIONED, Draft, Notes
from engine.agent.halves import Halves
from engine.agent.parts import looks_like_part
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Form, Question, understand
from engine.agent.sides import Comparison, alike
from engine.agent.subjects import Subject
from engine.agent.terms import canonical, tokens, whole_name, word_forms
from engine.core.results import AnswerStatus, Citation, Sentence, Step
from engine.core.text import fold, fold_case, identifiers

_SPOKEN_OF = 0.5
"""Least share of the words that tell a side from the others which its passage must have."""
_SAME = re.compile(r"\b(?:same|identical|equal|alike)\b", re.I)
_COUNT = re.compile(r"([0-9][0-9,. ]*[0-9]|[0-9])(?: [a-z]+){0,2}")
_LONGEST = 80
"""Characters of a value that is set against another; more is a sentence."""


@dataclass(frozen=True, slots=True)
class Half:
    """One side with its answer."""

    name: str
    draft: Draft

    @property
    def short(self) -> str:
        return self.draft.short

    @property
    def quantity(self) -> Quantity | None:
        """The one value of a short answer; None where it has several or none."""
        short = fold(self.short)
        found = [*find_quantities(short)]
        if len(found) == 1:
            return found[0]
        bare = _COUNT.fullmatch(short)
        return counted(bare.group(1) if bare else short) if not found else None

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(citation.quote for citation in self.draft.citations)


def may_be_halved(question: Question, halves: Halves) -> bool:
    """Whether the sides can be asked alone: a claim about two things cannot, for no document denies it of one."""
    asked = [understand(one) for one in halves.questions]
    plain = all(one.form is Form.OPEN for one in asked)
    named = set(tokens(" ".join(halves.names)))
    return plain and (question.form is not Form.SUMMARY or all(set(one.terms) - named for one in asked))


def answer_halves(
    question: Question,
    halves: Halves,
    ask: Callable[[str], Draft],
    notes: Notes,
    beside: Callable[[], Sequence[Draft]] = tuple,
) -> tuple[Draft | None, Draft | None]:
    """The whole answer where every side has one, else what there is for some of them.

    `beside` gives the answers of all sides from one sentence that tells them apart, or none; it is asked last.
    """
    asked = [Half(name, ask(text)) for name, text in zip(halves.names, halves.questions, strict=True)]
    answered = [one for one in asked if one.draft.status is AnswerStatus.ANSWERED and _speaks(one, halves.names)]
    answered = [one for one in _apart(answered) if len(one.short) <= _LONGEST]
    for one in asked:
        used = tuple(c.segment for c in one.draft.citations[:1] if c.segment) if one in answered else ()
        notes.step(Step("retrieve", one.name, used, one.short if one in answered else "not found"))
    if len(answered) < len(asked):
        told = [Half(name, draft) for name, draft in zip(halves.names, beside())]
        if told and all(one.draft.status is AnswerStatus.ANSWERED for one in told):
            return _whole(question, halves, told, notes), None
        return None, _some(question, halves, answered) if answered else None
    return _whole(question, halves, answered, notes), None


def tells_of_all(question: Question, draft: Draft, halves: Halves) -> bool:
    """Whether one passage read for the whole question answers for every side: what speaks of one answers for none.

    Where a side is picked the passage names them all; where values are asked for, the very answer does. A part may be
    named by the document's title instead.
    """
    if question.form is Form.SUMMARY:
        return len({citation.document for citation in draft.citations}) >= len(halves.names)
    picked = any(fold_case(name) in fold_case(draft.short) for name in halves.names)
    comparison = _comparison(question, halves)
    quoted = " ".join([draft.text, *(citation.quote for citation in draft.citations)])
    said = word_forms(quoted if picked and (comparison.wins or comparison.margin) else draft.short)
    titled = word_forms(" ".join(citation.title for citation in draft.citations))
    told = [said | titled if looks_like_part(name) else said for name in halves.names]
    return (picked or len(draft.short.split()) > 1) and all(
        _held(_own(name, halves.names), forms) >= _SPOKEN_OF for name, forms in zip(halves.names, told)
    )


def _up_to_value(draft: Draft) -> str:
    """The sentences of an answer up to the one that has its value: what follows speaks of other things."""
    passages = [one.text for one in draft.sentences if one.text.rstrip(".") != draft.short]
    held = [place for place, text in enumerate(passages) if fold_case(draft.short) in fold_case(text)]
    return " ".join(passages[: held[0] + 1] if held else passages)


def _own(name: str, names: Sequence[str]) -> list[str]:
    """The words that tell a side from the others."""
    shared = set.intersection(*(set(tokens(one)) for one in names))
    return [canonical(token) for token in tokens(name) if token not in shared]


def _held(terms: Sequence[str], forms: set[str]) -> float:
    """Share of words that stand among others."""
    return sum(_stands(term, forms) for term in terms) / max(1, len(terms))


def _whole(question: Question, halves: Halves, answered: Sequence[Half], notes: Notes) -> Draft | None:
    comparison = _comparison(question, halves).settled(answered)
    found = verdict(question, comparison, answered)
    same = _same(question, answered)
    if found is None and (comparison.wins or comparison.margin) and same is None:
        return None
    stated = [(one.name, one.draft.citations[0].document, one.evidence[0]) for one in answered]
    if found is not None and not alike(stated):
        return None
    listed = "; ".join(f"{one.name}: {one.short}" for one in answered)
    short = found[0] if found is not None else f"{same}: {listed}" if same is not None else listed
    if found is not None and plainly(question.folded) != question.folded:
        short = f"{short} ({listed})"
    draft = _together(answered)
    said = found[1] if found is not None else f"{same}. {listed}." if same is not None else ""
    if len({one.evidence for one in answered}) < len(answered):
        said = said or f"{listed}."  # one sentence tells of several: it is quoted once
    if said:
        numbers = tuple(dict.fromkeys(n for sentence in draft.sentences for n in sentence.citations))
        draft = replace(draft, sentences=(Sentence(said, True, numbers), *draft.sentences))
    for sentence in draft.sentences:
        notes.sentence(sentence, lambda numbers: tuple(draft.citations[n - 1] for n in numbers))
    notes.step(Step("compare", comparison.attribute or question.text, (), short))
    return replace(draft, short=short)


def _comparison(question: Question, halves: Halves) -> Comparison:
    return comparison_of(question, [Subject(name, ()) for name in halves.names])


def _same(question: Question, answered: Sequence[Half]) -> str | None:
    """ "Yes" or "No" where a question asks whether both have the same; None where it does not."""
    if not _SAME.search(question.folded):
        return None
    values = [one.quantity for one in answered]
    first = values[0]
    if first is not None and all(value is not None for value in values):
        return "Yes" if all(value is not None and first.same(value) for value in values[1:]) else "No"
    return "Yes" if len({fold_case(one.short) for one in answered}) == 1 else "No"


def _some(question: Question, halves: Halves, answered: Sequence[Half]) -> Draft:
    """What was found for some of the sides, with the others named: no answer where they were to be compared."""
    found = {one.name for one in answered}
    reason = f"Nothing was found for {' and '.join(name for name in halves.names if name not in found)}."
    draft = _together(answered)
    comparison = _comparison(question, halves)
    coverage = f"{len(answered)} of {len(halves.names)} found"
    if comparison.wins or comparison.margin or _SAME.search(question.folded):
        sentences = (Sentence(f"{NOT_MENTIONED}.", True, ()), Sentence(reason, True, ()), *draft.sentences)
        return replace(
            draft, status=AnswerStatus.NOT_MENTIONED, short=NOT_MENTIONED, sentences=sentences, coverage=coverage
        )
    short = "; ".join(f"{one.name}: {one.short}" for one in answered)
    warnings = (*draft.warnings, reason)
    return replace(draft, status=AnswerStatus.PARTIAL, short=short, coverage=coverage, warnings=warnings)


def _together(answered: Sequence[Half]) -> Draft:
    """The sentences of all sides, each under its name, with their citations numbered through."""
    sentences: list[Sentence] = []
    citations: list[Citation] = []
    told: set[tuple[str, ...]] = set()
    for one in answered:
        if one.evidence in told:
            continue
        told.add(one.evidence)
        moved = len(citations)
        citations += [replace(citation, n=citation.n + moved) for citation in one.draft.citations]
        for place, sentence in enumerate(one.draft.sentences):
            text = f"{one.name}: {sentence.text}" if not place and one.name not in sentence.text else sentence.text
            numbers = tuple(number + moved for number in sentence.citations)
            sentences.append(replace(sentence, text=text, citations=numbers))
    warnings = tuple(dict.fromkeys(warning for one in answered for warning in one.draft.warnings))
    model = next((one.draft.model for one in answered if one.draft.model != "computed"), "computed")
    return Draft(AnswerStatus.ANSWERED, "", tuple(sentences), tuple(citations), model, "", warnings)


def _speaks(half: Half, names: Sequence[str]) -> bool:
    """Whether what was found speaks of the side: most of the words that tell it from the others stand there."""
    own = _own(half.name, names)
    told = _up_to_value(half.draft)
    if _of_another(half, told):
        return False
    quoted = word_forms(told)
    above = " ".join(f"{one.title} {' '.join(one.path)}" for one in half.draft.citations)
    around = word_forms(f"{above} {told}")
    if whole_name(half.name).search(fold(f"{above} {told}")):
        return True
    if _held(own, around) < _SPOKEN_OF:
        return False
    if all(_stands(term, quoted) for term in own):
        return True
    others = [_own(name, names) for name in names if name != half.name]
    return not any(terms and all(_stands(term, quoted) for term in terms) for terms in others)


def _of_another(half: Half, told: str) -> bool:
    """Whether another part stands nearer to the side's name than the one given: "QX20: the Falcon had a QX30"."""
    text, name, short = fold_case(told), fold_case(half.name), fold_case(half.short)
    if not looks_like_part(half.short) or name not in text:
        return False
    others = [fold_case(one) for one in identifiers(told) if looks_like_part(one)]
    rivals = [one for one in others if short not in one and one not in name]
    gaps = {one: _gap(text, name, one) for one in (short, *rivals) if one in text}
    return any(gaps[one] < gaps.get(short, len(text)) for one in rivals if one in gaps)


def _gap(text: str, one: str, other: str) -> int:
    """Characters between two names where they stand nearest."""
    places = [[m.start() for m in re.finditer(re.escape(name), text)] for name in (one, other)]
    lengths = len(one), len(other)
    return min(
        max(right - left - lengths[0], left - right - lengths[1], 0) for left in places[0] for right in places[1]
    )


def _stands(term: str, forms: set[str]) -> bool:
    """Whether a word stands among others, be it with a suffix."""
    return term in forms or (len(term) > 3 and any(form.startswith(term) for form in forms))


def _apart(answered: Sequence[Half]) -> list[Half]:
    """Without sides that were given one value from one passage, unless that passage names them all."""
    kept: list[Half] = []
    for one in answered:
        twins = [other for other in answered if other is not one and other.evidence == one.evidence]
        alike = [other for other in twins if fold_case(other.short) == fold_case(one.short)]
        quoted = word_forms(" ".join(one.evidence))
        named = all(all(canonical(t) in quoted for t in tokens(other.name)) for other in (one, *alike))
        if not alike or named:
            kept.append(one)
    return kept
