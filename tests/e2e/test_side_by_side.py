"""Whole parts side by side on the sample library: what each is, and what both sheets give, from the records."""

from __future__ import annotations

import pytest

from engine.agent.question import understand
from engine.agent.side_by_side import asks_side_by_side
from engine.api import Engine
from engine.core.results import AnswerStatus


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Compare the SHT1620 and the SHT1621", True),
        ("What are the main differences between SHA90 and SHA290?", True),
        ("SHF317 vs SHF337", True),
        ("Compare the SHT1620 and the SHT1621 as a choice for a new design.", True),
        ("Compare the supply current of the SHA90 and the SHA290", False),
        ("Which is faster, the SHT1620 or the SHT1621?", False),
        ("What is the difference between the noise of the SHA90 and the SHA290?", False),
        ("Compare the SHT1620", False),
    ],
)
def test_whole_parts_are_told_from_one_property(text: str, wanted: bool) -> None:
    assert asks_side_by_side(understand(text)) is wanted


def test_both_are_described_and_what_both_give_stands_in_one_row(engine: Engine) -> None:
    answer = engine.ask("sample", "Compare the SHT1620 and the SHT1621", quoted=True)
    assert answer.status is AnswerStatus.ANSWERED
    lines = answer.text.splitlines()
    assert len(lines) <= 10
    assert [line.split(":")[0] for line in lines[:2]] == ["SHT1620", "SHT1621"]
    converts = next(line for line in lines if "onver" in line and "650 ms" in line)
    assert "SHT1620 maximum 650 ms; SHT1621 maximum 900 ms" in converts
    assert all(sentence.verified and sentence.citations for sentence in answer.sentences)
    assert {citation.place.file for citation in answer.citations} == {
        "thermometers/SHT1620.pdf",
        "thermometers/SHT1621.pdf",
    }
    assert "both sheets give" in answer.coverage


def test_limits_of_one_kind_stand_against_each_other(engine: Engine) -> None:
    answer = engine.ask("sample", "compare SHF317 with SHF337", quoted=True)
    row = next(line for line in answer.text.splitlines() if line.startswith("Ripple rejection"))
    assert "SHF317 min 64 dB, typ 78 dB" in row
    assert "SHF337 min 66 dB, typ 75 dB" in row


def test_a_part_without_a_document_is_not_compared(engine: Engine) -> None:
    answer = engine.ask("sample", "Compare the SHT1620 and the SHX9999", quoted=True)
    assert "side by side" not in answer.short
