"""Reads of the embedded store, each inside a snapshot that the caller holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from graphmem.model import Belief, Entity, MemoryRecord, Relationship, Statement, state_at
from graphmem.ports import Hit, Neighbour, Order, Passage, Selection, Vector, WorkingItem
from graphmem.stores.embedded_filters import Condition, condition
from graphmem.stores.embedded_queries import queries
from graphmem.stores.embedded_rows import (
    BELIEF_COLUMNS,
    MEMORY_COLUMNS,
    OPEN_END,
    STATEMENT_COLUMNS,
    belief_out,
    entity_out,
    memory_out,
    passage_out,
    relationship_out,
    statement_out,
    word_prefix,
)
from graphmem.stores.embedded_vectors import Slices, best, visible
from graphmem.stores.records import cursor_of, from_micros, micros, read_cursor

WORDS_AT_MOST = 64
"""Words of one query that the index is asked for; more cost time and add nothing to an OR."""


@dataclass(frozen=True, slots=True)
class _Ordering:
    """How a page is sorted: SQL of the value, its direction, and what stands for a missing one."""

    value: str
    direction: str
    sign: str


_ORDERS: dict[Order, _Ordering] = {
    "newest": _Ordering("m.moment", "DESC", "<"),
    "oldest": _Ordering("m.moment", "ASC", ">"),
    "deadline": _Ordering("coalesce(json_extract(m.slots, '$.deadline'), '~')", "ASC", ">"),
    "importance": _Ordering("m.importance", "DESC", "<"),
    "id": _Ordering("m.id", "ASC", ">"),
}


def _json(values: Sequence[str]) -> str:
    return json.dumps(list(values))


def memories(connection: sqlite3.Connection, user_id: str, ids: Sequence[str], selection: Selection | None) -> list[MemoryRecord]:
    shown = Condition() if selection is None else condition(selection)
    rows = connection.execute(
        shown.into(queries().memories_by_id, MEMORY_COLUMNS), {"user_id": user_id, "ids": _json(ids), **shown.parameters}
    )
    at = None if selection is None else selection.at
    found = {row[0]: memory_out(row, at) for row in rows}
    return [found[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in found]


def shown_memories(
    connection: sqlite3.Connection, slices: Slices, user_id: str, ids: Sequence[str], selection: Selection
) -> list[MemoryRecord] | None:
    """As `memories`, from records that are held decoded; None when the snapshot is older than what is held."""
    if selection.as_of is not None:
        return memories(connection, user_id, ids, selection)
    held = slices.at(connection, user_id)
    if held is None:
        return None
    shown = visible(connection, user_id, held, selection)
    places = {id_: place for id_ in dict.fromkeys(ids) if (place := held.place(id_)) is not None and shown[place]}
    found = {id_: record for id_, place in places.items() if (record := held.record(id_, place)) is not None}
    if missing := [id_ for id_ in places if id_ not in found]:
        fresh = memories(connection, user_id, missing, None)
        held.keep(fresh)
        found |= {record.id: record for record in fresh}
    return [_at(found[id_], selection.at) for id_ in places if id_ in found]


def _at(record: MemoryRecord, at: datetime) -> MemoryRecord:
    state = state_at(record.stored_state, record.valid_from, record.valid_to, at)
    return record if state == record.state else replace(record, state=state)


def select(
    connection: sqlite3.Connection, user_id: str, selection: Selection, *, order: Order, limit: int, after: str | None
) -> tuple[list[MemoryRecord], str | None]:
    shown, ordering = condition(selection), _ORDERS[order]
    parameters = {"user_id": user_id, "limit": limit + 1, **shown.parameters}
    query = shown.into(queries().select_memories, MEMORY_COLUMNS).replace("/*sort*/ m.moment", ordering.value)
    query = query.replace("/*order*/ m.id", f"{ordering.value} {ordering.direction}, m.id")
    if after is not None:
        _, parameters["last"], parameters["last_id"] = read_cursor(after, 3)
        beyond = f"({ordering.value} {ordering.sign} :last OR ({ordering.value} = :last AND m.id > :last_id))"
        query = query.replace("WHERE m.user_id = :user_id", f"WHERE m.user_id = :user_id AND {beyond}")
    rows = connection.execute(query, parameters).fetchall()
    found = [memory_out(row, selection.at) for row in rows[:limit]]
    more = len(rows) > limit and found
    return found, cursor_of(order, rows[limit - 1][-1], rows[limit - 1][0]) if more else None


def count(connection: sqlite3.Connection, user_id: str, selection: Selection) -> dict[str, int]:
    shown = condition(selection)
    return dict(connection.execute(shown.into(queries().count_memories), {"user_id": user_id, **shown.parameters}).fetchall())


def about(connection: sqlite3.Connection, user_id: str, entity_ids: Sequence[str], selection: Selection, k: int) -> list[str]:
    shown = condition(selection)
    rows = connection.execute(
        shown.into(queries().about_entities), {"user_id": user_id, "ids": _json(entity_ids), "limit": k, **shown.parameters}
    )
    return [row[0] for row in rows]


# ── entry points ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def nearest(
    connection: sqlite3.Connection, slices: Slices, user_id: str, vector: Vector, selection: Selection, *, k: int
) -> list[Hit] | None:
    """None when the snapshot is older than what is held and a new one must be taken."""
    held = slices.at(connection, user_id, len(vector))
    return None if held is None else best(held, vector, visible(connection, user_id, held, selection), k)


def best_words(
    connection: sqlite3.Connection, slices: Slices, user_id: str, tokens: Sequence[str], selection: Selection, *, k: int
) -> list[Hit] | None:
    """As `nearest`; asks the index for more until `k` shown memories are found or it has no more."""
    words = _any_of(user_id, tokens)
    if not words or k < 1:
        return []
    held = slices.at(connection, user_id)
    if held is None:
        return None
    shown = visible(connection, user_id, held, selection)
    parameters: dict[str, Any] = {
        "user_id": user_id,
        "words": words,
        "limit": k + 16 if shown.all() else 2 * k + 32,
    }
    while True:
        rows = connection.execute(queries().best_words, parameters).fetchall()
        hits: dict[int, float] = {}
        if rows:
            passages = np.array([row[0] for row in rows], np.int64)
            places = np.minimum(np.searchsorted(held.passages, passages), len(held.passages) - 1)
            owners = np.where(held.passages[places] == passages, held.owners[places], -1)
            for owner, (_, score) in zip(owners.tolist(), rows, strict=True):
                if owner >= 0 and shown[owner]:
                    hits.setdefault(owner, -score)
        if len(hits) >= k or len(rows) < parameters["limit"]:
            return [Hit(held.shared.ids[owner], score) for owner, score in list(hits.items())[:k]]
        parameters["limit"] *= 8


def _any_of(user_id: str, tokens: Sequence[str]) -> str:
    """A match expression; quoted, a word is never syntax."""
    scope = word_prefix(user_id)
    words = [word for word in list(dict.fromkeys(tokens))[:WORDS_AT_MOST] if any(map(str.isalnum, word))]
    return " OR ".join(f'"{scope}{word.replace(chr(34), " ")}"' for word in words)


def passages(connection: sqlite3.Connection, user_id: str, ids: Sequence[str], *, vectors: bool, tokens: bool) -> list[Passage]:
    rows = connection.execute(
        queries().passages_by_memory, {"user_id": user_id, "ids": _json(ids), "vectors": int(vectors), "tokens": int(tokens)}
    )
    return [passage_out(row) for row in rows]


# ── the graph ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def session_neighbours(
    connection: sqlite3.Connection, user_id: str, ids: Sequence[str], before: int, after: int
) -> dict[str, tuple[list[str], list[str]]]:
    known = connection.execute(Condition().into(queries().memories_by_id, "m.id"), {"user_id": user_id, "ids": _json(ids)})
    found: dict[str, tuple[list[str], list[str]]] = {row[0]: ([], []) for row in known}
    for side, query, limit in ((0, queries().session_before, before), (1, queries().session_after, after)):
        if limit > 0:
            for start, other in connection.execute(query, {"user_id": user_id, "ids": _json(list(found)), "limit": limit}):
                found[start][side].append(other)
    return found


def episodes_around(
    connection: sqlite3.Connection, user_id: str, spans: Mapping[str, tuple[datetime, datetime]]
) -> dict[str, tuple[MemoryRecord | None, tuple[MemoryRecord, ...], MemoryRecord | None]]:
    places = [
        (session_id, side, id_)
        for session_id, (first, last) in spans.items()
        for side, id_ in connection.execute(
            queries().session_span, {"user_id": user_id, "session_id": session_id, "first": micros(first), "last": micros(last)}
        )
    ]
    wanted = {"user_id": user_id, "ids": _json([id_ for _, _, id_ in places])}
    rows = connection.execute(Condition().into(queries().memories_by_id, MEMORY_COLUMNS), wanted) if places else ()
    known = {memory.id: memory for memory in (memory_out(row, None) for row in rows)}
    sides: dict[str, dict[int, list[MemoryRecord]]] = {session_id: {-1: [], 0: [], 1: []} for session_id in spans}
    for session_id, side, id_ in places:
        sides[session_id][side].append(known[id_])
    return {name: (next(iter(side[-1]), None), tuple(side[0]), next(iter(side[1]), None)) for name, side in sides.items()}


def relationships(
    connection: sqlite3.Connection, user_id: str, ids: Sequence[str], types: Sequence[str] | None, *, limit: int, as_of: datetime | None
) -> list[Neighbour]:
    if types is None:
        types = [row[0] for row in connection.execute(queries().relationship_types, {"user_id": user_id})]
    # Now: every relationship that is open has its end in the far future.
    moment = OPEN_END - 1 if as_of is None else micros(as_of)
    rows = connection.execute(
        queries().relationships_around,
        {"user_id": user_id, "ids": _json(list(dict.fromkeys(ids))), "types": _json(types), "as_of": moment, "limit": limit},
    )
    return [_neighbour(row[0], relationship_out(user_id, row[1:])) for row in rows]


def _neighbour(start: str, relationship: Relationship) -> Neighbour:
    return Neighbour(start, relationship, relationship.target_id if relationship.source_id == start else relationship.source_id)


# ── claims, beliefs, entities ───────────────────────────────────────────────────────────────────────────────────────────────────────


def claims(connection: sqlite3.Connection, user_id: str, keys: Sequence[str]) -> tuple[list[MemoryRecord], list[Statement]]:
    q, wanted = queries(), {"user_id": user_id, "keys": _json(keys)}
    records = connection.execute(Condition().into(q.memories_by_key, MEMORY_COLUMNS), wanted).fetchall()
    said = connection.execute(q.statements_by_key.replace("/*columns*/ s.*", STATEMENT_COLUMNS), wanted).fetchall()
    return [memory_out(row, None) for row in records], [statement_out(row) for row in said]


def statements(connection: sqlite3.Connection, user_id: str, memory_ids: Sequence[str]) -> list[Statement]:
    query = queries().statements_by_memory.replace("/*columns*/ s.*", STATEMENT_COLUMNS)
    return [statement_out(row) for row in connection.execute(query, {"user_id": user_id, "ids": _json(memory_ids)})]


def beliefs(connection: sqlite3.Connection, user_id: str, memory_ids: Sequence[str]) -> list[Belief]:
    query = queries().beliefs_by_memory.replace("/*columns*/ b.*", BELIEF_COLUMNS)
    return [belief_out(row) for row in connection.execute(query, {"user_id": user_id, "ids": _json(memory_ids)})]


def changed_since(connection: sqlite3.Connection, user_id: str, since: datetime, limit: int) -> list[Belief]:
    query = queries().beliefs_since.replace("/*columns*/ b.*", BELIEF_COLUMNS)
    return [belief_out(row) for row in connection.execute(query, {"user_id": user_id, "since": micros(since), "limit": limit})]


def entities(connection: sqlite3.Connection, user_id: str, folded_names: Sequence[str]) -> list[Entity]:
    rows = connection.execute(queries().entities_by_name, {"user_id": user_id, "names": _json(folded_names)})
    return [entity_out(user_id, row) for row in rows]


def entities_by_id(connection: sqlite3.Connection, user_id: str, ids: Sequence[str]) -> list[Entity]:
    rows = connection.execute(queries().entities_by_id, {"user_id": user_id, "ids": _json(ids)})
    return [entity_out(user_id, row) for row in rows]


def all_entities(connection: sqlite3.Connection, user_id: str, limit: int, after: str | None) -> tuple[list[Entity], str | None]:
    last = "" if after is None else read_cursor(after, 1)[0]
    rows = connection.execute(queries().all_entities, {"user_id": user_id, "after": last, "limit": limit + 1}).fetchall()
    found = [entity_out(user_id, row) for row in rows[:limit]]
    return found, cursor_of(found[-1].id) if len(rows) > limit else None


def users(connection: sqlite3.Connection, limit: int, after: str | None) -> tuple[list[str], str | None]:
    last = "" if after is None else read_cursor(after, 1)[0]
    rows = [row[0] for row in connection.execute(queries().scopes, {"after": last, "limit": limit + 1})]
    return rows[:limit], cursor_of(rows[limit - 1]) if len(rows) > limit else None


def working_items(connection: sqlite3.Connection, user_id: str, session_id: str) -> list[WorkingItem]:
    rows = connection.execute(queries().working_items, {"user_id": user_id, "session_id": session_id})
    return [WorkingItem(row[0], row[1], bool(row[2]), from_micros(row[3])) for row in rows]
