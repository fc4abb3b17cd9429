"""Abstracts as context: the nearest parts of a library, never stale ones, and counted as used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.agent.draft import Notes
from engine.agent.overview import answer_overview
from engine.agent.question import understand
from engine.agent.sources import Sources
from engine.core.cancel import CancelToken
from engine.core.events import ignore
from engine.grow import CurrentTree, Grower
from engine.links.mentions import MentionIndex
from engine.retrieve.retriever import Retriever
from engine.retrieve.tree_search import TreeSearch
from engine.stages import Linked
from engine.store.ledger import library_database
from engine.store.names import NameStore
from engine.store.nodes import NodeStore
from engine.topics import TreeTopics
from tests.engine.library_case import LibraryCase

_COOLING = "# Cooling note {n}\n\nHeatsink cooling: heatsink {n} should be cooled by air, and cooling needs a fan.\n"
_FILTER = "# Filter note {n}\n\nLowpass filter {n} removes ripple and noise with a capacitor.\n"


@pytest.fixture
def case(tmp_path: Path) -> Iterator[LibraryCase]:
    names = NameStore(library_database(tmp_path / "home"))
    with LibraryCase(tmp_path, extensions=(Linked(names),)) as opened:
        for n in range(1, 7):
            opened.write(f"cooling{n}.md", _COOLING.format(n=n))
            opened.write(f"filter{n}.md", _FILTER.format(n=n))
        opened.index()
        yield opened
    names.close()


@pytest.fixture
def nodes(case: LibraryCase) -> Iterator[NodeStore]:
    store = NodeStore(case.home / "tree", library_database(case.home))
    Grower(case.catalog, case.vectors, store).grow(CancelToken())
    yield store
    store.close()


def _topics(case: LibraryCase, nodes: NodeStore) -> TreeTopics:
    tree = CurrentTree(case.catalog, nodes)
    return TreeTopics(tree, TreeSearch(tree, case.vectors, case.catalog), nodes, case.catalog, case.embedder)


def test_the_nearest_part_is_found_and_its_use_is_counted(case: LibraryCase, nodes: NodeStore) -> None:
    found = _topics(case, nodes).topics("heatsink cooling fan", 2)
    files = {case.catalog.places(document)[0].file for document in found[0].documents}
    assert files
    assert all(file.startswith("cooling") for file in files)
    assert sum(nodes.uses().values()) == len(found)


def test_what_is_stale_is_no_topic(case: LibraryCase, nodes: NodeStore) -> None:
    for n in range(1, 7):
        (case.docs / f"cooling{n}.md").unlink()
    case.index()
    assert all("cooling" not in topic.abstract for topic in _topics(case, nodes).topics("heatsink cooling fan", 3))


def test_an_overview_looks_where_abstracts_point(case: LibraryCase, nodes: NodeStore) -> None:
    names = NameStore(library_database(case.home))
    mentions = MentionIndex(names)
    retriever = Retriever(case.vectors, case.keyword, case.catalog, mentions, case.embedder)
    question = understand("Summarise what is said about heatsink cooling.")
    sources = Sources(retriever, case.catalog, mentions, abstracts=_topics(case, nodes))
    notes = Notes(ignore)
    draft = answer_overview(question, sources, notes, CancelToken(), "")
    told = [step for step in notes.steps if step.action == "abstract"]
    assert told
    assert any("cooling" in step.query for step in told)
    cited = {citation.place.file for citation in draft.citations}
    assert cited
    assert all(file.startswith("cooling") for file in cited)
    names.close()
