"""Model abstracts: most used first, resumable, honest about failure, free of invention."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError
from engine.core.events import AbstractsWorded, Event
from engine.core.model import AbstractKind, AbstractState
from engine.core.ports import Completion, Message
from engine.grow import Grower
from engine.refine import Refiner
from engine.store.nodes import NodeStore
from tests.engine.library_case import LibraryCase


class ScriptedModel:
    """Implements LanguageModel; `script` makes the answer from the prompt."""

    model_id = "scripted"
    context_tokens = 4096

    def __init__(self, script: Callable[[str], str]) -> None:
        self.prompts: list[str] = []
        self._script = script

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def complete(self, messages: Sequence[Message], **_options: object) -> Completion:
        self.prompts.append(messages[-1].content)
        return Completion(self._script(messages[-1].content), 1, 1, 0.0)

    def close(self) -> None: ...


@pytest.fixture
def case(tmp_path: Path) -> Iterator[LibraryCase]:
    with LibraryCase(tmp_path) as opened:
        for n in range(12):
            opened.write(f"part{n}.md", f"# Part {n}\n\nThe power amplifier number {n} draws {n} mA.\n")
        opened.index()
        yield opened


@pytest.fixture
def nodes(case: LibraryCase) -> Iterator[NodeStore]:
    store = NodeStore(case.home / "tree", case.home / "tree.db")
    Grower(case.catalog, case.vectors, store).grow(CancelToken())
    yield store
    store.close()


def _refine(case: LibraryCase, nodes: NodeStore, script: Callable[[str], str], seconds: float = 60) -> ScriptedModel:
    model = ScriptedModel(script)
    Refiner(case.catalog, nodes, case.embedder, model).run(CancelToken(), seconds=seconds)
    return model


def test_invented_phrases_are_dropped(case: LibraryCase, nodes: NodeStore) -> None:
    _refine(case, nodes, lambda _: "power amplifier number, Zanzibar ZX9000, 42 GHz")
    worded = [node for node in nodes.grove().nodes if node.state is AbstractState.MODEL]
    assert worded
    assert all("ZX9000" not in node.abstract and "42" not in node.abstract for node in worded)
    assert any("power amplifier" in node.abstract for node in worded)


def test_what_is_worded_is_not_worded_again(case: LibraryCase, nodes: NodeStore) -> None:
    first = _refine(case, nodes, lambda _: "power amplifier number")
    again = _refine(case, nodes, lambda _: "power amplifier number")
    assert len(first.prompts) == len(nodes.grove().nodes)
    assert again.prompts == []


def test_the_most_used_node_comes_first_and_cancel_keeps_what_is_done(case: LibraryCase, nodes: NodeStore) -> None:
    lowest = min(nodes.grove().nodes, key=lambda node: (node.height, node.leaves))
    nodes.note_use([lowest.id])
    token = CancelToken()

    def once(_prompt: str) -> str:
        if token.cancelled:
            raise Cancelled
        token.cancel()
        return "power amplifier number"

    report = Refiner(case.catalog, nodes, case.embedder, ScriptedModel(once)).run(token, seconds=60)
    assert (report.worded, report.left) == (1, len(nodes.grove().nodes) - 1)
    assert {node.id for node in nodes.grove().nodes if node.state is AbstractState.MODEL} == {lowest.id}


def test_a_failure_is_a_state_and_the_counted_abstract_stays(case: LibraryCase, nodes: NodeStore) -> None:
    before = {node.id: node.abstract for node in nodes.grove().nodes}

    def broken(_prompt: str) -> str:
        raise KnownError("The model cannot be loaded.")

    _refine(case, nodes, broken)
    after = nodes.grove().nodes
    assert {node.state for node in after} == {AbstractState.FAILED}
    assert {node.id: node.abstract for node in after} == before


@pytest.mark.parametrize(
    "answer",
    ["They describe how the power amplifier draws 42 mA.", "They describe the Zanzibar ZX9000 converter."],
)
def test_a_sentence_that_says_what_was_not_shown_is_not_kept(case: LibraryCase, nodes: NodeStore, answer: str) -> None:
    before = {node.id: node.abstract for node in nodes.grove().nodes}
    model = ScriptedModel(lambda _: answer)
    report = Refiner(case.catalog, nodes, case.embedder, model).run(
        CancelToken(), seconds=60, kind=AbstractKind.SUMMATIVE
    )
    assert report.failed == len(before)
    assert {node.id: node.abstract for node in nodes.grove().nodes} == before


class Situation:
    """Implements Spare: there is time unless somebody asks."""

    def __init__(self) -> None:
        self.spare = True


def test_it_waits_without_spare_time_and_begins_the_node_again(case: LibraryCase, nodes: NodeStore) -> None:
    situation, seen = Situation(), list[AbstractsWorded]()

    def interrupted(_prompt: str) -> str:
        if len(model.prompts) == 1:
            situation.spare = False
            raise Cancelled
        return "power amplifier number"

    def listen(event: Event) -> None:
        assert isinstance(event, AbstractsWorded)
        seen.append(event)
        situation.spare = True

    model = ScriptedModel(interrupted)
    report = Refiner(case.catalog, nodes, case.embedder, model, spare=situation).run(
        CancelToken(), seconds=60, emit=listen
    )
    assert [event.waiting for event in seen] == [True, *[False] * report.worded]
    assert model.prompts[0] == model.prompts[1]
    assert report.left == 0


def test_the_model_sees_at_once_that_there_is_no_spare_time(case: LibraryCase, nodes: NodeStore) -> None:
    situation, stop = Situation(), CancelToken()
    tokens: list[CancelToken] = []

    class Watched(ScriptedModel):
        def complete(self, messages: Sequence[Message], **options: object) -> Completion:
            token = options["cancel"]
            assert isinstance(token, CancelToken)
            tokens.append(token)
            assert not token.cancelled
            situation.spare = False
            assert token.cancelled
            stop.cancel()
            raise Cancelled

    Refiner(case.catalog, nodes, case.embedder, Watched(str), spare=situation).run(stop, seconds=60)
    assert len(tokens) == 1
    assert all(node.state is AbstractState.STATISTICAL for node in nodes.grove().nodes)


def test_a_node_that_went_stale_meanwhile_is_not_written(case: LibraryCase, nodes: NodeStore) -> None:
    def deleted_under_its_hands(_prompt: str) -> str:
        (case.docs / "part3.md").unlink(missing_ok=True)
        case.index()
        return "power amplifier number"

    _refine(case, nodes, deleted_under_its_hands)
    assert all(node.state is AbstractState.STATISTICAL for node in nodes.grove().nodes)


def test_the_library_is_held_only_while_a_node_is_written(case: LibraryCase, nodes: NodeStore) -> None:
    holding = False

    @contextmanager
    def writing() -> Iterator[None]:
        nonlocal holding
        holding = True
        yield
        holding = False

    def free(_prompt: str) -> str:
        assert not holding
        return "power amplifier number"

    Refiner(case.catalog, nodes, case.embedder, ScriptedModel(free), writing=writing).run(CancelToken(), seconds=60)
    assert any(node.state is AbstractState.MODEL for node in nodes.grove().nodes)
