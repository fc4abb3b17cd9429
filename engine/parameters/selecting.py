"""From all records of some documents to the few that answer a clause: never a silent pick between equals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from engine.core.ids import DocumentId
from engine.core.model import Condition, LimitKind, ParameterRecord, RecordSection
from engine.core.naming import symbol_key
from engine.core.ports import RecordFilter, RecordIndex
from engine.core.results import DocumentInfo
from engine.core.text import fold_case, part_key
from engine.parameters.documents import documents_about, documents_beside, named_sheets
from engine.parameters.equality import close
from engine.parameters.matching import (
    EXACT_PART,
    VARIANT_PART,
    ConditionFit,
    clause_fit,
    condition_fit,
    in_section,
    is_key,
    names_all,
    part_fit,
    says_opposite,
    spare_words,
)
from engine.parameters.query import Clause, ParameterQuery

GOOD_ENOUGH = 0.75
"""Share of a question a record must account for to be an answer at all."""
_TIER = 0.045
"""Records this much below the best are not its equals."""
OPERATING = frozenset(("supply_voltage", "operating_temperature", "input_voltage", "output_current", "supply_current"))
"""Concepts whose rating says nothing of what a part is meant to run at."""
_HEAD = 400
"""Characters of a first page that say what the document is."""
_STATED = 0.1
"""What it makes up for in words that a record states all the named conditions of the question, and as asked."""
_KEYED = 0.2
"""What the row's very keys in the question make up for in words."""
_EXACT = 0.999
"""Fit of conditions that are stated as they are asked for."""
_MOST_RECORDS = 50_000
PageText = Callable[[DocumentInfo], str]
"""The text of a document's first page."""
_USUAL = (LimitKind.TYP, LimitKind.NOM)
"""Limits that are asked for by either word."""
KIND_ORDER = (LimitKind.MAX, LimitKind.TYP, LimitKind.MIN, LimitKind.NOM, LimitKind.VALUE)


@dataclass(frozen=True, slots=True)
class Match:
    """A record that may answer, how well, and for which asked part."""

    record: ParameterRecord
    document: DocumentInfo
    quality: float
    fit: ConditionFit
    part: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """`matches` are equals (empty when nothing answers); `nearest` meet all but a condition; `kind_missing` when the
    asked limit is not given and the matches are of other kinds."""

    matches: tuple[Match, ...] = ()
    nearest: tuple[Match, ...] = ()
    kind_missing: bool = False

    @property
    def quality(self) -> float:
        return max((match.quality for match in self.matches), default=0.0)


class RecordBook:
    """The records of a question's documents, each read once."""

    def __init__(
        self, store: RecordIndex, documents: Sequence[DocumentInfo], page_text: PageText | None = None
    ) -> None:
        self.store = store
        self._page_text = page_text
        self.documents = {document.id: document for document in documents}
        self._read: dict[DocumentId, list[ParameterRecord]] = {}
        self._heads: dict[DocumentId, str] = {}
        self._sheets: dict[object, list[DocumentInfo]] = {}

    def of(self, document: DocumentInfo) -> list[ParameterRecord]:
        if document.id not in self._read:
            wanted = RecordFilter(documents=(document.id,), limit=_MOST_RECORDS)
            self._read[document.id] = self.store.select(wanted)
        return self._read[document.id]

    def head(self, document: DocumentInfo) -> str:
        """What a document says it is: its title, its parts and how its first page begins."""
        if document.id not in self._heads:
            first = self.first_page(document)[:_HEAD]
            self._heads[document.id] = f"{document.title} {' '.join(document.parts)} {first}"
        return self._heads[document.id]

    def first_page(self, document: DocumentInfo) -> str:
        """The text of a document's first page, "" where there is no way to read it."""
        return self._page_text(document) if self._page_text is not None else ""

    def sheets(self, query: ParameterQuery, part: str) -> list[DocumentInfo]:
        """Documents to look in for a part: those about it, kept to the named sheets where those exist."""
        if query.only is not None:
            return [self.documents[query.only]]
        key = (part, query.parts, query.sheets)
        if key not in self._sheets:
            self._sheets[key] = self._find_sheets(query, part)
        return self._sheets[key]

    def _find_sheets(self, query: ParameterQuery, part: str) -> list[DocumentInfo]:
        everything = list(self.documents.values())
        about = documents_about([part] if part else query.parts, everything)
        if part and not about:
            near = documents_beside(part, everything)
            about = [document for document in near if any(part_fit(part, r) == EXACT_PART for r in self.of(document))]
        if query.sheets:
            named = [document for group in query.sheets for document in named_sheets(group, everything)]
            about = [document for document in named if document in about] or named
        return list(dict.fromkeys(about))


