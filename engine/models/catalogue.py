"""The pinned catalogue of models, read from `catalogue.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.errors import UsageError

_FILE = Path(__file__).with_name("catalogue.toml")


@dataclass(frozen=True, slots=True)
class Carrier:
    """A wheel on a package index that holds model files. Never installed; none of its code is run."""

    wheel: str
    project: str
    version: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Part:
    """A member of a carrier: the whole of a model file, or a stretch of it."""

    carrier: Carrier
    member: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model; its parts, joined in order, are its bytes."""

    name: str
    size_bytes: int
    sha256: str
    parts: tuple[Part, ...]

    @property
    def is_gguf(self) -> bool:
        return self.name.lower().endswith(".gguf")


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model as pinned.

    `role` is embedder, reranker, late-interaction, answering or test; `choice` is the short name by which an
    answering model is offered ("standard", "small"). `query_prefix` goes before a query (never a passage) when
    embedding; `max_tokens` is an encoder's input limit, `context_tokens` a language model's trained window.
    """

    id: str
    role: str
    title: str
    licence: str
    author: str
    origin: str
    url: str
    files: tuple[ModelFile, ...]
    choice: str = ""
    query_prefix: str = ""
    dimension: int = 0
    pooling: str = ""
    normalise: bool = False
    max_tokens: int = 0
    context_tokens: int = 0

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def carriers(self) -> tuple[Carrier, ...]:
        """The wheels that hold it, each once, in the order they are needed."""
        return tuple(dict.fromkeys(part.carrier for file in self.files for part in file.parts))

    @property
    def main_file(self) -> ModelFile:
        """The file with the weights: the largest."""
        return max(self.files, key=lambda file: file.size_bytes)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The models this version knows, in the order of the catalogue file."""

    models: tuple[ModelSpec, ...]

    def find(self, name: str) -> ModelSpec:
        """A model by id, or by its short name ("standard"). Raises UsageError for an unknown one."""
        for model in self.models:
            if name == model.id or (model.choice and name == model.choice):
                return model
        known = ", ".join(model.id for model in self.models)
        raise UsageError(f'There is no model called "{name}".', help=f"Known models: {known}.", code="no-such-model")

    def with_role(self, role: str) -> tuple[ModelSpec, ...]:
        return tuple(model for model in self.models if model.role == role)


def load_catalogue(path: Path = _FILE) -> Catalogue:
    """Read a catalogue file. Raises KeyError or ValueError for a malformed one: it ships with the program."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    carriers = {entry["wheel"]: _carrier(entry) for entry in data.get("carrier", ())}
    return Catalogue(tuple(_model(entry, carriers) for entry in data["model"]))


def _carrier(entry: dict[str, Any]) -> Carrier:
    return Carrier(entry["wheel"], entry["project"], entry["version"], entry["bytes"], entry["sha256"])


def _model(entry: dict[str, Any], carriers: dict[str, Carrier]) -> ModelSpec:
    facts = {key: value for key, value in entry.items() if key != "files"}
    return ModelSpec(files=tuple(_file(file, carriers) for file in entry["files"]), **facts)


def _file(entry: dict[str, Any], carriers: dict[str, Carrier]) -> ModelFile:
    size, sha256 = entry["bytes"], entry["sha256"]
    parts = tuple(
        Part(carriers[part["wheel"]], part["member"], part.get("bytes", size), part.get("sha256", sha256))
        for part in entry.get("parts", ())
    )
    if parts and sum(part.size_bytes for part in parts) != size:
        raise ValueError(f"{entry['name']}: its parts do not add up to {size} bytes")
    return ModelFile(entry["name"], size, sha256, parts)
