"""An answering model that arrives while search and quoted answers already work."""

from __future__ import annotations

import threading

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError, SheafError
from engine.core.events import Event, FetchProgress
from engine.models.catalogue import ModelSpec
from engine.models.store import ModelStore
from installers.console import Console


class BackgroundFetch:
    """Fetches from entering the block on; leaving the block stops what has not finished (it can be continued)."""

    def __init__(self, store: ModelStore, spec: ModelSpec) -> None:
        self.model = spec.id
        self._store = store
        self._cancel = CancelToken()
        self._latest: FetchProgress | None = None
        self._problem: SheafError | None = None
        self._thread = threading.Thread(target=self._run, name="fetch-model")

    def __enter__(self) -> BackgroundFetch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._cancel.cancel()
        self._thread.join()

    def finish(self, console: Console) -> None:
        """Wait for the rest, showing how far it is. Raises what the fetch raised."""
        if self._thread.is_alive():
            console.say(f"\nFetching the model {self.model}; what has arrived is kept if you stop it.")
        while self._thread.is_alive():
            if self._latest is not None:
                console.progress(self._latest)
            self._thread.join(0.2)
        if self._problem is not None:
            raise self._problem
        console.say(f"The model {self.model} is here and verified.")

    def _run(self) -> None:
        try:
            self._store.fetch(self.model, self._note, self._cancel)
        except SheafError as problem:
            self._problem = problem
        except OSError as problem:
            self._problem = KnownError(
                f"The model {self.model} could not be stored: {problem}.", help="Mend that, then run the same again."
            )

    def _note(self, event: Event) -> None:
        if isinstance(event, FetchProgress):
            self._latest = event
