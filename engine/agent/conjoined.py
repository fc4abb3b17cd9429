"""Questions that ask two things at once: "How many bits is it and how fast does it sample?" is two questions.

Each is asked by itself, of the part the other names, and the answers are put together. A second question that hangs on
the answer of the first ("and when was he born?") is left whole: that is a hop, not a conjunction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.agent.draft import NOT_MENTIONED, Draft
from engine.agent.question import Form, understand
from engine.agent.thread import continued
from engine.core.results import AnswerStatus, Citation, Sentence

_WORD = r"(?:what|which|how|when|where|why|is|are|does|do|can)\b"
_BREAK = re.compile(rf"(?:,?\s+and\s+|\?\s+(?:and\s+)?)(?={_WORD})", re.I)
_OPENING = re.compile(rf"(?:how \w+\b|(?!how\b){_WORD})(?!\s+(?:about|at|by|for|from|in|of|on|to|with)\b)", re.I)
_SHORTEST = 4
"""Words of a question that can stand by itself; "how many bytes?" cannot."""
_MOST = 3


def conjuncts(question: str) -> tuple[str, ...]:
    """The questions a question is made of, each whole; itself alone where it is one."""
    pieces = [piece.strip(" ?.") for piece in _BREAK.split(question.strip())]
    alone = (question,)
    if not 2 <= len(pieces) <= _MOST or not all(map(_stands, pieces)):
        return alone
    asked = understand(question)
    if len(asked.parts) != 1 or asked.form in (Form.CHOICE, Form.BLANK, Form.TRUE_FALSE):
        return alone  # several parts are compared with one another, not asked about one by one
    naming = next(piece for piece in pieces if understand(piece).parts)
    whole = tuple(piece if understand(piece).parts else continued(piece, naming) for piece in pieces)
    return tuple(f"{piece[:1].upper()}{piece[1:].rstrip(' ?')}?" for piece in whole) if all(whole) else alone


def _stands(piece: str) -> bool:
    return len(piece.split()) >= _SHORTEST and _OPENING.match(piece) is not None


def together(drafts: Sequence[Draft], questions: Sequence[str]) -> Draft:
    """One answer of several; what has none is named."""
    sentences: list[Sentence] = []
    citations: list[Citation] = []
    for draft, question in zip(drafts, questions, strict=True):
        if draft.status is AnswerStatus.NOT_MENTIONED:
            sentences.append(Sentence(f"{NOT_MENTIONED}: {question}", True, ()))
            continue
        moved = len(citations)
        citations += [replace(one, n=one.n + moved) for one in draft.citations]
        sentences += [
            replace(one, citations=tuple(number + moved for number in one.citations)) for one in draft.sentences
        ]
    kinds = {draft.status for draft in drafts}
    told = [draft for draft in drafts if draft.status is not AnswerStatus.NOT_MENTIONED]
    return Draft(
        kinds.pop() if len(kinds) == 1 else AnswerStatus.PARTIAL,
        "; ".join(draft.short for draft in told) or NOT_MENTIONED,
        tuple(sentences) if told else drafts[0].sentences,
        tuple(citations),
        next((draft.model for draft in told), drafts[0].model),
        "; ".join(dict.fromkeys(draft.coverage for draft in told if draft.coverage)),
        tuple(dict.fromkeys(warning for draft in drafts for warning in draft.warnings)),
        "\n",
    )
