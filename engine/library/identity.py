"""From files to documents: content is identity, a path is only a place. Moves and copies are seen by their hash."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId, document_id
from engine.core.results import FileProblem
from engine.library.scan import Found, FoundFile

_YOUNG_NS = 2_000_000_000
"""File systems stamp times coarsely: a file changed this recently could change again without its stamp moving."""
UNSURE = -1
"""In place of a stamp: hash the file again at the next scan."""


class KnownPlace(Protocol):
    """What the catalogue remembers of a place."""

    @property
    def folder(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def document(self) -> DocumentId: ...
    @property
    def size(self) -> int: ...
    @property
    def mtime_ns(self) -> int: ...
    @property
    def ctime_ns(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Placed:
    """A place and the document found there now."""

    file: FoundFile
    document: DocumentId
    mtime_ns: int
    ctime_ns: int


@dataclass(slots=True)
class Identified:
    """How a scan differs from what is known. Counts are of files."""

    placed: list[Placed] = field(default_factory=list)
    """Places that are new or hold something else, or whose stamp has moved."""
    removed: list[tuple[str, str]] = field(default_factory=list)
    skipped: dict[str, list[FileProblem]] = field(default_factory=dict)
    added: int = 0
    changed: int = 0
    moved: int = 0
    unchanged: int = 0
    hashed: int = 0
    unstable: list[FoundFile] = field(default_factory=list)
    """Files being written at this moment: left as they were until they hold still."""


def identify(
    scans: Sequence[Found],
    known: Mapping[tuple[str, str], KnownPlace],
    *,
    cancel: CancelToken | None = None,
    hash_file: Callable[[FoundFile], DocumentId] | None = None,
    on_file: Callable[[FoundFile, int, int], None] | None = None,
    now_ns: Callable[[], int] = time.time_ns,
) -> Identified:
    """Compare what lies there with what is known, reading only files whose size or times have moved.

    `on_file(file, done, total)` is told of each file that is read. Raises Cancelled.
    """
    hash_one = hash_file or (lambda file: document_id(file.path))
    result = Identified(skipped={scan.folder: list(scan.skipped) for scan in scans if not scan.missing})
    fresh: list[FoundFile] = []
    present: set[tuple[str, str]] = set()
    for scan in scans:
        for file in scan.files:
            present.add((file.folder, file.name))
            if _same_stamp(file, known.get((file.folder, file.name))):
                result.unchanged += 1
            else:
                fresh.append(file)
    gone = list(_vanished(scans, known, present))
    for done, file in enumerate(fresh):
        if cancel is not None:
            cancel.raise_if_cancelled()
        if on_file is not None:
            on_file(file, done, len(fresh))
        _place(file, known, result, hash_one, now_ns)
    _count(result, known, gone)
    result.removed = gone
    return result


def is_unmounted(scan: Found, device: int) -> bool:
    """Whether a watched folder is only the empty place where a drive is usually mounted: it holds nothing, and lies on
    another file system than when files were seen in it (`device`, 0 if never)."""
    return scan.empty and not scan.missing and device not in (0, scan.device)


def _same_stamp(file: FoundFile, place: KnownPlace | None) -> bool:
    return (
        place is not None
        and place.file == file.file
        and place.size == file.size
        and place.mtime_ns == file.mtime_ns
        and place.ctime_ns == file.ctime_ns
    )


def _vanished(
    scans: Iterable[Found], known: Mapping[tuple[str, str], KnownPlace], present: set[tuple[str, str]]
) -> Iterable[tuple[str, str]]:
    """Known places that are gone, in folders that could be read. What could not be seen is not deleted."""
    readable = {scan.folder: scan for scan in scans if not scan.missing}
    for key in known:
        scan = readable.get(key[0])
        if scan is None or key in present:
            continue
        if any(hidden in ("", key[1]) or key[1].startswith(f"{hidden}/") for hidden in scan.unreadable):
            continue
        yield key


def _place(
    file: FoundFile,
    known: Mapping[tuple[str, str], KnownPlace],
    result: Identified,
    hash_one: Callable[[FoundFile], DocumentId],
    now_ns: Callable[[], int],
) -> None:
    try:
        document = hash_one(file)
        after = os.stat(file.path)  # noqa: PTH116
    except OSError as error:
        reason = "permission denied" if isinstance(error, PermissionError) else (error.strerror or str(error)).lower()
        result.skipped.setdefault(file.folder, []).append(FileProblem(file.file, reason))
        return
    result.hashed += 1
    if (after.st_size, after.st_mtime_ns) != (file.size, file.mtime_ns):
        result.unstable.append(file)
        return
    young = now_ns() - max(file.mtime_ns, file.ctime_ns) < _YOUNG_NS
    stamp = (UNSURE, UNSURE) if young else (file.mtime_ns, file.ctime_ns)
    result.placed.append(Placed(file, document, *stamp))


def _count(result: Identified, known: Mapping[tuple[str, str], KnownPlace], gone: Sequence[tuple[str, str]]) -> None:
    left_behind = {known[key].document for key in gone}
    for placed in result.placed:
        before = known.get((placed.file.folder, placed.file.name))
        if before is None:
            if placed.document in left_behind:
                result.moved += 1
            else:
                result.added += 1
        elif before.document == placed.document:
            result.unchanged += 1
        else:
            result.changed += 1
