"""Parameters of parts side by side, and parts found by their limits."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from desktop.bridge.operation import Operation
from engine.core.cancel import CancelToken
from engine.core.events import Emit
from engine.core.ids import DocumentId
from engine.core.model import Amendment, Box

if TYPE_CHECKING:
    from engine.api import Engine

_BYTE_ORDER_MARK = "\ufeff"
_FORMULA_SIGNS = ("=", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Value:
    """One printed value. `number` orders it among others of its parameter; `doubt` says why it cannot be asserted."""

    text: str
    number: float | None
    conditions: str
    file: str
    page: int
    box: Box | None
    parameter: str
    doubt: str
    record: str = ""
    printed: str = ""
    unit: str = ""
    kind: str = ""
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """What a user says of the value of a record."""

    record: str
    value: str
    unit: str
    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """A part of a document, with all values of each parameter."""

    document: DocumentId
    part: str
    title: str
    cells: tuple[tuple[Value, ...], ...]
    note: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """Parts x parameters; `note` says what was looked through."""

    parameters: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str


class _Cell(Protocol):
    """What is read of the engine's cells."""

    @property
    def value(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def conditions(self) -> tuple[str, ...]: ...
    @property
    def file(self) -> str: ...
    @property
    def page(self) -> int: ...
    @property
    def box(self) -> Box | None: ...
    @property
    def parameter(self) -> str: ...
    @property
    def section(self) -> str: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def doubts(self) -> tuple[str, ...]: ...
    @property
    def sure(self) -> bool: ...
    @property
    def record(self) -> str: ...
    @property
    def corrected(self) -> bool: ...


class _Line(Protocol):
    """What is read of the engine's rows."""

    @property
    def document(self) -> DocumentId: ...
    @property
    def title(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def cells(self) -> Sequence[Sequence[_Cell]]: ...
    @property
    def note(self) -> str: ...


def compare(library: str, parameters: Sequence[str], documents: Sequence[str], about: str) -> Operation[Sheet]:
    """`documents` are file names, titles or parts; without them and without `about` it is the whole library."""
    return Operation("Compare", lambda engine, _emit, _cancel: _compared(engine, library, parameters, documents, about))


def find(library: str, expression: str, about: str) -> Operation[Sheet]:
    """Parts whose limits keep an expression such as "supply current max < 50 uA"."""
    return Operation("Find parts", lambda engine, _emit, _cancel: _found(engine, library, expression, about))


def correct(library: str, correction: Correction) -> Operation[None]:
    """Keep a correction of a value."""

    def call(engine: Engine, _emit: Emit, _cancel: CancelToken) -> None:
        amended = Amendment(correction.value, correction.unit, correction.kind)
        engine.corrections(library).correct(correction.record, amended)

    return Operation("Correct a value", call)


def withdraw_correction(library: str, record: str) -> Operation[None]:
    """Forget the correction of a value and read its document again."""

    def call(engine: Engine, emit: Emit, cancel: CancelToken) -> None:
        if engine.corrections(library).withdraw(record):
            engine.index(library, emit=emit, cancel=cancel)

    return Operation("Forget a correction", call)


def save_sheet(sheet: Sheet, path: Path) -> Operation[None]:
    return Operation("Save table", lambda engine, _emit, _cancel: engine.write_text(path, as_csv(sheet)))


def as_csv(sheet: Sheet) -> str:
    """A line a part; for each parameter its values, their conditions and where they stand.

    Starts with a byte order mark, without which spreadsheets take "µ" and "Ω" for something else.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [head for name in sheet.parameters for head in (name, f"{name}: conditions", f"{name}: source")]
    writer.writerow(["Part", "Document", *map(_harmless, heads), "Remark"])
    for row in sheet.rows:
        line = [row.part, row.title]
        for values in row.cells:
            line.append("; ".join(one.text + (" (?)" if one.doubt else "") for one in values))
            line.append("; ".join(one.conditions for one in values if one.conditions))
            line.append("; ".join(dict.fromkeys(f"{one.file}, page {one.page}" for one in values)))
        writer.writerow([_harmless(text) for text in (*line, row.note)])
    return _BYTE_ORDER_MARK + out.getvalue()


def _compared(engine: Engine, library: str, parameters: Sequence[str], documents: Sequence[str], about: str) -> Sheet:
    table = engine.compare(library, parameters, documents=documents, about=about)
    rows = _rows(table.rows, doubtful=False)
    note = _count(len(rows)) + "." if rows else "No document chosen gives any of these parameters."
    return Sheet(table.parameters, rows, " ".join((note, *table.warnings)))


def _found(engine: Engine, library: str, expression: str, about: str) -> Sheet:
    found = engine.find(library, expression, about=about)
    rows = (*_rows(found.rows, doubtful=False), *_rows(found.doubtful, doubtful=True))
    note = _count(len(found.rows)) if found.rows else "No part for certain"
    if found.doubtful:
        note += f", {len(found.doubtful)} more to be looked at"
    examined = f"; {found.examined} of {found.of} documents give what was asked." if found.of else "."
    return Sheet(found.parameters, rows, " ".join((note + examined, *found.warnings)))


def _count(parts: int) -> str:
    return f"{parts:,} part{'' if parts == 1 else 's'}"


def _rows(lines: Iterable[_Line], *, doubtful: bool) -> tuple[Row, ...]:
    return tuple(
        Row(
            line.document,
            line.part,
            line.title,
            tuple(tuple(_value(cell) for cell in column) for column in line.cells),
            line.note,
            doubtful,
        )
        for line in lines
    )


def _value(cell: _Cell) -> Value:
    limit = "" if cell.kind == "value" else cell.kind
    text = " ".join(part for part in (cell.value, cell.unit, limit) if part)
    number = cell.low if cell.low is not None else cell.high
    doubt = "" if cell.sure else "; ".join(cell.doubts) or "the table could not be read for sure"
    conditions = ", ".join(cell.conditions)
    if cell.section == "absolute_maximum":
        conditions = ", ".join(filter(None, ("absolute maximum rating", conditions)))
    return Value(
        text, number, conditions, cell.file, cell.page, cell.box, cell.parameter, doubt,
        cell.record, cell.value, cell.unit, cell.kind, cell.corrected,
    )  # fmt: skip


def _harmless(text: str) -> str:
    """A spreadsheet would run a cell that begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text
