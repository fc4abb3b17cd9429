"""What a question sets side by side, read from its structure alone: "narrowband and wideband", "on the A and which on
the B", "A versus B", "of A, B and C". Each side is then a question of its own, so that modes, sections, packages and
versions of one document are compared as parts are.

Two phrases are set side by side where a connector joins them and both begin anew: what they share is said once, before
the first or behind the last. Names ("RF08", "Tcl RPC", "-B") end where the words in small letters begin; phrases in
small letters are as long as the shorter of the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.agent.alone import alone, plainly
from engine.agent.parts import looks_like_part
from engine.agent.quantities import find_quantities
from engine.agent.question import Form, Question
from engine.agent.terms import stop_words

_TOKEN = re.compile(r"[^\s,;:?()\"]*[^\s,;:?()\".]|[,;:?()\".]")
_JOINTS = frozenset("and or versus vs against than /".split())
_PAIRED_JOINTS = frozenset(
    (verb, word)
    for verb in ("compare", "compares", "compared", "relative", "opposed", "differ", "differs")
    for word in ("with", "to", "from")
)
_SETTING = re.compile(
    r"\b(?:versus|vs\.?|against|than|compare[ds]?|differ\w*|which of|which one|how far apart|respectively|rank|"
    r"of the two|side by side|by how much|by what factor)\b|\bwhich (?:is|has|takes|needs|gives|offers)\b.*\bor\b"
    r"|\bsame\b",
    re.I,
)
_FILLERS = frozenset(
    "the a an its their that those one of in on for from by at with to under for both what which how long much many "
    "fast large big wide high far often does do is are has have can may".split()
)
_BREAKS = frozenset((*',;:?()".', "-"))
_ONES = frozenset(("one", "ones"))
_PREPOSITIONS = frozenset("for in on at with of from by under".split())
_THAT = frozenset(("that", "those"))
_ASKING = frozenset(("what", "which", "how"))
_STANDARD = frozenset("than compare compares compared relative opposed differ differs".split())
_LONGEST = 4
"""Words of a side."""
_FEW = 2
"""The same where only the other side is a name."""
_MOST = 5
"""Sides of one question."""
_QUANTITY = re.compile(r"[-+\u00b1]?[0-9]+(?:[.,][0-9]+)*(?:[munpkMG]?(?:V|A|W|Hz|s|F|ohm)|\u00b0C|%)?")
_LETTER = re.compile(r"[A-Z]")


@dataclass(frozen=True, slots=True)
class Halves:
    """The sides of a question, as it names them, and the question put for each alone."""

    names: tuple[str, ...]
    questions: tuple[str, ...]
    set_against: bool
    """Whether the question compares in so many words; else it only asks of several things."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Words `start` to `end` of a question."""

    start: int
    end: int


