"""Is this a whole GGUF file? Reads the header only (GGUF specification, ggml/docs/gguf.md, versions 2 and 3)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from engine.core.errors import KnownError

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_LIMIT = 1 << 26
"""No string, list or table in a sane header is longer; a damaged length must not allocate the machine."""
# type -> (weights a block, bytes a block), from ggml's type traits
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66),
    17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136),
    24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GgufHeader:
    version: int
    architecture: str
    name: str
    licence: str
    context_tokens: int
    tensors: int
    expected_bytes: int
    """The file is cut short if it is smaller; 0 if a tensor type is unknown here."""


def read_header(path: Path) -> GgufHeader:
    """Read and check the header. Raises KnownError "not-gguf" or "truncated"."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        if stream.read(4) != MAGIC:
            raise KnownError(
                f"{path.name} is not a GGUF model file.", help="Choose a file that ends in .gguf.", code="not-gguf"
            )
        try:
            header = _read(stream)
        except (struct.error, EOFError, MemoryError) as error:
            raise _truncated(path) from error
        except (ValueError, UnicodeDecodeError) as error:
            raise KnownError(
                f"{path.name} is a damaged GGUF file, or of a kind this program does not know ({error}).",
                help="Fetch it again, or choose another model.",
                code="not-gguf",
            ) from error
    if size < header.expected_bytes:
        raise _truncated(path, f" ({size} of {header.expected_bytes} bytes)")
    return header


def _read(stream: IO[bytes]) -> GgufHeader:
    version = _number(stream, "I")
    if version not in _VERSIONS:
        raise ValueError(f"GGUF version {version}")
    tensors, pairs = _number(stream, "Q"), _number(stream, "Q")
    if tensors > _LIMIT or pairs > _LIMIT:
        raise ValueError("an impossible table size")
    facts: dict[str, Any] = {}
    for _ in range(pairs):
        key = _string(stream)
        facts[key] = _value(stream, _number(stream, "I"))
    architecture = str(facts.get("general.architecture", ""))
    end = _tensor_end(stream, tensors)
    alignment = max(1, int(facts.get("general.alignment", 32)))
    data_start = -(-stream.tell() // alignment) * alignment
    return GgufHeader(
        version=version,
        architecture=architecture,
        name=str(facts.get("general.name", "")),
        licence=str(facts.get("general.license", "")),
        context_tokens=int(facts.get(f"{architecture}.context_length", 0) or 0),
        tensors=tensors,
        expected_bytes=data_start + end if end is not None else 0,
    )


def _tensor_end(stream: IO[bytes], tensors: int) -> int | None:
    """Where the last tensor ends, counted from the start of the data; None if its type is unknown."""
    end: int | None = 0
    for _ in range(tensors):
        _string(stream)
        weights = 1
        for _ in range(_number(stream, "I")):
            weights *= _number(stream, "Q")
        kind, offset = _number(stream, "I"), _number(stream, "Q")
        if kind not in _BLOCKS:
            end = None
        elif end is not None:
            block, size = _BLOCKS[kind]
            end = max(end, offset + weights // block * size)
    return end


def _value(stream: IO[bytes], kind: int) -> Any:
    if kind == _STRING:
        return _string(stream)
    if kind == _ARRAY:
        return _skip_array(stream)
    if kind not in _SCALARS:
        raise ValueError(f"value type {kind}")
    return _number(stream, _SCALARS[kind])


def _skip_array(stream: IO[bytes]) -> int:
    """Arrays (the vocabulary) are of no interest here: step over them and return their length."""
    kind, count = _number(stream, "I"), _number(stream, "Q")
    if count > _LIMIT:
        raise ValueError("an impossible list length")
    if kind in _SCALARS:
        _exactly(stream, struct.calcsize("<" + _SCALARS[kind]) * count)
    else:
        for _ in range(count):
            _value(stream, kind)
    return int(count)


def _string(stream: IO[bytes]) -> str:
    length = _number(stream, "Q")
    if length > _LIMIT:
        raise ValueError("an impossible text length")
    return _exactly(stream, length).decode("utf-8", "replace")


def _number(stream: IO[bytes], form: str) -> Any:
    return struct.unpack("<" + form, _exactly(stream, struct.calcsize("<" + form)))[0]


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _truncated(path: Path, detail: str = "") -> KnownError:
    return KnownError(
        f"{path.name} is cut short{detail}.", help="Fetch or copy it again, to its full length.", code="truncated"
    )
