"""A user's own words are understood as whole words, whatever their case, and nothing else is changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import UsageError
from engine.core.lexicon import Lexicon, Synonym, checked

_LEXICON = Lexicon(
    [Synonym("Iq", "quiescent current"), Synonym("brick", "LM317"), Synonym("µ-mode", "power-down mode")]
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Iq of the LM358", "Iq of the LM358 quiescent current"),
        ("IQ of the brick?", "IQ of the brick? quiescent current LM317"),
        ("quiescent current", "quiescent current Iq"),
        ("Iq, that is the quiescent current", "Iq, that is the quiescent current"),
        ("unique brickwork", "unique brickwork"),
        ("\u03bc-mode", "\u03bc-mode power-down mode"),
    ],
)
def test_search_takes_both_forms(query: str, expected: str) -> None:
    assert _LEXICON.written_out(query) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Iq max < 50 uA", "quiescent current max < 50 uA"),
        ("iq of the Brick", "quiescent current of the LM317"),
        ("unique brickwork", "unique brickwork"),
    ],
)
def test_rules_read_the_meaning(text: str, expected: str) -> None:
    assert _LEXICON.in_words(text) == expected


@given(st.text(max_size=60))
def test_without_synonyms_nothing_changes_and_no_text_raises(text: str) -> None:
    assert Lexicon().written_out(text) == Lexicon().in_words(text) == text
    assert _LEXICON.written_out(text).startswith(text)
    _LEXICON.in_words(text)


@given(st.text(min_size=1, max_size=20).filter(str.strip))
def test_any_term_can_be_kept(term: str) -> None:
    one, other = checked(term, "some meaning")
    assert Lexicon([Synonym(one, other)]).in_words(f"a {one} b").startswith("a ")


@pytest.mark.parametrize(("term", "meaning"), [("", "x"), ("x", " "), ("Iq", "IQ"), ("x" * 81, "y")])
def test_half_a_synonym_is_refused(term: str, meaning: str) -> None:
    with pytest.raises(UsageError):
        checked(term, meaning)
