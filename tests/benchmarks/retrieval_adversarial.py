"""Retrieval on libraries made to mislead: sibling families, suffixes, revisions, file names that lie, mentions.

    python -m tests.benchmarks.retrieval_adversarial --cache FOLDER [--seed 1] [--show]

Writes some eighty Markdown notes of parts that do not exist, indexes them with the real embedder and asks questions
whose one right passage is known. One JSON line per kind of trap: recall of (file, section) at 1 and 5.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine.core.results import Hit
from engine.evaluate import metrics
from tests.benchmarks.retrieval_library import open_embedder, open_library

Place = tuple[str, str]
"""(file, title of the section)."""
_SECTIONS = ("Features", "Absolute Maximum Ratings", "Electrical Characteristics", "Pin Description", "Ordering")


@dataclass(frozen=True, slots=True)
class Asked:
    trap: str
    text: str
    wanted: tuple[Place, ...]
    """All must be found."""


@dataclass(slots=True)
class Shelf:
    """Files to write and what is asked of them."""

    chance: random.Random
    files: dict[str, str] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def sheet(self, part: str, kind: str, *, file: str = "", note: str = "", ordering: str = "") -> str:
        """One data sheet: the same headings and words for every part of a kind, other figures."""
        draw = self.chance
        name = file or f"{part.lower()}.md"
        limits = f"{draw.randint(20, 60)} V"
        quiet, drop, noise = draw.randint(11, 990), draw.randint(100, 900), draw.randint(5, 80)
        limiting, package = draw.choice(("thermal", "current")), draw.choice(("SOT-23", "MSOP-8", "TSSOP-16"))
        ordering = ordering or f"Order {part}-T for tape and reel. The marking is {draw.randint(100, 999)}."
        self.files[name] = f"""# {part} {kind}

## Features

The {part} is a {kind.lower()} for battery-powered equipment. {note}It has {limiting} limiting,
a shutdown input and comes in {package}. Low noise, low dropout and a small
solution size make it suitable for portable instruments, sensors and radio modules.

## Absolute Maximum Ratings

| Parameter | Value |
|---|---|
| Input voltage | {limits} |
| Junction temperature | {draw.choice((125, 135, 150))} °C |
| ESD, human body model | {draw.choice((1, 2, 4))} kV |

Stresses beyond these limits may cause permanent damage to the device. Exposure for long periods may affect reliability.

## Electrical Characteristics

| Parameter | Conditions | Min | Typ | Max | Unit |
|---|---|---|---|---|---|
| Quiescent current | no load | | {quiet} | {quiet + 30} | µA |
| Dropout voltage | 150 mA | | {drop} | {drop + 90} | mV |
| Output noise | 10 Hz to 100 kHz | | {noise} | | µV |

Unless stated otherwise the limits hold over the whole temperature range with the recommended capacitors.

## Pin Description

Pin 1 is the input, pin 2 ground, pin 3 the shutdown input, which is active {draw.choice(("low", "high"))}.
Pin 4 sets the soft-start time with a capacitor to ground; leave it open for the shortest time. Pin 5 is the output.

## Ordering

