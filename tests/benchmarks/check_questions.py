"""Checks every question against the documents: quotes stand on their page, absent terms stand nowhere.

    python tests/benchmarks/check_questions.py [--library FOLDER] [--questions FILE]

The library is by default datasheets/library in $SHEAF_SHARED. Prints one JSON line; exit 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

import pymupdf

QUESTIONS = Path(__file__).parent / "questions" / "datasheets.jsonl"
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_SIGNS = {ord("\u00b5"): "u", ord("\u03bc"): "u", ord("\u02da"): "\u00b0", ord("\u2126"): "\u03a9"}


def squeeze(text: str) -> str:
    """Without white space, signs unified: PDFs break lines and cells where they like."""
    folded = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_DASHES | _SIGNS)
    return re.sub(r"\s+", "", folded)


@cache
def page_texts(path: Path) -> list[tuple[str, str]]:
    """Each page as it is stored and as it reads from top to bottom."""
    document = pymupdf.open(path)
    texts = [(squeeze(page.get_text("text")), squeeze(page.get_text("text", sort=True))) for page in document]
    document.close()
    return texts


def complaints(question: dict[str, object], library: Path) -> list[str]:
    """What is wrong with one question."""
    out = []
    gold = question["gold"]
    assert isinstance(gold, list)
    for item in gold:
        if item.get("quote_in_text") is False or question.get("quote_in_text") is False:
            continue
        texts = page_texts(library / item["file"])
        if not any(squeeze(item["quote"]) in text for text in texts[item["page"] - 1]):
            out.append(f"{question['id']}: {item['file']} page {item['page']} does not say {item['quote']!r}")
    terms = question.get("absent_terms", [])
    assert isinstance(terms, list)
    for term in terms:
        wanted = squeeze(term).casefold()
        for number, texts in enumerate(page_texts(library / str(question["document"])), 1):
            if any(wanted in text.casefold() for text in texts):
                out.append(f"{question['id']}: {question['document']} page {number} does say {term!r}")
                break
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=Path(os.environ.get("SHEAF_SHARED", "")) / "datasheets/library")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    chosen = parser.parse_args()
    questions = [json.loads(line) for line in chosen.questions.read_text(encoding="utf-8").splitlines()]
    found = [said for question in questions for said in complaints(question, chosen.library)]
    for said in found:
        print(said, file=sys.stderr)
    types = Counter(question["type"] for question in questions)
    print(json.dumps({"figure": "questions", "checked": len(questions), "wrong": len(found), "types": types}))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
