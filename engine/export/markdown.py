"""An answer as Markdown: the sentences, then the numbered citations they point to."""

from __future__ import annotations

import re

from engine.core.results import Answer, Citation

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def to_markdown(answer: Answer) -> str:
    """Markdown with footnote-like numbers; every citation names file, section path, page and quote."""
    lines = [f"# {_plain(answer.question)}", ""]
    if answer.sentences:
        for sentence in answer.sentences:
            marks = "".join(f" [{n}]" for n in sentence.citations)
            doubt = "" if sentence.verified else " (not verified)"
            lines.append(f"{_plain(sentence.text)}{marks}{doubt}")
    else:
        lines.append(_plain(answer.text))
    lines += ["", *(f"> {_plain(note)}" for note in (answer.coverage, *answer.warnings) if note)]
    if answer.citations:
        lines += ["", "## Citations", "", *(_citation(one) for one in answer.citations)]
    lines += ["", f"Library {_plain(answer.library)}, {answer.created}, answered by {answer.model}."]
    return "\n".join(lines).strip() + "\n"


def _citation(one: Citation) -> str:
    label = f" (printed {one.page_label})" if one.page_label and one.page_label != str(one.page) else ""
    path = f", {_plain(' > '.join(one.path))}" if one.path else ""
    return f"{one.n}. {_plain(one.place.file)}{path}, page {one.page}{label}: “{_plain(one.quote)}”"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
