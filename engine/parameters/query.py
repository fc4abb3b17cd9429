"""A question as a query over the records, by rules; what the rules leave open stays open.

Everything in a question is accounted for: device names, conditions, bounds, limit words, words that only ask, the
parameter's own name (or concept), and the words that remain. The remainder must be found in a record's surroundings
before the record may answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.core.ids import DocumentId
from engine.core.model import Condition, LimitKind, RecordSection
from engine.core.naming import name_words, symbol_key
from engine.parameters.bit_lists import spelled_out
from engine.parameters.concepts import NOUNS, load_concepts, plain
from engine.parameters.directions import directions_in
from engine.parameters.mentions import Mentioned, find_quantities
from engine.parameters.quantities import prepare
from engine.parameters.question_patterns import (
    ANY,
    BOUND,
    CHAINED,
    EVERY,
    EXTREMES,
    HOW_LARGE,
    HOW_MANY_UNITS,
    INCLUDES,
    INCLUSIVE,
    KINDS,
    MARGIN,
    WORST_CASE,
    YES_NO,
    Form,
    question_words,
    read_about,
    read_each,
    read_expected_units,
    read_form,
)
from engine.parameters.surroundings import (
    SUPPLY,
    Mask,
    take_conditions,
    take_heading,
    take_packages,
    take_parts,
    take_section,
    take_unit,
    take_unnamed,
)
from engine.parameters.units import Unit, parse_unit


@dataclass(frozen=True, slots=True)
class Bound:
    """An inequality a value has to keep, in the common form of `unit`. "includes" asks a range to hold the value."""

    relation: str
    low: float
    high: float
    unit: str
    raw: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One parameter asked for."""

    concepts: tuple[str, ...] = ()
    concept_words: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    kind: LimitKind | None = None
    bound: Bound | None = None
    order: tuple[str, ...] = ()
    """All content words as they follow one another."""
    directions: frozenset[tuple[str, str]] = frozenset()
    """What is said to go from where to where: ("low", "high")."""

    @property
    def empty(self) -> bool:
        return not (self.concepts or self.words or self.symbols)


@dataclass(frozen=True, slots=True)
class ParameterQuery:
    """`words` of the clauses are what no rule has explained; `parts` are as typed, "LPC214x" stands for a family."""

    question: str
    form: Form
    parts: tuple[str, ...]
    clauses: tuple[Clause, ...]
    sheets: tuple[tuple[str, ...], ...] = ()
    """Data sheets to look in, each by the names it is called by ("the LPC2141/42/44 data sheet")."""
    conditions: tuple[Condition, ...] = ()
    section: RecordSection | None = None
    unit: Unit | None = None
    unit_text: str = ""
    about: str = ""
    expects: tuple[str, ...] = ()
    """Common units an answer may have ("how long" -> seconds, months); empty if any."""
    every: bool = field(default=False)
    """One value for each part or document is asked for."""
    heading: str = ""
    """Title of the section the answer is to come from, as the question gives it."""
    margin: bool = False
    """Whether the difference is asked for, alone or beside who has more."""
    only: DocumentId | None = None
    """The one document to look in, where a question tells a part's sheets apart."""


def understand(question: str) -> ParameterQuery:
    """Read a question by rules. Never fails; a query without clauses means that no parameter was recognised."""
    text = spelled_out(WORST_CASE.sub("maximum", prepare(question)))
    text = _LEVEL.sub("logic-", text)
    text = CHAINED.sub(r"\g<one> = \g<value>, \g<other> = \g<value>", text)
    mask = Mask(text)
    margin = bool(mask.take_all(MARGIN))
    for match in HOW_MANY_UNITS.finditer(mask.text):
        if parse_unit(match["unit"]) is not None:
            mask.take(match.start(), match.end())
    mask.take_all(HOW_LARGE)
    heading = take_heading(mask)
    packages = take_packages(mask)
    parts, sheets = take_parts(mask)
    sections = take_section(mask)
    unit_text = take_unit(mask)
    conditions = take_conditions(mask)
    form = read_form(text, bool(parts), margin)
    each = None if parts or form is not Form.VALUE else read_each(text)
    form = form if each is None else Form.EACH
    about = "" if parts else read_about(text) if each is None else each
    expects = read_expected_units(text)
    clauses, unnamed = _clauses(mask, about, ranked=bool(parts) and form in RANKED)
    clauses = tuple(_with_noun(clause, expects) for clause in clauses)
    if form is Form.EACH and any(clause.bound for clause in clauses):
        form = Form.WHICH
    if form is Form.VALUE and YES_NO.match(text) and (parts or not ANY.search(text)):
        form = Form.YES_NO
    if form is Form.VALUE and any(clause.bound for clause in clauses):
        form = Form.WHICH
    if form is Form.WHICH and parts and not re.match(r"which\b", text, re.IGNORECASE):
        # "how long after VCC exceeds 4.25 V": with a named part a bound is when, not what
        conditions = (*conditions, *(_as_condition(clause.bound) for clause in clauses if clause.bound))
        form, clauses = Form.VALUE, tuple(replace(clause, bound=None) for clause in clauses if not clause.empty)
    if form is Form.VALUE and parts:
        extreme = next((kind for pattern, kind in EXTREMES if pattern.search(text)), None)
        clauses = tuple(replace(clause, kind=clause.kind or extreme) for clause in clauses)
    return ParameterQuery(
        question, form, parts, clauses, sheets, (*conditions, *packages, *unnamed), sections,
        parse_unit(unit_text) if unit_text else None,
        unit_text, about, expects, bool(EVERY.search(text)), heading, margin,
    )  # fmt: skip


