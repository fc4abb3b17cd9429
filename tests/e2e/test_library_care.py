"""A library over time, on the real engine: what a change would re-do is told first, a cancelled one leaves the old
index, and all that a user made of it travels with an export."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import resources
from engine.api import Engine
from engine.core import preflight
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError, UsageError
from engine.core.events import Event, IndexProgress, Noted
from engine.core.lock import FileLock
from engine.core.model import OutlineEntry
from engine.core.results import Route
from engine.embed.cache import CachedEmbedder
from engine.machinery import Machinery
from tests.engine.ingest_fakes import HashEmbedder

NAME = "sample"
QUERY = "nonvolatile memory writes of the SHT1621"


def files(engine: Engine, query: str = QUERY, route: Route = Route.HYBRID) -> list[str]:
    return [hit.places[0].file for hit in engine.search(NAME, query, k=5, route=route).hits]


def test_a_change_of_settings_says_what_it_does_before_it_is_made(engine: Engine) -> None:
    assert engine.forecast(NAME).text == ""
    fewer = engine.forecast(NAME, {"index.kinds": ("pdf",)})
    assert (fewer.documents, fewer.leaving) == (0, 2)
    assert fewer.text.startswith("2 documents leave the library")
    assert engine.forecast(NAME, {"index.exclude": ("notes",)}).leaving == 5
    assert engine.forecast(NAME, {"index.cpu_share": 50, "index.on_battery": False, "index.workers": 1}).text == ""


def test_a_new_reader_is_announced_and_a_cancelled_run_leaves_what_was(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.session.PARSED_VERSION", "next")
    ahead = engine.forecast(NAME)
    assert (ahead.documents, ahead.passages) == (len(engine.documents(NAME)), 0)
    before, events, cancel = files(engine), list[Event](), CancelToken()

    def follow(event: Event) -> None:
        events.append(event)
        if isinstance(event, IndexProgress) and event.stage == "parse":
            cancel.cancel()

    with pytest.raises(Cancelled):
        engine.index(NAME, emit=follow, cancel=cancel)
    assert events[0] == Noted(ahead.text)
    assert files(engine) == before


def test_the_old_index_serves_while_another_model_is_followed_and_after_it_was_cancelled(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dense = files(engine, route=Route.DENSE)
    passages = sum(one.segments for one in engine.documents(NAME))
    other = CachedEmbedder(HashEmbedder("other:2", 48), tmp_path / "other.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machinery, "embedder", lambda _: other)
        assert engine.forecast(NAME).passages == passages
        assert "serves until that is complete" in engine.forecast(NAME).text
        cancel, served = CancelToken(), list[list[str]]()

        def follow(event: Event) -> None:
            if isinstance(event, IndexProgress) and event.stage == "embed" and event.done >= 5 and not served:
                served.append(files(engine))
                cancel.cancel()

        with pytest.raises(Cancelled):
            engine.index(NAME, emit=follow, cancel=cancel)
        assert served[0][0] == "thermometers/SHT1621.pdf"
        assert files(engine)[0] == "thermometers/SHT1621.pdf"
    assert files(engine, route=Route.DENSE) == dense
    assert engine.forecast(NAME).text == ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machinery, "embedder", lambda _: other)
        engine.index(NAME)
        assert engine.forecast(NAME).text == ""
        assert files(engine, "SHT1621 nonvolatile memory", Route.DENSE)
    other.close()


def test_a_users_own_words_are_searched_computed_with_exported_and_forgotten(engine: Engine, tmp_path: Path) -> None:
    unknown, meant = engine.find(NAME, "zorkage max > 1 nV"), engine.find(NAME, "input offset voltage max > 1 nV")
    assert unknown.rows != meant.rows
    engine.lexicon.put("zorkage", "input offset voltage", NAME)
    engine.lexicon.put("thinggy", "SHF317")
    assert engine.find(NAME, "zorkage max > 1 nV").rows == meant.rows
    for name in ("thinggy", "SHF317"):
        assert files(engine, f"adjustment pin current of the {name}")[0] == "shf317.pdf"
    asked = "What is the maximum {} of the SHA90?"
    mine, theirs = (engine.ask(NAME, asked.format(name), quoted=True) for name in ("zorkage", "input offset voltage"))
    assert (mine.question, mine.short) == (asked.format("zorkage"), theirs.short)
    engine.export_library(NAME, tmp_path / "sample.sheaf")
    with Engine.open(tmp_path / "other home") as there:
        there.import_library("theirs", tmp_path / "sample.sheaf", [resources.sample_library()])
        taken = there.lexicon.synonyms("theirs")
        assert [(one.term, one.meaning) for one in taken] == [("zorkage", "input offset voltage")]
        there.remove_library("theirs")
        assert there.lexicon.synonyms("theirs") == []
    engine.lexicon.drop("Zorkage", NAME)
    assert engine.find(NAME, "zorkage max > 1 nV").rows == unknown.rows
    with pytest.raises(UsageError):
        engine.lexicon.drop("zorkage", NAME)


def test_an_export_takes_corrections_and_threads_along_to_other_folders(engine: Engine, tmp_path: Path) -> None:
    first = engine.ask(NAME, "How many writes does the nonvolatile memory of the SHT1621 bear?", quoted=True)
    second = engine.ask(NAME, "And which bus does it use?", quoted=True, thread=first.id)
    document = engine.documents(NAME)[0]
    engine.set_outline(NAME, document.id, [OutlineEntry("Only heading", 1, 1, None)])
    engine.index(NAME)
    engine.export_library(NAME, tmp_path / "sample.sheaf")
    folder = tmp_path / "elsewhere" / "papers"
    shutil.copytree(resources.sample_library(), folder)
    with Engine.open(tmp_path / "other home") as there:
        there.import_library("taken over", tmp_path / "sample.sheaf", [folder])
        assert [one.id for one in there.answers("taken over")] == [second.id, first.id]
        kept = there.answer(first.id)
        assert (kept.library, kept.text) == ("taken over", first.text)
        assert {one.place.folder for one in kept.citations} == {str(folder)}
        assert there.search("taken over", QUERY, k=1).hits[0].places[0].folder == str(folder)
        events: list[Event] = []
        report = there.index("taken over", emit=events.append)
        assert (report.added, report.removed, report.changed) == (0, 0, 0)
        assert not [one for one in events if isinstance(one, IndexProgress) and one.stage == "parse"]
        segments = there.search("taken over", "Only heading", k=20).hits
        assert any(hit.segment.path == ("Only heading",) for hit in segments if hit.segment.document == document.id)


def test_watching_can_be_switched_off(engine: Engine) -> None:
    engine.set_setting("watch.enabled", False)
    events: list[Event] = []
    engine.watch(NAME, emit=events.append, cancel=CancelToken())  # returns at once
    assert [type(one) for one in events] == [Noted]


def test_a_place_that_cannot_hold_an_index_is_refused_when_a_library_is_made_and_when_it_is_indexed(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FileLock, "try_acquire", lambda _: True)  # a file system on which locks have no effect
    for attempt in (lambda: engine.add_library("more", [tmp_path]), lambda: engine.index(NAME)):
        with pytest.raises(KnownError, match="keeps no locks") as raised:
            attempt()
        assert "--home" in raised.value.help
    assert [one.name for one in engine.libraries()] == [NAME]
    assert files(engine)


def test_a_share_is_named_once_and_used_all_the_same(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "is_network", lambda _: True)
    events: list[Event] = []
    engine.index(NAME, emit=events.append)
    engine.index(NAME, emit=events.append)
    assert [one.text.startswith("The index lies on a network share") for one in events if isinstance(one, Noted)] == [
        True
    ]
