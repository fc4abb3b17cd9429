"""Logging to one rotating file; stdout and stderr belong to the result and the progress."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def start_logging(folder: Path, *, level: int = logging.INFO) -> None:
    """Send the `engine` and `desktop` loggers to `folder`/sheaf.log (3 files of 2 MB)."""
    folder.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(folder / "sheaf.log", maxBytes=2_000_000, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter(_FORMAT))
    for name in ("engine", "desktop"):
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.propagate = False
        logger.handlers = [handler]
