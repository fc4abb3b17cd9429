"""What a question asks for, read by rules: whom it names, what it quotes, what kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.core.ids import DocumentId
from engine.core.ports import NameKind, NameMatch
from engine.core.text import expand_list, fold, identifiers, part_key


class QuestionKind(StrEnum):
    FACT = "fact"
    TABLE = "table"
    COMPARISON = "comparison"
    ENUMERATION = "enumeration"


@dataclass(frozen=True, slots=True)
class Subject:
    """A name in the question and the documents that go by it."""

    text: str
    documents: tuple[DocumentId, ...]
    kind: NameKind
    related: frozenset[DocumentId] = frozenset()
    """Those of the documents that go by a related spelling only (a grade, the base part)."""
    siblings: int = 0
    """Parts of its documents that the question does not name: with some, the name still tells something inside."""

    @property
    def exact(self) -> bool:
        """Whether some document goes by the very name."""
        return not self.related.issuperset(self.documents)


@dataclass(frozen=True, slots=True)
class Understanding:
    """`terms` are critical terms that name no document: unresolved identifiers and quoted phrases (folded)."""

    text: str
    kind: QuestionKind
    subjects: tuple[Subject, ...] = ()
    terms: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    """Section titles the question names ('the "Reset Function" section')."""
    pages: tuple[int, ...] = ()
    """Pages the question names ("on its front page", "on page 7")."""
    hop: bool = False
    """The question says that one document leads to another ("names a replacement", "that note")."""
    sentences: tuple[str, ...] = ()


_COMPARE = re.compile(
    r"\b(?:compare[ds]?|comparison|differ(?:s|ent|ently|ence|ences)?|versus|vs|both|each of|which (?:of|one)|"
    r"(?:higher|lower|larger|smaller|longer|shorter|faster|slower|older|younger|earlier|later|more|less|better|worse)|"
    r"(?:highest|lowest|largest|smallest|longest|shortest|fastest|slowest|oldest|youngest|earliest|latest|first|most|"
    r"least|best)|same|two values)\b",
    re.IGNORECASE,
)
_ENUMERATE = re.compile(
    r"^\s*(?:list|name|enumerate|summari[sz]e|outline)\b|\b(?:list (?:all|the)|what are (?:all )?the|name (?:all|the)|"
    r"which (?:parts|devices|documents|data ?sheets|notes|pins|registers|commands|modes)|"
    r"for each|of each|of every|all of the)\b",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:table|tabulated|min(?:imum)?|max(?:imum)?|typ(?:ical(?:ly)?)?|limit|rating|rated|row|column|truth table|"
    r"specified|characteristics?|at (?:[a-z_]+ ?= ?)?[-+\u00b1]?[0-9.]+ ?\u00b0 ?c)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\b(?:how (?:much|many|long|fast|high|low|often|large|big|far)|"
    r"what(?:'s| is| are)? (?:the )?(?:\w+ ){0,3}(?:current|voltage|time|frequency|temperature|range|values?|"
    r"resistance|power|capacitance|rate|width|limit|gain|impedance)|"
    r"which (?:\w+ ){0,2}(?:value|current|voltage|frequency)|"
    r"lower|higher|longer|shorter|min(?:imum)?|max(?:imum)?|typ(?:ical)?|worst[- ]case|rated?|limit|spec)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"([^\"]{2,120})\"|(?<![A-Za-z0-9])'([^']{3,120})'(?![A-Za-z0-9])")
_SECTION = re.compile(
    r"\"(?P<before>[^\"]{2,120})\" (?:section|chapter|paragraph|table|heading)|"
    r"(?:section|chapter|paragraph|heading)(?: called| titled| named| on)? \"(?P<after>[^\"]{2,120})\"",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\b(?:on|at|from|see) (?:the )?(?:pages?|p\.) ?(?P<number>[0-9]{1,4})\b", re.IGNORECASE)
_FRONT = re.compile(r"\b(?:front|first|title|cover) page\b", re.IGNORECASE)
_FEATURES = re.compile(
    r"\b(?:features? lists?|lists? of features|features section|"
    r"(?:among|in|under) (?:its|the|their) (?:\w+ )?features)\b",
    re.IGNORECASE,
)
_HOP = re.compile(
    r"\b(?:refers?(?: you)? to|referred to|sends? you|points? (?:you )?to|see the|replacement(?:'s)?|replace[sd]?|"
    r"successors?|supersede[sd]?|predecessors?|second[- ]source|instead|complement(?:s|ary)?|"
    r"names? (?:the|an?|its|another|one|two|some) |"
    r"another (?:data ?sheet|application note|note|document|sheet|manual|part|device)|"
    r"th(?:at|e other) (?:data ?sheet|application note|note|document|sheet|manual|part|device)|"
    r"(?:whose|the (?:named|recommended|suggested)) (?:data ?sheet|note|part|device))\b",
    re.IGNORECASE,
)
_BACK = re.compile(r"\b(?:that|this|those|these|its|their|it|they|he|she|his|her)\b", re.IGNORECASE)
"""Words that point back to what an earlier sentence introduced."""
_SENTENCE = re.compile(r"(?<=[.?!;])\s+(?=[A-Z\"'])")
_SENTENCE_WORDS = 4
_WORD = re.compile(r"[^\W_]{2,}")
_PHRASE_WORDS = 2


def understand(question: str, names: Sequence[NameMatch]) -> Understanding:
    """Read a question with the names the gazetteer found in it. Any text is understood; an empty one asks nothing."""
    folded = fold(question)
    subjects = _subjects(names)
    sections = [m["before"] or m["after"] for m in _SECTION.finditer(folded)]
    if _FEATURES.search(folded):
        sections.append("features")
    pages = [int(m["number"]) for m in _PAGE.finditer(folded)]
    if _FRONT.search(folded):
        pages.append(1)
    sentences = sentences_of(folded)
    return Understanding(
        text=folded,
        kind=_kind(folded, subjects),
        subjects=subjects,
        terms=_terms(folded, names),
        sections=tuple(dict.fromkeys(sections)),
        pages=tuple(dict.fromkeys(pages)),
        hop=_HOP.search(folded) is not None or _points_back(sentences, names),
        sentences=sentences,
    )


def wants_figure(question: str) -> bool:
    """Whether a question asks for a number, of which tables hold most."""
    return _TABLE.search(question) is not None or _FIGURE.search(question) is not None


def sentences_of(folded: str) -> tuple[str, ...]:
    """The sentences that say something of their own; none where there is only one."""
    found = [part for part in _SENTENCE.split(folded) if len(_WORD.findall(part)) >= _SENTENCE_WORDS]
    return tuple(found) if len(found) > 1 else ()


def _points_back(sentences: Sequence[str], names: Sequence[NameMatch]) -> bool:
    """The last sentence asks about "that part", whose name it does not give."""
    if not sentences or not names:
        return False
    return _BACK.search(sentences[-1]) is not None and not any(match.text in sentences[-1] for match in names)


def _kind(folded: str, subjects: Sequence[Subject]) -> QuestionKind:
    if len(subjects) > 1 and _COMPARE.search(folded):
        return QuestionKind.COMPARISON
    if _ENUMERATE.search(folded):
        return QuestionKind.ENUMERATION
    return QuestionKind.TABLE if _TABLE.search(folded) else QuestionKind.FACT


def _subjects(names: Sequence[NameMatch]) -> tuple[Subject, ...]:
    """One subject per name, in the question's order; a document keeps its exact names only if it has any."""
    exact = {match.entry.document for match in names if match.exact}
    grouped: dict[str, list[NameMatch]] = {}
    for match in names:
        if match.exact or match.entry.document not in exact:
            grouped.setdefault(match.text, []).append(match)
    subjects = []
    for text, matches in grouped.items():
        documents = tuple(dict.fromkeys(match.entry.document for match in matches))
        kind = min((match.entry.kind for match in matches), key=list(NameKind).index)
        siblings = max(match.siblings for match in matches)
        related = frozenset(documents) - {match.entry.document for match in matches if match.exact}
        subjects.append(Subject(text, documents, kind, related, siblings))
    return tuple(subjects)


def _terms(folded: str, names: Sequence[NameMatch]) -> tuple[str, ...]:
    known = {part_key(match.text) for match in names}
    terms = [part for token in identifiers(folded) for part in expand_list(token) if part_key(part) not in known]
    for match in _QUOTED.finditer(folded):
        phrase = (match[1] or match[2]).strip(" .,;:?!")
        if len(phrase.split()) >= _PHRASE_WORDS and part_key(phrase) not in known:
            terms.append(phrase)
    return tuple(dict.fromkeys(terms))
