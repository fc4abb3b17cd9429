"""How well a record answers a clause of a question: parts, words, conditions. No record is chosen here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.core.model import Condition, ParameterRecord, RecordSection
from engine.core.naming import name_words, symbol_key
from engine.core.text import fold_case
from engine.parameters.concepts import concepts_of, load_concepts, plain
from engine.parameters.conditions import BESIDE, FULL, level, names_temperature, parse_conditions, quantity_key
from engine.parameters.directions import edge_of, turned
from engine.parameters.documents import Kin, kin
from engine.parameters.equality import hexadecimal
from engine.parameters.packages import PACKAGE, packages_in, same_package
from engine.parameters.query import Clause
from engine.parameters.question_patterns import question_words

EXACT_PART, BASE_PART, VARIANT_PART = 1.0, 0.97, 0.95
_AROUND = 0.7
"""What a word is worth that stands around a record and not in its name."""
_SOFT = 0.3
"""Weight of a word that seldom tells one parameter from another ("pin")."""
_NUMBERED = 0.85
"""What a symbol is worth that is one of several numbered alike."""
_DONT_CARE = 0.85
"""A key cell printed X."""
_SILENT = 0.9
"""A record that does not state an asked condition."""


@dataclass(frozen=True, slots=True)
class ConditionFit:
    """`score` 1 when every asked condition is stated and met; `missing` are not stated, `broken` stated otherwise."""

    score: float = 1.0
    missing: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def part_fit(asked: str, record: ParameterRecord) -> float:
    """1 for the very part, less for its base type and its variants, 0 for another part."""
    if not record.parts:
        return BASE_PART
    best = max(kin(asked, part) for part in record.parts)
    return {Kin.SAME: EXACT_PART, Kin.BASE: BASE_PART, Kin.VARIANT: VARIANT_PART}.get(best, 0.0)


# --- words ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(plain(name_words(text)))


@lru_cache(maxsize=65536)
def _symbols_of(parameter: str, symbol: str) -> frozenset[str]:
    tokens = [symbol, *re.split(r"[\s,/]+", symbol), *re.split(r"[\s,/]+", parameter)]
    return frozenset(symbol_key(token) for token in tokens if token)


def name_of(record: ParameterRecord) -> frozenset[str]:
    """Words of a record's name; outside limit tables a row is known by its key and unit as much as by its column."""
    words = _words_of(f"{record.parameter} {record.symbol}")
    if record.section is RecordSection.OTHER:
        return words.union(_words_of(record.unit_raw), *map(_words_of, _row_texts(record)))
    return words


def _row_texts(record: ParameterRecord) -> list[str]:
    """What a row is known by: its keys with their headers, its other cells without (those name other columns)."""
    short = [c for c in record.conditions[:6] if len(c.raw) < 90]
    return [c.raw.partition(" = ")[2] if c.relation == BESIDE else c.raw for c in short]


def context_of(record: ParameterRecord, title: str) -> frozenset[str]:
    """Words of everything a record hangs on: conditions, caption, path, printed value and the document's title."""
    texts = [record.caption, *record.path, record.value_raw, record.unit_raw, title]
    stated = [
        c.raw.partition(" = ")[2] if c.relation == BESIDE else c.raw for c in record.conditions if len(c.raw) < 200
    ]
    return frozenset().union(*map(_words_of, [*texts, *stated]))


@lru_cache(maxsize=65536)
def word_fit(word: str, words: frozenset[str]) -> float:
    """1 for the word itself, less for a word of the same stem or a slip of the pen, 0 for none."""
    if word in words:
        return 1.0
    if len(word) >= 6 and any(len(other) >= 5 and other[:5] == word[:5] for other in words):
        return 0.8
    if len(word) >= 5 and difflib.get_close_matches(word, words, 1, 0.82):
        return 0.7
    return 0.0


def _abbreviated(order: Sequence[str], words: frozenset[str]) -> frozenset[str]:
    """Words of a question that stand in a name shortened: "square wave" as SQW, "write enable" as WREN."""
    short = [word for word in words if 3 <= len(word) <= 4 and word.isalpha()]
    return frozenset(
        word
        for pair in pairwise(order)
        for one in short
        if any(pair[0].startswith(one[:cut]) and pair[1].startswith(one[cut:]) for cut in range(1, len(one)))
        for word in pair
    )


