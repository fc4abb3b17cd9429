"""Which names in a question are parts."""

from __future__ import annotations

import pytest

from engine.agent.parts import looks_like_part


@pytest.mark.parametrize("name", ["LM317", "SHF337", "AN10382", "74HC595", "TOP242", "SC16C550"])
def test_parts_are_told(name: str) -> None:
    assert looks_like_part(name)


@pytest.mark.parametrize("name", ["TO-220", "TO92", "SOT-23", "DIP-16", "PLCC44", "TQFP-100", "P1.10", "IEC 60747"])
def test_packages_pins_and_standards_are_none(name: str) -> None:
    assert not looks_like_part(name)
