"""Keyed hashes of what was forgotten, by which an import knows it again without anything of its content being kept."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from graphmem.model import MemoryRecord
from graphmem.text import fold

NOTE = "tombstones"
KEPT = 20_000
"""Hashes kept at most, newest last; 16 bytes each."""


def stone(salt: str, *parts: object) -> str:
    """BLAKE2b-128 of the parts, keyed with the scope's salt."""
    text = "\x1f".join(str(part) for part in parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=bytes.fromhex(salt), digest_size=16).hexdigest()


def stones(salt: str, memory: MemoryRecord) -> list[str]:
    """By its id, and by its type and folded text."""
    return [stone(salt, "id", memory.id), stone(salt, "text", memory.type, fold(memory.text))]


def forgotten(kept: Mapping[str, Any], ids: Collection[str | None], type_: str, text: str) -> bool:
    """Whether a record that comes in was forgotten; `kept` is the scope's note."""
    salt, known = str(kept["salt"]), kept["stones"]
    made = {stone(salt, "id", one) for one in ids if one} | {stone(salt, "text", type_, fold(text))}
    return not made.isdisjoint(known)
