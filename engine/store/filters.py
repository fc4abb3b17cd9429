"""Which documents pass a search filter: folder, document, part, file type, date."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.core.ids import DocumentId
from engine.core.results import SearchFilter
from engine.core.text import part_key

ALL_PLACES = (
    "SELECT document, folder, file, mtime_ns FROM places"
    " UNION ALL SELECT former, folder, file, mtime_ns FROM places WHERE former != ''"
)
"""A changed file is the place of its former content too, until the new is indexed."""


def passing(database: Any, chosen: SearchFilter) -> list[DocumentId] | None:
    """Documents that pass, by id; None if the filter restricts no documents."""
    if not any((chosen.folders, chosen.documents, chosen.parts, chosen.kinds, chosen.since, chosen.until)):
        return None
    rows = database.execute("SELECT id, parts, kind FROM documents WHERE generation IS NOT NULL").fetchall()
    allowed = {
        document
        for document, parts, kind in rows
        if (not chosen.kinds or kind in chosen.kinds) and _has_part(parts, chosen.parts)
    }
    if chosen.documents:
        allowed &= set(chosen.documents)
    if chosen.folders:
        allowed &= _under(database.execute(ALL_PLACES), chosen.folders)
    if chosen.since or chosen.until:
        allowed &= _dated(database.execute(ALL_PLACES), chosen.since[:10], chosen.until[:10])
    return sorted(DocumentId(document) for document in allowed)


def _has_part(parts: str, wanted: Sequence[str]) -> bool:
    """Whether one of a document's parts (JSON) is wanted, in whatever spelling: lm317n is LM317-N."""
    if not wanted:
        return True
    keys = {part_key(part) for part in json.loads(parts)}
    return any(part_key(part) in keys for part in wanted)


def _under(places: Iterable[tuple[str, str, str, int]], folders: Sequence[str]) -> set[str]:
    """Documents in watched folders, or below paths inside one."""
    wanted = [folder.replace("\\", "/").rstrip("/") for folder in folders]
    inside: set[str] = set()
    for document, folder, file, _ in places:
        full = f"{folder.replace(chr(92), '/').rstrip('/')}/{file}"
        if any(full.startswith(f"{one}/") or file.startswith(f"{one}/") or full == one for one in wanted):
            inside.add(document)
    return inside


def _dated(places: Iterable[tuple[str, str, str, int]], since: str, until: str) -> set[str]:
    """Documents with a file changed between two ISO dates, both included; "" is open."""
    inside: set[str] = set()
    for document, folder, file, stamp in places:
        day = _day(Path(folder) / file, stamp)
        if day and (not since or day >= since) and (not until or day <= until):
            inside.add(document)
    return inside


def _day(path: Path, stamp: int) -> str:
    """ISO date of a file's last change. A scan notes no stamp for a file that had just changed: it is asked again."""
    if stamp < 0:
        try:
            stamp = path.stat().st_mtime_ns
        except OSError:
            return ""
    return datetime.fromtimestamp(stamp / 1e9, UTC).date().isoformat()
