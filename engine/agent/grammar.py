"""GBNF grammars made for one turn: the model cannot leave the form, nor name a passage that was not sent."""

from __future__ import annotations

from collections.abc import Sequence

_ANSWER_CHARACTERS = 160


def literal(text: str) -> str:
    """A GBNF string literal that matches exactly `text`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def alternatives(texts: Sequence[str]) -> str:
    """A GBNF group of literals."""
    return "(" + " | ".join(literal(text) for text in texts) + ")"


def string(most: int = _ANSWER_CHARACTERS) -> str:
    """A JSON string of 1 to `most` characters without escapes or line breaks."""
    return f'"\\"" [^"\\\\\\n\\r]{{1,{most}}} "\\""'


def extraction(passages: int, most: int = _ANSWER_CHARACTERS) -> str:
    """{"found": false} or {"found": true, "passage": n, "answer": "..."} with n among 1..`passages`."""
    numbers = alternatives([str(n) for n in range(1, passages + 1)])
    return (
        f'root ::= "{{\\"found\\": " (no | yes) "}}"\n'
        f'no ::= "false"\n'
        f'yes ::= "true, \\"passage\\": " {numbers} ", \\"answer\\": " {string(most)}\n'
    )


def choice(options: Sequence[str]) -> str:
    """{"answer": "<one of the options>"}."""
    return f'root ::= "{{\\"answer\\": \\"" {alternatives(options)} "\\"}}"\n'
