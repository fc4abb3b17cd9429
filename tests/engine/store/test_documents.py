"""The list of documents: read once for each state of the catalogue, whoever changes it."""

from __future__ import annotations

from pathlib import Path

from engine.core.ids import DocumentId
from engine.store.catalog import Catalog
from engine.store.places import PlaceRow, Places, ScanOutcome

ONE = DocumentId("1" * 64)


def found_at(file: str) -> ScanOutcome:
    return ScanOutcome((PlaceRow("shelf", file, file, ONE, 1, 1, 1),), (), {}, {})


def test_the_same_objects_until_the_state_changes(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with Catalog(path) as writer, Catalog(path, read_only=True) as reader:
        places = Places(writer)
        places.apply(found_at("a.pdf"))
        (before,) = reader.documents()
        assert reader.documents()[0] is before
        reader.documents().clear()
        assert reader.documents() == [before]
        places.apply(found_at("b.pdf"))
        for catalog in (reader, writer):
            (after,) = catalog.documents()
            assert {place.file for place in after.places} == {"a.pdf", "b.pdf"}
