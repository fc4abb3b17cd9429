"""The wordings a question's form, limit, bounds and kind of device are told by."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files

from engine.core.model import LimitKind
from engine.core.naming import name_words
from engine.parameters.units import parse_unit


class Form(StrEnum):
    """What is to be done with the values found."""

    VALUE = "value"
    HIGHEST = "highest"
    LOWEST = "lowest"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    RANK = "rank"
    COUNT = "count"
    WHICH = "which"
    YES_NO = "yes_no"
    EACH = "each"


@dataclass(frozen=True, slots=True)
class QuestionWords:
    ignore: frozenset[str]
    highest: frozenset[str]
    lowest: frozenset[str]
    fastest: frozenset[str]
    slowest: frozenset[str]
    kinds: tuple[tuple[str, ...], ...]
    soft: frozenset[str]
    opposed: tuple[tuple[frozenset[str], ...], ...]


@functools.cache
def question_words() -> QuestionWords:
    """question_words.toml, read once."""
    table = tomllib.loads(files("engine.parameters").joinpath("question_words.toml").read_text(encoding="utf-8"))
    sets = {
        key: frozenset(name_words(table[key]))
        for key in ("ignore", "makers", "highest", "lowest", "fastest", "slowest")
    }
    kinds = tuple(tuple(phrase.strip() for phrase in line.split(",")) for line in table["kinds"])
    ignored = sets["ignore"] | sets["makers"]
    soft = frozenset(name_words(" ".join([table["soft"], *table["kinds"]])))
    opposed = tuple(tuple(frozenset(name_words(side)) for side in line.split(";")) for line in table["opposed"])
    return QuestionWords(
        ignored,
        sets["highest"],
        sets["lowest"],
        sets["fastest"],
        sets["slowest"],
        kinds,
        soft,
        opposed,
    )


TOKEN = re.compile(r"[A-Za-z0-9][\w/+-]*")
SHEET = re.compile(r"\s*(?:data ?sheets?|datasheets?|sheets?|notes?|manuals?)\b", re.IGNORECASE)
EXPECTED = (
    (r"\bhow long\b(?! is the (?:package|body|lead))|\bhow quickly\b|\bhow soon\b", ("s", "month", "cycle")),
    (r"\bhow (?:hot|cold|warm)\b", ("\u00b0C", "K")),
    (r"\bhow heavy\b", ("g",)),
)
FAMILY = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2,6}\d{2,5}x+(?![A-Za-z0-9])")
HEADING = re.compile(
    r"(?:section|chapter|heading)\s+(?:on |about |called |titled )?[\"\u201c](?P<behind>[^\"\u201d]{3,60})[\"\u201d]"
    r"|[\"\u201c](?P<quoted>[^\"\u201d]{3,60})[\"\u201d]\s+(?:sub)?(?:section|chapter|heading)"
    r"|\b(?:in|from|under|to) the (?P<named>(?:[\w/-]+ ){1,6}?)(?:sub)?(?:section|chapter)\b",
    re.IGNORECASE,
)
"""The section of a sheet that a question wants the answer from."""
KEYED = re.compile(
    r"\b((?:[A-Z][A-Za-z]*\s+){1,3}\d*|[A-Z][A-Za-z]*\d*)\s*=\s*([01XHLx]|0x[0-9A-Fa-f]+|[0-9A-Fa-f]+h)\b"
)
NUMBERED = re.compile(r"\b(?<!Table )(?<!table )([a-z]{3,12}) (\d{1,3})\b(?![-/])(?!\s*(?:[A-Za-z%\u00b0]|\.\d))")
NAMED = re.compile(
    r"\b(?P<name>(?:[VIRCTPf][A-Za-z]{0,2}[A-Z0-9][\w+]*)|[VITRC][a-z]{2}|V\+|f)\s+"
    r"(?:is|of|at|equals|equal to|being)?\s*"
    r"(?:between\s+|from\s+)?(?=[+\-\u00b1]?\d)"
)
_BELOW = (
    r"below|under|less than|lower than|smaller than|at most|no more than|not more than|not exceed(?:ing)?|within|up to"
    r"|fewer than|shorter than|beneath|max(?:imum)? of|<=?"
)
_ABOVE = (
    r"above|over|more than|greater than|higher than|larger than|at least|no less than|not less than|exceed(?:s|ing)?"
    r"|beyond|longer than|min(?:imum)? of|>=?"
)
BOUND = re.compile(rf"(?:(?P<below>{_BELOW})|(?P<above>{_ABOVE}))\s*(?:of\s+|than\s+)?$", re.IGNORECASE)
INCLUSIVE = re.compile(
    r"=|at (?:most|least)|no(?:t)? (?:more|less)|up to|within|exceeding|(?:max|min)(?:imum)? of", re.IGNORECASE
)
INCLUDES = re.compile(
    r"\b(?:run|runs|running|work|works|operate|operates|powered|usable|supplied|live|lives|survive|survives)\s+"
    r"(?:from|at|on|down to|with|off)\s+(?:a\s+)?$|\b(?:includes?|including|covers?|covering)\s+$",
    re.IGNORECASE,
)
UNIT_ASKED = re.compile(
    r"\bin\s+([A-Za-z%\u00b0\u03a9][A-Za-z%\u00b0/]*)"
    r"(?=\s*(?:[?,.]|$|does|do|is|are|has|can|the|for|of|at)\b|\s*[?,.]|\s*$)"
)
HOW_LARGE = re.compile(
    r"\bhow (?:large|big|small|fast|slow|wide|tall|hot|cold|heavy|often|long|high|low|many|much)\b", re.IGNORECASE
)
HOW_MANY_UNITS = re.compile(r"\bhow many (?P<unit>[munpkM\u00b5]?(?:A|V|W|Hz|s|F|H|\u03a9)|dB)\b(?![/-]\w)")
ABSOLUTE = re.compile(r"\babs(?:olute)?\b(?:\s+max(?:imum)?)?(?:\s+ratings?)?", re.IGNORECASE)
RECOMMENDED = re.compile(r"\brecommended\s+(?:operating\s+)?conditions?\b|\brecommended operating\b", re.IGNORECASE)
SUFFIX = re.compile(
    r"(?:\bthe\s+)?(?<![\w-])[\"'\u201c\u2018]?-?(?P<suffix>[A-Z]{1,4})[\"'\u201d\u2019]?[- ]"
    r"(?:version|variant|grade|suffix|suffixed part)s?\b"
)
""" "the A version", "the -B grade", "parts with the "LJ" suffix": a part's name without its stem."""
PLAIN = re.compile(r"\b(?:plain|standard|ordinary|base|basic|regular|or|than)\b", re.IGNORECASE)
FULL_TEMPERATURE = re.compile(
    r"\b(?:over|across|throughout|for)\s+(?:the\s+|its\s+)?"
    r"(?:(?:full|entire|whole|complete|operating|specified|rated|ambient)\s+)+temperatures?(?:\s+range)?\b"
    r"|\bover\s+(?:the\s+)?temperature(?:\s+range)?\b",
    re.IGNORECASE,
)
GRADE_TEMPERATURE = re.compile(
    r"\b(?:(?:at|over|for|in)\s+(?:the\s+)?)?(?:full\s+)?(?P<grade>military|industrial|commercial)[- ]"
    r"(?:(?:temperature[- ])?range|temperatures?)\b",
    re.IGNORECASE,
)
ROOM_TEMPERATURE = re.compile(r"\b(?:at\s+)?room[- ]temperature\b", re.IGNORECASE)
WORST_CASE = re.compile(r"\bworst[- ]case\b", re.IGNORECASE)
CHAINED = re.compile(
    r"\b(?P<one>[A-Z]\w{0,7})\s*=\s*(?P<other>[A-Z]\w{0,7})\s*=\s*(?P<value>[+\-\u00b1]?[\d.]+\s?[A-Za-z\u00b5\u00b0%]*)"
)
""" "VCC = VIN = 5 V" states two conditions."""
SUPPLIED = re.compile(r"\s+(?:power\s+)?(?:suppl(?:y|ies)|rails?)\b(?!\s+(?:current|voltage))", re.IGNORECASE)
LOADED = re.compile(r"\s+loads?\b", re.IGNORECASE)
FEATURE_LIST = re.compile(
    r"\bfeatures?\s+lists?\b|\bfeature list\b|\bfront page\b|\bfirst page\b|\bin (?:its|the|their) features?\b",
    re.IGNORECASE,
)
KINDS = (
    (
        re.compile(r"\b(?:max|maxim(?:um|a)|at most|up to|upper limit|no more than)\b", re.IGNORECASE),
        LimitKind.MAX,
    ),
    (re.compile(r"\b(?:min|minim(?:um|a)|at least|lower limit|down to)\b", re.IGNORECASE), LimitKind.MIN),
    (re.compile(r"\b(?:typ|typical|typically|nominal|nominally|usual(?:ly)?)\b", re.IGNORECASE), LimitKind.TYP),
)
EXTREMES = (
    (re.compile(r"\b(?:highest|largest|greatest|biggest|longest|slowest)\b", re.IGNORECASE), LimitKind.MAX),
    (re.compile(r"\b(?:lowest|smallest|shortest|least)\b", re.IGNORECASE), LimitKind.MIN),
)
"""The limit a superlative asks of one part: its longest delay is the maximum."""
MARGIN = re.compile(
    r"(?:,?\s*\b(?:and|but)\s+)?\bby (?:how (?:much|many)|what (?:margin|amount))(?: [A-Za-z\u00b5\u03a9%\u00b0]+)?"
    r"(?=\s*(?:[?.,;)]|$|do\b|does\b|is\b|are\b|the\b))",
    re.IGNORECASE,
)
"""Asks for the difference, beside who wins or alone: ", and by how many volts?"."""
_DIFFERENCE = re.compile(
    r"\bdifference\b|\bhow (?:much|many [a-z]+) (?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|faster"
    r"|slower|tighter|wider)\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(r"\bwhich\b|\bor\b", re.IGNORECASE)
_RATIO = re.compile(
    r"\bratio\b|\bhow many times\b|\btimes (?:more|as|higher|larger|faster)\b|\bby what factor\b", re.IGNORECASE
)
_RANK = re.compile(r"\b(?:rank|sort|order)\b(?!ing (?:information|code|options|guide))", re.IGNORECASE)
_COUNT = re.compile(
    r"^(?:how many|count|number)\b.*\b(?:have|has|with|are|run|runs|support|whose|stay|stays|draw|need)\b",
    re.IGNORECASE,
)
YES_NO = re.compile(
    r"^(?:is|are|was|does|do|did|can|could|will|would|has|have|may|must|should)\b"
    r"(?!\s+(?:you|we|i)\s+(?:\w+\s+)?(?:tell|show|give|list|find|say|know|explain)\b)(?!.*\b(?:wh(?:at|ich)|or)\b)",
    re.IGNORECASE,
)
"""A claim about a named part; "can you tell me", "do you know what" only ask, and "... or ..." offers a choice."""
ANY = re.compile(r"\bany\b|\bthere\b|\bwe have\b|\b(?:our|all)\b", re.IGNORECASE)
"""A claim about the whole library: "is there an op amp that runs from 3 V?"."""
_ABOUT = (
    re.compile(
        r"\bwhich\s+(?:of\s+)?(?:our|the|my|these|those|all)?\s*(?P<about>[a-z][a-z /-]{2,40}?)\s+(?:has|have|runs?"
        r"|is|are|can|stays?|draws?|needs?|consumes?|offers?|works?|operates?|takes?|supports?|give|gives|survive|with|whose)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:list|show|find|give me|rank|sort|count|how many|all|every)?\s*(?:all|the|our|my|of|every)?\s*"
        r"(?P<about>[a-z][a-z /-]{2,40}?)\s+(?:with|whose|having|that|by|which|have|has|below|under|run|runs|stay|draw"
        r"|are)\b",
        re.IGNORECASE,
    ),
)
_EACH = re.compile(
    r"\b(?:(?:each|every|all)(?: of)?(?: the| our| my| these| those)?|(?:of|for|across) (?:our|my|these|the various))"
    r"\s+"
    r"(?P<about>[A-Za-z][A-Za-z0-9/ -]{1,40})",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"^(?:list|show|give(?: me)?|tabulate)\s+(?:all\s+|the\s+|our\s+|my\s+|of\s+)*(?P<about>[A-Za-z][\w/ -]{1,40}?)"
    r"\s+(?:and|with)\s+(?:their|its|the)\b",
    re.IGNORECASE,
)
""" "List the real time clocks and their timekeeping current"."""
_ANY_DEVICE = re.compile(r"(?:parts?|devices?|chips?|components?|ics?|(?:data ?)?sheets?)\b", re.IGNORECASE)
EVERY = re.compile(
    r"\b(?:each|both|every|respectively|all of them|two values|the values|and (?:that|what|up to what|the same))\b",
    re.IGNORECASE,
)


def read_expected_units(text: str) -> tuple[str, ...]:
    """Common units an answer may have, empty for any."""
    if counted := re.search(r"\bhow many ([a-z]+)\b(?![/-]\w)", text, re.IGNORECASE):
        unit = parse_unit(counted.group(1))
        return ("",) if unit is None else ("", unit.symbol)
    return next((units for pattern, units in EXPECTED if re.search(pattern, text, re.IGNORECASE)), ())


def read_form(text: str, named: bool, margin: bool = False) -> Form:
    """What is to be done with the values; `named` when the question names parts, `margin` when it asks by how much."""
    if margin or _DIFFERENCE.search(text):
        winner = _superlative(text) if _CHOOSES.search(text) else Form.VALUE
        return Form.DIFFERENCE if winner is Form.VALUE else winner
    if _RATIO.search(text):
        return Form.RATIO
    if _RANK.search(text):
        return Form.RANK
    if _COUNT.match(text) and not named:
        return Form.COUNT
    comparing = re.search(
        r"\bwhich\b|\bwhat (?:device|part|chip)\b|\bof (?:the|our|these)\b|\bwho\b|\bor\b|\bthan\b", text, re.IGNORECASE
    )
    return _superlative(text) if comparing else Form.VALUE


def _superlative(text: str) -> Form:
    words, known = set(re.findall(r"[a-z]+", text.casefold())), question_words()
    which = re.search(r"\bwhich\b", text, re.IGNORECASE) is not None
    if words & (known.highest - {"maximum", "more", "most"}):
        return Form.HIGHEST
    if which and re.search(r"\bmore (?!than\b)\w+", text, re.IGNORECASE):
        return Form.HIGHEST
    if which and "maximum" not in words and re.search(r"\bthe most\b", text, re.IGNORECASE):
        return Form.HIGHEST
    if words & (known.lowest - {"less"}) or re.search(r"\bthe least\b|\bless \w+ than\b", text, re.IGNORECASE):
        return Form.LOWEST
    rate = re.search(r"\b(?:clock|frequency|rate|speed|bandwidth|slew)\b", text, re.IGNORECASE) is not None
    if words & known.fastest:
        return Form.HIGHEST if rate else Form.LOWEST
    if words & known.slowest:
        return Form.LOWEST if rate else Form.HIGHEST
    return Form.VALUE


def read_each(text: str) -> str | None:
    """The kind of device of which each is asked for ("each op amp"), "" for any part, None for no such question."""
    if re.match(r"(?:which|how many|count|number)\b", text, re.IGNORECASE):
        return None
    phrases = sorted({phrase for line in question_words().kinds for phrase in line}, key=len, reverse=True)
    for match in (*_LISTED.finditer(text), *_EACH.finditer(text)):
        if _ANY_DEVICE.match(match["about"]):
            return ""
        for phrase in phrases:
            if re.match(rf"{re.escape(phrase)}s?\b", match["about"].replace("-", " "), re.IGNORECASE):
                return phrase
    return None


def read_about(text: str) -> str:
    """The kind of device asked over ("op amps"), when no part is named."""
    known = question_words()
    phrases = sorted({phrase for line in known.kinds for phrase in line}, key=len, reverse=True)
    for pattern in _ABOUT:
        if match := pattern.search(text):
            return "" if _ANY_DEVICE.fullmatch(match["about"].strip()) else match["about"].strip()
    lowered = text.casefold()
    return next((phrase for phrase in phrases if re.search(rf"\b{re.escape(phrase)}s?\b", lowered)), "")