def clause_fit(clause: Clause, record: ParameterRecord, title: str, *, keyed: bool = False) -> float:
    """The share of a clause that a record and its surroundings account for, 0 when its name does not fit at all.

    `keyed` when the question gives the very keys of the record's row: then its name need not be asked for.
    """
    name = name_of(record)
    symbols = _symbols_of(record.parameter, record.symbol)
    concepts = concepts_of(record.parameter, record.symbol, record.unit)
    total = covered = 0.0
    named = False
    meant: frozenset[str] = frozenset()
    if clause.symbols:
        total += 2.0
        hit = max(_symbol_hit(symbol, symbols) for symbol in clause.symbols)
        related = {key for symbol in clause.symbols for key in load_concepts().of_symbol(symbol)} & concepts
        covered += 2.0 * hit if hit else 1.6 if related and not clause.concepts else 0.0
        named = hit > 0 or bool(related)
        if hit == 1.0:  # a row known by its symbol need not spell out the name as well
            meant = frozenset(
                key for symbol in clause.symbols for key in load_concepts().of_symbol(symbol, record.unit)
            )
    explained = frozenset().union(*map(_concept_words, meant), *(clause.directions & edge_of(record.symbol)))
    if clause.concepts:
        weight = max(2.0, float(len(clause.concept_words)))
        total += weight
        fit = max(_concept_fit(clause, concepts, record), _concept_fit(clause, meant, record) if meant else 0.0)
        covered += weight * fit
        named = named or fit > 0
    if (clause.concepts or clause.symbols) and not named:
        return 0.0
    context = context_of(record, title) if clause.words else frozenset()
    if named:
        explained |= _abbreviated(clause.order, _words_of(record.parameter))
    in_name = 0.0
    for marked in clause.words:
        word = marked.rstrip(".")
        weight = _SOFT if word in question_words().soft else 1.0
        coded = word in _CODE_WORDS and hexadecimal(record.value_raw) is not None
        here = 1.0 if coded or word in explained else word_fit(word, name)
        total += weight
        in_name += here
        covered += weight * max(here, _AROUND * word_fit(word, context))
    if total == 0 or (not (clause.concepts or clause.symbols) and not in_name and not keyed):
        return 0.0
    spelled = sum(word in name for word in clause.concept_words) / max(1, len(clause.concept_words))
    closeness = 0.25 * _in_order(clause, record) + 0.15 * spelled  # the sheet's own wording before a synonym's
    return max(0.0, covered / total - _unasked(clause, record, keyed) + closeness)


def _symbol_hit(symbol: str, symbols: frozenset[str]) -> float:
    """1 for the symbol itself, less for one of several numbered alike (VCC of VCC1), 0 for another."""
    if symbol in symbols:
        return 1.0
    return _NUMBERED if any(other.startswith(symbol) and other[len(symbol) :].isdigit() for other in symbols) else 0.0


def _unasked(clause: Clause, record: ParameterRecord, keyed: bool) -> float:
    """What is taken off for words of a record's own name that the question does not use."""
    own = _words_of(f"{record.parameter} {record.symbol}") - question_words().ignore
    known = _asked_words(clause)
    spare = sum(not word_fit(word, known) for word in own)
    taken = min(0.12, 0.02 * spare)
    if not (clause.concepts or clause.symbols or keyed) and record.section is RecordSection.OTHER:
        counted = _words_of(record.unit_raw) & known or hexadecimal(record.value_raw) is not None
        if own and not counted and spare > len(own) / 2:
            taken += 0.15  # "Recommended Tolerance" answers no question for a recommended value
    return taken


def _asked_words(clause: Clause) -> frozenset[str]:
    spelled = {key for symbol in clause.symbols for key in load_concepts().of_symbol(symbol)}
    keys = spelled.union(clause.concepts)
    return frozenset(clause.words).union(clause.concept_words, *(_concept_words(key) for key in keys))


def names_asked(clause: Clause, record: ParameterRecord) -> bool:
    """Whether a record measures something, or its own name holds what is asked for: a pin's number is not how many pins
    there are."""
    if clause.concepts or clause.symbols or record.unit:
        return True
    own = _words_of(f"{record.parameter} {record.symbol}")
    return any(word_fit(word, own) for word in clause.words if word not in question_words().soft)


def names_all(clause: Clause, record: ParameterRecord) -> bool:
    """Whether a record's name holds every word that the question names the parameter by."""
    own = name_of(record)
    return bool(clause.concept_words) and all(word_fit(word, own) for word in clause.concept_words)


def spare_words(clause: Clause, record: ParameterRecord) -> frozenset[str]:
    """Words of a record's name that the question does not use: it may be narrower than what is asked."""
    own = _words_of(record.parameter) - question_words().ignore - _words_of(record.symbol)
    known = _asked_words(clause)
    own = frozenset(word for word in own if not frozenset(load_concepts().of_symbol(word)) & set(clause.concepts))
    return frozenset(word for word in own if not word_fit(word, known))


