"""Walking folders: awkward names, links, unreadable things (checks.md)."""

from __future__ import annotations

import errno
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled
from engine.core.model import FileKind
from engine.library.scan import Found, ScanOptions, scan_folder

OPTIONS = ScanOptions()


def names(found: Found) -> list[str]:
    return sorted(file.file for file in found.files)


def make(root: Path, *files: str) -> None:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def test_takes_known_kinds_in_all_folders(tmp_path: Path) -> None:
    make(tmp_path, "a.pdf", "b/c.MD", "b/d/e.HTML", "b/d/f.txt", "g.exe", "noending", "h.pdf.bak")
    assert names(scan_folder(tmp_path, OPTIONS)) == ["a.pdf", "b/c.MD", "b/d/e.HTML", "b/d/f.txt"]


def test_hidden_and_temporary_files_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path, ".hidden.pdf", ".git/x.txt", "~$doc.docx", "a.pdf.part", "b.crdownload", "c.tmp", "ok.pdf")
    found = scan_folder(tmp_path, OPTIONS)
    assert names(found) == ["ok.pdf"]
    assert found.skipped == []


def test_awkward_names_are_taken_as_they_are(tmp_path: Path) -> None:
    awkward = ["µA741 – データシート (Größe).pdf", "😀.pdf", "a#b.pdf", "100%.pdf", "dot..pdf", " space .txt"]
    make(tmp_path, *awkward)
    assert names(scan_folder(tmp_path, OPTIONS)) == sorted(awkward)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux file names are plain bytes")
def test_name_that_is_not_text_is_skipped_with_a_reason(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.pdf")).write_bytes(b"x")
    found = scan_folder(tmp_path, OPTIONS)
    assert found.files == []
    assert "not text" in found.skipped[0].reason
    found.skipped[0].file.encode()


def test_composed_and_decomposed_forms_have_one_key(tmp_path: Path) -> None:
    make(tmp_path, unicodedata.normalize("NFD", "Größe.pdf"))
    (file,) = scan_folder(tmp_path, OPTIONS).files
    assert file.name == unicodedata.normalize("NFC", "Größe.pdf")
    assert (tmp_path / file.file).is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_loops_end_and_every_real_folder_is_visited_once(tmp_path: Path) -> None:
    make(tmp_path, "a/one.pdf", "b/two.pdf")
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "b" / "again").symlink_to(tmp_path / "a", target_is_directory=True)
    (tmp_path / "b" / "again2").symlink_to(tmp_path / "a", target_is_directory=True)
    assert names(scan_folder(tmp_path, OPTIONS)) == ["a/one.pdf", "b/two.pdf"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_dead_link_is_skipped_with_a_reason_and_live_link_is_a_file(tmp_path: Path) -> None:
    make(tmp_path, "real.pdf")
    (tmp_path / "dead.pdf").symlink_to(tmp_path / "nowhere.pdf")
    (tmp_path / "live.pdf").symlink_to(tmp_path / "real.pdf")
    found = scan_folder(tmp_path, OPTIONS)
    assert names(found) == ["live.pdf", "real.pdf"]
    assert [problem.file for problem in found.skipped] == ["dead.pdf"]


def test_missing_folder_is_told_not_raised(tmp_path: Path) -> None:
    assert scan_folder(tmp_path / "gone", OPTIONS).missing
    make(tmp_path, "file.txt")
    assert scan_folder(tmp_path / "file.txt", OPTIONS).missing


def test_unreadable_folder_is_named_and_its_files_are_not_taken_for_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "open/a.pdf", "shut/b.pdf")
    real = os.scandir

    def refusing(path: object) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", refusing)
    found = scan_folder(tmp_path, OPTIONS)
    assert names(found) == ["open/a.pdf"]
    assert found.unreadable == ["shut"]
    assert "permission denied" in found.skipped[0].reason


class Slipping:
    """A directory entry of a file that cannot be asked about."""

    def __init__(self, entry: os.DirEntry[str], number: int) -> None:
        self.name, self.path, self._number = entry.name, entry.path, number

    def is_dir(self) -> bool:
        return False

    def stat(self) -> os.stat_result:
        raise OSError(self._number, os.strerror(self._number))


def slip(monkeypatch: pytest.MonkeyPatch, number: int, then: Callable[[], object] = lambda: None) -> None:
    """From the second folder that is listed on (the first is the look whether the root is empty) files slip away."""
    real, listed = os.scandir, list[str]()

    @contextmanager
    def scandir(path: os.PathLike[str]) -> Iterator[Iterator[object]]:
        with real(path) as entries:
            listed.append(str(path))
            if len(listed) > 1:
                then()
                yield iter([Slipping(one, number) for one in entries])
            else:
                yield entries

    monkeypatch.setattr(os, "scandir", scandir)


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ESTALE])
def test_a_file_that_the_disk_does_not_yield_is_not_taken_for_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    make(tmp_path, "a.pdf")
    slip(monkeypatch, number)
    found = scan_folder(tmp_path, OPTIONS)
    assert (found.missing, found.unreadable, names(found)) == ("", ["a.pdf"], [])


def test_a_drive_that_is_pulled_in_the_middle_of_a_walk_is_missing_not_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "drive"
    make(root, "a.pdf", "b.pdf")
    slip(monkeypatch, errno.ENOENT, lambda: root.rename(tmp_path / "pulled"))
    assert "went away" in scan_folder(root, OPTIONS).missing


def test_a_file_that_is_only_in_the_cloud_is_listed_and_not_fetched_unless_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "here.pdf", "cloud.pdf")
    (tmp_path / "cloud.pdf").write_bytes(b"x" * 77)
    monkeypatch.setattr("engine.library.scan._is_online_only", lambda info: info.st_size == 77)
    found = scan_folder(tmp_path, OPTIONS)
    assert names(found) == ["here.pdf"]
    assert [(one.file, "only in the cloud" in one.reason) for one in found.skipped] == [("cloud.pdf", True)]
    assert names(scan_folder(tmp_path, ScanOptions(online_only=True))) == ["cloud.pdf", "here.pdf"]


def test_thousands_of_empty_folders_are_walked_through(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / f"{number % 50}" / f"{number}").mkdir(parents=True)
    make(tmp_path, "49/2999/a.pdf")
    found = scan_folder(tmp_path, OPTIONS)
    assert (names(found), found.missing, found.skipped) == (["49/2999/a.pdf"], "", [])


def test_patterns_kinds_and_size(tmp_path: Path) -> None:
    make(tmp_path, "a.pdf", "old/b.pdf", "c.txt")
    (tmp_path / "big.pdf").write_bytes(b"x" * 5000)
    options = ScanOptions(frozenset((FileKind.PDF,)), exclude=("OLD/*", "old"), max_bytes=4000)
    found = scan_folder(tmp_path, options)
    assert names(found) == ["a.pdf"]
    assert [problem.file for problem in found.skipped] == ["big.pdf"]
    assert names(scan_folder(tmp_path, ScanOptions(include=("*.txt",)))) == ["c.txt"]


def test_cancel_ends_a_walk(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        scan_folder(tmp_path, OPTIONS, token)
