"""A user's own words: what this office calls things that documents call otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.errors import UsageError
from engine.core.text import fold, fold_case

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Synonym:
    """`term` is what the user writes, `meaning` what documents print. `library` is "" where it holds for all."""

    term: str
    meaning: str
    library: str = ""


class Lexicon:
    """Synonyms applied to what a user writes; whole words, in whatever case. Empty by default."""

    def __init__(self, synonyms: Sequence[Synonym] = ()) -> None:
        self._meaning_of = {fold_case(one.term): one.meaning for one in synonyms}
        self._terms_of: dict[str, list[str]] = {}
        for one in synonyms:
            self._terms_of.setdefault(fold_case(one.meaning), []).append(one.term)

    def written_out(self, query: str) -> str:
        """`query` followed by the other form of each term and meaning it holds: for search, which takes both."""
        folded = fold_case(query)
        added = [meaning for term, meaning in self._meaning_of.items() if _holds(folded, term)]
        added += [term for meaning, terms in self._terms_of.items() if _holds(folded, meaning) for term in terms]
        fresh = [form for form in dict.fromkeys(added) if not _holds(folded, fold_case(form))]
        return " ".join((query, *fresh)) if fresh else query

    def in_words(self, text: str) -> str:
        """`text` with every term replaced by its meaning: for what is read by rule, as parameters are."""
        if not self._meaning_of:
            return text
        longest_first = sorted(self._meaning_of, key=len, reverse=True)
        pattern = "|".join(_bordered(term) for term in longest_first)
        return re.sub(
            pattern, lambda match: self._meaning_of[match.group().casefold()], fold(text), flags=re.IGNORECASE
        )


def checked(term: str, meaning: str) -> tuple[str, str]:
    """Both sides folded. Raises UsageError for one that is empty, too long, or the same as the other."""
    one, other = fold(term), fold(meaning)
    if not one or not other or fold_case(one) == fold_case(other) or max(len(one), len(other)) > _LONGEST:
        raise UsageError(
            "A synonym needs a term and another wording for it.",
            help='Give both, for example "Iq" and "quiescent current".',
            code="bad-synonym",
        )
    return one, other


def lines_of(synonyms: Sequence[Synonym]) -> str:
    """One "term = meaning" a line, as a user edits them."""
    return "\n".join(f"{one.term} = {one.meaning}" for one in synonyms)


def pairs_of(text: str) -> list[tuple[str, str]]:
    """What a user has written so. Raises UsageError with the first line that is none."""
    pairs = []
    for line in filter(None, map(str.strip, text.splitlines())):
        term, sign, meaning = line.partition("=")
        if not sign:
            raise UsageError(
                f'"{line}" is no synonym.', help="Write it as: Iq = quiescent current.", code="bad-synonym"
            )
        pairs.append(checked(term, meaning))
    return pairs


def _holds(folded: str, form: str) -> bool:
    return form in folded and re.search(_bordered(form), folded) is not None


def _bordered(form: str) -> str:
    return rf"(?<![^\W_]){re.escape(form)}(?![^\W_])"
