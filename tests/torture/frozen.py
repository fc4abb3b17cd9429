"""Builds the program with PyInstaller and lets the built one examine itself, away from this checkout.

    python -m tests.torture.frozen [--built DIST]

Needs pyinstaller and the models ($SHEAF_MODELS, or fetched into the home). With --built an existing dist/sheaf is used.
Checks: one doctor line per component and exit code 0; the sample library is indexed and a question answered with a
citation; the window opens once and stays; no child outlives its parent. Prints one JSON line; exit 1 on a failure.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from tests.requirements import find_models

ROOT = Path(__file__).resolve().parents[2]
_QUESTION = "How many writes does the nonvolatile memory of the SHT1621 bear?"
_COMPONENTS = 9
_WINDOW_SECONDS = 20.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=Path, help="folder of a program that was built before")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-frozen-") as folder:
        scratch = Path(folder)
        built = chosen.built or build(scratch)
        result = examine(built.resolve(), scratch)
    print(json.dumps({"torture": "frozen", **result}))
    return 0 if all(result["checks"].values()) else 1


def build(scratch: Path) -> Path:
    """Run PyInstaller; returns the program's folder."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    places = ["--distpath", str(scratch / "dist"), "--workpath", str(scratch / "work")]
    subprocess.run([*command, *places, str(ROOT / "build.spec")], cwd=scratch, check=True)
    return scratch / "dist" / "sheaf"


def examine(built: Path, scratch: Path) -> dict[str, Any]:
    """Use the built program as somebody would who has nothing else of ours."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT", "TEMP") if key in os.environ}
    variables = {
        **kept,
        "SHEAF_HOME": str(scratch / "home"),
        "SHEAF_MODELS": str(find_models()),
        "QT_QPA_PLATFORM": "offscreen",
    }

    def sheaf(*arguments: str) -> tuple[int, dict[str, Any]]:
        done = subprocess.run(
            [str(built / "sheaf"), "--json", *arguments],
            cwd=scratch,
            env=variables,
            stdout=subprocess.PIPE,
            check=False,
        )
        return done.returncode, json.loads(done.stdout)

    began = time.monotonic()
    code, health = sheaf("doctor")
    components = {one["name"]: one for one in health["components"]}
    sheaf("library", "add", "sample", str(built / "_internal" / "resources" / "sample_library"))
    _, report = sheaf("index", "sample")
    _, answer = sheaf("ask", "sample", _QUESTION, "--quoted")
    windows = open_window(built, variables)
    return {
        "checks": {
            "doctor": code == 0 and len(components) == _COMPONENTS,
            "indexed": report["documents"] > 0 and not report["failed"],
            "cited": bool(answer["citations"]),
            "one window": windows == 1,
            "no child left": not processes(built),
        },
        "components": {name: f"{one['status']} {one['reason']}".strip() for name, one in components.items()},
        "seconds": round(time.monotonic() - began, 1),
    }


def open_window(built: Path, variables: dict[str, str]) -> int:
    """Start the window, kill it the hard way; returns how many window processes of ours there were meanwhile."""
    window = subprocess.Popen([str(built / "sheaf-window"), "--library", "sample"], env=variables)
    time.sleep(_WINDOW_SECONDS)
    alive = sum(not any("--multiprocessing-fork" in word for word in found.cmdline()) for found in processes(built))
    window.kill()
    window.wait()
    time.sleep(2.0)
    return alive


def processes(built: Path) -> list[psutil.Process]:
    """What runs out of the built folder."""
    found = []
    for process in psutil.process_iter(["exe"]):
        if str(process.info["exe"] or "").startswith(str(built)):
            found.append(process)
    return found


if __name__ == "__main__":
    sys.exit(main())
