"""Files of LanceDB tables that no version names: what killed writes and killed clean-ups leave.

LanceDB cannot tell these files from a write under way. Asked to remove them nevertheless it passes over transactions
and deletions that are younger than the oldest version, and over files under a temporary name. Here the library's
writer lock says that nothing is under way. For lancedb 0.40: a manifest is a protobuf that names data and transaction
files by their names, an index by the 16 bytes of its UUID and a deletion file by its number.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from uuid import UUID

from engine.core.errors import BugError

_DELETION = re.compile(r"\d+-\d+-(\d+)\.(arrow|bin)")
_TEMPORARY = (".tmp*", "*#*")
_DELETION_TAG = b"\x18"
"""Field 3 of the manifest's DeletionFile, a varint."""


def is_table(folder: Path) -> bool:
    """Whether a table was ever committed in `folder`: a killed creation or removal leaves one without a version."""
    return next((folder / "_versions").glob("*.manifest"), None) is not None


def remove_table(folder: Path) -> None:
    """Remove a table's folder, whatever is left of it. Raises OSError."""
    if folder.is_dir():
        shutil.rmtree(folder)


def sweep_strays(table: Path, fragments: int) -> None:
    """Remove every file in the folder of a table of `fragments` fragments that none of its versions names.

    Only for the one writer there is, while it writes nothing. Raises OSError, and BugError where versions name fewer
    data files than there are fragments: LanceDB then writes manifests in another way, and nothing is removed.
    """
    manifests = b"\n".join(path.read_bytes() for path in (table / "_versions").glob("*.manifest"))
    data = _files(table / "data")
    strays = [path for path in data if path.name.encode() not in manifests]
    named = len(data) - len(strays)
    if named < fragments:
        raise BugError(f"{table.name} has {fragments} fragments, but its versions name only {named} data files")
    strays += [path for path in _files(table / "_transactions") if path.name.encode() not in manifests]
    strays += [path for path in _files(table / "_deletions") if not _names_deletion(manifests, path)]
    for pattern in _TEMPORARY:
        strays += [path for path in table.rglob(pattern) if path.is_file()]
    for path in strays:
        path.unlink(missing_ok=True)
    for folder in (table / "_indices").glob("*"):
        if folder.is_dir() and not _names_index(manifests, folder):
            shutil.rmtree(folder)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def _names_deletion(manifests: bytes, path: Path) -> bool:
    found = _DELETION.fullmatch(path.name)
    return found is not None and _DELETION_TAG + _varint(int(found[1])) in manifests


def _names_index(manifests: bytes, folder: Path) -> bool:
    try:
        return UUID(folder.name).bytes in manifests
    except ValueError:
        return False


def _varint(number: int) -> bytes:
    """Base-128 form of protobuf, seven bits a byte, the lowest first."""
    septets = bytearray()
    while number > 0x7F:
        septets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*septets, number))
