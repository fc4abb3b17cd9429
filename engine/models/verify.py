"""Are the files of a model the pinned ones? Hashes once, then remembers what it saw by size and time."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.models.catalogue import ModelFile, ModelSpec
from engine.models.download import sha256_of

_SEEN = "verified.json"


class ModelState(StrEnum):
    MISSING = "missing"
    PARTIAL = "partial"
    OK = "ok"
    DAMAGED = "damaged"


def problems(spec: ModelSpec, folder: Path, cancel: CancelToken | None = None) -> list[str]:
    """Hash every file of a model that lies in `folder`; one sentence for each that is missing or damaged.

    A file found whole is remembered, so that :func:`quick_state` need not hash it again.
    """
    found = []
    seen = {}
    for file in spec.files:
        path = folder / file.name
        problem = _size_problem(file, path)
        if not problem:
            actual = sha256_of(path, cancel)
            if actual != file.sha256:
                problem = f"{path} is damaged: its SHA-256 is {actual}, expected {file.sha256}."
            else:
                seen[file.name] = _mark(path, file)
        if problem:
            found.append(problem)
    _remember(folder, seen)
    return found


def quick_state(spec: ModelSpec, folder: Path) -> ModelState:
    """Like :func:`problems`, but a file that was found whole and has not been touched since is not read again."""
    there = [file for file in spec.files if (folder / file.name).is_file()]
    if not there:
        return ModelState.MISSING
    if any(_size_problem(file, folder / file.name) for file in there):
        return ModelState.DAMAGED
    if len(there) < len(spec.files):
        return ModelState.PARTIAL
    seen = _recall(folder)
    if all(seen.get(file.name) == _mark(folder / file.name, file) for file in spec.files):
        return ModelState.OK
    return ModelState.DAMAGED if problems(spec, folder) else ModelState.OK


def damaged_files(spec: ModelSpec, folder: Path) -> tuple[ModelFile, ...]:
    """The files that a repair has to replace; hashes only what was touched since it was last found whole."""
    seen = _recall(folder)
    return tuple(file for file in spec.files if not _is_whole(file, folder / file.name, seen))


def _is_whole(file: ModelFile, path: Path, seen: Mapping[str, object]) -> bool:
    if _size_problem(file, path):
        return False
    return seen.get(file.name) == _mark(path, file) or sha256_of(path) == file.sha256


def _size_problem(file: ModelFile, path: Path) -> str:
    if not path.is_file():
        return f"{path} is missing (SHA-256 {file.sha256})."
    size = path.stat().st_size
    if size < file.size_bytes:
        return f"{path} is cut short: {size} of {file.size_bytes} bytes, expected SHA-256 {file.sha256}."
    if size > file.size_bytes:
        return f"{path} is not the pinned file: {size} bytes instead of {file.size_bytes}, SHA-256 {file.sha256}."
    return ""


def _mark(path: Path, file: ModelFile) -> list[object]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns, file.sha256]


def _recall(folder: Path) -> dict[str, object]:
    try:
        seen = json.loads((folder / _SEEN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return seen if isinstance(seen, dict) else {}


def _remember(folder: Path, seen: Mapping[str, object]) -> None:
    if seen and _recall(folder) != seen:
        with contextlib.suppress(OSError):  # a read-only models folder only costs the hashing next time
            part = folder / (_SEEN + ".part")
            part.write_text(json.dumps(seen), encoding="utf-8")
            part.replace(folder / _SEEN)
