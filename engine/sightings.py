"""What a scan of the folders saw, in the catalogue's terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.library.identity import Identified
from engine.library.scan import Found
from engine.store.places import PlaceRow, Root, ScanOutcome


def scan_outcome(
    scans: Sequence[Found], seen: Identified, known: Mapping[tuple[str, str], PlaceRow], roots: Mapping[str, Root]
) -> ScanOutcome:
    """What is to be recorded of `scans`, where `known` places and `roots` are recorded already."""
    upserts: list[PlaceRow] = []
    restamps: list[PlaceRow] = []
    for placed in seen.placed:
        file = placed.file
        row = PlaceRow(file.folder, file.name, file.file, placed.document, file.size, placed.mtime_ns, placed.ctime_ns)
        before = known.get((file.folder, file.name))
        same = before is not None and (before.document, before.file) == (row.document, row.file)
        (restamps if same else upserts).append(row)
    return ScanOutcome(
        upserts=tuple(upserts),
        removals=tuple(seen.removed),
        skipped={folder: tuple(problems) for folder, problems in seen.skipped.items()},
        roots={scan.folder: _root(scan, roots.get(scan.folder)) for scan in scans},
        restamps=tuple(restamps),
    )


def _root(scan: Found, before: Root | None) -> Root:
    device = scan.device if scan.files else (before.device if before is not None else 0)
    return Root("missing" if scan.missing else "present", scan.missing, device)