_LEVEL = re.compile(r"\blogic(?:al)? (?=[01]\b)", re.IGNORECASE)
""" "Logic 0 output" names a level, no number of outputs."""
_BINARY = re.compile(r"[01]{2,8}b$")
RANKED = (Form.HIGHEST, Form.LOWEST, Form.DIFFERENCE, Form.RATIO, Form.RANK)


def _as_condition(bound: Bound) -> Condition:
    return Condition(bound.raw, "", bound.relation, bound.low, bound.high, bound.unit)


def _measured(text: str) -> list[Mentioned]:
    """The quantities of a question; "101b" is a code and not so many bits."""
    return [mention for mention in find_quantities(text) if not _BINARY.match(mention.text)]


def _clauses(mask: Mask, about: str, ranked: bool) -> tuple[tuple[Clause, ...], tuple[Condition, ...]]:
    """Clauses with their bounds, and quantities that are conditions without a name.

    Where named parts are ranked, "running from 2.8 V" is a condition of what is compared and no bound.
    """
    if about:
        at = mask.text.find(about)
        if at >= 0:
            mask.take(at, at + len(about))
    bounds: list[tuple[int, Bound]] = []
    unnamed: list[Condition] = []
    for mention in _measured(mask.text):
        before = mask.text[: mention.start]
        quantity = mention.quantity
        match = BOUND.search(before)
        if match and match["above"] and quantity.low < quantity.high:
            unnamed.append(take_unnamed(mask, mention))  # "over 0 to 70 °C"
            continue
        if match:
            start = match.start()
            inclusive = INCLUSIVE.search(match.group()) is not None
            relation = ("<" if match["below"] else ">") + ("=" if inclusive else "")
        elif quantity.relation in ("<", ">", "<=", ">="):
            start, relation = mention.start, quantity.relation
        elif match := INCLUDES.search(before):
            start, relation = match.start(), "includes"
        elif not quantity.unit:
            continue
        else:
            unnamed.append(take_unnamed(mask, mention))
            continue
        if ranked:
            supplied = relation == "includes" and quantity.unit == "V"
            unnamed.append(
                Condition(mention.text, SUPPLY if supplied else "", "=", quantity.low, quantity.high, quantity.unit)
            )
            mask.take(start, mention.end)
            continue
        bounds.append((start, Bound(relation, quantity.low, quantity.high, quantity.unit, mention.text)))
        mask.take(start, mention.end)
    if not bounds:
        clause = _clause(mask.text, None)
        return ((clause,) if not clause.empty else ()), tuple(unnamed)
    clauses: list[Clause] = []
    last = 0
    for number, (start, bound) in enumerate(bounds):
        end = len(mask.text) if number == len(bounds) - 1 else start
        clauses.append(_implied(_clause(mask.text[last:end], bound), bound))
        last = start
    return tuple(clauses), tuple(unnamed)


def _with_noun(clause: Clause, expects: Sequence[str]) -> Clause:
    """A clause that leaves out what is measured: "by how many volts does the collector-emitter limit ..." """
    noun = next((NOUNS[unit] for unit in expects if unit in NOUNS), "")
    if not noun or clause.concepts or clause.symbols:
        return clause
    found = load_concepts().in_words([noun if word == _LEFT_OPEN else word for word in clause.order])
    taken = tuple(word for one in found for word in clause.order[one.start : one.end] if word != _LEFT_OPEN)
    words = tuple(word for word in clause.words if word not in taken)
    return replace(clause, concepts=tuple(one.concept for one in found), concept_words=taken, words=words)


