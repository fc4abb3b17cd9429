"""What the next index run will do again, and about how long it will take: told before it is begun."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from engine.core.results import Forecast
from engine.store.catalog import Catalog
from engine.store.database import plain_errors
from engine.store.ledger import Ledger
from engine.store.places import Places

_KEY = "pace"
_MADE_BY = "made by"
_USUAL_PAGES = 5.0
_USUAL_PASSAGES = 20.0
"""Per second, where this library has not been measured: what two cores did (ARCHITECTURE.md)."""
_LEAST_PAGES = 20


def forecast(
    catalog: Catalog, stages: Mapping[str, str], attempt: str, table: str, takes: Callable[[str], bool]
) -> Forecast:
    """Documents that are known and would be read again with `stages` (stage -> version) and `attempt`, and passages
    that would be embedded again for the vector table `table`. Documents of whose files
    `takes` (relative path) says no to all will leave. Files that nobody has read yet are not counted."""
    with plain_errors(catalog.path):
        known = dict(
            catalog.connections.get().execute("SELECT id, max(pages, 1) FROM documents WHERE status != 'pending'")
        )
    again = [place.document for place in Ledger(catalog).pending(stages, attempt) if place.document in known]
    pages = sum(known[document] for document in again)
    visible = catalog.visible()
    passages = catalog.totals()[2] if visible.vectors not in ("", table) else 0
    staying = {place.document for place in Places(catalog).known().values() if takes(place.file)}
    leaving = sum(one.id not in staying for one in catalog.documents())
    seconds = pages / _pages_per_second(catalog) + passages / _USUAL_PASSAGES
    return Forecast(len(again), pages, passages, seconds, leaving)


def is_other(catalog: Catalog, made_by: str) -> bool:
    """Whether the last run was made by other versions or settings, so that something may be done again."""
    return catalog.meta(_MADE_BY) not in ("", made_by)


def note_run(catalog: Catalog, made_by: str, pages: int, seconds: float) -> None:
    """Keep by what a run was made and how fast it has read pages. The writer lock must be held."""
    if catalog.meta(_MADE_BY) != made_by:
        Ledger(catalog).set_meta(_MADE_BY, made_by)
    if pages >= _LEAST_PAGES and seconds > 0:
        Ledger(catalog).set_meta(_KEY, json.dumps(round(pages / seconds, 3)))


def _pages_per_second(catalog: Catalog) -> float:
    return max(0.01, float(json.loads(catalog.meta(_KEY, str(_USUAL_PAGES)))))
