"""Sentences of a document that are written to whoever reads it by machine, not to an engineer: never evidence.

What a model may say is bound to the passages anyway; here the passages themselves are cleaned, so that neither a model
nor a quotation repeats what such a sentence plants. Only plain marks count: role labels, chat tokens, a reply in our
own form, and commands to forget instructions or to answer something.
"""

from __future__ import annotations

import re

_MARKS = re.compile(
    r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|^\s*#{2,}\s*(?:system|instructions?|assistant|user)\b"
    r"|(?-i:\bSYSTEM(?: PROMPT| MESSAGE)?: ?[A-Z][a-z]+ )|\bsystem (?:prompt|message)\s*:"
    r"|\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|passages|context)\b"
    r"|\byou are (?:now )?(?:an? |the )?(?:\w+ )?(?:assistant|ai|language model|chatbot|llm)\b"
    r"|\b(?:ai|language|chat) (?:assistants?|models?)\b.{0,60}\b(?:must|should|shall|answer|reply|say|report)\b"
    r"|^\W*(?:please )?(?:answer|reply|respond|say|report)(?:,? always,?)? that\b"
    r"|\b(?:answer|reply|respond)\b.{0,30}\b(?:any|every|all|the user's|this) questions?\b"
    r"|[{]\s*\"(?:found|answer|passage)\"\s*:",
    re.IGNORECASE,
)  # fmt: skip


def instructs(text: str) -> bool:
    """Whether a sentence or row tries to instruct a model that reads it."""
    return _MARKS.search(text) is not None
