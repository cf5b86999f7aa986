"""Erasing in the Neo4j store, and asking what is left."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.stores.neo4j_connection import Neo4jConnection, Transaction, run
from graphmem.stores.neo4j_queries import queries
from graphmem.stores.neo4j_read import items_out, totals
from graphmem.stores.neo4j_write import pack_items
from graphmem.stores.records import scope_token

ERASED_AT_ONCE = 5000


async def erase_memories(tx: Transaction, user_id: str, ids: Sequence[str]) -> dict[str, int]:
    q, wanted = queries(), list(dict.fromkeys(ids))
    await run(tx, q.lock_scope, user_id=user_id)
    family = await run(tx, q.entity_families, user_id=user_id, ids=wanted)
    [row] = await run(tx, q.erase_memories, user_id=user_id, ids=wanted)
    counts = {name: int(row[name]) for name in row.data()}
    counts["working_items"] = await _forget_working_items(tx, user_id, set(wanted))
    [known] = await run(tx, q.erase_entities, user_id=user_id, ids=_orphans([each.values() for each in family]))
    counts["entities"] = int(known[0])
    await run(tx, q.recount_speakers, user_id=user_id)
    return counts


def _orphans(family: Sequence[Sequence[object]]) -> list[str]:
    """Those whose whole family of merged entities no other memory names."""
    target = {str(each[0]): each[1] for each in family}

    def root(entity_id: str) -> str:
        seen = {entity_id}
        while isinstance(following := target.get(entity_id), str) and following not in seen:
            entity_id = following
            seen.add(entity_id)
        return entity_id

    alive = {root(str(each[0])) for each in family if each[3]}
    return [entity_id for entity_id in target if root(entity_id) not in alive]


async def _forget_working_items(tx: Transaction, user_id: str, ids: set[str]) -> int:
    forgotten = 0
    for session_id, packed in await run(tx, queries().working_sessions, user_id=user_id):
        items = items_out(packed)
        kept = [item for item in items if item.memory_id not in ids]
        if len(kept) < len(items):
            forgotten += len(items) - len(kept)
            await run(tx, queries().keep_working_items, user_id=user_id, session_id=session_id, items=pack_items(kept))
    return forgotten


async def erase_scope(connection: Neo4jConnection, user_id: str) -> dict[str, int]:
    """In several transactions, for a scope may be larger than one can hold; killed in between, the same call goes on."""
    counts = await connection.read(lambda tx: totals(tx, user_id))
    while await connection.write(lambda tx: _erase_some(tx, user_id)):
        pass
    await connection.write(lambda tx: run(tx, queries().erase_scope, user_id=user_id))
    return counts


async def _erase_some(tx: Transaction, user_id: str) -> int:
    [row] = await run(tx, queries().erase_batch, user_id=user_id, limit=ERASED_AT_ONCE)
    return int(row[0])


async def residue(tx: Transaction, user_id: str, ids: Sequence[str] | None) -> int:
    q = queries()
    if ids is not None:
        [row] = await run(tx, q.residue_of_memories, user_id=user_id, ids=list(ids))
        in_mind = sum(
            item.memory_id in set(ids) for each in await run(tx, q.working_sessions, user_id=user_id) for item in items_out(each[1])
        )
        return int(row[0]) + in_mind
    [row] = await run(tx, q.residue_of_scope, user_id=user_id, query=f'scope:"{scope_token(user_id)}"')
    return int(row[0])
