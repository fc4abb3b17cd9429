"""Which one document a name means: its own sheet before a sheet of its family or a note that uses it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.agent.parts import names_same
from engine.agent.targets import Targets
from engine.core.results import DocumentInfo
from engine.core.text import identifiers


def home_of(name: str, targets: Targets, documents: Sequence[DocumentInfo]) -> DocumentInfo | None:
    """The document that is about a part first of all; None where no document is about it."""
    ranks = {document: n for n, document in enumerate(targets.named.get(name, ()))}
    about = [info for info in documents if info.id in ranks]
    return max(about, key=lambda info: (*_own(name, info), -ranks[info.id]), default=None)


def homes_of(targets: Targets, documents: Sequence[DocumentInfo]) -> list[tuple[str, DocumentInfo]]:
    """The named parts, in the question's order, that a document is about, each with its own."""
    return [(name, home) for name in targets.named if (home := home_of(name, targets, documents)) is not None]


def _own(name: str, info: DocumentInfo) -> tuple[float, int, int]:
    """How far a document is the part's own: the part leads its list, few others beside it, as a long document."""
    leads = names_same(name, info.parts[0]) if info.parts else 0.0
    listed = max((names_same(name, part) for part in info.parts), default=0.0)
    noted = any(names_same(name, part) < 0.8 and not _kin(name, part) for part in info.parts)
    titled = any(names_same(name, one) >= 0.8 for one in identifiers(info.title))
    return (listed + 0.5 * leads + 0.4 * titled - (0.6 if noted else 0.0), -len(info.parts), info.pages)


def _kin(name: str, part: str) -> bool:
    """Parts of one family begin alike: "LM324" and "LM124", "BC547" and "BC548"."""
    return name[:2].casefold() == part[:2].casefold()
