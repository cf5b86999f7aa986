"""Working memory: the few memories that an agent holds while it works on one session, kept in the store so that it can go on after a restart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphmem.core.context import Count, Item, Packing, estimate, pack, section_of
from graphmem.core.worth import Offer, faded, held, mean_similarity, value_of
from graphmem.errors import InvalidInput, NotFound
from graphmem.model import SHOWN, Context, MemoryRecord, Message, Recollection
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Selection, Store, Vector, WorkingItem
from graphmem.text import fold, is_chinese

DEFAULT_CAPACITY = 20
TRADE = 0.3
CHEER = ("happy moments, what I like and enjoy", "开心的事，喜欢什么")
"""What a low mood looks for, by language."""
NEGATIVE = frozenset({"sadness", "anger", "fear", "disgust"})
Gather = Callable[[str], Awaitable[tuple[Sequence[Item], Mapping[str, float]]]]
"""What a context of a text would hold, and how relevant each memory is, 0 to 1."""
Observed = str | Message | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WorkingMetrics:
    """`redundancy` is the mean cosine of all pairs, `closest` that of the closest pair; `key_recall` the share of the key memories held."""

    items: int
    pinned: int
    redundancy: float
    closest: float
    key_recall: float | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a working memory needs from outside."""

    store: Store
    ontology: Ontology
    clock: Clock
    gather: Gather
    count: Count = estimate


