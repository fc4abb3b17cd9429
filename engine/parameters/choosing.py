"""What the rules leave open: which of a sheet's own parameter names a question means.

A small model recognises a name among candidates; it never sees or writes a value. What it picks goes through the same
selection by part, condition and limit as a name the rules have found, and is shown, never asserted: measured on the
checked questions that the rules leave open, the 1.5 B model's picks were right 2 times, wrong 4 and none 5 of 11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.ports import Embedder, LanguageModel, Message
from engine.parameters.query import Clause, ParameterQuery
from engine.parameters.selecting import GOOD_ENOUGH, Match, RecordBook, find_matches
from engine.parameters.wording import name_text
from engine.prompts import load

Choose = Callable[[str, Sequence[str]], int | None]
"""Question and candidate names -> the place of the name meant, None for none of them."""
_LEAST = 0.4
"""Share of a question a name must account for to be a candidate."""
_MOST = 9
_OPEN_WORDS = 0.15
"""Weight of embedding similarity among the candidates."""


@dataclass(frozen=True, slots=True)
class Option:
    """One parameter of a sheet as it is shown for choice, with its records."""

    shown: str
    matches: tuple[Match, ...]


def options_for(
    book: RecordBook, query: ParameterQuery, clause: Clause, part: str, embedder: Embedder | None = None
) -> list[Option]:
    """The sheet's parameters that share words with the question, likeliest first."""
    found: dict[str, list[Match]] = {}
    for match in find_matches(book, query, clause, part, least=_LEAST):
        record = match.record
        where = record.path[-1] if record.path else record.caption
        found.setdefault(f"{name_text(record)} [{where}]" if where else name_text(record), []).append(match)
    options = [Option(shown, tuple(matches)) for shown, matches in found.items()]
    scores = np.array([max(match.quality for match in option.matches) for option in options])
    if embedder is not None and len(options) > 1:
        passages = embedder.embed_passages([option.shown for option in options])
        scores = scores + _OPEN_WORDS * (passages @ embedder.embed_query(query.question))
    places = np.argsort(-scores, kind="stable").tolist()[:_MOST] if options else []
    return [options[place] for place in places]


def chosen_matches(option: Option) -> list[Match]:
    """The records of a chosen name, as good as a name the rules have found and no better."""
    return [replace(match, quality=GOOD_ENOUGH) for match in option.matches]


def choose_by(model: LanguageModel, cancel: CancelToken | None = None) -> Choose:
    """Let a local model choose, constrained to the numbers of the candidates or 0 for none.

    Raises Cancelled and KnownError as the model does.
    """

    def choose(question: str, names: Sequence[str]) -> int | None:
        listed = "\n".join(f"{number}. {name}" for number, name in enumerate(names, 1))
        grammar = "root ::= " + " | ".join(f'"{number}"' for number in range(len(names) + 1))
        asked = Message("user", f"Question: {question}\n0. none of these\n{listed}")
        answer = model.complete((*load("choose_parameter"), asked), grammar=grammar, max_tokens=2, cancel=cancel)
        number = int(answer.text) if answer.text.strip().isdigit() else 0
        return number - 1 if 0 < number <= len(names) else None

    return choose
