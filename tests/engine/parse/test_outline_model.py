"""The model may change levels and drop doubtful lines, in windows, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.model import HeadingSource, ParsedDocument
from engine.core.ports import Completion, Message
from engine.parse.outline_model import correct_outline
from tests.engine.parse.press import Press, Put


class Judge:
    """Answers every window with what `verdict` says of each line."""

    model_id = "judge"
    context_tokens = 4096

    def __init__(self, verdict: Callable[[str], int]) -> None:
        self.asked: list[str] = []
        self.grammars: list[str] = []
        self._verdict = verdict

    def count_tokens(self, text: str) -> int:
        return len(text)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        grammar: str | None = None,
        max_tokens: int = 256,
        cancel: CancelToken | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Completion:
        text = messages[-1].content
        self.asked.append(text)
        self.grammars.append(grammar or "")
        window = text.split("Next:\n")[-1].splitlines()
        answer = "".join(f"{i}: {self._verdict(line.split(' | ')[1])}\n" for i, line in enumerate(window, start=1))
        return Completion(answer, 1, 1, 0.0)

    def close(self) -> None:
        pass


def sheet(folder: Path, titles: Sequence[str]) -> ParsedDocument:
    press = Press()
    for title in titles:
        press.new_page()
        press.put([Put(title, y=90, size=12, bold=True)])
        press.prose(120)
    return press.parse(folder)


def test_levels_change_but_numbers_and_text_stay(tmp_path: Path) -> None:
    parsed = sheet(tmp_path, ("1 Supply", "Noise of the Supply", "2 Layout"))
    found = correct_outline(parsed, Judge(lambda title: 2))
    assert [(h.title, h.level) for h in found.headings] == [
        ("1 Supply", 1),
        ("Noise of the Supply", 2),
        ("2 Layout", 1),
    ]
    assert found.headings[1].source is HeadingSource.MODEL
    assert found.headings[0].source is HeadingSource.NUMBERING
    assert [b.text for b in found.blocks] == [b.text for b in parsed.blocks]


def test_sure_headings_are_not_dropped(tmp_path: Path) -> None:
    parsed = sheet(tmp_path, ("Supply", "Noise", "Layout"))
    assert all(h.confidence >= 0.9 for h in parsed.headings)
    assert correct_outline(parsed, Judge(lambda title: 0)) is parsed


def test_windows_carry_the_last_window_and_its_answer(tmp_path: Path) -> None:
    parsed = sheet(tmp_path, [f"Topic {chr(65 + i)}{chr(97 + i)}" for i in range(25)])
    judge = Judge(lambda title: 1)
    correct_outline(parsed, judge)
    assert len(judge.asked) == 2
    assert "Topic Aa" in judge.asked[1]
    assert "answered:\n1: 1" in judge.asked[1]
    assert judge.grammars[1].count('" level "') == 5


def test_documents_with_bookmarks_are_not_asked_about(tmp_path: Path) -> None:
    press = Press()
    for title in ("Supply", "Noise", "Layout"):
        press.new_page()
        press.put([Put(title, y=90, size=12, bold=True)])
        press.prose(120)
    press.document.set_toc([[1, "Supply", 1], [1, "Noise", 2], [1, "Layout", 3]])
    parsed = press.parse(tmp_path)
    judge = Judge(lambda title: 3)
    assert correct_outline(parsed, judge) is parsed
    assert judge.asked == []
