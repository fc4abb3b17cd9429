"""The environment is made once, mended when broken, and says plainly what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from installers.console import Console
from installers.environment import LOCK, TEST_LOCK, Environment, pip_problem


class RecordedPip(Environment):
    """An environment whose pip only notes what it was asked, and makes the program file."""

    calls: list[tuple[str, ...]]

    def pip(self, *arguments: str, what: str, variables: dict[str, str] | None = None) -> None:
        self.calls.append(arguments)
        Path(self.program).touch()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "installers").mkdir()
    (tmp_path / "installers" / LOCK).write_text("a==1\n")
    (tmp_path / "installers" / TEST_LOCK).write_text("b==1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    return tmp_path


def make(root: Path) -> RecordedPip:
    environment = RecordedPip(root, Console())
    environment.calls = []
    return environment


def test_it_is_made_once_and_only_looked_at_later(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = make(root)
    first.prepare(1, testing=False)
    assert [call[0] for call in first.calls] == ["install", "install"]
    assert str(root / "installers" / LOCK) in first.calls[0]
    assert first.calls[1][-2:] == ("--editable", str(root))
    assert first.ask("import sys; print(sys.prefix)") == str(root / ".venv")
    index = (first.folder / "default-index.txt").read_text()
    assert index.startswith("http"), "the index that pip uses by default is kept for the program, which has no pip"
    assert index.count("\n") == 1
    again = make(root)
    again.prepare(1, testing=False)
    assert again.calls == []
    assert "nothing to do" in capsys.readouterr().out
    testing = make(root)
    testing.prepare(1, testing=True)
    assert str(root / "installers" / TEST_LOCK) in testing.calls[0]
    (root / "installers" / LOCK).write_text("a==2\n")
    changed = make(root)
    changed.prepare(1, testing=False)
    assert changed.calls
    Path(changed.python).unlink()
    broken = make(root)
    broken.prepare(1, testing=False)
    assert broken.calls, "an environment whose Python is gone is made anew"


def test_a_disk_without_room_is_said_before_anything_is_made(root: Path) -> None:
    with pytest.raises(KnownError, match="too full") as caught:
        make(root).prepare(10**18, testing=False)
    assert caught.value.code == "disk-full"
    assert not (root / ".venv").exists()


def test_a_python_without_ensurepip_is_told_what_to_install(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(KnownError, match="cannot make virtual environments") as caught:
        make(root).prepare(1, testing=False)
    assert "python3-venv" in caught.value.help


def test_a_failing_pip_is_explained_and_its_output_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    environment = Environment(root, Console())
    make(root).prepare(1, testing=False)
    with pytest.raises(KnownError, match="No good: the package index has no no-such-thing==1") as caught:
        environment.pip("install", "no-such-thing==1", what="No good")
    assert caught.value.code == "no-package"
    assert "no-such-thing" in (environment.folder / "sheaf-setup.log").read_text()


@pytest.mark.parametrize(
    ("printed", "code", "words"),
    [
        (
            "WARNING: Retrying ... NewConnectionError\nERROR: No matching distribution found for x==1",
            "network",
            "reached",
        ),
        ("OSError: [Errno 28] No space left on device", "disk-full", "disk is full"),
        (
            "SSLError(SSLCertVerificationError(1, CERTIFICATE_VERIFY_FAILED))\nNewConnectionError",
            "certificate",
            "trusted",
        ),
        ("ERROR: No matching distribution found for numpy==2.4.6", "no-package", "numpy==2.4.6 for Python"),
        ("some noise\nERROR: it hurts\nmore noise", "pip", "ERROR: it hurts"),
        ("", "pip", "no reason"),
    ],
)
def test_every_cause_has_its_own_sentence(printed: str, code: str, words: str) -> None:
    problem = pip_problem("It failed", printed, Path("log.txt"))
    assert problem.code == code
    assert words in str(problem)
    assert problem.help


def test_an_old_python_is_refused_in_one_sentence() -> None:
    code = (
        "import sys, runpy; sys.version_info = (3, 9, 1, 'final', 0); sys.argv = ['quickstart.py'];"
        "runpy.run_path('installers/quickstart.py', run_name='__main__')"
    )
    checkout = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert "needs Python 3.11 or newer, and this is Python 3.9" in done.stderr


def test_the_set_up_needs_no_site_packages() -> None:
    checkout = Path(__file__).resolve().parents[2]
    code = f"import sys; sys.path.insert(0, {str(checkout)!r}); import installers.setup_run"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
