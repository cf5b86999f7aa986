"""From one store to another, of either kind: page by page, resumable, verified by counts and content hashes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from graphmem.errors import EmbeddingMismatch, InvalidInput, SchemaMismatch, StoreError
from graphmem.model import STATES, Entity, MemoryRecord
from graphmem.ports import ChangeSet, Clock, Passage, Selection, Store, StoreInfo

PAGE = 256
EVERY_RELATIONSHIP = 1_000_000
MARK = "copy"
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Content:
    """How many records of each kind, and for each kind a sum of their hashes, in which order does not matter."""

    counts: Counter[str] = field(default_factory=Counter)
    hashes: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, records: Iterable[Any]) -> None:
        for record in records:
            self.counts[kind] += 1
            digest = int.from_bytes(hashlib.sha256(repr(_canonical(record)).encode("utf-8", "surrogatepass")).digest(), "big")
            self.hashes[kind] = (self.hashes.get(kind, 0) + digest) % 2**256


@dataclass(frozen=True, slots=True)
class CopyReport:
    """Counts by kind of what both stores now hold alike."""

    users: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Page:
    memories: list[MemoryRecord]
    change: ChangeSet
    after: str | None


@dataclass(frozen=True, slots=True)
class Copier:
    """Copies scopes with everything that an answer depends on, vectors and counters included.

    What a session holds in mind and relationships that were unlinked stay behind.
    """

    source: Store
    target: Store
    clock: Clock

    async def run(
        self, source: StoreInfo, target: StoreInfo, users: list[str] | None = None, *, progress: Progress | None = None
    ) -> CopyReport:
        """Refuses a target of another model or ontology, and a scope that the target already holds otherwise than from this copy."""
        _check(source, target)
        if source.ontology is not None:
            await self.target.describe(ontology=source.ontology, embedding=source.embedding, dimensions=source.dimensions)
        total, done = (await self.source.totals()).get("memories", 0), 0
        counts: Counter[str] = Counter()
        names = users if users is not None else [name async for name in self._users()]
        for user_id in names:
            async for step in self._scope(user_id):
                done += step
                if progress is not None:
                    progress(done, total)
            counts += await self._verified(user_id)
            await self.target.set_note(user_id, MARK, None)
        return CopyReport(len(names), dict(sorted(counts.items())))

    async def _users(self) -> AsyncIterator[str]:
        found, after = await self.source.users()
        while True:
            for user_id in found:
                yield user_id
            if after is None:
                return
            found, after = await self.source.users(after=after)

    async def _scope(self, user_id: str) -> AsyncIterator[int]:
        """A mark in the target says how far a copy came; what was copied twice is the same."""
        mark = await self.target.note(user_id, MARK)
        if mark is None and (await self.target.totals(user_id)).get("memories", 0):
            await self._refuse_other(user_id)
            return
        after = (mark or {}).get("after")
        while True:
            page = await self._page(self.source, user_id, after)
            if after is None:
                await self._entities(user_id)
            await self.target.commit(page.change)
            after = page.after
            await self.target.set_note(user_id, MARK, {"after": after})
            yield len(page.memories)
            if after is None:
                return

    async def _refuse_other(self, user_id: str) -> None:
        if await self._content(self.source, user_id) != await self._content(self.target, user_id):
            raise InvalidInput(
                f"the target already holds other memories of {user_id!r}; forget them there first, or copy into another store"
            )

    async def _entities(self, user_id: str) -> None:
        async for entities in self._entity_pages(self.source, user_id):
            await self.target.commit(ChangeSet(user_id=user_id, now=self.clock.now(), entities=tuple(entities)))

    async def _entity_pages(self, store: Store, user_id: str) -> AsyncIterator[list[Entity]]:
        found, after = await store.all_entities(user_id)
        while found:
            yield found
            if after is None:
                return
            found, after = await store.all_entities(user_id, after=after)

    async def _page(self, store: Store, user_id: str, after: str | None) -> _Page:
        everything = Selection(at=self.clock.now(), states=frozenset(STATES))
        memories, following = await store.select(user_id, everything, order="id", limit=PAGE, after=after)
        ids = [memory.id for memory in memories]
        near = await store.relationships(user_id, ids, None, limit=EVERY_RELATIONSHIP)
        passages = await store.passages(user_id, ids)
        change = ChangeSet(
            user_id=user_id,
            now=self.clock.now(),
            memories=tuple(memories),
            reindex=frozenset(passage.memory_id for passage in passages),
            passages=tuple(passages),
            beliefs=tuple(await store.beliefs(user_id, ids)),
            statements=tuple(await store.statements(user_id, ids)),
            relationships=tuple(
                {one.relationship.id: one.relationship for one in near if one.relationship.source_id == one.start}.values()
            ),
        )
        return _Page(memories, change, following)

    async def _verified(self, user_id: str) -> Counter[str]:
        here, there = await self._content(self.source, user_id), await self._content(self.target, user_id)
        if here != there:
            kinds = sorted(kind for kind in here.counts | there.counts if _of(here, kind) != _of(there, kind))
            wrong = ", ".join(f"{kind} ({here.counts[kind]} here, {there.counts[kind]} there)" for kind in kinds)
            raise StoreError(
                f"the copy of {user_id!r} differs in {wrong}; was the source written to meanwhile? forget it there and copy again"
            )
        return here.counts

    async def _content(self, store: Store, user_id: str) -> Content:
        content = Content()
        async for entities in self._entity_pages(store, user_id):
            content.add("entities", entities)
        after: str | None = None
        while True:
            page = await self._page(store, user_id, after)
            change = page.change
            content.add("memories", ((memory.id, replaceable(memory)) for memory in change.memories))
            content.add("beliefs", change.beliefs)
            content.add("statements", change.statements)
            content.add("relationships", change.relationships)
            content.add("passages", change.passages)
            if page.after is None:
                return content
            after = page.after


def replaceable(memory: MemoryRecord) -> Any:
    """The record without its state at this moment, which the interval gives."""
    return {each.name: getattr(memory, each.name) for each in fields(memory) if each.name != "state"}


def _of(content: Content, kind: str) -> tuple[int, int]:
    return content.counts[kind], content.hashes.get(kind, 0)


def _check(source: StoreInfo, target: StoreInfo) -> None:
    if target.embedding is not None and source.embedding is not None and target.embedding != source.embedding:
        raise EmbeddingMismatch(target.embedding, source.embedding)
    if target.ontology is not None and source.ontology is not None and target.ontology != source.ontology:
        raise SchemaMismatch(f"the source follows ontology {source.ontology}, the target {target.ontology}; upgrade one of them first")


def _canonical(value: Any) -> Any:
    """A form whose text is the same for the same content, whichever store it came from."""
    if isinstance(value, Passage):
        vector = None if value.vector is None else value.vector.astype("<f4").tobytes()
        return ("Passage", value.memory_id, value.number, value.search_text, vector, value.tokens)
    if is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, [(each.name, _canonical(getattr(value, each.name))) for each in fields(value)])
    if hasattr(value, "items"):
        return sorted((str(name), repr(_canonical(item))) for name, item in value.items())
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(repr(_canonical(item)) for item in value)
    return value
