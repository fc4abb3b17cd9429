"""The retriever on a library small enough to know by heart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import UsageError
from engine.core.ids import SegmentId
from engine.core.model import SegmentKind
from engine.core.results import Route, SearchFilter
from engine.retrieve.fuse import Weights
from engine.retrieve.settings import RetrievalSettings
from tests.engine.retrieve.memory import MemoryLibrary


def look_alikes() -> MemoryLibrary:
    library = MemoryLibrary()
    for part, endurance, supply in (("AB89S51", "10,000", "4.0 V to 5.5 V"), ("AB89S52", "1000", "4.5 V to 5.5 V")):
        library.add(
            f"{part} 8-bit Microcontroller",
            ("Features", f"In-system programmable memory. Endurance: {endurance} write/erase cycles."),
            ("Operating Range", f"The operating voltage range is {supply}."),
            ("Timers", "Two timers and a watchdog."),
            parts=[part],
        )
    library.add(
        "AB89C51 8-bit Microcontroller",
        ("Features", "Not recommended for new designs. As the replacement use AB89S51."),
        ("Operating Range", "The operating voltage range is 4.75 V to 5.25 V."),
        parts=["AB89C51"],
    )
    library.add("Choosing a microcontroller", ("", "AB89S52 and AB89S52 again: endurance, endurance, AB89S52 cycles."))
    return library


def test_the_named_document_comes_before_its_look_alikes_and_before_mentions() -> None:
    result = look_alikes().retriever().search("What is the write/erase endurance of the AB89S52?")
    assert result.hits[0].segment.title.startswith("AB89S52")
    assert "1000" in result.hits[0].segment.text


@pytest.mark.parametrize("spelling", ["ab89s52", "AB89S-52", "89S52", "89s52", "AB 89S52"])
def test_spellings_of_a_part_find_its_document(spelling: str) -> None:
    result = look_alikes().retriever().search(f"endurance of {spelling}")
    assert result.hits[0].segment.title.startswith("AB89S52")


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("What is the endurance of the AB89S52?", 1),
        ("Which of the AB89S51 and the AB89S52 has the higher endurance?", 3),
    ],
)
def test_a_question_about_one_part_is_embedded_once(question: str, texts: int) -> None:
    library = look_alikes()
    library.retriever().search(question)
    assert len(library.embedder.queries) == texts


def test_a_table_comes_first_where_a_number_is_asked_for() -> None:
    library = MemoryLibrary()
    words = "Supply current maximum supply current of the device in sleep."
    library.add("AB77 Timer", ("Sleep", words), ("Limits", words), ("Ordering", "The supply of reels."), parts=["AB77"])
    question = "What is the maximum supply current of the AB77?"
    retriever = library.retriever(RetrievalSettings(per_page=0, weights=Weights(alpha=0.0, beta=1.0)))
    first, second, last = (hit.segment.id for hit in retriever.search(question).hits)
    library.all[second] = replace(library.all[second], kind=SegmentKind.TABLE)
    assert [hit.segment.id for hit in retriever.search(question).hits] == [second, first, last]
    assert [hit.segment.id for hit in retriever.search("supply current of the AB77").hits] == [first, second, last]


def test_a_comparison_keeps_places_for_every_named_part() -> None:
    question = "Which of the AB89S51, the AB89S52 and the AB89C51 has the highest endurance?"
    result = look_alikes().retriever().search(question, k=6)
    assert {hit.segment.title.split()[0] for hit in result.hits[:3]} == {"AB89S51", "AB89S52", "AB89C51"}


def test_a_link_leads_to_the_replacement() -> None:
    question = "The AB89C51 sheet says not recommended for new designs and names a replacement: its operating voltage?"
    hits = look_alikes().retriever().search(question, k=5).hits
    linked = [hit for hit in hits if hit.segment.title.startswith("AB89S51")]
    assert linked
    assert linked[0].segment.path[-1] == "Operating Range"
    assert linked[0].found_through == "AB89C51 8-bit Microcontroller -> AB89S51"


def test_without_links_nothing_is_found_through_one() -> None:
    hits = look_alikes().retriever(RetrievalSettings(links=False)).search("replacement of the AB89C51").hits
    assert all(hit.found_through == "" for hit in hits)


def test_every_hit_explains_itself() -> None:
    result = look_alikes().retriever().search("operating voltage of the AB89S51")
    first = result.hits[0]
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert {score.route for score in first.routes} == {"dense", "keyword"}
    assert "AB89S51" in first.matched
    assert "voltage" in first.matched
    assert first.page_label == "p2"
    assert first.places[0].file.startswith("AB89S51")
    assert result.explanation["subjects"]


def test_single_routes_rank_by_their_own_scores() -> None:
    retriever = look_alikes().retriever()
    for route in (Route.DENSE, Route.KEYWORD):
        hits = retriever.search("watchdog timers", route=route).hits
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert {score.route for hit in hits for score in hit.routes} == {route.value}


def test_filters_restrict_and_never_widen() -> None:
    library = look_alikes()
    other = library.add("AB89S52 errata", ("Timers", "The watchdog endurance note."), folder="errata")
    retriever = library.retriever()
    hits = retriever.search("AB89S51 endurance", chosen=SearchFilter(folders=("errata",))).hits
    assert {hit.segment.document for hit in hits} == {other}
    hits = retriever.search("AB89S51 endurance", chosen=SearchFilter(section="timers")).hits
    assert hits
    assert all("Timers" in hit.segment.path for hit in hits)
    hits = retriever.search("memory", chosen=SearchFilter(phrase="In-System  programmable")).hits
    assert len(hits) == 2
    assert retriever.search("endurance", chosen=SearchFilter(documents=(), folders=("none",))).hits == ()


def test_more_like_this_leaves_the_segment_itself_out() -> None:
    library = look_alikes()
    start = next(s for s in library.all.values() if s.title.startswith("AB89S51") and s.path[-1] == "Operating Range")
    hits = library.retriever().like(start.id, 3).hits
    assert hits[0].segment.path[-1] == "Operating Range"
    assert start.id not in {hit.segment.id for hit in hits}
    with pytest.raises(UsageError, match="no longer"):
        library.retriever().like(SegmentId("gone"))


def test_an_identifier_inside_another_one_is_not_it() -> None:
    library = MemoryLibrary()
    library.add("XT99C51 Microcontroller", ("Reset", "The XT99C51 is reset through a capacitor."), parts=["XT99C51"])
    library.add("Application note", ("Reset", "How parts of the C51 kind are reset through a capacitor."))
    found = library.retriever().search("capacitor for the reset of a C51", k=2)
    assert found.hits[0].segment.title == "Application note"


def test_a_prefix_stands_for_the_parts_that_begin_so_and_is_said() -> None:
    library = look_alikes()
    found = library.retriever().search("operating voltage range of AB89S*", k=4)
    assert {hit.segment.title.split()[0] for hit in found.hits[:2]} == {"AB89S51", "AB89S52"}
    assert found.warnings[0] == "AB89S* was searched as a prefix; it matched AB89S51, AB89S52."
    assert found.query == "operating voltage range of AB89S*"


def test_a_prefix_of_nothing_is_said_and_the_rest_is_searched() -> None:
    found = look_alikes().retriever().search("timers of the QX7*", k=2)
    assert found.warnings[0] == "QX7* was searched as a prefix: nothing in the library begins with QX7."
    assert found.hits[0].segment.path[-1] == "Timers"


@pytest.mark.parametrize("query", ["timers*", "**timers**", "timers * 2", "3*5 timers", "* timers", "AB89S51 *timers"])
def test_other_stars_are_only_text(query: str) -> None:
    assert not any("prefix" in warning for warning in look_alikes().retriever().search(query, k=2).warnings)


def test_a_part_nobody_knows_is_said() -> None:
    retriever = look_alikes().retriever()
    assert retriever.search("endurance of the ZX81000").warnings == ("Nothing was found that mentions ZX81000.",)
    assert retriever.search("endurance of the AB89S52").warnings == ()


def test_removing_a_document_removes_its_names_and_links() -> None:
    library = look_alikes()
    gone = next(info.id for info in library.documents() if info.title.startswith("AB89S51"))
    library.remove(gone)
    hits = library.retriever().search("The AB89C51 names a replacement: its operating voltage?").hits
    assert all(hit.segment.document != gone and not hit.found_through for hit in hits)


def test_a_page_does_not_fill_the_result() -> None:
    library = MemoryLibrary()
    for number in range(6):
        library.add(f"Note {number}", ("Gain", "The gain error of the amplifier is small."))
    hits = library.retriever(RetrievalSettings(per_page=1)).search("gain error", k=5).hits
    assert len({hit.segment.document for hit in hits}) == 5


def test_bad_k_is_the_callers_fault() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        look_alikes().retriever().search("x", k=0)


def test_empty_library_and_empty_query_find_nothing() -> None:
    assert MemoryLibrary().retriever().search("anything").hits == ()
    assert look_alikes().retriever().search("  ").hits == ()


LIBRARY = look_alikes()


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.sampled_from(list(Route)), st.integers(1, 20))
def test_no_text_can_raise(text: str, route: Route, k: int) -> None:
    hits = LIBRARY.retriever().search(text, k, route).hits
    assert len(hits) <= k
    assert len({hit.segment.id for hit in hits}) == len(hits)
