"""Queries over a made-up store of very many records: insertion, library-wide bounds, values of named parts."""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from engine.core.ids import DocumentId
from engine.core.model import Box, Condition, LimitKind, ParameterRecord, RecordSection
from engine.core.results import DocumentInfo, DocumentStatus, Place
from engine.parameters.compute import answer_from_records
from engine.parameters.concepts import load_concepts
from engine.parameters.finding import find
from engine.store.records import RecordStore

_PER_DOCUMENT = 50
_TITLES = (
    "Operational Amplifier",
    "Voltage Regulator",
    "Microcontroller",
    "Temperature Sensor",
    "Transistor",
    "Converter",
)
_QUALIFIERS = ("", "", "", "per channel", "active mode", "at full load", "total", "each output", "channel A", "port B")
_BOUNDS = (
    ("supply current max < {:.4g} uA", 1.0, 400.0),
    ("standby current max < {:.4g} uA", 1.0, 100.0),
    ("input offset voltage max < {:.4g} mV", 0.1, 50.0),
    ("supply voltage min <= {:.4g} V", 1.0, 5.0),
    ("propagation delay max < {:.4g} ns", 5.0, 500.0),
    ("junction temperature max >= {:.4g} °C", 80.0, 200.0),
    ("output current max > {:.4g} mA", 10.0, 900.0),
    ("conversion time max < {:.4g} ms", 0.1, 900.0),
)
_SCALE = {
    "A": (1e-6, "µA"),
    "V": (1e-3, "mV"),
    "s": (1e-9, "ns"),
    "Hz": (1e3, "kHz"),
    "°C": (1.0, "°C"),
    "W": (1e-3, "mW"),
}


def _documents(count: int) -> list[DocumentInfo]:
    return [
        DocumentInfo(
            DocumentId(f"{number:064x}"), f"ZX{number:05d} {_TITLES[number % len(_TITLES)]}", "pdf",
            DocumentStatus.INDEXED, (Place("/library", f"zx{number:05d}.pdf"),), 20, 100, parts=(f"ZX{number:05d}",),
        )
        for number in range(count)
    ]  # fmt: skip


def _records(rng: random.Random, document: DocumentInfo) -> Iterator[ParameterRecord]:
    concepts = load_concepts()
    keys = sorted(concepts.keys())
    box = Box(100, 100, 140, 112)
    for number in range(_PER_DOCUMENT):
        concept = concepts[rng.choice(keys)]
        unit = sorted(concept.units)[0]
        scale, printed = _SCALE.get(unit, (1.0, unit))
        name = " ".join((*rng.choice(concept.names), rng.choice(_QUALIFIERS))).strip().capitalize()
        value = rng.uniform(1, 1000) * scale
        yield ParameterRecord(
            f"{document.id[-8:]}{number:04d}", document.id, number // 10, number % 10, 3, document.parts, name,
            next(iter(sorted(concept.symbols)), "").upper(), rng.choice((LimitKind.MIN, LimitKind.TYP, LimitKind.MAX)),
            RecordSection.CHARACTERISTICS, f"{value / scale:.4g}", printed, value, value, unit,
            (Condition("VCC = 5 V", "VCC", "=", 5.0, 5.0, "V"),), "Table 1", ("5 Characteristics",), 7, box, box, 1.0,
        )  # fmt: skip


def _figures(name: str, measured: list[tuple[float, float]]) -> dict[str, object]:
    """`p95_cpu_ms` is this process's own time: what other work on the machine does not lengthen."""
    ordered, own = sorted(wall for wall, _ in measured), sorted(cpu for _, cpu in measured)
    return {
        "benchmark": f"parameters.speed.{name}",
        "queries": len(ordered),
        "p50_ms": round(statistics.median(ordered) * 1e3, 2),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))] * 1e3, 2),
        "p95_cpu_ms": round(own[int(0.95 * (len(own) - 1))] * 1e3, 2),
        "per_second": round(len(ordered) / sum(ordered), 1),
    }


def _timed(calls: Sequence[Callable[[], object]]) -> list[tuple[float, float]]:
    """(seconds, seconds of this process) of each call."""
    found = []
    for call in calls:
        started, own = time.perf_counter(), time.process_time()
        call()
        found.append((time.perf_counter() - started, time.process_time() - own))
    return found


def speed_benchmark(count: int, home: Path | None) -> None:
    """Fill a store (kept and reused in `home` if given) and time queries against it."""
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        store = RecordStore((home or Path(folder)) / f"records-{count}.db")
        documents = _documents(count // _PER_DOCUMENT)
        if store.count() < count:
            started = time.perf_counter()
            for document in documents:
                store.put(document.id, list(_records(rng, document)))
            seconds = time.perf_counter() - started
            print(json.dumps({"benchmark": "parameters.speed.insert", "records_per_second": round(count / seconds)}))
        print(
            json.dumps(
                {"benchmark": "parameters.speed.size", "records": store.count(), "bytes": store.path.stat().st_size}
            )
        )
        bounds = [form.format(rng.uniform(low, high)) for _ in range(12) for form, low, high in _BOUNDS]
        chosen = [rng.choice(documents).parts[0] for _ in range(60)]
        wide = [partial(find, bound, store, documents) for bound in bounds]
        kinds = [partial(find, bound, store, documents, about="temperature sensor") for bound in bounds[:24]]
        asked = [f"What is the maximum supply current of the {part}?" for part in chosen]
        named = [partial(answer_from_records, question, store, documents) for question in asked]
        _timed([*wide[:8], *named[:2]])  # caches warm, as after the first questions of a session
        print(json.dumps(_figures("bound", _timed(wide))))
        print(json.dumps(_figures("bound_about", _timed(kinds))))
        print(json.dumps(_figures("named_part", _timed(named))))
        store.close()
    sys.stdout.flush()
