"""`python -m desktop` opens the window."""

from __future__ import annotations

import multiprocessing
import sys

from desktop.app import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
