"""Fetching over a real local HTTP server: what goes well, and every way it can go wrong."""

from __future__ import annotations

import dataclasses
import errno
import io
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError, UsageError
from engine.core.events import Event, FetchProgress
from engine.core.lock import FileLock
from engine.models import download
from engine.models.catalogue import Catalogue
from engine.models.verify import ModelState
from tests.engine.models.index_server import Site, serve
from tests.engine.models.small_models import Kit, make_kit, sha256
from tests.engine.models.stocked import PACK, check_whole, offer_all, store_for

pytestmark = pytest.mark.usefixtures("loopback")


@pytest.fixture(autouse=True)
def _quick_retries(loopback: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_PAUSES", (0.01, 0.01))


@pytest.fixture
def kit() -> Kit:
    return make_kit()


@pytest.mark.parametrize("form", ["html", "json"])
def test_two_models_of_one_wheel_come_in_one_download(tmp_path: Path, kit: Kit, form: str) -> None:
    with serve() as site:
        offer_all(site, kit, form=form)
        store = store_for(tmp_path, kit, site.url + "/simple")
        paths = store.fetch(["enc-a", "enc-b"])
        assert [path for path, _ in site.requests] == ["/simple/pack/", f"/files/{PACK}"]
    assert paths == (store.folder / "enc-a", store.folder / "enc-b")
    check_whole(store, kit, "enc-a")
    check_whole(store, kit, "enc-b")
    assert [path.name for path in (store.folder / ".partial").iterdir()] == ["lock"]


def test_parts_are_joined_in_order_and_known_by_their_short_name(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple/")
        (path,) = store.fetch("standard")
    assert path == store.folder / "big" / "big.gguf"
    check_whole(store, kit, "big")


def test_what_is_whole_is_not_fetched_again(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        store.fetch("enc-a")
        site.requests.clear()
        store.fetch("enc-a")
        assert site.requests == []


def test_a_connection_that_breaks_is_continued_where_it_broke(tmp_path: Path, kit: Kit) -> None:
    with serve(Site(cut_after=[100_000, 150_000])) as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        store.fetch("enc-a")
        assert site.ranges_asked() == ["bytes=100000-", "bytes=250000-"]
    check_whole(store, kit, "enc-a")


def test_the_next_run_continues_a_download_that_was_given_up(tmp_path: Path, kit: Kit) -> None:
    with serve(Site(cut_after=[100_000, 0, 0, 0])) as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        with pytest.raises(KnownError, match="after 100000 of") as caught:
            store.fetch("enc-a")
        assert caught.value.code == "truncated"
        assert caught.value.retryable
        assert store.info("enc-a").state is ModelState.PARTIAL
        site.requests.clear()
        store.fetch("enc-a")
        assert site.ranges_asked() == ["bytes=100000-"]
    check_whole(store, kit, "enc-a")


def test_a_server_without_ranges_sends_all_of_it_again(tmp_path: Path, kit: Kit) -> None:
    with serve(Site(cut_after=[100_000], ranges=False)) as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        store.fetch("enc-a")
    check_whole(store, kit, "enc-a")


def test_a_wrong_half_on_the_disk_costs_one_fresh_download(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        partial = store.folder / ".partial"
        partial.mkdir(parents=True)
        (partial / f"{PACK}.part").write_bytes(b"\0" * 50_000)
        store.fetch("enc-a")
        assert site.ranges_asked() == ["bytes=50000-"]
        assert sum(path == f"/files/{PACK}" for path, _ in site.requests) == 2
    check_whole(store, kit, "enc-a")


def test_a_wheel_that_is_not_the_pinned_one_is_thrown_away(tmp_path: Path, kit: Kit) -> None:
    body = bytearray(kit.wheels[PACK])
    body[len(body) // 2] ^= 1
    with serve() as site:
        site.offer("pack", PACK, bytes(body))
        store = store_for(tmp_path, kit, site.url + "/simple")
        with pytest.raises(KnownError, match=r"SHA-256 should be [0-9a-f]{64}") as caught:
            store.fetch("enc-a")
    assert caught.value.code == "hash-mismatch"
    assert "sheaf models add" in caught.value.help
    assert store.info("enc-a").state is ModelState.MISSING


def test_a_page_that_claims_another_hash_is_not_even_downloaded_from(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        site.offer("pack", PACK, kit.wheels[PACK], sha256(b"another"))
        store = store_for(tmp_path, kit, site.url + "/simple")
        with pytest.raises(KnownError) as caught:
            store.fetch("enc-a")
        assert [path for path, _ in site.requests] == ["/simple/pack/"]
    assert caught.value.code == "hash-mismatch"


def test_the_next_index_serves_when_the_first_has_a_bad_copy(tmp_path: Path, kit: Kit) -> None:
    with serve() as bad, serve() as good:
        bad.offer("pack", PACK, kit.wheels[PACK][:-10])
        offer_all(good, kit)
        store = store_for(tmp_path, kit, bad.url + "/simple", good.url + "/simple")
        store.fetch("enc-b")
    check_whole(store, kit, "enc-b")


def test_a_folder_of_wheels_is_enough(tmp_path: Path, kit: Kit) -> None:
    links = tmp_path / "wheel house"
    links.mkdir()
    for name, body in kit.wheels.items():
        (links / name).write_bytes(body)
    store = store_for(tmp_path, kit, find_links=(str(links),))
    store.fetch(["enc-a", "big"])
    check_whole(store, kit, "enc-a")
    check_whole(store, kit, "big")
    assert (links / PACK).exists()


def test_a_local_index_folder_serves_by_file_address(tmp_path: Path, kit: Kit) -> None:
    page = tmp_path / "index" / "pack"
    page.mkdir(parents=True)
    (page / PACK).write_bytes(kit.wheels[PACK])
    (page / "index.html").write_text(f'<a href="{PACK}#sha256={sha256(kit.wheels[PACK])}">{PACK}</a>')
    store = store_for(tmp_path, kit, (tmp_path / "index").as_uri())
    store.fetch("enc-a")
    check_whole(store, kit, "enc-a")


def test_the_official_address_serves_a_gguf_when_asked(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        site.paths["/files/big.gguf"] = ("application/octet-stream", kit.files["big"]["big.gguf"])
        models = tuple(dataclasses.replace(m, url=site.url + "/files/big.gguf") for m in kit.catalogue.models)
        kit.catalogue = Catalogue(models)
        store = store_for(tmp_path, kit)
        store.fetch("big", source="url")
        check_whole(store, kit, "big")
        with pytest.raises(KnownError, match="official page"):
            store.fetch("enc-a", source="url")


def test_credentials_go_to_the_index_and_not_to_where_it_redirects(tmp_path: Path, kit: Kit) -> None:
    with serve(Site(user="me:p@ss")) as site, serve() as elsewhere:
        offer_all(site, kit)
        offer_all(elsewhere, kit)
        site.moved[f"/files/{PACK}"] = f"{elsewhere.url}/files/{PACK}"
        with_user = site.url.replace("http://", "http://me:p%40ss@")
        site.paths["/simple/pack/"] = (
            "text/html",
            f'<a href="{with_user}/files/{PACK}">{PACK}</a>'.encode(),
        )
        store = store_for(tmp_path, kit, with_user + "/simple")
        store.fetch("enc-a")
        assert all("authorization" not in headers for _, headers in elsewhere.requests)
        assert all("authorization" in headers for _, headers in site.requests)
    check_whole(store, kit, "enc-a")


def test_a_wrong_password_is_said_without_showing_it(tmp_path: Path, kit: Kit) -> None:
    with serve(Site(user="me:right")) as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url.replace("http://", "http://me:wrong@") + "/simple")
        with pytest.raises(KnownError, match="refused access") as caught:
            store.fetch("enc-a")
    assert caught.value.code == "access"
    assert "wrong" not in str(caught.value)


def test_no_index_at_all(tmp_path: Path, kit: Kit) -> None:
    with pytest.raises(KnownError, match="No package index is configured") as caught:
        store_for(tmp_path, kit).fetch("enc-a")
    assert "PIP_INDEX_URL" in caught.value.help


def test_an_index_without_the_project(tmp_path: Path, kit: Kit) -> None:
    with serve() as site, pytest.raises(KnownError, match="no page for pack") as caught:
        store_for(tmp_path, kit, site.url + "/simple").fetch("enc-a")
    assert caught.value.code == "no-page"


def test_an_index_with_another_version_only(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        site.offer("pack", "pack-2.0-py3-none-any.whl", b"newer")
        with pytest.raises(KnownError, match="is not offered") as caught:
            store_for(tmp_path, kit, site.url + "/simple").fetch("enc-a")
    assert caught.value.code == "no-wheel"


def test_no_network(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        closed = site.url
    with pytest.raises(KnownError, match="could not be made or broke off") as caught:
        store_for(tmp_path, kit, closed + "/simple").fetch("enc-a")
    assert caught.value.code == "network"
    assert caught.value.retryable


def test_a_server_in_trouble_is_asked_again(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        site.statuses = {f"/files/{PACK}": [503, 502]}
        store.fetch("enc-a")
        check_whole(store, kit, "enc-a")
        site.statuses = {"/simple/pack/": [503]}
        store.remove("enc-a")
        with pytest.raises(KnownError, match="problem of its own") as caught:
            store.fetch("enc-a")
    assert caught.value.code == "server"


def test_a_page_that_is_no_page(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        site.paths["/simple/pack/"] = ("application/vnd.pypi.simple.v1+json", b'{"files": [{}]}')
        with pytest.raises(KnownError, match="cannot be read"):
            store_for(tmp_path, kit, site.url + "/simple").fetch("enc-a")


def test_a_full_disk_is_said_before_anything_is_sent(tmp_path: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with serve() as site:
        offer_all(site, kit)
        with pytest.raises(KnownError, match=r"too full: .* are needed and 1\.0 MB are free") as caught:
            store_for(tmp_path, kit, site.url + "/simple").fetch("enc-a")
        assert site.requests == []
    assert caught.value.code == "disk-full"


class _FullDisk(io.FileIO):
    """A file on a disk that has room for 100,000 bytes."""

    def write(self, data: Any) -> int:
        if self.tell() + len(memoryview(data)) > 100_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def test_a_disk_that_fills_up_on_the_way_is_said_and_the_rest_comes_later(
    tmp_path: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Path.open

    def open_on_full_disk(path: Path, mode: str = "r", *args: Any, **options: Any) -> Any:
        return (
            _FullDisk(path, "ab+") if path.suffix == ".part" and mode == "ab+" else usual(path, mode, *args, **options)
        )

    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        monkeypatch.setattr(Path, "open", open_on_full_disk)
        with pytest.raises(KnownError, match="too full: nothing more can be written") as caught:
            store.fetch("enc-a")
        monkeypatch.undo()
        assert caught.value.code == "disk-full"
        assert caught.value.retryable
        store.fetch("enc-a")
    check_whole(store, kit, "enc-a")


def test_progress_tells_size_speed_and_time_and_never_falls(tmp_path: Path, kit: Kit) -> None:
    events: list[Event] = []
    with serve(Site(cut_after=[100_000], ranges=False)) as site:
        offer_all(site, kit)
        store_for(tmp_path, kit, site.url + "/simple").fetch("enc-a", events.append)
    seen = [event for event in events if isinstance(event, FetchProgress)]
    assert seen[-1].done_bytes == seen[-1].total_bytes == len(kit.wheels[PACK])
    assert [e.done_bytes for e in seen] == sorted(e.done_bytes for e in seen)
    assert {event.file for event in seen} == {PACK}


@pytest.mark.parametrize("when", ["waiting", "before"])
def test_cancel_ends_a_transfer_that_waits_for_bytes(tmp_path: Path, kit: Kit, when: str) -> None:
    cancel = CancelToken()
    stall = threading.Event()
    with serve(Site(stall=stall)) as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple", timeout=30.0)
        timer = threading.Timer(0.0 if when == "before" else 0.5, cancel.cancel)
        timer.start()
        try:
            with pytest.raises(Cancelled):
                store.fetch("enc-a", cancel=cancel)
        finally:
            stall.set()
            timer.join()
        if when == "waiting":
            assert store.info("enc-a").state is ModelState.PARTIAL
            site.stall = None
            store.fetch("enc-a")
            check_whole(store, kit, "enc-a")
            assert site.ranges_asked() == [f"bytes={len(kit.wheels[PACK]) // 2}-"]


def test_two_at_once_are_refused_politely(tmp_path: Path, kit: Kit) -> None:
    store = store_for(tmp_path, kit, "http://127.0.0.1:9/simple")
    (store.folder / ".partial").mkdir(parents=True)
    lock = FileLock(store.folder / ".partial" / "lock")
    assert lock.try_acquire()
    with pytest.raises(KnownError, match="Another Sheaf"):
        store.fetch("enc-a")
    lock.release()


def test_a_cut_or_flipped_file_is_named_with_its_hash_and_mended(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        store.fetch(["enc-a", "big"])
        weights = store.folder / "enc-a" / "model.onnx"
        weights.write_bytes(weights.read_bytes()[:1000])
        big = store.folder / "big" / "big.gguf"
        damaged = bytearray(big.read_bytes())
        damaged[-1] ^= 0xFF
        big.write_bytes(damaged)
        assert store.info("enc-a").state is ModelState.DAMAGED
        assert store.info("big").state is ModelState.DAMAGED
        (problem,) = store.verify("enc-a")
        assert "model.onnx is cut short: 1000 of 300000 bytes" in problem
        assert sha256(kit.files["enc-a"]["model.onnx"]) in problem
        with pytest.raises(KnownError, match=r"big\.gguf is damaged: its SHA-256 is") as caught:
            store.path("big")
        assert caught.value.help == "Fetch it: sheaf models fetch big."
        store.fetch(["enc-a", "big"])
    check_whole(store, kit, "enc-a")
    check_whole(store, kit, "big")


def test_remove_leaves_nothing_of_a_model(tmp_path: Path, kit: Kit) -> None:
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        store.fetch("big")
        store.remove("big")
        store.remove("big")
    assert store.info("big").state is ModelState.MISSING
    assert not (store.folder / "big").exists()
    with pytest.raises(KnownError, match="not on this machine"):
        store.path("big")


def test_an_unknown_model(tmp_path: Path, kit: Kit) -> None:
    with pytest.raises(UsageError, match='no model called "gpt"') as caught:
        store_for(tmp_path, kit).fetch("gpt")
    assert "enc-a, enc-b, big" in caught.value.help
