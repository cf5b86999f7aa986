"""How strong a memory is when it is read, and whether it stays where it is found at once."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from graphmem.model import MemoryRecord
from graphmem.ontology import TypeDef
from graphmem.temporal import Interval

Fate: TypeAlias = Literal["keep", "archive", "expire"]
HALF = 0.5
"""What is left of a memory at least while it is spared archiving though its time has come."""


def used(memory: MemoryRecord) -> int:
    """How often it was read or said again."""
    return memory.access_count + memory.reinforcements


def born(memory: MemoryRecord) -> datetime | None:
    """When its age began: when what it tells happened, else when it began to hold or was recorded."""
    time = memory.properties.get("time")
    happened = time.start if isinstance(time, Interval) else None
    return happened or memory.valid_from or memory.recorded_at


def exempt(memory: MemoryRecord, kind: TypeDef) -> bool:
    """Whether it never decays: pinned, of a type without half-life (facts, constraints, instructions, rules, turns), or an open task."""
    return memory.pinned or kind.half_life is None or (bool(kind.open_status) and memory.properties.get("status") in kind.open_status)


def half_life(memory: MemoryRecord, kind: TypeDef) -> timedelta | None:
    """Its type's, times `(0.5 + importance) · (1 + log2(1 + n) / 4)` for n uses; None: it does not decay."""
    if exempt(memory, kind) or kind.half_life is None:
        return None
    return kind.half_life * ((0.5 + memory.importance) * (1 + math.log2(1 + used(memory)) / 4))


def decay(memory: MemoryRecord, kind: TypeDef, now: datetime) -> float:
    """`max(floor, 2 ** (-age / half-life))`: 1 when new, never rising with age."""
    life, start = half_life(memory, kind), born(memory)
    if life is None or start is None:
        return 1.0
    halvings = max(0.0, (now - start) / life)
    return max(kind.floor, math.exp2(-min(halvings, 1000.0)))


def strength(memory: MemoryRecord, kind: TypeDef, now: datetime) -> float:
    """`f · decay`, f = (2 · importance + 2 · confidence + n / (n + 4)) / 5 for n uses; within [0, 1]."""
    often = used(memory) / (used(memory) + 4)
    return (2 * memory.importance + 2 * memory.confidence + often) / 5 * decay(memory, kind, now)


def fate(memory: MemoryRecord, kind: TypeDef, now: datetime, closed_at: datetime | None = None) -> Fate:
    """What upkeep does with it: `archive_after` counts from its age, or from when its status closed; what its end has passed expires.

    A claim is never put away: `at=` and `history` must find it. One that is used so much that more than half of it is left is spared.
    """
    if memory.stored_state != "current" or kind.claim is not None or exempt(memory, kind):
        return "keep"
    if kind.archive_when == "aged" and memory.valid_to is not None and memory.valid_to <= now:
        return "expire"
    start = closed_at if kind.archive_when == "closed" else born(memory)
    if kind.archive_after is None or start is None or now - start < kind.archive_after:
        return "keep"
    return "keep" if kind.archive_when == "aged" and decay(memory, kind, now) > HALF else "archive"
