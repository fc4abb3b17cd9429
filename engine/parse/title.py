"""The title of a document, read from its first page: file names and metadata titles often lie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.text import fold_case, identifiers
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.numbering import read_numbering

_JUNK = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|.*\.(?:docx?|pdf|indd|qxd|fm|pptx?|xlsx?|book|wpd|tex|p65)"
    r"|document\s*\d*|slide\s*\d+|titel|title|no title|data ?sheets?|print|layout \d+|\d+|.*\\.*|.*/.*/.*)$",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"^(?:(?:product |preliminary |technical )?(?:data ?sheet|specification|data|information)|application notes?|"
    r"user(?:'s)? (?:guide|manual)|(?:discrete )?semiconductors?|integrated circuits?|features|(?:general )?"
    r"description|(?:table of )?contents|preliminary|rev(?:ision)?\b.*|www\..*|microcontrollers?|"
    r"data sheet search site.*|(?:semiconductor )?technical data|order(?:ing)? (?:number|information).*)$",
    re.IGNORECASE,
)
_SERIES = re.compile(r"application note|data ?sheet|technical note|user(?:'s)? (?:guide|manual)", re.IGNORECASE)
_TOP = 0.62
_MAX = 160
_LARGER = 1.2
_LEAST = 1.3
_UNKNOWN, _SAME_LETTER = 0.25, 0.6
"""Shares of unknown letters, and of one and the same, from which a text is garbled."""
_TELLING = 4
_RUN = re.compile(r"([^\W\d_])\1{5,}")
"""One letter six times in a row, which no word has."""


@dataclass(frozen=True, slots=True)
class Title:
    text: str
    lines: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Consecutive lines of one size on the first page."""

    lines: tuple[tuple[int, PageLine], ...]
    ends: bool = False
    """White space follows, as below a title, not text, as below a heading."""

    @property
    def size(self) -> float:
        return self.lines[0][1].size

    @property
    def text(self) -> str:
        return " ".join(line.text for _, line in self.lines)


@dataclass(frozen=True, slots=True)
class TitleEvidence:
    """What the rest of the document says of its title: running headers, metadata, and the styles headings have."""

    facts: tuple[str, ...]
    metadata_title: str
    heading_styles: frozenset[tuple[float, bool]]
    body_size: float


def find_title(pages: Sequence[PageContent], furniture: frozenset[tuple[int, int]], evidence: TitleEvidence) -> Title:
    """The most title-like large lines of the first page with text, else the metadata's title, else the first line."""
    page = next((p for p in pages if p.lines), None)
    if page is not None and (printed := _printed(page, furniture, evidence)):
        return printed
    if evidence.metadata_title and not _JUNK.match(evidence.metadata_title) and not is_garbled(evidence.metadata_title):
        return Title(evidence.metadata_title[:_MAX], frozenset())
    if page is not None:
        readable = (line.text for line in page.lines if not is_garbled(line.text))
        first = next((text for text in readable if sum(c.isalpha() for c in text) > 3), "")
        return Title(first[:_MAX], frozenset())
    return Title("", frozenset())


def is_garbled(text: str) -> bool:
    """Whether a font without its encoding left its mark: one letter over and over, or letters that nothing knows."""
    letters = [c for c in text if not c.isspace()]
    if sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" for c in letters) > _UNKNOWN * len(letters):
        return True
    most = max(Counter(letters).values(), default=0)
    alike = len(letters) >= _TELLING and most > _SAME_LETTER * len(letters)
    return any(c.isalpha() for c in letters) and (alike or _RUN.search(text) is not None)


def evidence_of(
    metadata: Mapping[str, str], facts: tuple[str, ...], styles: frozenset[tuple[float, bool]], body_size: float
) -> TitleEvidence:
    return TitleEvidence(facts, " ".join(metadata.get("title", "").split()), styles, body_size)


def _printed(page: PageContent, furniture: frozenset[tuple[int, int]], evidence: TitleEvidence) -> Title | None:
    clusters = _clusters(page, furniture, evidence.body_size)
    scored = [(_score(cluster, evidence), -index) for index, cluster in enumerate(clusters)]
    if not scored:
        return None
    best, at = max(scored)
    if best < _LEAST:
        return None
    chosen = [clusters[-at]]
    for step, limit in ((1, len(clusters)), (-1, -1)):
        index = -at + step
        while index != limit and _belongs(clusters[index], chosen[-1 if step > 0 else 0], chosen, evidence):
            chosen.insert(len(chosen) if step > 0 else 0, clusters[index])
            index += step
    text = " ".join(cluster.text for cluster in chosen)
    if len(text) > _MAX:
        chosen = [clusters[-at]]
        text = chosen[0].text
    lines = frozenset((page.number, i) for cluster in chosen for i, line in cluster.lines)
    return Title(text[:_MAX], lines)


