"""Questions with known answers, made by code to measure and calibrate with."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """`kind` says what is asked ("exact", "higher", "section", "page", "unanswerable"); `gold` are the (file, page,
    quote) the answer rests on."""

    id: str
    question: str
    answer: str
    accept: tuple[str, ...]
    kind: str
    gold: tuple[tuple[str, int, str], ...] = ()
    document: str = ""
    """File an unanswerable question is about."""
    absent: tuple[str, ...] = ()
    """Words that stand nowhere in it."""
    records: tuple[str, ...] = ()
    """Parameter records the answer was made from."""


def as_json(question: KnownQuestion) -> dict[str, object]:
    """The form of the question files: gold as objects, empty fields left out."""
    body: dict[str, object] = {
        "id": question.id,
        "question": question.question,
        "answer": question.answer,
        "accept": list(question.accept),
        "type": question.kind,
        "gold": [{"file": file, "page": page, "quote": quote} for file, page, quote in question.gold],
    }
    if question.document:
        body |= {"document": question.document, "absent_terms": list(question.absent)}
    return body


def spread(found: Iterable[KnownQuestion], most: int, seed: int) -> list[KnownQuestion]:
    """A choice by hash, taken in turn from each file so that no long sheet crowds out the others."""
    by_file: dict[str, list[KnownQuestion]] = defaultdict(list)
    for question in found:
        by_file[question.gold[0][0] if question.gold else question.document].append(question)
    for listed in by_file.values():
        listed.sort(key=lambda question: question_id(f"{seed}{question.id}"))
    chosen: list[KnownQuestion] = []
    depth = 0
    while len(chosen) < most and any(len(listed) > depth for listed in by_file.values()):
        chosen += [listed[depth] for _, listed in sorted(by_file.items()) if len(listed) > depth]
        depth += 1
    return chosen[:most]


def question_id(text: str) -> str:
    """A short name for a question, the same for the same text."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
