"""Tries every component once: the composer behind `sheaf doctor`."""

from __future__ import annotations

from engine.core.paths import Home
from engine.core.results import Component, Health
from engine.core.secrets import key_store_problem


def check(_home: Home) -> list[Component]:
    """One component a line: works, is off with a reason, or failed."""
    problem = key_store_problem()
    return [Component("key store", Health.OFF if problem else Health.OK, problem)]
