"""Whether what a sentence says stands on the page it cites.

Every number with its unit, every identifier and every quoted word is looked for in the folded text of the cited page.
A number must stand there as a whole token: "18" is not found in "185" nor in "0.18".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.agent.quantities import find_quantities
from engine.core.text import fold, fold_case, identifiers

_NUMBER = re.compile(r"(?<![\w.])[0-9][0-9.,]*(?<![.,])")
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201d]{2,})[\"\u201d]")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`missing` are the claims that none of the cited pages holds."""

    verified: bool
    missing: tuple[str, ...] = ()


def check_sentence(text: str, pages: Sequence[str], question: str = "", cells: Sequence[str] = ()) -> Verdict:
    """Check the claims of one sentence against the texts of the pages it cites.

    What the question itself states (its part names and conditions) may be repeated without standing on the page. A
    value read from a table row may have its number and its unit in two of the row's `cells`, both printed on the page.
    """
    if not pages:
        return Verdict(False, ("no citation",))
    folded_pages = [fold(page) for page in pages]
    asked = fold(question)
    missing = [
        claim
        for claim in claims(text)
        if not any(stands(claim, page) or _in_row(claim, cells, page) for page in folded_pages)
        and not (asked and stands(claim, asked))
    ]
    return Verdict(not missing, tuple(missing))


def stands_in_unit(claim: str, shown: str, cells: Sequence[str]) -> bool:
    """Whether an answer stands in one passage: as one run, or as a number cell and its unit in one row."""
    text = fold(shown)
    return stands(claim, text) or _in_row(fold(claim), cells, text)


def _in_row(claim: str, cells: Sequence[str], page: str) -> bool:
    """Whether a quantity is made of one number cell and one unit (a cell or a header) of the cited row."""
    if not cells:
        return False
    ends = claim.split(" to ")
    if len(ends) == 2:
        return all(stands(end, page) or _in_row(end, cells, page) for end in ends)
    match = re.fullmatch(r"(.*[0-9])\s+([^0-9\s].*)", claim)
    if not match:
        return False
    number, unit = match.groups()
    folded = [fold(cell) for cell in cells]
    whole = any(stands(number, cell) for cell in folded)
    return whole and any(stands(unit, cell) for cell in folded) and stands(number, page) and stands(unit, page)


def claims(text: str) -> list[str]:
    """What must be found: quantities, then lone numbers, identifiers and quoted words."""
    folded = fold(text)
    found: dict[str, None] = {}
    covered: list[tuple[int, int]] = []
    for quantity in find_quantities(folded):
        found.setdefault(quantity.text)
        covered.append((quantity.start, quantity.end))
    names = identifiers(folded)
    for name in names:
        found.setdefault(name)
    for match in _QUOTED.finditer(folded):
        found.setdefault(match.group(1).strip())
    for match in _NUMBER.finditer(folded):
        inside = any(start <= match.start() < end for start, end in covered)
        if not inside and not any(match.group() in name for name in names):
            found.setdefault(match.group())
    return list(found)


def stands(claim: str, page: str) -> bool:
    """Whether a claim stands on a folded page, letter for letter but for case, spaces and equal quantities."""
    tight = re.sub(r"\s+", "", claim.casefold())
    pattern = r"\s*".join(re.escape(c) for c in tight)
    before = r"(?<![0-9])(?<![0-9][.,])" if tight[:1].isdigit() else r"(?<![^\W_])" if tight[:1].isalnum() else ""
    after = r"(?![0-9])(?![.,][0-9])" if tight[-1:].isdigit() else r"(?![^\W_])" if tight[-1:].isalnum() else ""
    if re.search(before + pattern + after, page.casefold()):
        return True
    wanted = find_quantities(fold(claim))
    if len(wanted) != 1:
        return False
    return any(wanted[0].same(quantity) for quantity in find_quantities(page))


def quote_stands(quote: str, page: str) -> bool:
    """Whether a quote stands on a page: as one run, or, for a table row, with all its words there."""
    page_folded, folded = fold_case(page), fold_case(quote)
    if not folded:
        return False
    if folded in page_folded or _solid(folded) in _solid(page_folded):
        return True
    words = folded.split()
    return bool(words) and all(word in page_folded for word in words)


def quote_share(quote: str, page: str) -> float:
    """The share of a quote's words that stand on the page, 0..1."""
    words = fold_case(quote).split()
    there = fold_case(page)
    return sum(1 for word in words if word in there) / len(words) if words else 0.0


def _solid(text: str) -> str:
    return re.sub(r"[\s-]+", "", text)


def first_page_with(quote: str, pages: Iterable[tuple[int, str]]) -> int | None:
    """The first of some (number, text) pages on which a quote stands."""
    ranked = sorted(((quote_share(quote, text), -number) for number, text in pages), reverse=True)
    return -ranked[0][1] if ranked and ranked[0][0] > 0.8 else None
