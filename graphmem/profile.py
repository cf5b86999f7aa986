"""The person as known now: what holds of them, what they like, what they are at, and what must be kept to."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.core.context import Item, Packing, pack, section_of
from graphmem.filters import And, Compare, Filter
from graphmem.model import MemoryRecord, Profile, Recollection
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Order, Selection, Store
from graphmem.text import fold_name, is_chinese

EACH = 50
"""Most memories of one kind."""
BUDGET = 4000


@dataclass(frozen=True, slots=True)
class Profiler:
    store: Store
    ontology: Ontology
    clock: Clock

    async def profile(self, user_id: str) -> Profile:
        speakers = {fold_name(name) for name in await self.store.speakers(user_id)}
        facts = await self._of(user_id, "Fact", "importance")
        facts.sort(key=lambda one: fold_name(str(one.properties.get("subject", ""))) not in speakers)
        goal = self.ontology.types.get("Goal")
        is_open = Compare("status", "$in", goal.open_status) if goal and goal.open_status else None
        kinds = {
            "instructions": await self._of(user_id, "Instruction", "importance"),
            "constraints": await self._of(user_id, "Constraint", "importance"),
            "goals": await self._of(user_id, "Goal", "deadline", is_open),
            "facts": facts,
            "preferences": await self._of(user_id, "Preference", "importance"),
        }
        found = [memory for memories in kinds.values() for memory in memories]
        items = [Item(Recollection(memory, memory.importance), section_of(memory.type), memory.importance) for memory in found]
        chinese = sum(is_chinese(memory.text) for memory in found) * 2 > len(found)
        text = pack(items, Packing(BUDGET, chinese=chinese)).text if items else ""
        return Profile(user_id, text=text, **{name: tuple(memories) for name, memories in kinds.items()})

    async def _of(self, user_id: str, type_: str, order: Order, where: Filter | None = None) -> list[MemoryRecord]:
        if type_ not in self.ontology.types:
            return []
        kind: Filter = Compare("type", "$eq", type_)
        selection = Selection(at=self.clock.now(), where=kind if where is None else And((kind, where)))
        page, _ = await self.store.select(user_id, selection, order=order, limit=EACH)
        return page
