"""The probability that a passage answers: what each sign may do, with and without a cross-encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.agent.evidence import gather
from engine.agent.question import understand
from engine.agent.reading import shortlist, weighed
from engine.agent.spans import find_span
from engine.agent.support import LEXICAL, NEGATIVE, POSITIVE, WITH_RERANKER, Field, probability, promising, signs, trust
from engine.agent.targets import resolve
from engine.agent.terms import word_forms
from tests.engine.agent.shelf import shelf, sources_of


@pytest.mark.parametrize("weights", [WITH_RERANKER, LEXICAL])
def test_no_weight_speaks_against_its_meaning(weights: dict[str, float]) -> None:
    assert all(weights.get(name, 0.0) >= 0 for name in POSITIVE)
    assert all(weights.get(name, 0.0) <= 0 for name in NEGATIVE)


def test_every_sign_has_a_weight() -> None:
    sources = sources_of(shelf())
    asked = understand("What is the maximum supply current of the TPX12 at VIN = 5 V?")
    pool = gather(asked, sources, resolve(asked, sources.documents()))
    first = shortlist(asked, pool)[0]
    span = find_span(asked, pool, first)
    plain = signs(asked, pool, first, span, None, Field())
    ranked = signs(asked, pool, first, span, 4.0, Field(4.0))
    assert set(plain) == set(LEXICAL) - {"bias"}
    assert set(ranked) == set(WITH_RERANKER) - {"bias"}
    behind = signs(asked, pool, first, span, -4.0, Field(4.0))
    assert probability(behind) < probability(ranked)


def test_what_is_missing_counts_against() -> None:
    sources = sources_of(shelf())
    chances = []
    for question in ("What is the dropout voltage of the TPX12?", "What is the thermal voltage noise of the TPX12?"):
        asked = understand(question)
        pool = gather(asked, sources, resolve(asked, sources.documents()))
        ranked = shortlist(asked, pool)
        chances.append(
            max(probability(signs(asked, pool, one, find_span(asked, pool, one), None, Field())) for one in ranked)
        )
    assert chances[0] > 0.5 > chances[1]


def test_the_cross_encoder_reads_only_what_may_come_first() -> None:
    plain = dict.fromkeys((name for name in LEXICAL if name != "bias"), 0.0)
    spread = [{**plain, "worst_missing": place / 10} for place in (9, 0, 3, 8, 20)]
    assert promising(spread) == [1, 2, 3]
    assert promising([plain] * 60) == list(range(24))


def test_what_the_cross_encoder_was_spared_does_not_change_the_answer() -> None:
    """A reranker that likes what is worded like the question: the first reading is the same from few as from all."""
    read: list[str] = []

    class Worded:
        def score(self, query: str, passages: Sequence[str]) -> list[float]:
            read.extend(passages)
            return [8.0 * len(word_forms(query) & word_forms(one)) / len(word_forms(query)) for one in passages]

    sources = replace(sources_of(shelf()), reranker=Worded())
    asked = understand("What is the maximum supply current of the TPX12 at VIN = 5 V?")
    pool = gather(asked, sources, resolve(asked, sources.documents()))
    found = weighed(asked, pool, sources)
    assert len(read) == len(found) < len(shortlist(asked, pool))
    best = max(found, key=lambda one: one.chance)
    assert best.span is not None
    assert best.span.text == "45 µA"


def test_a_reading_is_trusted_less_where_another_is_nearly_as_likely() -> None:
    asked = understand("What is the maximum supply current of the TPX12 at VIN = 5 V?")
    first = {**dict.fromkeys((name for name in WITH_RERANKER if name != "bias"), 0.0), "typed": 1.0, "place": 1.0}
    near, far = {**first, "behind": 0.1}, {**first, "behind": 2.0}
    assert trust(asked, first, near) < trust(asked, first, far) <= trust(asked, first, None)
    lexical = {name: value for name, value in first.items() if name in LEXICAL}
    assert trust(asked, lexical, None) == probability(lexical)
