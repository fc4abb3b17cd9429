"""A library exported to one file and imported under other folders."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from engine.core.errors import KnownError, UsageError
from engine.core.results import Library
from engine.store.archive import export_library, import_library, read_manifest
from tests.engine.library_case import LibraryCase


def test_import_elsewhere_answers_at_once_and_parses_and_embeds_nothing(tmp_path: Path) -> None:
    with LibraryCase(tmp_path / "here") as case:
        case.write("a.txt", "# Alpha\n\nThe capacitor of alpha.")
        case.write("sub/b.txt", "# Beta\n\nThe resistor of beta.")
        case.index()
        expected = case.state()["segments"]
        docs = str(case.docs)
        export_library(case.library, tmp_path / "lib.sheaf")
    assert read_manifest(tmp_path / "lib.sheaf") == ("test", (docs,))
    there = tmp_path / "there"
    shutil.copytree(docs, there / "docs")
    import_library(tmp_path / "lib.sheaf", there / "home", {docs: there / "docs"})
    with LibraryCase(there) as case:
        assert case.words("capacitor") == ["a.txt"]
        assert case.dense("resistor of beta")[0] == "sub/b.txt"
        report = case.index()
        assert (report.added, report.removed, report.unchanged) == (0, 0, 2)
        assert case.parser.parsed == []
        assert case.base.embedded == 0
        assert case.state()["segments"] == expected


def test_what_is_no_export_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.zip"
    bad.write_bytes(b"PK nothing")
    with pytest.raises(KnownError, match="not an exported library"):
        import_library(bad, tmp_path / "home", {})
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr(
            "sheaf-library.json", json.dumps({"format": 99, "catalogue": [1, 0], "name": "x", "folders": []})
        )
    with pytest.raises(KnownError, match="newer"):
        import_library(newer, tmp_path / "home", {})
    climbing = tmp_path / "climbing.zip"
    with zipfile.ZipFile(climbing, "w") as archive:
        archive.writestr(
            "sheaf-library.json", json.dumps({"format": 1, "catalogue": [1, 0], "name": "x", "folders": []})
        )
        archive.writestr("../outside.txt", "x")
    with pytest.raises(KnownError, match="outside"):
        import_library(climbing, tmp_path / "home", {})
    assert not (tmp_path / "home").exists()
    assert not (tmp_path / "outside.txt").exists()


def test_a_library_without_index_and_a_taken_home_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not been indexed"):
        export_library(Library("x", (), tmp_path / "none"), tmp_path / "x.sheaf")
    with LibraryCase(tmp_path / "here") as case:
        case.write("a.txt", "# Alpha\n\nText.")
        case.index()
        export_library(case.library, tmp_path / "lib.sheaf")
        with pytest.raises(UsageError, match="not empty"):
            import_library(tmp_path / "lib.sheaf", case.home, {})
        assert case.words("text") == ["a.txt"]
