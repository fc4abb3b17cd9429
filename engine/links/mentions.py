"""Mention links (algorithms.md section 3): which entries of other documents a text names, and whom a question means.

Links are resolved when they are asked for, from the text and the gazetteer's present entries: nothing about one
document is stored with another, so a link is never stale and adding or removing a document costs only its own entries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.ports import Mention, NameEntry, NameKind, NameMatch, NameSource
from engine.core.text import expand_list, fold, identifiers, part_key
from engine.links.gazetteer import LONGEST_NAME, SMALL_WORDS, Word, words_of
from engine.links.spelling import graded_parts, members, related_parts

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])")
_SURE_WORDS = 4
"""A phrase of so many words is a name in whatever case it is printed."""
_SHORTEST = 4
"""Characters of a one-word phrase."""
_NUMBER_WORD = re.compile(r"[0-9]+")


class MentionIndex:
    """Resolves names over `names`."""

    def __init__(self, names: NameSource) -> None:
        self._names = names

    def mentions_in(self, segments: Sequence[Segment]) -> list[Mention]:
        """Links from these segments to other documents; each (segment, target) once, at its first mention."""
        scans = [Scan(segment.text) for segment in segments]
        entries = self._entries(scans, any_case=False)
        return [mention for segment, scan in zip(segments, scans) for mention in _mentions(segment, scan, entries)]

    def _entries(self, scans: Sequence[Scan], *, any_case: bool) -> dict[str, list[NameEntry]]:
        """The gazetteer's entries for everything in some texts that could be a name."""
        openers = self._names.openers({word.key for scan in scans for word in scan.words})
        return group(self._names.find({key for scan in scans for key in scan.keys(openers, any_case=any_case)}))

    def names_in(self, question: str) -> list[NameMatch]:
        """Names in a question, whatever their capitals: longest first, then related spellings of its identifiers."""
        scan = Scan(question)
        entries = self._entries([scan], any_case=not scan.cased)
        matches: dict[tuple[str, DocumentId], NameMatch] = {}
        for name, _, hits in scan.names(entries, any_case=not scan.cased):
            for entry in hits:
                matches.setdefault((name, entry.document), NameMatch(name, entry))
        for token in identifiers(question):
            for part in expand_list(token):
                for entry in members(part, self._names):
                    matches.setdefault((part, entry.document), NameMatch(part, entry))
                related = graded_parts if part_key(part) in entries else related_parts
                for entry in related(part, self._names):
                    matches.setdefault((part, entry.document), NameMatch(part, entry, exact=False))
        return self._with_siblings(list(matches.values()))

    def _with_siblings(self, matches: list[NameMatch]) -> list[NameMatch]:
        documents = list(dict.fromkeys(match.entry.document for match in matches))
        parts: dict[DocumentId, set[str]] = {document: set() for document in documents}
        for entry in self._names.named(documents):
            if entry.kind is NameKind.PART:
                parts[entry.document].add(entry.key)
        for match in matches:
            parts[match.entry.document].discard(match.entry.key)
            parts[match.entry.document].discard(part_key(match.entry.name))
        return [replace(match, siblings=len(parts[match.entry.document])) for match in matches]


