"""Identities: a document is the hash of its bytes, a segment the hash of where and what it is."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NewType

DocumentId = NewType("DocumentId", str)
"""SHA-256 of the file's bytes, 64 hex digits."""

SegmentId = NewType("SegmentId", str)
"""BLAKE2b-128 of (document, page, ordinal, text), 32 hex digits."""

_CHUNK = 1 << 20


def document_id(path: Path) -> DocumentId:
    """Hash a file's bytes in constant memory. Raises OSError as the file system does."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return DocumentId(digest.hexdigest())


def segment_id(document: DocumentId, page: int, ordinal: int, text: str) -> SegmentId:
    """Stable identity of a segment: the same document parsed the same way gives the same ids."""
    key = "\x1f".join((document, str(page), str(ordinal), text))
    return SegmentId(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest())


def text_hash(text: str) -> str:
    """Key of a text in the embedding cache."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
