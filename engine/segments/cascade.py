"""Cascading metadata: every segment carries the path from the document's title to its section (HiQA, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Sequence

_MAX_HEAD = 300
_ARROW = " > "


def head(title: str, path: Sequence[str]) -> str:
    """Title and section path as one line; the title is not said twice, and an endless path loses its middle."""
    steps = [step for step in path if step]
    if title and (not steps or steps[0].casefold() != title.casefold()):
        steps.insert(0, title)
    line = _ARROW.join(steps)
    while len(line) > _MAX_HEAD and len(steps) > 2:
        del steps[len(steps) // 2]
        line = _ARROW.join(steps)
    return line[:_MAX_HEAD]


def embed_text(title: str, path: Sequence[str], content: str) -> str:
    """What the embedder sees of a segment: metadata line, then content."""
    line = head(title, path)
    return f"{line}\n{content}" if line else content


def common_path(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The longest path all of `paths` start with."""
    shared: list[str] = []
    for steps in zip(*paths, strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    return tuple(shared)