def find_matches(
    book: RecordBook, query: ParameterQuery, clause: Clause, part: str, *, least: float = GOOD_ENOUGH
) -> list[Match]:
    """Every record of the part's documents that accounts for `least` of the clause or more, best first."""
    found: list[Match] = []
    keys = [condition for condition in query.conditions if is_key(condition)]
    for document in book.sheets(query, part):
        title = book.head(document)
        for record in book.of(document):
            if query.section is not None and record.section is not query.section:
                continue
            if query.heading and not in_section(query.heading, record):
                continue
            of_part = part_fit(part, record) if part else 1.0
            if of_part == VARIANT_PART and _told_apart(part, record, document):
                continue
            if of_part == 0.0 or not _measured_as_asked(query, record) or says_opposite(clause, record):
                continue
            fit = condition_fit(query.conditions, record)
            keyed = bool(keys) and fit.score > 0 and record.section is RecordSection.OTHER
            if keyed and any(_names_column(key, record) for key in keys):
                continue
            quality = clause_fit(clause, record, title, keyed=keyed) + (_KEYED if keyed else 0.0)
            if quality and _states_all(query, record, fit):
                quality += _STATED
            if keyed or quality * of_part >= least:
                found.append(Match(record, document, quality * of_part, fit, part))
    found = [match for match in _by_column(found) if match.quality >= least] if keys else found
    return sorted(found, key=lambda match: -match.quality * match.fit.score)


def _by_column(found: Sequence[Match]) -> list[Match]:
    """Rows that keys choose, each as good as the best of its column where it meets the keys better than that one: words
    say which column, keys which row."""
    best: dict[tuple[object, ...], Match] = {}
    for match in found:
        column = _column_of(match)
        best[column] = max(match, best.get(column, match), key=lambda one: one.quality)
    lifted = []
    for match in found:
        first = best[_column_of(match)]
        listed = match.record.section is RecordSection.OTHER and match.record.table >= 0
        better = listed and match.fit.score > first.fit.score
        lifted.append(replace(match, quality=first.quality) if better else match)
    return lifted


def _column_of(match: Match) -> tuple[object, ...]:
    return match.document.id, match.record.table, match.record.column


def _states_all(query: ParameterQuery, record: ParameterRecord, fit: ConditionFit) -> bool:
    """Whether the question names its conditions and a record of a limit table states each of them as asked."""
    named = bool(query.conditions) and all(condition.quantity and condition.unit for condition in query.conditions)
    return named and fit.score >= _EXACT and record.section is not RecordSection.OTHER


def _told_apart(asked: str, record: ParameterRecord, document: DocumentInfo) -> bool:
    """Whether a sheet is about the asked part and about the record's own as well: the "A" version's value is not the
    plain one's."""
    about = {part_key(part) for part in document.parts}
    return part_key(asked) in about and all(part_key(part) in about for part in record.parts)


def _names_column(key: Condition, record: ParameterRecord) -> bool:
    """Whether a record is of the very column a key condition gives."""
    return symbol_key(record.parameter).endswith(symbol_key(key.quantity))


def _measured_as_asked(query: ParameterQuery, record: ParameterRecord) -> bool:
    if (query.expects or query.unit is not None) and record.low is None:
        return False
    if query.expects and record.unit not in query.expects:
        return False
    if query.unit is None:
        return True
    return record.unit == query.unit.symbol or {record.unit, query.unit.symbol} in ({"B", "bit"}, {"K", "\u00b0C"})


def settle(found: Sequence[Match], query: ParameterQuery, clause: Clause) -> Selection:
    """Keep the best and its equals, by part, conditions, kind of table and limit."""
    meeting = [match for match in found if match.fit.score > 0]
    if any(is_key(condition) for condition in query.conditions):
        nearest_key = max((match.fit.score for match in meeting), default=0.0)
        meeting = [match for match in meeting if match.fit.score >= nearest_key - 0.02]
    nearest = tuple(match for match in found if match.fit.score == 0)
    if not meeting:
        return Selection(nearest=_tier(nearest))
    tier = _tier(_unless_empty(meeting, lambda match: not match.fit.missing) if query.conditions else meeting)
    tier = tier or _tier(meeting)
    tier = _prefer_part(_prefer_tables(tier, query))
    if any(not match.part or part_fit(match.part, match.record) == EXACT_PART for match in tier):
        # Of a grade that has no records of its own nothing is preferred: its sheet may give each grade's value.
        tier = _prefer_exact(tier, query, clause)
    kinds = _of_kind(tier, clause.kind)
    if clause.kind is not None and not kinds:
        return Selection(tier, _tier(nearest), kind_missing=True)
    return Selection(kinds or tier, _tier(nearest))


def _unless_empty(matches: Sequence[Match], keep: Callable[[Match], bool]) -> list[Match]:
    kept = [match for match in matches if keep(match)]
    return kept or list(matches)


def _tier(matches: Sequence[Match]) -> tuple[Match, ...]:
    best = max((match.quality * (match.fit.score or 1.0) for match in matches), default=0.0)
    return tuple(match for match in matches if match.quality * (match.fit.score or 1.0) >= best - _TIER)


