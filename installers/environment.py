"""The virtual environment of this checkout and the locked packages in it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from pathlib import Path

from engine.core.errors import KnownError
from engine.models.download import disk_errors, megabytes, require_space
from engine.models.pipconfig import DEFAULT_INDEX_FILE
from installers.console import Console

LOCK, TEST_LOCK, MODEL_LOCK = "requirements.lock", "requirements-test.lock", "requirements-model.lock"
_STAMP = "sheaf-setup.json"
_LOG = "sheaf-setup.log"
_HEARTBEAT = 0.5


class Environment:
    """`.venv` in the checkout. What was installed is noted in it, so that a second set-up only looks."""

    def __init__(self, root: Path, console: Console) -> None:
        self._root = root
        self._console = console
        self.folder = root / ".venv"
        scripts = self.folder / ("Scripts" if sys.platform == "win32" else "bin")
        self.python = str(scripts / ("python.exe" if sys.platform == "win32" else "python"))
        self.program = str(scripts / ("sheaf.exe" if sys.platform == "win32" else "sheaf"))

    def prepare(self, needed_bytes: int, *, testing: bool) -> None:
        """Make the environment and install the locked packages, as far as that is not done yet.

        Raises KnownError naming what is missing: the venv module, room on the disk, the network, a package.
        """
        locks = [LOCK, TEST_LOCK] if testing else [LOCK]
        self._make(needed_bytes)
        wanted = {lock: self.hash_of(self.lock_path(lock)) for lock in locks}
        wanted["pyproject.toml"] = self.hash_of(self._root / "pyproject.toml")
        noted = self.noted()
        if all(noted.get(key) == value for key, value in wanted.items()) and Path(self.program).exists():
            self._console.say(f"Environment {self.folder}: nothing to do")
            return
        self._console.say(f"Installing the locked packages into {self.folder}")
        arguments = [word for lock in locks for word in ("-r", str(self.lock_path(lock)))]
        self.pip("install", *arguments, what="The locked packages could not be installed")
        self.pip("install", "--no-deps", "--editable", str(self._root), what="Sheaf itself could not be installed")
        self._note_default_index()
        self.note(**wanted)

    def lock_path(self, name: str) -> Path:
        return self._root / "installers" / name

    def variables(self) -> dict[str, str]:
        """Environment variables for a child that runs in this environment."""
        kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONHOME", "PYTHONPATH")}
        kept["VIRTUAL_ENV"] = str(self.folder)
        kept["PYTHONUTF8"] = "1"
        return kept

    def ask(self, code: str) -> str:
        """What a line of Python prints in this environment."""
        done = subprocess.run(
            [self.python, "-c", code], cwd=self._root, env=self.variables(), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise KnownError(
                f"The environment {self.folder} does not work: {_last_line(done.stderr)}",
                help="Delete that folder and run the same again.",
                code="environment",
            )
        return done.stdout.strip()

    def pip(self, *arguments: str, what: str, variables: dict[str, str] | None = None) -> None:
        """Run pip in the environment, with a sign of life and a log. Raises KnownError that begins with `what`."""
        command = [self.python, "-m", "pip", *arguments, "--disable-pip-version-check", "--no-input"]
        log = self.folder / _LOG
        with log.open("a+", encoding="utf-8", errors="replace") as out:
            start = out.tell()
            code = self._run_with_heartbeat(command, out.fileno(), {**self.variables(), **(variables or {})}, log)
            out.seek(start)
            text = out.read() if code else ""
        self._console.end_progress()
        if code:
            raise pip_problem(what, text, log)

    def noted(self) -> dict[str, str]:
        try:
            found = json.loads((self.folder / _STAMP).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def note(self, **facts: str) -> None:
        """Remember what was done, for the next run."""
        part = self.folder / (_STAMP + ".part")
        part.write_text(json.dumps({**self.noted(), **facts}, indent=1), encoding="utf-8")
        part.replace(self.folder / _STAMP)

    @staticmethod
    def hash_of(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def _make(self, needed_bytes: int) -> None:
        if Path(self.python).exists() and self._works():
            return
        if importlib.util.find_spec("ensurepip") is None:
            raise KnownError(
                "This Python cannot make virtual environments: its ensurepip module is missing.",
                help="On Debian and Ubuntu: apt install python3-venv. Then run the same again.",
                code="no-venv",
            )
        require_space(self._root, needed_bytes)
        self._console.say(f"Making the environment {self.folder} ({megabytes(needed_bytes)} of disk at most)")
        with disk_errors(self._root):
            try:
                venv.EnvBuilder(clear=True, with_pip=True, symlinks=sys.platform != "win32").create(self.folder)
            except subprocess.CalledProcessError as error:
                raise KnownError(
                    f"The environment {self.folder} could not be made: {error}.",
                    help="Check that this Python is whole, then run the same again.",
                    code="no-venv",
                ) from error

    def _works(self) -> bool:
        """An environment dies with the Python it was made from, and one of another version has other packages."""
        code = "import sys, pip; print(*sys.version_info[:2])"
        done = subprocess.run(
            [self.python, "-c", code], env=self.variables(), capture_output=True, text=True, check=False
        )
        return done.returncode == 0 and tuple(map(int, done.stdout.split())) == sys.version_info[:2]

    def _note_default_index(self) -> None:
        """Keep the index that pip uses where none is configured: the program fetches models without pip."""
        done = subprocess.run(
            [self.python, "-m", "pip", "download", "--help"],
            env={**self.variables(), "COLUMNS": "400"},
            capture_output=True,
            text=True,
            check=False,
        )
        found = re.search(r"--index-url .*?\(default\s+(\S+?)\)", done.stdout, re.DOTALL)
        if found:
            (self.folder / DEFAULT_INDEX_FILE).write_text(found.group(1) + "\n", encoding="utf-8")

    def _run_with_heartbeat(self, command: Sequence[str], out: int, variables: dict[str, str], log: Path) -> int:
        began = time.monotonic()
        process = subprocess.Popen(
            command, cwd=self._root, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            while True:
                try:
                    return process.wait(_HEARTBEAT)
                except subprocess.TimeoutExpired:
                    minutes, seconds = divmod(int(time.monotonic() - began), 60)
                    self._console.status(f"  {minutes}:{seconds:02} {_current_line(log)}")
        except BaseException:
            process.terminate()
            process.wait()
            raise


_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|Failed to establish a new connection"
    r"|ConnectTimeout|ReadTimeout|Connection refused|ProxyError|Network is unreachable|Connection broken"
    r"|RemoteDisconnected"
)
_STEP = re.compile(r"\[\d+/\d+\] ")
_CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError")
_NO_SPACE = re.compile(r"No space left on device|\[Errno 28\]|not enough space on the disk")
_NO_PACKAGE = re.compile(r"No matching distribution found for (\S+)")


def pip_problem(what: str, text: str, log: Path) -> KnownError:
    """The cause of pip's failure in one sentence, told from what it printed."""
    again = "then run the same again: it goes on from here."
    if _NO_SPACE.search(text):
        return KnownError(f"{what}: the disk is full.", help=f"Free some space, {again}", code="disk-full")
    if _CERTIFICATE.search(text):
        return KnownError(
            f"{what}: the certificate of the package index is not trusted here.",
            help=f"Set \"cert\" in pip's configuration to your network's certificate authority, {again}",
            code="certificate",
        )
    if _NETWORK.search(text):
        return KnownError(
            f"{what}: the package index cannot be reached.",
            help=f"Check the network, and the index and proxy configured for pip, {again}",
            code="network",
            retryable=True,
        )
    if missing := _NO_PACKAGE.search(text):
        found = ".".join(map(str, sys.version_info[:2]))
        return KnownError(
            f"{what}: the package index has no {missing.group(1)} for Python {found} on this system.",
            help=f"Try another Python version (3.11 to 3.13 are well served); details are in {log}.",
            code="no-package",
        )
    return KnownError(f"{what}: {_last_line(text)}", help=f"Details are in {log}.", code="pip")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no reason was given"])[-1]


def _current_line(log: Path) -> str:
    """What pip is doing, from the end of its log."""
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - 2000))
        lines = [line.strip() for line in stream.read().decode("utf-8", "replace").splitlines() if line.strip()]
    steps = [line for line in lines if _STEP.match(line)]  # of a build: "[57/214] Building ..."
    return (steps or lines or [""])[-1]
