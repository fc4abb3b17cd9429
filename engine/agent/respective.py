"""Lists told apart by "respectively": the value or the name that stands at the place of the part asked about."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from engine.agent.parts import expand, names_same
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Question

_NAME = r"(?=[A-Za-z0-9/-]*[0-9])[A-Z][A-Za-z0-9/-]+"
_LIST_MEMBER = re.compile(_NAME)
_NAME_LIST = re.compile(rf"{_NAME}(?:, (?:and )?{_NAME}|,? and {_NAME})+")


def quantity_in_order(question: Question, text: str, wanted: Callable[[Quantity], bool]) -> Quantity | None:
    """ "The A1, A2/4 and A6 have 8 kB, 16 kB and 32 kB, respectively": the value that stands at the part's place."""
    if "respectively" not in text.casefold() or not question.parts:
        return None
    names = [expand(m.group()) for m in _LIST_MEMBER.finditer(text)]
    if len(names) == 1:
        names = [(name,) for name in names[0]]
    values = [q for q in find_quantities(text) if wanted(q) and not q.is_range]
    if len(names) < 2 or len(names) != len(values):
        return None
    single = [part for part in question.parts if len(expand(part)) == 1]
    for members, value in zip(names, values):
        if any(names_same(part, member) == 1.0 for part in single for member in members):
            return value
    return None


def name_in_order(question: Question, text: str) -> str:
    """ "A and B replace C and D, respectively": the partner of the part asked about."""
    end = text.casefold().find("respectively")
    if end < 0:
        return ""
    lists = [_LIST_MEMBER.findall(m.group()) for m in _NAME_LIST.finditer(text[:end])]
    for first, second in pairwise(lists):
        for place, name in enumerate(first[: len(second)]):
            if len(first) == len(second) and any(names_same(part, name) == 1.0 for part in question.parts):
                return str(second[place])
    return ""
