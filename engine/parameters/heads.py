"""What the header above a column of values adds to them: parts, conditions, a unit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.core.model import Column, Condition
from engine.parameters.conditions import is_condition_like, parse_conditions, stated_conditions
from engine.parameters.drafts import strip_marks
from engine.parameters.part_names import part_tokens, parts_named, series_named
from engine.parameters.units import parse_unit

_GENERIC_GROUP = re.compile(
    r"^(?:limits?|values?|ratings?|units?|test limits?|tested limits?|guaranteed|all|min(?:imum)?|typ(?:ical)?"
    r"|max(?:imum)?|nom(?:inal)?)?[.:]?$",
    re.IGNORECASE,
)
_LIMIT_WORDS = re.compile(
    r"\b(?:min(?:imum)?|typ(?:ical)?|max(?:imum)?|nom(?:inal)?|values?|ratings?"
    r"|(?:guaranteed |tested |design )?limits?)\b\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Head:
    """What the header above one value column adds."""

    parts: tuple[str, ...]
    conditions: tuple[Condition, ...]
    unit: str
    group: str


def read_head(column: Column, shared: frozenset[str], about: tuple[str, ...]) -> Head:
    """Parts, conditions and unit in a value column's own and spanning headers. `shared` spans every value column."""
    parts: list[str] = []
    conditions: list[Condition] = []
    unit = scale = ""
    for text in (*column.group, _LIMIT_WORDS.sub(" ", column.name)):
        title, _ = strip_marks(re.sub(r"\s+", " ", text).strip(" .:,"))
        if match := re.search(r"[(\[]([^)\]]+)[)\]]", title):
            inside = match.group(1).strip()
            if parse_unit(inside) and not inside.isdigit():
                unit, title = inside, (title[: match.start()] + title[match.end() :]).strip()
                scale = inside if "temperature" in title.casefold() else scale
        title = title.strip(" ()[]")
        if _GENERIC_GROUP.match(title):
            continue
        if scale and re.fullmatch(r"[+\-\u2212\u2013]?\s?\d+", title):
            # Columns "-40", "25", "85" under "LIMITS AT INDICATED TEMPERATURE (°C)".
            conditions.extend(parse_conditions(f"{title} {scale}"))
            unit = ""
            continue
        named = parts_named(title, about) or tuple(part for part in part_tokens(title) if part.isupper())
        named = named or series_named(title, about)
        if named:
            parts.extend(name for name in named if name not in parts)
            conditions.extend(stated_conditions(title))
        elif is_condition_like(title):
            conditions.extend(parse_conditions(title))
        elif parse_unit(title):
            unit = title
        elif text not in shared:
            conditions.extend(stated_conditions(title) or (Condition(title),))
    return Head(tuple(parts), tuple(conditions), unit, " / ".join(column.group))
