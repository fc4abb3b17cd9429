"""A question as a query over the records, by rules; what the rules leave open stays open.

Everything in a question is accounted for: device names, conditions, bounds, limit words, words that only ask, the
parameter's own name (or concept), and the words that remain. The remainder must be found in a record's surroundings
before the record may answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.core.model import Condition, LimitKind, RecordSection
from engine.core.naming import name_words, symbol_key
from engine.parameters.concepts import load_concepts, plain
from engine.parameters.conditions import stated_conditions
from engine.parameters.mentions import Mentioned, find_quantities
from engine.parameters.packages import PACKAGE, find_packages
from engine.parameters.part_names import part_tokens
from engine.parameters.quantities import prepare
from engine.parameters.question_patterns import (
    ABSOLUTE,
    BITS,
    BOUND,
    EVERY,
    FAMILY,
    FEATURE_LIST,
    HEADING,
    HOW_LARGE,
    INCLUDES,
    INCLUSIVE,
    KEYED,
    KINDS,
    NAMED,
    NUMBERED,
    RECOMMENDED,
    SHEET,
    TOKEN,
    UNIT_ASKED,
    YES_NO,
    Form,
    question_words,
    read_about,
    read_expected_units,
    read_form,
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


class _Mask:
    """The question with explained spans blanked out, so that nothing is explained twice."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, start: int, end: int) -> str:
        taken = self.text[start:end]
        self.text = self.text[:start] + "|" * (end - start) + self.text[end:]
        return taken

    def take_all(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        found = list(pattern.finditer(self.text))
        for match in found:
            self.take(match.start(), match.end())
        return found


def understand(question: str) -> ParameterQuery:
    """Read a question by rules. Never fails; a query without clauses means that no parameter was recognised."""
    text = prepare(question)
    mask = _Mask(text)
    mask.take_all(HOW_LARGE)
    heading = _take_heading(mask)
    packages = _take_packages(mask)
    parts, sheets = _take_parts(mask)
    sections = _take_section(mask)
    unit_text = _take_unit(mask)
    conditions = _take_conditions(mask)
    form = read_form(text, bool(parts))
    about = "" if parts else read_about(text)
    clauses, unnamed = _clauses(mask, about)
    if form is Form.VALUE and any(clause.bound for clause in clauses):
        form = Form.YES_NO if YES_NO.match(text) and parts else Form.WHICH
    if form is Form.WHICH and parts and not re.match(r"which\b", text, re.IGNORECASE):
        # "how long after VCC exceeds 4.25 V": with a named part a bound is when, not what
        conditions = (*conditions, *(_as_condition(clause.bound) for clause in clauses if clause.bound))
        form, clauses = Form.VALUE, tuple(replace(clause, bound=None) for clause in clauses if not clause.empty)
    return ParameterQuery(
        question, form, parts, clauses, sheets, (*conditions, *packages, *unnamed), sections,
        parse_unit(unit_text) if unit_text else None,
        unit_text, about, read_expected_units(text), bool(EVERY.search(text)), heading,
    )  # fmt: skip


def _as_condition(bound: Bound) -> Condition:
    return Condition(bound.raw, "", bound.relation, bound.low, bound.high, bound.unit)


def _take_parts(mask: _Mask) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Parts asked about, and the sheets named; a sheet's names are the parts where no other is named."""
    subjects: dict[str, None] = dict.fromkeys(match.group() for match in mask.take_all(FAMILY))
    sheets: list[tuple[str, ...]] = []
    for match in list(TOKEN.finditer(mask.text)):
        if named := part_tokens(match.group()):
            behind = mask.text[match.end() : match.end() + 14]
            if SHEET.match(behind):
                sheets.append(named)
            else:
                subjects.update(dict.fromkeys(named))
            mask.take(match.start(), match.end())
    parts = tuple(subjects) or tuple(dict.fromkeys(name for names in sheets for name in names))
    return parts, tuple(sheets)


def _take_heading(mask: _Mask) -> str:
    """The section named; a kind of limits ("the absolute maximum ratings section") is read as such instead."""
    match = HEADING.search(mask.text)
    title = next(filter(None, match.groups()), "").strip() if match else ""
    if match is None or any(pattern.search(title) for pattern in (ABSOLUTE, RECOMMENDED, FEATURE_LIST)):
        return ""
    mask.take(match.start(), match.end())
    return title


def _take_packages(mask: _Mask) -> tuple[Condition, ...]:
    """ "in the SO-8 package", "TO-220": whose case a value is for."""
    found = list(find_packages(mask.text))
    for start, end, _ in found:
        behind = re.match(r"\s+(?:package|case|housing)\b", mask.text[end:], re.IGNORECASE)
        mask.take(start, end + (behind.end() if behind else 0))
    return tuple(Condition(key, PACKAGE, PACKAGE) for _, _, key in found)


def _take_section(mask: _Mask) -> RecordSection | None:
    if mask.take_all(ABSOLUTE):
        return RecordSection.ABSOLUTE_MAXIMUM
    if mask.take_all(RECOMMENDED):
        return RecordSection.RECOMMENDED
    return RecordSection.FEATURES if mask.take_all(FEATURE_LIST) else None


def _take_unit(mask: _Mask) -> str:
    for match in UNIT_ASKED.finditer(mask.text):
        unit = parse_unit(match.group(1))
        if unit is not None and unit.symbol and len(match.group(1)) <= 12:
            mask.take(match.start(), match.end())
            return match.group(1)
    return ""


def _take_conditions(mask: _Mask) -> tuple[Condition, ...]:
    """ "VDD = 2.7 V", "VCC is between 18 V and 32 V", "RS3-RS0 = 0011", "RANGE SELECT 2 = 1"."""
    found: list[Condition] = []
    for match in mask.take_all(BITS):
        name, first, last, bits = match.groups()
        step = -1 if int(first) > int(last) else 1
        numbers = range(int(first), int(last) + step, step)
        found.extend(
            Condition(f"{name}{n} = {bit}", f"{name}{n}", "=", float(bit), float(bit)) for n, bit in zip(numbers, bits)
        )
    for stated in stated_conditions(mask.text):
        at = mask.text.find(stated.raw)
        if at >= 0 and stated.relation == "=":
            mask.take(at, at + len(stated.raw))
            found.append(stated)
    for match in mask.take_all(KEYED):
        value = match.group(2)
        number = float(value) if value.isdigit() else None
        found.append(Condition(f"{match.group(1).strip()} = {value}", match.group(1).strip(), "=", number, number))
    for match in NUMBERED.finditer(mask.text):
        # "step 2", "mode 3": the key of a row, where a table has such a column
        if parse_unit(match.group(1)) is None and match.group(1) not in question_words().ignore:
            found.append(Condition(match.group(), match.group(1), "is", float(match.group(2)), float(match.group(2))))
    for match in list(NAMED.finditer(mask.text)):
        mentions = [m for m in find_quantities(mask.text[match.end() :]) if m.start <= 1]
        if mentions and mentions[0].quantity.unit:
            first = mentions[0]
            raw = mask.take(match.start(), match.end() + first.end)
            found.append(
                Condition(raw, match["name"], "=", first.quantity.low, first.quantity.high, first.quantity.unit)
            )
    return tuple(found)


def _clauses(mask: _Mask, about: str) -> tuple[tuple[Clause, ...], tuple[Condition, ...]]:
    """Clauses with their bounds, and quantities that are conditions without a name."""
    if about:
        at = mask.text.find(about)
        if at >= 0:
            mask.take(at, at + len(about))
    bounds: list[tuple[int, Bound]] = []
    unnamed: list[Condition] = []
    for mention in find_quantities(mask.text):
        before = mask.text[: mention.start]
        quantity = mention.quantity
        if match := BOUND.search(before):
            start = match.start()
            inclusive = INCLUSIVE.search(match.group()) is not None
            relation = ("<" if match["below"] else ">") + ("=" if inclusive else "")
        elif quantity.relation in ("<", ">", "<=", ">="):
            start, relation = mention.start, quantity.relation
        elif match := INCLUDES.search(before):
            start, relation = match.start(), "includes"
        elif not _is_measure(mention):
            continue
        else:
            unnamed.append(Condition(mention.text, "", "=", quantity.low, quantity.high, quantity.unit))
            mask.take(mention.start, mention.end)
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


def _is_measure(mention: Mentioned) -> bool:
    return bool(mention.quantity.unit)


def _implied(clause: Clause, bound: Bound) -> Clause:
    """What is meant where only a value is given: "runs from 3 V" a supply voltage, "stays under 50 µA" its current."""
    if clause.concepts or clause.symbols:
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
    order = tuple(token for token in tokens if token != "|" and token not in known.ignore)
    return Clause(concepts, spelled, words, tuple(symbols), kind, bound, order)


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


def residual(query: ParameterQuery) -> Sequence[str]:
    """Words of all clauses that no rule has explained."""
    return [word for clause in query.clauses for word in clause.words]
