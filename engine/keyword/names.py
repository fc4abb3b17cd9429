"""Names of files and folders as a field of the document: kept in memory from the catalogue, so renames cost nothing."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import DocumentId
from engine.keyword.analysis import terms

_SUFFIXES = frozenset(("pdf", "md", "txt", "html", "htm", "docx", "pptx", "xlsx", "epub", "markdown"))


class NamesIndex:
    """Term -> documents whose places are named so."""

    def __init__(self) -> None:
        self._names: dict[DocumentId, str] = {}
        self._documents: dict[str, set[DocumentId]] = {}

    def update(self, names: Mapping[DocumentId, str]) -> None:
        """Follow the catalogue; only what changed is analysed again."""
        for document in [known for known in self._names if known not in names]:
            self._drop(document)
        for document, name in names.items():
            if self._names.get(document) != name:
                self._drop(document)
                self._names[document] = name
                for term in _name_terms(name):
                    self._documents.setdefault(term, set()).add(document)

    def documents(self, term: str) -> set[DocumentId]:
        return self._documents.get(term, set())

    def _drop(self, document: DocumentId) -> None:
        name = self._names.pop(document, None)
        for term in _name_terms(name) if name is not None else ():
            held = self._documents.get(term)
            if held is not None:
                held.discard(document)
                if not held:
                    del self._documents[term]


def _name_terms(name: str) -> set[str]:
    spaced = name.replace("/", " ").replace("_", " ").replace(".", " ")
    return {term for term in terms(f"{name} {spaced}") if term not in _SUFFIXES}
