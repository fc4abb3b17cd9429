"""What a model is shown of a node is spread over its children; what it answers is kept only if the children say it."""

from __future__ import annotations

import pytest

from engine.core.ids import DocumentId, segment_id
from engine.core.model import AbstractNode, Segment, SegmentKind
from engine.tree.wording import Material, choice_grammar, keywords, material, shown_leaves, summary


def _leaf(text: str, section: str, title: str = "DS1621") -> Segment:
    document = DocumentId("d" * 64)
    name = segment_id(document, 1, 0, text)
    return Segment(name, document, 0, SegmentKind.TEXT, title, (title, section), text, text, 1, (1,))


_LEAVES = (
    _leaf("The thermostat output becomes active when the temperature exceeds the upper limit.", "Thermostat Control"),
    _leaf("Each data transfer begins with a START condition on the serial bus at 400 kHz.", "2-Wire Bus"),
    _leaf("The temperature is converted once in one-shot mode, or continuously.", "Measuring Temperature"),
)
_SHOWN = material(_LEAVES)


def test_leaves_are_taken_from_each_child_in_turn() -> None:
    nodes = (
        AbstractNode("a", 1, "r", ("a1", "a2", "a3"), 3, ""),
        AbstractNode("b", 1, "r", ("b1", "b2"), 2, ""),
        AbstractNode("r", 2, "", ("b", "a"), 5, ""),
    )
    by_id = {node.id: node for node in nodes}
    assert shown_leaves(nodes[2], by_id, 4) == ["a1", "b1", "a2", "b2"]
    assert shown_leaves(nodes[0], by_id, 2) == ["a1", "a2"]


def test_every_line_offers_phrases_of_its_own() -> None:
    assert _SHOWN.titles == ("DS1621",)
    assert [line.split(":")[0] for line in _SHOWN.lines] == [
        "Thermostat Control",
        "2-Wire Bus",
        "Measuring Temperature",
    ]
    assert len(_SHOWN.phrases) == 3
    assert _SHOWN.phrases[0][0] == "Thermostat Control"
    assert "START condition" in _SHOWN.phrases[1]
    offered = [phrase.casefold() for group in _SHOWN.phrases for phrase in group]
    assert len(offered) == len(set(offered))


def test_numbers_in_a_table_are_not_shown() -> None:
    table = _leaf(
        "| Supply voltage | VDD | 2.7 | 5.5 | V |\n| Standby current | ICC | | 1 | uA |", "DC Characteristics"
    )
    assert material([table]).lines == ("DC Characteristics: Supply voltage, Standby current",)


def test_the_grammar_takes_one_phrase_of_each_line() -> None:
    grammar = choice_grammar((("one", 'tw"o'), ("three",)))
    assert grammar.splitlines()[0] == 'root ::= ("one" | "tw\\"o") ", " ("three") "\\n"'


def test_chosen_phrases_are_grouped_by_who_says_them() -> None:
    text = keywords("Thermostat Control, serial bus, never offered", _SHOWN)
    assert text.splitlines() == [
        "Information: DS1621; Thermostat Control; 2-Wire Bus; Measuring Temperature",
        "Differences: Thermostat Control; serial bus",
    ]
    assert keywords("never offered", _SHOWN) == ""


def test_a_sentence_about_several_children_is_kept_behind_its_documents() -> None:
    sentence = "They describe temperature conversion, thermostat limits and transfers on the serial bus."
    assert summary(sentence, _SHOWN) == f"DS1621: {sentence}"


@pytest.mark.parametrize(
    "sentence",
    [
        "They describe temperature conversion and transfers on the serial bus at 100 kHz.",  # another number
        "They describe temperature conversion and the serial bus of the DS1820 thermostat.",  # another part
        "They describe how the thermostat output becomes active when temperature exceeds the upper limit.",  # one child
        "They describe technical documents about devices and their various functions and aspects.",  # nothing of it
        "They describe the DS1621.",  # only the title
        "",
    ],
)
def test_what_is_invented_copied_or_empty_is_not_kept(sentence: str) -> None:
    assert summary(sentence, _SHOWN) == ""


def test_what_all_children_say_is_no_copy_of_one() -> None:
    same = Material(("LM317",), ("Pins: input output adjust supply", "Pins: input output adjust supply pads"), (), ())
    assert summary("They describe input, output, adjust and supply pads.", same) == ""
    assert summary("They describe input, output, adjust and supply.", same)
