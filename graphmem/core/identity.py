"""Ids from content: the same thing written twice has the same id, and no id repeats in two scopes."""

from __future__ import annotations

import hashlib
import uuid
from datetime import datetime

from graphmem.temporal import iso

_PREFIX = uuid.UUID("6f4d3c0e-6c3a-5d63-9f57-3d1f6a1b7c20").bytes
"""The namespace of every id."""


def content_id(*parts: object) -> str:
    """uuid5 over the parts as text; each carries its length, so that no two lists of parts read alike, and None is told from ""."""
    spelled = ["-" if part is None else f"{len(text)}:{text}" for part in parts for text in (str(part),)]
    digest = hashlib.sha1(_PREFIX + "".join(spelled).encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    return str(uuid.UUID(bytes=digest[:16], version=5))


def episode_id(user_id: str, said: tuple[str | None, str, str, str], said_at: datetime, number: int = 0) -> str:
    """`said` is (session, speaker, role, text); `number` tells equal turns of one call apart."""
    return content_id("episode", user_id, *said, iso(said_at), *([number] if number else []))


def relationship_id(user_id: str, source_id: str, type_: str, target_id: str) -> str:
    return content_id("relationship", user_id, source_id, type_, target_id)
