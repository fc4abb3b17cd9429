"""Taking a question about named things apart: relations to follow from each, and what to do with what is found.

Rules only (algorithms.md section 5, "by rules first"): the names the library knows are replaced by marks, and what is
left is a small language of relations ("the spouse of the director of film {0}"), comparisons and yes-no questions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.dates import Event
from engine.core.ids import DocumentId
from engine.core.ports import NameMatch

_TYPES = (
    r"(?:the |a )?(?:film|movie|song|album|single|magazine|newspaper|book|novel|play|band|company|series|show|game|"
    r"university|school|club|ship|opera|poem|painting|story|director|person)s?:?"
)
_FIXED = {
    "place of birth": "birthplace", "place of death": "deathplace", "date of birth": "birthdate",
    "date of death": "deathdate", "country of origin": "country", "country of citizenship": "nationality",
    "place of burial": "burialplace", "cause of death": "deathcause",
}  # fmt: skip
_KIN = {
    "husband": ("spouse",), "wife": ("spouse",), "paternal grandfather": ("father", "father"),
    "paternal grandmother": ("father", "mother"), "maternal grandfather": ("mother", "father"),
    "maternal grandmother": ("mother", "mother"), "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"), "stepmother": ("father", "spouse"), "stepfather": ("mother", "spouse"),
}  # fmt: skip
_MARK = re.compile(r"\{(\d)\}")
_SAME = re.compile(r"\bsame (\w+)")
_FIRST = re.compile(r"\b(?:first|earlier|earliest|older|oldest)\b")
_LAST = re.compile(r"\b(?:later|latest|last|younger|youngest|newer|most recently)\b")
_LONGEST = re.compile(r"\blived? longer\b|\bhad a longer life\b")
_BRIDGE = re.compile(
    r"\b(?:has|have|had|with|whose|do|does) (?:a |the |both )?(\w+?)s?\b"
    r"(?= (?:who|that|which|from|was|were|is|are|died|born|older|younger|share))"
)
_VALUE_ASKED = re.compile(
    r"\b(?:what|which) (nationality|country|city|award|language|occupation|religion|genre|award)\b"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A thing the question names: its words there and the document about it."""

    text: str
    document: DocumentId


@dataclass(frozen=True, slots=True)
class Plan:
    """Follow `relations` from each of `names`; then compare.

    `order` is "first" or "last" by the date of `event`, "longest" by the time from birth to death, "same" for a shared
    value, "" where the last value is the answer.
    """

    names: tuple[Named, ...]
    relations: tuple[str, ...]
    order: str = ""
    event: Event | None = None


def plan_of(question: str, matches: Sequence[NameMatch]) -> Plan | None:
    """The plan of a question, None where the rules do not see one."""
    names = _names(question, matches)
    if not 1 <= len(names) <= 2:
        return None
    marked = question
    for number, name in enumerate(names):
        marked = marked.replace(name.text, f"{{{number}}}", 1)
    marked = re.sub(r"\s+", " ", re.sub(r"(\{\d\})\)", r"\1", marked)).strip().casefold()
    for words, one in _FIXED.items():
        marked = marked.replace(words, one)
    return _comparison(marked, names) if len(names) == 2 else _chain(marked, names)


def _names(question: str, matches: Sequence[NameMatch]) -> tuple[Named, ...]:
    """The longest names, in the order of the question, each once."""
    found: list[tuple[int, Named]] = []
    for match in sorted(matches, key=lambda m: -len(m.text)):
        place = question.find(match.text)
        if place < 0 or any(match.text in named.text for _, named in found):
            continue
        found.append((place, Named(match.text, match.entry.document)))
    return tuple(named for _, named in sorted(found, key=lambda pair: pair[0]))


# --- two things -------------------------------------------------------------------------------------------------------


def _comparison(marked: str, names: tuple[Named, ...]) -> Plan | None:
    bridge = _BRIDGE.search(_MARK.sub("", marked))
    steps = (bridge.group(1),) if bridge and bridge.group(1) not in ("same", "both", "one", "it") else ()
    same = _SAME.search(marked) or re.search(r"\bfrom the same (\w+)", marked)
    if same:
        value = "nationality" if steps and same.group(1) in ("country", "nationality") else same.group(1)
        return Plan(names, (*steps, value), "same")
    if _LONGEST.search(marked):
        return Plan(names, steps, "longest", Event.DEATH)
    order = "first" if _FIRST.search(marked) else "last" if _LAST.search(marked) else ""
    if not order:
        return None
    person = bool(steps) or marked.startswith("who")
    event = _event(marked, person)
    return Plan(names, steps, order, event) if event is not None else None


def _event(marked: str, person: bool) -> Event | None:
    if re.search(r"\b(?:died|death)\b", marked):
        return Event.DEATH
    if re.search(r"\bborn|birth\b", marked) or (person and re.search(r"\b(?:older|younger)\b", marked)):
        return Event.BIRTH
    if re.search(r"\b(?:released|came out|published|premiered|aired|film|movie|album|song)\b", marked):
        return Event.RELEASE
    if re.search(r"\b(?:established|founded|formed|created|opened|started|older|younger|built)\b", marked):
        return Event.FOUNDING
    return None


# --- one thing --------------------------------------------------------------------------------------------------------


def _chain(marked: str, names: tuple[Named, ...]) -> Plan | None:
    place = marked.find("{0}")
    before, after = marked[:place], marked[place + 3 :].strip(" ?.")
    steps: list[str] = []
    for relation in re.findall(r"'s? ((?:paternal |maternal )?[\w-]+)", after):
        steps.append(relation)
    after = re.sub(r"'s? (?:paternal |maternal )?[\w-]+", "", after).strip()
    before = re.sub(rf"{_TYPES}\s*$", "", before.strip()).strip()
    for piece in reversed(re.split(r"\bof(?: the)?\b", before)):
        steps += _relation(piece.strip())
    final = _final(marked, after)
    if final and (not steps or steps[-1] != final):
        steps.append(final)
    expanded = tuple(one for step in steps for one in _KIN.get(step, (step,)))
    return Plan(names, expanded) if expanded else None


def _relation(piece: str) -> list[str]:
    """The relation a piece between two "of" names: "who is the spouse" -> spouse; nothing for mere question words."""
    award = re.search(r"the (\w+) that the (\w+)$", piece)
    if award:
        return [award.group(2), award.group(1)]
    match = re.search(r"\b(?:is|was|are|were|did|does|do|the)? ?(?:the )?((?:paternal |maternal )?[a-z][\w-]*)$", piece)
    if not match or match.group(1) in ("who", "where", "what", "when", "which", "is", "was", "did", "does", "the", "a"):
        return []
    return [match.group(1)]


def _final(marked: str, after: str) -> str:
    """What is asked of the last thing, where it is not itself a relation: "where ... born" -> birthplace."""
    asked = _VALUE_ASKED.search(marked)
    if asked:
        return asked.group(1)
    where = marked.startswith(("where", "in which", "in what"))
    if re.search(r"\bborn\b", after):
        return "birthplace" if where else "birthdate"
    if re.search(r"\bdied?\b", after):
        return "deathplace" if where else "deathdate"
    if re.search(r"\b(?:study|studied|graduate\w*|educated)\b", after):
        return "education"
    return ""
