"""How a relation is asked for, and how running text states it plainly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_WORD = r"[A-Z\u00c0-\u024f][\w'\u2019.-]*"
_NAME = rf"(?:[A-Z]\.\s?)*{_WORD}(?:\s(?:(?:de|von|van|der|den|la|le|di|da|del|bin|ibn|al|of|the|y|e)\s)*{_WORD})*"
_ROLE = (
    r"(?:the\s|a\s|an\s)?(?:(?:[A-Z]?[\w-]+\s){0,3}(?:director|filmmaker|writer|author|singer|rapper|musician|band|group|"
    r"artist|brothers|duo|actress|actor|painter|poet|composer|general|politician|princess|prince|model|journalist)s?\s)?"
)


_STYLE = re.compile(r"\b(?:The )?(?:Rt\. )?Hon\.?(?:ourable)? ")
"""Styles that stand before a name and are none of it."""
_CHILD = re.compile(
    rf"\b(?:son|daughter|child|children) (?:of|to) {_ROLE}"
    rf"({_NAME}(?:, (?:Duke|Count|Earl|King|Prince|Baron|Emperor)[\w ]+?(?=,| and |[.;(]|$))?)"
    rf"(?:,? and (?:his |her )?(?:(?:\w+ )?(?:wife|husband|consort),? )?(?:the )?({_NAME}))?"
)
_OTHER_KIN = "brother|sister|cousin|nephew|niece|uncle|aunt|successor|predecessor|grandson|granddaughter|friend"
_OF_ANOTHER = re.compile(
    r"\b(?:his|her|their|whose|whom|the) (?:\w+ ){0,2}(?:sons?|daughters?|sisters?|brothers?|mother|father|nieces?|"
    r"nephews?|cousins?|children|child)\b(?! of\b)[^.;]*$",
    re.I,
)
"""A sentence that has come to speak of somebody else: "her sister was the wife of ..."."""
_SHE = re.compile(r"(?:Queen|Princess|Empress|Lady|Duchess|Countess|Grand Duchess|Baroness|Dame|Mrs|Miss)\b")
_HE = re.compile(r"(?:King|Prince|Emperor|Lord|Duke|Count|Grand Duke|Baron|Sir|Sultan|Tsar|Mr)\b")


@dataclass(frozen=True, slots=True)
class Relation:
    """`question` has {0} for the thing asked about; `patterns` find the value in text about that thing."""

    name: str
    question: str
    patterns: tuple[re.Pattern[str], ...] = ()
    cues: tuple[str, ...] = ()
    """Beginnings of words without one of which a sentence does not speak of the relation; empty if any may."""
    converse: tuple[str, ...] = ()
    """How the document of the value says it of the thing ("wife of", "married to")."""

    def spoken_of(self, text: str) -> bool:
        """Whether a text speaks of the relation at all."""
        return not self.cues or any(re.search(rf"\b{cue}", text, re.I) for cue in self.cues)

    def stands_between(self, text: str, thing: str) -> bool:
        """Whether a sentence says of its own subject that it stands in the relation to a thing."""
        for words in self.converse:
            match = re.search(rf"\b{re.escape(words)} (?:\w+ ){{0,3}}?{re.escape(thing)}\b", text, re.I)
            if match is not None and not _OF_ANOTHER.search(text[: match.start()]):
                return True
        return False

    def may_be(self, value: str, text: str) -> bool:
        """Whether what was read may be the value: no woman for a father, nobody whom a sentence calls a brother."""
        if self.name in ("father", "mother"):
            if (_SHE if self.name == "father" else _HE).match(value):
                return False
        elif self.name != "spouse":
            return True
        other = rf"\b(?:{_OTHER_KIN}) (?:of |to )?(?:\w+ ){{0,3}}?{re.escape(value)}"
        return re.search(other, text) is None

    def asked_of(self, thing: str) -> str:
        return self.question.replace("{0}", thing)

    def stated(self, text: str) -> str:
        """The value where the text states it in so many words, else ""."""
        text = _STYLE.sub("", text)
        if self.name in ("father", "mother"):
            return parents(text).get(self.name, "")
        for pattern in self.patterns:
            match = pattern.search(text)
            if match:
                return match.group(1).strip(" .,")
        return ""


def parents(text: str) -> dict[str, str]:
    """ "son of A and B" -> father A, mother B, unless titles say otherwise."""
    match = _CHILD.search(text)
    if not match:
        return {}
    found: dict[str, str] = {}
    for place, name in enumerate(one for one in match.groups() if one):
        guess = "mother" if _SHE.match(name) else "father" if _HE.match(name) or place == 0 else "mother"
        found.setdefault(guess, name.strip(" .,"))
    return found


@cache
def _known() -> dict[str, Relation]:
    table: dict[str, Relation] = {}
    for line in files("engine.agent").joinpath("relations.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, rest = line.partition(":")
        question, *others = (piece.strip() for piece in rest.split("|"))
        converse = tuple(one[1:].strip() for one in others if one.startswith("<"))
        others = [one for one in others if not one.startswith("<")]
        patterns = tuple(_compiled(one) for one in others if not one.startswith("~"))
        cues = tuple(word for one in others if one.startswith("~") for word in one[1:].split())
        table[name.strip()] = Relation(name.strip(), question, patterns, cues, converse)
    return table


def _compiled(pattern: str) -> re.Pattern[str]:
    before, _, after = pattern.partition("@")
    lead = r"\s+(?:in [0-9]{4}\s+)?".join(re.escape(word) for word in before.split())
    return re.compile(rf"\b(?i:{lead})\s+{_ROLE}({_NAME}){re.escape(after)}")


def relation(name: str) -> Relation:
    """The known relation, or one asked for in the plainest words."""
    return _known().get(name) or Relation(name, f"Who or what is the {name} of {{0}}?")
