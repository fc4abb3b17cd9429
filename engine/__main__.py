"""`python -m engine` is the `sheaf` command."""

from __future__ import annotations

import multiprocessing
import sys

from engine.cli import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
