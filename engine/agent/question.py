"""What a question asks for: its form, the kind of answer, the parts and sections it is bound to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.agent.cues import asked_dimensions, names_a_kind
from engine.agent.parts import looks_like_part
from engine.agent.quantities import Quantity, find_quantities, read_unit, tidy_units
from engine.agent.terms import content_terms, neighbours, stop_words, tokens
from engine.core.text import fold, identifiers


class Form(StrEnum):
    """How the answer should look (HiQA 7.8, 7.9)."""

    OPEN = "open"
    YES_NO = "yes_no"
    CHOICE = "choice"
    TRUE_FALSE = "true_false"
    BLANK = "blank"
    LIST = "list"
    SUMMARY = "summary"


class Expect(StrEnum):
    """The kind of thing that answers; OPTION is a switch of a command line."""

    QUANTITY = "quantity"
    NUMBER = "number"
    HEX = "hex"
    IDENTIFIER = "identifier"
    PERSON = "person"
    PLACE = "place"
    DATE = "date"
    OPTION = "option"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Option:
    """One offered choice: "B" and its text."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question as rules read it: what it asks for, of which parts, in which form."""

    text: str
    folded: str
    form: Form
    expect: Expect
    dimensions: frozenset[str]
    """Dimensions an expected quantity may have; empty if any."""
    terms: tuple[str, ...]
    """Content words in canonical form, without part names and stated quantities."""
    parts: tuple[str, ...]
    """Part and document numbers named, as printed."""
    sections: tuple[str, ...]
    """Section, table or figure names the answer must come from."""
    given: tuple[Quantity, ...]
    """Quantities stated in the question: conditions, never the answer (unless it offers alternatives)."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Column values stated: ("RANGE SELECT 2", "1")."""
    years: tuple[str, ...] = ()
    proper: frozenset[str] = frozenset()
    """Terms printed with a capital or as a year: makers and titles that tell documents apart."""
    rated: bool = False
    """A rating is asked for: what the part survives, not how it performs."""
    aside: frozenset[str] = frozenset()
    """Terms of the clauses around the one that asks: what is told of a bench or a board seldom stands in a sheet."""
    light: frozenset[str] = frozenset()
    """Verbs of the question: a passage may say the same with another."""
    section_terms: frozenset[str] = frozenset()
    """Content words of the section names: they say where to look, not what to find."""
    limit: str = ""
    """"min", "typ", "max" or ""."""
    options: tuple[Option, ...] = field(default=())
    plural: bool = False
    """Two or more values are asked for."""
    phrases: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring content words: "collector current" is not "collector ... saturation current"."""
    offered: tuple[float, ...] = ()
    """"... 400k or 100k": values of which one is the answer."""

    @property
    def offers(self) -> bool:
        return bool(self.offered)


_TOLD = re.compile(
    r"(?:what (?:happens|does \S+ (?:do|mean)|must|should (?:i|you|one) do)|why|how (?:can|do|does|is|are|must|to)) ?",
    re.I,
)
"""Openings of questions that are answered by a sentence, whatever quantities they name."""
_UNIT_ASKED = re.compile(
    r"\bin (%|ppm|bytes?|bits?|volts?|[mun]?[VAsW]|[kM]?Hz|mA|uA|ms|us|ns|seconds?|milliseconds?)\b"
)
_SWITCH = re.compile(
    r"(?:\b(?:which|what) (?:[\w.-]+ ){0,3}?(?:switch|option|flag|command[- ]line (?:argument|parameter))"
    r"|^(?:[\w.-]+[:,]? ){0,3}(?:switch|option|flag) (?:that|which|to|for))\b",
    re.I,
)
_SWITCH_WORDS = frozenset(content_terms("switch option flag command line argument parameter"))
_LONG = re.compile(r"(?<=how many )((?:[\w-]+ ){1,3})(?:long|wide|deep|high|tall|old)\b", re.I)
""" "How many clock periods long": the adjective only says what is counted."""
_SINCE = re.compile(r"\b(?:since|until|from) when\b|^from (?:which|what) (?:moment|date|day|time)\b", re.I)
_WHEN = re.compile(
    r"when\b(?!.*,\s*(?:how|what|which|where|who|why|is|are|does|do|can|must|should)\b)|in (?:which|what) year", re.I
)
""" "When the timer overflows, how long ...?" asks for no date."""
_CLAUSES = re.compile(r"\s+[-\u2013\u2014]\s+|[;:.!?](?:\s+|$)|,\s+")
_ASKING = re.compile(r"\b(?:what|which|how|when|where|who|why|whats)\b", re.I)
_MANY_UNITS = re.compile(
    r"(?i:how many) ((?i:(?:kilo|mega)?(?:bytes?|bits?)|volts?|milliamps?|ohms?)"
    r"|[munpkMG]?(?:Hz|V|A|W|s|F|ohm)|dB|[kM]?B)(?![\w/-])"
)
_HOW_MANY = re.compile(r"\b(?:how many|number of|what number)\b", re.I)
_YES_NO = re.compile(
    r"^(?:so,? |and,? )?(?:is|are|was|were|does|do|did|can|could|has|have|will|would|should|must|may)\b", re.I
)
_AUXILIARY = re.compile(r"\b(?:do|does|did|can|is|are|may|must|should|will)\b", re.I)
_ASKS_WHAT = re.compile(r"(?:what|which|how|where|to which|with which)\b", re.I)
_CODE_ASKED = re.compile(
    r"\bhex(?:adecimal)?\b|\b(?:i2c |slave |device )?address(?:es)?\b"
    r"|\b(?:which|what) (?:\w+ ){0,2}(?:code|opcode|command byte|protocol)\b|\bfamily code\b"
)
_OPTION = re.compile(r"(?<![A-Za-z0-9])\(?([A-H])[:.)、,]\s*(.+?)(?=\s*(?<![A-Za-z0-9])\(?[A-H][:.)、,]\s|\s*$)")
_BLANK = re.compile(r"\(\s*\)|(?<![A-Za-z0-9_])_{2,}(?![A-Za-z0-9_])")
"""A name ("__SP_H__") is no blank."""
_SUMMARY = re.compile(
    r"^(?:please )?(?:list|summari[sz]e|compare|describe|enumerate|outline|explain|give an overview)\b"
    r"|^what are the main\b|\bas a choice for\b|\boverview of\b|\bmain differences\b",
    re.I,
)  # fmt: skip
_SECTION = (
    re.compile(r"[\"“”]([^\"“”]{3,80})[\"“”]"),
    re.compile(r"\b((?:Table|Figure|Fig\.|Appendix|Section|Chapter) [0-9A-Z]+(?:[.-][0-9]+)*)\b"),
    re.compile(r"\b(?:in|from|under|per|to|of) the ((?:[\w/-]+ ){1,6}?)(?:section|chapter|table|list|figure)\b", re.I),
    re.compile(r"\b(?:section|chapter) (?:on|about|called|titled) ((?:[\w/-]+ ?){1,7}?)(?:,|\?|of the|$)", re.I),
)  # fmt: skip
_PAIR = re.compile(
    r"((?:[A-Z][\w-]*|[A-Z0-9]+)(?: (?:[A-Z][\w-]*|[0-9]+(?= ?=)))*) ?= ?([01XLHxlh]{1,8}|[0-9]+)(?![\w.])"
)
_BARE_SCALE = re.compile(r"\b([0-9]+(?:\.[0-9]+)?)([kKM])\b")
_CLAIM_VERBS = frozenset(
    content_terms(
        "support supports have has include includes included provide offer feature contain contains use uses come need "
        "require accept allow able capable available work run operate built"
    )
)
"""What a yes-no question asks after with: a document that has the thing seldom says so with the same verb."""
_PLAIN_SECTION = {"feature": "Features", "features": "Features", "front page": "front page"}


def understand(text: str) -> Question:
    """Read a question by rules. Never fails: what is not recognised stays open."""
    folded = tidy_units(fold(text))
    options = _options(folded)
    form = _form(folded, folded.casefold(), options)
    folded = _filled(folded)
    lowered = folded.casefold()
    parts = tuple(name for name in identifiers(folded) if looks_like_part(name))
    given = tuple(find_quantities(_OPTION.split(folded, maxsplit=1)[0] if options else folded))
    expect, dimensions = _expectation(folded, lowered, form)
    offered = _offered(given, folded)
    if offered and expect is Expect.TEXT:
        expect = Expect.QUANTITY
    if form in (Form.YES_NO, Form.TRUE_FALSE) and not offered:
        expect, dimensions = Expect.TEXT, ()
    asked = _OPTION.split(folded, maxsplit=1)[0] if options else folded
    for quantity in given:
        asked = asked.replace(quantity.text, " ")
    if offered:
        asked = _BARE_SCALE.sub(" ", asked)
    asked = _LONG.sub(r"\1", asked)
    asked = re.sub(
        r"\bhow (?:much|many|long|large|big|high|low|fast|far|often|quickly|wide|small|tall)\b", " ", asked, flags=re.I
    )
    drop = {token for name in parts for token in tokens(name)}
    if form in (Form.YES_NO, Form.TRUE_FALSE):
        drop |= _CLAIM_VERBS
    if expect is Expect.OPTION:
        drop |= _SWITCH_WORDS
    return Question(
        text=text,
        folded=folded,
        form=form,
        expect=expect,
        dimensions=frozenset(dimensions),
        terms=tuple(term for term in content_terms(asked) if term not in drop),
        parts=parts,
        aside=_aside(folded),
        sections=_sections(folded),
        light=_light(folded),
        section_terms=frozenset(content_terms(" ".join(_sections(folded)))),
        given=given,
        pairs=tuple((m.group(1).strip(), m.group(2)) for m in _PAIR.finditer(folded)),
        years=tuple(re.findall(r"\b(?:19[5-9]|20[0-4])[0-9]\b(?! ?[A-Za-z]*(?:Hz|V|A|s|ohm)\b)", folded)),
        proper=_proper(folded),
        rated=bool(re.search(r"\b(?:rates|rated|ratings?|absolute maximum|abs max)\b", lowered)),
        limit=_limit(lowered),
        options=options,
        plural=bool(re.search(r"\b(?:two|three|both|respectively|values|which ones|each)\b", lowered)),
        phrases=neighbours(asked),
        offered=offered,
    )


def only_repeats(question: Question, short: str) -> bool:
    """Whether a short answer says nothing that the question does not say, so that it answers something else."""
    words = content_terms(short)
    asked = set(content_terms(question.folded))
    return bool(words) and all(word in asked for word in words) and not question.offers


def _options(folded: str) -> tuple[Option, ...]:
    found = tuple(Option(m.group(1), m.group(2).strip(" ;,")) for m in _OPTION.finditer(folded))
    labels = "".join(option.label for option in found)
    return found if len(found) >= 2 and "ABCDEFGH".startswith(labels) else ()


def _form(folded: str, lowered: str, options: tuple[Option, ...]) -> Form:
    if options:
        return Form.CHOICE
    if re.search(r"\btrue or false\b|^\s*(?:statement|judge\w*)\s*:", lowered):
        return Form.TRUE_FALSE
    if _BLANK.search(lowered) or "fill in" in lowered:
        return Form.BLANK
    if _SUMMARY.search(folded):
        return Form.SUMMARY
    if re.search(r"\bwhich (?:of (?:our|the|my) )\w+(?: \w+)? (?:are|have|support|offer|run|work)\b", lowered):
        return Form.LIST
    return Form.YES_NO if _YES_NO.match(folded) else Form.OPEN


def _filled(folded: str) -> str:
    """A blank put as what it asks: "has () input channels" asks how many, "up to ____ kHz" for a value in kHz."""
    blank = _BLANK.search(folded)
    if blank is None:
        return folded
    behind = folded[blank.end() :].strip()
    word = re.match(r"[^\s.,;?]+", behind)
    unit = word is not None and read_unit(word.group()) is not None
    asked = "what value in" if unit else "how many" if re.match(r"[a-z]{3,}", behind) else "what"
    return f"{folded[: blank.start()].rstrip()} {asked} {behind}".strip()


def _expectation(folded: str, lowered: str, form: Form) -> tuple[Expect, tuple[str, ...]]:
    if _SINCE.search(folded):
        return Expect.DATE, ()
    unit = _unit_in(_UNIT_ASKED, folded)
    if unit:
        return Expect.QUANTITY, (unit,)
    if _CODE_ASKED.search(lowered) and "how many" not in lowered:
        return Expect.HEX, ()
    unit = _unit_in(_MANY_UNITS, folded)
    if unit:
        return Expect.QUANTITY, (unit,)
    if _HOW_MANY.search(folded):
        return Expect.NUMBER, ()
    if re.match(
        r"(?:\w+ )?(?:which|what) (?:\w+ ){0,2}(?:pin|device|part|chip|register|command|ic|replacement|bit|sheet|"
        r"transistor|mosfet|fet|diode|amplifier|converter|regulator|sensor|microcontroller|controller|processor|mcu|"
        r"driver|crystal|module|board|kit|equivalent|successor)s?\b",
        lowered,
    ):
        return Expect.IDENTIFIER, ()
    if _SWITCH.search(folded) and not any(looks_like_part(name) for name in identifiers(folded)):
        return Expect.OPTION, ()
    if re.match(r"who\b|.*\bwhose\b", lowered):
        return Expect.PERSON, ()
    if re.match(r"where\b|.*\b(?:place of|country|city|birthplace)\b", lowered):
        return Expect.PLACE, ()
    if _WHEN.match(lowered) or re.match(r".*\b(?:date|birthday)\b", lowered):
        return Expect.DATE, ()
    dimensions = () if _TOLD.match(folded) else asked_dimensions(folded)
    if dimensions:
        return Expect.QUANTITY, tuple(kind for kind in dimensions if kind)
    return Expect.TEXT, ()


def _aside(folded: str) -> frozenset[str]:
    """Terms that only clauses without a question word have, where one clause asks."""
    clauses = [clause for clause in _CLAUSES.split(folded) if clause.strip()]
    asking = [clause for clause in clauses if _ASKING.search(clause)]
    if not asking:
        return frozenset()
    told = frozenset(term for clause in clauses if clause is not asking[-1] for term in content_terms(clause))
    return told - frozenset(content_terms(asking[-1]))


def _unit_in(pattern: re.Pattern[str], folded: str) -> str:
    """The dimension of the unit a question asks in, "" where it names none."""
    match = pattern.search(folded)
    unit = read_unit(match.group(1)) if match else None
    return unit[0] if unit is not None else ""


def _sections(folded: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for pattern in _SECTION:
        for match in pattern.finditer(folded):
            name = match.group(1).strip()
            if name and name.casefold() not in ("same", "following", "data", "this", "that"):
                found.setdefault(name)
    for cue, name in _PLAIN_SECTION.items():
        if cue in folded.casefold().split(" list")[0].split() or (" " in cue and cue in folded.casefold()):
            found.setdefault(name)
    return tuple(found)


def _light(folded: str) -> frozenset[str]:
    """The closing verb of "which code is X programmed to?" and participles, which documents word differently."""
    words = re.findall(r"[a-z][a-z'-]+", folded)
    verbs = [word for word in words if len(word) > 4 and word.endswith("ed")]
    closing = re.search(r"([A-Za-z]+)\s*\?", folded)
    if closing and _AUXILIARY.search(folded) and _ASKS_WHAT.match(folded):
        verb = closing.group(1)
        before = re.search(r"(\S+)\s+[A-Za-z]+\s*\?", folded)
        noun = before is not None and before.group(1).casefold() in stop_words()
        if verb.islower() and not noun and not names_a_kind(verb):
            verbs.append(verb)
    return frozenset(content_terms(" ".join(verbs)))


def _proper(folded: str) -> frozenset[str]:
    names = re.findall(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]*|\b(?:19|20)[0-9]{2}\b", folded)
    return frozenset(content_terms(" ".join(name.removesuffix("'s") for name in names)))


def _offered(given: Sequence[Quantity], folded: str) -> tuple[float, ...]:
    """Values set against one another by "or"; a bare "400k" counts by its number."""
    if not re.search(r"[0-9]\s?\S*\s(?:[\w']+ ){0,4}or\b.*[0-9]", folded):
        return ()
    bare = [float(m.group(1)) * {"k": 1e3, "m": 1e6}[m.group(2).casefold()] for m in _BARE_SCALE.finditer(folded)]
    values = tuple(dict.fromkeys([*(q.low for q in given if not q.is_range), *bare]))
    return values if len(values) > 1 else ()


def _limit(lowered: str) -> str:
    if re.search(
        r"\b(?:max|maximum|at most|up to|highest|largest|fastest|no more than|upper|worst[- ]case)\b", lowered
    ):
        return "max"
    if re.search(r"\b(?:min|minimum|at least|lowest|smallest|no less than|lower limit)\b", lowered):
        return "min"
    return "typ" if re.search(r"\b(?:typ|typical|typically|nominal|nom)\b", lowered) else ""
