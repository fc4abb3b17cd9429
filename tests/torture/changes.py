"""Random changes of a watched folder: add, change, copy, move, rename, delete files and folders."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

WORDS = ("amplifier", "regulator", "offset", "current", "supply", "voltage", "noise", "thermal", "package", "register")


class Changes:
    """Makes random changes below `root`, reproducibly."""

    suffix = ".txt"
    most = 10**9
    """Files from which on some are deleted first."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        self.made = 0
        root.mkdir(parents=True, exist_ok=True)

    def make(self, count: int) -> None:
        for _ in range(count):
            self.one()

    def one(self) -> None:
        files = sorted(path for path in self.root.rglob(f"*{self.suffix}") if path.is_file())
        if len(files) < 4:
            self.add()
            return
        chosen = self.random.choice(files)
        if len(files) > self.most:
            self.delete(chosen)
            return
        what = self.random.choices(
            (self.add, self.change, self.copy, self.move, self.delete, self.damage, self.move_folder),
            (12, 8, 4, 6, 6, 1, 2),
        )[0]
        what(chosen)

    def text(self) -> str:
        self.made += 1
        parts = [f"# Part TX{self.made}"]
        for section in range(self.random.randint(1, 4)):
            words = " ".join(self.random.choices(WORDS, k=self.random.randint(5, 120)))
            parts.append(f"## Section {section}\n\nUnique{self.made}x{section} {words}.")
            if self.random.random() < 0.3:
                parts[-1] += "\n---\nOn the next page."
        return "\n\n".join(parts)

    def fresh(self) -> Path:
        folder = self.root / self.random.choice(("", "a", "b", "a/c"))
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"f{self.random.randint(0, 10**9)}{self.suffix}"

    def add(self, _chosen: Path | None = None) -> None:
        self.fresh().write_text(self.text(), encoding="utf-8")

    def change(self, chosen: Path) -> None:
        chosen.write_text(self.text(), encoding="utf-8")

    def copy(self, chosen: Path) -> None:
        shutil.copy(chosen, self.fresh())

    def move(self, chosen: Path) -> None:
        chosen.rename(self.fresh())

    def delete(self, chosen: Path) -> None:
        chosen.unlink()

    def damage(self, chosen: Path) -> None:
        """A file that the reader refuses."""
        chosen.write_text("!fail it is damaged", encoding="utf-8")

    def move_folder(self, _chosen: Path) -> None:
        for source, target in (("a", "d"), ("d", "a")):
            if (self.root / source).is_dir() and not (self.root / target).exists():
                (self.root / source).rename(self.root / target)
                return
