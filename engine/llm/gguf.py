"""Looking into a GGUF file before anything is loaded: is it one, is it whole, what is it.

Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Reading the header takes milliseconds and allocates
nothing but the header, so a truncated or renamed file is refused with a plain reason instead of a crash in native code.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.core.errors import KnownError

_MAGIC = b"GGUF"
_SCALARS = {0: "B", 1: "b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_MOST = 1 << 24
"""Longest string or array a sane header holds; a bigger count means a damaged file."""
# ggml type -> (elements of a block, bytes of a block)
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 30: (1, 2),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Header:
    """`architecture` and `name` as the file states them; `size` in bytes; `context` tokens it was trained for."""

    architecture: str
    name: str
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
    except (_Damaged, struct.error, UnicodeDecodeError, MemoryError, OverflowError) as error:
        raise _truncated(path) from error


def _truncated(path: Path) -> KnownError:
    return KnownError(
        f"The model file {path.name} is incomplete or damaged.",
        help="Delete it and fetch it again; an interrupted download is resumed.",
        code="model-truncated",
    )


def _read(stream: BinaryIO, size: int, path: Path) -> Header:
    version, tensors, pairs = struct.unpack("<IQQ", _take(stream, 20))
    if not 2 <= version <= 3 or tensors > 1 << 20 or pairs > 1 << 20:
        raise _Damaged
    facts: dict[str, object] = {}
    for _ in range(pairs):
        key = _string(stream)
        (kind,) = struct.unpack("<I", _take(stream, 4))
        facts[key] = _value(stream, kind)
    ends = [_tensor_end(stream) for _ in range(tensors)]
    alignment = facts.get("general.alignment", 32)
    align = alignment if isinstance(alignment, int) and alignment > 0 else 32
    start = -(-stream.tell() // align) * align
    if start + max(ends, default=0) > size:
        raise _truncated(path)
    architecture = str(facts.get("general.architecture", ""))
    context = facts.get(f"{architecture}.context_length", 0)
    return Header(
        architecture=architecture,
        name=str(facts.get("general.name", path.stem)),
        size=size,
        context=context if isinstance(context, int) else 0,
        has_template="tokenizer.chat_template" in facts,
    )


def _tensor_end(stream: BinaryIO) -> int:
    """Byte after a tensor's data, counted from the start of the data part; its offset where the type is unknown."""
    _string(stream)
    (dimensions,) = struct.unpack("<I", _take(stream, 4))
    if dimensions > 8:
        raise _Damaged
    elements = 1
    for _ in range(dimensions):
        elements *= struct.unpack("<Q", _take(stream, 8))[0]
    kind, offset = struct.unpack("<IQ", _take(stream, 12))
    if kind not in _BLOCKS:
        return int(offset)
    block, size = _BLOCKS[kind]
    return int(offset) + elements // block * size


def _value(stream: BinaryIO, kind: int) -> object:
    if kind in _SCALARS:
        form = _SCALARS[kind]
        return struct.unpack(form, _take(stream, struct.calcsize(form)))[0]
    if kind == _STRING:
        return _string(stream)
    if kind == _ARRAY:
        inner, count = struct.unpack("<IQ", _take(stream, 12))
        if count > _MOST:
            raise _Damaged
        if inner in _SCALARS:
            _take(stream, struct.calcsize(_SCALARS[inner]) * count)
        else:
            for _ in range(count):
                _value(stream, inner)
        return None
    raise _Damaged


def _string(stream: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", _take(stream, 8))
    if length > _MOST:
        raise _Damaged
    return _take(stream, length).decode("utf-8", "replace")


def _take(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise _Damaged
    return data
