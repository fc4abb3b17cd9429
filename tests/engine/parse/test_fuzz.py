"""A hundred mutated PDFs; two thousand and more by `python -m tests.torture.fuzz_pdf`."""

from __future__ import annotations

from tests.torture.fuzz_pdf import fuzz


def test_a_hundred_damaged_files_end_with_a_status_or_a_reason() -> None:
    tally = fuzz(rounds=100, seed=20, sources=6)
    assert not tally.failures
    assert tally.outcomes.total() == 100
    assert len(tally.outcomes) >= 3
