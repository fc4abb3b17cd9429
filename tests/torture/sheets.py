"""Random changes of a watched folder whose files are small data sheets: with parts, limit tables and mentions."""

from __future__ import annotations

from pathlib import Path

from tests.torture.changes import WORDS, Changes

_ROWS = (
    ("Supply current", "µA", 5, 900),
    ("Offset voltage", "mV", 1, 20),
    ("Output current", "mA", 20, 900),
    ("Dropout voltage", "V", 1, 4),
)


class SheetChanges(Changes):
    """As :class:`Changes`, with Markdown sheets that the real reader reads. `unique` are words of one sheet each."""

    suffix = ".md"
    most = 40

    def text(self) -> str:
        self.made += 1
        chance = self.random
        part = f"TX{chance.randint(400, 430)}"
        words = " ".join(chance.choices(WORDS, k=chance.randint(8, 90)))
        body = [
            f"# {part} Regulator",
            f"Rev. {chance.choice('ABCD')}, {2000 + self.made % 20}-0{chance.randint(1, 9)}",
            f"## 1 Description\n\nUnique{self.made}word {words}. It replaces the TX{chance.randint(400, 430)}.",
            "## 2 Electrical Characteristics\n\n" + self._table(),
        ]
        for section in range(chance.randint(0, 3)):
            more = " ".join(chance.choices(WORDS, k=chance.randint(5, 80)))
            body.append(f"## {section + 3} {chance.choice(WORDS).title()}\n\nUnique{self.made}part{section} {more}.")
        return "\n\n".join(body) + "\n"

    def _table(self) -> str:
        lines = ["| Parameter | Min | Typ | Max | Unit |", "| --- | --- | --- | --- | --- |"]
        for name, unit, low, high in _ROWS:
            typical = self.random.randint(low, high)
            lines.append(f"| {name} | | {typical} | {typical + self.random.randint(1, 9)} | {unit} |")
        return "\n".join(lines)

    def damage(self, chosen: Path) -> None:
        """A file that cannot be read."""
        chosen.write_bytes(b"")
