"""The one door to PyMuPDF, kept light.

`import pymupdf` 2.0 pulls in an onnx layout model and pymupdf4llm (138 MB, 0.8-1.3 s) although nothing here uses
either. Hiding the two packages while it is imported leaves 47 MB and 0.1 s.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

_UNWANTED = ("pymupdf.layout", "pymupdf4llm")


def load() -> Any:
    """The `pymupdf` module, silent on standard output and error."""
    if "pymupdf" in sys.modules:
        return sys.modules["pymupdf"]
    hidden = [name for name in _UNWANTED if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        module = import_module("pymupdf")
    finally:
        for name in hidden:
            sys.modules.pop(name, None)
    module.no_recommend_layout()
    module.TOOLS.mupdf_display_errors(False)
    module.TOOLS.mupdf_display_warnings(False)
    return module
