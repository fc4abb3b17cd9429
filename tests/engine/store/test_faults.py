"""Disk full and permission denied at every place where something is written: told in words, nothing lost."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lancedb.table
import pytest
import whoosh.filedb.filestore
import whoosh.writing

from engine.core.errors import KnownError
from engine.core.lock import FileLock
from engine.store.database import Connections, in_plain_words
from engine.store.upkeep import Upkeep
from tests.engine.ingest_fakes import HashEmbedder
from tests.engine.library_case import LibraryCase

Break = Callable[[pytest.MonkeyPatch, Exception], None]


def _raising(error: Exception) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> Any:
        raise error

    return refuse


def lance_add(patch: pytest.MonkeyPatch, error: Exception) -> None:
    patch.setattr(lancedb.table.LanceTable, "add", _raising(RuntimeError(f"lance error: LanceError(IO): {error}")))


def lance_delete(patch: pytest.MonkeyPatch, error: Exception) -> None:
    patch.setattr(lancedb.table.LanceTable, "delete", _raising(RuntimeError(f"lance error: {error}")))


def whoosh_add(patch: pytest.MonkeyPatch, error: Exception) -> None:
    patch.setattr(whoosh.writing.SegmentWriter, "add_document", _raising(error))


def whoosh_commit(patch: pytest.MonkeyPatch, error: Exception) -> None:
    patch.setattr(whoosh.writing.SegmentWriter, "_commit_toc", _raising(error))


def whoosh_file(patch: pytest.MonkeyPatch, error: Exception) -> None:
    patch.setattr(whoosh.filedb.filestore.FileStorage, "create_file", _raising(error))


def lock_file(patch: pytest.MonkeyPatch, error: Exception) -> None:
    patch.setattr(FileLock, "try_acquire", _raising(error))


SITES: list[Break] = [lance_add, lance_delete, whoosh_add, whoosh_commit, whoosh_file, lock_file]
FULL = OSError(errno.ENOSPC, "No space left on device")
DENIED = PermissionError(errno.EACCES, "Permission denied")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.keyword.index._PATIENCE", 0.0)


@pytest.fixture
def case(tmp_path: Path) -> Iterator[LibraryCase]:
    with LibraryCase(tmp_path) as one:
        one.write("a.txt", "# Alpha\n\nThe capacitor of alpha.")
        one.write("b.txt", "# Beta\n\nThe resistor of beta.")
        one.index()
        one.write("a.txt", "# Alpha\n\nThe inductor of alpha.")
        one.write("c.txt", "# Gamma\n\nThe diode of gamma.")
        (one.docs / "b.txt").unlink()
        yield one


def same_as_fresh(case: LibraryCase, tmp_path: Path) -> None:
    case.index()
    with LibraryCase(tmp_path / "fresh", folders=(case.docs,)) as fresh:
        fresh.index()
        assert case.state() == fresh.state()


@pytest.mark.parametrize("error", [FULL, DENIED], ids=["full", "denied"])
@pytest.mark.parametrize("site", SITES)
def test_a_write_that_fails_is_told_and_leaves_a_library_that_answers(
    case: LibraryCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Break, error: OSError
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        site(patch, error)
        if site is lance_delete:
            patch.setattr("engine.store.upkeep._FIRST_PAUSE", 0.0)
            case.index()  # only sweeping is put off
        else:
            with pytest.raises(KnownError) as caught:
                case.index()
            assert caught.value.code == ("disk-full" if error is FULL else "read-only")
            assert caught.value.help
            assert case.words("diode") == []
        assert case.words("alpha") == ["a.txt"]
        assert case.dense("alpha")[0] == "a.txt"
    monkeypatch.setattr("engine.store.upkeep._FIRST_PAUSE", 0.0)
    same_as_fresh(case, tmp_path)


@pytest.mark.parametrize("pages", [0, 1, 2, 4])
def test_a_full_disk_under_the_catalogue(case: LibraryCase, tmp_path: Path, pages: int) -> None:
    """SQLite itself reports the disk full, at whatever statement needs the page that is not there."""
    with pytest.MonkeyPatch.context() as patch:
        connection = case.catalog.connections.get().conn
        used = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {used + pages}")
        case.write("big.txt", "# Big\n\n" + "Many words of a capacitor. " * 20_000)
        with pytest.raises(KnownError) as caught:
            case.index()
        assert caught.value.code == "disk-full"
        assert case.words("alpha") == ["a.txt"]
        patch.undo()
        connection.execute("PRAGMA max_page_count = 1000000")
    same_as_fresh(case, tmp_path)


@pytest.mark.parametrize(
    ("name", "free", "code"),
    [
        ("SQLITE_IOERR_SHMSIZE", 10**9, "disk-full"),
        ("SQLITE_IOERR_WRITE", 4096, "disk-full"),
        ("SQLITE_IOERR_READ", 10**9, "storage"),
    ],
)
def test_an_input_output_error_of_a_full_disk_is_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, free: int, code: str
) -> None:
    """Without room for the log's shared memory SQLite says "disk I/O error" already when it is opened."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = name
    monkeypatch.setattr("engine.core.storage.shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    told = in_plain_words(error, tmp_path / "library.db")
    assert (told.code, bool(told.help)) == (code, True)


def test_embedding_cache_that_cannot_be_written_is_told(case: LibraryCase, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case.embedder, "_write", _raising(KnownError("full", code="disk-full")))
        with pytest.raises(KnownError):
            case.index()
    same_as_fresh(case, tmp_path)


def test_damaged_embedding_cache_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "embeddings.db").write_bytes(b"this is not a database" * 100)
    with LibraryCase(tmp_path) as case:
        case.write("a.txt", "# Alpha\n\nThe capacitor of alpha.")
        assert case.index().documents == 1


