"""Models added by hand: wheels one by one, catalogued files by their bytes, a GGUF of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import KnownError, UsageError
from engine.models.verify import ModelState
from tests.engine.models.small_models import Kit, make_kit
from tests.engine.models.stocked import PACK, check_whole, store_for
from tests.makers.gguf import gguf


@pytest.fixture
def kit() -> Kit:
    return make_kit()


def test_add_takes_the_wheels_of_a_model_one_by_one(tmp_path: Path, kit: Kit) -> None:
    store = store_for(tmp_path, kit)
    for number in (3, 1, 2):
        assert store.info("big").state is (ModelState.MISSING if number == 3 else ModelState.PARTIAL)
        wheel = tmp_path / f"big_part{number}-1.0-py3-none-any.whl"
        wheel.write_bytes(kit.wheels[wheel.name])
        assert store.add(wheel) == "big"
    check_whole(store, kit, "big")


def test_add_refuses_a_foreign_wheel(tmp_path: Path, kit: Kit) -> None:
    wheel = tmp_path / PACK
    wheel.write_bytes(kit.wheels[PACK][:-1] + b"x")
    with pytest.raises(KnownError, match="not one of the wheels") as caught:
        store_for(tmp_path, kit).add(wheel)
    assert caught.value.code == "hash-mismatch"


def test_add_knows_a_catalogued_gguf_by_its_bytes(tmp_path: Path, kit: Kit) -> None:
    file = tmp_path / "renamed.gguf"
    file.write_bytes(kit.files["big"]["big.gguf"])
    store = store_for(tmp_path, kit)
    assert store.add(file) == "big"
    check_whole(store, kit, "big")


def test_add_takes_a_gguf_of_the_users_own(tmp_path: Path, kit: Kit) -> None:
    file = tmp_path / "My Model (v2).gguf"
    file.write_bytes(gguf(weights=2048))
    store = store_for(tmp_path, kit)
    name = store.add(file)
    assert name == "my-model-v2"
    assert store.add(file) == name
    info = store.info(name)
    assert (info.role, info.licence, info.title, info.state) == ("answering", "mit", "A hand-made model", ModelState.OK)
    assert store.path(name).read_bytes() == file.read_bytes()
    assert [entry.id for entry in store.list()][-1] == name
    file.write_bytes(gguf(weights=1024))
    assert store.add(file).startswith("my-model-v2-")
    store.path(name).write_bytes(b"GGUF")
    with pytest.raises(KnownError, match="cut short") as caught:
        store.path(name)
    assert "sheaf models add" in caught.value.help
    store.remove(name)
    with pytest.raises(UsageError):
        store.info(name)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"This is a text file.\n" * 50, "not-gguf"),
        (b"", "not-gguf"),
        (b"GGUF\x03\0\0\0", "model-truncated"),
        (gguf()[:200], "model-truncated"),
        (gguf()[:-1], "model-truncated"),
        (gguf(version=99), "not-gguf"),
        (b"GGUF\x03\0\0\0" + b"\xff" * 64, "model-truncated"),
    ],
)
def test_add_refuses_what_is_no_whole_gguf(tmp_path: Path, kit: Kit, body: bytes, code: str) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(body)
    store = store_for(tmp_path, kit)
    with pytest.raises(KnownError) as caught:
        store.add(file)
    assert caught.value.code == code
    assert not store.folder.exists()
