"""Tries every component once, by really using it on something tiny: the composer behind `sheaf doctor`.

What runs native code runs in a child process, so that a crash there is a line of the report and not its end.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.cancel import CancelToken
from engine.core.child import Child, Handler
from engine.core.errors import BugError, KnownError, SheafError
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import ParsedDocument, Segment, SegmentKind
from engine.core.paths import Home
from engine.core.ports import Message, Visible
from engine.core.preflight import preflight
from engine.core.results import Component, Health
from engine.core.secrets import key_store_problem
from engine.models.store import ModelInfo, ModelStore
from engine.models.verify import ModelState
from engine.parse.host import ParserHost

_SECONDS = 120.0
_PART, _LIMIT = "XQ317-N", "2.7"
_TEXTS = (
    f"The {_PART} is an adjustable regulator with a reference of 1.25 V.",
    "Store the reels in a dry place and bake them before soldering.",
)
_QUESTION = "Which voltage regulator can be adjusted?"


class _Off(Exception):
    """The component is switched off, for a reason that is nobody's fault."""


def check(home: Home) -> list[Component]:
    """One component a line: works, is off with a reason, or failed with what to do."""
    models = ModelStore(home.models)
    probe = Child("doctor", _probe_worker)
    with tempfile.TemporaryDirectory(prefix="sheaf-doctor-") as scratch:
        folder = Path(scratch)
        parsed = _Once(lambda: _parse(folder))
        trials: tuple[tuple[str, Callable[[], str]], ...] = (
            ("PDF", lambda: _check_text(parsed.get())),
            ("table", lambda: _check_table(parsed.get())),
            ("embedder", lambda: _ask(probe, ("embedder", str(_embedder(models))))),
            ("vectors", lambda: _ask(probe, ("vectors", scratch))),
            ("keyword index", lambda: _ask(probe, ("keywords", scratch))),
            ("model", lambda: _check_model(models)),
            ("key store", _check_key_store),
            ("child process", lambda: _check_child(probe)),
            ("index location", lambda: " ".join(preflight(home.libraries))),
        )
        try:
            return [_try(name, trial) for name, trial in trials]
        finally:
            probe.close()


def _try(name: str, trial: Callable[[], str]) -> Component:
    try:
        return Component(name, Health.OK, trial())
    except _Off as reason:
        return Component(name, Health.OFF, str(reason))
    except KnownError as error:
        return Component(name, Health.FAILED, f"{error.message} {error.help}".strip())
    except (SheafError, OSError, ImportError) as error:
        return Component(name, Health.FAILED, f"{type(error).__name__}: {error}")


@dataclass
class _Once:
    """A value made at its first use; a failure is made again, so that each component tells it."""

    make: Callable[[], ParsedDocument]
    value: ParsedDocument | None = None

    def get(self) -> ParsedDocument:
        if self.value is None:
            self.value = self.make()
        return self.value


# --- parsing ----------------------------------------------------------------------------------------------------------


def _parse(folder: Path) -> ParsedDocument:
    path = folder / "page.pdf"
    path.write_bytes(tiny_pdf())
    host = ParserHost(workers=1)
    try:
        return host.parse(path, cancel=CancelToken())
    finally:
        host.close()


def _check_text(parsed: ParsedDocument) -> str:
    if len(parsed.pages) != 1 or not any(_PART in block.text for block in parsed.blocks):
        raise BugError("the text of a page did not come back")
    return ""


def _check_table(parsed: ParsedDocument) -> str:
    cells = [cell.text for table in parsed.tables for row in table.rows for cell in row.cells]
    if _LIMIT not in cells:
        raise BugError("the table of a page was not recognised")
    return ""


def tiny_pdf() -> bytes:
    """A page with a sentence and a ruled limit table, written by hand so that no PDF library makes what it reads."""
    rows = (
        ("Parameter", "MIN", "MAX", "Unit"),
        ("Supply voltage", _LIMIT, "5.5", "V"),
        ("Output current", "", "20", "mA"),
    )
    columns, top, height = (72, 240, 300, 360, 430), 640, 22
    lines = [f"{x} {top} m {x} {top - height * len(rows)} l S" for x in columns]
    lines += [f"72 {top - height * i} m 430 {top - height * i} l S" for i in range(len(rows) + 1)]
    words = [(72, 700, f"The {_PART} runs from a single supply."), (72, 650, "Table 1. Operating conditions")]
    for i, row in enumerate(rows):
        words += [(x + 4, top - height * i - 15, text) for x, text in zip(columns, row, strict=False) if text]
    drawn = [f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in words]
    content = "\n".join([*lines, *drawn]).encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table) + end


