"""What an item is worth to a working memory: what kind it is, where its task stands, how well it fits, and how long ago it was last met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphmem.core.gain import similarity
from graphmem.model import MemoryRecord
from graphmem.ports import Vector

KIND: Mapping[str, float] = {
    "Instruction": 1.0,
    "ContextualFrame": 1.0,
    "Constraint": 0.95,
    "Goal": 0.9,
    "Fact": 0.8,
    "Step": 0.75,
    "Preference": 0.7,
    "Plan": 0.5,
    "Event": 0.6,
    "Episode": 0.3,
}
OTHER = 0.5
STATUS: Mapping[str, float] = {"in_progress": 1.15, "blocked": 1.15, "pending": 1.0, "completed": 0.6, "failed": 0.6, "cancelled": 0.4}
FIT = 0.5
"""Share of the value that relevance to what was observed last makes up; the rest is what kind of memory it is."""
FADE = 0.6
"""What is left of a value with each observation that does not meet the memory again."""
MOVED = 0.3
"""What is left of a detail when another task was turned to."""
LEAST = 0.35
"""Values below this are let go of, also where there is room."""
LASTING = 0.9
"""The same for frames, limits and open goals: they outlast chatter."""
LASTING_TYPES = frozenset({"Instruction", "ContextualFrame", "Constraint", "Goal"})


@dataclass(frozen=True, slots=True)
class Offer:
    """A memory that may be held. `unit` ties those that are held together or not at all."""

    id: str
    value: float
    pinned: bool = False
    unit: str = ""
    vector: Vector | None = None


def value_of(memory: MemoryRecord, fit: float) -> float:
    """From 0 to about 1; `fit` is the relevance to the observation, 0 to 1."""
    base = KIND.get(memory.type, OTHER) * STATUS.get(str(memory.properties.get("status")), 1.0)
    return (1 - FIT) * min(1.0, base) + FIT * fit


def faded(memory: MemoryRecord, value: float, moved: bool) -> float:
    """What is left of a value when the memory was not met again; `moved` where a task was met to which it does not belong."""
    closed = memory.properties.get("status") in {"completed", "failed", "cancelled"}
    lasting = memory.type in LASTING_TYPES and not closed
    return value * (LASTING if lasting else MOVED if moved else FADE)


def held(offers: Sequence[Offer], capacity: int, trade: float = 0.5) -> list[Offer]:
    """The pinned ones, then one after the other what adds most: value minus `trade` times the similarity to what is held beyond the usual.

    The usual similarity is the mean over all offers, because memories of one task resemble one another. A unit counts as its best member.
    """
    kept = sorted((one for one in offers if one.pinned), key=lambda one: (-one.value, one.id))[:capacity]
    units: dict[str, list[Offer]] = {}
    for one in offers:
        if not one.pinned and one.value >= LEAST:
            units.setdefault(one.unit or one.id, []).append(one)
    usual = mean_similarity([one.vector for one in offers if one.vector is not None])
    left = dict(units)
    while left and len(kept) < capacity:
        there = _stacked([one.vector for one in kept if one.vector is not None])
        gains = {name: max(one.value - trade * _excess(one, there, usual) for one in unit) for name, unit in left.items()}
        name = max(gains, key=lambda unit: (gains[unit], unit))
        unit = left.pop(name)
        if len(kept) + len(unit) <= capacity:
            kept += unit
    return kept


def mean_similarity(vectors: Sequence[Vector]) -> float:
    """Mean cosine of all pairs, 0 for fewer than two."""
    if len(vectors) < 2:
        return 0.0
    matrix = np.stack(vectors).astype(np.float64)
    total = float((matrix @ matrix.T).sum() - (matrix * matrix).sum())
    return total / (len(vectors) * (len(vectors) - 1))


def _stacked(vectors: Sequence[Vector]) -> Vector | None:
    return np.stack(vectors) if vectors else None


def _excess(one: Offer, there: Vector | None, usual: float) -> float:
    if one.vector is None or there is None:
        return 0.0
    near = float(similarity(one.vector[None, :], there)[0])
    return max(0.0, near - max(0.0, usual)) / max(1e-9, 1.0 - max(0.0, usual))
