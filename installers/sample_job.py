"""The main job on the sample library, through the real command line: index it, ask it, show answers with citations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine.core.errors import KnownError
from installers.console import Console
from installers.environment import Environment

_FOLDER = Path(__file__).resolve().parent.parent / "resources" / "sample_library"
_KINDS = ("table", "direct_fact", "comparison")


class SampleJob:
    """Drives `python -m engine` in the environment."""

    NAME = "sample"

    def __init__(self, environment: Environment, console: Console) -> None:
        self._environment = environment
        self._console = console

    def add_library(self) -> None:
        """Watch the sample folder of this checkout under the name "sample", unless that is so already."""
        known = {one["name"]: one["folders"] for one in self._sheaf("library", "list")["libraries"]}
        if known.get(self.NAME) == [str(_FOLDER)]:
            return
        if self.NAME in known:
            self._sheaf("library", "remove", self.NAME)
        self._sheaf("library", "add", self.NAME, str(_FOLDER))

    def index(self) -> None:
        report = self._sheaf("index", self.NAME)
        self._console.say(
            f"\nThe sample library: {report['documents']} documents, {report['pages']} pages, "
            f"{report['segments']} passages ({report['added']} new, {report['seconds']:.1f} s)"
        )
        for problem in (*report["needs_ocr"], *report["skipped"], *report["failed"]):
            self._console.say(f"  {problem['file']}: {problem['reason']}")

    def answer(self, model: str = "") -> bool:
        """Ask the sample questions and print the answers; False if not one of them came with a citation."""
        cited = False
        self._console.say(f"\nAnswers by {model or 'quoting'}:")
        for question in sample_questions(_FOLDER / "questions.jsonl"):
            chosen = ("--model", model) if model else ("--quoted",)
            answer = self._sheaf("ask", self.NAME, question, *chosen)
            cited = cited or bool(answer["citations"])
            self._show(question, answer)
        return cited

    def _show(self, question: str, answer: dict[str, Any]) -> None:
        say = self._console.say
        say(f"\nQ: {question}")
        for sentence in answer["sentences"] or [{"text": answer["answer"], "citations": []}]:
            say(f"A: {sentence['text']} {''.join(f'[{n}]' for n in sentence['citations'])}".rstrip())
        for citation in answer["citations"]:
            path = " > ".join(citation["path"])
            say(f"   [{citation['n']}] {citation['file']}, page {citation['page']}{f', {path}' if path else ''}")
            say(f"       \u201c{' '.join(citation['quote'].split())}\u201d")

    def _sheaf(self, *arguments: str) -> dict[str, Any]:
        """Run one command with --json; its progress goes to the terminal. Raises KnownError with its sentence."""
        progress = None if sys.stderr.isatty() else subprocess.PIPE
        done = subprocess.run(
            [self._environment.python, "-m", "engine", "--json", *arguments],
            cwd=_FOLDER.parent.parent,
            env=self._environment.variables(),
            stdout=subprocess.PIPE,
            stderr=progress,
            text=True,
            encoding="utf-8",
            check=False,
        )
        self._console.end_progress()
        try:
            result = json.loads(done.stdout)
        except ValueError:
            result = {"error": {"message": (done.stderr or "").strip() or "It printed no result.", "help": ""}}
        if "error" in result:
            problem = result["error"]
            raise KnownError(f"sheaf {arguments[0]}: {problem['message']}", help=problem["help"], code="sheaf")
        if not isinstance(result, dict):
            raise KnownError(f"sheaf {arguments[0]} printed no object.", code="sheaf")
        return result


def sample_questions(path: Path) -> list[str]:
    """The first question of each of the kinds shown, from the sample library's question file."""
    chosen: dict[str, str] = {}
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            entry = json.loads(line)
            chosen.setdefault(entry["type"], entry["question"])
    return [chosen[kind] for kind in _KINDS]
