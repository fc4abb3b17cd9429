"""A library as one file: for a backup, another machine, a colleague. Documents themselves are not part of it; what a
user has corrected, the synonyms, and the answers with their threads, are.

The archive is a zip of the catalogue (copied through SQLite, so that a writer may be at work) and the stores that hang
on it. Importing gives the watched folders their paths on this machine; documents are known by their content, so nothing
is parsed or embedded again for files that are the same.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from engine.core.errors import KnownError, UsageError
from engine.core.results import Library
from engine.core.storage import storage_errors
from engine.store import schema
from engine.store.ledger import library_database

_FORMAT = 1
_MANIFEST = "sheaf-library.json"
_ANSWERS = "answers.json"
_LEXICON = "lexicon.json"
_STORES = ("vectors", "keyword", "tree")


def export_library(
    library: Library,
    target: Path,
    answers: Sequence[Mapping[str, str]] = (),
    lexicon: Sequence[Mapping[str, str]] = (),
) -> int:
    """Write a library with its `answers` and its `lexicon` to `target`, whole or not at all. The writer lock must be
    held. Returns its size in bytes."""
    database = library_database(library.home)
    if not database.is_file():
        raise UsageError(
            f"The library {library.name} has not been indexed yet.",
            help=f"Run `sheaf index {library.name}` first.",
            code="not-indexed",
        )
    manifest = {
        "format": _FORMAT,
        "catalogue": [schema.MAJOR, schema.MINOR],
        "name": library.name,
        "folders": [str(folder) for folder in library.folders],
    }
    part = target.with_name(f".{target.name}.part")
    with storage_errors(target.parent, sqlite3.Error), tempfile.TemporaryDirectory(dir=target.parent) as folder:
        copy = Path(folder) / database.name
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as sink:
            source.backup(sink)
        try:
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                archive.writestr(_MANIFEST, json.dumps(manifest, ensure_ascii=False))
                archive.writestr(_ANSWERS, json.dumps(list(answers), ensure_ascii=False))
                archive.writestr(_LEXICON, json.dumps(list(lexicon), ensure_ascii=False))
                archive.write(copy, database.name)
                for path in _files(library.home):
                    archive.write(path, path.relative_to(library.home).as_posix())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return target.stat().st_size


def read_manifest(archive: Path) -> tuple[str, tuple[str, ...]]:
    """(name, watched folders) of an exported library. Raises KnownError for a file that is none, or too new."""
    try:
        with zipfile.ZipFile(archive) as held:
            manifest = json.loads(held.read(_MANIFEST))
            form, major = int(manifest["format"]), int(manifest["catalogue"][0])
            name, folders = str(manifest["name"]), tuple(str(folder) for folder in manifest["folders"])
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, IndexError) as error:
        raise KnownError(
            f"{archive.name} is not an exported library.", help="Choose a file made by an export.", code="not-a-library"
        ) from error
    if form > _FORMAT or major > schema.MAJOR:
        raise KnownError(
            f"{archive.name} was exported by a newer Sheaf.", help="Update Sheaf and import again.", code="newer-format"
        )
    return name, folders


def read_answers(archive: Path) -> list[dict[str, str]]:
    """The answers in an exported library; none in one of an older program. Raises KnownError for a damaged file."""
    return _read_list(archive, _ANSWERS)


def read_lexicon(archive: Path) -> list[dict[str, str]]:
    """The library's own synonyms, likewise."""
    return _read_list(archive, _LEXICON)


def _read_list(archive: Path, name: str) -> list[dict[str, str]]:
    with storage_errors(archive.parent, zipfile.BadZipFile, ValueError), zipfile.ZipFile(archive) as held:
        if name not in held.namelist():
            return []
        found: list[dict[str, str]] = json.loads(held.read(name))
        return found


def import_library(archive: Path, home: Path, folders: Mapping[str, Path]) -> None:
    """Unpack an exported library to the new folder `home`; `folders` gives each watched folder its path here (those not
    named keep theirs). Raises KnownError and leaves nothing behind when it cannot."""
    read_manifest(archive)
    if home.exists() and any(home.iterdir()):
        raise UsageError(f"{home} is not empty.", help="Choose another name for the library.", code="taken")
    try:
        with storage_errors(home, sqlite3.Error, zipfile.BadZipFile):
            home.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(archive) as held:
                for name in held.namelist():
                    _refuse_outside(name)
                    if name not in (_MANIFEST, _ANSWERS, _LEXICON):
                        held.extract(name, home)
            _move_folders(library_database(home), folders)
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        raise


def _files(home: Path) -> list[Path]:
    return sorted(path for store in _STORES for path in (home / store).rglob("*") if path.is_file())


def _refuse_outside(name: str) -> None:
    if name.startswith(("/", "\\")) or ".." in Path(name).parts or ":" in name:
        raise KnownError(
            "The archive names files outside itself.", help="Do not use it; ask for a new export.", code="not-a-library"
        )


def _move_folders(database: Path, folders: Mapping[str, Path]) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for before, now in folders.items():
            for table in ("places", "roots", "skips"):
                connection.execute(f"UPDATE {table} SET folder = ? WHERE folder = ?", (str(now), before))
        # Another machine's inode times say nothing here: files are hashed once, and recognised by their content.
        connection.execute("UPDATE places SET mtime_ns = -1, ctime_ns = -1")
        connection.execute("UPDATE roots SET device = 0")
