"""Table and comparison questions three ways in one run: by records, by the whole program, and the plain way, which is
the right page in the model's prompt."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.core.ports import LanguageModel, Message
from engine.evaluate.metrics import wilson
from engine.llm.host import LlamaModel
from engine.parameters.compute import answer_from_records
from engine.parameters.results import SURE
from tests.benchmarks.answers import says
from tests.benchmarks.parameters_questions import questions_of, sheets_folder

_KINDS = ("table", "comparison")
_ANSWER_TOKENS = 80
_PLAIN = (
    "Answer the question from the data sheet pages only, in one short phrase with the unit. "
    "If they do not say, answer: not mentioned."
)
Way = Callable[[Mapping[str, Any]], str]


def pages_benchmark(home: Path, library: str, model: str, most: int, split: str) -> None:
    """Print a line for each way, set and type. `most` questions of each set; 0 for all."""
    folder = sheets_folder()
    chosen: dict[str, list[dict[str, object]]] = defaultdict(list)
    for name, question in questions_of(folder, split or "dev"):
        if question["type"] in _KINDS and (not most or len(chosen[name]) < most):
            chosen[name].append(question)
    with Engine.open(home) as engine:
        language = LlamaModel(engine.models.path(engine.models.info(model).id), model) if model else None
        try:
            for way, answer in _ways(engine, library, language, model).items():
                for name, questions in chosen.items():
                    _run(way, name, questions, answer)
        finally:
            if language is not None:
                language.close()


def _ways(engine: Engine, library: str, language: LanguageModel | None, model: str) -> dict[str, Way]:
    session = engine._session(library)
    documents = session.documents()
    files = {place.file: document for document in documents for place in document.places}

    def by_records(question: Mapping[str, Any]) -> str:
        text = str(question["question"])
        found = answer_from_records(text, session.records, documents, page_text=session._first_page)
        return found.short if found is not None and found.confidence >= SURE and found.alternatives == 1 else ""

    def whole(question: Mapping[str, Any]) -> str:
        return engine.ask(library, question["question"], quoted=True).short

    def with_model(question: Mapping[str, Any]) -> str:
        return engine.ask(library, question["question"], model=model).short

    def plain(question: Mapping[str, Any]) -> str:
        assert language is not None
        pages = []
        for gold in question["gold"]:
            document = files[gold["file"]]
            page = engine.page(library, document.id, gold["page"])
            pages.append(f"{document.title or gold['file']}, page {gold['page']}:\n{page.text if page else ''}")
        text = "\n\n".join(dict.fromkeys(pages))
        prompt = f"{text}\n\nQuestion: {question['question']}"
        done = language.complete([Message("system", _PLAIN), Message("user", prompt)], max_tokens=_ANSWER_TOKENS)
        return done.text

    ways: dict[str, Way] = {"records alone": by_records, "program, no model": whole}
    return {**ways, f"page in the prompt, {model}": plain, f"program, {model}": with_model} if language else ways


def _run(way: str, name: str, questions: Sequence[dict[str, Any]], answer: Way) -> None:
    right: dict[str, list[bool]] = defaultdict(list)
    seconds = 0.0
    for question in questions:
        started = time.perf_counter()
        said = answer(question)
        seconds += time.perf_counter() - started
        good = _right(question, said)
        right[question["type"]].append(good)
        if not good:
            print(f"{way}: {question['id']}: {said[:80]!r} for {question['answer']!r}", file=sys.stderr, flush=True)
    right["both"] = [mark for kind in right.values() for mark in kind]
    for kind, marks in right.items():
        share = wilson(sum(marks), len(marks))
        figures = {"benchmark": "parameters.pages", "way": way, "set": name, "type": kind, "questions": len(marks)}
        interval = [round(share.low, 3), round(share.high, 3)]
        print(json.dumps({**figures, "accuracy": round(share.value, 3), "interval": interval}), flush=True)
    each = round(seconds / max(1, len(questions)), 2)
    print(json.dumps({"benchmark": "parameters.pages.seconds", "way": way, "set": name, "mean": each}), flush=True)


def _right(question: Mapping[str, Any], said: str) -> bool:
    parts = question.get("parts")
    wordings = [question["answer"], *question["accept"]]
    return bool(said) and (all(says(said, one) for one in parts) if parts else any(says(said, one) for one in wordings))
