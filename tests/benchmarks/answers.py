"""Answers over a library of questions: accuracy, abstention, citations, seconds and tokens for every kind of question.

    python -m tests.benchmarks.answers --home HOME --library NAME --questions FILE.jsonl [FILE.jsonl ...]
        [--model ID] [--split dev] [--route hybrid|dense|keyword] [--without links agent verification grammar]
        [--most N]

The library must have been indexed. Without --model answers are quoted and computed. --without switches pieces off, for
ablations; --most takes the first N questions of each type. Prints one JSON line per question type and one for all,
every rate with its Wilson interval:

- `right`: the answer or one of `accept`, all of `parts`, with units and symbols normalised; an unanswerable question is
  right when it is not answered. Abstract questions have no string to compare with.
- `em`, `f1`: the short answer against the nearest accepted one, as SQuAD and 2WikiMultihopQA score it (articles and
  punctuation left out); not for unanswerable ones.
- `false_answers` on the unanswerable, `false_abstentions` on the others.
- `recall_at_1`, `_5`, `_10`: share of the gold pages, counting `also`, among the pages of so many passages; for
  questions whose gold is a title, of the documents.
- `citations_right`: every word of the quote stands on the cited page; `citations_verbatim`: the whole quote stands
  there in one piece, which a row with spanning cells never does.
- `first_seconds`: median until the first verified sentence; tokens are medians a question.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.agent.switches import Piece
from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.events import Event, SentenceVerified
from engine.core.results import Answer, AnswerStatus, Route
from engine.core.text import fold_case
from engine.evaluate.metrics import wilson
from engine.parameters.equality import same_quantity

_DEPTHS = (1, 5, 10)
_PACKED = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Setup:
    """What is measured: a library, a model (None quotes), a route, and the pieces switched off."""

    library: str
    model: str | None
    route: Route
    without: tuple[Piece, ...] = ()


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
    exact: bool
    overlap: float
    """F1 of the words of the short answer."""
    first: float
    """Seconds to the first verified sentence."""
    read: int
    written: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask every question and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--model")
    parser.add_argument("--split", choices=("dev", "held_out"))
    parser.add_argument("--route", choices=[route.value for route in Route], default=Route.HYBRID.value)
    parser.add_argument("--without", choices=[piece.value for piece in Piece], nargs="+", default=[])
    parser.add_argument("--most", type=int, default=0)
    chosen = parser.parse_args(arguments)
    setup = Setup(chosen.library, chosen.model, Route(chosen.route), tuple(map(Piece, chosen.without)))
    with Engine.open(chosen.home) as engine:
        outcomes = [ask(engine, setup, question) for question in _questions(chosen)]
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_kind[outcome.kind].append(outcome)
    scored = [outcome for outcome in outcomes if outcome.kind != "abstract"]
    for kind, found in [*sorted(by_kind.items()), ("all but abstract", scored)]:
        print(json.dumps(figures(kind, found, setup)), flush=True)


def _questions(chosen: argparse.Namespace) -> list[dict[str, Any]]:
    """The questions of all files and the chosen split, at most so many of each type."""
    lines = [line for file in chosen.questions for line in file.read_text(encoding="utf-8").splitlines() if line]
    questions = [question for question in map(json.loads, lines) if chosen.split in (None, question.get("split"))]
    kept: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in questions:
        if not chosen.most or len(kept[question["type"]]) < chosen.most:
            kept[question["type"]].append(question)
    return [question for group in kept.values() for question in group]


def ask(engine: Engine, setup: Setup, question: Mapping[str, Any]) -> Outcome:
    """Ask one question and check its answer and citations against the stored pages."""
    started = time.monotonic()
    verified: list[float] = []

    def note(event: Event) -> None:
        if isinstance(event, SentenceVerified) and event.sentence.verified:
            verified.append(time.monotonic() - started)

    session = engine._session(setup.library)
    quoted = setup.model is None
    answer = session.ask(question["question"], setup.model, quoted, (), note, CancelToken(), setup.route, setup.without)
    gold, recalled = _recall(engine, setup, question)
    pages = [engine.page(setup.library, one.document, one.page) for one in answer.citations]
    texts = [_packed(page.text) if page is not None else "" for page in pages]
    right_ones = sum(_words_stand(one.quote, text) for one, text in zip(answer.citations, texts))
    verbatim = sum(_packed(one.quote) in text for one, text in zip(answer.citations, texts))
    abstained = answer.status is AnswerStatus.NOT_MENTIONED
    right = abstained if question["type"] == "unanswerable" else not abstained and is_right(answer, question)
    wordings = accepted(question)
    return Outcome(
        question["type"], right, abstained, len(answer.citations), right_ones, verbatim, answer.seconds, gold, recalled,
        exact=any(_plain(answer.short) == _plain(wording) for wording in wordings),
        overlap=max((_overlap(answer.short, wording) for wording in wordings), default=0.0),
        first=verified[0] if verified else answer.seconds, read=answer.tokens_read, written=answer.tokens_written,
    )  # fmt: skip


def accepted(question: Mapping[str, Any]) -> tuple[str, ...]:
    """The answer, in all wordings that count."""
    return (question["answer"], *question.get("accept", ()))


def is_right(answer: Answer, question: Mapping[str, Any]) -> bool:
    """Whether the answer holds one of the accepted wordings, or all of the parts."""
    if parts := question.get("parts"):
        return all(says(answer.short, part, answer.text) for part in parts)
    return any(says(answer.short, wording, answer.text) for wording in accepted(question))


def _recall(engine: Engine, setup: Setup, question: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
    """How many gold pages (or titles) there are, and how many are found among the first 1, 5 and 10 passages."""
    hits = engine.search(setup.library, question["question"], k=_DEPTHS[-1], route=setup.route).hits
    if titles := question.get("gold_titles"):
        named = [hit.segment.title for hit in hits]
        return len(titles), tuple(sum(title in named[:depth] for title in titles) for depth in _DEPTHS)
    pages = [{(place.file, page) for place in hit.places for page in hit.segment.pages} for hit in hits]
    gold = [{(one["file"], one["page"]) for one in (item, *item.get("also", ()))} for item in question["gold"]]
    found = tuple(sum(bool(item & set().union(*pages[:depth])) for item in gold) for depth in _DEPTHS)
    return len(gold), found


def figures(kind: str, outcomes: Sequence[Outcome], setup: Setup) -> dict[str, object]:
    """The line of one kind of question."""
    asked = [one for one in outcomes if one.kind not in ("unanswerable", "abstract")]
    unanswerable = [one for one in outcomes if one.kind == "unanswerable"]
    others = [one for one in outcomes if one.kind != "unanswerable"]
    cited = sum(one.citations for one in outcomes)
    evidence = sum(one.evidence for one in outcomes)
    seconds = sorted(one.seconds for one in outcomes)
    return {
        "benchmark": "answers",
        "type": kind,
        "model": setup.model or "quoted",
        "route": setup.route.value,
        "without": [piece.value for piece in setup.without],
        "questions": len(outcomes),
        "right": _rate(one.right for one in outcomes) if kind != "abstract" else None,
        "em": _mean([float(one.exact) for one in asked]),
        "f1": _mean([one.overlap for one in asked]),
        "false_answers": _rate(not one.abstained for one in unanswerable),
        "false_abstentions": _rate(one.abstained for one in others),
        **{
            f"recall_at_{depth}": _rate([True] * sum(one.recalled[n] for one in outcomes), evidence)
            for n, depth in enumerate(_DEPTHS)
        },
        "citations_right": _rate([True] * sum(one.citations_right for one in outcomes), cited),
        "citations_verbatim": _rate([True] * sum(one.citations_verbatim for one in outcomes), cited),
        "first_seconds": _median([one.first for one in outcomes]),
        "tokens_read": _median([one.read for one in outcomes]),
        "tokens_written": _median([one.written for one in outcomes]),
        "median_seconds": round(statistics.median(seconds), 2) if seconds else None,
        "p95_seconds": round(seconds[int(0.95 * (len(seconds) - 1))], 2) if seconds else None,
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.mean(values), 3) if values else None


def _median(values: Sequence[float]) -> float | None:
    return round(statistics.median(values), 2) if values else None


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


def _plain(text: str) -> list[str]:
    """Words without case, punctuation and articles, as SQuAD compares answers."""
    return [word for word in re.findall(r"\w+", fold_case(text)) if word not in ("a", "an", "the")]


def _overlap(given: str, wanted: str) -> float:
    """F1 over words, each as often as it stands."""
    left, right = Counter(_plain(given)), Counter(_plain(wanted))
    common = sum((left & right).values())
    return 2 * common / (sum(left.values()) + sum(right.values())) if common else 0.0


def _packed(text: str) -> str:
    return _PACKED.sub("", fold_case(text))


def _words_stand(quote: str, page: str) -> bool:
    return all(_packed(word) in page for word in quote.split() if word != "…")


if __name__ == "__main__":
    main()
