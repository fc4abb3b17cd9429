"""Names and values that alternate in one sentence."""

from __future__ import annotations

import pytest

from engine.agent.aligned import values_beside
from engine.agent.question import understand

_INL = "Offered in \u00b11 LSB (QX3204-B) and \u00b12 LSB (QX3204-C) versions."
_CLOCKS = "The Falcon runs at 40 MHz, the Kestrel at 80 MHz."
_PORTS = "There are 4 ports on the QX1 and 8 on the QX2."


@pytest.mark.parametrize(
    ("text", "names", "question", "values"),
    [
        (_INL, ("-B", "-C"), "What nonlinearity?", ("\u00b11 LSB", "\u00b12 LSB")),
        (f"Settles to \u00b13 LSB. {_INL}", ("-B", "-C"), "What nonlinearity?", ("\u00b11 LSB", "\u00b12 LSB")),
        (_CLOCKS, ("Kestrel", "Falcon"), "What clock frequency?", ("80 MHz", "40 MHz")),
        (_PORTS, ("QX1", "QX2"), "How many ports are there?", ("4", "8")),
        ("The Falcon and the Kestrel run at 40 MHz and 80 MHz.", ("Falcon", "Kestrel"), "What clock frequency?", ()),
        ("The Falcon runs at 40 MHz, the Kestrel at 80 MHz or 90 MHz.", ("Falcon", "Kestrel"), "What clock?", ()),
        ("The Falcon runs at 40 MHz.", ("Falcon", "Kestrel"), "What clock frequency?", ()),
    ],
)
def test_what_alternates_belongs_together(
    text: str, names: tuple[str, ...], question: str, values: tuple[str, ...]
) -> None:
    assert values_beside(text, names, understand(question)) == values
