"""The abstract tree through the facade, on real stores and a real embedder: a route, and forgetful of what is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.api import Engine
from engine.core.model import AbstractState
from engine.core.results import Route

_ORDINARY = (
    "# Amplifier note {n}\n\nThe audio amplifier number {n} draws {n} mA from a supply of {n} V.\n\n"
    "## Layout\n\nKeep the feedback resistor of amplifier {n} close to its input.\n"
)
_ODD = (
    "# Zanzibar ZX9000\n\nThe Zanzibar ZX9000 quantum converter runs at 77 kHz.\n\n"
    "## Zanzibar cooling\n\nThe ZX9000 converter is cooled by helium.\n"
)


@pytest.fixture
def shelf(engine: Engine, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "notes"
    folder.mkdir()
    for n in range(1, 25):
        (folder / f"note{n}.md").write_text(_ORDINARY.format(n=n), encoding="utf-8")
    (folder / "odd.md").write_text(_ODD, encoding="utf-8")
    engine.add_library("notes", [folder])
    engine.index("notes")
    yield folder
    engine.remove_library("notes")


def _said(engine: Engine) -> str:
    return "\n".join(node.abstract for node in engine.tree("notes")).casefold()


def test_the_tree_is_a_route(engine: Engine, shelf: Path) -> None:
    hits = engine.search("notes", "helium cooling of a quantum converter", k=3, route=Route.TREE).hits
    assert hits[0].places[0].file == "odd.md"
    assert [route.route for route in hits[0].routes] == ["tree"]


def test_what_is_deleted_is_in_no_abstract_from_that_moment(engine: Engine, shelf: Path) -> None:
    assert "zanzibar" in _said(engine)
    assert "zanzibar" in engine.tree_picture("notes", outline=True).casefold()
    before = {node.id for node in engine.tree("notes")}
    (shelf / "odd.md").unlink()
    with pytest.MonkeyPatch.context() as crash:
        crash.setattr("engine.grow.Grower.grow", lambda _self, _cancel: False)
        engine.index("notes")
    lagging = engine.tree("notes")
    assert {node.id for node in lagging} == before, "the tree was to lag behind"
    root = next(node for node in lagging if not node.parent)
    assert root.state is AbstractState.STALE
    assert "zanzibar" not in _said(engine)
    assert "zanzibar" not in engine.tree_picture("notes", outline=True).casefold()
    found = engine.search("notes", "Zanzibar ZX9000", k=20, route=Route.TREE).hits
    assert all("ZX9000" not in hit.segment.text for hit in found)
    engine.index("notes")
    assert all(node.state is AbstractState.STATISTICAL for node in engine.tree("notes"))
    assert "zanzibar" not in _said(engine)
    assert "zx9000" not in _said(engine)
