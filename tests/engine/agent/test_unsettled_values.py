"""What a preliminary sheet leaves open is no value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.agent.computed import draft_from_records
from engine.agent.draft import Notes
from engine.core.events import ignore
from engine.core.model import SegmentKind
from engine.parameters.records import extract_records
from tests.engine.agent.shelf import REGULATOR_TABLE, Shelf, sources_of
from tests.engine.parameters.tables import LIMITS, parsed, table


@pytest.mark.parametrize(
    ("short", "answered"),
    [("45 µA", True), ("<tbd> mA", False), ("TBD", False), ("to be determined", False)],
)
def test_a_value_yet_to_be_settled_is_not_answered(short: str, answered: bool) -> None:
    pieces = [(SegmentKind.TABLE, "Electrical Characteristics", REGULATOR_TABLE)]
    library = Shelf(("tpx12.pdf", "TPX12 Regulator", ("TPX12",), pieces))
    row = ("Supply current", "ICC", "VIN = 5 V", "", "32", "45", "µA")
    found = extract_records(library.documents()[0].id, parsed([table(LIMITS, [row])]), ("TPX12",))
    record = replace(next(one for one in found if one.value_raw == "45"), page=1)
    question = "What is the maximum supply current of the TPX12?"
    text = f"TPX12: supply current maximum {short}."
    draft = draft_from_records(question, short, text, [record], (), sources_of(library), Notes(ignore))
    assert (draft is not None) is answered
