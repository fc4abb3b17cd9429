"""What killed writes, killed clean-ups and killed removals leave in LanceDB's folders is gone after the next run."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import BugError, Cancelled
from engine.store.strays import sweep_strays
from engine.store.vectors import table_name
from tests.engine.ingest_fakes import HashEmbedder
from tests.torture.killed import compare, embedder
from tests.torture.sheets import SheetChanges
from tests.torture.whole import WholeLibrary

SERVING, BEGUN, TREE = "serving", "begun for another model", "tree"
STRAYS = (
    "data/stray.lance",
    "data/.tmpAb12Cd",
    "data/010101.lance#1",
    "_deletions/7-3-1234567.arrow",
    "_transactions/5-8e2065bb-4cde-4c94-9bcc-f92d5c3790ad.txn",
    "_indices/014b2e6c-a78f-473d-8bd7-b68112600ac8/index.idx",
    "_versions/.tmpXy",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A library whose vectors and tree have several versions and deletions, with something new in its folder."""
    changes = SheetChanges(tmp_path / "docs", 5)
    for _ in range(3):
        changes.make(8)
        with WholeLibrary(tmp_path) as case:
            case.index()
    changes.make(8)
    changes.add()
    return tmp_path


def interrupted(root: Path, which: str) -> Path:
    """The folder of a table after a run that was interrupted while it wrote there."""
    if which == TREE:
        with WholeLibrary(root) as case:
            case.nodes._note_writing("INSERT OR IGNORE INTO tree_writing VALUES (1)")
        return root / "home" / "tree" / "nodes.lance"
    if which == BEGUN:
        cancel = CancelToken()
        with WholeLibrary(root, embedder=Interrupted(cancel)) as case, pytest.raises(Cancelled):
            case.index(cancel)
    key = "fake:2" if which == BEGUN else "fake:1"
    return root / "home" / "vectors" / f"{table_name(key)}.lance"


class Interrupted(HashEmbedder):
    """Another model's embedder, in use of which the user loses patience."""

    def __init__(self, cancel: CancelToken) -> None:
        super().__init__("fake:2", 48)
        self._cancel = cancel

    def embed_passages(self, texts: Iterable[str], cancel: CancelToken | None = None) -> object:  # type: ignore[override]
        matrix = super().embed_passages(list(texts), cancel)
        if self.embedded > 20:
            self._cancel.cancel()
        return matrix


@pytest.mark.parametrize("which", [SERVING, BEGUN, TREE])
def test_files_that_no_version_names_are_removed(root: Path, which: str) -> None:
    table = interrupted(root, which)
    assert table.is_dir()
    strays = [table / name for name in STRAYS]
    for stray in strays:
        stray.parent.mkdir(parents=True, exist_ok=True)
        stray.write_bytes(b"half of a file")
    compare(root, "2" if which == BEGUN else "1")
    assert [stray.name for stray in strays if stray.exists()] == []


@pytest.mark.parametrize("which", [SERVING, TREE])
def test_a_clean_up_that_was_killed_between_versions_and_their_files_is_finished(root: Path, which: str) -> None:
    table = interrupted(root, which)
    versions = sorted((table / "_versions").glob("*.manifest"))  # the newest first
    assert len(versions) > 3
    for manifest in versions[1:]:
        manifest.unlink()
    before = {path for path in table.rglob("*") if path.is_file()}
    compare(root, "1")
    assert len([path for path in before if not path.exists()]) >= len(versions) - 1


@pytest.mark.parametrize("which", [SERVING, BEGUN, TREE])
def test_a_table_whose_creation_or_removal_was_killed_is_written_again(root: Path, which: str) -> None:
    table = interrupted(root, which)
    shutil.rmtree(table / "_versions")
    assert list((table / "data").iterdir())
    compare(root, "2" if which == BEGUN else "1")


def test_a_removal_of_the_tree_that_was_killed_is_finished(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with WholeLibrary(root) as case, monkeypatch.context() as patch:
        patch.setattr(
            "engine.store.nodes.remove_table", lambda _: shutil.rmtree(root / "home/tree/nodes.lance/_versions")
        )
        case.nodes.drop()
    compare(root, "1")


def test_a_tree_whose_table_is_gone_is_grown_again(root: Path) -> None:
    shutil.rmtree(root / "home" / "tree" / "nodes.lance")
    compare(root, "1")


@pytest.mark.parametrize("store", ["vectors", "keyword", "tree"])
def test_a_file_in_place_of_a_store_is_set_aside(root: Path, store: str) -> None:
    folder = root / "home" / store
    shutil.rmtree(folder)
    folder.write_text("not a folder")
    with WholeLibrary(root) as case:
        case.index()
        assert case.words("amplifier")
    [aside] = folder.parent.glob(f"{store}.damaged-*")
    assert aside.read_text() == "not a folder"
    aside.unlink()
    compare(root, "1")


def test_nothing_is_removed_where_the_versions_cannot_be_understood(root: Path) -> None:
    table = root / "home" / "vectors" / f"{table_name('fake:1')}.lance"
    before = {path for path in table.rglob("*") if path.is_file()}
    for manifest in (table / "_versions").glob("*.manifest"):
        manifest.write_bytes(b"another way of writing them")
    with pytest.raises(BugError, match="name only 0 data files"):
        sweep_strays(table, 1)
    assert {path for path in table.rglob("*") if path.is_file()} == before


def test_after_a_compaction_that_failed_the_next_run_looks_for_strays(root: Path) -> None:
    table = root / "home" / "vectors" / f"{table_name('fake:1')}.lance"
    stray = table / "data" / "stray.lance"
    with WholeLibrary(root) as case, pytest.MonkeyPatch.context() as patch:

        def fail(*_: object, **__: object) -> None:
            stray.write_bytes(b"half of a merged fragment")
            raise RuntimeError("lance error: LanceError(IO): broken pipe")

        patch.setattr("lancedb.table.LanceTable.optimize", fail)
        patch.setattr("engine.store.fragments.COMPACT_FRAGMENTS", 1)
        case.ingest.run()
    assert stray.exists()
    with WholeLibrary(root, embedder=embedder("1")) as case:
        case.ingest.run()
    assert not stray.exists()