class _Words:
    """The words of a question with their places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found = list(_TOKEN.finditer(text))
        self.words = [match.group() for match in self._found]

    def __len__(self) -> int:
        return len(self.words)

    def stops(self, place: int) -> bool:
        """Whether a phrase ends before this word."""
        word = self.words[place]
        if word in _BREAKS or word.casefold() in _JOINTS:
            return True
        return word.casefold() in stop_words() and not self.names(place)

    def names(self, place: int) -> bool:
        """Whether a word is a name by how it is printed; the first word of a sentence has its capital for nothing."""
        word = self.words[place].removesuffix("'s")
        if any(c.isdigit() for c in word) or (word.startswith("-") and len(word) > 1):
            return True
        first = place == 0 or self.words[place - 1] in ("?", ".", ":")
        return _LETTER.search(word[1:] if first else word) is not None

    def shape(self, span: _Span) -> tuple[bool, bool]:
        """Whether a phrase is a name and holds a digit: what is listed together is mostly of one shape."""
        return self.names(span.start), any(c.isdigit() for c in self.said(span))

    def _aside(self, span: _Span) -> set[int]:
        """The brackets behind a name ("the 74HC147 (5 V, 15 pF)"): they hold for it alone."""
        if span.end >= len(self) or self.words[span.end] != "(" or ")" not in self.words[span.end :]:
            return set()
        return set(range(span.end, self.words.index(")", span.end) + 1))

    def measures(self, span: _Span) -> bool:
        """Whether a phrase is a quantity."""
        return _QUANTITY.fullmatch(self.said(span).replace(" ", "")) is not None

    def start_of(self, span: _Span) -> int:
        """Where a phrase starts with its article."""
        return span.start - (span.start > 0 and self.words[span.start - 1].casefold() in ("the", "a", "an"))

    def asked_before(self, joint: _Span) -> bool:
        """Whether the question word behind a joint ("how long in the B") stands before it as well."""
        asked = [word.casefold() for word in self.words[joint.end : joint.end + _FEW] if word.casefold() in _ASKING]
        return any(word.casefold() in asked for word in self.words[: joint.start])

    def goes_on(self, span: _Span) -> bool:
        """Whether a list ("A / B / C") goes on behind a phrase."""
        return span.end < len(self) and self.words[span.end] == "/"

    def said(self, span: _Span) -> str:
        return self.text[self._found[span.start].start() : self._found[span.end - 1].end()]

    def without(self, cut: Sequence[_Span], put: tuple[_Span, str] | None = None) -> str:
        """The text without some spans, and with another name in the place of one."""
        out: list[str] = []
        skipped = {place for span in cut for place in range(span.start, span.end)}
        if put is not None:
            skipped |= self._aside(put[0])
        for place, match in enumerate(self._found):
            if put is not None and place == put[0].start:
                out.append(put[1])
            if place in skipped or (put is not None and put[0].start <= place < put[0].end):
                continue
            out.append(match.group())
        text = re.sub(r"\s+([,;:?.)])", r"\1", " ".join(out))
        return re.sub(r"\( ", "(", re.sub(r"([,;:]\s*)+(?=[,;:?])", "", text)).strip()


def halves_of(question: Question) -> Halves | None:
    """The sides and their questions; None where nothing is set side by side by structure."""
    if question.form in (Form.CHOICE, Form.BLANK, Form.TRUE_FALSE):
        return None
    words = _Words(plainly(question.folded))
    set_against = _SETTING.search(question.folded) is not None
    for place in range(1, len(words) - 1):
        joint = _joint(words, place)
        if joint is None:
            continue
        sides, tails = _sides(words, joint)
        if len(sides) < 2 or not _tells(words, sides, joint, set_against) or words.goes_on(sides[-1]):
            continue
        names = tuple(words.said(side) for side in sides)
        if len({name.casefold() for name in names}) < len(names):
            continue
        cut = _joined(sides, joint, tails)
        whole = [words.without(cut), *(words.without(cut, (sides[0], name)) for name in names[1:])]
        return Halves(names, tuple(alone(one, name) for one, name in zip(whole, names)), set_against)
    return None


def _joint(words: _Words, place: int) -> _Span | None:
    """The connector at a place: one word, two, or a comma before a question that is asked again."""
    word, then = words.words[place].casefold(), words.words[place + 1].casefold()
    if word in _JOINTS:
        return _Span(place, place + 1)
    if (word, then) in _PAIRED_JOINTS:
        return _Span(place, place + 2)
    again = (word == "," and then in _ASKING) or (word in ("with", "to") and then in _THAT)
    return _Span(place, place + 1) if again else None


def _sides(words: _Words, joint: _Span) -> tuple[list[_Span], tuple[_Span, ...]]:
    """The phrases that a connector joins, first to last, and what behind the last is said a second time."""
    start = joint.end
    while start < len(words) and words.words[start].casefold() in _FILLERS and not words.names(start):
        start += 1
    end = start
    while end < len(words) and end - start < _LONGEST and not words.stops(end):
        end += 1
    first = joint.start - (words.words[joint.start - 1] == ",")
    begin = _back(words, first)
    right = _named(words, _Span(start, end))
    left = _named(words, _Span(begin, first), last=True)
    if left is None and right is not None and _anew(words, joint, start):
        left = _nearest(words, first, right)
        return ([left, right] if left is not None else []), ()
    if begin == first or start == end:
        return [], ()
    if left is None and right is not None and first - begin <= _FEW:
        left = _Span(begin, first)
    if left is None or right is None:
        length = min(first - begin, end - start)
        left, right = _Span(first - length, first), _Span(start, start + length)
    tail = _again(words, _Span(left.end, first), _Span(right.end, end))
    return [*_listed(words, left), left, right], tail


def _back(words: _Words, end: int) -> int:
    """Where the phrase begins that ends before a word."""
    begin = end
    while begin > 0 and end - begin < _LONGEST and not words.stops(begin - 1):
        begin -= 1
    return begin


def _nearest(words: _Words, end: int, right: _Span) -> _Span | None:
    """The last name before a word that is printed like the other side's and is no quantity."""
    place = end
    while place > 0:
        found = _named(words, _Span(0, place), last=True)
        if found is None:
            return None
        if not words.measures(found) and words.shape(found) == words.shape(right):
            return found
        place = found.start
    return None