def _clusters(page: PageContent, furniture: frozenset[tuple[int, int]], body_size: float) -> list[_Cluster]:
    clusters: list[_Cluster] = []
    for index, line in enumerate(page.lines):
        # A running header may be the title all the same, but only where it is set like one.
        larger = 1.6 * _LARGER if (page.number, index) in furniture else _LARGER
        if line.kind is RegionKind.TABLE or line.size < larger * body_size:
            continue
        if line.place.y0 > _TOP * page.flow[1] or sum(c.isalnum() for c in line.text) < 2 or is_garbled(line.text):
            continue
        last = clusters[-1].lines[-1] if clusters else None
        if (
            last is not None
            and abs(last[1].size - line.size) < 0.6
            and _near(last[1], line)
            and len(clusters[-1].lines) < 4
        ):
            clusters[-1] = _Cluster((*clusters[-1].lines, (index, line)))
        else:
            clusters.append(_Cluster(((index, line),)))
    for at in range(len(clusters) - 1, -1, -1):
        follows = at + 1 < len(clusters) and clusters[at + 1].lines[0][0] == clusters[at].lines[-1][0] + 1
        ends = _white_below(page, clusters[at]) or (follows and clusters[at + 1].ends)
        clusters[at] = replace(clusters[at], ends=ends)
    return clusters


def _white_below(page: PageContent, cluster: _Cluster) -> bool:
    index, line = cluster.lines[-1]
    if index + 1 >= len(page.lines):
        return True
    below = page.lines[index + 1]
    return below.place.y0 - line.place.y1 > 0.6 * line.size or below.place.y0 < line.place.y0


def _score(cluster: _Cluster, evidence: TitleEvidence) -> float:
    lead = cluster.lines[0][1]
    text = cluster.text
    score = min(2.5, cluster.size / evidence.body_size)
    if _GENERIC.match(fold_case(text)) or sum(c.isalnum() for c in text) < 3:
        score -= 3.0
    if (lead.size, lead.bold) in evidence.heading_styles:
        score -= 2.0
    if read_numbering(text) is not None:
        score -= 2.0
    if identifiers(text):
        score += 0.6
    if lead.kind is RegionKind.FIGURE:
        score -= 0.7
    words = set(fold_case(text).split())
    if any(len(words & set(fold_case(fact).split())) >= 0.6 * len(words) for fact in evidence.facts):
        score += 0.8
    named = set(fold_case(evidence.metadata_title).split())
    if len(named) >= 3 and len(words & named) >= 0.5 * min(len(words), len(named)):
        score += 1.2
    if _SERIES.search(text):
        score -= 0.8
    return score


def _belongs(cluster: _Cluster, neighbour: _Cluster, chosen: Sequence[_Cluster], evidence: TitleEvidence) -> bool:
    """A title may be set in two sizes: the part number large, what it is below it in smaller letters."""
    largest = max(c.size for c in chosen)
    lead = cluster.lines[0][1]
    if cluster.size < 0.5 * largest or _GENERIC.match(fold_case(cluster.text)) or len(chosen) >= 4:
        return False
    if read_numbering(cluster.text) is not None:
        return False
    if (lead.size, lead.bold) in evidence.heading_styles:
        # Set like a heading, but close under the title with nothing of its own below.
        return -0.5 * lead.size < lead.place.y0 - neighbour.lines[-1][1].place.y1 < 0.3 * lead.size and cluster.ends
    return _near(neighbour.lines[-1][1], lead) or _near(cluster.lines[-1][1], neighbour.lines[0][1])


def _near(a: PageLine, b: PageLine) -> bool:
    """`b` follows `a`: right below it, or beside it."""
    size = max(a.size, b.size)
    level = min(a.place.y1, b.place.y1) - max(a.place.y0, b.place.y0) > 0.3 * min(a.height, b.height)
    return level or -0.5 * size < b.place.y0 - a.place.y1 < 1.4 * size
