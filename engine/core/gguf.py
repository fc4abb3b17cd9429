"""Looking into a GGUF file before anything is loaded or stored: is it one, is it whole, what is it.

Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3. Only the header is read, which
takes milliseconds, so a truncated or renamed file is refused with a plain reason instead of a crash in native code.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from engine.core.errors import KnownError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST = 1 << 24
"""Longest string, list or table a sane header holds; a bigger count means a damaged file."""
_DIMENSIONS = 8
# ggml type -> (weights of a block, bytes of a block)
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66),
    17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136),
    24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Header:
    """What the file states of itself; `size` in bytes, `context` tokens it was trained for (0 if unsaid)."""

    architecture: str
    name: str
    licence: str
    size: int
    context: int
    has_template: bool


class _Damaged(Exception):
    """The header ends early or makes no sense."""


def inspect(path: Path) -> Header:
    """Read the header and check that all tensors lie inside the file.

    Raises KnownError with codes "model-missing", "not-gguf" and "model-truncated".
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            if stream.read(4) != _MAGIC:
                raise KnownError(
                    f"{path.name} is not a GGUF model file.",
                    help="Choose a file that ends in .gguf and comes from a model publisher, or fetch a model again.",
                    code="not-gguf",
                )
            return _read(stream, size, path)
    except FileNotFoundError as error:
        raise KnownError(
            f"The model file {path.name} is not there.",
            help="Fetch it again with `sheaf models fetch`, or choose another model.",
            code="model-missing",
        ) from error
    except (_Damaged, MemoryError, OverflowError) as error:
        raise _truncated(path, "") from error


def _truncated(path: Path, detail: str) -> KnownError:
    return KnownError(
        f"The model file {path.name} is cut short or damaged{detail}.",
        help="Delete it and fetch it again; an interrupted download is resumed.",
        code="model-truncated",
    )


def _read(stream: IO[bytes], size: int, path: Path) -> Header:
    version = _number(stream, "I")
    if version not in _VERSIONS:
        raise KnownError(
            f"{path.name} is a GGUF file of version {version}, which this program does not know.",
            help="Choose a model file of GGUF version 2 or 3.",
            code="not-gguf",
        )
    tensors, pairs = _count(stream), _count(stream)
    facts: dict[str, Any] = {}
    for _ in range(pairs):
        key = _string(stream)
        facts[key] = _value(stream, _number(stream, "I"))
    end = max((_tensor_end(stream) for _ in range(tensors)), default=0)
    alignment = facts.get("general.alignment", 32)
    align = alignment if isinstance(alignment, int) and alignment > 0 else 32
    expected = -(-stream.tell() // align) * align + end
    if size < expected:
        raise _truncated(path, f": {size} of {expected} bytes")
    architecture = str(facts.get("general.architecture", ""))
    context = facts.get(f"{architecture}.context_length", 0)
    return Header(
        architecture=architecture,
        name=str(facts.get("general.name", "")),
        licence=str(facts.get("general.license", "")),
        size=size,
        context=context if isinstance(context, int) else 0,
        has_template="tokenizer.chat_template" in facts,
    )


def _tensor_end(stream: IO[bytes]) -> int:
    """Byte after a tensor's data, counted from the start of the data part; its offset where the type is unknown."""
    _string(stream)
    dimensions = _number(stream, "I")
    if dimensions > _DIMENSIONS:
        raise _Damaged
    weights = 1
    for _ in range(dimensions):
        weights *= _number(stream, "Q")
    kind, offset = _number(stream, "I"), _number(stream, "Q")
    if kind not in _BLOCKS:
        return int(offset)
    block, size = _BLOCKS[kind]
    return int(offset + weights // block * size)


def _value(stream: IO[bytes], kind: int) -> Any:
    if kind in _SCALARS:
        return _number(stream, _SCALARS[kind])
    if kind == _STRING:
        return _string(stream)
    if kind == _ARRAY:
        inner, count = _number(stream, "I"), _count(stream)
        if inner in _SCALARS:
            _take(stream, struct.calcsize("<" + _SCALARS[inner]) * count)
        else:
            for _ in range(count):
                _value(stream, inner)
        return None  # lists (the vocabulary) are of no interest here
    raise _Damaged


def _string(stream: IO[bytes]) -> str:
    return _take(stream, _count(stream)).decode("utf-8", "replace")


def _count(stream: IO[bytes]) -> int:
    count = int(_number(stream, "Q"))
    if count > _MOST:
        raise _Damaged
    return count


def _number(stream: IO[bytes], form: str) -> Any:
    return struct.unpack("<" + form, _take(stream, struct.calcsize("<" + form)))[0]


def _take(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise _Damaged
    return data
