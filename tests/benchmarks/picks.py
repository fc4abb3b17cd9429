"""How sure a model is of what it picks, and how often it is right: the limits of engine/agent/opinion.py.

    python -m tests.benchmarks.picks --home HOME --library NAME --questions FILE.jsonl [...] [--model ID] [--most N]

Reads every question that one passage answers, and those that nothing answers, as the program does: the model is asked
only where code is neither sure nor hopeless. Prints a JSON line for each pick that stands in a passage, with its signs
and whether it is right; then, for a row of limits of `found` (how probable the model held it that there is an answer),
how many right and wrong picks, and how many of questions without an answer, are above it, apart for those that code
agrees with; and last what the limits in use let through.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.agent.evidence import gather
from engine.agent.model_reader import ModelReader
from engine.agent.opinion import Pick, believed
from engine.agent.question import understand
from engine.agent.spoken import with_known_names
from engine.agent.targets import resolve
from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.ports import LanguageModel
from tests.benchmarks.answers import accepted, says
from tests.benchmarks.fit_support import questions_of

_LIMITS = (0.6, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Picked:
    """What was picked for one question; `right` is None where nothing answers it."""

    question: str
    pick: Pick
    right: bool | None


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--model", default="standard")
    parser.add_argument("--most", type=int, default=0)
    chosen = parser.parse_args(arguments)
    questions = list(questions_of(chosen.questions))[: chosen.most or None]
    found: list[Picked] = []
    with Engine.open(chosen.home) as engine:
        session = engine._session(chosen.library)
        model = session._machinery.language_model(chosen.model)
        if model is None:
            parser.error(f"there is no model {chosen.model} here")
        for question in questions:
            picked = picked_for(question, session.sources(question["question"]), model)
            if picked is not None:
                found.append(picked)
                line = {"right": picked.right, **asdict(picked.pick), "question": picked.question}
                print(json.dumps(line), flush=True)
    for line in table(found, len(questions)):
        print(json.dumps(line))


def picked_for(question: Mapping[str, Any], sources: Any, model: LanguageModel) -> Picked | None:
    """What the model picks; None where it is not asked, finds nothing, or says what stands nowhere."""
    asked = understand(with_known_names(question["question"], sources.documents()))
    pool = gather(asked, sources, resolve(asked, sources.documents()))
    reader = ModelReader(sources, model)
    reader.read(asked, pool, CancelToken())
    if reader.picked is None:
        return None
    said = reader.picked.said
    right = None if question["type"] == "unanswerable" else any(says(said, one) for one in accepted(question))
    return Picked(question["question"], reader.picked, right)


def table(found: Sequence[Picked], questions: int) -> Iterator[dict[str, object]]:
    """The counts above each limit, and those of the limits in use."""
    for agreed in (False, True):
        group = [one for one in found if one.pick.agreed is agreed]
        for limit in _LIMITS:
            yield {"agreed": agreed, "found": limit, **counted([one for one in group if one.pick.found >= limit])}
    yield {"questions": questions, "picks": len(found), "in use": counted([one for one in found if believed(one.pick)])}


def counted(picks: Sequence[Picked]) -> dict[str, int]:
    """Right, wrong, and of questions that nothing answers."""
    return {
        "right": sum(one.right is True for one in picks),
        "wrong": sum(one.right is False for one in picks),
        "unanswerable": sum(one.right is None for one in picks),
    }


if __name__ == "__main__":
    main()
