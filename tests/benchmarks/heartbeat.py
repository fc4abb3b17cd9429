"""How long the window's event loop is ever held up while it indexes and answers: the longest gap, in milliseconds.

python -m tests.benchmarks.heartbeat [--folder DIR] [--seconds 60]
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import resources

_BEAT_MS = 10


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one JSON line: {"benchmark": "heartbeat", "longest_gap_ms", "p99_gap_ms", "beats", ...}."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=resources.sample_library())
    parser.add_argument("--seconds", type=float, default=60.0)
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(_measure(Path(folder), chosen.folder, chosen.seconds)))


def _measure(home: Path, documents: Path, seconds: float) -> dict[str, object]:
    from PySide6.QtCore import QCoreApplication, QTimer
    from PySide6.QtWidgets import QApplication

    from desktop.bridge.engine_bridge import EngineBridge
    from desktop.style.theme import ThemeChoice, apply_theme
    from desktop.windows.main_window import MainWindow
    from engine.api import Engine

    with Engine.open(home) as engine:
        engine.add_library("bench", [documents])
    QCoreApplication.setOrganizationName("SheafBenchmarks")
    application = QApplication([])
    window = MainWindow(EngineBridge(home), apply_theme(application, ThemeChoice.LIGHT))
    window.show()
    beats: list[float] = []
    heart = QTimer()
    heart.setInterval(_BEAT_MS)
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start()
    asking = QTimer()
    asking.setInterval(3000)
    asking.timeout.connect(lambda: window.question_desk.ask("What is the maximum supply voltage?"))
    asking.start()

    def end() -> None:
        for timer in (heart, asking):
            timer.stop()
        application.quit()

    QTimer.singleShot(round(seconds * 1000), end)
    application.exec()
    began = time.perf_counter()
    window.close()
    gaps = sorted((later - earlier) * 1000 for earlier, later in pairwise(beats))
    return {
        "benchmark": "heartbeat",
        "longest_gap_ms": round(gaps[-1], 1),
        "p99_gap_ms": round(gaps[int(len(gaps) * 0.99)], 1),
        "beats": len(beats),
        "seconds": seconds,
        "close_seconds": round(time.perf_counter() - began, 2),
    }


if __name__ == "__main__":
    main()
