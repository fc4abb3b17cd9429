"""What is known to go wrong on a page, so that a second attempt goes round it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Faults:
    """Pages the layout pass failed on (`plain`: use their plain text), pages that even plain text fails on (`lost`),
    each with its reason, and whether the pass over the whole document failed (`flat`: paragraphs only)."""

    plain: dict[int, str] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    flat: str = ""

    def after(self, page: int, reason: str) -> Faults:
        """One failure more: of the pass over `page`, or over the whole document if `page` is 0."""
        if page == 0:
            return Faults(self.plain, self.lost, reason)
        if page in self.plain:
            return Faults(self.plain, {**self.lost, page: reason}, self.flat)
        return Faults({**self.plain, page: reason}, self.lost, self.flat)

    @property
    def count(self) -> int:
        return len(self.plain) + len(self.lost) + bool(self.flat)
