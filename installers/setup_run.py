"""What quickstart does, in order: environment, packages, models, then the window, the terminal job or the tests."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from engine.core.errors import Cancelled, KnownError
from engine.models.catalogue import ModelSpec
from engine.models.download import megabytes
from engine.models.pipconfig import read_index_settings
from engine.models.store import ModelStore
from installers.background import BackgroundFetch
from installers.console import Console
from installers.environment import Environment
from installers.runtime import install_model_runtime
from installers.sample_job import SampleJob

ROOT = Path(__file__).resolve().parent.parent
NEEDED_BYTES = 2_500_000_000
"""Room for the environment, and for what the package installer unpacks on the way."""
EXIT_BUG, EXIT_WORLD, EXIT_CANCELLED = 1, 3, 130


def main(arguments: list[str]) -> int:
    """Run quickstart; returns the exit code: 0 done, 3 something is missing here (and was named), 130 stopped."""
    chosen, rest = _parser().parse_known_args(arguments)
    if rest and chosen.action != "test":
        _parser().error(f"unknown arguments: {' '.join(rest)}")
    console = Console()
    try:
        return _run(chosen, rest, console)
    except KnownError as problem:
        console.fail(problem)
        return EXIT_WORLD
    except (KeyboardInterrupt, Cancelled):
        console.say("Stopped. Run the same command again to go on from here.")
        return EXIT_CANCELLED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quickstart.py", description="Set Sheaf up in this checkout and show it at work."
    )
    parser.add_argument("action", nargs="?", choices=["test"], help="run the test suite instead (rest: pytest's)")
    parser.add_argument("--model", choices=["standard", "small"], help="also fetch this answering model")
    parser.add_argument("--terminal", action="store_true", help="no window, even where there is a display")
    parser.add_argument("--setup-only", action="store_true", help="set up and stop")
    return parser


def _run(chosen: argparse.Namespace, rest: list[str], console: Console) -> int:
    testing = chosen.action == "test"
    environment = Environment(ROOT, console)
    environment.prepare(NEEDED_BYTES, testing=testing)
    store = ModelStore(_models_folder(environment), settings=lambda: read_index_settings(prefix=environment.folder))
    _fetch_first(store, console, roles=("embedder", "reranker", "test") if testing else ("embedder", "reranker"))
    missing_runtime = install_model_runtime(environment, console)
    if chosen.setup_only:
        return 0
    if testing:
        return _run_tests(environment, store, missing_runtime, rest, console)
    answering = _choose_model(chosen, store, missing_runtime, console)
    fetch = BackgroundFetch(store, answering) if answering is not None else None
    with fetch or console.nothing():
        if has_display() and not chosen.terminal:
            trouble = window_trouble(environment)
            if not trouble:
                return _open_window(environment, fetch, console)
            console.say(f"The window cannot be opened here, so this goes on in the terminal. {trouble}")
        return _work_in_terminal(environment, store, fetch, missing_runtime, console)


def has_display() -> bool:
    """Can a window be opened here?"""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def window_trouble(environment: Environment) -> str:
    """Why Qt cannot open a window here, in its own words, or "": asked of a child, since Qt ends its process."""
    opened = "from PySide6.QtWidgets import QApplication; QApplication([])"
    done = subprocess.run(
        [environment.python, "-c", opened],
        cwd=ROOT,
        env=environment.variables(),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return ""
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    missing = next(
        (line for line in said if "is needed" in line or "cannot open shared" in line), said[0] if said else ""
    )
    return f"{missing.removeprefix('qt.qpa.plugin: ')} Install what it names and run the same again.".strip()


def _models_folder(environment: Environment) -> Path:
    """Where the program will look for them: in its home, or in $SHEAF_MODELS."""
    asked = "from engine.core.paths import find_home; print(find_home().models)"
    return Path(environment.ask(asked))


def _fetch_first(store: ModelStore, console: Console, *, roles: tuple[str, ...]) -> None:
    """The models that nothing works without; small, and never asked about."""
    specs = [spec for role in roles for spec in store.catalogue.with_role(role)]
    if any(store.info(spec.id).state != "ok" for spec in specs):
        console.say(f"Fetching {', '.join(spec.title for spec in specs)} into {store.folder}")
        store.fetch([spec.id for spec in specs], console.progress)
        console.end_progress()
    console.say("Models are here and verified: " + ", ".join(spec.id for spec in specs))


def _choose_model(
    chosen: argparse.Namespace, store: ModelStore, missing_runtime: str, console: Console
) -> ModelSpec | None:
    """The answering model to fetch now: named by --model, or agreed to in an interactive terminal."""
    name = chosen.model
    asked_in_window = has_display() and not chosen.terminal
    if not name and not missing_runtime and not asked_in_window and console.interactive:
        if any(store.info(spec.id).state == "ok" for spec in store.catalogue.with_role("answering")):
            return None
        standard, small = store.catalogue.find("standard"), store.catalogue.find("small")
        name = console.choose(
            "Fetch an answering model, in the background? Sheaf answers by quoting until it is here.",
            {
                "standard": f"{standard.title}, {megabytes(standard.size_bytes)}, the better answers",
                "small": f"{small.title}, {megabytes(small.size_bytes)}",
                "none": "not now",
            },
        )
    if not name or name == "none":
        return None
    if missing_runtime:
        console.say(f"The model {name} is not fetched, since it could not be run here: {missing_runtime}")
        return None
    return store.catalogue.find(name)


def _open_window(environment: Environment, fetch: BackgroundFetch | None, console: Console) -> int:
    SampleJob(environment, console).add_library()
    console.say("Opening the window on the sample library.")
    code = subprocess.run(
        [environment.python, "-m", "desktop", "--library", SampleJob.NAME],
        cwd=ROOT,
        env=environment.variables(),
        check=False,
    ).returncode
    if fetch is not None and code == 0:
        fetch.finish(console)
    return code


def _work_in_terminal(
    environment: Environment,
    store: ModelStore,
    fetch: BackgroundFetch | None,
    missing_runtime: str,
    console: Console,
) -> int:
    job = SampleJob(environment, console)
    job.add_library()
    job.index()
    good = job.answer()
    if fetch is not None:
        fetch.finish(console)
        good = job.answer(fetch.model) and good
    elif missing_runtime:
        console.say(f"\nSheaf is installed without its answering model and answers by quoting: {missing_runtime}")
    elif not any(store.info(spec.id).state == "ok" for spec in store.catalogue.with_role("answering")):
        console.say("\nThese answers were quoted, without a language model. To fetch one that words its own answers:")
        for name in ("standard", "small"):
            size = megabytes(store.catalogue.find(name).size_bytes)
            console.say(f"  {Path(sys.executable).name} installers/quickstart.py --model {name}   ({size})")
    console.say(f"\nThe command line: {environment.program} --help    The window: {environment.python} -m desktop")
    return 0 if good else EXIT_BUG


def _run_tests(
    environment: Environment, store: ModelStore, missing_runtime: str, rest: list[str], console: Console
) -> int:
    select: list[str] = []
    if missing_runtime:
        if os.environ.get("CI"):
            raise KnownError(
                f"The suite cannot run whole here: {missing_runtime}",
                help="Install it on this machine.",
                code="runtime",
            )
        console.say(f"Tests with a real language model are left out: {missing_runtime}")
        select = ["-m", "not real_model"]
    variables = environment.variables()
    variables["SHEAF_MODELS"] = str(store.folder)
    variables.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [environment.python, "-m", "pytest", "-n", "2", *select, *rest]
    console.say("Running the tests: " + " ".join(["pytest", *command[3:]]))
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
