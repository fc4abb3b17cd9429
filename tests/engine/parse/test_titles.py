"""Titles: what a font without its encoding prints is none, however large it is set."""

from __future__ import annotations

import pytest

from engine.parse.title import is_garbled


@pytest.mark.parametrize(
    "text",
    ["ÎÎÎÎÎÎÎ ÎÎÎÎ", "ÎÎÎÎÎÎÎÎÎÎÎ †Temperature Derating:", "\ufffd\ufffd\ufffd 12", "\ue001\ue002 a", "nnnnnn"],
)
def test_encoding_junk_is_garbled(text: str) -> None:
    assert is_garbled(text)


@pytest.mark.parametrize(
    "text",
    [
        "MC14532B, 8-Bit Priority Encoder",
        "LM317LLL",
        "Îlot de mesure à deux étages",
        "AAA",
        "10000000",
        "Контроллер дисплея",
        "アンプ用トランジスタ",
    ],
)
def test_titles_of_any_language_are_not(text: str) -> None:
    assert not is_garbled(text)
