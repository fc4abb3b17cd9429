"""llama-cpp-python, which is built from source: once, kept as a wheel, and done without where it cannot be built."""

from __future__ import annotations

import os
import shutil
import sys

from engine.core.errors import KnownError
from installers.console import Console
from installers.environment import MODEL_LOCK, Environment

_COMPILERS = ("c++", "g++", "clang++", "cl")
_PACKAGE = "llama-cpp-python"


def install_model_runtime(environment: Environment, console: Console) -> str:
    """Install what runs the answering model; returns "" or, in words, why it is missing.

    The wheel is kept in `.venv/wheels`, so that only its first build takes minutes. A failure is remembered until the
    lock file, the Python or the compiler changes.
    """
    compiler = find_compiler()
    lock = environment.lock_path(MODEL_LOCK)
    key = f"{environment.hash_of(lock)} {'.'.join(map(str, sys.version_info[:3]))} {compiler}"
    noted = environment.noted()
    if noted.get("model-runtime") == key:
        if noted.get("model-runtime-missing"):
            console.say(f"Without an answering model: {noted['model-runtime-missing']}")
        return noted.get("model-runtime-missing", "")
    missing = ""
    try:
        _install(environment, console, lock.read_text(encoding="utf-8"), compiler)
    except KnownError as problem:
        if problem.code in ("network", "certificate", "disk-full"):
            raise
        missing = problem.message if compiler else "there is no C++ compiler on this machine to build it with."
        console.say(f"Going on without an answering model: {missing} Sheaf answers by quoting.")
    environment.note(**{"model-runtime": key, "model-runtime-missing": missing})
    return missing


def find_compiler() -> str:
    """Path of a C++ compiler, "" if there is none."""
    named = os.environ.get("CXX", "").split(" ")[0]
    for name in (named, *_COMPILERS):
        if name and (found := shutil.which(name)):
            return found
    return ""


def _install(environment: Environment, console: Console, lock: str, compiler: str) -> None:
    pin = next(line for line in lock.splitlines() if line.startswith(_PACKAGE))
    wheels = environment.folder / "wheels"
    wheels.mkdir(exist_ok=True)
    name, _, version = pin.partition("==")
    if not list(wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl")):
        _make_wheel(environment, console, pin, compiler)
    console.say("Installing what runs the answering model")
    environment.pip(
        "install",
        "--find-links",
        str(wheels),
        "-r",
        str(environment.lock_path(MODEL_LOCK)),
        what=f"{_PACKAGE} could not be installed",
    )


def _make_wheel(environment: Environment, console: Console, pin: str, compiler: str) -> None:
    wheels = str(environment.folder / "wheels")
    if not compiler:
        # Some indexes hold a built wheel; without a compiler that is the only chance.
        environment.pip(
            "download", "--no-deps", "--only-binary=:all:", "-d", wheels, pin, what=f"{_PACKAGE} is not to be had built"
        )
        return
    console.say(f"Building {_PACKAGE} from source with {compiler}; this takes some minutes, once")
    parallel = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    options = os.environ.get("CMAKE_ARGS", "-DLLAVA_BUILD=OFF")  # pictures are not shown to the model
    environment.pip(
        "wheel",
        "--verbose",
        "--no-deps",
        "-w",
        wheels,
        pin,
        what=f"{_PACKAGE} could not be built",
        variables={"CMAKE_BUILD_PARALLEL_LEVEL": parallel, "CMAKE_ARGS": options},
    )
