"""pip's configuration is read as pip reads it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.models.pipconfig import DEFAULT_INDEX_FILE, read_index_settings


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "XDG_CONFIG_DIRS": str(tmp_path / "xdg"), **more}


def read(tmp_path: Path, **more: str):
    return read_index_settings(environment(tmp_path, **more), prefix=tmp_path / "venv", platform="linux")


def test_files_override_one_another_in_pips_order(tmp_path: Path) -> None:
    places = [
        (tmp_path / "xdg/pip/pip.conf", "https://global.example/simple"),
        (tmp_path / "home/.pip/pip.conf", "https://legacy.example/simple"),
        (tmp_path / "home/.config/pip/pip.conf", "https://user.example/simple"),
        (tmp_path / "venv/pip.conf", "https://site.example/simple"),
        (tmp_path / "named.conf", "https://named.example/simple"),
    ]
    for path, url in places[:4]:
        write(path, f"[global]\nindex-url = {url}\n")
        assert read(tmp_path).index_urls[0] == url
    write(places[4][0], f"[global]\nindex-url = {places[4][1]}\n")
    assert read(tmp_path, PIP_CONFIG_FILE=str(places[4][0])).index_urls[0] == places[4][1]
    found = read(tmp_path, PIP_CONFIG_FILE=str(places[4][0]), PIP_INDEX_URL="https://env.example/simple")
    assert found.index_urls[0] == "https://env.example/simple"


def test_the_download_section_goes_before_the_global_one(tmp_path: Path) -> None:
    write(tmp_path / "xdg/pip/pip.conf", "[download]\nindex-url = https://download.example/\n")
    write(tmp_path / "home/.config/pip/pip.conf", "[global]\nindex-url = https://global.example/\n")
    assert read(tmp_path).index_urls[0] == "https://download.example/"


def test_lists_hold_several_and_later_ones_replace(tmp_path: Path) -> None:
    text = "[global]\nextra_index_url =\n    https://one.example/simple\n    https://two.example/simple\n"
    write(tmp_path / "xdg/pip/pip.conf", text + "find-links = /a /b\ntrusted-host = one.example two.example\n")
    found = read(tmp_path, PIP_FIND_LINKS="/c")
    assert found.index_urls[-2:] == ("https://one.example/simple", "https://two.example/simple")
    assert found.find_links == ("/c",)
    assert found.trusted_hosts == ("one.example", "two.example")


def test_no_index_leaves_only_the_folders(tmp_path: Path) -> None:
    found = read(tmp_path, PIP_INDEX_URL="https://env.example/simple", PIP_NO_INDEX="1", PIP_FIND_LINKS="/wheels")
    assert found.index_urls == ()
    assert found.find_links == ("/wheels",)


def test_certificate_proxy_and_time_out(tmp_path: Path) -> None:
    write(
        tmp_path / "home/.config/pip/pip.conf", "[global]\ncert = ~/ca.pem\nproxy = http://proxy:3128\ntimeout = 600\n"
    )
    found = read(tmp_path)
    assert found.cert == str(Path("~/ca.pem").expanduser())
    assert found.proxy == "http://proxy:3128"
    assert found.timeout == 30.0


def test_the_index_noted_at_set_up_serves_when_none_is_configured(tmp_path: Path) -> None:
    without_global = {"PIP_CONFIG_FILE": os.devnull}
    assert read(tmp_path, **without_global).index_urls == ()
    write(tmp_path / "venv" / DEFAULT_INDEX_FILE, "https://default.example/simple\n")
    assert read(tmp_path, **without_global).index_urls == ("https://default.example/simple",)
    assert read(tmp_path, **without_global, PIP_INDEX_URL="https://x.example").index_urls == ("https://x.example",)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "home/.config/pip/pip.conf", "index-url = no section\n")
    with pytest.raises(KnownError, match=r"pip\.conf cannot be read") as caught:
        read(tmp_path)
    assert str(path) in str(caught.value)
