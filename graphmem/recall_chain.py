"""Walking relationships for a recall: one batched call a hop, whatever the size of the frontier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphmem.core.chains import Hierarchy, anchor_of, build
from graphmem.errors import NotFound
from graphmem.model import SHOWN, Chain, MemoryRecord, Relationship, State
from graphmem.ontology import Ontology
from graphmem.ports import Neighbour, Selection, Store

LEVELS = 8
FAN_OUT = 200
"""Relationships taken per memory and type, newest first: a hub costs what a small one does."""
WHOLE: frozenset[State] = frozenset({"current", "disputed", "upcoming", "expired"})
"""What belongs to a chain: also what is over, or still to come."""


@dataclass(slots=True)
class Met:
    """What a walk met."""

    memories: dict[str, MemoryRecord] = field(default_factory=dict)
    drawn: dict[str, Relationship] = field(default_factory=dict)

    def add(self, other: Met) -> None:
        self.memories |= other.memories
        self.drawn |= other.drawn

    @property
    def hierarchy(self) -> Hierarchy:
        return Hierarchy.of(self.drawn.values())


@dataclass(frozen=True, slots=True)
class Walker:
    store: Store
    ontology: Ontology

    @property
    def hierarchy(self) -> list[str]:
        """Relationships that lead from a part up to its whole and back."""
        return [name for name, kind in self.ontology.relationships.items() if kind.chain and kind.forward and kind.backward]

    def named(self, **marks: bool) -> list[str]:
        """Relationships with these marks in the ontology (always, history, …)."""
        return [name for name, kind in self.ontology.relationships.items() if all(getattr(kind, mark) == on for mark, on in marks.items())]

    async def chain(self, user_id: str, memory_id: str, depth: int, selection: Selection) -> Chain:
        """The branch of the memory's goal, with the goals above it as a line."""
        met = Met({one.id: one for one in await self.store.memories(user_id, [memory_id], selection)})
        if memory_id not in met.memories:
            raise NotFound("memory", memory_id)
        met.add(await self.climb(user_id, met.memories.values(), selection, depth))
        met.add(await self.descend(user_id, [anchor_of(memory_id, met.memories, met.hierarchy)], selection, depth))
        return build(memory_id, met.memories, met.drawn.values())

    async def climb(self, user_id: str, start: Iterable[MemoryRecord], selection: Selection, levels: int = LEVELS) -> Met:
        """Everything above these memories."""
        met = Met({one.id: one for one in start})
        await self._levels(user_id, met, list(met.memories), selection, (levels, "up"))
        return met

    async def descend(self, user_id: str, roots: Sequence[str], selection: Selection, levels: int = LEVELS) -> Met:
        """Everything below these memories."""
        met = Met()
        await self._levels(user_id, met, list(roots), selection, (levels, "down"))
        return met

    async def _levels(self, user_id: str, met: Met, frontier: list[str], selection: Selection, way: tuple[int, str]) -> None:
        levels, direction = way
        seen = set(frontier)
        for _ in range(levels):
            if not frontier:
                return
            near = [
                one for one in await self.hop(user_id, frontier, self.hierarchy, selection.as_of) if (direction == "up") == _goes_up(one)
            ]
            fresh = list(dict.fromkeys(one.other for one in near if one.other not in seen))
            found = await self.store.memories(user_id, fresh, selection) if fresh else []
            met.drawn |= {one.relationship.id: one.relationship for one in near}
            met.memories |= {memory.id: memory for memory in found}
            seen |= set(fresh)
            frontier = [memory.id for memory in found]

    async def hop(self, user_id: str, ids: Sequence[str], types: Sequence[str], as_of: datetime | None = None) -> list[Neighbour]:
        return await self.store.relationships(user_id, list(ids), list(types), limit=FAN_OUT, as_of=as_of) if ids and types else []

    async def reach(self, user_id: str, ids: Sequence[str], types: Sequence[str], selection: Selection, hops: int = 1) -> Met:
        """Everything within so many hops along these relationships, in either direction."""
        met, frontier, seen = Met(), list(ids), set(ids)
        for _ in range(hops):
            near = await self.hop(user_id, frontier, types, selection.as_of)
            fresh = list(dict.fromkeys(one.other for one in near if one.other not in seen))
            found = await self.store.memories(user_id, fresh, selection) if fresh else []
            met.drawn |= {one.relationship.id: one.relationship for one in near}
            met.memories |= {memory.id: memory for memory in found}
            seen |= set(fresh)
            frontier = [memory.id for memory in found]
            if not frontier:
                break
        return met


def whole(selection: Selection) -> Selection:
    """The selection of a chain: where the caller asks for what is shown by default, what is over or to come belongs to it as well."""
    return replace(selection, states=WHOLE) if selection.states == SHOWN else selection


def _goes_up(hop: Neighbour) -> bool:
    return hop.relationship.source_id == hop.start
