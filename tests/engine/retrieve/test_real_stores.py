"""The retriever over the real stores: part-number queries of checks.md, and what no query text can do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.results import Route
from tests.engine.retrieve.real_shelf import RealShelf

SHEETS = {
    "lm317.txt": "# LM317 regulator\n\nLM317 adjustable regulator, output 1.25 V to 37 V.",
    "lm317-n.txt": "# LM317-N regulator\n\nLM317-N adjustable regulator, dropout at -40 \u00b0C is 2.5 V.",
    "lm317l.txt": "# LM317L-N regulator\n\nLM317L-N small regulator of 100 mA.",
    "max232.txt": "# MAX232A/SO driver\n\nMAX232A/SO driver in a small outline, supply \u00b15 V, ripple 0.1 %.",
    "safety.txt": "# Safety\n\nMedical equipment follows IEC 60601-1-2 for disturbances.",
    "quality.txt": "# Quality\n\nQualified after AEC-Q100, resistors of size 0402.",
    "logic.txt": "# Gates\n\nA NOT gate inverts; a TO clause and an AND gate do not. Pages [a TO b].",
}


class Shelf(RealShelf):
    def __init__(self, root: Path) -> None:
        super().__init__(root, SHEETS)
        self.index()

    def files(self, query: str, route: Route = Route.HYBRID) -> list[str]:
        return [hit.places[0].file for hit in self.retriever.search(query, 10, route).hits]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    made = Shelf(tmp_path_factory.mktemp("shelf"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("LM317", "lm317.txt"),
        ("LM317-N", "lm317-n.txt"),
        ("lm317n", "lm317-n.txt"),
        ("LM317 -N", "lm317-n.txt"),
        ("LM317L-N", "lm317l.txt"),
        ("max232a/so", "max232.txt"),
        ("IEC 60601-1-2", "safety.txt"),
        ("AEC-Q100", "quality.txt"),
        ("0402", "quality.txt"),
        ("-40 \u00b0C", "lm317-n.txt"),
        ("\u00b15 V", "max232.txt"),
        ("0.1 %", "max232.txt"),
    ],
)
def test_exact_matches_come_first(shelf: Shelf, query: str, file: str) -> None:
    for route in (Route.HYBRID, Route.KEYWORD):
        assert shelf.files(query, route)[0] == file


@pytest.mark.parametrize("query", ["NOT", "[a TO", "^2", "regulator AND NOT", "title:LM317", "regul*", '"LM317', "()"])
def test_query_syntax_is_only_text(shelf: Shelf, query: str) -> None:
    assert shelf.files(query)


def test_not_is_a_gate_and_excludes_nothing(shelf: Shelf) -> None:
    assert shelf.files("NOT gate", Route.KEYWORD)[0] == "logic.txt"
    assert "lm317.txt" in shelf.files("regulator NOT LM317", Route.KEYWORD)


@settings(max_examples=120)
@given(st.text(max_size=60), st.sampled_from(list(Route)))
def test_no_text_can_raise(shelf: Shelf, text: str, route: Route) -> None:
    result = shelf.retriever.search(text, 5, route)
    assert len(result.hits) <= 5
    assert result.query == text


@settings(max_examples=60)
@given(st.text('()[]{}"^~*?:\\+-!&|/ ', max_size=12))
def test_punctuation_around_a_word_never_hides_it(shelf: Shelf, marks: str) -> None:
    assert "logic.txt" in shelf.files(f"{marks} inverts {marks}", Route.KEYWORD)
    assert "logic.txt" in shelf.files(f"{marks} inverts {marks}")
