"""`Neo4jStore`: graphmem's store on a Neo4j server (Community is enough), a cluster or Aura."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.errors import NotFound
from graphmem.model import Belief, Entity, MemoryRecord, Statement
from graphmem.ports import ChangeSet, Hit, Neighbour, Order, Passage, Selection, StoreInfo, Vector, WorkingItem
from graphmem.stores import neo4j_erase as erasing
from graphmem.stores import neo4j_read as reading
from graphmem.stores import neo4j_search as searching
from graphmem.stores import neo4j_write as writing
from graphmem.stores.neo4j_check import check
from graphmem.stores.neo4j_connection import Neo4jConnection, run
from graphmem.stores.neo4j_cypher import ask
from graphmem.stores.neo4j_queries import queries
from graphmem.stores.neo4j_rows import checked_vector
from graphmem.stores.neo4j_schema import Neo4jSchema
from graphmem.stores.records import pack, unpack


class Neo4jStore:
    """Every read has seen this process's writes; a write is one transaction, tried again for `timeout` seconds on what passes.

    `url` may be neo4j://, neo4j+s://, bolt:// …; with a cluster reads go to its followers. `auth` is (user, password).
    """

    def __init__(
        self,
        url: str,
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        pool_size: int = 50,
        timeout: float = 60.0,
    ) -> None:
        self._timeout = timeout
        self._connection = Neo4jConnection(url, auth, database, pool_size, timeout)
        self._schema = Neo4jSchema(self._connection)

    async def open(self) -> StoreInfo:
        await self._connection.open()
        try:
            return await self._schema.open()
        except BaseException:
            await self._connection.close()
            raise

    async def close(self) -> None:
        await self._connection.close()

    async def describe(self, *, ontology: str, embedding: str | None, dimensions: int | None) -> None:
        await self._schema.describe(ontology, embedding, dimensions)

    # ── writing ──

    async def commit(self, change: ChangeSet) -> int:
        rows = writing.prepare(change)
        await self._schema.know_types(row["type"] for row in rows.relationships)
        types = await self._types() if rows.closed else []
        return await self._connection.write(lambda tx: writing.apply(tx, rows, types, binary=self._connection.server.filters_in_index))

    async def touch(self, user_id: str, ids: Sequence[str], at: datetime) -> None:
        if ids:
            await self._connection.write(lambda tx: writing.touch(tx, user_id, ids, at))

    async def set_pinned(self, user_id: str, memory_id: str, pinned: bool) -> None:
        if not await self._connection.write(lambda tx: writing.set_pinned(tx, user_id, memory_id, pinned)):
            raise NotFound("memory", memory_id)

    async def set_working_items(self, user_id: str, session_id: str, items: Sequence[WorkingItem]) -> None:
        await self._connection.write(lambda tx: writing.set_working_items(tx, user_id, session_id, items))

    async def set_note(self, user_id: str, name: str, value: Mapping[str, Any] | None) -> None:
        query, given = (queries().drop_note, {}) if value is None else (queries().put_note, {"value": pack(value)})
        await self._connection.write(lambda tx: run(tx, query, user_id=user_id, name=name, **given))

    async def erase(self, user_id: str, ids: Sequence[str] | None, now: datetime) -> dict[str, int]:  # noqa: ARG002 — nothing dated stays
        if ids is None:
            return await erasing.erase_scope(self._connection, user_id)
        return await self._connection.write(lambda tx: erasing.erase_memories(tx, user_id, ids))

    async def compact(self) -> None:
        """Nothing that a client could do: Neo4j reuses the space of what was erased and prunes its logs by itself; `doctor` says so."""

    # ── reading ──

    async def revision(self, user_id: str) -> int:
        rows = await self._connection.read(lambda tx: run(tx, queries().scope_revision, user_id=user_id))
        return int(rows[0][0]) if rows else 0

    async def memories(self, user_id: str, ids: Sequence[str], selection: Selection | None = None) -> list[MemoryRecord]:
        if not ids:
            return []
        return await self._connection.read(lambda tx: reading.memories(tx, user_id, ids, selection))

    async def select(
        self, user_id: str, selection: Selection, *, order: Order = "newest", limit: int = 100, after: str | None = None
    ) -> tuple[list[MemoryRecord], str | None]:
        return await self._connection.read(lambda tx: reading.select(tx, user_id, selection, order=order, limit=limit, after=after))

    async def count(self, user_id: str, selection: Selection) -> dict[str, int]:
        return await self._connection.read(lambda tx: reading.count(tx, user_id, selection))

    async def nearest(self, user_id: str, vector: Vector, selection: Selection, k: int) -> list[Hit]:
        wanted = checked_vector(vector)
        if k < 1:
            return []
        search = searching.nearest_scanned
        if self._schema.vector_index and len(wanted) == self._schema.dimensions:
            search = searching.nearest_filtered if self._connection.server.filters_in_index else searching.nearest_plain
        return await self._connection.read(lambda tx: search(tx, user_id, wanted, selection, k))

    async def best_words(self, user_id: str, tokens: Sequence[str], selection: Selection, k: int) -> list[Hit]:
        return await self._connection.read(lambda tx: searching.best_words(tx, user_id, tokens, selection, k))

    async def passages(self, user_id: str, ids: Sequence[str], *, vectors: bool = True, tokens: bool = True) -> list[Passage]:
        if not ids:
            return []
        return await self._connection.read(lambda tx: reading.passages(tx, user_id, ids, vectors=vectors, tokens=tokens))

    async def session_neighbours(
        self, user_id: str, episode_ids: Sequence[str], *, before: int, after: int
    ) -> dict[str, tuple[list[str], list[str]]]:
        return await self._connection.read(lambda tx: reading.session_neighbours(tx, user_id, episode_ids, before, after))

    async def episodes_around(
        self, user_id: str, spans: Mapping[str, tuple[datetime, datetime]]
    ) -> dict[str, tuple[MemoryRecord | None, tuple[MemoryRecord, ...], MemoryRecord | None]]:
        return await self._connection.read(lambda tx: reading.episodes_around(tx, user_id, spans))

    async def relationships(
        self, user_id: str, ids: Sequence[str], types: Sequence[str] | None, *, limit: int = 200, as_of: datetime | None = None
    ) -> list[Neighbour]:
        known = await self._types() if types is None else list(dict.fromkeys(types))
        if not ids or not known:
            return []
        return await self._connection.read(lambda tx: reading.relationships(tx, user_id, ids, known, limit=limit, as_of=as_of))

    async def claims(self, user_id: str, keys: Sequence[str]) -> tuple[list[MemoryRecord], list[Statement]]:
        return await self._connection.read(lambda tx: reading.claims(tx, user_id, keys))

    async def statements(self, user_id: str, memory_ids: Sequence[str]) -> list[Statement]:
        return await self._connection.read(lambda tx: reading.statements(tx, user_id, memory_ids))

    async def beliefs(self, user_id: str, memory_ids: Sequence[str]) -> list[Belief]:
        return await self._connection.read(lambda tx: reading.beliefs(tx, user_id, memory_ids))

    async def changed_since(self, user_id: str, since: datetime, limit: int) -> list[Belief]:
        return await self._connection.read(lambda tx: reading.changed_since(tx, user_id, since, limit))

    async def entities(self, user_id: str, folded_names: Sequence[str]) -> list[Entity]:
        return await self._connection.read(lambda tx: reading.entities(tx, user_id, folded_names))

    async def entities_by_id(self, user_id: str, ids: Sequence[str]) -> list[Entity]:
        return await self._connection.read(lambda tx: reading.entities_by_id(tx, user_id, ids)) if ids else []

    async def all_entities(self, user_id: str, *, limit: int = 1000, after: str | None = None) -> tuple[list[Entity], str | None]:
        return await self._connection.read(lambda tx: reading.all_entities(tx, user_id, limit, after))

    async def about(self, user_id: str, entity_ids: Sequence[str], selection: Selection, k: int) -> list[str]:
        return await self._connection.read(lambda tx: reading.about(tx, user_id, entity_ids, selection, k))

    async def speakers(self, user_id: str) -> list[str]:
        return await self._connection.read(lambda tx: reading.speakers(tx, user_id))

    async def working_items(self, user_id: str, session_id: str) -> list[WorkingItem]:
        return await self._connection.read(lambda tx: reading.working_items(tx, user_id, session_id))

    async def note(self, user_id: str, name: str) -> Mapping[str, Any] | None:
        rows = await self._connection.read(lambda tx: run(tx, queries().note, user_id=user_id, name=name))
        return unpack(rows[0][0]) if rows else None

    async def residue(self, user_id: str, ids: Sequence[str] | None) -> int:
        return await self._connection.read(lambda tx: erasing.residue(tx, user_id, ids))

    async def users(self, *, limit: int = 1000, after: str | None = None) -> tuple[list[str], str | None]:
        return await self._connection.read(lambda tx: reading.users(tx, limit, after))

    async def totals(self, user_id: str | None = None) -> Mapping[str, int]:
        return await self._connection.read(lambda tx: reading.totals(tx, user_id))

    async def check(self, *, deep: bool = False) -> list[tuple[str, bool, str]]:
        server, dimensions = self._connection.server, self._schema.dimensions
        return await self._connection.read(lambda tx: check(tx, server, dimensions, deep=deep))

    async def cypher(self, user_id: str, query: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Rows of a caller's own query, which may only read and must start from nodes of this scope."""
        return await ask(self._connection, user_id, query, parameters, self._timeout)

    async def _types(self) -> list[str]:
        return await self._schema.seen_types()