{ordering}
All versions are free of lead and halogen and are packed with a humidity indicator in a sealed bag.
"""
        return name

    def ask(self, trap: str, text: str, *wanted: Place) -> None:
        self.asked.append(Asked(trap, text, wanted))


def shelf(seed: int) -> Shelf:
    made = Shelf(random.Random(seed))
    stem = "".join(made.chance.choices("BCDFGHKLMNPRSTVWXZ", k=3))
    _siblings(made, stem)
    _suffixes(made, stem)
    _family_sheet(made, stem)
    _revisions(made, stem)
    _lying_files(made, stem)
    _mentions(made, stem)
    _hops(made, stem)
    _notes(made)
    return made


_LIMITS = "Electrical Characteristics"
_FACTS = (
    ("quiescent current", _LIMITS),
    ("dropout voltage at 150 mA", _LIMITS),
    ("input voltage it survives", "Absolute Maximum Ratings"),
    ("level that shuts it down", "Pin Description"),
)


def _siblings(made: Shelf, stem: str) -> None:
    """Sixteen parts that differ in one or two figures of their number."""
    parts = [f"{stem}34{number:02d}" for number in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 21, 31, 51, 52, 90)]
    for part in parts:
        made.sheet(part, "Low-Dropout Regulator")
    spell: tuple[Callable[[str], str], ...] = (
        str,
        str.lower,
        lambda part: f"{part[:3]}-{part[3:]}",
        lambda part: f"{part[:3]} {part[3:]}",
        lambda part: f"{part[:3].lower()}{part[3:]}s",
    )
    for place, part in enumerate(parts):
        fact, section = _FACTS[place % len(_FACTS)]
        typed = spell[place % len(spell)](part)
        made.ask("sibling", f"What is the {fact} of the {typed}?", (f"{part.lower()}.md", section))
    for one, other in zip(parts[::2], parts[1::2], strict=True):
        wanted = ((f"{one.lower()}.md", _LIMITS), (f"{other.lower()}.md", _LIMITS))
        made.ask("comparison", f"Which has the lower dropout voltage, {one} or {other.lower()}?", *wanted)
    for part in parts[:6]:
        text = f"how much does {part.lower()} draw when it is doing nothing"
        made.ask("colloquial", text, (f"{part.lower()}.md", _LIMITS))
        text = f"whats the most volts i can put into a {part.lower()} before it dies"
        made.ask("colloquial", text, (f"{part.lower()}.md", "Absolute Maximum Ratings"))


def _suffixes(made: Shelf, stem: str) -> None:
    """A base part, grades, a qualified version, a longer number: each with a sheet of its own."""
    base = f"{stem}72"
    names = [base, f"{base}A", f"{base}B", f"{base}-Q1", f"{base}0", f"{base}L-N", f"S{base}"]
    for part in names:
        made.sheet(part, "Precision Amplifier")
        made.ask("suffix", f"quiescent current of {part}", (f"{part.lower()}.md", _LIMITS))
        text = f"dropout of the {part.lower().replace('-', '')}"
        made.ask("suffix", text, (f"{part.lower()}.md", _LIMITS))


def _family_sheet(made: Shelf, stem: str) -> None:
    """One sheet for several parts, told apart by its sections."""
    parts = [f"{stem}2141", f"{stem}2142", f"{stem}2144"]
    text = f"# {parts[0]}/42/44 Microcontrollers\n\n## Features\n\nThree microcontrollers with the same core. "
    text += "They share the peripherals, the pins and the supply, and differ in memory only.\n"
    for part, memory in zip(parts, (32, 64, 128), strict=True):
        text += f"\n## {part} Memory\n\nThe {part} has {memory} kB of flash and {memory // 4} kB of RAM. "
        text += (
            "The memory is accelerated by a buffer, can be programmed in the system and keeps its data for years. " * 3
        )
    made.files["micro.md"] = text + "\n"
    for part in parts:
        made.ask("family sheet", f"How much RAM has the {part.lower()}?", ("micro.md", f"{part} Memory"))


def _revisions(made: Shelf, stem: str) -> None:
    part = f"{stem}5150"
    for revision in ("A", "B"):
        file = made.sheet(part, f"Reference, Revision {revision}", file=f"{part.lower()}_rev{revision.lower()}.md")
        text = f"quiescent current of the {part} according to revision {revision}"
        made.ask("revision", text, (file, _LIMITS))
    files = [f"{part.lower()}_rev{revision}.md" for revision in "ab"]
    made.ask("revision", f"{part} output noise", *((file, _LIMITS) for file in files))


def _lying_files(made: Shelf, stem: str) -> None:
    one, other = f"{stem}6201", f"{stem}6202"
    made.sheet(one, "Comparator", file=f"{other.lower()} comparator.md")
    made.sheet(other, "Comparator", file="scan0001.md")
    made.ask("lying file", f"quiescent current of {one}", (f"{other.lower()} comparator.md", _LIMITS))
    made.ask("lying file", f"Dropout voltage of the {other}?", ("scan0001.md", _LIMITS))


def _mentions(made: Shelf, stem: str) -> None:
    """Notes that name a part more often than its own sheet does."""
    part = f"{stem}3405"
    rows = "\n".join(f"| {stem}34{n:02d} | {made.chance.randint(1, 99)} µA |" for n in (1, 2, 3, 5, 6, 7, 8, 9))
    made.files["selection.md"] = (
        f"# Selection Guide for Regulators\n\n## Overview\n\n| Part | Quiescent current |\n|---|---|\n{rows}\n\n"
        "Choose the part by its quiescent current and its dropout voltage.\n"
    )
    praise = f"The {part} runs the {part} board; with the {part} quiescent current is no concern. "
    made.files["board.md"] = f"# Evaluation Board User Guide\n\n## Set-Up\n\n{praise * 6}\n"
    made.ask("mention", f"quiescent current of the {part}", (f"{part.lower()}.md", _LIMITS))
    made.ask("mention", f"{part.lower()} quiescent current max", (f"{part.lower()}.md", _LIMITS))
    made.ask("mention", "Which jumper runs the evaluation board's set-up?", ("board.md", "Set-Up"))


def _hops(made: Shelf, stem: str) -> None:
    old, new, note = f"{stem}8800", f"{stem}8815", "AN-9107"
    made.sheet(new, "Battery Charger")
    made.sheet(old, "Battery Charger", note=f"It is not recommended for new designs; use the {new}. ")
    made.files["an9107.md"] = (
        f"# {note} Charging from a Solar Cell\n\n## Parts\n\nThe circuit was tested with one charger, the {new}, "
        "behind a cell of six volts. Other chargers will work if their input stands the open voltage of the cell.\n"
    )
    text = f"The {old} sheet recommends another part for new designs. What is the dropout voltage of that part?"
    made.ask("hop", text, (f"{old.lower()}.md", "Features"), (f"{new.lower()}.md", _LIMITS))
    text = f"What quiescent current has the charger that {note} was tested with?"
    made.ask("hop", text, ("an9107.md", "Parts"), (f"{new.lower()}.md", _LIMITS))
    text = f"{old.lower()} replacement max input voltage"
    made.ask("hop", text, (f"{new.lower()}.md", "Absolute Maximum Ratings"))


_PEOPLE = (
    ("Mirelle Ostrander", "Halvard Quist", "Tammervik"),
    ("Bodo Achterberg", "Lucinda Farrowmoor", "Port Ellery"),
    ("Quentin Sallow", "Imke Brandvold", "Great Wexcombe"),
)


def _notes(made: Shelf) -> None:
    """Notes as people keep them: a project, its lead, where the lead sits."""
    for number, (lead, builder, town) in enumerate(_PEOPLE):
        project = ("Glasshouse", "Tidewater", "Nightjar")[number]
        made.files[f"notes/{project.lower()}.md"] = (
            f"# Project {project}\n\nProject {project} is led by {lead}. It measures the weather for the harbour.\n"
        )
        made.files[f"notes/{lead.split()[1].lower()}.md"] = (
            f"# {lead}\n\n{lead} works with {builder} and sits at the {town} office. Speaks three languages.\n"
        )
        made.files[f"notes/{builder.split()[1].lower()}.md"] = f"# {builder}\n\n{builder} builds antennas and masts.\n"
        own = (f"notes/{project.lower()}.md", f"Project {project}")
        made.ask(
            "notes hop",
            f"At which office sits the lead of project {project.lower()}?",
            own,
            (f"notes/{lead.split()[1].lower()}.md", lead),
        )
        made.ask(
            "notes hop",
            f"What does the colleague of {lead} build?",
            (f"notes/{lead.split()[1].lower()}.md", lead),
            (f"notes/{builder.split()[1].lower()}.md", builder),
        )


def figures(cache: Path, models: Path, seed: int, show: bool) -> Iterator[dict[str, object]]:
    """One line per trap, then all together."""
    made = shelf(seed)
    folder = cache / f"adversarial-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in made.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    embedder = open_embedder(models, cache)
    library = open_library(f"adversarial-{seed}-home", folder, cache, embedder, models)
    retriever = library.retriever()
    ranks: dict[str, list[int | None]] = defaultdict(list)
    for asked in made.asked:
        hits = retriever.search(asked.text, 10).hits
        for wanted in asked.wanted:
            rank = next((hit.rank for hit in hits if _is(hit, wanted)), None)
            ranks[asked.trap].append(rank)
            if show and (rank or 99) > len(asked.wanted):
                first = "; ".join(f"{hit.places[0].file} > {hit.segment.path[-1]}" for hit in hits[:4])
                print(f"# {asked.trap}: {asked.text}\n#   {wanted} at {rank}; first: {first}")
    library.close()
    embedder.close()
    for trap, found in (*ranks.items(), ("all", [rank for some in ranks.values() for rank in some])):
        figure: dict[str, object] = {"trap": trap, "seed": seed, "wanted": len(found)}
        for k in (1, 5):
            hit = sum(rank is not None and rank <= k for rank in found)
            interval = metrics.wilson(hit, len(found))
            figure[f"recall_at_{k}"] = round(hit / len(found), 3)
            figure[f"recall_at_{k}_interval"] = [round(interval.low, 3), round(interval.high, 3)]
        yield figure


def _is(hit: Hit, wanted: Place) -> bool:
    """Short sections share a passage, which then holds their headings."""
    file, section = wanted
    held = section in (*hit.segment.path, hit.segment.title) or f"\n{section}\n" in f"\n{hit.segment.text}\n"
    return hit.places[0].file == file and held


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--models", type=Path, default=Path(os.environ.get("SHEAF_MODELS", "")))
    arguments.add_argument("--cache", type=Path, required=True)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", action="store_true", help="print what was not found first")
    chosen = arguments.parse_args()
    for figure in figures(chosen.cache, chosen.models, chosen.seed, chosen.show):
        print(json.dumps({"benchmark": "retrieval_adversarial", **figure}), flush=True)


if __name__ == "__main__":
    main()
