"""Write the lock files: every package the program needs, down to the last, at the version installed here.

Run it with the development environment's Python, in the checkout, after changing a dependency in pyproject.toml:

    python -m pip install -e ".[model,test]" && python installers/lock.py

Packages that only some systems need keep the condition under which they are needed; where such a package is not
installed here, pip finds it by itself on the system that wants it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "installers"
FILES = {"": "requirements.lock", "model": "requirements-model.lock", "test": "requirements-test.lock"}
_SYSTEM_VARIABLES = frozenset(
    ("sys_platform", "platform_system", "platform_machine", "os_name", "python_version", "python_full_version")
)
_TOOLS = frozenset(("pip", "setuptools", "wheel"))
"""Every environment brings its own; replacing the running one is asking for trouble."""
_HEADER = "# Made by installers/lock.py from pyproject.toml{extra}. Do not edit.\n"


def closure(requirements: list[str]) -> dict[str, str]:
    """Pins of everything `requirements` pull in: name -> "name==version" with the condition it hangs on, if any.

    Raises metadata.PackageNotFoundError for a requirement that must be here and is not installed.
    """
    found: dict[str, tuple[str, str | None]] = {}
    todo: list[tuple[Requirement, str | None]] = [(Requirement(text), None) for text in requirements]
    done: set[tuple[str, frozenset[str], str | None]] = set()
    while todo:
        requirement, condition = todo.pop()
        name = canonical(requirement.name)
        if name in _TOOLS:
            continue
        key = (name, frozenset(requirement.extras), condition)
        if key in done:
            continue
        done.add(key)
        distribution = metadata.distribution(name)
        pin = f"{name}=={distribution.version}"
        if name not in found or condition is None:
            found[name] = (pin, condition)
        for text in distribution.requires or ():
            child = Requirement(text)
            if not _needed(child, requirement.extras):
                continue
            todo.append((child, _platform_condition(child) or condition))
    return {name: pin + (f" ; {condition}" if condition else "") for name, (pin, condition) in sorted(found.items())}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed(requirement: Requirement, extras: set[str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({"extra": extra}) for extra in extras or {""})


def _platform_condition(requirement: Requirement) -> str | None:
    """The marker, if it speaks only of the system and the Python that is run on."""
    if requirement.marker is None:
        return None
    text = str(requirement.marker)
    variables = set(re.findall(r"\b(?:sys_platform|platform_\w+|os_name|python_\w+|implementation_\w+|extra)\b", text))
    return str(Marker(text)) if variables and variables <= _SYSTEM_VARIABLES else None


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = closure(project["dependencies"])
    for extra, file in FILES.items():
        pins = base if not extra else closure(project["optional-dependencies"][extra])
        lines = [pin for name, pin in pins.items() if not extra or name not in base]
        header = _HEADER.format(extra=f", extra {extra!r}" if extra else "")
        (FOLDER / file).write_text(header + "\n".join(lines) + "\n", encoding="utf-8")
        print(f"{file}: {len(lines)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
