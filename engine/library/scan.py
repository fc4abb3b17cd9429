"""Walking watched folders: every real folder once, every file of a kind we read, and why the others are left out."""

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.model import FileKind
from engine.core.results import FileProblem
from engine.core.settings import Settings

SUFFIXES = {
    ".pdf": FileKind.PDF,
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
    ".txt": FileKind.TEXT,
    ".html": FileKind.HTML,
    ".htm": FileKind.HTML,
    ".docx": FileKind.DOCX,
    ".pptx": FileKind.PPTX,
    ".xlsx": FileKind.XLSX,
    ".epub": FileKind.EPUB,
}
_TEMPORARY = (".part", ".crdownload", ".download", ".tmp", ".temp", ".partial", ".swp", ".filepart", "~")
_OFFLINE = 0x1000 | 0x40000 | 0x400000
"""Windows: FILE_ATTRIBUTE_OFFLINE, RECALL_ON_OPEN, RECALL_ON_DATA_ACCESS."""
_DATALESS = 0x40000000
"""macOS: SF_DATALESS, a file whose content is still in the cloud."""


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What to take. Patterns are of file names or of paths below the watched folder, case-insensitive."""

    kinds: frozenset[FileKind] = frozenset(SUFFIXES.values())
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = 2_000_000_000
    online_only: bool = False


def scan_options(settings: Settings) -> ScanOptions:
    """What the settings let a scan take."""
    return ScanOptions(
        kinds=frozenset(FileKind(kind) for kind in settings.texts("index.kinds")),
        include=settings.texts("index.include"),
        exclude=settings.texts("index.exclude"),
        max_bytes=int(settings.number("index.max_file_mb") * 1_000_000),
        online_only=settings.flag("index.online_only"),
    )


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file as it lies there now. `name` is the key of the place (NFC), `file` the name as the system spells it."""

    folder: str
    file: str
    name: str
    size: int
    mtime_ns: int
    ctime_ns: int

    @property
    def path(self) -> Path:
        return Path(self.folder) / self.file


@dataclass(slots=True)
class Found:
    """What one watched folder holds. `missing` says in words why the folder itself could not be read, else ""."""

    folder: str
    files: list[FoundFile] = field(default_factory=list)
    skipped: list[FileProblem] = field(default_factory=list)
    missing: str = ""
    complete: bool = True
    """False where some sub-folder could not be read: its known files are then not taken for deleted."""
    device: int = 0
    """Number of the file system that the folder is on now."""
    empty: bool = False
    unreadable: list[str] = field(default_factory=list)
    """Sub-folders and files (relative, forward slashes) that are there and could not be read."""


def scan_folder(
    root: Path,
    options: ScanOptions,
    cancel: CancelToken | None = None,
    on_folder: Callable[[str], None] | None = None,
) -> Found:
    """Walk one watched folder. Never raises for what lies in it; raises Cancelled."""
    found = Found(str(root))
    walk = _Walk(root, options, found)
    try:
        start = root.stat()
        if not stat.S_ISDIR(start.st_mode):
            found.missing = "it is not a folder"
            return found
        with os.scandir(root) as entries:
            found.empty = next(entries, None) is None
    except OSError as error:
        found.missing = _why(error)
        return found
    found.device = start.st_dev
    walk.seen.add((start.st_dev, start.st_ino))
    pending = [""]
    while pending:
        if cancel is not None:
            cancel.raise_if_cancelled()
        inside = pending.pop()
        if on_folder is not None:
            on_folder(inside)
        pending.extend(reversed(list(walk.one_folder(inside))))
    if not _is_there_still(root, start):
        found.missing = "it went away while it was looked at"
    _settle_names(found)
    return found


def _is_there_still(root: Path, start: os.stat_result) -> bool:
    """Whether a folder is the one that was walked: of a drive that is pulled meanwhile only a part has been seen."""
    try:
        end = root.stat()
    except OSError:
        return False
    return (end.st_dev, end.st_ino) == (start.st_dev, start.st_ino)