def _anew(words: _Words, joint: _Span, start: int) -> bool:
    """Whether what follows a connector is a clause or a standard of comparison of its own: "than the B", "with that of
    the B", "and after how long a B": its fellow then need not stand just before the connector."""
    if words.words[joint.start].casefold() in _STANDARD:
        return True
    return any(words.words[place].casefold() in _ASKING | _THAT for place in range(joint.end, start))


def _named(words: _Words, span: _Span, last: bool = False) -> _Span | None:
    """The first (or last) run of names in a phrase."""
    named = [place for place in range(span.start, span.end) if words.names(place) and words.words[place] not in _BREAKS]
    if not named:
        return None
    begin = end = named[-1] if last else named[0]
    while last and begin - 1 in named and not words.words[begin - 1].endswith("'s"):
        begin -= 1
    while not last and end + 1 in named:
        end += 1
    return _Span(begin, end + 1)


def _listed(words: _Words, left: _Span) -> list[_Span]:
    """The sides before the last two: "A, B and C"."""
    found: list[_Span] = []
    shape = words.shape(left)
    place = words.start_of(left)
    while place >= 2 and words.words[place - 1] in (",", "/") and len(found) < _MOST - 2:
        begin = _back(words, place - 1)
        span = _Span(begin, place - 1)
        core = _named(words, span, last=True) if shape[0] else span
        if core is None or core.end != span.end or core.end == core.start or words.shape(core) != shape:
            break
        if words.measures(core) != words.measures(left):
            break
        found.insert(0, core)
        place = words.start_of(core)
    return found


def _again(words: _Words, left: _Span, right: _Span) -> tuple[_Span, ...]:
    """The head that both phrases have ("package ... package") or the second stands for ("one")."""
    said = [word.casefold() for word in words.words[left.start : left.end]]
    again = [word.casefold() for word in words.words[right.start : right.end]]
    if again and (again == said or again[0] in _ONES):
        return (_Span(right.start, right.start + (len(again) if again == said else 1)),)
    one = right.end < len(words) and not again and words.words[right.end].casefold() in _ONES
    return (_Span(right.end, right.end + 1),) if one else ()


def _joined(sides: Sequence[_Span], joint: _Span, tails: Sequence[_Span]) -> list[_Span]:
    """What the question for one side leaves out: the other sides, the words that join them, a head said again."""
    cut = [_Span(one.end, other.end) for one, other in pairwise(sides[:-1])]
    return [*cut, _Span(joint.start, sides[-1].end), *tails]


def _tells(words: _Words, sides: Sequence[_Span], joint: _Span, set_against: bool) -> bool:
    """Whether the phrases are things compared: set against each other in words, asked about one by one, or parts."""
    texts = [words.said(side) for side in sides]
    before = words.words[sides[0].start - 1].casefold() if sides[0].start else ""
    if any(len(text) < 2 or text.casefold() in stop_words() for text in texts):
        return False
    if any(find_quantities(text) for text in texts):
        return set_against and before not in ("between", "from") and all(words.measures(side) for side in sides)
    named = len({words.shape(side) for side in sides}) == 1 and words.names(sides[0].start)
    word = words.words[joint.start].casefold()
    if word == "than" and any(text.replace(".", "").replace(",", "").isdigit() for text in texts):
        return False
    if word in _STANDARD or word in ("versus", "vs", "against", "with", "to"):
        return named or word in ("versus", "vs", "against")
    follows = {each.casefold() for each in words.words[joint.end : sides[-1].start]}
    if follows & _ASKING and words.asked_before(joint):
        return named or bool(follows & _PREPOSITIONS)
    if word == ",":
        return False
    if before in _PREPOSITIONS and before in follows:
        return True
    if set_against:
        return named or word == "or"
    return before != "between" and all(looks_like_part(text) for text in texts)
