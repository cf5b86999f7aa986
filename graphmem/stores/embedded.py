"""`EmbeddedStore`: graphmem's store in one SQLite file, or in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from anyio import to_thread

from graphmem.errors import NotFound
from graphmem.model import Belief, Entity, MemoryRecord, Statement
from graphmem.ports import ChangeSet, Hit, Neighbour, Order, Passage, Selection, StoreInfo, Vector, WorkingItem
from graphmem.stores import embedded_read as reading
from graphmem.stores import embedded_write as writing
from graphmem.stores.embedded_check import check
from graphmem.stores.embedded_connection import MEMORY, Connections, Work
from graphmem.stores.embedded_queries import queries
from graphmem.stores.embedded_rows import vector_in
from graphmem.stores.embedded_vectors import Slices
from graphmem.stores.records import pack, unpack

T = TypeVar("T")


class EmbeddedStore:
    """Durable when a write returns; readers never wait for writers; several processes may use one file at a time.

    `cache_bytes` bounds the vectors that are held in memory, whole scopes at a time, the least used dropped first.
    """

    def __init__(self, location: str | Path, *, cache_bytes: int = 1 << 30) -> None:
        self._connections = Connections(MEMORY if str(location) == MEMORY else str(Path(location).expanduser()))
        self._slices = Slices(cache_bytes)
        self._unmerged = 0

    async def open(self) -> StoreInfo:
        schema = await to_thread.run_sync(self._connections.open)
        said = dict(await self._read(lambda c: c.execute(queries().meta).fetchall()))
        return StoreInfo(
            schema=schema,
            ontology=said.get("ontology"),
            embedding=said.get("embedding"),
            dimensions=said.get("dimensions"),
            engine=f"SQLite {sqlite3.sqlite_version}",
        )

    async def close(self) -> None:
        self._slices.clear()
        await to_thread.run_sync(self._connections.close)

    async def describe(self, *, ontology: str, embedding: str | None, dimensions: int | None) -> None:
        """What is None stays as it is recorded."""
        given = {"ontology": ontology, "embedding": embedding, "dimensions": dimensions}
        said = dict(await self._read(lambda c: c.execute(queries().meta).fetchall()))
        news = [{"name": name, "value": value} for name, value in given.items() if value is not None and said.get(name) != value]
        if news:
            await self._write(lambda c: c.executemany(queries().set_meta, news))

    # ── writing ──

    async def commit(self, change: ChangeSet) -> int:
        def work() -> int:
            rows = writing.prepare(change)
            revision = self._connections.write(lambda c: writing.apply(c, rows))
            self._unmerged += len(rows.passages)
            if self._unmerged >= writing.MERGE_AT_LEAST:
                self._unmerged = self._connections.write(lambda c: writing.merge_words(c, self._unmerged), lazy=True)
            return revision

        return await to_thread.run_sync(work)

    async def touch(self, user_id: str, ids: Sequence[str], at: datetime) -> None:
        if ids:
            work: Work[None] = lambda c: writing.touch(c, user_id, ids, at)  # noqa: E731 — typed for mypy
            await to_thread.run_sync(lambda: self._connections.write(work, lazy=True))

    async def set_pinned(self, user_id: str, memory_id: str, pinned: bool) -> None:
        if not await self._write(lambda c: writing.set_pinned(c, user_id, memory_id, pinned)):
            raise NotFound("memory", memory_id)

    async def set_working_items(self, user_id: str, session_id: str, items: Sequence[WorkingItem]) -> None:
        await self._write(lambda c: writing.set_working_items(c, user_id, session_id, items))

    async def set_note(self, user_id: str, name: str, value: Mapping[str, Any] | None) -> None:
        row = {"user_id": user_id, "name": name, "value": None if value is None else pack(value)}
        query = queries().drop_note if value is None else queries().put_note
        await self._write(lambda c: c.execute(query, row))

    async def erase(self, user_id: str, ids: Sequence[str] | None, now: datetime) -> dict[str, int]:  # noqa: ARG002 — nothing dated stays
        if ids is None:
            return await self._write(lambda c: writing.erase_scope(c, user_id))
        return await self._write(lambda c: writing.erase_memories(c, user_id, ids))

    async def compact(self) -> None:
        await to_thread.run_sync(lambda: self._connections.alone(writing.compact))

    # ── reading ──

    async def revision(self, user_id: str) -> int:
        row = await self._read(lambda c: c.execute(queries().scope_revision, {"user_id": user_id}).fetchone())
        return int(row[0]) if row else 0

    async def memories(self, user_id: str, ids: Sequence[str], selection: Selection | None = None) -> list[MemoryRecord]:
        if not ids:
            return []
        if selection is None:
            return await self._read(lambda c: reading.memories(c, user_id, ids, None))
        return await self._read_fresh(user_id, lambda c: reading.shown_memories(c, self._slices, user_id, ids, selection))

    async def select(
        self, user_id: str, selection: Selection, *, order: Order = "newest", limit: int = 100, after: str | None = None
    ) -> tuple[list[MemoryRecord], str | None]:
        return await self._read(lambda c: reading.select(c, user_id, selection, order=order, limit=limit, after=after))

    async def count(self, user_id: str, selection: Selection) -> dict[str, int]:
        return await self._read(lambda c: reading.count(c, user_id, selection))

    async def nearest(self, user_id: str, vector: Vector, selection: Selection, k: int) -> list[Hit]:
        vector_in(vector)
        return await self._read_fresh(user_id, lambda c: reading.nearest(c, self._slices, user_id, vector, selection, k=k))

    async def best_words(self, user_id: str, tokens: Sequence[str], selection: Selection, k: int) -> list[Hit]:
        return await self._read_fresh(user_id, lambda c: reading.best_words(c, self._slices, user_id, tokens, selection, k=k))

    async def passages(self, user_id: str, ids: Sequence[str], *, vectors: bool = True, tokens: bool = True) -> list[Passage]:
        return await self._read_near(user_id, lambda c: reading.passages(c, user_id, ids, vectors=vectors, tokens=tokens))

    async def session_neighbours(
        self, user_id: str, episode_ids: Sequence[str], *, before: int, after: int
    ) -> dict[str, tuple[list[str], list[str]]]:
        return await self._read_near(user_id, lambda c: reading.session_neighbours(c, user_id, episode_ids, before, after))

    async def episodes_around(
        self, user_id: str, spans: Mapping[str, tuple[datetime, datetime]]
    ) -> dict[str, tuple[MemoryRecord | None, tuple[MemoryRecord, ...], MemoryRecord | None]]:
        return await self._read(lambda c: reading.episodes_around(c, user_id, spans))

    async def relationships(
        self, user_id: str, ids: Sequence[str], types: Sequence[str] | None, *, limit: int = 200, as_of: datetime | None = None
    ) -> list[Neighbour]:
        return await self._read_near(user_id, lambda c: reading.relationships(c, user_id, ids, types, limit=limit, as_of=as_of))

    async def claims(self, user_id: str, keys: Sequence[str]) -> tuple[list[MemoryRecord], list[Statement]]:
        return await self._read(lambda c: reading.claims(c, user_id, keys))

    async def statements(self, user_id: str, memory_ids: Sequence[str]) -> list[Statement]:
        return await self._read(lambda c: reading.statements(c, user_id, memory_ids))

    async def beliefs(self, user_id: str, memory_ids: Sequence[str]) -> list[Belief]:
        return await self._read(lambda c: reading.beliefs(c, user_id, memory_ids))

    async def changed_since(self, user_id: str, since: datetime, limit: int) -> list[Belief]:
        return await self._read(lambda c: reading.changed_since(c, user_id, since, limit))

    async def entities(self, user_id: str, folded_names: Sequence[str]) -> list[Entity]:
        return await self._read_near(user_id, lambda c: reading.entities(c, user_id, folded_names))

    async def entities_by_id(self, user_id: str, ids: Sequence[str]) -> list[Entity]:
        return await self._read(lambda c: reading.entities_by_id(c, user_id, ids))

    async def all_entities(self, user_id: str, *, limit: int = 1000, after: str | None = None) -> tuple[list[Entity], str | None]:
        return await self._read(lambda c: reading.all_entities(c, user_id, limit, after))

    async def about(self, user_id: str, entity_ids: Sequence[str], selection: Selection, k: int) -> list[str]:
        return await self._read_near(user_id, lambda c: reading.about(c, user_id, entity_ids, selection, k))

    async def speakers(self, user_id: str) -> list[str]:
        rows = await self._read_near(user_id, lambda c: c.execute(queries().speakers, {"user_id": user_id}).fetchall())
        return [row[0] for row in rows]

    async def working_items(self, user_id: str, session_id: str) -> list[WorkingItem]:
        return await self._read(lambda c: reading.working_items(c, user_id, session_id))

    async def note(self, user_id: str, name: str) -> Mapping[str, Any] | None:
        row = await self._read(lambda c: c.execute(queries().note, {"user_id": user_id, "name": name}).fetchone())
        return None if row is None else unpack(row[0])

    async def residue(self, user_id: str, ids: Sequence[str] | None) -> int:
        return await self._read(lambda c: writing.residue(c, user_id, ids))

    async def users(self, *, limit: int = 1000, after: str | None = None) -> tuple[list[str], str | None]:
        return await self._read(lambda c: reading.users(c, limit, after))

    async def totals(self, user_id: str | None = None) -> Mapping[str, int]:
        query = queries().totals if user_id is None else queries().totals_of_scope
        rows = await self._read(lambda c: c.execute(query, {} if user_id is None else {"user_id": user_id}).fetchall())
        return {kind: int(count) for kind, count in rows}

    async def check(self, *, deep: bool = False) -> list[tuple[str, bool, str]]:
        return await to_thread.run_sync(lambda: self._connections.alone(lambda c: check(c, deep=deep)))

    # ── threads ──

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await to_thread.run_sync(self._connections.read, work)

    async def _read_near(self, user_id: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Without a thread for a small scope of a file, where reads never wait for writers; a thread costs more than the read."""
        if self._slices.small(user_id) and not self._connections.in_memory:
            return self._connections.read(work)
        return await self._read(work)

    async def _read_fresh(self, user_id: str, work: Callable[[sqlite3.Connection], T | None]) -> T:
        """Again on a newer snapshot whenever another thread's had been newer than this one's."""
        while True:
            found = await self._read_near(user_id, work)
            if found is not None:
                return found

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await to_thread.run_sync(self._connections.write, work)
