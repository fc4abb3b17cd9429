"""The two themes: named colours, the Qt palette and the style sheet made from them."""

from __future__ import annotations

import string
from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

import resources


class ThemeChoice(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """Every colour the window uses. Text on its ground has a contrast of at least 4.5 to 1."""

    ground: str
    surface: str
    raised: str
    line: str
    text: str
    quiet: str
    accent: str
    on_accent: str
    accent_soft: str
    good: str
    doubt: str
    bad: str
    highlight: str
    """Laid over the words of a page, with transparency."""


LIGHT = Colours(
    ground="#f4f3ef",
    surface="#ffffff",
    raised="#faf9f6",
    line="#d9d6cd",
    text="#1f2328",
    quiet="#5d636b",
    accent="#0b5c7a",
    on_accent="#ffffff",
    accent_soft="#dcebf1",
    good="#1d6b3a",
    doubt="#8a5a00",
    bad="#a4282c",
    highlight="#ffe06b",
)
DARK = Colours(
    ground="#17191c",
    surface="#1f2226",
    raised="#272b30",
    line="#3a3f46",
    text="#e8e6e1",
    quiet="#a3a8b0",
    accent="#6cb8d6",
    on_accent="#10222b",
    accent_soft="#1d3947",
    good="#7cc796",
    doubt="#e0b055",
    bad="#f0888b",
    highlight="#ffd84d",
)


def colours(choice: ThemeChoice, application: QApplication) -> Colours:
    if choice is ThemeChoice.SYSTEM:
        dark = application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return DARK if dark else LIGHT
    return DARK if choice is ThemeChoice.DARK else LIGHT


def apply_theme(application: QApplication, choice: ThemeChoice) -> Colours:
    """Give the whole application the chosen theme and return its colours."""
    chosen = colours(choice, application)
    application.setStyle("Fusion")
    application.setPalette(_palette(chosen))
    template = string.Template(resources.read_text("style", "sheaf.qss"))
    icons = {name: _icon(name, dark=chosen is DARK) for name in ("chevron", "check")}
    application.setStyleSheet(template.substitute(asdict(chosen), **icons))
    return chosen


def _icon(name: str, *, dark: bool) -> str:
    return resources.find("icons", f"{name}_{'dark' if dark else 'light'}.svg").as_posix()


def _palette(chosen: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for each, name in (
        (role.Window, chosen.ground),
        (role.WindowText, chosen.text),
        (role.Base, chosen.surface),
        (role.AlternateBase, chosen.raised),
        (role.Text, chosen.text),
        (role.PlaceholderText, chosen.quiet),
        (role.Button, chosen.raised),
        (role.ButtonText, chosen.text),
        (role.ToolTipBase, chosen.raised),
        (role.ToolTipText, chosen.text),
        (role.Highlight, chosen.accent),
        (role.HighlightedText, chosen.on_accent),
        (role.Link, chosen.accent),
        (role.Accent, chosen.accent),
    ):
        palette.setColor(each, QColor(name))
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(chosen.quiet))
    return palette
