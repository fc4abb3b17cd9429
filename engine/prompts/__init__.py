"""Prompts are text files; this is their one loader, which also works in a frozen build."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from engine.core.errors import BugError
from engine.core.ports import Message

_TURN = re.compile(r"^\[(system|user|assistant)\]\s*$", re.MULTILINE)


@cache
def load(name: str) -> tuple[Message, ...]:
    """The messages of prompts/<name>.txt: turns headed [system], [user], [assistant].

    Raises BugError if the prompt does not exist or has no turns.
    """
    try:
        text = files("engine.prompts").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BugError(f"There is no prompt called {name}.") from error
    pieces = _TURN.split(text)
    turns = tuple(Message(role, content.strip()) for role, content in zip(pieces[1::2], pieces[2::2]))
    if not turns:
        raise BugError(f"The prompt {name} has no turns.")
    return turns