_LEFT_OPEN = "limit"


def _implied(clause: Clause, bound: Bound) -> Clause:
    """What is meant where only a value is given: "runs from 3 V" a supply voltage, "stays under 50 µA" its current."""
    if clause.concepts or clause.symbols or not set(NOUNS.values()).isdisjoint(clause.words):
        return clause
    implied = {
        "V": "supply_voltage",
        "A": "supply_current",
        "W": "power_dissipation",
        "\u00b0C": "operating_temperature",
    }
    concept = implied.get(bound.unit)
    if bound.relation != "includes" and bound.unit == "V":
        concept = None
    if concept is None:
        return clause
    return Clause((concept,), ("|",), (), clause.symbols, clause.kind, bound)


def _clause(text: str, bound: Bound | None) -> Clause:
    kind = next((kind for pattern, kind in KINDS if pattern.search(text)), None)
    kind = kind or (LimitKind.MAX if _CAPPED.search(text) else None)
    tokens: list[str] = []
    symbols: list[str] = []
    for match in re.finditer(r"[|,;?]+|:(?=\s|$)|(?:[^\s|,;:?]|:(?=\w))+", text):
        token = match.group()
        if token[0] in "|,;:?" or _YEAR.match(token):
            tokens.append("|")
        elif _symbol_like(token):
            symbols.append(symbol_key(token))
            tokens.append("|")
        else:
            tokens.extend(_kept_case(token))
    found = load_concepts().in_words(tokens)
    known = question_words()
    taken = {index for one in found for index in range(one.start, one.end)}
    spelled = tuple(tokens[index] for one in found for index in range(one.start, one.end))
    every = known.ignore | known.highest | known.lowest | known.fastest | known.slowest
    words = tuple(
        dict.fromkeys(
            token
            for index, token in enumerate(tokens)
            if index not in taken and token not in every and token not in spelled and len(token) > 1
        )
    )
    concepts = tuple(dict.fromkeys(one.concept for one in found))
    directions = directions_in(text)
    short = "" if concepts else _said_short(text, words, bool(directions))
    if short:
        concepts, spelled, words = (_SHORT[short],), (*spelled, short), tuple(word for word in words if word != short)
    order = tuple(token for token in tokens if token != "|" and (token not in known.ignore or token == _LEFT_OPEN))
    return Clause(concepts, spelled, words, tuple(symbols), kind, bound, order, directions)


_CAPPED = re.compile(
    r"\b(?:supply current|consumption|dissipation|frequency|delay|time|leakage) limit\b", re.IGNORECASE
)
"""What is kept below a limit ("supply current limit"); an output's current limit is a parameter of its own."""
_SHORT = {"delay": "propagation_delay", "power": "power_dissipation"}
_MORE_POWER = re.compile(
    r"\b(?:more|less|most|least|higher|lower) power\b(?![ -](?:supply|down|up|on)\b)", re.IGNORECASE
)


def _said_short(text: str, words: Sequence[str], directed: bool) -> str:
    """The word that alone names a parameter here: "the delay from EI to GS", "rated for more power"; else ""."""
    if directed and "delay" in words:
        return "delay"
    return "power" if "power" in words and _MORE_POWER.search(text) else ""


_YEAR = re.compile(r"^(?:19|20)\d\d\b")


def _kept_case(token: str) -> tuple[str, ...]:
    """Words of a token; a capitalised abbreviation that reads like a small word (CAN, IT) is marked as none."""
    words = plain(name_words(token))
    if token.isupper() and len(token) > 1 and all(word in question_words().ignore for word in words):
        return tuple(f"{word}." for word in words)
    return words


_SYMBOL = re.compile(r"^[A-Za-z\u0394\u03b8\u03b2][A-Za-z]{0,3}(?:[A-Z0-9(][\w()+/-]*)?$")


def _symbol_like(token: str) -> bool:
    """A parameter symbol as typed in a question: VCC, Ibat, tPLH, fT, hFE, V_OS; no ordinary word."""
    bare = token.strip("().'\"")
    if not _SYMBOL.match(bare.replace("_", "")) or len(bare) < 2:
        return False
    if "_" in bare or any(char.isupper() for char in bare[1:]):
        return (not (bare.isupper() and len(bare) > 5) and bool(load_concepts().of_symbol(bare))) or "_" in bare
    return (
        bare[0] in "VITRCf" and bool(load_concepts().of_symbol(bare)) and bare.casefold() not in question_words().ignore
    )
