"""What quickstart decides: which models, which answerer, window or terminal, which tests."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from installers import setup_run
from installers.background import BackgroundFetch
from installers.console import Console
from installers.environment import MODEL_LOCK, Environment
from installers.runtime import find_compiler, install_model_runtime
from installers.sample_job import sample_questions
from tests.engine.models.index_server import Site, serve
from tests.engine.models.small_models import make_kit
from tests.engine.models.stocked import check_whole, offer_all, store_for


class FakeEnvironment(Environment):
    """Notes pip's calls; a wheel appears where one is built, unless `fails`."""

    def __init__(self, root: Path, fails: KnownError | None = None) -> None:
        super().__init__(root, Console())
        self.calls: list[tuple[str, ...]] = []
        self.fails = fails
        self.folder.mkdir(exist_ok=True)
        self.lock_path(MODEL_LOCK).parent.mkdir(exist_ok=True)
        self.lock_path(MODEL_LOCK).write_text("# header\njinja2==3\nllama-cpp-python==0.3.36\n")

    def pip(self, *arguments: str, what: str, variables: dict[str, str] | None = None) -> None:
        self.calls.append(arguments)
        if self.fails is not None:
            raise self.fails
        if arguments[0] == "wheel":
            (self.folder / "wheels" / "llama_cpp_python-0.3.36-py3-none-any.whl").touch()


def test_the_runtime_is_built_once_and_kept_as_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("installers.runtime.find_compiler", lambda: "/usr/bin/c++")
    environment = FakeEnvironment(tmp_path)
    assert install_model_runtime(environment, Console()) == ""
    assert [call[0] for call in environment.calls] == ["wheel", "install"]
    environment.calls.clear()
    assert install_model_runtime(environment, Console()) == ""
    assert environment.calls == []
    environment.lock_path(MODEL_LOCK).write_text("jinja2==4\nllama-cpp-python==0.3.36\n")
    install_model_runtime(environment, Console())
    assert [call[0] for call in environment.calls] == ["install"], "the wheel that was built serves again"


def test_without_a_compiler_sheaf_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("installers.runtime.find_compiler", lambda: "")
    environment = FakeEnvironment(tmp_path, KnownError("nothing built there", code="no-package"))
    missing = install_model_runtime(environment, Console())
    assert "no C++ compiler" in missing
    assert "answers by quoting" in capsys.readouterr().out
    assert environment.calls[0][0] == "download", "a built wheel might be had"
    environment.calls.clear()
    assert install_model_runtime(environment, Console()) == missing
    assert environment.calls == []
    monkeypatch.setattr("installers.runtime.find_compiler", lambda: "/usr/bin/c++")
    environment.fails = None
    assert install_model_runtime(environment, Console()) == "", "a compiler that appeared is used"


def test_no_network_is_no_reason_to_go_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("installers.runtime.find_compiler", lambda: "/usr/bin/c++")
    environment = FakeEnvironment(tmp_path, KnownError("no network", code="network"))
    with pytest.raises(KnownError, match="no network"):
        install_model_runtime(environment, Console())
    assert environment.noted() == {}


