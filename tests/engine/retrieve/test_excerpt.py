"""The cross-encoder reads the place of a passage and the part that shares most with the question."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.core.ids import DocumentId, segment_id
from engine.core.model import Segment, SegmentKind
from engine.retrieve.excerpt import excerpt

_FILLER = " ".join(f"filler{n}" for n in range(300))


def _segment(text: str, path: tuple[str, ...] = ("LM317", "Limits"), kind: SegmentKind = SegmentKind.TEXT) -> Segment:
    document = DocumentId("a" * 64)
    return Segment(segment_id(document, 1, 0, text), document, 0, kind, path[0], path, text, text, 1, (1,))


def test_a_short_passage_is_read_whole_behind_its_place() -> None:
    assert excerpt("anything", _segment("One sentence.")) == "LM317 > Limits\nOne sentence."


def test_the_part_that_holds_the_words_is_read_with_what_stands_before_it() -> None:
    text = f"{_FILLER} The regulator is rated so. The quiescent current is 5 mA. {_FILLER}"
    read = excerpt("Which quiescent currents has it?", _segment(text))
    assert "The regulator is rated so. The quiescent current is 5 mA." in read
    assert len(read) < len(text) / 4


def test_many_different_words_outweigh_one_that_comes_often() -> None:
    text = f"{'voltage ' * 40}{_FILLER} supply voltage of the core {_FILLER}"
    assert "supply voltage of the core" in excerpt("core supply voltage", _segment(text))


def test_of_a_table_the_names_of_its_columns_are_read_too() -> None:
    rows = "\n".join(f"row {n} | {n} | V" for n in range(100))
    table = _segment(f"PARAMETER | MAX | UNIT\n{rows}\nleakage | 5 | nA", kind=SegmentKind.TABLE)
    read = excerpt("leakage", table).splitlines()
    assert read[1] == "PARAMETER | MAX | UNIT"
    assert read[-1] == "leakage | 5 | nA"


def test_of_a_long_place_the_nearest_headings_are_read() -> None:
    path = tuple(f"Part {n} of the manual" for n in range(12))
    read = excerpt("x", _segment("text", path))
    assert read.endswith("> Part 11 of the manual\ntext")
    assert "Part 7" not in read


@given(st.text(max_size=300), st.text(max_size=2000), st.sampled_from([SegmentKind.TEXT, SegmentKind.TABLE]))
def test_whatever_is_asked_of_whatever_text_it_is_a_part_of_it(question: str, text: str, kind: SegmentKind) -> None:
    read = excerpt(question, _segment(text, kind=kind))
    place, _, rest = read.partition("\n")
    assert place == "LM317 > Limits"
    assert rest in text or rest.partition("\n")[2] in text
    assert len(re.findall(r"\w+|[^\w\s]", rest)) <= 80