def test_upkeep_that_keeps_failing_is_raised_after_repetition(case: LibraryCase, tmp_path: Path) -> None:
    now = [1e9]
    with pytest.MonkeyPatch.context() as patch:
        lance_delete(patch, FULL)
        patch.setattr("engine.store.upkeep.time.time", lambda: now[0])
        patch.setattr("engine.store.upkeep.Upkeep.__init__.__defaults__", (lambda: now[0],))
        said = []
        for _ in range(4):
            said.append(case.index().warnings)
            now[0] += 7200
    assert said[0] == ()
    assert "has failed 3 times" in said[2][0]
    assert "full" in said[2][0]
    assert case.index().warnings == ()


def test_upkeep_is_not_put_off_by_a_clock_that_was_set_back(case: LibraryCase) -> None:
    now, done = [2e9], list[float]()
    upkeep = Upkeep(case.catalog, now=lambda: now[0])
    upkeep.run("sweeping", _raising(KnownError("full", code="disk-full")))
    assert not upkeep.run("sweeping", lambda: done.append(1)), "a moment later it waits"
    now[0] = 1e9
    assert upkeep.run("sweeping", lambda: done.append(2))
    assert done == [2]


def test_read_only_catalogue_refuses_writes_and_serves_reads(case: LibraryCase) -> None:
    from engine.store.catalog import Catalog

    reader = Catalog(case.catalog.path, read_only=True)
    assert len(reader.documents()) == 2
    with pytest.raises(KnownError), reader.connections.transaction() as database:
        database.execute("DELETE FROM documents")
    reader.close()


def test_missing_catalogue_is_told_to_a_reader(tmp_path: Path) -> None:
    from engine.store.catalog import Catalog

    with pytest.raises(KnownError) as caught:
        Catalog(tmp_path / "none.db", read_only=True)
    assert caught.value.code == "no-index"


def test_file_held_for_some_seconds_by_another_program_is_waited_for(
    case: LibraryCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.keyword.index._PATIENCE", 20.0)
    real = whoosh.writing.SegmentWriter._commit_toc
    tries = []

    def held(writer: Any, segments: Any) -> None:
        tries.append(1)
        if len(tries) < 4:
            raise DENIED
        real(writer, segments)

    monkeypatch.setattr(whoosh.writing.SegmentWriter, "_commit_toc", held)
    case.index()
    assert case.words("diode") == ["c.txt"]


def test_embedder_is_asked_again_only_for_what_was_lost(case: LibraryCase) -> None:
    base = case.base
    assert isinstance(base, HashEmbedder)
    with pytest.MonkeyPatch.context() as patch:
        whoosh_commit(patch, FULL)
        with pytest.raises(KnownError):
            case.index()
    embedded = base.embedded
    case.index()
    assert base.embedded == embedded


def test_connections_of_all_threads_are_closed(tmp_path: Path) -> None:
    connections = Connections(tmp_path / "x.db")
    database = connections.get()
    connections.close()
    with pytest.raises(sqlite3.ProgrammingError):
        database.execute("SELECT 1")
    assert connections.get().execute("SELECT 1").fetchone() == (1,)
    connections.close()
