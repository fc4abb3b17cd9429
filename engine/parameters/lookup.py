"""A cell looked up by what a question names of its row and its column: "which nibble goes out for step 2?", "default of
LIB_DIR_SUFFIX for Win32", "interval code 101b: how many frames?".

For tables that give no limits. The row must be named by its very key: a code, a name, a number behind its header; the
other words of the question need not all be found, as people put a question in words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.core.model import Condition, ParameterRecord, RecordSection
from engine.core.naming import name_words, symbol_key
from engine.core.results import DocumentInfo
from engine.core.text import fold_case
from engine.parameters.concepts import plain
from engine.parameters.conditions import BESIDE
from engine.parameters.equality import hexadecimal
from engine.parameters.matching import condition_fit, context_of, is_key, part_fit, word_fit
from engine.parameters.part_names import bare_parts
from engine.parameters.query import Clause, ParameterQuery
from engine.parameters.question_patterns import question_words
from engine.parameters.selecting import Match, RecordBook

_LEAST = 0.5
"""Share of the question's words that the cell and its surroundings must account for."""
_COLUMN = 0.25
"""What a column named whole makes up for."""
_AROUND = 0.7
_NAMED = 0.6
"""Share of its title that names a column: a recommended value is no "recommended tolerance"."""
_LED = 0.3
"""The same of what leads into a list, which is a sentence and no title."""
_PHRASED = 0.1
"""A column's whole title in the question, word by word."""
_CLEAR = 0.04
"""How far the next cell that says something else must be behind."""
_LONGEST_KEY = 60
_MOST_STATED = 12
_MOST_TITLED = 3
_CODE_ASKED = re.compile(r"\b(?:code|hex|hexadecimal|opcode|byte|nibble|address|command)\b", re.IGNORECASE)
_TICK = re.compile(r"^[VvXx\u2713\u2714\u221a\u25cf\u2022*]$")
"""What a table prints for "yes" or "any"."""
_HEX = re.compile(r"\b0x[0-9A-Fa-f]+\b|\b[0-9A-F]+[hH]\b")
_OF_BITS = frozenset(("bit", "low", "high", "set", "select", "selected", "code", "command"))
"""Words around the bits and levels of a question."""
_EXACT = 0.999
_SAYS_LITTLE = frozenset(("value", "description", "function", "code", "name", "data", "setting", "signal"))


@dataclass(frozen=True, slots=True)
class _Found:
    match: Match
    score: float


def looked_up(book: RecordBook, query: ParameterQuery, part: str) -> Match | None:
    """The one cell that a question points at, in the documents about `part` or, without one, those it names by their
    title; None where there is none or several vie."""
    if len(query.clauses) != 1 or query.section is not None:
        return None
    clause, asked = query.clauses[0], _tokens(query.question)
    found: list[_Found] = []
    for document in book.sheets(query, part) if part else titled(query.question, list(book.documents.values())):
        title = book.head(document)
        for record in book.of(document):
            if (
                record.section is not RecordSection.OTHER
                or _TICK.match(record.value_raw)
                or (part and part_fit(part, record) == 0.0)
            ):
                continue
            fit = condition_fit(query.conditions, record)
            met = _met(query, record) if fit.score else 0
            if fit.score == 0.0 or not _names_row(record, asked, met):
                continue
            score = _fit(clause, record, title, query.question, met)
            if score >= _LEAST:
                found.append(_Found(Match(record, document, min(1.0, score), fit, part), score * fit.score))
    return _clear(found)


