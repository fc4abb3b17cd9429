"""Stores that are lost, damaged, half-written or of another format: the next run mends them from the catalogue."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.store import schema
from engine.store.catalog import Catalog
from engine.store.database import set_meta
from engine.store.health import open_catalog
from engine.store.ledger import Ledger, library_database, page_ranges
from engine.store.migrate import version_of
from tests.engine.library_case import LibraryCase


def lose_vectors(case: LibraryCase) -> None:
    shutil.rmtree(case.home / "vectors")


def lose_keyword(case: LibraryCase) -> None:
    shutil.rmtree(case.home / "keyword")


def damage_vectors(case: LibraryCase) -> None:
    for path in (case.home / "vectors").rglob("*.manifest"):
        path.write_bytes(b"nonsense")


def damage_keyword(case: LibraryCase) -> None:
    for path in (case.home / "keyword").glob("*.toc"):
        path.write_bytes(b"nonsense")


def lose_a_keyword_segment(case: LibraryCase) -> None:
    next((case.home / "keyword").glob("*.seg")).unlink()


def row_too_many(case: LibraryCase) -> None:
    segments = list(case.catalog.all_segments())[:1]
    matrix = case.embedder.embed_passages([segments[0].embed_text])
    case.vectors.write(case.catalog.meta("vectors"), segments, matrix, {segments[0].document: 999})
    case.keyword.write(segments, {segments[0].document: 999})


def row_doubled(case: LibraryCase) -> None:
    segments = list(case.catalog.all_segments())[:1]
    matrix = case.embedder.embed_passages([segments[0].embed_text])
    generations = dict(case.catalog.visible().generations)
    table = case.catalog.meta("vectors")
    version = case.vectors.write(table, segments, matrix, generations)
    Ledger(case.catalog).note_vectors(table, version)
    case.keyword.write(segments, generations)


def other_analysis(case: LibraryCase) -> None:
    Ledger(case.catalog).set_meta("keyword_version", "0")
    Ledger(case.catalog).set_meta("settled", "")


@pytest.mark.parametrize(
    "harm",
    [
        lose_vectors,
        lose_keyword,
        damage_vectors,
        damage_keyword,
        lose_a_keyword_segment,
        row_too_many,
        row_doubled,
        other_analysis,
    ],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a damaged list open
def test_the_next_run_mends_what_was_harmed(tmp_path: Path, harm: Callable[[LibraryCase], None]) -> None:
    with LibraryCase(tmp_path) as case:
        for n in range(5):
            case.write(f"{n}.txt", f"# Part {n}\n\nThe capacitor number {n}.\n---\nAnd its second page.")
        case.index()
        before, embedded = case.state(), case.base.embedded
        harm(case)
    with LibraryCase(tmp_path) as case:
        case.index()
        assert case.state() == before
        assert case.parser.parsed == []
        assert case.base.embedded == 0 < embedded
        assert sorted(case.words("capacitor")) == [f"{n}.txt" for n in range(5)]
        case.index()
        assert case.index().warnings == ()


def test_damaged_catalogue_is_set_aside_and_built_again(tmp_path: Path) -> None:
    with LibraryCase(tmp_path) as case:
        case.write("a.txt", "# Alpha\n\nThe capacitor.")
        case.index()
        home = case.home
    for name in ("library.db-wal", "library.db-shm"):
        (home / name).unlink(missing_ok=True)
    library_database(home).write_bytes(b"not a database at all" * 500)
    with pytest.raises(KnownError):
        Catalog(library_database(home))
    open_catalog(library_database(home)).close()
    assert list(home.glob("library.db.damaged-*"))
    with LibraryCase(tmp_path) as case:
        assert case.index().documents == 1
        assert case.words("capacitor") == ["a.txt"]


def test_newer_format_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    with LibraryCase(tmp_path) as case:
        path = case.catalog.path
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {(schema.MAJOR + 1) * 1000}")
    connection.close()
    with pytest.raises(KnownError, match="newer Sheaf"):
        open_catalog(path)
    assert path.is_file()


def test_format_1_0_is_migrated_in_place(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    connection = sqlite3.connect(path)
    tables = schema.TABLES.replace("    former TEXT NOT NULL DEFAULT '',\n", "")
    tables = tables.replace(", device INTEGER NOT NULL DEFAULT 0", "").replace(
        "CREATE INDEX IF NOT EXISTS places_former ON places (former) WHERE former != '';", ""
    )
    connection.executescript(tables)
    connection.execute("INSERT INTO documents (id, title) VALUES ('d', 'Kept')")
    connection.execute("INSERT INTO places VALUES ('/f', 'a.pdf', 'a.pdf', 'd', 1, 2, 3)")
    connection.execute("INSERT INTO roots VALUES ('/f', 'present', '')")
    connection.execute("PRAGMA user_version = 1000")
    connection.commit()
    connection.close()
    with Catalog(path) as catalog:
        assert [(one.title, one.places[0].file) for one in catalog.documents()] == [("Kept", "a.pdf")]
        assert version_of(catalog.connections.get().conn) == (schema.MAJOR, schema.MINOR)


def test_the_log_of_a_large_write_is_cut_back(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with Catalog(path) as catalog:
        for size in (20_000_000, 10, 10):
            with catalog.connections.transaction() as database:
                set_meta(database, "large", "x" * size)
        assert path.with_name("library.db-wal").stat().st_size <= 4 << 20


def test_page_ranges() -> None:
    assert page_ranges([5, 3, 4, 9]) == "3–5, 9"
    assert page_ranges([]) == ""
