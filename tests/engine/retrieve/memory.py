"""A small library in memory: every port the retriever needs, simple enough to follow by hand."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId, SegmentId, segment_id
from engine.core.model import PageInfo, Segment, SegmentKind
from engine.core.ports import Matrix, NameEntry, NameKind, Scored, Vector
from engine.core.results import DocumentInfo, DocumentStatus, Place, SearchFilter
from engine.core.text import fold_case, identifiers
from engine.links.gazetteer import entries_of
from engine.links.mentions import MentionIndex
from engine.retrieve.retriever import Retriever
from engine.retrieve.settings import RetrievalSettings

_WORD = re.compile(r"[^\W_]+")
_DIMENSION = 256


def words(text: str) -> list[str]:
    return _WORD.findall(fold_case(text))


class HashingEmbedder:
    """Bag of words hashed into a few dimensions."""

    model_key = "hashing"
    dimension = _DIMENSION

    def __init__(self) -> None:
        self.queries: list[str] = []

    def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        return np.stack([self._embed(text) for text in texts]) if texts else np.empty((0, _DIMENSION), np.float32)

    def embed_query(self, text: str) -> Vector:
        self.queries.append(text)
        return self._embed(text)

    def _embed(self, text: str) -> Vector:
        vector = np.zeros(_DIMENSION, np.float32)
        for word in words(text):
            vector[int(hashlib.md5(word.encode("utf-8", "replace")).hexdigest(), 16) % _DIMENSION] += 1
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector


class MemoryLibrary:
    """Documents added by hand; implements SegmentSource, DenseIndex, KeywordIndex (BM25) and NameSource."""

    def __init__(self) -> None:
        self.embedder = HashingEmbedder()
        self.infos: dict[DocumentId, DocumentInfo] = {}
        self.all: dict[SegmentId, Segment] = {}
        self.entries: list[NameEntry] = []

    def add(
        self,
        title: str,
        *sections: tuple[str, str],
        parts: Sequence[str] = (),
        file: str = "",
        folder: str = "docs",
    ) -> DocumentId:
        """One document; each section is (path below the title with " > ", text) and lies on a page of its own."""
        document = DocumentId(hashlib.sha256(f"{folder}/{file}/{title}".encode()).hexdigest())
        segments = []
        for page, (path, text) in enumerate(sections, start=1):
            full = (title, *[part for part in path.split(" > ") if part])
            segments.append(
                Segment(
                    id=segment_id(document, page, page, text),
                    document=document,
                    ordinal=page,
                    kind=SegmentKind.TEXT,
                    title=title,
                    path=full,
                    text=text,
                    embed_text=" > ".join(full) + "\n" + text,
                    page=page,
                    pages=(page,),
                )
            )
        self.infos[document] = DocumentInfo(
            id=document,
            title=title,
            kind="pdf",
            status=DocumentStatus.INDEXED,
            places=(Place(folder, file or f"{title}.pdf"),),
            pages=len(segments),
            segments=len(segments),
            parts=tuple(parts),
        )
        self.all |= {segment.id: segment for segment in segments}
        self.entries += entries_of(document, title, parts, segments)
        return document

    def remove(self, document: DocumentId) -> None:
        del self.infos[document]
        self.all = {key: segment for key, segment in self.all.items() if segment.document != document}
        self.entries = [entry for entry in self.entries if entry.document != document]

    def retriever(self, settings: RetrievalSettings | None = None) -> Retriever:
        index = MentionIndex(self)
        return Retriever(self.dense, self.keyword, self, index, self.embedder, None, settings)

    @property
    def dense(self) -> _Dense:
        return _Dense(self)

    @property
    def keyword(self) -> _Keyword:
        return _Keyword(self)

    # --- SegmentSource ------------------------------------------------------------------------------------------------

    def segments(self, ids: Sequence[SegmentId]) -> list[Segment]:
        return [self.all[one] for one in ids if one in self.all]

    def document_segments(self, document: DocumentId) -> list[Segment]:
        return [segment for segment in self.all.values() if segment.document == document]

    def documents(self) -> list[DocumentInfo]:
        return list(self.infos.values())

    def places(self, document: DocumentId) -> tuple[Place, ...]:
        return self.infos[document].places

    def page(self, document: DocumentId, number: int) -> PageInfo | None:
        return PageInfo(number, f"p{number}", 595, 842, "") if document in self.infos else None

    def visible_documents(self, chosen: SearchFilter) -> list[DocumentId] | None:
        if not (chosen.documents or chosen.folders):
            return None
        return [
            info.id
            for info in self.infos.values()
            if (not chosen.documents or info.id in chosen.documents)
            and (not chosen.folders or info.places[0].folder in chosen.folders)
        ]

    # --- NameSource ---------------------------------------------------------------------------------------------------

    def find(self, keys: Collection[str]) -> list[NameEntry]:
        return [entry for entry in self.entries if entry.key in keys]

    def openers(self, words: Collection[str]) -> set[str]:
        return set(words) & {entry.key.partition(" ")[0] for entry in self.entries}

    def starting(self, prefix: str, limit: int) -> list[NameEntry]:
        found = [entry for entry in self.entries if entry.kind is NameKind.PART and entry.key.startswith(prefix)]
        return sorted(found, key=lambda entry: entry.key)[:limit]

    def named(self, documents: Sequence[DocumentId]) -> list[NameEntry]:
        return [entry for entry in self.entries if entry.document in documents]


class _Dense:
    def __init__(self, library: MemoryLibrary) -> None:
        self._library = library

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None = None) -> list[Scored]:
        found = [s for s in self._library.all.values() if within is None or s.document in within]
        matrix = self._library.embedder.embed_passages([segment.embed_text for segment in found])
        scored = [Scored(s.id, float(score)) for s, score in zip(found, matrix @ vector)] if found else []
        return sorted(scored, key=lambda item: (-item.score, item.segment))[:k]

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        return self._library.embedder.embed_passages([self._library.all[one].embed_text for one in segments])


class _Keyword:
    """BM25 over everything a segment says and its place."""

    def __init__(self, library: MemoryLibrary) -> None:
        self._library = library

    def _postings(self) -> dict[str, dict[SegmentId, int]]:
        postings: dict[str, dict[SegmentId, int]] = defaultdict(dict)
        for segment in self._library.all.values():
            place = self._library.infos[segment.document].places[0].file
            for word, count in Counter(words(" ".join((*segment.path, segment.text, place)))).items():
                postings[word][segment.id] = count
        return postings

    def search(
        self,
        text: str,
        k: int,
        within: Sequence[DocumentId] | None = None,
        among: Collection[SegmentId] | None = None,
    ) -> list[Scored]:
        postings = self._postings()
        total = len(self._library.all)
        scores: dict[SegmentId, float] = defaultdict(float)
        matched: dict[SegmentId, list[str]] = defaultdict(list)
        for word in dict.fromkeys(words(text)):
            held = postings.get(word, {})
            weight = math.log(1 + (total - len(held) + 0.5) / (len(held) + 0.5))
            for segment, count in held.items():
                scores[segment] += weight * count * 2.2 / (count + 1.2)
                matched[segment].append(word)
        allowed = [s for s in scores if within is None or self._library.all[s].document in within]
        allowed = [s for s in allowed if among is None or s in among]
        found = [Scored(segment, scores[segment], tuple(matched[segment])) for segment in allowed]
        return sorted(found, key=lambda item: (-item.score, item.segment))[:k]

    def holding(self, text: str, k: int, within: Sequence[DocumentId] | None = None, field: str = "") -> list[Scored]:
        wanted = set(words(text))
        found = []
        for segment in self._library.all.values():
            held = " ".join(segment.path) if field == "path" else " ".join((*segment.path, segment.text))
            if wanted <= set(words(held)) and (within is None or segment.document in within):
                found.append(Scored(segment.id, 1.0))
        return found[:k]

    def starting(self, beginning: str, k: int) -> list[str]:
        texts = " ".join(f"{segment.title} {segment.text}" for segment in self._library.all.values())
        names = {name.casefold() for name in identifiers(texts)}
        return sorted(name for name in names if name.startswith(beginning.casefold()))[:k]

    def document_frequency(self, term: str) -> int:
        return len(self._postings().get(fold_case(term), {}))
