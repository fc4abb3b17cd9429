"""Mention links and the names a question uses, resolved over the gazetteer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ids import DocumentId
from engine.core.ports import NameMatch
from engine.links.mentions import MentionIndex
from tests.engine.retrieve.memory import MemoryLibrary


def library() -> MemoryLibrary:
    shelf = MemoryLibrary()
    shelf.add("West of Shanghai", ("", "West of Shanghai is a film directed by John Farrow. It is long."))
    shelf.add("John Farrow (director)", ("", "John Farrow was a director."))
    shelf.add("Princess (film)", ("", "Princess is a film."))
    shelf.add("LM337 regulator", ("", "Negative regulator, complement of the LM317-N."), parts=["LM337"])
    shelf.add("LM317 regulator", ("", "Adjustable."), parts=["LM317", "LM317-N"])
    shelf.add("LPC2141/42/44/46/48 data sheet", ("", "Core."), parts=["LPC2141", "LPC2142", "LPC2148"])
    shelf.add("DS32x35 clock", ("", "With a crystal inside."), parts=["DS32x35"])
    shelf.add("OP90 amplifier", ("", "Precision."), parts=["OP90"])
    shelf.add("Court", ("", "The wife of Princess Irina met John Farrow Smith and princess things."))
    return shelf


def index(shelf: MemoryLibrary) -> MentionIndex:
    return MentionIndex(shelf)


def targets(shelf: MemoryLibrary, title: str) -> dict[str, str]:
    segments = [segment for segment in shelf.all.values() if segment.title == title]
    return {shelf.infos[m.target].title: m.entry for m in index(shelf).mentions_in(segments)}


def named(question: str) -> list[tuple[str, str, bool]]:
    shelf = library()
    matches: list[NameMatch] = index(shelf).names_in(question)
    return [(match.text, shelf.infos[match.entry.document].title, match.exact) for match in matches]


def test_a_mention_leads_to_the_document_of_that_name() -> None:
    assert targets(library(), "West of Shanghai") == {"John Farrow (director)": "John Farrow"}


def test_a_part_is_mentioned_whatever_its_spelling() -> None:
    assert targets(library(), "LM337 regulator") == {"LM317 regulator": "LM317-N"}


def test_the_context_is_the_sentence() -> None:
    shelf = library()
    segments = [segment for segment in shelf.all.values() if segment.title == "West of Shanghai"]
    (mention,) = index(shelf).mentions_in(segments)
    assert mention.context == "West of Shanghai is a film directed by John Farrow."


def test_a_word_of_a_longer_name_is_no_mention() -> None:
    assert "Princess (film)" not in targets(library(), "Court")


def test_links_follow_what_is_in_the_library() -> None:
    shelf = library()
    gone = next(info.id for info in shelf.documents() if info.title.startswith("John"))
    shelf.remove(gone)
    assert targets(shelf, "West of Shanghai") == {}


def test_questions_name_documents_in_any_case() -> None:
    assert named("who directed west of shanghai?") == [("west of shanghai", "West of Shanghai", True)]
    assert named("Who made West Of Shanghai?") == [("West Of Shanghai", "West of Shanghai", True)]


def test_common_words_are_no_name_where_capitals_tell() -> None:
    assert named("Is the west of shanghai in China?") == []


def test_related_spellings() -> None:
    assert named("lm317n dropout") == [("lm317n", "LM317 regulator", True)]
    assert named("OP90G offset") == [("OP90G", "OP90 amplifier", False)]
    assert named("LPC2148FBD64 package") == [("LPC2148FBD64", "LPC2141/42/44/46/48 data sheet", False)]
    assert named("crystal of the LPC214x") == [("LPC214x", "LPC2141/42/44/46/48 data sheet", True)]
    assert named("crystal of the DS32C35") == [("DS32C35", "DS32x35 clock", False)]
    assert named("crystal of the DS32C3") == []


def test_a_longer_number_is_another_part() -> None:
    assert named("LM31 noise") == []
    assert named("LM3170 noise") == []


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=100))
def test_any_question_is_read(text: str) -> None:
    shelf = library()
    for match in index(shelf).names_in(text):
        assert match.text


@settings(max_examples=30, deadline=None)
@given(st.permutations(["Alpha Beta", "Gamma Delta", "Epsilon Zeta", "Eta Theta"]), st.integers(0, 3))
def test_links_do_not_depend_on_the_order_of_adding_and_removing(titles: list[str], removed: int) -> None:
    """The incremental index equals a fresh one (issue: mention index kept up to date incrementally)."""
    texts = {title: "See " + ", ".join(other for other in sorted(titles) if other != title) for title in titles}
    grown = MemoryLibrary()
    added = {title: grown.add(title, ("", texts[title])) for title in titles}
    grown.remove(added[titles[removed]])
    fresh = MemoryLibrary()
    for title in sorted(titles):
        if title != titles[removed]:
            fresh.add(title, ("", texts[title]))

    def links(shelf: MemoryLibrary) -> set[tuple[DocumentId, DocumentId, str]]:
        segments = list(shelf.all.values())
        return {(shelf.all[m.segment].document, m.target, m.entry) for m in index(shelf).mentions_in(segments)}

    assert links(grown) == links(fresh)
    assert len(links(grown)) == 6
