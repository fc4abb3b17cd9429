"""Values told apart within one sentence: "10 MHz (A version) and 20 MHz (B version)", "A has 4 KB, B has 8 KB".

Names and values that alternate one to one belong together in their order; nothing is paired where a name or a value is
left over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.agent.cite import Citations
from engine.agent.draft import Draft
from engine.agent.evidence import Evidence, gather, rank
from engine.agent.quantities import find_quantities
from engine.agent.question import Expect, Question
from engine.agent.sources import Sources
from engine.agent.targets import resolve
from engine.agent.terms import whole_name
from engine.agent.verify import check_sentence
from engine.core.results import AnswerStatus, Sentence
from engine.core.text import fold

_READ = 6
"""Sentences read, the best first."""
_SPOKEN_OF = 0.7
"""Least share of the question's words that a sentence and what it stands under must have."""
_NUMBER = re.compile(r"(?<![\w.,/-])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![\w/-]|[.,][0-9])")


def drafts_beside(question: Question, names: Sequence[str], sources: Sources, model: str) -> tuple[Draft, ...]:
    """An answer for each name, all from one sentence; () where none tells them apart."""
    pool = gather(question, sources, resolve(question, sources.documents()))
    for evidence in rank(question, pool, _READ):
        values = () if evidence.unit.is_row else values_beside(fold(evidence.unit.text), names, question)
        if values and evidence.local >= _SPOKEN_OF and not evidence.wrong_part:
            return tuple(_draft(value, evidence, sources, model) for value in values)
    return ()


def values_beside(text: str, names: Sequence[str], question: Question) -> tuple[str, ...]:
    """The value of each name, in the order of the names."""
    named = [(match.start(), match.end(), name) for name in names if (match := whole_name(name).search(text))]
    if len(named) < len(names) or any(len(whole_name(name).findall(text)) > 1 for name in names):
        return ()
    values = [
        (start, said)
        for start, end, said in _values(text, question)
        if not any(start < stop and begin < end for begin, stop, _ in named)
    ]
    bracketed = [_before_brackets(text, begin, values) for begin, _, _ in named]
    if all(said for _, said in bracketed) and len(set(bracketed)) == len(names):
        return tuple(said for _, said in bracketed)
    marks = sorted([(place, 0, name) for place, _, name in named] + [(place, 1, said) for place, said in values])
    kinds = [kind for _, kind, _ in marks]
    if len(values) != len(names) or kinds != [kinds[0], 1 - kinds[0]] * len(names):
        return ()
    ordered = [said for _, kind, said in marks if kind == 1]
    given = dict(zip([name for _, kind, name in marks if kind == 0], ordered))
    return tuple(given[name] for name in names)


def _before_brackets(text: str, name: int, values: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """The value in whose brackets a name stands: "\u00b11 LSB (QX3204-B)"; one of no text where there is none."""
    before = [(start, said) for start, said in values if start < name]
    start, said = max(before, default=(0, ""))
    between = text[start + len(said) : name]
    return (start, said) if said and re.fullmatch(r" ?\([^(),;]*", between) else (0, "")


def _values(text: str, question: Question) -> list[tuple[int, int, str]]:
    """Quantities of the dimension asked for, else all; bare numbers where a count is asked for and there are none."""
    found = find_quantities(text)
    wanted = [one for one in found if not question.dimensions or one.dimension in question.dimensions]
    if wanted:
        return [(one.start, one.end, one.text) for one in wanted]
    if question.expect is not Expect.NUMBER or found:
        return []
    return [(match.start(), match.end(), match.group()) for match in _NUMBER.finditer(text)]


def _draft(value: str, evidence: Evidence, sources: Sources, model: str) -> Draft:
    citations = Citations(sources)
    unit = evidence.unit
    number = citations.cite(unit)
    verified = check_sentence(unit.shown, [citations.page_text(number)], cells=unit.texts).verified
    status = AnswerStatus.ANSWERED if verified else AnswerStatus.PARTIAL
    return Draft(status, value, (Sentence(unit.shown, verified, (number,)),), citations.all, model)
