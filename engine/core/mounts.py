"""What kind of place a folder is: a local disk, a share of the network, a folder that a program copies to a cloud."""

from __future__ import annotations

import sys
from pathlib import Path

_NETWORK = frozenset(
    (
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "afpfs",
        "9p",
        "ncpfs",
        "davfs",
        "webdav",
        "glusterfs",
        "ceph",
    )
)
_MOUNTS = Path("/proc/self/mountinfo")
_CLOUDS = {
    "onedrive": "OneDrive",
    "dropbox": "Dropbox",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "mobile documents": "iCloud",
    "icloud drive": "iCloud",
    "iclouddrive": "iCloud",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "box sync": "Box",
    "pcloud drive": "pCloud",
    "creative cloud files": "Creative Cloud",
}
"""Names that programs give to the folder they copy. "OneDrive - Company" counts as well."""
_MARKS = {
    ".dropbox": "Dropbox",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
    ".stfolder": "Syncthing",
}
"""Files and folders by which such a folder is known, whatever its name."""


def is_network(folder: Path) -> bool:
    """Whether a folder lies on a share: other users' changes raise no events here, and the connection may break."""
    if sys.platform == "win32":
        return str(folder).startswith("\\\\") or _is_remote_drive(folder)
    kind = file_system(folder)
    return kind in _NETWORK or kind.startswith("fuse.")


def synced_by(folder: Path) -> str:
    """Name of the program that copies a folder to a cloud, "" where none is known to."""
    for one in (folder, *folder.parents):
        name = one.name.casefold().partition(" - ")[0]
        if name in _CLOUDS:
            return _CLOUDS[name]
        for mark, program in _MARKS.items():
            if (one / mark).exists():
                return program
    return ""


def file_system(folder: Path) -> str:
    """Type of the file system that holds `folder`, from the longest mount point above it; "" where unknown."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in lines:
        left, _, right = line.partition(" - ")
        fields = left.split()
        if len(fields) < 5 or not right:
            continue
        point = fields[4].replace("\\040", " ")
        inside = str(folder) == point or str(folder).startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, kind = len(point), right.split()[0]
    return kind


def _is_remote_drive(folder: Path) -> bool:
    if sys.platform != "win32":
        return False
    import ctypes

    return bool(ctypes.windll.kernel32.GetDriveTypeW(f"{folder.drive}\\") == 4)
