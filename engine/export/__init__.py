"""Answers as documents: one file a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.core.errors import UsageError
from engine.core.results import Answer
from engine.export.markdown import to_markdown

FORMATS: Mapping[str, Callable[[Answer], str]] = {"md": to_markdown}


def export_text(answer: Answer, format: str) -> str:
    """The answer in a text format. Raises UsageError for one that is not known."""
    if format not in FORMATS:
        raise UsageError(f"Answers cannot be written as {format}.", help=f"Choose {', '.join(FORMATS)} or json.")
    return FORMATS[format](answer)
