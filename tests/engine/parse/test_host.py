"""One page may spin, explode or crash: only it suffers (checks: pages that never finish or eat all memory)."""

from __future__ import annotations

import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.core.cancel import CancelToken
from engine.core.child import Handler
from engine.core.errors import Cancelled, KnownError
from engine.core.model import PageStatus
from engine.parse.host import ParserHost, parse_worker
from tests.engine.parse.press import Press, Put

PAGES = 4


def trouble(page: Any, number: int, kind: str, real: Callable[[Any], Any]) -> Any:
    if page.number + 1 == number:
        if kind == "spin":
            while True:
                pass
        if kind == "explode":
            bytearray(1 << 44)
        if kind == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "fail":
            raise KeyError("no such glyph")
    return real(page)


def troubled_worker(kind: str, number: int, ocr: bool) -> Handler:
    """A parser whose layout pass goes wrong on one page; runs in the child."""
    from engine.parse import reader

    real = reader.read_page
    vars(reader)["read_page"] = lambda page, scanner: trouble(page, number, kind, real)
    return parse_worker(ocr)


def slow_worker(ocr: bool) -> Handler:
    """A parser on a machine so busy that its process takes longer to start than a page may take."""
    time.sleep(3.0)
    return parse_worker(ocr)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    press = Press()
    for number in range(PAGES):
        press.new_page()
        press.put([Put(f"{number + 1}. Chapter {'ABCD'[number]}", y=80, size=14, bold=True)])
        press.prose(110)
    return press.save(tmp_path / "sheet.pdf")


@pytest.fixture
def host() -> Iterator[Callable[..., ParserHost]]:
    made: list[ParserHost] = []

    def make(**options: Any) -> ParserHost:
        made.append(ParserHost(**options))
        return made[-1]

    yield make
    for one in made:
        one.close()
    left = [
        child for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE or _is_worker(child)
    ]
    assert not left


def _is_worker(child: psutil.Process) -> bool:
    return "spawn_main" in " ".join(child.cmdline())


def parse(host: ParserHost, path: Path) -> Any:
    return host.parse(path, cancel=CancelToken())


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("spin", "longer than"), ("explode", "memory"), ("crash", "crashed"), ("fail", "no such glyph")],
)
def test_a_bad_page_falls_back_to_its_plain_text(
    host: Callable[..., ParserHost], sheet: Path, kind: str, reason: str
) -> None:
    parser = host(page_seconds=3.0, factory=functools.partial(troubled_worker, kind, 3))
    found = parse(parser, sheet)
    assert [page.status for page in found.pages] == [
        PageStatus.TEXT,
        PageStatus.TEXT,
        PageStatus.FALLBACK,
        PageStatus.TEXT,
    ]
    assert reason in found.pages[2].reason
    assert "3. Chapter C" in found.pages[2].text
    assert any("Page 3" in warning for warning in found.warnings)
    assert [heading.page for heading in found.headings] == [1, 2, 4]
    # The queue goes on with the next file.
    assert len(parse(parser, sheet).pages) == PAGES


def test_a_child_slow_to_start_is_not_held_against_the_file(host: Callable[..., ParserHost], sheet: Path) -> None:
    assert len(parse(host(page_seconds=2.0, factory=slow_worker), sheet).pages) == PAGES


def test_a_bad_file_does_not_stop_the_queue(host: Callable[..., ParserHost], sheet: Path, tmp_path: Path) -> None:
    parser = host()
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 nothing more")
    with pytest.raises(KnownError):
        parse(parser, tmp_path / "bad.pdf")
    assert len(parse(parser, sheet).pages) == PAGES


def test_sixty_thousand_strokes_do_not_hold_up_a_page(host: Callable[..., ParserHost], tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("Trace of the supply current", y=60)])
    shape = press.page.new_shape()
    for index in range(60_000):
        x, y = index % 300, index // 300
        shape.draw_line((100 + x, 100 + y * 3), (101 + x, 102 + y * 3))
    shape.finish(width=0.2)
    shape.commit()
    found = parse(host(page_seconds=20.0), press.save(tmp_path / "strokes.pdf"))
    assert "Trace of the supply current" in found.pages[0].text


def test_progress_and_cancel(host: Callable[..., ParserHost], sheet: Path) -> None:
    parser = host(page_seconds=30.0, factory=functools.partial(troubled_worker, "spin", 3))
    seen: list[tuple[int, int]] = []
    token = CancelToken()

    def stop() -> None:
        while (2, PAGES) not in seen:
            time.sleep(0.01)
        token.cancel()

    waiter = threading.Thread(target=stop)
    waiter.start()
    with pytest.raises(Cancelled):
        parser.parse(sheet, cancel=token, on_page=lambda page, pages: seen.append((page, pages)))
    waiter.join()
    assert seen == [(1, PAGES), (2, PAGES)]


def test_quotes_are_located_and_pages_shown(host: Callable[..., ParserHost], sheet: Path) -> None:
    parser = host()
    boxes = parser.locate(sheet, 2, "keeps its output within two per cent over the whole range of input voltages")
    assert [box.page for box in boxes] == [2, 2]
    assert boxes[0].box.y0 < boxes[1].box.y0
    assert parser.locate(sheet, 2, "words that are not printed there") == ()
    picture = parser.render_page(sheet, 1, zoom=1.0)
    assert picture.startswith(b"\x89PNG")
    part = parser.render_page(sheet, 1, 2.0, boxes[0].box)
    assert part.startswith(b"\x89PNG")
    assert len(part) < len(picture)
    with pytest.raises(KnownError):
        parser.render_page(sheet, 99)
