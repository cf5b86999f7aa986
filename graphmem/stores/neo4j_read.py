"""Reads of the Neo4j store, each inside a transaction that the caller holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graphmem.model import Belief, Entity, MemoryRecord, Relationship, Statement
from graphmem.ports import Neighbour, Order, Passage, Selection, WorkingItem
from graphmem.stores import neo4j_rows as rows_of
from graphmem.stores.neo4j_connection import Transaction, run
from graphmem.stores.neo4j_filters import Condition, condition
from graphmem.stores.neo4j_names import indexable
from graphmem.stores.neo4j_queries import queries
from graphmem.stores.neo4j_schema import require_types
from graphmem.stores.records import cursor_of, from_micros, micros, read_cursor, unpack
from graphmem.temporal import FAR_FUTURE

TYPES = "/*types*/SUPPORTS"
_ORDERS: dict[Order, tuple[str, str, str]] = {
    "newest": ("m.moment", "DESC", "<"),
    "oldest": ("m.moment", "", ">"),
    "deadline": ("coalesce(toStringOrNull(/*b*/m.deadline), '~')", "", ">"),
    "importance": ("m.importance", "DESC", "<"),
    "id": ("m.id", "", ">"),
}
"""What a page is sorted by, its direction, and the sign of what comes after."""


async def shown(tx: Transaction, user_id: str, selection: Selection | None) -> Condition:
    """The selection's condition, with the entities that its filter names looked up."""
    if selection is None:
        return Condition()
    found = condition(selection)
    if found.names:
        rows = await run(tx, queries().entities_named, user_id=user_id, names=list(dict.fromkeys(found.names)))
        found.parameters["named"] = [[row[0], row[1]] for row in rows]
    return found


async def memories(tx: Transaction, user_id: str, ids: Sequence[str], selection: Selection | None) -> list[MemoryRecord]:
    where = await shown(tx, user_id, selection)
    wanted = list(dict.fromkeys(ids))
    rows = await run(tx, where.into(queries().memories_by_id), user_id=user_id, ids=wanted, **where.parameters)
    at = None if selection is None else selection.at
    found = {row["id"]: rows_of.memory_out(user_id, row, at) for row in rows}
    return [found[each] for each in wanted if each in found]


async def select(
    tx: Transaction, user_id: str, selection: Selection, *, order: Order, limit: int, after: str | None
) -> tuple[list[MemoryRecord], str | None]:
    where, (sort, direction, sign) = await shown(tx, user_id, selection), _ORDERS[order]
    parameters: dict[str, Any] = {"user_id": user_id, "limit": limit + 1, **where.parameters}
    query = queries().select_memories.replace("/*sort*/ m.moment", sort).replace("/*order*/ sort", f"sort {direction}")
    timed = order in {"newest", "oldest"}
    if after is not None:
        _, last, parameters["last_id"] = read_cursor(after, 3)
        parameters["last"] = from_micros(last) if timed else last
        query = query.replace("/*beyond*/ true", f"sort {sign} $last OR (sort = $last AND m.id > $last_id)")
    rows = await run(tx, where.into(query), **parameters)
    found = [rows_of.memory_out(user_id, row, selection.at) for row in rows[:limit]]
    if len(rows) <= limit or not found:
        return found, None
    value = rows[limit - 1]["sort"]
    return found, cursor_of(order, micros(value.to_native()) if timed else value, found[-1].id)


async def count(tx: Transaction, user_id: str, selection: Selection) -> dict[str, int]:
    where = await shown(tx, user_id, selection)
    rows = await run(tx, where.into(queries().count_memories), user_id=user_id, **where.parameters)
    return {row[0]: int(row[1]) for row in rows}


async def about(tx: Transaction, user_id: str, entity_ids: Sequence[str], selection: Selection, k: int) -> list[str]:
    where = await shown(tx, user_id, selection)
    rows = await run(tx, where.into(queries().about_entities), user_id=user_id, ids=list(entity_ids), limit=k, **where.parameters)
    return [row["id"] for row in rows]


async def passages(tx: Transaction, user_id: str, ids: Sequence[str], *, vectors: bool, tokens: bool) -> list[Passage]:
    rows = await run(tx, queries().passages_by_memory, user_id=user_id, ids=list(dict.fromkeys(ids)), vectors=vectors, tokens=tokens)
    return [rows_of.passage_out(row) for row in rows]


# ── the graph ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def session_neighbours(
    tx: Transaction, user_id: str, ids: Sequence[str], before: int, after: int
) -> dict[str, tuple[list[str], list[str]]]:
    rows = await run(tx, queries().session_neighbours, user_id=user_id, ids=list(dict.fromkeys(ids)), before=before, after=after)
    return {row["id"]: (row["earlier"], row["later"]) for row in rows}


async def episodes_around(
    tx: Transaction, user_id: str, spans: Mapping[str, tuple[datetime, datetime]]
) -> dict[str, tuple[MemoryRecord | None, tuple[MemoryRecord, ...], MemoryRecord | None]]:
    wanted = [{"session_id": name, "first": first, "last": last} for name, (first, last) in spans.items()]
    rows = await run(tx, Condition().into(queries().session_spans), user_id=user_id, rows=wanted)
    sides: dict[str, dict[int, list[MemoryRecord]]] = {name: {-1: [], 0: [], 1: []} for name in spans}
    for row in rows:
        sides[row["session_id"]][row["side"]].append(rows_of.memory_out(user_id, row, None))
    return {name: (next(iter(side[-1]), None), tuple(side[0]), next(iter(side[1]), None)) for name, side in sides.items()}


