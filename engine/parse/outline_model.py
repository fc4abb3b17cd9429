"""The outline looked through by the local model, in HiQA's sliding windows (equation 1).

D_M(t) = M(D_I(t), D_I(t-1), D_M(t-1)): each window of headings is judged with the window before it and the answer given
for that. The model sees headings only. It may change a level (and with it the parent) or drop a line that is none; it
never touches content, and never overrules bookmarks, section numbers or the user.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine import prompts
from engine.core.cancel import CancelToken
from engine.core.model import Heading, HeadingSource, OutlineEntry, ParsedDocument
from engine.core.ports import LanguageModel, Message
from engine.parse.corrections import apply_outline
from engine.parse.numbering import read_numbering

_WINDOW = 20
_SURE = 0.9
"""Headings the parser is surer of than this are never dropped."""
_LINE = re.compile(r"^(\d+): ([0-6])$", re.MULTILINE)
_SETTLED = frozenset((HeadingSource.USER, HeadingSource.BOOKMARK, HeadingSource.MARKUP))


def correct_outline(parsed: ParsedDocument, model: LanguageModel, cancel: CancelToken | None = None) -> ParsedDocument:
    """`parsed` with the outline the model agrees with; the same object where it has nothing to change.

    Raises what the model raises: KnownError where it cannot be loaded, Cancelled.
    """
    headings = parsed.headings
    if len(headings) < 2 or all(heading.source in _SETTLED for heading in headings):
        return parsed
    levels: list[int] = []
    for start in range(0, len(headings), _WINDOW):
        window = headings[start : start + _WINDOW]
        before = headings[max(0, start - _WINDOW) : start]
        levels += _judge(window, before, levels[max(0, start - _WINDOW) :], model, cancel)
    wanted = [_allowed(heading, level) for heading, level in zip(headings, levels, strict=True)]
    if wanted == [heading.level for heading in headings]:
        return parsed
    kept = [(heading, level) for heading, level in zip(headings, wanted, strict=True) if level]
    corrected = apply_outline(parsed, [OutlineEntry(h.title, level, h.page, h.box) for h, level in kept])
    return _credited(corrected, kept)


def _judge(
    window: Sequence[Heading],
    before: Sequence[Heading],
    answers: Sequence[int],
    model: LanguageModel,
    cancel: CancelToken | None,
) -> list[int]:
    """The model's level for each heading of the window; a line it leaves out keeps its level."""
    *turns, ask = prompts.load("outline")
    context = ""
    if before:
        answered = "\n".join(f"{i}: {level}" for i, level in enumerate(answers, start=1))
        context = f"{_lines(before)}\nanswered:\n{answered}\n\nNext:\n"
    text = ask.content.replace("{before}", context).replace("{window}", _lines(window))
    grammar = _grammar(len(window))
    budget = 8 * len(window) + 16
    done = model.complete([*turns, Message("user", text)], grammar=grammar, max_tokens=budget, cancel=cancel)
    said = {int(number): int(level) for number, level in _LINE.findall(done.text)}
    return [said.get(number, heading.level) for number, heading in enumerate(window, start=1)]


def _lines(headings: Sequence[Heading]) -> str:
    return "\n".join(f"{i}: level {h.level} | {h.title[:100]}" for i, h in enumerate(headings, start=1))


def _grammar(count: int) -> str:
    lines = " ".join(f'"{number}: " level "\\n"' for number in range(1, count + 1))
    return f"root ::= {lines}\nlevel ::= [0-6]\n"


def _allowed(heading: Heading, level: int) -> int:
    """What the model may decide: not the depth of a section number, not the end of a sure heading."""
    if heading.source in _SETTLED or read_numbering(heading.title) is not None:
        return heading.level
    if level == 0:
        return heading.level if heading.confidence >= _SURE else 0
    return level


def _credited(parsed: ParsedDocument, kept: Sequence[tuple[Heading, int]]) -> ParsedDocument:
    """Headings whose level the model changed say so; the others keep their source."""
    sources = {(h.title, h.page): (h, level) for h, level in kept}
    headings = []
    for heading in parsed.headings:
        before, level = sources.get((heading.title, heading.page), (heading, heading.level))
        changed = level != before.level
        source = HeadingSource.MODEL if changed else before.source
        headings.append(replace(heading, source=source, confidence=before.confidence))
    return replace(parsed, headings=tuple(headings))
