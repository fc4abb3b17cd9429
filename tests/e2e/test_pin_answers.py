"""Questions about pins on the sample library: tables by package, drawings, and what neither gives."""

from __future__ import annotations

import pytest

from engine.api import Engine
from engine.core.results import AnswerStatus


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what is pin 3 of the SHT1621?", "Pin 3 of the SHT1621 is TOUT: Thermostat output."),
        ("which pin of the SHT1621 is VDD?", "VDD is pin 8 of the SHT1621: Supply, 3.0 V to 5.5 V."),
        ("Which pin is CLK on the SHC3208 in its DIP package?", "CLK is pin 13 of the SHC3208 (SHC3208 DIP)"),
        ("pin 11 of the SHC3204", "Pin 11 of the SHC3204 (SHC3204 DIP, SHC3204 TSSOP) is CLK"),
        ("which pin of the SHF317 is the output?", "OUT is pin 2 of the SHF317 (TO-220, TO-263)"),
        ("what does the TOUT pin of the SHT1621 do?", "TOUT, pin 3 of the SHT1621: Thermostat output."),
        ("what is pin 6 of the SHA90?", "Pin 6 of the SHA90 (8-pin) is OUT."),
        ("pinout of the SHD74AHC138", "Pin 16: VCC."),
    ],
)
def test_pins_come_from_the_table_or_the_drawing(engine: Engine, question: str, said: str) -> None:
    answer = engine.ask("sample", question, quoted=True)
    assert said in answer.text
    assert answer.status is AnswerStatus.ANSWERED
    assert all(sentence.verified for sentence in answer.sentences)


def test_a_part_without_a_pin_table_gets_no_value_for_a_pin(engine: Engine) -> None:
    answer = engine.ask("sample", "what is pin 5 of the SHF337", quoted=True)
    assert answer.status is AnswerStatus.NOT_MENTIONED