def _prefer_exact(tier: Sequence[Match], query: ParameterQuery, clause: Clause) -> tuple[Match, ...]:
    """Records that state the very conditions asked for over those whose ranges hold them, and those whose symbol or
    whole name is asked for over those of another spelling or a longer name."""
    kept = list(tier)
    if query.conditions:
        most = max((match.fit.score for match in kept), default=0.0)
        kept = _unless_empty(kept, lambda match: match.fit.score >= most - 1e-6) if most >= _EXACT else kept
    # hFE is the gain at DC, hfe that of small signals.
    kept = _unless_empty(kept, lambda match: _spelled_alike(match.record.symbol, query.question))
    kept = _unless_empty(kept, lambda match: names_all(clause, match.record))
    return tuple(_unless_empty(kept, lambda match: not spare_words(clause, match.record)))


def _spelled_alike(symbol: str, question: str) -> bool:
    return len(symbol) > 1 and re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)", question) is not None


def _prefer_part(tier: Sequence[Match]) -> tuple[Match, ...]:
    """Records of the very part over those of its base type or of other grades, sheet by sheet."""
    exact = {match.document.id for match in tier if match.part and part_fit(match.part, match.record) == EXACT_PART}
    return tuple(
        match for match in tier if match.document.id not in exact or part_fit(match.part, match.record) == EXACT_PART
    )


_SURVIVED = re.compile(r"\b(?:surviv|withst[ao]|damag|destroy|burn)", re.IGNORECASE)
"""Words for what a part bears without working in it."""


def _prefer_tables(tier: Sequence[Match], query: ParameterQuery) -> tuple[Match, ...]:
    """A value of a limit table over the same value advertised on the front page; operating limits over ratings, but
    what a part survives is its rating."""
    if query.section is not None:
        return tuple(tier)
    survived = _SURVIVED.search(query.question) is not None
    kept: list[Match] = []
    for document in dict.fromkeys(match.document.id for match in tier):
        own = [match for match in tier if match.document.id == document]
        own = _unless_empty(own, lambda m: (m.record.section is RecordSection.ABSOLUTE_MAXIMUM) is survived)
        kept += _unless_empty(own, lambda match: match.record.section is not RecordSection.FEATURES)
    return tuple(match for match in tier if match in kept)


def _of_kind(matches: Sequence[Match], kind: LimitKind | None) -> tuple[Match, ...]:
    if kind is None:
        return tuple(matches)
    alike = _USUAL if kind in _USUAL else (kind,)
    exact = tuple(match for match in matches if match.record.kind is kind)
    exact = exact or tuple(match for match in matches if match.record.kind in alike)
    return exact or tuple(match for match in matches if gives_limit(match.record, kind))


def gives_limit(record: ParameterRecord, kind: LimitKind) -> bool:
    """Whether a value without a limit column still is that limit: a rating, a range's end, "< 5 mA"."""
    if record.kind is not LimitKind.VALUE:
        return record.kind is kind
    if record.section is RecordSection.ABSOLUTE_MAXIMUM and kind is LimitKind.MAX:
        return True
    if record.low is not None and record.high is not None and record.low < record.high:
        return kind in (LimitKind.MIN, LimitKind.MAX)
    if record.section is RecordSection.OTHER and kind is LimitKind.TYP:
        return True  # a table that names no limits gives what is usual
    raw = record.value_raw.strip()
    if kind is LimitKind.MAX:
        return bool(re.match(r"(?:<|\u2264|up to|less than)", raw, re.IGNORECASE)) or "max" in fold_case(
            record.parameter
        )
    return kind is LimitKind.MIN and (bool(re.match(r">|\u2265|at least", raw)) or "min" in fold_case(record.parameter))


def distinct_values(matches: Iterable[Match]) -> list[list[Match]]:
    """Matches grouped by what they state: the same value, limit and part in two places is one statement."""
    groups: list[list[Match]] = []
    for match in matches:
        for group in groups:
            if _states_same(group[0].record, match.record):
                group.append(match)
                break
        else:
            groups.append([match])
    return groups


def _states_same(left: ParameterRecord, right: ParameterRecord) -> bool:
    if left.low is not None and right.low is not None and left.high is not None and right.high is not None:
        alike = left.unit == right.unit and close(left.low, right.low) and close(left.high, right.high)
    else:
        alike = fold_case(left.value_raw) == fold_case(right.value_raw)
    return alike and left.kind is right.kind


def surest(group: Sequence[Match]) -> Match:
    """The member to cite: the most certain record, then the first in reading order."""
    return min(group, key=lambda match: (-match.record.confidence, match.record.page, match.record.row))


def rows_of(matches: Sequence[Match]) -> list[list[Match]]:
    """Matches of one printed row and part together: MIN, TYP and MAX of the same line are one fact."""
    rows: dict[tuple[object, ...], list[Match]] = {}
    for match in matches:
        record = match.record
        single = record.column if record.kind is LimitKind.VALUE else -1
        key = (record.document, record.table, record.row, record.parts, single, _case(record.conditions))
        rows.setdefault(key, []).append(match)
    return list(rows.values())


def _case(conditions: Sequence[Condition]) -> tuple[str, ...]:
    return tuple(condition.raw for condition in conditions)
