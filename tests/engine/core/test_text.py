"""Folding, identifiers and quantities as engineers type and documents print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.text import (
    expand_list,
    fold,
    fold_case,
    identifiers,
    is_identifier,
    mend_parts,
    part_key,
    plain_number,
    quantities,
    spoken_time,
)


@pytest.mark.parametrize(
    ("printed", "folded"),
    [
        ("50 \u00b5A", "50 uA"),
        ("50 \u03bcA", "50 uA"),
        ("4.7 k\u2126", "4.7 kohm"),
        ("4.7 k\u03a9", "4.7 kohm"),
        ("\u221240\u00a0\u00b0C", "-40 \u00b0C"),
        ("ef\ufb01cient", "efficient"),
        ("ampli\u00adfier", "amplifier"),
        ("a \n\t b", "a b"),
    ],
)
def test_fold(printed: str, folded: str) -> None:
    assert fold(printed) == folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LM317, LM317-N and LM317L-N", ["LM317", "LM317-N", "LM317L-N"]),
        ("the MAX232A/SO per IEC 60601-1-2 and AEC-Q100", ["MAX232A/SO", "IEC 60601-1-2", "AEC-Q100"]),
        ("74f148 typ prop delay?", ["74f148"]),
        ("hd44780u at 270khz", ["hd44780u"]),
        ("2N2222 and 1N4148", ["2N2222", "1N4148"]),
        ("S6B0724_AT91 with a T6963C", ["S6B0724_AT91", "T6963C"]),
        ("16-bit, 3-wire, 1.8V-tolerant, 5 V, 100kHz, 4.7K, 2nd, 0x20, 20h, 16x2, 400k", []),
        ("pin P0.14 on I2C", ["P0.14", "I2C"]),
        ("LPC2141/42/44", ["LPC2141/42/44"]),
        ("4 mA\u201320 mA or 2 V-5 V, not A-10", ["A-10"]),
        ("", []),
    ],
)
def test_identifiers(text: str, expected: list[str]) -> None:
    assert identifiers(text) == expected


def test_one_key_for_all_spellings() -> None:
    assert len({part_key(form) for form in ("LM317-N", "lm317 n", "LM317_N", "Lm317\u2011N")}) == 1
    assert part_key("LM317") != part_key("LM317N")


def test_is_identifier() -> None:
    assert is_identifier("LM317-N")
    assert not is_identifier("LM317 and LM337")
    assert not is_identifier("voltage")


@pytest.mark.parametrize(
    ("token", "members"),
    [
        ("LPC2141/42/44", ["LPC2141", "LPC2142", "LPC2144"]),
        ("BC556/557", ["BC556", "BC557"]),
        ("BC546-548", ["BC546", "BC547", "BC548"]),
        ("CD4049UB/CD4050B", ["CD4049UB", "CD4050B"]),
        ("LM124A/224A", ["LM124A", "LM224A"]),
        ("74HC147/74HCT147", ["74HC147", "74HCT147"]),
        ("MAX232A/SO", ["MAX232A/SO"]),
        ("LM317-N", ["LM317-N"]),
        ("LM1117-33", ["LM1117-33"]),
        ("BC550-546", ["BC550-546"]),
        ("/42", ["/42"]),
    ],
)
def test_lists_of_parts(token: str, members: list[str]) -> None:
    assert expand_list(token) == members


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("\u221240 \u00b0C", "-40", "\u00b0C"),
        ("\u00b15 V", "\u00b15", "V"),
        ("0.1 %", "0.1", "%"),
        ("50,000 writes", "50000", ""),
        ("4,7K", "4.7", "K"),
        ("100 k\u03a9", "100", "kohm"),
        ("450\u00b5V", "450", "uV"),
        ("25 ppm/\u00b0C", "25", "ppm/\u00b0C"),
        ("8.192kHz", "8.192", "kHz"),
    ],
)
def test_quantities(text: str, number: str, unit: str) -> None:
    (found,) = quantities(text)
    assert (found.number, found.unit) == (number, unit)


def test_digits_of_a_part_are_no_quantity() -> None:
    assert quantities("the LM317 and 2N2222") == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("LM317 -N", "LM317-N"),
        ("gain of -N", "gain of -N"),
        ("5 V -40 \u00b0C", "5 V -40 \u00b0C"),
        ("pins 3 - 7", "pins 3 - 7"),
    ],
)
def test_a_blank_in_a_part_number_is_mended(typed: str, meant: str) -> None:
    assert mend_parts(typed) == meant


def test_plain_number() -> None:
    assert plain_number("1,600,000") == "1600000"
    assert plain_number("1.5") == "1.5"


@given(st.text(max_size=60))
def test_any_text_folds_to_a_fixed_point_and_is_read_without_error(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert fold_case(text) == fold_case(once)
    for token in identifiers(text):
        assert token in once
        assert expand_list(token)
    for quantity in quantities(text):
        assert once[quantity.start :].lstrip().startswith(quantity.text)


def test_a_time_is_said_in_the_unit_that_suits_it() -> None:
    assert [spoken_time(seconds) for seconds in (0.2, 59.4, 61, 3_599, 5_400)] == [
        "1 s",
        "59 s",
        "1 min",
        "60 min",
        "1.5 h",
    ]
