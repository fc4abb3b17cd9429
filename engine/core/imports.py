"""Importing a library without those of its parts that only talk to servers: they take longest and serve nobody."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


@contextmanager
def without(*packages: str) -> Iterator[None]:
    """While it lasts, these packages and all below them are imported as stand-ins, unless they were imported before.

    Every name of a stand-in is an exception class of that name: it can be annotated with and caught, and does nothing.
    Afterwards the real packages can be imported by whoever needs them.
    """
    finder = _Finder(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, _StandIn)]:
            del sys.modules[name]


class _StandIn(ModuleType):
    def __getattr__(self, name: str) -> _Named:
        made = _made(name, self.__name__)
        setattr(self, name, made)
        return made


class _Named(type):
    """A stand-in class has whatever attribute it is asked for."""

    def __getattr__(cls, name: str) -> _Named:
        return _made(name, cls.__module__)


def _made(name: str, module: str) -> _Named:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Named(name, (Exception,), {"__module__": module})


class _Finder(MetaPathFinder, Loader):
    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if any(fullname == name or fullname.startswith(f"{name}.") for name in self._packages):
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """A stand-in holds nothing until it is asked."""
