"""Tiny models with real pins, and their wheels."""

from __future__ import annotations

import hashlib
import io
import itertools
import random
import zipfile
from dataclasses import dataclass, field

from engine.models.catalogue import Carrier, Catalogue, ModelFile, ModelSpec, Part
from tests.makers.gguf import gguf


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


@dataclass
class Kit:
    """A catalogue and the wheels its carriers mean."""

    catalogue: Catalogue
    wheels: dict[str, bytes]
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)

    def projects(self) -> dict[str, Carrier]:
        carriers = [carrier for model in self.catalogue.models for carrier in model.carriers]
        return {carrier.project: carrier for carrier in carriers}


def make_kit() -> Kit:
    """Two encoders that share a wheel ("enc-a", "enc-b") and a GGUF in three wheels ("big", short name "standard")."""
    encoders = {"enc-a": noise(1, 300_000), "enc-b": noise(2, 200_000)}
    config = b'{"dim": 4}'
    members = {}
    for name, weights in encoders.items():
        members[f"pack/{name}/model.onnx"] = weights
        members[f"pack/{name}/config.json"] = config + name.encode()
    members["pack/__init__.py"] = b"raise SystemExit('carrier code must never run')\n"
    wheels = {"pack-1.0-py3-none-any.whl": zipped(members)}
    big = gguf(weights=40_000)
    cuts = [0, 60_000, 120_000, len(big)]
    stretches = [big[a:b] for a, b in itertools.pairwise(cuts)]
    for n, stretch in enumerate(stretches, 1):
        wheels[f"big_part{n}-1.0-py3-none-any.whl"] = zipped({f"big_part{n}/part.bin": stretch})
    carriers = {name: _carrier(name, body) for name, body in wheels.items()}
    pack = carriers["pack-1.0-py3-none-any.whl"]
    models = []
    files = {}
    for name in encoders:
        files[name] = {key.rpartition("/")[2]: members[key] for key in members if f"/{name}/" in key}
        parts = [
            ModelFile(file, len(body), sha256(body), (Part(pack, f"pack/{name}/{file}", len(body), sha256(body)),))
            for file, body in files[name].items()
        ]
        models.append(ModelSpec(name, "embedder", name, "MIT", "", "", "", tuple(parts)))
    parts_of_big = tuple(
        Part(carriers[f"big_part{n}-1.0-py3-none-any.whl"], f"big_part{n}/part.bin", len(stretch), sha256(stretch))
        for n, stretch in enumerate(stretches, 1)
    )
    files["big"] = {"big.gguf": big}
    file = ModelFile("big.gguf", len(big), sha256(big), parts_of_big)
    models.append(
        ModelSpec("big", "answering", "Big", "Apache-2.0", "", "", "https://hub.invalid/big.gguf", (file,), "standard")
    )
    return Kit(Catalogue(tuple(models)), wheels, files)


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(zipfile.ZipInfo(name), body)
    return out.getvalue()


def _carrier(wheel: str, body: bytes) -> Carrier:
    project = wheel.partition("-")[0].replace("_", "-")
    return Carrier(wheel, project, "1.0", len(body), sha256(body))