def says_opposite(clause: Clause, record: ParameterRecord) -> bool:
    """Whether a record is expressly of the other kind than the question: idle for active, external for internal, the
    change of a value for the value."""
    if turned(clause.directions, record.parameter, record.symbol):
        return True
    asked = frozenset(clause.words).union(clause.concept_words)
    named = asked.union(*map(_concept_words, clause.concepts))
    if (_DERIVED & _words_of(record.parameter)) - named:
        return True
    if not asked:
        return False
    said = _words_of(f"{record.parameter} {' '.join(c.raw for c in record.conditions if not c.relation)}")
    for line in question_words().opposed:
        wanted = [side for side in line if side & asked]
        if len(wanted) == 1 and not wanted[0] & said and any(side & said for side in line):
            return True
    return False


@lru_cache(maxsize=512)
def _concept_words(key: str) -> frozenset[str]:
    return frozenset(word for name in load_concepts()[key].names for word in name)


_DERIVED = frozenset(
    name_words("change drift variation coefficient mismatch matching deviation shift regulation ripple noise tracking")
)
"""Words by which a row gives how a parameter moves, not the parameter."""
_CODE_WORDS = frozenset(("code", "hex", "hexadecimal", "opcode", "byte", "address", "command"))


def _in_order(clause: Clause, record: ParameterRecord) -> float:
    """Share of the question's neighbouring words that are neighbours in the record too: "16-bit to 5-digit" is not
    "5-digit to 16-bit"."""
    asked = frozenset(pairwise(clause.order))
    if not asked or record.section is not RecordSection.OTHER:
        return 0.0
    stated = frozenset(
        pair for text in (record.parameter, *_row_texts(record)) for pair in pairwise(plain(name_words(text)))
    )
    return len(asked & stated) / len(asked)


def _mode_stated(clause: Clause, record: ParameterRecord) -> bool:
    """Whether a record's name or conditions say the mode that makes the asked parameter the narrower one."""
    broader = {word for key in clause.concepts for word in _concept_words(load_concepts().broader(key) or key)}
    modes = frozenset(clause.concept_words) - broader - {"current", "mode", "supply"}
    said = _words_of(f"{record.parameter} {' '.join(c.raw for c in record.conditions if not c.relation)}")
    return bool(modes) and modes <= said


def _concept_fit(clause: Clause, concepts: frozenset[str], record: ParameterRecord) -> float:
    if concepts & set(clause.concepts):
        fitting = [load_concepts()[key] for key in clause.concepts if key in concepts]
        words = record.low is None and record.section is not RecordSection.OTHER  # "VCC + 0.3 V", "see Figure 3"
        measured = words or any(record.unit in concept.units for concept in fitting)
        return 1.0 if measured else 0.8
    if any(load_concepts().broader(key) in clause.concepts for key in concepts):
        return 0.75
    if any(load_concepts().broader(key) in concepts for key in clause.concepts):
        # "Supply current, idle mode" is the idle current.
        return 1.0 if _mode_stated(clause, record) else 0.0
    if len(clause.words) >= 2 and record.low is not None:
        # "Fully static operation: 0 Hz to 24 MHz" gives a clock frequency that its other words point at.
        name = name_of(record)
        measured = any(record.unit in load_concepts()[key].units for key in clause.concepts)
        if measured and all(word_fit(word, name) for word in clause.words):
            return 0.6
    return 0.0


# --- conditions -------------------------------------------------------------------------------------------------------


def _same_quantity(asked: Condition, stated: Condition) -> bool:
    if names_temperature(asked) and names_temperature(stated):
        return True
    if asked.quantity and stated.quantity:
        left, right = quantity_key(asked.quantity), quantity_key(stated.quantity)
        supply = asked.unit == "V" == stated.unit and _is_supply(left) and _is_supply(right)
        return left == right or supply or _ends_with(stated.quantity, asked.quantity) or _same_concept(asked, stated)
    return bool(asked.unit) and asked.unit == stated.unit


def _same_concept(asked: Condition, stated: Condition) -> bool:
    """Whether a condition spelled out is the one a symbol states: a collector current is IC."""
    if " " not in asked.quantity or asked.unit != stated.unit:
        return False
    wanted = concepts_of(asked.quantity, "", asked.unit)
    return bool(wanted & frozenset(load_concepts().of_symbol(stated.quantity, stated.unit)))


