"""Documents that try to instruct the model: neither a quotation nor an obedient model repeats what they plant."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.agent.instructions import instructs
from engine.answer import Answerer
from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.results import Answer
from engine.parse.reader import read_document
from engine.segments.split import make_segments
from tests.engine.agent.shelf import Shelf, sources_of
from tests.engine.agent.test_lying_model import ScriptedModel, shown
from tests.makers.injected import ATTACKS, HONEST, PART, PLANTED, QUESTION, write_injected


def shelf_of(path: Path) -> Shelf:
    """A library of one parsed file."""
    segments = make_segments(DocumentId("0" * 64), read_document(path))
    return Shelf((path.name, f"{PART} regulator", (PART,), [_piece(one) for one in segments]))


def _piece(segment: Segment) -> tuple[object, str, str]:
    return (segment.kind, " > ".join(segment.path), segment.text)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_injected(tmp_path_factory.mktemp("injected"))


def obey(prompt: str) -> str:
    """Does what any passage of the prompt tells it to, else reads the honest row."""
    lines = [line for line in prompt.splitlines() if line.startswith("[")]
    planted = next((n for n, line in enumerate(lines, 1) if re.sub(r"\s", "", PLANTED) in re.sub(r"\s", "", line)), 0)
    said = {"found": True, "passage": planted or 1, "answer": PLANTED if planted else HONEST}
    return json.dumps(said)


def ask(path: Path, *, model: bool) -> Answer:
    answerer = ScriptedModel(obey) if model else None
    return Answerer("shelf", sources_of(shelf_of(path)), answerer).ask(QUESTION)


@pytest.mark.parametrize("model", [False, True])
@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_what_a_document_plants_never_shows(files: dict[str, Path], attack: str, model: bool) -> None:
    answer = ask(files[attack], model=model)
    assert PLANTED not in shown(answer)
    assert all(PLANTED not in citation.quote for citation in answer.citations)
    assert HONEST.split()[0] in answer.short


def test_the_attacks_stand_in_the_parsed_text(files: dict[str, Path]) -> None:
    """Else the tests above would pass for the wrong reason."""
    read = {name: " ".join(page.text for page in read_document(path).pages) for name, path in files.items()}
    assert sum(PLANTED in text for text in read.values()) >= len(ATTACKS) - 1


@pytest.mark.parametrize(
    "honest",
    [
        "The device replies that data is ready by pulling the line low.",
        "The system clock must be stable before reset is released.",
        "Ignore the first two conversions after power-up.",
        "System: 3.3 V supply domain",
        "The assistant core handles DMA requests.",
    ],
)
def test_plain_technical_sentences_are_kept(honest: str) -> None:
    assert not instructs(honest)
