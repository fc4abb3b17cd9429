"""Faults of the disk under every store at once, the abstract tree and the records among them."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb.table
import pytest

from engine.core.errors import KnownError
from engine.store.names import NameStore
from engine.store.nodes import NodeStore
from engine.store.records import RecordStore
from engine.store.revisions import RevisionStore
from engine.store.vectors import table_name
from tests.torture.killed import compare, embedder
from tests.torture.sheets import SheetChanges
from tests.torture.whole import WholeLibrary

FULL = OSError(errno.ENOSPC, "No space left on device")
DENIED = PermissionError(errno.EACCES, "Permission denied")
Break = Callable[[pytest.MonkeyPatch, OSError], None]


def in_tree(method: str) -> Break:
    """LanceDB refuses a call on the tree's table alone."""

    def apply(patch: pytest.MonkeyPatch, error: OSError) -> None:
        real = getattr(lancedb.table.LanceTable, method)

        def refuse(table: Any, *args: Any, **kwargs: Any) -> Any:
            if table.name == "nodes":
                raise RuntimeError(f"lance error: LanceError(IO): {error}")
            return real(table, *args, **kwargs)

        patch.setattr(lancedb.table.LanceTable, method, refuse)

    return apply


def in_catalogue(store: type) -> Break:
    """SQLite refuses what one store writes in the transaction that makes documents visible."""

    def apply(patch: pytest.MonkeyPatch, error: OSError) -> None:
        full = "database or disk is full" if error is FULL else "attempt to write a readonly database"

        def refuse(*_: object) -> None:
            raise sqlite3.OperationalError(full)

        patch.setattr(store, "replace", refuse)

    return apply


def noting_the_tree(patch: pytest.MonkeyPatch, error: OSError) -> None:
    def refuse(*_: object) -> None:
        raise KnownError("refused", help="-", code="disk-full" if error is FULL else "read-only")

    patch.setattr(NodeStore, "_note_writing", refuse)


SITES = {
    "tree add": in_tree("add"),
    "tree delete": in_tree("delete"),
    "tree noted": noting_the_tree,
    "names": in_catalogue(NameStore),
    "records": in_catalogue(RecordStore),
    "revisions": in_catalogue(RevisionStore),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    changes = SheetChanges(tmp_path / "docs", 5)
    changes.make(12)
    with WholeLibrary(tmp_path) as case:
        case.index()
    changes.make(8)
    changes.add()
    return tmp_path


@pytest.mark.parametrize("error", [FULL, DENIED], ids=["full", "denied"])
@pytest.mark.parametrize("site", SITES)
def test_a_write_that_fails_is_told_and_leaves_a_library_that_answers(root: Path, site: str, error: OSError) -> None:
    with WholeLibrary(root) as case, pytest.MonkeyPatch.context() as patch:
        SITES[site](patch, error)
        with pytest.raises(KnownError) as caught:
            case.index()
        assert caught.value.code == ("disk-full" if error is FULL else "read-only")
        assert caught.value.help
        assert case.words("amplifier", 50)
        assert case.nodes.grove().nodes
    compare(root, "1")


def half_made(table: Path) -> None:
    """A table whose writer was killed while it was made: rows, but no version that names them."""
    for version in (table / "_versions").iterdir():
        version.unlink()


def damaged(table: Path) -> None:
    for version in (table / "_versions").iterdir():
        version.write_bytes(b"nonsense")


@pytest.mark.parametrize("ruin", [half_made, damaged])
def test_a_tree_that_cannot_be_opened_is_grown_again(root: Path, ruin: Callable[[Path], None]) -> None:
    with WholeLibrary(root) as case, pytest.MonkeyPatch.context() as patch:
        in_tree("add")(patch, FULL)
        with pytest.raises(KnownError):
            case.index()
    ruin(root / "home" / "tree" / "nodes.lance")
    compare(root, "1")


@pytest.mark.parametrize("ruin", [half_made, damaged])
def test_the_table_of_a_new_model_that_cannot_be_opened_is_begun_anew(root: Path, ruin: Callable[[Path], None]) -> None:
    new = embedder("2")
    with WholeLibrary(root) as case:
        segments = list(case.catalog.all_segments())[:3]
        vectors = new.embed_passages([one.text for one in segments])
        case.vectors.write(table_name(new.model_key), segments, vectors, dict(case.catalog.visible().generations))
        ruin(case.vectors.path / f"{table_name(new.model_key)}.lance")
    compare(root, "2")


def test_the_table_of_a_model_that_was_given_up_is_dropped(root: Path) -> None:
    with WholeLibrary(root) as case:
        case.index()
        segments = list(case.catalog.all_segments())[:3]
        vectors = case.vectors.vectors([one.id for one in segments])
        case.vectors.write("other_model_0", segments, vectors, dict(case.catalog.visible().generations))
        assert len(case.vectors.tables()) == 2
        case.index()
        assert case.vectors.tables() == [case.catalog.visible().vectors]
