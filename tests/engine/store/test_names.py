"""The gazetteer on disk behaves like the one in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import NameEntry, NameKind
from engine.links.gazetteer import entries_of
from engine.store.names import NameStore

FIRST, SECOND = DocumentId("a" * 64), DocumentId("b" * 64)


@pytest.fixture
def store(tmp_path: Path) -> NameStore:
    made = NameStore(tmp_path / "library.db")
    made.put(FIRST, entries_of(FIRST, "LM317 regulator", ["LM317", "LM317-N"]))
    made.put(SECOND, entries_of(SECOND, "LM337 regulator", ["LM337"]))
    return made


def test_what_is_put_is_found(store: NameStore) -> None:
    assert set(store.named([FIRST])) == set(entries_of(FIRST, "LM317 regulator", ["LM317", "LM317-N"]))
    assert [entry.document for entry in store.find({"LM337", "LM317", "nothing"})] == [FIRST, SECOND]
    store.close()


def test_prefixes_find_parts_only(store: NameStore) -> None:
    assert [entry.key for entry in store.starting("LM3", 10)] == ["LM317", "LM317N", "LM337"]
    assert [entry.key for entry in store.starting("LM3", 1)] == ["LM317"]
    assert store.starting("", 10) == []
    assert store.starting("lm", 10) == []
    store.close()


def test_replacing_and_forgetting_leave_nothing_behind(store: NameStore) -> None:
    store.put(FIRST, [NameEntry("x", "X", NameKind.SECTION, FIRST, SegmentId("s"))])
    assert store.named([FIRST]) == [NameEntry("x", "X", NameKind.SECTION, FIRST, SegmentId("s"))]
    store.put(FIRST, [])
    store.put(SECOND, [])
    assert store.count() == 0
    store.close()


def test_more_keys_than_one_statement_takes(store: NameStore) -> None:
    assert len(store.find({f"k{number}" for number in range(5000)} | {"LM317"})) == 1
    store.close()


def test_a_missing_library_is_the_worlds_fault(tmp_path: Path) -> None:
    with pytest.raises(KnownError):
        NameStore(tmp_path / "none" / "library.db", read_only=True).find({"x"})
