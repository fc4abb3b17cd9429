"""Fits the weights of engine/agent/support.py on questions whose answers are known.

    python -m tests.benchmarks.fit_support --home HOME --library NAME --questions FILE.jsonl [FILE.jsonl ...]

A unit is right when it stands on a gold page and holds an accepted answer; every other unit of the shortlist, and every
unit for an unanswerable question, is wrong. Each question weighs alike. Prints the weights with and without the
cross-encoder, and, with documents held out in turn (eight folds), how many questions get a right first unit, a wrong
one, or none at each threshold. Comparisons and multi-hop questions are left out: no one unit answers them.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.agent.evidence import gather
from engine.agent.question import understand
from engine.agent.reading import passage, shortlist
from engine.agent.sources import Sources
from engine.agent.spans import find_span
from engine.agent.spoken import with_known_names
from engine.agent.support import NEGATIVE, POSITIVE, field_of, signs
from engine.agent.targets import resolve
from engine.agent.units import Unit
from engine.api import Engine
from engine.core.text import fold_case

_KINDS = ("table", "direct_fact", "section_constrained", "colloquial", "scanned", "unanswerable")
_FOLDS = 8
_WRONG_WEIGHT = 6.0
"""What all wrong units of a question weigh together, beside 1 for its right ones."""
_RIDGE = 1.0
_THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_NAMES = (*POSITIVE, *NEGATIVE)
_LEXICAL = tuple(name for name in _NAMES if name not in ("relevance", "behind"))

Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Case:
    """The shortlist of one question: signs of each unit and whether it is right. `fold` by the gold documents."""

    kind: str
    signs: list[dict[str, float]]
    right: list[bool]
    fold: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Collect, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    chosen = parser.parse_args(arguments)
    questions = list(questions_of(chosen.questions))
    with Engine.open(chosen.home) as engine:
        session = engine._session(chosen.library)
        cases = [case for one in questions if (case := collect(one, session.sources(one["question"]))) is not None]
    for label, names in (("with the cross-encoder", _NAMES), ("without", _LEXICAL)):
        print(json.dumps({"weights": label, **fit(cases, names)}))
        for line in held_out(cases, names):
            print(json.dumps(line))


def questions_of(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """The questions that one unit can answer, and those that none does."""
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            if question["type"] in _KINDS and question.get("split") != "held_out" and not question.get("parts"):
                yield question


def collect(question: Mapping[str, Any], sources: Sources) -> Case | None:
    """The signs of every unit on the question's shortlist; None where the shortlist is empty."""
    asked = understand(with_known_names(question["question"], sources.documents()))
    pool = gather(asked, sources, resolve(asked, sources.documents()))
    chosen = shortlist(asked, pool)
    if not chosen or sources.reranker is None:
        return None
    logits = sources.reranker.score(asked.text, [passage(one) for one in chosen])
    field = field_of(chosen, logits)
    spans = [find_span(asked, pool, one) for one in chosen]
    found = [signs(asked, pool, one, span, logit, field) for one, span, logit in zip(chosen, spans, logits)]
    files = {info.id: {place.file.split("/")[-1] for place in info.places} for info in sources.documents()}
    right = [is_right(question, one.unit, files[one.unit.segment.document]) for one in chosen]
    gold = sorted(item["file"] for item in question["gold"]) or [question["id"]]
    return Case(question["type"], found, right, zlib.crc32(gold[0].encode()) % _FOLDS)


def is_right(question: Mapping[str, Any], unit: Unit, files: set[str]) -> bool:
    """Whether a unit stands on a gold page and holds an accepted answer, in a row also as number and unit apart."""
    pages = {*unit.segment.pages, unit.segment.page}
    gold = [one for item in question["gold"] for one in (item, *item.get("also", ()))]
    if not any(item["file"].split("/")[-1] in files and item["page"] in pages for item in gold):
        return False
    return any(_says(unit, wording) for wording in (question["answer"], *question.get("accept", ())))


