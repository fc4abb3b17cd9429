"""Questions on the sample library with true answers, in the shape of a question file of the benchmarks.

Pages are not typed: a quote is looked up in what the generator printed, and a quote that stands nowhere is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from tests.makers.parts.question_list import QUESTIONS, Question

NOT_MENTIONED = ("not mentioned", "not stated", "not specified", "not given", "not in the document")
PageLines = Mapping[str, Sequence[tuple[int, str]]]
"""File -> printed (page, line) in print order."""


def dump(lines: PageLines) -> str:
    """One JSON object a line. Raises ValueError for a quote that is not printed or a term that is."""
    texts = {file: _pages(printed) for file, printed in lines.items()}
    out = [_shaped(f"s{number:03d}", question, texts) for number, question in enumerate(QUESTIONS, 1)]
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in out)


def _pages(printed: Sequence[tuple[int, str]]) -> dict[int, str]:
    pages: dict[int, list[str]] = {}
    for page, line in printed:
        pages.setdefault(page, []).append(line)
    return {page: re.sub(r"\s+", " ", " ".join(found)) for page, found in pages.items()}


def _shaped(name: str, question: Question, texts: Mapping[str, Mapping[int, str]]) -> dict[str, object]:
    item: dict[str, object] = {"id": name, "question": question.text, "answer": question.answer}
    item["accept"] = list(question.accept)
    item["type"] = question.type
    item["gold"] = [_gold(file, quote, texts) for file, quote in question.gold]
    if question.parts:
        item["parts"] = list(question.parts)
    if question.topics:
        item["topics"], item["unsupported"] = list(question.topics), list(question.unsupported)
    if question.type == "unanswerable":
        _check_absent(question, texts)
        item["answer"], item["accept"] = "Not mentioned", list(NOT_MENTIONED)
        item["document"], item["absent_terms"] = question.document, list(question.absent)
    return item


def _gold(file: str, quote: str, texts: Mapping[str, Mapping[int, str]]) -> dict[str, object]:
    pages = [page for page, text in texts[file].items() if quote in text]
    if not pages:
        raise ValueError(f"{file} does not say {quote!r}")
    found: dict[str, object] = {"file": file, "page": pages[0], "quote": quote}
    if pages[1:]:
        found["also"] = [{"file": file, "page": page} for page in pages[1:]]
    return found


def _check_absent(question: Question, texts: Mapping[str, Mapping[int, str]]) -> None:
    said = " ".join(texts[question.document].values()).casefold()
    present = [term for term in question.absent if term.casefold() in said]
    if present or not question.absent:
        raise ValueError(f"{question.document} does say {present}: {question.text}")