def titled(question: str, documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """Documents that a question names by a word of their title or file name which few others have ("in SDCC")."""
    asked = set(_tokens(question))
    names = {document.id: _title_words(document) & asked for document in documents}
    counts: dict[str, int] = {}
    for words in names.values():
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return [one for one in documents if any(counts[word] <= _MOST_TITLED for word in names[one.id])]


def _title_words(document: DocumentInfo) -> frozenset[str]:
    texts = [document.title, *(re.sub(r"\.\w{2,4}$", "", place.file.rsplit("/", 1)[-1]) for place in document.places)]
    words = {word for text in texts for word in _tokens(text.replace("_", " "))}
    return frozenset(word for word in words if len(word) > 3 and word not in question_words().ignore)


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    """Words and codes of a text, codes in one form: "0x3E", "3Eh" and "$3E" are one."""
    found = re.findall(r"[\w$#.+/-]*\w[\w#+]*", text)
    return tuple(_form(token.strip(".,;:")) for token in found)


def _form(token: str) -> str:
    value = hexadecimal(token)
    return f"#{value:x}" if value is not None and not token.isdigit() else fold_case(token)


def _met(query: ParameterQuery, record: ParameterRecord) -> int:
    """How many of the question's conditions the row states as asked; 0 where it leaves out a key that is asked for."""
    met = 0
    for condition in query.conditions:
        fit = condition_fit((condition,), record)
        if fit.score >= _EXACT and not fit.missing:
            met += 1
        elif is_key(condition):
            return 0
    return met


def _names_row(record: ParameterRecord, asked: Sequence[str], met: int) -> bool:
    """Whether the question gives the row's key: as a condition that is met, or by the printed key itself."""
    if met:
        return True
    keys = [_cell(one) for one in record.conditions if one.relation in ("=", BESIDE)]
    if not any(one.relation == "=" for one in record.conditions):
        keys += [record.parameter, record.symbol]
    named = {word for key in keys if key and _is_named(key, asked) for word in _tokens(key)}
    return bool(named) and all(word in named for word in asked if _is_code(word))


def _cell(condition: Condition) -> str:
    """The cell of a row's key or neighbour, "" for what is no code, name or phrase."""
    return condition.raw.partition(" = ")[2].strip()


def _is_named(key: str, asked: Sequence[str]) -> bool:
    """Whether a key stands in the question word by word; a plain word or a single digit is no key."""
    if len(key) > _LONGEST_KEY:
        return False
    return _stands(key, tuple(asked))


@lru_cache(maxsize=65536)
def _stands(key: str, asked: tuple[str, ...]) -> bool:
    words = _tokens(key)
    if not words or not _telling(key, words):
        return False
    joined = "".join(re.sub(r"[^\w#]", "", word) for word in words)
    squeezed = [re.sub(r"[^\w#]", "", word) for word in asked]
    if len(joined) > 3 and joined in squeezed:
        return True
    return any(tuple(asked[at : at + len(words)]) == words for at in range(len(asked) - len(words) + 1))


def _telling(key: str, words: Sequence[str]) -> bool:
    """A code ("101b", "0xX9", "F64", "LIB_DIR"), a name in capitals, or several words."""
    if len(words) > 1:
        return sum(len(word) > 2 and word.isalpha() for word in words) > 1 or any(map(_coded, words))
    return _coded(words[0]) or (len(key) > 2 and key.isupper() and key.isalpha())


def _is_code(word: str) -> bool:
    """A number in hexadecimal or binary, which is of one row and no other."""
    return word.startswith("#") or re.fullmatch(r"[01]{2,8}b", word) is not None


def _coded(word: str) -> bool:
    mixed = any(char.isdigit() for char in word) and any(char.isalpha() for char in word) and len(word) > 1
    return word.startswith("#") or "_" in word.strip("_") or mixed or re.fullmatch(r"[01]{2,8}", word) is not None


def _fit(clause: Clause, record: ParameterRecord, title: str, question: str, met: int) -> float:
    """The share of the question's words and conditions that the cell accounts for, and how much of its column is named;
    `met` conditions are as many words."""
    words = [word.rstrip(".") for word in (*clause.order, *clause.symbols)]
    plainer = question_words().soft | (_OF_BITS if met else frozenset())
    words = [word for word in dict.fromkeys(words) if word not in plainer]
    if not words:
        return 0.0
    stated = record.conditions[:_MOST_STATED]
    keys = frozenset().union(*(_words(_cell(one) or one.raw) | _words(one.quantity) for one in stated))
    own = _words(record.parameter) | keys | {symbol_key(text) for text in (record.symbol, *map(_cell, stated))}
    around = context_of(record, title)
    coded = _CODE_ASKED.search(question) is not None and hexadecimal(record.value_raw) is not None
    own |= _words(record.value_raw) if met > 1 else frozenset()
    covered = met + sum(max(word_fit(word, own), _AROUND * word_fit(word, around)) for word in words)
    column = [word for word in _words(bare_parts(record.parameter)) if word not in _SAYS_LITTLE]
    asked = _words(question)
    named = sum(word_fit(word, asked) for word in column) / len(column) if column else 0.0
    named = max(named, 0.8 if coded else 0.0)
    least = 1 if met > 1 else 2
    if named < (_NAMED if record.table >= 0 else _LED) and not _values_asked(record, words, question, least):
        return 0.0
    spelled = _PHRASED * (fold_case(record.parameter) in fold_case(question) and len(column) > 1)
    return covered / (len(words) + met) + _COLUMN * named + spelled


def _values_asked(record: ParameterRecord, words: Sequence[str], question: str, least: int) -> bool:
    """Whether the cell's own text speaks of what is asked ("the time-out flag after: 1/16 s")."""
    said = _words(record.value_raw)
    holds = sum(word_fit(word, said) >= 0.8 for word in words)
    coded = _CODE_ASKED.search(question) is not None and _HEX.search(record.value_raw) is not None
    return holds >= (1 if coded else least) or bool(_words(record.unit_raw) & frozenset(words))


@lru_cache(maxsize=65536)
def _words(text: str) -> frozenset[str]:
    return frozenset(plain(name_words(text)))


def _clear(found: Sequence[_Found]) -> Match | None:
    """The best where none that says something else is near it."""
    ranked = sorted(found, key=lambda one: -one.score)
    if not ranked:
        return None
    first = ranked[0]
    said = fold_case(first.match.record.value_raw)
    rivals = [one for one in ranked[1:] if fold_case(one.match.record.value_raw) != said]
    return first.match if not rivals or first.score - rivals[0].score > _CLEAR else None
