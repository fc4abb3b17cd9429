"""What the window does while nobody uses it: abstracts are worded, within a budget, and give way at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLineEdit

from desktop.windows.idle_desk import IdleDesk
from engine.core.settings import Settings
from tests.desktop.scripted import ScriptedEngine
from tests.desktop.stage import Stage

Open = Callable[..., Stage]


def _idle(stage: Stage) -> IdleDesk:
    """Let the window think that a second of quiet is enough."""
    stage.until(lambda: stage.window.library_desk.current == "parts")
    stage.window.idle_desk.quiet_seconds = 0.0
    return stage.window.idle_desk


def test_abstracts_are_worded_while_the_user_is_away(
    open_stage: Open, scripted: ScriptedEngine, artefacts: Path
) -> None:
    stage = open_stage(engine=scripted)
    _idle(stage)
    note = stage.window.idle_note
    stage.until(lambda: "done" in note.text() and not note.text().startswith("Wording abstracts: 0"))
    assert note.text().endswith("of 30 min")
    assert f"{1442:,}"[0] in note.text()
    stage.picture(artefacts / "idle.png")
    scripted.abstracts_wait = True
    stage.until(lambda: note.text().startswith("Abstracts wait"))


def test_a_question_ends_the_stretch_and_it_goes_on_with_what_is_left_of_the_budget(
    open_stage: Open, scripted: ScriptedEngine
) -> None:
    stage = open_stage(engine=scripted)
    desk = _idle(stage)
    stage.until(lambda: desk.working and scripted.abstracts_left < 1440)
    left = scripted.abstracts_left
    scripted.held = True
    box = stage.window.ask.findChild(QLineEdit)
    assert box is not None
    stage.window.question_desk.ask("Maximum junction temperature of the X317?")
    stage.until(lambda: not desk.working)
    assert len(scripted.budgets) == 1
    scripted.hold.set()
    stage.until(lambda: len(scripted.budgets) == 2)
    first, second = scripted.budgets
    assert first == 1800
    assert second < first
    assert scripted.abstracts_left <= left


def test_without_a_budget_no_model_runs(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.kept_settings = Settings.of({"refine.minutes": 0})
    stage = open_stage(engine=scripted)
    desk = _idle(stage)
    stage.until(lambda: desk._over)
    assert scripted.budgets == []
    assert stage.window.idle_note.text() == ""


def test_when_all_is_worded_it_says_so_and_rests(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.abstracts_left = 3
    stage = open_stage(engine=scripted)
    _idle(stage)
    stage.until(lambda: stage.window.idle_note.text() == "All abstracts are worded")
    assert len(scripted.budgets) == 1
