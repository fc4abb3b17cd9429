"""The house rules hold for every tracked source file, and each rule sees a planted breach."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.meta import committed, rules

_FILES = committed.tracked()
_SOURCES = [path for path in _FILES if path.endswith(".py")]


def _text(path: str) -> str:
    return (committed.ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_rule_holds(rule: rules.Rule) -> None:
    complaints = [said for path in _SOURCES for said in rule(path, _text(path))]
    assert not complaints, "\n".join(complaints)


_BREACHES = [
    (rules.long_files, "engine/a.py", "x = 1\n" * 401),
    (rules.long_functions, "tests/a.py", "def f():\n" + "    x = 1\n" * 60),
    (rules.vague_names, "engine/utils/a.py", ""),
    (rules.vague_names, "desktop/helpers.py", ""),
    (rules.prints, "engine/api.py", "print('hello')"),
    (rules.broad_catches, "engine/api.py", "try:\n    pass\nexcept Exception:\n    pass"),
    (rules.broad_catches, "engine/api.py", "try:\n    pass\nexcept:\n    pass"),
    (rules.broad_catches, "desktop/app.py", "try:\n    pass\nexcept (OSError, BaseException):\n    pass"),
    (rules.broad_catches, "engine/api.py", "import contextlib\nwith contextlib.suppress(Exception):\n    pass"),
    (rules.loose_ends, "engine/api.py", "x = 1  # TO" + "DO later"),
    (rules.missing_docstrings, "engine/api.py", "x = 1"),
    (rules.missing_docstrings, "engine/api.py", '"""A."""\ndef f():\n' + "    x = 1\n" * 11),
    (rules.misplaced_libraries, "engine/api.py", "from importlib import import_module\nimport_module('pymupdf')"),
    (rules.misplaced_libraries, "engine/library/a.py", "def f():\n    import llama_cpp.llama"),
    (rules.work_at_import, "engine/api.py", "text = open('a').read()\nfile = open('a')"),
    (rules.globals_changed, "engine/api.py", "x = 1\ndef f():\n    global x\n    x = 2"),
]


@pytest.mark.parametrize(("rule", "path", "text"), _BREACHES)
def test_rule_sees_a_breach(rule: rules.Rule, path: str, text: str) -> None:
    assert list(rule(path, text))


def test_every_rule_has_a_breach() -> None:
    assert {rule for rule, _, _ in _BREACHES} == set(rules.RULES)


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        (rules.prints, "engine/cli.py", "print('hello')"),
        (rules.broad_catches, "engine/core/child.py", "try:\n    pass\nexcept Exception:\n    pass"),
        (rules.broad_catches, "engine/api.py", "try:\n    pass\nexcept OSError:\n    pass"),
        (rules.broad_catches, "engine/api.py", "try:\n    pass\nexcept BaseException:\n    x = 1\n    raise"),
        (rules.misplaced_libraries, "engine/parse/a.py", "import pymupdf"),
    ],
)
def test_rule_allows_what_it_should(rule: rules.Rule, path: str, text: str) -> None:
    assert list(rule(path, text)) == []


# --- what is committed ------------------------------------------------------------------------------------------------


def test_no_foreign_files_are_committed() -> None:
    sizes = [(path, (committed.ROOT / path).stat().st_size) for path in _FILES]
    assert list(committed.foreign_files(sizes)) == []


def test_no_machine_path_or_registry_is_committed() -> None:
    complaints = []
    for path in _FILES:
        try:
            complaints += committed.foreign_words(path, _text(path))
        except UnicodeDecodeError:
            continue
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize(
    "text",
    [
        "models = '/wo" + "rk/dev/models'",
        "open('/ho" + "me/jane/library')",
        "index = 'https://py" + "pi.org/simple'",
        "url = 'https://files.python" + "hosted.org/packages/a'",
    ],
)
def test_a_machine_path_or_registry_is_seen(text: str) -> None:
    assert list(committed.foreign_words("a.py", text))


@pytest.mark.parametrize("path", ["tests/model.gguf", "engine/embed/model.onnx", "tests/golden/lm317.pdf"])
def test_a_foreign_file_is_seen(path: str) -> None:
    assert list(committed.foreign_files([(path, 10)]))


def test_top_level_is_as_agreed() -> None:
    assert committed.strange_entries(_FILES) == set()
    assert committed.strange_entries(["scripts/a.sh", "engine/a.py"]) == {"scripts"}


# --- settings and texts -----------------------------------------------------------------------------------------------


def test_the_linters_are_as_strict_as_agreed() -> None:
    tools = tomllib.loads(_text("pyproject.toml"))["tool"]
    assert tools["mypy"]["strict"] is True
    assert tools["ruff"]["lint"]["mccabe"]["max-complexity"] <= 12
    assert {"T20", "BLE", "C90"} <= set(tools["ruff"]["lint"]["select"])
    assert tools["pytest"]["ini_options"]["filterwarnings"][0] == "error"


def test_readme_names_the_two_commands() -> None:
    readme = _text("README.md")
    for command in ("python installers/quickstart.py", "python installers/quickstart.py test"):
        assert f"\n{command}\n" in readme


def test_changelog_has_the_version() -> None:
    from engine import __version__

    assert f"## {__version__}" in _text("CHANGELOG.md")


_HEAVY = (
    "lancedb",
    "whoosh",
    "llama_cpp",
    "pymupdf",
    "PySide6",
    "onnxruntime",
    "fastembed",
    "pyarrow",
    "numpy",
    "pint",
)


def test_import_engine_loads_no_heavy_library() -> None:
    code = f"import engine, sys; print([name for name in {_HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=committed.ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
