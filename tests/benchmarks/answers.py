"""Answers over a library of questions: accuracy, abstention, citations and seconds for every kind of question.

    python -m tests.benchmarks.answers --home HOME --library NAME --questions FILE.jsonl [--model ID] [--split dev]
        [--route hybrid|dense|keyword]

The library must have been indexed. Without --model answers are quoted and computed. Prints one JSON line per question
type and one for all, every rate with its Wilson interval:

- `right`: the answer or one of `accept`, all of `parts`, with units and symbols normalised; an unanswerable question is
  right when it is not answered. Abstract questions have no string to compare with.
- `false_answers` on the unanswerable, `false_abstentions` on the others.
- `recall_at_1`, `_5`, `_10`: share of the gold pages, counting `also`, among the pages of so many passages.
- `citations_right`: every word of the quote stands on the cited page; `citations_verbatim`: the whole quote stands
  there in one piece, which a row with spanning cells never does.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.core.results import Answer, AnswerStatus, Route
from engine.core.text import fold_case
from engine.evaluate.metrics import wilson
from engine.parameters.equality import same_quantity

_DEPTHS = (1, 5, 10)
_PACKED = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: whether its answer was right, whether it abstained, its citations and seconds."""

    kind: str
    right: bool
    abstained: bool
    citations: int
    citations_right: int
    citations_verbatim: int
    seconds: float
    evidence: int
    recalled: tuple[int, ...]
    """Gold pages found among the first 1, 5 and 10 passages."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask every question and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--model")
    parser.add_argument("--split", choices=("dev", "held_out"))
    parser.add_argument("--route", choices=[route.value for route in Route], default=Route.HYBRID.value)
    chosen = parser.parse_args(arguments)
    lines = chosen.questions.read_text(encoding="utf-8").splitlines()
    questions = [question for question in map(json.loads, lines) if chosen.split in (None, question.get("split"))]
    with Engine.open(chosen.home) as engine:
        route = Route(chosen.route)
        outcomes = [ask(engine, chosen.library, question, chosen.model, route) for question in questions]
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_kind[outcome.kind].append(outcome)
    scored = [outcome for outcome in outcomes if outcome.kind != "abstract"]
    for kind, found in [*sorted(by_kind.items()), ("all but abstract", scored)]:
        print(json.dumps(figures(kind, found, chosen.model or "quoted", chosen.route)), flush=True)


def ask(engine: Engine, library: str, question: Mapping[str, Any], model: str | None, route: Route) -> Outcome:
    """Ask one question and check its answer and citations against the stored pages."""
    answer = engine.ask(library, question["question"], model=model, quoted=model is None, route=route)
    gold, recalled = _recall(engine, library, question, route)
    pages = [engine.page(library, one.document, one.page) for one in answer.citations]
    texts = [_packed(page.text) if page is not None else "" for page in pages]
    right_ones = sum(_words_stand(one.quote, text) for one, text in zip(answer.citations, texts))
    verbatim = sum(_packed(one.quote) in text for one, text in zip(answer.citations, texts))
    abstained = answer.status is AnswerStatus.NOT_MENTIONED
    right = abstained if question["type"] == "unanswerable" else not abstained and is_right(answer, question)
    return Outcome(
        question["type"], right, abstained, len(answer.citations), right_ones, verbatim, answer.seconds, gold, recalled
    )


def is_right(answer: Answer, question: Mapping[str, Any]) -> bool:
    """Whether the answer holds one of the accepted wordings, or all of the parts."""
    if parts := question.get("parts"):
        return all(says(answer.short, part, answer.text) for part in parts)
    return any(says(answer.short, wording, answer.text) for wording in (question["answer"], *question["accept"]))


def _recall(engine: Engine, library: str, question: Mapping[str, Any], route: Route) -> tuple[int, tuple[int, ...]]:
    """How many gold pages there are, and how many are found among the first 1, 5 and 10 passages."""
    hits = engine.search(library, question["question"], k=_DEPTHS[-1], route=route).hits
    pages = [{(place.file, page) for place in hit.places for page in hit.segment.pages} for hit in hits]
    gold = [{(one["file"], one["page"]) for one in (item, *item.get("also", ()))} for item in question["gold"]]
    found = tuple(sum(bool(item & set().union(*pages[:depth])) for item in gold) for depth in _DEPTHS)
    return len(gold), found


def figures(kind: str, outcomes: Sequence[Outcome], model: str, route: str) -> dict[str, object]:
    """The line of one kind of question."""
    unanswerable = [one for one in outcomes if one.kind == "unanswerable"]
    others = [one for one in outcomes if one.kind != "unanswerable"]
    cited = sum(one.citations for one in outcomes)
    evidence = sum(one.evidence for one in outcomes)
    seconds = sorted(one.seconds for one in outcomes)
    return {
        "benchmark": "answers",
        "type": kind,
        "model": model,
        "route": route,
        "questions": len(outcomes),
        "right": _rate(one.right for one in outcomes) if kind != "abstract" else None,
        "false_answers": _rate(not one.abstained for one in unanswerable),
        "false_abstentions": _rate(one.abstained for one in others),
        **{
            f"recall_at_{depth}": _rate([True] * sum(one.recalled[n] for one in outcomes), evidence)
            for n, depth in enumerate(_DEPTHS)
        },
        "citations_right": _rate([True] * sum(one.citations_right for one in outcomes), cited),
        "citations_verbatim": _rate([True] * sum(one.citations_verbatim for one in outcomes), cited),
        "median_seconds": round(statistics.median(seconds), 2) if seconds else None,
        "p95_seconds": round(seconds[int(0.95 * (len(seconds) - 1))], 2) if seconds else None,
    }


def _rate(successes: Iterable[bool], count: int | None = None) -> list[float] | None:
    """[rate, low, high] with the 95 % Wilson interval; None where there is nothing to count."""
    marks = list(successes)
    total = len(marks) if count is None else count
    if not total:
        return None
    interval = wilson(sum(marks), total)
    return [round(sum(marks) / total, 3), round(interval.low, 3), round(interval.high, 3)]


def says(short: str, wording: str, text: str = "") -> bool:
    """Whether a short answer, or the sentence behind it, holds a wording; in any unit if it is a quantity."""
    if same_quantity(short, wording):
        return True
    wanted = re.escape(_packed(wording))
    # A number must not be found inside a longer one: "10" is not in "4.10" or "108".
    bounded = rf"(?<![\d.]){wanted}(?!\d)" if wanted[:1].isdigit() else wanted
    return re.search(bounded, _packed(f"{short} | {text}")) is not None


def _packed(text: str) -> str:
    return _PACKED.sub("", fold_case(text))


def _words_stand(quote: str, page: str) -> bool:
    return all(_packed(word) in page for word in quote.split() if word != "…")


if __name__ == "__main__":
    main()