def is_key(asked: Condition) -> bool:
    """A row's key ("RS1 = 1", "CLEAR = X") rather than a test condition: it is stated or the row is another."""
    return bool(asked.quantity) and not asked.unit and asked.relation == "="


def _ends_with(title: str, name: str) -> bool:
    """A column under a spanning header: "Register A RS2" is RS2."""
    words, wanted = name_words(title), name_words(name)
    return len(words) > len(wanted) > 0 and words[-len(wanted) :] == wanted


def _is_supply(key: str) -> bool:
    return key in ("vcc", "vdd", "vs", "v+", "vsupply", "vsy", "supplyvoltage", "vcca", "vdda")


def _one_condition(asked: Condition, record: ParameterRecord) -> tuple[float, str]:
    """(score, what the record states instead); score 0 where it states otherwise, _SILENT where it states nothing."""
    if asked.relation == PACKAGE:
        return _in_package(asked, record)
    stated = [condition for condition in record.conditions if _same_quantity(asked, condition)]
    if asked.relation == FULL:
        point = next((one.raw for one in stated if one.low is not None and one.low == one.high), "")
        return (0.0, point) if point else (1.0, "")
    stated = stated or [one for one in _in_name(record.parameter) if _same_quantity(asked, one)]
    if not stated:
        return (0.0, "another row") if is_key(asked) else (_SILENT, "")
    best = max(_worst_by_name(asked, stated) if is_key(asked) else (_meets(asked, one) for one in stated))
    return best, "" if best else stated[0].raw


def _worst_by_name(asked: Condition, stated: Sequence[Condition]) -> list[float]:
    """How each key meets the asked one; a key that a row states twice, otherwise each time, was read of two rows."""
    worst: dict[str, float] = {}
    for one in stated:
        worst[one.quantity] = min(_meets(asked, one), worst.get(one.quantity, 1.0))
    return list(worst.values())


@lru_cache(maxsize=65536)
def _in_name(parameter: str) -> tuple[Condition, ...]:
    """Conditions printed in a row's name: "SQW/OUT ON (32kHz)"."""
    bracketed = re.findall(r"[(\[]([^()\[\]]*\d[^()\[\]]*)[)\]]", parameter)
    return tuple(one for text in bracketed for one in parse_conditions(text) if one.unit and one.low is not None)


def _in_package(asked: Condition, record: ParameterRecord) -> tuple[float, str]:
    """Whether a value is for the asked package, by its conditions, name, row and column; else by its table."""
    own = [*(c.raw for c in record.conditions), record.parameter, f"{record.symbol} package"]
    for texts in (own, [record.caption, *record.path[-1:]]):
        named = frozenset().union(*map(packages_in, texts))
        if named:
            meant = any(same_package(asked.raw, one) for one in named)
            return (1.0, "") if meant else (0.0, ", ".join(sorted(named)))
    return _SILENT, ""


def in_section(heading: str, record: ParameterRecord) -> bool:
    """Whether a record stands under a section, or in a table, of this title."""
    stands = frozenset().union(*map(_words_of, (record.caption, *record.path)))
    return all(word_fit(word, stands) for word in _words_of(heading))


def _meets(asked: Condition, stated: Condition) -> float:
    if asked.low is None or (stated.low is None and stated.high is None):
        left, right = (level(fold_case(c.raw)) for c in (asked, stated))
        return 1.0 if left == right else _DONT_CARE if right == "x" else 0.0
    low = stated.low if stated.low is not None else float("-inf")
    high = stated.high if stated.high is not None else float("inf")
    wanted = asked.high if asked.high is not None else asked.low
    slack = 1e-6 * max(abs(asked.low), abs(wanted), 1e-12)
    if abs(low - asked.low) <= slack and abs(high - wanted) <= slack:
        return 1.0
    # A split supply is printed ±V: 15 V asks for ±15 V as well.
    if low == -high and abs(high - wanted) <= slack:
        return 0.97
    if stated.relation in (">", ">="):
        return 0.93 if asked.low >= low - slack else 0.0
    if stated.relation in ("<", "<="):
        return 0.93 if wanted <= high + slack else 0.0
    return 0.92 if low - slack <= asked.low and wanted <= high + slack else 0.0


def condition_fit(asked: Sequence[Condition], record: ParameterRecord) -> ConditionFit:
    """How a record's conditions meet the asked ones."""
    score, missing, broken = 1.0, [], []
    for condition in asked:
        fit, instead = _one_condition(condition, record)
        if fit == 0.0:
            broken.append(instead)
        elif fit == _SILENT:
            missing.append(condition.raw)
        score *= fit
    return ConditionFit(score, tuple(missing), tuple(broken))
