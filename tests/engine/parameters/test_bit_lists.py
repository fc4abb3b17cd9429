"""Bits asked for as a list are conditions one by one, and nothing else is taken for such a list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.parameters.bit_lists import spelled_out
from tests.engine.parameters.conftest import Shelf, ask
from tests.engine.parameters.tables import parsed, table


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("period with PS2 PS1 PS0 = 1 0 1?", "period with PS2 = 1, PS1 = 0, PS0 = 1?"),
        ("bits A1M4..A1M1 = 1,1,0,0: when", "bits A1M4 = 1, A1M3 = 1, A1M2 = 0, A1M1 = 0: when"),
        ("WS[2:0] = 101", "WS2 = 1, WS1 = 0, WS0 = 1"),
        ("rs3-0 is 0011 then", "rs3 = 0, rs2 = 0, rs1 = 1, rs0 = 1 then"),
        ("RS1 and RS0 are 10", "RS1 = 1, RS0 = 0"),
        ("S0 to S2 = 011", "S0 = 0, S1 = 1, S2 = 1"),
    ],
)
def test_a_list_of_bits_is_spelled_out(asked: str, meant: str) -> None:
    assert spelled_out(asked) == meant


@pytest.mark.parametrize(
    "text",
    ["PS2 PS1 PS0 = 1 0", "R1 R2 = 10 kΩ", "C1 and C2 are 10 pF", "VCC TA = 1 5", "A and B = 1 V", "IN1 = 1 0 1"],
)
def test_what_is_no_list_of_bits_is_left_alone(text: str) -> None:
    assert spelled_out(text) == text


@given(st.text(alphabet="AB0123[]:=., -tois", max_size=40))
def test_any_text_can_be_asked(text: str) -> None:
    spelled_out(text)


def test_a_row_is_chosen_by_all_its_bits(shelf: Shelf) -> None:
    rows = [(*f"{n:03b}", f"{16 << n} ms") for n in range(8)]
    prescaler = table(("PS2", "PS1", "PS0", "Watchdog period"), rows)
    shelf.add(9, "QZ900 microcontroller", ("QZ900",), parsed([prescaler]))
    for n in (0, 3, 5, 7):
        bits = " ".join(f"{n:03b}")
        assert ask(shelf, f"QZ900 watchdog period with PS2 PS1 PS0 = {bits}?").short.startswith(f"{16 << n} ms")
