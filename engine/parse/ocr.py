"""Text of scanned pages, by RapidOCR with the models that come inside its wheel; rapidocr is imported here only."""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.core.lock import FileLock
from engine.core.memory import give_back
from engine.core.model import Box
from engine.parse import mupdf
from engine.parse.layout import PageLayout, TextLine, Word

_DPI = 150
_MAX_PIXELS = 9_000_000
_LEAST_SCORE = 0.55
"""Lines the recogniser is less sure of are left out: a wrong figure is worse than none."""
_SIZE_OF_HEIGHT = 0.8
_SAME_SIZE = 0.2
"""Heights this close to the page's usual one are the same print: boxes of a scan jitter."""
_THREADS = 4
_PAUSE = 0.1

Alive = Callable[[], None]


class Scanner:
    """Reads one page at a time; loads its models at the first page. `missing` says why it cannot, "" if it can.

    Processes that share the file `turn` read one page at a time together: a page needs up to 700 MB for a while.
    """

    def __init__(self, alive: Alive | None = None, turn: Path | None = None) -> None:
        self.alive = alive
        self._turn = FileLock(turn) if turn is not None else None
        self._engine: Any = None
        self.missing = _missing()

    def layout(self, page: Any, native: PageLayout, keep_native: bool) -> PageLayout:
        """The page's layout with the words of its picture, in coordinates of the displayed page.

        `keep_native` keeps the printed words (a header over a scan); what the scan shows of them is left out.
        """
        with self._our_turn():
            return self._layout(page, native, keep_native)

    @contextmanager
    def _our_turn(self) -> Iterator[None]:
        while self._turn is not None and not self._turn.try_acquire():
            time.sleep(_PAUSE)
            if self.alive is not None:
                self.alive()
        try:
            yield
        finally:
            give_back()
            if self._turn is not None:
                self._turn.release()

    def _layout(self, page: Any, native: PageLayout, keep_native: bool) -> PageLayout:
        image, scale = _picture(page)
        engine = self._loaded()
        words: list[list[Word]] = []
        found = engine(image, use_det=True, use_cls=False, use_rec=False)
        boxes = [] if getattr(found, "boxes", None) is None else list(found.boxes)
        heights = [float(max(p[1] for p in box) - min(p[1] for p in box)) * scale for box in boxes]
        usual = statistics.median(heights) if heights else 0.0
        native_lines = [] if native.turn or not keep_native else list(native.lines)
        for corners, height in zip(boxes, heights, strict=True):
            if self.alive is not None:
                self.alive()
            text, score = self._read(engine, image, corners)
            place = _place(corners, scale)
            if score < _LEAST_SCORE or not text.strip() or any(_covers(place, line.box) for line in native_lines):
                continue
            size = usual if abs(height - usual) <= _SAME_SIZE * usual else height
            words.append(_words(text, place, round(2 * size * _SIZE_OF_HEIGHT) / 2))
        lines = [*native_lines, *(TextLine(tuple(line), _hull(line)) for line in words if line)]
        rect = page.rect
        return replace(
            native,
            width=float(rect.width),
            height=float(rect.height),
            turn=0,
            lines=tuple(lines),
            words=tuple(word for line in lines for word in line.words),
            images=(),
        )

    def _read(self, engine: Any, image: Any, corners: Any) -> tuple[str, float]:
        from rapidocr.utils.process_img import get_rotate_crop_image

        crop = get_rotate_crop_image(image, corners)
        result = engine(crop, use_det=False, use_cls=False, use_rec=True)
        if not result.txts:
            return "", 0.0
        return str(result.txts[0]), float(result.scores[0])

    def _loaded(self) -> Any:
        if self._engine is None:
            from rapidocr import RapidOCR

            models = _models()
            threads = max(1, min(_THREADS, os.cpu_count() or 1))
            self._engine = RapidOCR(
                params={
                    "Global.log_level": "critical",
                    "Det.model_path": str(models["det"]),
                    "Rec.model_path": str(models["rec"]),
                    "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                }
            )
        return self._engine


def _missing() -> str:
    """Why no page can be read here. The models are looked for before anything could try to fetch them."""
    if importlib.util.find_spec("rapidocr") is None:
        return "no OCR engine is installed"
    lacking = [kind for kind, path in _models().items() if path is None]
    if lacking:
        return f"the OCR engine has no {' and no '.join(lacking)} model"
    return ""


def _models() -> dict[str, Path | None]:
    spec = importlib.util.find_spec("rapidocr")
    folders = [Path(place) / "models" for place in (spec.submodule_search_locations or [])] if spec else []
    found: dict[str, Path | None] = {}
    for kind in ("det", "rec"):
        found[kind] = next((path for folder in folders for path in sorted(folder.glob(f"*_{kind}_*.onnx"))), None)
    return found


def _picture(page: Any) -> tuple[Any, float]:
    """The page as an RGB array and the size of a pixel in points."""
    import numpy as np

    fitz = mupdf.load()
    area = page.rect.width * page.rect.height / 72**2
    dpi = min(_DPI, (_MAX_PIXELS / max(area, 0.01)) ** 0.5)
    pixels = page.get_pixmap(matrix=fitz.Matrix(dpi / 72, dpi / 72), colorspace=fitz.csRGB, alpha=False)
    image = np.frombuffer(pixels.samples, dtype=np.uint8).reshape(pixels.height, pixels.width, 3)
    return image, 72 / dpi


def _place(corners: Any, scale: float) -> Box:
    xs, ys = [float(p[0]) * scale for p in corners], [float(p[1]) * scale for p in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _words(text: str, place: Box, size: float) -> list[Word]:
    """The line's words, each with its share of the line's box."""
    step = (place.x1 - place.x0) / len(text)
    words = []
    at = 0
    for part in text.split(" "):
        if part:
            box = Box(place.x0 + at * step, place.y0, place.x0 + (at + len(part)) * step, place.y1)
            words.append(Word(part, box, size, "scan", False, False))
        at += len(part) + 1
    return words


def _covers(place: Box, printed: Box) -> bool:
    x, y = (place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2
    return printed.x0 - 2 <= x <= printed.x1 + 2 and printed.y0 - 2 <= y <= printed.y1 + 2


def _hull(words: Sequence[Word]) -> Box:
    return Box(
        min(w.box.x0 for w in words),
        min(w.box.y0 for w in words),
        max(w.box.x1 for w in words),
        max(w.box.y1 for w in words),
    )