def _says(unit: Unit, wording: str) -> bool:
    text = _packed(f"{unit.shown} | {unit.text}")
    if _stands(_packed(wording), text):
        return True
    apart = re.fullmatch(r"([-+±]?\s?\d[\d.,]*)\s*(\S{1,6})", wording.strip())
    return bool(apart and unit.is_row and _stands(_packed(apart[1]), text) and _packed(apart[2]) in text)


def _stands(wanted: str, text: str) -> bool:
    before = r"(?<![\d.])" if wanted[:1].isdigit() else ""
    return bool(wanted) and re.search(before + re.escape(wanted) + r"(?!\d)", text) is not None


def _packed(text: str) -> str:
    return re.sub(r"[\s,]+", "", fold_case(text))


# --- fitting ----------------------------------------------------------------------------------------------------------


def fit(cases: Sequence[Case], names: Sequence[str]) -> Weights:
    """Ridge logistic regression; signs whose weight comes out against their meaning are left out and it is refitted."""
    kept = list(names)
    while True:
        weights = _newton(cases, kept)
        wrong = [name for name in kept if weights[name] * (1 if name in POSITIVE else -1) < 0]
        if not wrong:
            return {name: round(weights.get(name, 0.0), 3) for name in (*names, "bias")}
        worst = max(wrong, key=lambda name: abs(weights[name]))
        kept.remove(worst)


def _newton(cases: Sequence[Case], names: Sequence[str], rounds: int = 40) -> Weights:
    rows = np.array([[one[name] for name in names] for case in cases for one in case.signs])
    right = np.array([float(mark) for case in cases for mark in case.right])
    weight = np.concatenate([_weights_of(case) for case in cases])
    centre, scale = rows.mean(0), rows.std(0) + 1e-9
    design = np.c_[(rows - centre) / scale, np.ones(len(rows))]
    ridge = np.eye(design.shape[1]) * _RIDGE
    ridge[-1, -1] = 1e-6
    found = np.zeros(design.shape[1])
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-design @ found))
        slope = design.T @ (weight * (chance - right)) + ridge @ found
        curve = (design * (weight * chance * (1 - chance))[:, None]).T @ design + ridge
        found -= np.linalg.solve(curve, slope)
    plain = found[:-1] / scale
    return {**dict(zip(names, plain.tolist())), "bias": float(found[-1] - (plain * centre).sum())}


def _weights_of(case: Case) -> np.ndarray[Any, np.dtype[np.float64]]:
    hits = sum(case.right)
    misses = len(case.right) - hits
    return np.array([1 / hits if mark else min(1.0, _WRONG_WEIGHT / misses) for mark in case.right])


def held_out(cases: Sequence[Case], names: Sequence[str]) -> Iterator[dict[str, object]]:
    """One line a threshold: right, wrong and withheld of the answerable, answered of the unanswerable."""
    tops: list[tuple[str, float, bool]] = []
    for fold in range(_FOLDS):
        judge = _scorer(fit([case for case in cases if case.fold != fold], names))
        for case in cases:
            if case.fold == fold:
                chances = [judge(one) for one in case.signs]
                best = int(np.argmax(chances))
                tops.append((case.kind, chances[best], case.right[best]))
    asked = [one for one in tops if one[0] != "unanswerable"]
    others = [one for one in tops if one[0] == "unanswerable"]
    for threshold in _THRESHOLDS:
        given = [one for one in asked if one[1] >= threshold]
        yield {
            "threshold": threshold,
            "answerable": len(asked),
            "right": sum(one[2] for one in given),
            "wrong": sum(not one[2] for one in given),
            "withheld": len(asked) - len(given),
            "unanswerable": len(others),
            "answered": sum(one[1] >= threshold for one in others),
        }


def _scorer(weights: Weights) -> Callable[[Mapping[str, float]], float]:
    def score(found: Mapping[str, float]) -> float:
        logit = weights["bias"] + sum(weights[name] * found[name] for name in weights if name != "bias")
        return float(1 / (1 + np.exp(-logit)))

    return score


if __name__ == "__main__":
    main()
