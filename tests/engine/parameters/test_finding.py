"""Parametric search over a library, and tables of parts by parameters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.model import LimitKind, RecordSection
from engine.core.ports import RecordFilter
from engine.parameters.finding import compare, find
from engine.parameters.results import SURE
from tests.engine.parameters.conftest import Shelf
from tests.engine.parameters.tables import LIMITS, parsed, table


def parts(shelf: Shelf, expression: str, about: str = "", where: tuple[str, ...] = ()) -> list[str]:
    result = find(expression, shelf.store, shelf.documents, about=about, where=where)
    return [part for row in result.rows for part in row.part.split(", ")]


@pytest.mark.parametrize(
    ("expression", "about", "found"),
    [
        ("supply current max < 50 uA", "", ["AX101", "AX205"]),
        ("supply current max < 100 uA", "op amp", ["AX101", "AX205", "AX102"]),
        ("supply current max > 50 uA", "op amps", ["AX102"]),
        ("supply current max < 50 uA and supply voltage min <= 3 V", "op amp", ["AX101"]),
        ("quiescent current < 70 µA", "regulator", ["RG317", "RG317L"]),
        ("output current min >= 1.5 A", "", ["RG317"]),
        ("input offset voltage < 1.5 mV at 25 °C", "", ["AX205", "AX102"]),
        ("supply current max < 1 uA", "", []),
    ],
)
def test_bounds_hold_for_every_part_found(shelf: Shelf, expression: str, about: str, found: list[str]) -> None:
    assert parts(shelf, expression, about) == found


def test_a_value_that_depends_on_conditions_is_doubtful(shelf: Shelf) -> None:
    result = find("input offset voltage < 1.5 mV", shelf.store, shelf.documents)
    assert [row.part for row in result.rows] == ["AX205"]
    assert [(row.part, row.note) for row in result.doubtful] == [("AX102", "it depends on the conditions")]


def test_a_cell_says_where_it_stands(shelf: Shelf) -> None:
    result = find("supply current max < 50 uA", shelf.store, shelf.documents)
    cell = result.rows[0].cells[0][0]
    assert (cell.value, cell.unit, cell.kind, cell.file, cell.page) == ("40", "µA", "max", "AX101.pdf", 3)
    assert cell.box is not None
    assert cell.conditions == ("VCC = 3 V",)
    assert result.examined == 4
    assert result.of == 4


def test_where_restricts_to_stated_conditions(shelf: Shelf) -> None:
    assert parts(shelf, "input offset voltage < 2.5 mV", where=("TA = 25 °C",)) == ["AX205", "AX102", "AX101"]
    assert parts(shelf, "supply current < 50 uA", where=("VCC = 5 V",)) == []


def test_a_rating_is_no_operating_range(shelf: Shelf) -> None:
    rated = table(("Symbol", "Parameter", "Value", "Unit"), [("VCC", "Supply voltage", "−0.3 to 7", "V")])
    shelf.add(9, "QZ900", ("QZ900",), parsed([rated], heading="Absolute maximum ratings"))
    result = find("supply voltage includes 3 V", shelf.store, shelf.documents)
    assert [row.part for row in result.rows] == ["AX101", "AX102"] or {row.part for row in result.rows} == {
        "AX101",
        "AX102",
    }
    assert "QZ900" in {row.part for row in result.doubtful}


def test_currents_count_by_magnitude(shelf: Shelf) -> None:
    shelf.add(
        9, "QZ900", ("QZ900",), parsed([table(LIMITS, [("Input leakage current", "IIL", "", "", "", "−200", "µA")])])
    )
    assert parts(shelf, "input leakage current <= 1 µA") == []
    assert parts(shelf, "input leakage current >= 100 µA") == ["QZ900"]


def test_an_expression_without_a_parameter_says_so(shelf: Shelf) -> None:
    result = find("< 5", shelf.store, shelf.documents)
    assert result.rows == ()
    assert result.warnings


def test_a_comparison_table_leaves_missing_cells_blank(shelf: Shelf) -> None:
    made = compare(["supply current max", "output current min"], shelf.store, shelf.documents)
    rows = {row.part: row.cells for row in made.rows}
    assert [cell.value for cell in rows["AX101"][0]] == ["40"]
    assert rows["AX101"][1] == ()
    assert [cell.value for cell in rows["RG317"][1]] == ["1.5"]
    assert rows["RG317L"][1] == ()
    assert made.warnings == ()
    assert compare(["???"], shelf.store, shelf.documents).warnings


def test_a_comparison_begins_with_the_parts_that_leave_the_fewest_blanks(shelf: Shelf) -> None:
    made = compare(["supply current max", "output current min"], shelf.store, shelf.documents)
    filled = [sum(bool(cell) for cell in row.cells) for row in made.rows]
    assert (shelf.documents[0].parts, made.rows[0].part) == (("AX101",), "RG317")
    assert filled == sorted(filled, reverse=True)


def test_parts_and_limits_of_one_sheet_stay_apart(shelf: Shelf) -> None:
    made = compare(["output current"], shelf.store, shelf.documents[3:])
    values = {row.part: [(cell.kind, cell.value) for cell in row.cells[0]] for row in made.rows}
    assert values == {"RG317": [("min", "1.5"), ("typ", "2.2")], "RG317L": [("typ", "0.1"), ("max", "0.2")]}


def test_the_change_of_a_parameter_is_not_the_parameter(shelf: Shelf) -> None:
    rows = [
        ("Adjust pin current", "IADJ", "", "", "", "90", "µA"),
        ("Adjust pin current change", "ΔIADJ", "", "", "", "5", "µA"),
    ]
    shelf.add(9, "QZ900 regulator", ("QZ900",), parsed([table(LIMITS, rows)]))
    assert parts(shelf, "adjust pin current max < 50 uA") == []
    assert parts(shelf, "adjust pin current change max < 50 uA") == ["QZ900"]


def test_any_part_is_no_kind_of_device(shelf: Shelf) -> None:
    assert {"AX101", "AX102"} <= set(parts(shelf, "Which parts run from 3 V?"))


def test_what_a_table_says_uncertainly_yields_to_the_features(shelf: Shelf) -> None:
    info = shelf.documents[0]
    records = shelf.store.select(RecordFilter(documents=(info.id,), limit=100))
    current = next(one for one in records if one.parameter == "Supply current" and one.kind is LimitKind.MAX)
    unsure = replace(current, confidence=SURE - 0.2)
    told = replace(current, id="f" * len(current.id), section=RecordSection.FEATURES, low=45e-6, high=45e-6)
    shelf.store.put(info.id, [unsure])
    assert "AX101" not in parts(shelf, "supply current max < 50 uA")
    shelf.store.put(info.id, [unsure, told])
    assert "AX101" in parts(shelf, "supply current max < 50 uA")
    shelf.store.put(info.id, [current, replace(told, low=60e-6, high=60e-6)])
    assert "AX101" in parts(shelf, "supply current max < 50 uA")