class WorkingMemory:
    """At most `capacity` memories of one session; see `AsyncMemory.working_memory`."""

    def __init__(self, parts: Parts, user_id: str, session_id: str, capacity: int = DEFAULT_CAPACITY) -> None:
        if capacity < 1:
            raise InvalidInput(f"capacity must be at least 1, not {capacity}")
        self.user_id, self.session_id, self.capacity = user_id, session_id, capacity
        self._parts = parts
        self._items: tuple[MemoryRecord, ...] = ()
        self._pinned: frozenset[str] = frozenset()

    @property
    def items(self) -> tuple[MemoryRecord, ...]:
        """What is held, pinned ones first, then the most valuable."""
        return self._items

    @property
    def pinned(self) -> frozenset[str]:
        return self._pinned

    async def load(self) -> list[WorkingItem]:
        """Reads what the session holds; what no longer holds in the world falls out, unless it is pinned."""
        stored = await self._parts.store.working_items(self.user_id, self.session_id)
        await self._show(stored)
        present = {memory.id for memory in self._items}
        return [one for one in stored if one.memory_id in present]

    async def observe(self, what: Observed) -> tuple[MemoryRecord, ...]:
        """Takes in what a question or message brings to mind, and lets go of what is worth least; returns what is held then.

        A message with a bad mood also brings pleasant memories, without being asked.
        """
        text = _text(what)
        gathered, fits = await self._parts.gather(text)
        items, fit = list(gathered), dict(fits)
        if self._low(text):
            cheerful, _ = await self._parts.gather(CHEER[is_chinese(text)])
            known = {item.memory.id for item in items}
            pleasant = [item for item in cheerful if item.memory.id not in known and _pleasant(item.memory)][:3]
            items += pleasant
            fit |= {item.memory.id: 1.0 for item in pleasant}
        old = await self.load()
        await self._keep(old, items, fit)
        return self._items

    async def pin(self, memory_id: str) -> None:
        """Holds a memory until it is unpinned; it may take the place of the least valuable one."""
        found = await self._parts.store.memories(self.user_id, [memory_id])
        if not found:
            raise NotFound("memory", memory_id)
        items = [one for one in await self.load() if one.memory_id != memory_id]
        if len(items) >= self.capacity and all(one.pinned for one in items):
            raise InvalidInput(f"all {self.capacity} places are pinned; unpin one first")
        loose = sorted((one for one in items if not one.pinned), key=lambda one: one.value)
        kept = [one for one in items if len(items) < self.capacity or one is not loose[0]]
        await self._store([*kept, WorkingItem(memory_id, 1.0, pinned=True, observed_at=self._parts.clock.now())])

    async def unpin(self, memory_id: str) -> None:
        await self._store([replace(one, pinned=False) if one.memory_id == memory_id else one for one in await self.load()])

    async def clear(self) -> None:
        """Lets go of everything, pinned or not; the memories themselves stay."""
        await self._store([])

    async def context(self, budget: int = 2000) -> Context:
        """What is held as text with citations, within a budget of tokens."""
        await self.load()
        chinese = sum(is_chinese(memory.text) for memory in self._items) * 2 > len(self._items)
        rank = {memory.id: 1.0 - i / max(1, len(self._items)) for i, memory in enumerate(self._items)}
        items = [Item(Recollection(memory, rank[memory.id]), section_of(memory.type), rank[memory.id]) for memory in self._items]
        return pack(items, Packing(budget, self._parts.count, chinese))

    async def metrics(self, keys: Sequence[str] | None = None) -> WorkingMetrics:
        """How alike the held memories are, and how many of the `keys` (ids that matter for the task) are among them."""
        vectors = list((await self._vectors([memory.id for memory in self._items])).values())
        closest = 0.0
        if len(vectors) > 1:
            matrix = np.stack(vectors) @ np.stack(vectors).T
            closest = float((matrix - 2 * np.eye(len(vectors))).max())
        found = {memory.id for memory in self._items}
        recall = None if keys is None else sum(key in found for key in keys) / len(keys) if keys else 1.0
        return WorkingMetrics(len(self._items), len(self._pinned), mean_similarity(vectors), closest, recall)

    # ── helpers ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _keep(self, old: Sequence[WorkingItem], met: Sequence[Item], fit: Mapping[str, float]) -> None:
        now = self._parts.clock.now()
        before = {one.memory_id: one for one in old}
        records = {memory.id: memory for memory in self._items} | {item.memory.id: item.memory for item in met}
        moved = any(item.memory.type == "Goal" for item in met)
        values = {id_: faded(records[id_], one.value, moved) for id_, one in before.items()}
        for item in met:
            id_ = item.memory.id
            values[id_] = max(values.get(id_, 0.0), value_of(item.memory, min(1.0, fit.get(id_, 0.0))))
        frames = sorted((memory for memory in records.values() if memory.type == "ContextualFrame"), key=_began)
        ended = {memory.id for memory in frames[:-1]}
        units = {item.memory.id: item.unit for item in met}
        vectors = await self._vectors(list(records))
        offers = [
            Offer(id_, value, id_ in self._pinned, units.get(id_, ""), vectors.get(id_))
            for id_, value in values.items()
            if id_ not in ended
        ]
        seen = {item.memory.id for item in met}
        await self._store(
            [
                WorkingItem(one.id, one.value, one.pinned, now if one.id in seen else before[one.id].observed_at)
                for one in held(offers, self.capacity, TRADE)
            ]
        )

    async def _store(self, items: Sequence[WorkingItem]) -> None:
        await self._parts.store.set_working_items(self.user_id, self.session_id, items)
        await self._show(items)

    async def _show(self, items: Sequence[WorkingItem]) -> None:
        self._pinned = frozenset(one.memory_id for one in items if one.pinned)
        ordered = sorted(items, key=lambda one: (not one.pinned, -one.value, one.memory_id))
        selection = Selection(at=self._parts.clock.now(), states=SHOWN | {"upcoming", "expired"})
        ids = [one.memory_id for one in ordered]
        found = {memory.id: memory for memory in await self._parts.store.memories(self.user_id, ids)}
        shown = {memory.id for memory in await self._parts.store.memories(self.user_id, ids, selection)}
        self._items = tuple(found[id_] for id_ in ids if id_ in shown or (id_ in found and id_ in self._pinned))

    async def _vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        for passage in await self._parts.store.passages(self.user_id, ids, tokens=False) if ids else ():
            if passage.vector is not None:
                found.setdefault(passage.memory_id, passage.vector)
        return found

    def _low(self, text: str) -> bool:
        """Whether the text names a bad mood, by the spellings of the ontology."""
        kind = self._parts.ontology.types.get("EmotionalState")
        slot = kind.slots.get("emotion") if kind else None
        if slot is None:
            return False
        folded = fold(text)
        padded = f" {''.join(c if c.isalnum() else ' ' for c in folded)} "
        return any(
            value in NEGATIVE and (word in folded if is_chinese(word) else f" {word} " in padded) for word, value in slot.spellings.items()
        )


def _pleasant(memory: MemoryRecord) -> bool:
    emotion, polarity = memory.properties.get("emotion"), memory.properties.get("polarity")
    return emotion in {None, "joy", "surprise"} and polarity in {None, "like"} and memory.type in {"EmotionalState", "Preference", "Event"}


def _began(memory: MemoryRecord) -> tuple[str, str]:
    return (str(memory.valid_from or memory.recorded_at), memory.id)


def _text(what: Observed) -> str:
    match what:
        case str():
            return what
        case Message():
            return what.text
        case _:
            text = what.get("content", what.get("text"))
            if not isinstance(text, str):
                raise InvalidInput("observe takes a question, a Message, or a mapping with `content`")
            return text
