"""A user's outline replaces the parser's and moves texts, tables and figures under its headings."""

from __future__ import annotations

from pathlib import Path

from engine.core.model import BlockKind, HeadingSource, OutlineEntry, ParsedDocument
from engine.parse.corrections import apply_outline
from engine.parse.markdown import render
from tests.engine.parse.press import Press, Put


def sheet(folder: Path) -> ParsedDocument:
    press = Press()
    press.new_page()
    press.put([Put("1 Supply", y=80, size=13, bold=True)])
    y = press.prose(100)
    press.put([Put("Plain words that are a heading", y=y + 6)])
    y = press.prose(y + 30)
    press.put([Put("2 Noise", y=y + 20, size=13, bold=True)])
    press.prose(y + 40)
    return press.parse(folder)


def entries(parsed: ParsedDocument) -> list[OutlineEntry]:
    return [OutlineEntry(h.title, h.level, h.page, h.box) for h in parsed.headings]


def test_an_unchanged_outline_changes_nothing_but_the_source(tmp_path: Path) -> None:
    parsed = sheet(tmp_path)
    again = apply_outline(parsed, entries(parsed))
    assert [(h.title, h.level, h.path) for h in again.headings] == [(h.title, h.level, h.path) for h in parsed.headings]
    assert {h.source for h in again.headings} == {HeadingSource.USER}
    assert [(b.kind, b.text, b.heading) for b in again.blocks] == [(b.kind, b.text, b.heading) for b in parsed.blocks]
    assert render(again).text == render(parsed).text


def test_a_line_of_text_becomes_a_heading_and_a_heading_text(tmp_path: Path) -> None:
    parsed = sheet(tmp_path)
    line = next(line for b in parsed.blocks for line in b.lines if line.text == "Plain words that are a heading")
    supply = entries(parsed)[0]
    wanted = [supply, OutlineEntry("A renamed heading", 2, 1, line.box)]
    found = apply_outline(parsed, wanted)
    assert [(h.title, h.path) for h in found.headings] == [
        ("1 Supply", ("1 Supply",)),
        ("A renamed heading", ("1 Supply", "A renamed heading")),
    ]
    texts = [b.text for b in found.blocks if b.heading == 1 and b.kind is not BlockKind.HEADING]
    assert any("2 Noise" in text for text in texts)
    assert not any("Plain words" in b.text for b in found.blocks if b.kind is not BlockKind.HEADING)
    before = sorted(line.text for b in parsed.blocks for line in b.lines)
    assert sorted(line.text for b in found.blocks for line in b.lines) == before


def test_an_entry_finds_its_line_by_title_or_heads_its_page(tmp_path: Path) -> None:
    parsed = sheet(tmp_path)
    found = apply_outline(parsed, [OutlineEntry("Not printed", 1, 1), OutlineEntry("2 noise", 1, 1)])
    assert [h.title for h in found.headings] == ["Not printed", "2 noise"]
    assert found.blocks[0].kind is BlockKind.HEADING
    own = [b.text for b in found.blocks if b.heading == 1 and b.kind is BlockKind.PARAGRAPH]
    assert len(own) == 1


def test_no_entries_leave_a_document_without_headings(tmp_path: Path) -> None:
    found = apply_outline(sheet(tmp_path), [])
    assert found.headings == ()
    assert {b.heading for b in found.blocks} == {-1}
