"""A place that cannot hold an index is told before anything is written there; faults are injected one at a time."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.core import mounts, preflight
from engine.core.errors import KnownError
from engine.core.lock import FileLock
from engine.core.mounts import is_network, synced_by


def refused(folder: Path) -> KnownError:
    with pytest.raises(KnownError) as raised:
        preflight.preflight(folder)
    assert str(folder) in raised.value.message
    assert raised.value.help
    assert not list(folder.glob(".preflight-*"))
    return raised.value


def mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(f"1 2 8:1 / / rw - ext4 /dev/sda rw\n3 1 0:40 / {tmp_path}/share rw - {kind} server:/x rw\n")
    monkeypatch.setattr(mounts, "_MOUNTS", table)


def test_a_local_folder_is_fit_and_left_as_it_was(tmp_path: Path) -> None:
    assert not is_network(tmp_path)
    assert [one for one in preflight.preflight(tmp_path / "new") if "MB are free" not in one] == []
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.EROFS, "read-only"), (errno.EACCES, "read-only"), (errno.ENOSPC, "disk-full"), (errno.EIO, "storage")],
)
def test_a_folder_that_refuses_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(preflight.tempfile, "mkdtemp", refuse)
    assert refused(tmp_path).code == code


def test_a_disk_that_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=3_000_000))
    error = refused(tmp_path)
    assert (error.code, error.retryable) == ("disk-full", True)
    assert "3 MB are free" in error.message
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=400_000_000))
    assert "Only 400 MB are free" in preflight.preflight(tmp_path)[0]


def test_a_file_system_that_cannot_replace_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "replace", refuse)
    assert refused(tmp_path).code == "no-rename"


@pytest.mark.parametrize("how", ["no locks", "locks of no effect"])
def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    def take(_: FileLock) -> bool:
        if how == "no locks":
            raise OSError(errno.ENOLCK, "No locks available")
        return True

    monkeypatch.setattr(FileLock, "try_acquire", take)
    assert refused(tmp_path).code == "no-lock"


def test_a_file_system_without_shared_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def in_memory(*_: object, **__: object) -> sqlite3.Connection:
        return connect(":memory:")  # keeps its journal in memory: no write-ahead log

    monkeypatch.setattr(preflight.sqlite3, "connect", in_memory)
    assert refused(tmp_path).code == "no-log"


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_share_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    mounted(tmp_path, monkeypatch, kind)
    assert is_network(tmp_path / "share" / "home")
    assert not is_network(tmp_path / "shared")
    (warning,) = [one for one in preflight.preflight(tmp_path / "share" / "home") if "network share" in one]
    assert "--home" in warning


@pytest.mark.parametrize(
    ("folder", "mark", "program"),
    [
        ("OneDrive - Some Company/x", "", "OneDrive"),
        ("Dropbox/x", "", "Dropbox"),
        ("work/x", ".stfolder/", "Syncthing"),
        ("Mobile Documents/com~apple~CloudDocs", "", "iCloud"),
        ("plain/onedrives", "", ""),
    ],
)
def test_a_folder_that_is_copied_to_a_cloud_is_named(tmp_path: Path, folder: str, mark: str, program: str) -> None:
    home = tmp_path / folder / "sheaf"
    home.mkdir(parents=True)
    if mark:
        (tmp_path / folder / mark).mkdir()
    assert synced_by(home) == program
    assert any(f"{program} copies" in one for one in preflight.preflight(home)) == bool(program)


def test_what_a_killed_trial_has_left_is_removed(tmp_path: Path) -> None:
    old, young = tmp_path / ".preflight-old", tmp_path / ".preflight-young"
    for one in (old, young):
        one.mkdir()
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    preflight.preflight(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == [young.name]