class _Walk:
    def __init__(self, root: Path, options: ScanOptions, found: Found) -> None:
        self.root = root
        self.options = options
        self.found = found
        self.seen: set[tuple[int, int]] = set()

    def one_folder(self, inside: str) -> Iterator[str]:
        """Take the files of a folder; yield the folders in it that are to be walked."""
        try:
            with os.scandir(self.root / inside if inside else self.root) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.found.complete = False
            self.found.unreadable.append(inside)
            self.skip(inside, f"the folder cannot be read: {_why(error)}")
            return
        for entry in listed:
            name = f"{inside}/{entry.name}" if inside else entry.name
            if entry.name.startswith("."):
                continue
            try:
                if entry.is_dir():
                    if self.first_visit(entry) and not _matches(name, entry.name, self.options.exclude):
                        yield name
                elif self.wanted(name, entry.name):
                    self.take(name, entry)
            except OSError as error:
                if not isinstance(error, FileNotFoundError):
                    self.found.unreadable.append(unicodedata.normalize("NFC", name))
                if self.wanted(name, entry.name):
                    self.skip(name, _why(error))

    def first_visit(self, entry: os.DirEntry[str]) -> bool:
        """Links and junctions may lead to a folder twice, or back to its parent."""
        info = os.stat(entry.path)  # noqa: PTH116 - a DirEntry's own stat has no inode on Windows
        key = (info.st_dev, info.st_ino)
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def wanted(self, name: str, base: str) -> bool:
        if is_temporary(base):
            return False
        kind = SUFFIXES.get(os.path.splitext(base)[1].casefold())  # noqa: PTH122 - 50,000 of them
        if kind is None or kind not in self.options.kinds:
            return False
        if self.options.include and not _matches(name, base, self.options.include):
            return False
        return not _matches(name, base, self.options.exclude)

    def take(self, name: str, entry: os.DirEntry[str]) -> None:
        info = entry.stat()
        if not stat.S_ISREG(info.st_mode):
            return
        if not _speakable(name):
            self.skip(name, "its name holds bytes that are not text; rename it")
        elif info.st_size > self.options.max_bytes:
            self.skip(name, f"it is larger than the limit of {self.options.max_bytes // 1_000_000} MB")
        elif not self.options.online_only and _is_online_only(info):
            self.skip(name, "it is only in the cloud; download it, or allow online-only files in the settings")
        else:
            self.found.files.append(
                FoundFile(
                    folder=self.found.folder,
                    file=name,
                    name=unicodedata.normalize("NFC", name),
                    size=info.st_size,
                    mtime_ns=info.st_mtime_ns,
                    ctime_ns=info.st_ctime_ns,
                )
            )

    def skip(self, name: str, reason: str) -> None:
        self.found.skipped.append(FileProblem(_shown(name) or ".", reason))


def takes(options: ScanOptions, name: str) -> bool:
    """Whether a file of this path (relative, forward slashes) is of a wanted kind and passes the patterns."""
    inside = name.split("/")
    folders = ["/".join(inside[:depth]) for depth in range(1, len(inside))]
    if any(_matches(path, path.rsplit("/", 1)[-1], options.exclude) for path in folders):
        return False
    return _Walk(Path(), options, Found("")).wanted(name, inside[-1])


def is_temporary(base: str) -> bool:
    """Whether a file name is that of a hidden file, an office lock, or a download or copy still under way."""
    return base.startswith((".", "~$")) or base.casefold().endswith(_TEMPORARY)


def _settle_names(found: Found) -> None:
    """Two spellings of one name (composed, decomposed) lie side by side on some systems: both stay, told apart."""
    taken: set[str] = set()
    for n, file in enumerate(found.files):
        if file.name in taken:
            found.files[n] = replace(file, name=file.file)
        taken.add(found.files[n].name)


def _matches(name: str, base: str, patterns: tuple[str, ...]) -> bool:
    if not patterns:
        return False
    folded, short = name.casefold(), base.casefold()
    return any(fnmatchcase(folded, p.casefold()) or fnmatchcase(short, p.casefold()) for p in patterns)


def _speakable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


def _is_online_only(info: os.stat_result) -> bool:
    if sys.platform == "win32":
        return bool(info.st_file_attributes & _OFFLINE)
    return bool(getattr(info, "st_flags", 0) & _DATALESS)


def _why(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "permission denied"
    if isinstance(error, FileNotFoundError):
        return "it is not there"
    return (error.strerror or str(error)).lower()
