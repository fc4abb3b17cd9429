"""The keyword route on what engineers type (checks.md: part-number queries, units, raw text)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.core.ids import DocumentId
from engine.core.text import fold_case, identifiers
from engine.keyword.analysis import terms
from engine.keyword.index import KeywordStore
from engine.keyword.query import weighted_terms
from tests.engine.keyword.indexed import Indexed, document_of

PASSAGES = {
    "LM317": "The LM317 is an adjustable regulator for positive voltages.",
    "LM317-N": "The LM317-N is an adjustable regulator for positive voltages.",
    "LM317L-N": "The LM317L-N is an adjustable regulator for positive voltages.",
    "MAX232A/SO": "The MAX232A/SO is a line driver in a small outline package.",
    "MAX232": "The MAX232 is a line driver.",
    "IEC 60601-1-2": "Medical equipment complies with IEC 60601-1-2 for emissions.",
    "IEC 60601-1": "Medical equipment complies with IEC 60601-1 for safety.",
    "AEC-Q100": "Qualified to AEC-Q100 grade 1.",
    "0402": "Capacitors of size 0402 are placed near the pin.",
    "402": "There are 402 parts on the reel.",
    "-40 °C": "The operating range starts at -40 °C ambient.",
    "40 °C": "Stored at 40 °C for a day.",
    "±5 V": "It runs from ±5 V supplies.",
    "5 V": "It runs from a 5 V supply.",
    "0.1 %": "Resistors of 0.1 % tolerance.",
    "1 %": "Resistors of 1 % tolerance.",
    "NOT": "The output is the logical NOT of the input.",
    "japanese": "これは演算増幅器のデータシートです。",
    "greek": "The bias current is 42 µA into 10 kΩ.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    with Indexed(tmp_path_factory.mktemp("keyword"), PASSAGES) as one:
        yield one


@pytest.mark.parametrize("label", [label for label in PASSAGES if label not in ("japanese", "greek")])
def test_what_is_printed_is_found_first_as_printed(index: Indexed, label: str) -> None:
    assert index.found(label)[0] == label


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("LM317 -N", "LM317-N"),
        ("lm317-n", "LM317-N"),
        ("LM317\u2011N", "LM317-N"),  # non-breaking hyphen
        ("max232a", "MAX232A/SO"),
        ("\u221240\u00a0\u00b0C", "-40 °C"),  # minus sign, no-break space
        ("-40°C", "-40 °C"),
        ("±5V", "±5 V"),
        ("0.1%", "0.1 %"),
        ("iec60601-1-2", "IEC 60601-1-2"),
        ("IEC60601-1-2", "IEC 60601-1-2"),
        ("aec q100", "AEC-Q100"),
        ("[0402 TO 0402]", "0402"),
        ("0402^2", "0402"),
        ('"LM317-N" AND NOT LM317', "LM317-N"),
        ("body:0402", "0402"),
        ("演算増幅", "japanese"),
        ("増幅器", "japanese"),
        ("42 uA", "greek"),
        ("42\u03bcA", "greek"),
        ("10 kohm", "greek"),
        ("10k\u2126", "greek"),
    ],
)
def test_other_spellings_find_the_same(index: Indexed, query: str, expected: str) -> None:
    assert index.found(query)[0] == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-40 °C", "\u221240°C"),
        ("-40°C", "\u201340 \u00b0C"),
        ("±5 V", "+/-5V"),
        ("±5V", "± 5\u202fV"),
        ("0.1 %", "0.1%"),
        ("100 kΩ", "100kohm"),
        ("10 µA", "10uA"),
        ("10 \u03bcA", "10 \u00b5A"),
        ("1.5 V/µs", "1.5V/us"),
        ("25 ppm/°C", "25ppm/\u02daC"),
        ("4,7 k", "4,7k"),
        (".5 V", "0.5V"),
        ("Größe", "Gro\u0308\u00dfe"),
        ("ﬁlter", "filter"),
        ("out\u00adput", "output"),
    ],
)
def test_spellings_of_one_quantity_have_the_same_terms(one: str, other: str) -> None:
    assert set(terms(one)) == set(terms(other))


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("50000", "50,000"),
        ("5 V", "5.0 V"),
        ("3.3 V", "3V3"),
        ("4.7k", "4k7"),
        ("5.5 V", "2.7V\u20135.5V"),
        ("2.7V", "2.7-5.5V"),
        ("12 V", "5V/12V"),
        ("LM337", "LM317/LM337"),
        ("SN74LVC1G08Q1", "SN74LVC1G08-Q1"),
        ("lowpower", "low-power"),
    ],
)
def test_what_is_typed_is_among_what_is_printed(typed: str, printed: str) -> None:
    """All that is typed is found in what is printed, though not the other way round."""
    wanted = {term for term in terms(typed) if not term.startswith("=")}
    assert wanted <= set(terms(printed))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-40", "40"),
        ("0402", "402"),
        ("0.1 %", "1 %"),
        ("5 V", "50 V"),
        (".5 V", "5 V"),
        ("1.5", "15"),
        ("V+", "V-"),
        ("IN+", "IN-"),
        ("C++", "C"),
        ("LM317", "LM317-N"),
        ("mV", "MV/s"),
        ("60601-1", "60601-1-2"),
    ],
)
def test_what_differs_has_a_term_of_its_own(one: str, other: str) -> None:
    assert set(terms(one)) != set(terms(other))


_UNITS = ("V", "mV", "µA", "kΩ", "MHz", "%", "°C", "ns", "mA", "V/µs", "ppm/°C", "dB")
_BLANKS = ("", " ", "\u00a0", "\u2009", "\u202f")


@given(
    st.sampled_from(["", "-", "\u2212", "±", "+"]),
    st.decimals(0, 9999, places=2).map(lambda number: format(number.normalize(), "f")),
    st.sampled_from(_UNITS),
    st.sampled_from(_BLANKS),
    st.sampled_from(_BLANKS),
)
def test_blanks_and_signs_never_change_a_quantity(sign: str, number: str, unit: str, one: str, other: str) -> None:
    plain = sign.replace("\u2212", "-")
    assert set(terms(f"at {sign}{number}{one}{unit} typ")) == set(terms(f"at {plain}{number}{other}{unit} typ"))


@given(st.decimals(0, 9999, places=2), st.decimals(0, 9999, places=2), st.sampled_from(["V", "mA", "°C", "%"]))
def test_different_quantities_never_meet(one: Decimal, other: Decimal, unit: str) -> None:
    """No analysis makes two different values equal: each keeps a term that the other has not."""
    first, second = set(terms(f"{one}{unit}")), set(terms(f"{other}{unit}"))
    assert (first == second) == (str(one) == str(other))
    assert one == other or f"{format(one.normalize(), 'f')}{fold_case(unit)}" not in second


@pytest.mark.parametrize("query", ["NOT", "AND", "OR", "[a TO", "^2", "*", "?", "~", "a:b", '"', "(((", "LM317*", "\\"])
def test_syntax_of_query_languages_is_only_text(index: Indexed, query: str) -> None:
    assert weighted_terms(query)
    index.found(query)


def test_star_is_not_a_wildcard(index: Indexed) -> None:
    assert index.found("MAX23*") == index.found("MAX23")


@given(st.text(max_size=80))
@example("\ud800")
@example("\u00ad")
@example("İ")
@example("A" * 400)
def test_no_text_raises_or_becomes_empty(text: str) -> None:
    weights = weighted_terms(text)
    assert all(term and not any(c.isspace() for c in term) for term in weights)
    assert all(0 < weight <= 1 for weight in weights.values())
    printing = any(c.isprintable() and not c.isspace() for c in text)
    assert bool(weights) or not printing or not text.strip()


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_terms_of_a_text_are_among_those_of_a_longer_text(text: str) -> None:
    """What a document holds between other words is found by the same words typed alone."""
    inside = set(terms(f"before {text} after"))
    alone = set(terms(text))
    assert alone <= inside


def test_search_of_any_text_does_not_raise(index: Indexed) -> None:
    for query in ("", " ", "\n", "\x00", "\ud800", "🙂", "a" * 10_000, "%", "µ", "-", "--", "±"):
        index.store.search(query, 5)


def test_invisible_generations_and_other_documents_are_passed_over(tmp_path: Path) -> None:
    with Indexed(tmp_path, {"a": "capacitor value", "b": "capacitor size"}) as index:
        index.add({"a": "resistor value"}, 2, show=False)
        assert index.found("resistor") == []
        assert sorted(index.found("capacitor")) == ["a", "b"]
        index.shown.generations[document_of("a")] = 2
        index.shown.state += 1
        assert index.found("resistor") == ["a"]
        assert index.found("capacitor") == ["b"]
        assert [index.labels[h.segment] for h in index.store.search("value size", 9, [document_of("b")])] == ["b"]


def test_swept_rows_are_gone_from_the_index(tmp_path: Path) -> None:
    with Indexed(tmp_path, {"a": "capacitor value", "b": "capacitor size"}) as index:
        index.store.write((), {}, [(document_of("a"), 1)])
        assert index.store.held() == {(document_of("b"), 1): 1}


def test_names_of_places_are_searched_and_follow_renames(tmp_path: Path) -> None:
    with Indexed(tmp_path, {"a": "first text", "b": "second text"}) as index:
        mark = index.store.mark()
        index.shown.names[document_of("a")] = "datasheets / op-amps/OPA333_final.pdf"
        index.shown.state += 1
        assert index.found("opa333") == ["a"]
        assert index.found("final") == ["a"]
        index.shown.names[document_of("a")] = "datasheets / renamed.pdf"
        index.shown.state += 1
        assert index.found("opa333") == []
        assert index.found("renamed") == ["a"]
        assert index.store.mark() == mark, "a rename writes nothing"


@pytest.mark.parametrize(
    "query", ["größe", "GRÖSSE", "gro\u0308ße", "µA741", "ua741", "データシート", "schaltung 100%"]
)
def test_awkward_names_of_files_are_found(tmp_path: Path, query: str) -> None:
    with Indexed(tmp_path, {"a": "text of one kind", "b": "text of another kind"}) as index:
        index.shown.names[document_of("a")] = "lib / µA741 – データシート (Gro\u0308ße) Schaltung 100%.pdf"
        index.shown.names[document_of("b")] = "lib / plain.pdf"
        index.shown.state += 1
        assert index.found(query)[:1] == ["a"]


def test_only_passages_that_hold_every_word_are_holding_it(index: Indexed) -> None:
    held = {index.labels[hit.segment] for hit in index.store.holding("adjustable regulator", 10)}
    assert held == {"LM317", "LM317-N", "LM317L-N"}
    assert index.store.holding("adjustable capacitor", 10) == []
    assert index.store.holding("  ", 10) == []
    assert index.store.holding("regulator", 10, field="path") == []
    assert [index.labels[hit.segment] for hit in index.store.holding("regulator", 9, [document_of("LM317-N")])] == [
        "LM317-N"
    ]


def test_identifiers_that_begin_so_are_those_of_visible_passages(tmp_path: Path) -> None:
    with Indexed(
        tmp_path, {"a": "The LM317-N and the LM317.", "b": "An LM337 beside the LM317.", "c": "LM31"}
    ) as index:
        assert index.store.starting("lm31", 10) == ["lm317", "lm31", "lm317-n"]
        assert index.store.starting("LM3", 2) == ["lm317", "lm31"]
        assert index.store.starting("lm9", 5) == index.store.starting("", 5) == []
        del index.shown.generations[document_of("b")]
        index.shown.state += 1
        assert "lm337" not in index.store.starting("lm3", 10)


def test_document_frequency_counts_visible_segments(index: Indexed) -> None:
    assert index.store.document_frequency("regulator") == 3
    assert index.store.document_frequency("no-such-term") == 0


def test_scores_are_bm25f(tmp_path: Path) -> None:
    """Against the formula, worked out from the texts: two documents, one field."""
    with Indexed(tmp_path, {"a": "alpha alpha beta", "b": "beta gamma gamma delta epsilon"}) as index:
        hits = {index.labels[h.segment]: h.score for h in index.store.search("alpha", 5)}
        norm = 1 - 0.6 + 0.6 * 3 / 4
        frequency = 2 / norm
        expected = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5)) * frequency * 2.2 / (1.2 + frequency)
        assert hits == {"a": pytest.approx(expected, rel=1e-5)}


def test_matched_terms_are_told_as_typed(index: Indexed) -> None:
    hit = index.store.search("LM317-N regulator", 1)[0]
    assert {"lm317-n", "regulator"} <= set(hit.matched)
    assert not any(term.startswith("=") for term in hit.matched)


def test_another_process_view_sees_a_later_commit(tmp_path: Path) -> None:
    with Indexed(tmp_path, {"a": "first text"}) as writer:
        reader = KeywordStore(tmp_path, writer.shown)
        assert len(reader.search("text", 5)) == 1
        for n in range(12):
            writer.add({f"more {n}": f"text number {n}"}, n + 2)
            assert len(reader.search("text", 50)) == n + 2
        writer.store.compact()
        writer.shown.state += 1
        assert len(reader.search("text", 50)) == 13
        assert isinstance(reader.search("text", 1)[0].segment, str)
        reader.close()


@pytest.mark.parametrize(
    "leftover",
    ["_MAIN_1.toc.1796036625.33", "_MAIN_2.toc.1796036625.33", "_MAIN_0.toc", "MAIN_0123456789abcdef.seg", "x1.tmp/y"],
    ids=["contents half-written", "of the last number", "contents before", "segment", "temporary folder"],
)
def test_what_a_killed_commit_leaves_is_swept(tmp_path: Path, leftover: str) -> None:
    with Indexed(tmp_path, {"a": "first text", "b": "second text"}) as index:
        index.add({"c": "third text"}, 2)
        before = sorted(tmp_path.rglob("*"))
        left = tmp_path / leftover
        left.parent.mkdir(exist_ok=True)
        left.write_bytes(b"half")
        index.store.sweep_files()
        assert sorted(tmp_path.rglob("*")) == before
        assert len(index.found("text")) == 3


def test_ids_survive(tmp_path: Path) -> None:
    with Indexed(tmp_path, {"a": "first text"}) as index:
        assert DocumentId(document_of("a")) in {document for document, _ in index.store.held()}


_BYTE = 0.04
_VOCABULARY = ["alpha", "beta", "gamma", "delta", "lm317", "5v", "-40", "omega"]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(_VOCABULARY), min_size=1, max_size=9), min_size=2, max_size=40),
    st.lists(st.sampled_from(_VOCABULARY), min_size=1, max_size=4, unique=True),
)
def test_the_best_twenty_are_those_of_an_exhaustive_ranking(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], query: list[str]
) -> None:
    """BM25 worked out term by term over every passage in plain Python: the same passages, but for ties within the
    rounding of Whoosh, which keeps a field's length in one byte."""
    with Indexed(tmp_path_factory.mktemp("all"), {str(n): " ".join(words) for n, words in enumerate(texts)}) as index:
        found = {index.labels[hit.segment]: hit.score for hit in index.store.search(" ".join(query), 20)}
    exhaustive = _bm25(texts, query)
    floor = sorted(exhaustive.values(), reverse=True)[:20][-1:] or [0.0]
    assert len(found) == min(20, len(exhaustive))
    for label, score in found.items():
        assert score == pytest.approx(exhaustive[label], rel=_BYTE)
        assert exhaustive[label] >= floor[0] * (1 - 2 * _BYTE)


def _bm25(texts: list[list[str]], query: list[str]) -> dict[str, float]:
    """Label -> score of the passages that hold a word of the query: identifiers stand in a field of their own too."""
    weights = weighted_terms(" ".join(query))
    bodies = [terms(" ".join(words)) for words in texts]
    names = [[term for one in identifiers(" ".join(words)) for term in terms(one)[:1]] for words in texts]
    totals: dict[str, float] = {}
    for term, weight in weights.items():
        frequencies = {}
        for place, fields in enumerate(zip(bodies, names, strict=True)):
            frequency = 0.0
            for held, everybody, b in zip(fields, (bodies, names), (0.6, 0.3), strict=True):
                mean = sum(map(len, everybody)) / len(everybody)
                norm = max(1 - b + b * len(held) / max(mean, 1e-6), 0.05)
                frequency += held.count(term) / norm
            if frequency:
                frequencies[str(place)] = frequency
        idf = math.log(1 + (len(texts) - len(frequencies) + 0.5) / (len(frequencies) + 0.5))
        for label, frequency in frequencies.items():
            totals[label] = totals.get(label, 0.0) + weight * idf * frequency * 2.2 / (1.2 + frequency)
    return totals
