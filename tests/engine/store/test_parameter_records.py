"""The parameter store: what goes in comes out, replaced with its document, corrected for good."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.ids import DocumentId
from engine.core.model import Box, Condition, LimitKind, ParameterRecord, RecordSection
from engine.core.naming import name_words
from engine.core.ports import RecordFilter
from engine.store.records import RecordStore

FIRST, SECOND = DocumentId("a" * 64), DocumentId("b" * 64)


def record(
    number: int, document: DocumentId = FIRST, parameter: str = "Supply current", high: float = 1e-3
) -> ParameterRecord:
    box = Box(10, 20.0 * number, 50, 20.0 * number + 10)
    return ParameterRecord(
        f"{document[:4]}{number}", document, 0, number, 3, ("XY100", "XY101"), parameter, "I_CC", LimitKind.MAX,
        RecordSection.CHARACTERISTICS, f"{high * 1e3:g}", "mA", high, high, "A",
        (Condition("VCC = 5 V", "VCC", "=", 5.0, 5.0, "V"), Condition("no load")), "Table 1", ("5", "5.1 DC"), 4, box,
        box, 0.9, ("a doubt",),
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RecordStore]:
    made = RecordStore(tmp_path / "library.db")
    yield made
    made.close()


def test_records_come_back_whole(store: RecordStore) -> None:
    written = [record(1), replace(record(2), low=None, high=None, unit="", box=None, symbol="")]
    store.put(FIRST, written)
    assert list(store.records()) == written
    assert list(store.records([SECOND])) == []


def test_a_document_is_replaced_and_forgotten(store: RecordStore, tmp_path: Path) -> None:
    store.put(FIRST, [record(1), record(2)])
    store.put(SECOND, [record(1, SECOND)])
    store.put(FIRST, [record(3)])
    assert [r.row for r in store.records([FIRST])] == [3]
    store.put(FIRST, [])
    assert store.count() == 1
    reader = RecordStore(tmp_path / "library.db", read_only=True)
    assert [r.document for r in reader.records()] == [SECOND]
    reader.close()


def test_names_are_found_by_words_and_symbols_whatever_their_spelling(store: RecordStore) -> None:
    store.put(FIRST, [record(1, parameter="Supply Currents"), record(2, parameter="Input offset voltage")])
    assert [n.parameter for n in store.names([name_words("supply current")])] == ["Supply Currents"]
    assert len(store.names([("icc",)])) == 2
    assert store.names([("supply", "voltage")]) == []
    assert store.names([("supply", "voltage"), ("offset",)])[0].parameter == "Input offset voltage"
    assert store.names([]) == []
    assert store.names([('"', "NEAR", "*", 'x"y')]) == []


def test_selection_by_name_unit_and_bounds_is_ordered(store: RecordStore) -> None:
    store.put(FIRST, [record(n, high=value) for n, value in enumerate((3e-3, 1e-3, 2e-3, 9e-3))])
    names = tuple(n.number for n in store.names([("supply", "current")]))
    found = store.select(RecordFilter(names=names, unit="A", below=3.5e-3, kinds=("max",)))
    assert [r.high for r in found] == [1e-3, 2e-3, 3e-3]
    assert store.select(RecordFilter(names=names, unit="V", below=5)) == []
    assert [r.high for r in store.select(RecordFilter(unit="A", descending=True, limit=2))] == [9e-3, 3e-3]
    assert store.select(RecordFilter(documents=(SECOND,))) == []
    assert store.select(RecordFilter(names=())) == []


def test_a_correction_outlives_reindexing_and_moved_boxes(store: RecordStore) -> None:
    store.put(FIRST, [record(1), record(2)])
    box = record(1).box
    assert box is not None
    store.correct(record(1), {"value_raw": "7", "low": 7e-3, "high": 7e-3, "kind": "typ"})
    shifted = replace(record(1), id="new", box=Box(box.x0 + 2, box.y0 + 1, box.x1 + 2, box.y1 + 1))
    store.put(FIRST, [])
    store.put(FIRST, [shifted, record(2)])
    first, second = store.records([FIRST])
    assert (first.value_raw, first.high, first.kind, first.corrected, first.doubts) == (
        "7",
        7e-3,
        LimitKind.TYP,
        True,
        (),
    )
    assert not second.corrected
    assert store.withdraw(record(1)) == 1
    store.put(FIRST, [record(1)])
    assert [r.value_raw for r in store.records([FIRST])] == ["1"]


def test_only_known_fields_can_be_corrected(store: RecordStore) -> None:
    with pytest.raises(ValueError, match="document"):
        store.correct(record(1), {"document": "x"})
    with pytest.raises(ValueError, match="box"):
        store.correct(replace(record(1), box=None), {"value_raw": "1"})


def test_of_several_values_in_one_box_only_the_corrected_one_changes(store: RecordStore) -> None:
    first, second = record(1), replace(record(2, high=2e-3), box=record(1).box)
    store.put(FIRST, [first, second])
    store.correct(second, {"value_raw": "9", "low": 9e-3, "high": 9e-3})
    again = store.record(second.id)
    assert again is not None
    store.correct(again, {"kind": "typ"})
    store.put(FIRST, [first, second])
    read = list(store.records([FIRST]))
    assert [(one.value_raw, one.corrected) for one in read] == [(first.value_raw, False), ("9", True)]
    assert read[1].kind is LimitKind.TYP
    assert len(store.corrections(FIRST)) == 1


def test_where_a_new_parser_reads_another_text_the_box_decides(store: RecordStore) -> None:
    store.put(FIRST, [record(1)])
    store.correct(record(1), {"value_raw": "7", "low": 7e-3, "high": 7e-3})
    store.put(FIRST, [replace(record(1), id="other", value_raw="1l")])
    assert [one.value_raw for one in store.records([FIRST])] == ["7"]


def test_a_name_goes_with_its_last_record(store: RecordStore) -> None:
    store.put(FIRST, [record(1, parameter="Slew rate"), record(2)])
    store.put(SECOND, [replace(record(3, parameter="Slew rate"), document=SECOND)])
    store.put(FIRST, [record(2)])
    assert len(store.names([("slew",)])) == 1
    store.put(SECOND, [])
    assert store.names([("slew",)]) == []
    assert len(store.names([("supply",)])) == 1
