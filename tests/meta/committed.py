"""What may be committed: no weights, no one else's documents, no path of one machine, no registry's host name."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {
    "desktop",
    "engine",
    "resources",
    "installers",
    "tests",
    "pyproject.toml",
    "README.md",
    "build.spec",
    "LICENSE",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    ".ci",
    ".gitignore",
}
_WEIGHTS = {".gguf", ".onnx", ".safetensors", ".pt", ".pth", ".bin", ".npz", ".npy", ".whl", ".pkl"}
_DOCUMENTS = {".pdf", ".docx", ".pptx", ".xlsx", ".epub"}
_OWN_DOCUMENTS = ("resources/sample_library/",)
_MAX_BYTES = 1_500_000
_MACHINE_PATHS = re.compile(
    r"(?<![\w.])/(?:wo" + r"rk|fa" + r"rm)/\w+|/ho" + r"me/\w+/|/Use" + r"rs/\w+/|[A-Z]:\\\\?Use" + r"rs\\"
)
_REGISTRIES = re.compile(
    r"(?:files\.python" + r"hosted\.org|(?<![\w.])(?:test\.)?py" + r"pi\.(?:org|python\.org)|registry\.npm" + r"js"
    r"|ana" + r"conda\.(?:org|com)|static\.cra" + r"tes\.io)",
    re.IGNORECASE,
)


def tracked() -> list[str]:
    """Paths that git knows of, with forward slashes."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if path and (ROOT / path).exists()]


def foreign_files(files: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Complaints about (path, size) pairs."""
    for path, size in files:
        suffix = PurePosixPath(path).suffix.casefold()
        if suffix in _WEIGHTS:
            yield f"{path}: weights and binary arrays are not committed"
        if suffix in _DOCUMENTS and not path.startswith(_OWN_DOCUMENTS):
            yield f"{path}: only documents made for this project are committed"
        if size > _MAX_BYTES:
            yield f"{path} has {size} bytes"


def foreign_words(path: str, text: str) -> Iterator[str]:
    """Complaints about machine paths and registry host names in a text file."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in ((_MACHINE_PATHS, "a path of one machine"), (_REGISTRIES, "a registry's host name")):
            if found := pattern.search(line):
                yield f"{path}:{number} names {what}: {found.group()}"


def strange_entries(paths: Iterable[str]) -> set[str]:
    """Top-level entries that do not belong there."""
    return {path.split("/")[0] for path in paths} - TOP_LEVEL