def test_the_compiler_named_by_the_user_counts_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "my-c++"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setenv("CXX", f"{own} -O2")
    assert find_compiler() == str(own)
    monkeypatch.setenv("CXX", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler() == ""


@pytest.mark.parametrize(
    ("variables", "seen"),
    [({}, False), ({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "wayland-0"}, True), ({"DISPLAY": ""}, False)],
)
def test_a_display_is_told_by_its_variables(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], seen: bool
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert setup_run.has_display() is seen


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for Python")
@pytest.mark.parametrize(
    ("said", "code", "told"),
    [
        ("", 0, ""),
        (
            "qt.qpa.plugin: From 6.5.0, xcb-cursor0 or libxcb-cursor0 is needed to load the Qt xcb platform plugin.\n"
            "This application failed to start because no Qt platform plugin could be initialized.",
            134,
            "From 6.5.0, xcb-cursor0 or libxcb-cursor0 is needed",
        ),
        ("ImportError: libEGL.so.1: cannot open shared object file: No such file or directory", 1, "libEGL.so.1"),
        ("qt.qpa.xcb: could not connect to display :9", 134, "could not connect to display :9"),
    ],
)
def test_what_keeps_the_window_from_opening_is_told(tmp_path: Path, said: str, code: int, told: str) -> None:
    environment = FakeEnvironment(tmp_path)
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{said}\nEND\nexit {code}\n")
    python.chmod(0o755)
    environment.python = str(python)
    trouble = setup_run.window_trouble(environment)
    assert told in trouble
    assert bool(trouble) is bool(code)


class Typing(Console):
    """An interactive console at which somebody has typed."""

    interactive = True  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("typed", "chosen"), [("", None), ("small", "test"), ("stan", "big"), ("x\nnone", None), ("s\nstandard", "big")]
)
def test_a_person_is_asked_once_and_enter_means_no(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, chosen: str | None
) -> None:
    lines = iter([*typed.split("\n"), ""])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(lines))
    kit = make_kit()
    store = store_for(tmp_path, kit)
    small = kit.catalogue.find("big")
    renamed = type(small)(**{**{f: getattr(small, f) for f in small.__slots__}, "id": "test", "choice": "small"})
    object.__setattr__(kit.catalogue, "models", (*kit.catalogue.models, renamed))
    options = argparse.Namespace(model=None, terminal=True)
    found = setup_run._choose_model(options, store, "", Typing())
    assert (found.id if found else None) == chosen


def test_unattended_nothing_is_fetched_unless_named(tmp_path: Path) -> None:
    store = store_for(tmp_path, make_kit())
    quiet = Console()
    assert setup_run._choose_model(argparse.Namespace(model=None, terminal=True), store, "", quiet) is None
    named = setup_run._choose_model(argparse.Namespace(model="standard", terminal=True), store, "", quiet)
    assert named is not None
    assert named.id == "big"
    without = setup_run._choose_model(argparse.Namespace(model="standard", terminal=True), store, "no compiler", quiet)
    assert without is None


def test_a_model_arrives_in_the_background(loopback: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kit = make_kit()
    with serve() as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        with BackgroundFetch(store, kit.catalogue.find("big")) as fetch:
            fetch.finish(Console())
    check_whole(store, kit, "big")
    assert "big is here and verified" in capsys.readouterr().out


def test_leaving_early_stops_the_transfer(loopback: None, tmp_path: Path) -> None:
    kit = make_kit()
    stall = threading.Event()
    with serve(Site(stall=stall)) as site:
        offer_all(site, kit)
        store = store_for(tmp_path, kit, site.url + "/simple")
        with BackgroundFetch(store, kit.catalogue.find("big")):
            pass
        stall.set()
    assert not (store.folder / "big").exists()


def test_what_went_wrong_in_the_background_is_told_at_the_end(tmp_path: Path) -> None:
    kit = make_kit()
    store = store_for(tmp_path, kit)
    with (
        BackgroundFetch(store, kit.catalogue.find("big")) as fetch,
        pytest.raises(KnownError, match="No package index"),
    ):
        fetch.finish(Console())


def test_the_questions_shown_are_of_three_kinds() -> None:
    questions = sample_questions(setup_run.ROOT / "resources" / "sample_library" / "questions.jsonl")
    assert len(set(questions)) == 3
    assert all(question.endswith("?") for question in questions)


@pytest.mark.parametrize("ci", [True, False])
def test_without_the_runtime_ci_fails_and_others_leave_its_tests_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ci: bool
) -> None:
    seen: list[list[str]] = []

    class Done:
        returncode = 5

    def run(command: list[str], **_options: object) -> Done:
        seen.append(command)
        return Done()

    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setenv("CI", "true") if ci else monkeypatch.delenv("CI", raising=False)
    environment = FakeEnvironment(tmp_path)
    store = store_for(tmp_path, make_kit())
    arguments = (environment, store, "no compiler", ["-x"], Console())
    if ci:
        with pytest.raises(KnownError, match="cannot run whole"):
            setup_run._run_tests(*arguments)
        return
    assert setup_run._run_tests(*arguments) == 5
    assert seen == [[environment.python, "-m", "pytest", "-n", "2", "-m", "not real_model", "-x"]]