class Scan:
    """A text cut into words, with every key a name in it could have."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        self.words = words_of(self.folded)
        self._parts: dict[str, tuple[str, int]] = {}
        for token in identifiers(self.folded):
            start = self.folded.find(token)
            for part in (token, *expand_list(token)):
                self._parts.setdefault(part_key(part), (part, start))

    @property
    def cased(self) -> bool:
        """True if capitals tell names from other words here (a question typed in lower case has none)."""
        return any(word.capital and not word.key[0].isdigit() for word in self.words[1:])

    def keys(self, openers: Collection[str], *, any_case: bool) -> set[str]:
        """The keys of every run of words that could be a name by its capitals, and of every identifier.

        Only runs that begin with one of `openers`: a page has thousands of runs, of which few could be an entry.
        """
        keys = set(self._parts)
        words = self.words
        joined = " ".join(word.key for word in words)
        ends = [0, *accumulate(len(word.key) + 1 for word in words)]
        counts = [word.key not in SMALL_WORDS for word in words]
        capital = [word.capital and counted for word, counted in zip(words, counts, strict=True)]
        capitals_before = [0, *accumulate(capital)]
        for start in range(len(words)):
            if words[start].key not in openers:
                continue
            limit = min(start + LONGEST_NAME, len(words))
            # At least half of a name's words have capitals: so many can it have at most from here.
            most = len(words) if any_case else 2 * (capitals_before[limit] - capitals_before[start])
            content = capitals = 0
            for place in range(start, limit):
                content += counts[place]
                if content > most:
                    break
                capitals += capital[place]
                # Numbers alone may be the core of a part ("44780"): their key is the same as a one-word phrase's.
                if any_case or content == capitals or (place - start >= _SURE_WORDS - 1 and 2 * capitals >= content):
                    keys.add(joined[ends[start] : ends[place + 1] - 1])
        return keys

    def names(
        self, entries: Mapping[str, Sequence[NameEntry]], *, any_case: bool
    ) -> Iterable[tuple[str, int, Sequence[NameEntry]]]:
        """(name as printed, position, entries), by position; phrases leftmost and longest, without overlap."""
        found: list[tuple[str, int, Sequence[NameEntry]]] = []
        for key, (part, start) in self._parts.items():
            if by_part := [entry for entry in entries.get(key, ()) if entry.kind in (NameKind.PART, NameKind.ALIAS)]:
                found.append((part, start, by_part))
        position = 0
        openers = {key.partition(" ")[0] for key in entries}
        while position < len(self.words):
            if self.words[position].key not in openers:
                position += 1
                continue
            length, hits = self._longest(position, entries, any_case)
            if hits:
                first, last = self.words[position], self.words[position + length - 1]
                found.append((self.folded[first.start : last.end], first.start, hits))
            position += max(length, 1)
        return sorted(found, key=lambda item: item[1])

    def _longest(
        self, position: int, entries: Mapping[str, Sequence[NameEntry]], any_case: bool
    ) -> tuple[int, Sequence[NameEntry]]:
        run = self.words[position : position + LONGEST_NAME]
        for length in range(len(run), 0, -1):
            hits = entries.get(" ".join(word.key for word in run[:length]))
            whole = length > 1 or any_case or not self._flanked(position)
            if hits and whole and _is_name(run[:length], hits, any_case):
                return length, hits
        return 0, ()

    def _flanked(self, position: int) -> bool:
        """True for a word inside a longer name: "Princess" in "Princess Irina" is not the name Princess."""
        word = self.words[position]
        before = self.words[position - 1] if position > 1 else None  # the first word has a capital anyway
        after = self.words[position + 1] if position + 1 < len(self.words) else None
        if after is not None and after.capital and self.folded[word.end : after.start] == " ":
            return True
        return before is not None and before.capital and self.folded[before.end : word.start] == " "

    def sentence(self, position: int) -> str:
        start = 0
        for match in _SENTENCE_END.finditer(self.folded):
            if match.end() > position:
                return self.folded[start : match.start()]
            start = match.end()
        return self.folded[start:]


def group(entries: Iterable[NameEntry]) -> dict[str, list[NameEntry]]:
    grouped: dict[str, list[NameEntry]] = {}
    for entry in entries:
        grouped.setdefault(entry.key, []).append(entry)
    return grouped


def _is_name(run: Sequence[Word], hits: Sequence[NameEntry], any_case: bool) -> bool:
    """Common words that happen to be a title are no mention unless they are printed as a name."""
    if len(run) == 1:
        word = run[0]
        if _NUMBER_WORD.fullmatch(word.key):
            return len(word.key) >= _SHORTEST and any(hit.kind is NameKind.ALIAS for hit in hits)
        return word.capital and len(word.key) >= _SHORTEST
    if any_case:
        return True
    content = [word for word in run if word.key not in SMALL_WORDS] or list(run)
    if len(run) >= _SURE_WORDS:
        return 2 * sum(word.capital for word in content) >= len(content)
    return all(word.capital for word in content)


def _mentions(segment: Segment, scan: Scan, entries: Mapping[str, Sequence[NameEntry]]) -> list[Mention]:
    own = {entry.key for hits in entries.values() for entry in hits if entry.document == segment.document}
    found: dict[DocumentId, Mention] = {}
    for name, position, hits in scan.names(entries, any_case=False):
        others = [hit for hit in hits if hit.document != segment.document]
        if not others or any(hit.key in own for hit in hits):
            continue  # a name the document goes by itself leads nowhere
        shared = len({hit.document for hit in others})
        for hit in others:
            context = scan.sentence(position)
            mention = Mention(segment.id, name, hit.document, hit.segment, context, shared)
            found.setdefault(hit.document, mention)
    return list(found.values())
