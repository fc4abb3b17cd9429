"""The forecast as a sentence: one and many."""

from __future__ import annotations

import pytest

from engine.core.results import Forecast


@pytest.mark.parametrize(
    ("forecast", "text"),
    [
        (Forecast(0, 0, 0, 0.0), ""),
        (Forecast(1, 1, 0, 4.0), "1 document (1 page) is read again, about 4 s."),
        (Forecast(2100, 2, 0, 90.0), "2,100 documents (2 pages) are read again, about 2 min."),
        (Forecast(0, 0, 0, 0.0, 1), "1 document leaves the library, about 1 s."),
        (
            Forecast(0, 0, 1, 1.0),
            "1 passage is embedded again, about 1 s; the index as it is serves until that is complete.",
        ),
    ],
)
def test_the_verb_goes_with_the_number(forecast: Forecast, text: str) -> None:
    assert forecast.text == text
