"""A picture of typed text, as an office scanner would leave it: no text layer behind it."""

from __future__ import annotations

import pymupdf

_DPI = 90


def picture(lines: tuple[str, ...]) -> bytes:
    """PNG of an A4 page with `lines` typed on it, in shades of grey."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    writer = pymupdf.TextWriter(page.rect)
    font = pymupdf.Font("cour")
    for index, line in enumerate(lines):
        if line:
            writer.append((70, 110 + 17 * index), line, font=font, fontsize=10.5)
    writer.write_text(page)
    pixels = page.get_pixmap(dpi=_DPI, colorspace=pymupdf.csGRAY, alpha=False)
    data = pixels.tobytes("png")
    document.close()
    assert isinstance(data, bytes)
    return data
