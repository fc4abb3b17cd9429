"""Names of places are analysed once for all programs; a spoiled cache costs nothing but time."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.ids import DocumentId
from engine.keyword import names as module
from engine.keyword.index import KeywordStore
from engine.keyword.names import NamesIndex
from tests.engine.keyword.indexed import Indexed, document_of

_ONE, _TWO = DocumentId("a" * 64), DocumentId("b" * 64)
_NAMES = {_ONE: "amps / LM317-N datasheet.pdf", _TWO: "amps / notes.md"}


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were analysed, as they come."""
    seen: list[str] = []
    real = module.name_terms

    def watched(name: str) -> set[str]:
        seen.append(name)
        return real(name)

    monkeypatch.setattr(module, "name_terms", watched)
    return seen


def _opened(folder: Path, version: str = "1") -> NamesIndex:
    return NamesIndex(folder, version)


def _named(index: NamesIndex, term: str) -> set[DocumentId]:
    numbered = index.numbered()
    return {numbered[number] for number in index.numbers(term).tolist()}


def test_a_second_program_analyses_nothing(tmp_path: Path, analysed: list[str]) -> None:
    for _ in range(2):
        index = _opened(tmp_path)
        index.update(_NAMES, 1)
        assert _named(index, "lm317n") == {_ONE}
        assert _named(index, "amp") == {_ONE, _TWO}
        index.close()
    assert analysed == list(_NAMES.values())


def test_only_what_changed_is_analysed_again(tmp_path: Path, analysed: list[str]) -> None:
    index = _opened(tmp_path)
    index.update(_NAMES, 1)
    index.update({_ONE: _NAMES[_ONE], _TWO: "amps / LM337.pdf"}, 2)
    assert analysed[2:] == ["amps / LM337.pdf"]
    assert _named(index, "note") == set()
    index.update({_TWO: "amps / LM337.pdf"}, 3)
    assert _named(index, "lm317n") == set()
    assert _named(index, "lm337") == {_TWO}
    index.close()


def test_another_analysis_begins_anew(tmp_path: Path, analysed: list[str]) -> None:
    for version in ("1", "2"):
        index = _opened(tmp_path, version)
        index.update(_NAMES, 1)
        index.close()
    assert analysed == list(_NAMES.values()) * 2


@pytest.mark.parametrize("spoiled", [b"", b"not a database at all, but long enough to look at" * 40])
def test_a_spoiled_cache_is_made_again(tmp_path: Path, spoiled: bytes) -> None:
    (tmp_path / "names.db").write_bytes(spoiled)
    index = _opened(tmp_path)
    index.update(_NAMES, 1)
    assert _named(index, "lm317n") == {_ONE}
    index.close()
    again = _opened(tmp_path)
    again.update(_NAMES, 1)
    assert _named(again, "lm317n") == {_ONE}
    again.close()


def test_where_nothing_can_be_written_it_is_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "names.db").mkdir()
    for folder in (tmp_path, tmp_path / "absent"):
        index = _opened(folder)
        index.update(_NAMES, 1)
        assert _named(index, "lm317n") == {_ONE}
        index.close()


def test_what_was_prepared_costs_the_next_program_nothing(tmp_path: Path, analysed: list[str]) -> None:
    with Indexed(tmp_path, {"a": "a regulator"}) as index:
        index.shown.names[document_of("a")] = "amps / LM317-N datasheet.pdf"
        index.store.prepare()
        assert analysed == ["amps / LM317-N datasheet.pdf"]
        again = KeywordStore(tmp_path, index.shown)
        assert [index.labels[hit.segment] for hit in again.search("lm317n", 3)] == ["a"]
        again.close()
    assert len(analysed) == 1
