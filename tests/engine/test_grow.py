"""The tree follows the catalogue: equal to a fresh one after any changes, and silent about what is gone."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled
from engine.core.model import AbstractState
from engine.grow import CurrentTree, Grower
from engine.retrieve.tree_search import Descent, TreeSearch
from engine.store.nodes import NodeStore
from tests.engine.library_case import LibraryCase

_TEXT = (
    "# Part {n}\n\nThe {word} amplifier number {n} draws {n} mA from its supply.\n\n"
    "## Limits\n\nUnique{n} limit {n} V.\n"
)


@pytest.fixture
def case(tmp_path: Path):  # type: ignore[no-untyped-def]
    with LibraryCase(tmp_path) as opened:
        yield opened


def _nodes(case: LibraryCase, name: str = "tree") -> NodeStore:
    return NodeStore(case.home / name, case.home / f"{name}.db")


def _write(case: LibraryCase, numbers: range, kind: str = "") -> None:
    for n in numbers:
        case.write(f"part{n}.md", _TEXT.format(n=n, word=kind or ("audio" if n % 2 else "power")))


def _shape(store: NodeStore) -> set[tuple[str, int, str, tuple[str, ...], int]]:
    return {(one.id, one.height, one.parent, one.children, one.leaves) for one in store.grove().nodes}


def test_updated_tree_equals_a_fresh_one(case: LibraryCase) -> None:
    store = _nodes(case)
    grower = Grower(case.catalog, case.vectors, store)
    for change, kind in ((range(0, 30), ""), (range(30, 45), ""), (range(20, 33), "radio")):
        _write(case, change, kind)
        case.index()
        assert grower.grow(CancelToken())
        assert not grower.grow(CancelToken())
    for n in range(5, 12):
        (case.docs / f"part{n}.md").unlink()
    case.index()
    grower.grow(CancelToken())
    fresh = _nodes(case, "fresh")
    Grower(case.catalog, case.vectors, fresh).grow(CancelToken())
    assert _shape(store) == _shape(fresh)
    assert len(store.grove().nodes) == len({one.id for one in store.grove().nodes})
    store.close()
    fresh.close()


def test_what_is_deleted_is_in_no_abstract(case: LibraryCase) -> None:
    _write(case, range(0, 12))
    case.write("odd.md", "# Odd one\n\nThe Zanzibar ZX9000 converter runs at 77 kHz. Zanzibar ZX9000 again.\n")
    case.index()
    store = _nodes(case)
    grower = Grower(case.catalog, case.vectors, store)
    grower.grow(CancelToken())
    assert any("ZX9000" in one.abstract for one in store.grove().nodes)
    (case.docs / "odd.md").unlink()
    case.index()
    shown = CurrentTree(case.catalog, store).grove().nodes
    stale = {node.id for node in shown if node.state is AbstractState.STALE}
    assert {one.id for one in store.grove().nodes if "ZX9000" in one.abstract} <= stale
    assert not any("ZX9000" in one.abstract for one in shown)
    assert any(not one.parent and one.id in stale for one in shown)
    assert any(one.id not in stale and one.abstract for one in shown)
    grower.grow(CancelToken())
    assert all(one.state is AbstractState.STATISTICAL for one in CurrentTree(case.catalog, store).grove().nodes)
    assert not any("ZX9000" in one.abstract for one in store.grove().nodes)
    store.close()


def test_routes_find_the_leaf(case: LibraryCase) -> None:
    _write(case, range(0, 40))
    case.index()
    store = _nodes(case)
    Grower(case.catalog, case.vectors, store).grow(CancelToken())
    query = case.embedder.embed_query("audio amplifier number 7 draws 7 mA")
    flat = case.vectors.search(query, 5)
    some = sorted(case.catalog.visible().generations)[:4]
    for descent in Descent:
        search = TreeSearch(store, case.vectors, case.catalog, descent=descent, beam=4)
        found = search.search(query, 5)
        assert len(found) == 5
        assert all(earlier.score >= later.score for earlier, later in pairwise(found))
        assert found[0].score <= flat[0].score + 1e-5
        within = case.catalog.segments([one.segment for one in search.search(query, 99, some)])
        assert {one.document for one in within} == set(some)
    store.close()


def test_a_crash_before_the_note_changes_nothing(case: LibraryCase, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(case, range(0, 10))
    case.index()
    store = _nodes(case)
    grower = Grower(case.catalog, case.vectors, store)
    grower.grow(CancelToken())
    before = _shape(store)
    store.rewrite(store.grove().nodes[:1], store.grove().vectors[:1])
    store._rewrite(store.grove().nodes[:2], store.grove().vectors[:2], [store.grove().nodes[3].id])
    again = _nodes(case)
    assert _shape(again) == before
    _write(case, range(10, 14))
    case.index()
    Grower(case.catalog, case.vectors, again).grow(CancelToken())
    assert sum(one.leaves for one in again.grove().nodes if not one.parent) == len(case.catalog.segment_ids())
    store.close()
    again.close()


def test_cancel_leaves_the_former_tree(case: LibraryCase) -> None:
    _write(case, range(0, 10))
    case.index()
    store = _nodes(case)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        Grower(case.catalog, case.vectors, store).grow(token)
    assert store.grove().nodes == ()
    assert np.size(store.grove().vectors) == 0
    store.close()


def test_an_emptied_library_has_an_empty_tree(case: LibraryCase) -> None:
    _write(case, range(0, 3))
    case.index()
    store = _nodes(case)
    Grower(case.catalog, case.vectors, store).grow(CancelToken())
    for n in range(3):
        (case.docs / f"part{n}.md").unlink()
    case.index()
    Grower(case.catalog, case.vectors, store).grow(CancelToken())
    assert store.grove().nodes == ()
    assert TreeSearch(store, case.vectors, case.catalog).search(case.embedder.embed_query("x"), 3) == []
    store.close()