async def relationships(
    tx: Transaction, user_id: str, ids: Sequence[str], types: Sequence[str], *, limit: int, as_of: datetime | None
) -> list[Neighbour]:
    """All of a start in one expansion; a start with more than `limit` is asked again type by type, for its newest of each."""
    wanted = list(dict.fromkeys(ids))
    # Now: every relationship that is open has its end in the far future.
    moment = FAR_FUTURE - timedelta(microseconds=1) if as_of is None else as_of
    around = {"user_id": user_id, "as_of": moment}
    rows = await run(
        tx, queries().relationships_around.replace(TYPES, require_types(types)), ids=wanted, cap=min(limit, _LONG) + 1, **around
    )
    counted: dict[str, int] = {}
    for row in rows:
        counted[row["start"]] = counted.get(row["start"], 0) + 1
    hubs = [start for start, number in counted.items() if number > limit]
    found = [(row["place"], row) for row in rows if counted[row["start"]] <= limit]
    if hubs:
        places = {each: place for place, each in enumerate(wanted)}
        for name in types:
            text = queries().relationships_of_hub.replace(TYPES, require_types([name]))
            found += [(places[row["start"]], row) for row in await run(tx, text, ids=hubs, limit=limit, **around)]
        found.sort(key=lambda pair: pair[0])
    return [_neighbour(user_id, row) for _, row in found]


_LONG = 2**53


def _neighbour(user_id: str, row: Any) -> Neighbour:
    found: Relationship = rows_of.relationship_out(user_id, row)
    return Neighbour(row["start"], found, found.target_id if found.source_id == row["start"] else found.source_id)


# ── claims, beliefs, entities ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def claims(tx: Transaction, user_id: str, keys: Sequence[str]) -> tuple[list[MemoryRecord], list[Statement]]:
    """Statements first: reads are not repeatable in Neo4j, and a statement that is seen has its memory then, not the other way round."""
    q, wanted = queries(), [indexable(key) for key in dict.fromkeys(keys)]
    said = await run(tx, q.statements_by_key, user_id=user_id, keys=wanted)
    records = await run(tx, Condition().into(q.memories_by_key), user_id=user_id, keys=wanted)
    return [rows_of.memory_out(user_id, row, None) for row in records], [rows_of.statement_out(user_id, row) for row in said]


async def statements(tx: Transaction, user_id: str, memory_ids: Sequence[str]) -> list[Statement]:
    rows = await run(tx, queries().statements_by_memory, user_id=user_id, ids=list(memory_ids))
    return [rows_of.statement_out(user_id, row) for row in rows]


async def beliefs(tx: Transaction, user_id: str, memory_ids: Sequence[str]) -> list[Belief]:
    rows = await run(tx, queries().beliefs_by_memory, user_id=user_id, ids=list(memory_ids))
    return [rows_of.belief_out(user_id, row) for row in rows]


async def changed_since(tx: Transaction, user_id: str, since: datetime, limit: int) -> list[Belief]:
    rows = await run(tx, queries().beliefs_since, user_id=user_id, since=since, limit=limit, open=FAR_FUTURE)
    return [rows_of.belief_out(user_id, row) for row in rows]


async def entities(tx: Transaction, user_id: str, names: Sequence[str]) -> list[Entity]:
    rows = await run(tx, queries().entities_by_name, user_id=user_id, names=list(names))
    return [rows_of.entity_out(user_id, row) for row in rows]


async def entities_by_id(tx: Transaction, user_id: str, ids: Sequence[str]) -> list[Entity]:
    rows = await run(tx, queries().entities_by_id, user_id=user_id, ids=list(dict.fromkeys(ids)))
    return [rows_of.entity_out(user_id, row) for row in rows]


async def all_entities(tx: Transaction, user_id: str, limit: int, after: str | None) -> tuple[list[Entity], str | None]:
    last = "" if after is None else read_cursor(after, 1)[0]
    rows = await run(tx, queries().all_entities, user_id=user_id, after=last, limit=limit + 1)
    found = [rows_of.entity_out(user_id, row) for row in rows[:limit]]
    return found, cursor_of(found[-1].id) if len(rows) > limit else None


async def speakers(tx: Transaction, user_id: str) -> list[str]:
    rows = await run(tx, queries().speakers, user_id=user_id)
    return list(rows[0][0]) if rows else []


async def working_items(tx: Transaction, user_id: str, session_id: str) -> list[WorkingItem]:
    rows = await run(tx, queries().working_items, user_id=user_id, session_id=session_id)
    return items_out(rows[0][0]) if rows else []


def items_out(packed: str) -> list[WorkingItem]:
    return [WorkingItem(*parts) for parts in unpack(packed)]


# ── the whole ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def users(tx: Transaction, limit: int, after: str | None) -> tuple[list[str], str | None]:
    last = "" if after is None else read_cursor(after, 1)[0]
    rows = [row[0] for row in await run(tx, queries().users, after=last, limit=limit + 1)]
    return rows[:limit], cursor_of(rows[limit - 1]) if len(rows) > limit else None


_KINDS = ("memories", "entities", "relationships", "statements", "beliefs", "passages", "users")


async def totals(tx: Transaction, user_id: str | None) -> dict[str, int]:
    given = {} if user_id is None else {"user_id": user_id}
    query = queries().totals if user_id is None else queries().totals_of_scope
    found = {row[0]: int(row[1]) for row in await run(tx, query, open=FAR_FUTURE, **given)}
    return {kind: found.get(kind, 0) for kind in _KINDS}
