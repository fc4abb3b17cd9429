"""A small but whole GGUF file, made by hand."""

from __future__ import annotations

import random
import struct


def gguf(architecture: str = "llama", *, weights: int = 4096, version: int = 3, kind: int = 0) -> bytes:
    """One tensor of `weights` 32-bit weights (declared as ggml type `kind`), a vocabulary, 2,048 tokens of context."""

    def text(value: str) -> bytes:
        raw = value.encode()
        return struct.pack("<Q", len(raw)) + raw

    def pair(key: str, type_: int, value: bytes) -> bytes:
        return text(key) + struct.pack("<I", type_) + value

    words = b"".join(text(word) for word in ("<s>", "volt", "µA"))
    pairs = [
        pair("general.architecture", 8, text(architecture)),
        pair("general.name", 8, text("A hand-made model")),
        pair("general.license", 8, text("mit")),
        pair(f"{architecture}.context_length", 4, struct.pack("<I", 2048)),
        pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 3) + words),
        pair("tokenizer.ggml.scores", 9, struct.pack("<IQ", 6, 3) + struct.pack("<fff", 0, 1, 2)),
    ]
    tensor = text("token_embd.weight") + struct.pack("<IQIQ", 1, weights, kind, 0)
    head = b"GGUF" + struct.pack("<IQQ", version, 1, len(pairs)) + b"".join(pairs) + tensor
    return head + b"\0" * (-len(head) % 32) + random.Random(9).randbytes(weights * 4)
