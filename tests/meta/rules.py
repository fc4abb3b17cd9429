"""House rules over source text. Each takes a path (for its place in the tree) and the text, and yields complaints."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

MAX_FILE = 400
MAX_FUNCTION = 60
_MAX_UNDOCUMENTED = 10
"""Lines a public function or class may have before it needs a docstring."""
_FORBIDDEN_FOLDERS = {"utils", "util", "misc", "helpers", "helper", "common"}
_MAY_PRINT = ("engine/cli.py", "installers/", "tests/benchmarks/", "tests/torture/")
_MAY_CATCH_ALL = ("engine/core/child.py", "desktop/crash.py")
_SHIPPED = ("engine/", "desktop/", "resources/", "installers/")
_HOMES = {
    "lancedb": ("engine/store/vectors.py", "engine/store/nodes.py"),
    "whoosh": ("engine/keyword/",),
    "llama_cpp": ("engine/llm/",),
    "pymupdf": ("engine/parse/", "tests/"),
    "keyring": ("engine/core/secrets.py", "tests/"),
    "PySide6": ("desktop/", "tests/"),
}
"""Where each heavy library may be named as an import, late imports by name included."""
Rule = Callable[[str, str], Iterator[str]]


def long_files(path: str, text: str) -> Iterator[str]:
    lines = len(text.splitlines())
    if lines > MAX_FILE:
        yield f"{path} has {lines} lines, more than {MAX_FILE}"


def long_functions(path: str, text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = _lines(node)
            if lines > MAX_FUNCTION:
                yield f"{path}:{node.lineno} {node.name} has {lines} lines, more than {MAX_FUNCTION}"


def vague_names(path: str, text: str) -> Iterator[str]:
    parts = PurePosixPath(path).with_suffix("").parts
    for part in parts:
        if part.casefold() in _FORBIDDEN_FOLDERS:
            yield f"{path}: {part} says nothing about what is in it"


def prints(path: str, text: str) -> Iterator[str]:
    if path.startswith(_MAY_PRINT):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "pprint"):
            yield f"{path}:{node.lineno} prints"


def broad_catches(path: str, text: str) -> Iterator[str]:
    """Bare, Exception and BaseException handlers, and their suppression, outside the two boundaries.

    A handler that only tidies up and raises the same error again swallows nothing and is let through.
    """
    if not path.startswith(("engine/", "desktop/", "resources/")) or path in _MAY_CATCH_ALL:
        return
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.ExceptHandler)
            and (node.type is None or _is_broad(node.type))
            and not _raises_again(node)
        ):
            yield f"{path}:{node.lineno} catches everything"
        if isinstance(node, ast.Call) and _name(node.func) == "suppress" and any(map(_is_broad, node.args)):
            yield f"{path}:{node.lineno} suppresses everything"


def loose_ends(path: str, text: str) -> Iterator[str]:
    # Spelt apart so that this file does not accuse itself.
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"#.*\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b", line):
            yield f"{path}:{number} leaves something undone"


def missing_docstrings(path: str, text: str) -> Iterator[str]:
    """Every shipped module, and what is public in it beyond a few lines, says what it is."""
    if not path.startswith(_SHIPPED):
        return
    tree = ast.parse(text)
    if not ast.get_docstring(tree):
        yield f"{path} does not say what it is"
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if _lines(node) > _MAX_UNDOCUMENTED and not ast.get_docstring(node):
            yield f"{path}:{node.lineno} {node.name} has no docstring"


def misplaced_libraries(path: str, text: str) -> Iterator[str]:
    """Heavy libraries named outside their one place, also in ``import_module("...")``, unseen by import-linter."""
    for node in ast.walk(ast.parse(text)):
        for name in _imported(node):
            home = _HOMES.get(name.split(".")[0])
            if home and not path.startswith((*home, "tests/")):
                yield f"{path}:{getattr(node, 'lineno', 0)} imports {name}"


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    if isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__") and node.args:
        argument = node.args[0]
        return [str(argument.value)] if isinstance(argument, ast.Constant) else []
    return []


def work_at_import(path: str, text: str) -> Iterator[str]:
    """Calls that open, start or load something while a shipped module is imported."""
    if not path.startswith(_SHIPPED):
        return
    busy = {"open", "Thread", "Process", "Popen", "run", "connect", "mkdir", "read_text", "read_bytes", "getLogger"}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) and isinstance(node.value, ast.Call):
            called = _name(node.value.func)
            if called in busy - {"getLogger"}:
                yield f"{path}:{node.lineno} calls {called} at import"


def globals_changed(path: str, text: str) -> Iterator[str]:
    if not path.startswith(_SHIPPED):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Global):
            yield f"{path}:{node.lineno} changes a global"


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _is_broad(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return any(map(_is_broad, node.elts))
    return _name(node) in ("Exception", "BaseException")


RULES: tuple[Rule, ...] = (
    long_files,
    long_functions,
    vague_names,
    prints,
    broad_catches,
    loose_ends,
    missing_docstrings,
    misplaced_libraries,
    work_at_import,
    globals_changed,
)
