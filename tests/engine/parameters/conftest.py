"""A small library of look-alike sheets, from hand-made tables through the real records and the real store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.core.ids import DocumentId
from engine.core.model import ParsedDocument
from engine.core.results import DocumentInfo, DocumentStatus, Place
from engine.parameters.compute import answer_from_records
from engine.parameters.records import extract_records
from engine.parameters.results import ComputedAnswer
from engine.store.records import RecordStore
from tests.engine.parameters.tables import LIMITS, parsed, table


@dataclass
class Shelf:
    """Documents with their records in a store."""

    store: RecordStore
    documents: list[DocumentInfo]

    def add(self, number: int, title: str, parts: tuple[str, ...], document: ParsedDocument) -> DocumentInfo:
        identity = DocumentId(f"{number:064d}")
        self.store.put(identity, extract_records(identity, document, parts))
        info = DocumentInfo(
            identity, title, "pdf", DocumentStatus.INDEXED, (Place("/lib", f"{parts[0]}.pdf"),), 9, 1, parts=parts
        )
        self.documents.append(info)
        return info


def ask(shelf: Shelf, question: str) -> ComputedAnswer:
    """The computed answer to a question that the records must answer."""
    answer = answer_from_records(question, shelf.store, shelf.documents)
    assert answer is not None, question
    return answer


def amplifier(current: str, offset: str, low: str, high: str, typ: str = "") -> ParsedDocument:
    """An op amp: characteristics, operating conditions and ratings, each under its own heading."""
    rows = [
        ("Supply current", "ICC", "VCC = 3 V", "", typ, current, "µA"),
        ("Input offset voltage", "VOS", "TA = 25 °C", "", "0.05", offset, "mV"),
        ("Input offset voltage", "VOS", "TA = −40 °C to +85 °C", "", "", str(float(offset) * 2), "mV"),
        ("Slew rate", "SR", "", "", "0.4", "", "V/µs"),
    ]
    operating = table(
        LIMITS, [("Supply voltage", "VCC", "", low, "", high, "V")], caption="Recommended operating conditions"
    )
    rating = table(
        ("Symbol", "Parameter", "Value", "Unit"),
        [("VCC", "Supply voltage", "7", "V")],
        caption="Absolute maximum ratings",
    )
    return parsed([table(LIMITS, rows), operating, rating])


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(RecordStore(tmp_path / "library.db"), [])
    made.add(1, "AX101 Low-Power Operational Amplifier", ("AX101",), amplifier("40", "2", "2.7", "5.5", "25"))
    made.add(2, "AX102 Operational Amplifier", ("AX102",), amplifier("90", "1", "2.7", "5.5", "45"))
    made.add(3, "AX205 Precision Operational Amplifier", ("AX205",), amplifier("45", "0.1", "4.5", "5.5"))
    made.add(
        4,
        "RG317 Adjustable Regulator",
        ("RG317", "RG317L"),
        parsed(
            [
                table(
                    ("Parameter", "Device", "Conditions", "Min", "Typ", "Max", "Unit"),
                    [
                        ("Output current", "RG317", "VI = 10 V", "1.5", "2.2", "", "A"),
                        ("Output current", "RG317L", "VI = 10 V", "", "0.1", "0.2", "A"),
                        ("Quiescent current", "", "VI = 10 V", "", "", "60", "µA"),
                        ("Adjust pin current", "", "IOUT = 10 mA", "", "50", "100", "µA"),
                    ],
                )
            ]
        ),
    )
    yield made
    made.store.close()


@pytest.fixture
def sheets() -> Callable[[Sequence[DocumentInfo]], list[str]]:
    """Files of documents, sorted."""
    return lambda documents: sorted(document.places[0].file for document in documents)
