"""Ids from content: the same thing written twice has the same id, and no id repeats in two scopes."""

from __future__ import annotations

import json
import uuid
from datetime import datetime

from graphmem.temporal import iso

NAMESPACE = uuid.UUID("6f4d3c0e-6c3a-5d63-9f57-3d1f6a1b7c20")


def content_id(*parts: object) -> str:
    """uuid5 over the parts; None and "" are told apart."""
    return str(uuid.uuid5(NAMESPACE, json.dumps(parts, ensure_ascii=True, default=str)))


def episode_id(user_id: str, said: tuple[str | None, str, str, str], said_at: datetime, number: int = 0) -> str:
    """`said` is (session, speaker, role, text); `number` tells equal turns of one call apart."""
    return content_id("episode", user_id, *said, iso(said_at), *([number] if number else []))


def relationship_id(user_id: str, source_id: str, type_: str, target_id: str) -> str:
    return content_id("relationship", user_id, source_id, type_, target_id)
