"""Documents by what people call them: file name, title or part number."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.errors import UsageError
from engine.core.results import DocumentInfo
from engine.core.text import fold_case


def documents_called(wanted: str, documents: Sequence[DocumentInfo], library: str) -> list[DocumentInfo]:
    """Those of this very name, else those whose names hold it. Raises UsageError where there are none."""
    folded = fold_case(wanted)
    found = [one for one in documents if folded in _names_of(one)]
    found = found or [one for one in documents if any(folded in name for name in _names_of(one))]
    if not found:
        raise UsageError(
            f"No document of {library} is called {wanted}.",
            help=f"`sheaf documents {library}` lists them.",
            code="no-document",
        )
    return found


def _names_of(one: DocumentInfo) -> set[str]:
    files = [place.file for place in one.places]
    names = (one.title, *one.parts, *files, *(file.rsplit("/", 1)[-1] for file in files))
    return {fold_case(name) for name in names if name}