# --- what is probed in a child ----------------------------------------------------------------------------------------


def _ask(probe: Child, request: tuple[str, str]) -> str:
    return str(probe.request(request, timeout=_SECONDS))


def _probe_worker() -> Handler:
    """Runs in the child: each request is a component's name and the folder it needs."""
    probes = {"embedder": _probe_embedder, "vectors": _probe_vectors, "keywords": _probe_keywords}

    def handle(request: Any, _report: Callable[[Any], None], _cancelled: Callable[[], bool]) -> Any:
        name, folder = request
        return os.getpid() if name == "pid" else probes[name](Path(folder))

    return handle


def _embedder(models: ModelStore) -> Path:
    return models.path(models.catalogue.with_role("embedder")[0].id)


def _probe_embedder(folder: Path) -> str:
    from engine.embed.batch import FastEmbedder

    embedder = FastEmbedder(folder)
    passages = embedder.embed_passages(_TEXTS)
    near, far = passages @ embedder.embed_query(_QUESTION)
    if passages.shape != (len(_TEXTS), embedder.dimension) or not near > far:
        raise BugError("the embedder finds the wrong passage nearest")
    return ""


def _probe_vectors(folder: Path) -> str:
    import numpy as np

    from engine.store.vectors import VectorStore

    segments = _segments()
    store = VectorStore(folder / "vectors", _Seen(segments, "doctor"))
    store.write("doctor", segments, np.eye(2, 8, dtype=np.float32), {segments[0].document: 1})
    found = store.search(np.eye(2, 8, dtype=np.float32)[1], 1)
    store.close()
    if [one.segment for one in found] != [segments[1].id]:
        raise BugError("a stored vector did not come back")
    return ""


def _probe_keywords(folder: Path) -> str:
    from engine.keyword.index import KeywordStore

    segments = _segments()
    store = KeywordStore(folder / "keywords", _Seen(segments, ""))
    store.write(segments, {segments[0].document: 1})
    found = store.search(_PART, 5)
    store.close()
    if [one.segment for one in found] != [segments[0].id]:
        raise BugError("an indexed part number was not found")
    return ""


@dataclass
class _Seen:
    """A catalogue of one document: implements ports.Visibility."""

    segments: tuple[Segment, ...]
    table: str

    def visible(self) -> Visible:
        document = self.segments[0].document
        return Visible(1, {document: 1}, {document: "doctor.txt"}, self.table)


def _segments() -> tuple[Segment, ...]:
    document = DocumentId("d" * 64)
    return tuple(
        Segment(SegmentId(f"{n:032x}"), document, n, SegmentKind.TEXT, "Doctor", (), text, text, 1, (1,))
        for n, text in enumerate(_TEXTS)
    )


# --- the rest ---------------------------------------------------------------------------------------------------------


def _check_model(models: ModelStore) -> str:
    """Load a model that is here and let it say one word."""
    from engine.llm.host import LlamaModel

    if importlib.util.find_spec("llama_cpp") is None:
        raise _Off("llama-cpp-python is not installed; answers are quoted and computed")
    info = _a_model(models.list())
    model = LlamaModel(info.path, info.id)
    try:
        warning = model.check()
        said = model.complete([Message("user", "Say yes.")], grammar='root ::= "yes"', max_tokens=4)
    finally:
        model.close()
    if said.text.strip() != "yes":
        raise BugError(f"{info.id} does not keep to a grammar")
    return warning or info.id


def _a_model(found: tuple[ModelInfo, ...]) -> ModelInfo:
    for state, role in ((ModelState.OK, "answering"), (ModelState.DAMAGED, "answering"), (ModelState.OK, "test")):
        for info in found:
            if info.state is state and info.role == role:
                if state is ModelState.DAMAGED:
                    raise KnownError(f"The model {info.id} is damaged.", help=f"Mend it: sheaf models fetch {info.id}.")
                return info
    raise _Off("no model chosen; fetch one with: sheaf models fetch standard")


def _check_key_store() -> str:
    if problem := key_store_problem():
        raise _Off(problem)
    return ""


def _check_child(probe: Child) -> str:
    """A child answers, and ends when it is told to."""
    pid = int(probe.request(("pid", ""), timeout=_SECONDS))
    if pid == os.getpid():
        raise BugError("the child process is this process")
    probe.close()
    if probe.alive:
        raise BugError("the child process did not end")
    return ""
