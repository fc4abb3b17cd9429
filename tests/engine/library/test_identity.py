"""Which documents files are: moves, copies, stamps, files in motion."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from engine.core.ids import DocumentId, document_id
from engine.library.identity import UNSURE, Identified, identify
from engine.library.scan import FoundFile, ScanOptions, scan_folder
from engine.store.places import PlaceRow

LATER = 10_000_000_000


def look(root: Path, known: dict[tuple[str, str], PlaceRow], now: Callable[[], int] | None = None) -> Identified:
    """A scan some seconds after the last change, unless `now` says otherwise."""
    scan = scan_folder(root, ScanOptions())
    newest = max((max(f.mtime_ns, f.ctime_ns) for f in scan.files), default=0)
    return identify([scan], known, now_ns=now or (lambda: newest + LATER))


def remember(seen: Identified, known: dict[tuple[str, str], PlaceRow]) -> None:
    for key in seen.removed:
        del known[key]
    for placed in seen.placed:
        file = placed.file
        known[(file.folder, file.name)] = PlaceRow(
            file.folder, file.name, file.file, placed.document, file.size, placed.mtime_ns, placed.ctime_ns
        )


def test_second_look_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    known: dict[tuple[str, str], PlaceRow] = {}
    first = look(tmp_path, known)
    remember(first, known)
    assert (first.added, first.hashed) == (1, 1)
    second = look(tmp_path, known)
    assert (second.unchanged, second.hashed, second.placed) == (1, 0, [])


def test_move_copy_change_and_deletion_are_told_apart(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.txt").write_text(name)
    known: dict[tuple[str, str], PlaceRow] = {}
    remember(look(tmp_path, known), known)
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").rename(tmp_path / "sub" / "moved.txt")
    shutil.copy(tmp_path / "b.txt", tmp_path / "copy.txt")
    (tmp_path / "c.txt").write_text("something else")
    (tmp_path / "d.txt").unlink()
    seen = look(tmp_path, known)
    assert (seen.moved, seen.added, seen.changed) == (1, 1, 1)
    assert sorted(key[1] for key in seen.removed) == ["a.txt", "d.txt"]


def test_same_size_and_time_but_other_content_is_seen_while_the_file_is_young(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one")
    known: dict[tuple[str, str], PlaceRow] = {}
    stamp = path.stat()
    seen = look(tmp_path, known, now=lambda: stamp.st_mtime_ns + 1)
    assert seen.placed[0].mtime_ns == UNSURE
    remember(seen, known)
    path.write_text("two")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    again = look(tmp_path, known)
    assert again.changed == 1


def test_a_file_from_the_future_is_read_again_rather_than_believed(tmp_path: Path) -> None:
    """The clock was set back after the file was written: until it has caught up, the stamp tells nothing."""
    path = tmp_path / "a.txt"
    path.write_text("one")
    known: dict[tuple[str, str], PlaceRow] = {}
    hour = 3_600_000_000_000
    remember(look(tmp_path, known, now=lambda: path.stat().st_mtime_ns - hour), known)
    assert look(tmp_path, known).hashed == 1


def test_file_that_grows_while_it_is_read_is_left_for_later(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one")

    def growing(file: FoundFile) -> DocumentId:
        found = document_id(file.path)
        with file.path.open("a") as stream:
            stream.write("more")
        return found

    seen = identify([scan_folder(tmp_path, ScanOptions())], {}, hash_file=growing)
    assert seen.placed == []
    assert [file.file for file in seen.unstable] == ["a.txt"]


def test_unreadable_file_keeps_its_place_and_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one")
    known: dict[tuple[str, str], PlaceRow] = {}
    remember(look(tmp_path, known), known)
    path.write_text("two!")

    def refusing(file: FoundFile) -> DocumentId:
        raise PermissionError(13, "Permission denied")

    seen = identify([scan_folder(tmp_path, ScanOptions())], known, hash_file=refusing)
    assert seen.removed == []
    assert seen.skipped[str(tmp_path)][0].reason == "permission denied"


def test_nothing_is_removed_of_a_folder_that_is_away_or_partly_unreadable(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("one")
    (tmp_path / "b.txt").write_text("two")
    known: dict[tuple[str, str], PlaceRow] = {}
    remember(look(tmp_path, known), known)
    away = scan_folder(tmp_path / "not there", ScanOptions())
    away.folder = str(tmp_path)
    assert identify([away], known).removed == []
    partly = scan_folder(tmp_path, ScanOptions())
    partly.files.clear()
    partly.unreadable.append("sub")
    assert [key[1] for key in identify([partly], known).removed] == ["b.txt"]
