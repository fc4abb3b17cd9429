"""One pinned file onto the disk: resumed by ranges, hashed while it arrives, accepted only with its pinned hash."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.models.progress import Meter
from engine.models.simple_index import Link, local_path
from engine.models.transport import Broken, Refused, Response, Transport, host_of

CHUNK = 1 << 18
SPARE = 64 << 20
"""Bytes that must stay free on the disk after a download."""
_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class Pin:
    """The only bytes accepted under a name."""

    name: str
    size_bytes: int
    sha256: str


def download(
    pin: Pin, links: Iterable[Link], target: Path, transport: Transport, meter: Meter, cancel: CancelToken
) -> None:
    """Put the pinned file at `target`, from the first link that has it. A part left by an earlier try is continued.

    Raises KnownError (network, hash-mismatch, disk-full, ...) after every link failed, Cancelled when the token is
    set. What has arrived stays beside the target for the next try, except bytes that are known to be wrong.
    """
    if target.is_file() and target.stat().st_size == pin.size_bytes and sha256_of(target, cancel) == pin.sha256:
        meter.skip(pin.size_bytes)
        return
    problem: KnownError | None = None
    for link in links:
        try:
            path = local_path(link.url)
            if path is not None:
                _copy(pin, path, target, meter, cancel)
            else:
                _resume(pin, link.url, target, transport, meter, cancel)
            return
        except KnownError as error:
            if error.code == "disk-full":
                raise
            problem = error
    assert problem is not None, "find_wheel raises when it has no link to offer"
    raise problem


def require_space(folder: Path, needed: int) -> None:
    """Raise KnownError "disk-full" unless `needed` bytes and a reserve are free where `folder` is."""
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE:
        raise _disk_full(folder, f"{megabytes(needed + SPARE)} are needed and {megabytes(free)} are free")


@contextlib.contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn a full or read-only disk into a sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(folder, "nothing more can be written") from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise KnownError(
                f"The models folder {folder} cannot be written to.",
                help="Change its permissions, or choose another home folder with SHEAF_HOME.",
                code="not-writable",
            ) from error
        raise


def megabytes(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def sha256_of(path: Path, cancel: CancelToken | None = None) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
            if cancel is not None:
                cancel.raise_if_cancelled()
    return digest.hexdigest()


def _resume(pin: Pin, url: str, target: Path, transport: Transport, meter: Meter, cancel: CancelToken) -> None:
    part = target.with_name(target.name + ".part")
    fails = 0
    fresh = not part.exists()
    with _Sink(pin, part, meter, cancel) as sink:
        while True:
            before = sink.size
            try:
                _one_connection(pin, url, sink, transport, cancel)
                problem: KnownError | None = None
            except Broken as error:
                problem = error
            except Refused as error:
                if error.code != "range" or not sink.size:
                    raise
                sink.restart()
                fresh, problem = True, error
            if sink.size == pin.size_bytes and sink.digest() == pin.sha256:
                break
            if sink.size >= pin.size_bytes:
                sink.restart()
                if fresh:
                    raise _wrong_hash(pin, host_of(url))
                fresh = True  # the part on disk may have been the bad half: once more from the start
                continue
            fails = 0 if sink.size > before else fails + 1
            if fails > len(_PAUSES):
                raise problem or _cut_short(pin, sink.size, host_of(url))
            if fails and cancel.wait(_PAUSES[fails - 1]):
                cancel.raise_if_cancelled()
    part.replace(target)


def _one_connection(pin: Pin, url: str, sink: _Sink, transport: Transport, cancel: CancelToken) -> None:
    if sink.size >= pin.size_bytes:
        return
    with transport.open(url, offset=sink.size, cancel=cancel) as response:
        _check_total(pin, response, host_of(url))
        if response.start != sink.size:
            sink.restart()
            if response.start:
                raise Refused("The server sent another range than asked for.", code="range", retryable=True)
        while sink.size < pin.size_bytes and (chunk := response.read(min(CHUNK, pin.size_bytes - sink.size))):
            sink.write(chunk)


class _Sink:
    """The part file, its running hash, and the meter that sees every byte."""

    def __init__(self, pin: Pin, part: Path, meter: Meter, cancel: CancelToken) -> None:
        self._folder = part.parent
        self._meter = meter
        self._cancel = cancel
        self._hash = hashlib.sha256()
        self.size = 0
        with disk_errors(self._folder):
            self._file: IO[bytes] = part.open("ab+")
            if part.stat().st_size > pin.size_bytes:
                self._file.truncate(0)
            self._file.seek(0)
            while self.size < pin.size_bytes and (chunk := self._file.read(1 << 20)):
                self._hash.update(chunk)
                self.size += len(chunk)
        meter.skip(self.size)

    def __enter__(self) -> _Sink:
        return self

    def __exit__(self, *_: object) -> None:
        with disk_errors(self._folder):
            self._file.close()

    def write(self, chunk: bytes) -> None:
        with disk_errors(self._folder):
            self._file.write(chunk)
        self._hash.update(chunk)
        self.size += len(chunk)
        self._meter.add(len(chunk))
        self._cancel.raise_if_cancelled()

    def restart(self) -> None:
        with disk_errors(self._folder):
            self._file.truncate(0)
            self._file.seek(0)
        self._meter.add(-self.size)
        self._hash = hashlib.sha256()
        self.size = 0

    def digest(self) -> str:
        return self._hash.hexdigest()


def _copy(pin: Pin, source: Path, target: Path, meter: Meter, cancel: CancelToken) -> None:
    part = target.with_name(target.name + ".copy")
    digest = hashlib.sha256()
    try:
        with disk_errors(target.parent), source.open("rb") as stream, part.open("wb") as out:
            while chunk := stream.read(1 << 20):
                cancel.raise_if_cancelled()
                digest.update(chunk)
                out.write(chunk)
                meter.add(len(chunk))
        if digest.hexdigest() != pin.sha256:
            meter.add(-source.stat().st_size)
            raise _wrong_hash(pin, str(source))
        part.replace(target)
    except FileNotFoundError as error:
        raise KnownError(f"The index lists {source}, but that file is not there.", code="not-found") from error
    finally:
        part.unlink(missing_ok=True)


def _check_total(pin: Pin, response: Response, host: str) -> None:
    if response.total is not None and response.total != pin.size_bytes:
        raise KnownError(
            f"{host} offers {pin.name} with {response.total} bytes instead of the pinned {pin.size_bytes}.",
            help="Fetch it from another index, or add the model from a file: sheaf models add FILE.",
            code="hash-mismatch",
        )


def _wrong_hash(pin: Pin, source: str) -> KnownError:
    return KnownError(
        f"{pin.name} from {source} is not the pinned file (SHA-256 should be {pin.sha256}); it was thrown away.",
        help="Fetch it from another index, or add the model from a file: sheaf models add FILE.",
        code="hash-mismatch",
    )


def _cut_short(pin: Pin, size: int, host: str) -> KnownError:
    return KnownError(
        f"{host} ended the download of {pin.name} after {size} of {pin.size_bytes} bytes, again and again.",
        help="Run the same again: the download continues where it stopped.",
        code="truncated",
        retryable=True,
    )


def _disk_full(folder: Path, detail: str) -> KnownError:
    return KnownError(
        f"The disk that holds {folder} is too full: {detail}.",
        help="Free some space, or choose another home folder with SHEAF_HOME; the download continues where it stopped.",
        code="disk-full",
        retryable=True,
    )
