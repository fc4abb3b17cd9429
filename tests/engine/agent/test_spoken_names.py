"""Part names as people say them: restored where the library knows them, left alone elsewhere."""

from __future__ import annotations

import pytest

from engine.agent.spoken import with_known_names
from engine.core.model import SegmentKind
from tests.engine.agent.shelf import Shelf


@pytest.fixture
def library() -> Shelf:
    text = [(SegmentKind.TEXT, "", "text")]
    return Shelf(
        ("a.pdf", "QD780 display controller", ("QD44780",), text),
        ("b.pdf", "QX420 loop driver", ("QX420",), text),
        ("d.pdf", "QT222 transistors", ("QT2222", "QT2222A"), text),
        ("c.pdf", "Two makers, one number", ("AB12887", "CD12887"), text),
    )


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("how much can the qx 420 take?", "how much can the QX420 take?"),
        ("the 44780 on my display", "the QD44780 on my display"),
        ("is the 12887 awake?", "is the 12887 awake?"),  # two families have the number
        ("sheet of 2007, 44780 bytes", "sheet of 2007, 44780 bytes"),  # a year and a count
        ("the plain QT2222 or the A version?", "the plain QT2222 or the QT2222A?"),
        ("the A version of the QX420", "the A version of the QX420"),
        ("QX420 as printed", "QX420 as printed"),
    ],
)
def test_names_the_library_knows_are_restored(library: Shelf, said: str, meant: str) -> None:
    assert with_known_names(said, library.documents()) == meant
