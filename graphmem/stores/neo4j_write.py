"""Writes of the Neo4j store: a change set inside one managed transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j.vector import Vector as BoltVector

from graphmem.errors import StoreError, WriteConflict
from graphmem.ports import ChangeSet, Vector, WorkingItem
from graphmem.stores import neo4j_rows as rows_of
from graphmem.stores.neo4j_connection import Transaction, run, run_batches
from graphmem.stores.neo4j_names import Row, caption, indexable, timed
from graphmem.stores.neo4j_queries import queries
from graphmem.stores.neo4j_schema import require_types
from graphmem.stores.records import owned, pack
from graphmem.temporal import FAR_FUTURE

TYPES = "/*types*/SUPPORTS"
VECTOR_ROWS = 500


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change set as rows, made before the scope is locked."""

    user_id: str
    memories: list[Row]
    reindex: list[str]
    first: list[Row]
    further: list[Row]
    tokens: list[Row]
    beliefs: list[list[Row]]
    statements: list[Row]
    retracted: list[Row]
    entities: list[Row]
    relationships: list[Row]
    closed: list[Row]
    read: Mapping[str, frozenset[str]]
    speakers: list[str]


def prepare(change: ChangeSet) -> Prepared:
    user = change.user_id
    owned(user, (*change.memories, *change.beliefs, *change.statements, *change.entities, *change.relationships))
    passages = [rows_of.passage_in(user, passage) for passage in change.passages]
    return Prepared(
        user_id=user,
        memories=[rows_of.memory_in(memory) for memory in change.memories],
        reindex=sorted(change.reindex | {passage.memory_id for passage in change.passages}),
        first=[row for row in passages if row["number"] == 0],
        further=[row for row in passages if row["number"] != 0],
        tokens=[
            {"id": each.memory_id, "number": each.number, "tokens": each.tokens} for each in change.passages if each.tokens is not None
        ],
        beliefs=_in_turn([rows_of.belief_in(belief) for belief in change.beliefs]),
        statements=[rows_of.statement_in(statement) for statement in change.statements],
        retracted=[{"id": key, "at": when} for key, when in change.retracted.items()],
        entities=[rows_of.entity_in(entity) for entity in change.entities],
        relationships=[rows_of.relationship_in(each, change.now) for each in change.relationships],
        closed=[{"id": key, "at": when} for key, when in change.closed.items()],
        read=change.read,
        speakers=sorted({said for each in change.memories if isinstance(said := each.speaker, str)}),
    )


def _in_turn(beliefs: list[Row]) -> list[list[Row]]:
    """Rounds with one belief a memory each, so that each closes the one before."""
    rounds: list[list[Row]] = []
    seen: dict[str, int] = {}
    for belief in beliefs:
        number = seen.get(belief["memory_id"], 0)
        seen[belief["memory_id"]] = number + 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(belief)
    return rounds


async def apply(tx: Transaction, change: Prepared, types: Sequence[str], *, binary: bool) -> int:
    """Everything of the change set; returns the scope's new revision. `binary`: the server takes vectors as bytes."""
    q, user = queries(), change.user_id
    [locked] = await run(tx, q.lock_scope, user_id=user)
    await _check_read(tx, change)
    if change.entities:
        await run_batches(tx, q.put_entities, change.entities, user_id=user)
        await run(tx, q.link_merged, user_id=user, ids=[row["id"] for row in change.entities])
    await _put_memories(tx, change)
    await _put_passages(tx, change, binary=binary)
    for beliefs in change.beliefs:
        await run_batches(tx, q.close_beliefs, beliefs, user_id=user)
        _all_there(await run_batches(tx, q.put_beliefs, beliefs, user_id=user), len(beliefs), "belief")
    if change.statements:
        await run_batches(tx, q.put_statements, change.statements, user_id=user)
    if change.retracted:
        await run_batches(tx, q.retract_statements, change.retracted, user_id=user)
    await _put_relationships(tx, user, change.relationships)
    if locked["awaited"] and change.memories:
        await _take_in_awaited(tx, change)
    if change.closed and types:
        await run_batches(tx, q.close_relationships.replace(TYPES, require_types(types)), change.closed, user_id=user, open=FAR_FUTURE)
    return int(locked["revision"])


async def _check_read(tx: Transaction, change: Prepared) -> None:
    if not change.read:
        return
    found: dict[str, set[str]] = {key: set() for key in change.read}
    names = {indexable(key): key for key in change.read}
    for row in await run(tx, queries().unretracted, user_id=change.user_id, keys=list(names)):
        found[names[row[0]]].add(row[1])
    for key, expected in change.read.items():
        if found[key] != expected:
            raise WriteConflict(f"another writer changed what is stated under {key!r}; read it again and reconcile anew")


def _all_there(written: int, wanted: int, what: str) -> None:
    if written != wanted:
        raise StoreError(f"{wanted - written} {what}s belong to memories that do not exist")


async def _put_memories(tx: Transaction, change: Prepared) -> None:
    if not change.memories:
        return
    q, user = queries(), change.user_id
    found = await run(tx, q.known_memories, user_id=user, ids=[row["id"] for row in change.memories])
    known = {row[0] for row in found}
    again = [timed({**row, "refs": None}) for row in change.memories if row["id"] in known]
    if again:
        await run_batches(tx, q.put_memories, again, user_id=user)
        await run(tx, q.drop_refs, user_id=user, ids=sorted(known))
    await _create_memories(tx, user, [row for row in change.memories if row["id"] not in known])
    refs = [{**ref, "memory_id": row["id"]} for row in change.memories for ref in row["refs"]]
    if refs:
        await run_batches(tx, q.put_refs, refs, user_id=user)
    if change.speakers:
        await run(tx, q.add_speakers, user_id=user, names=change.speakers)


async def _create_memories(tx: Transaction, user: str, rows: Sequence[Row]) -> None:
    """Type by type, with the label in the query's text: several times as fast as merging."""
    by_label: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        props = {**row["props"], "access_count": row["count"], "last_accessed_at": row["last"]}
        by_label.setdefault(tuple(row["labels"]), {})[row["id"]] = timed({"props": props})
    for labels, fresh in by_label.items():
        text = queries().create_memories.replace("/*label*/", "".join(f":`{each}`" for each in labels))
        await run_batches(tx, text, list(fresh.values()), user_id=user)


async def _put_passages(tx: Transaction, change: Prepared, *, binary: bool) -> None:
    q, user = queries(), change.user_id
    if change.reindex:
        await run(tx, q.clear_passages, user_id=user, ids=change.reindex)
    for rows, text, vectors in (
        (change.first, q.put_first_passages, q.put_vectors),
        (change.further, q.put_passages, q.put_passage_vectors),
    ):
        if rows:
            bare = [{name: value for name, value in row.items() if name != "vector"} for row in rows]
            _all_there(await run_batches(tx, text, bare, user_id=user), len(rows), "passage")
            sent = [
                {"id": row["id"], "number": row["number"], "vector": sendable(row["vector"], binary=binary)}
                for row in rows
                if row["vector"] is not None
            ]
            await run_batches(tx, vectors, sent, size=VECTOR_ROWS, user_id=user)
    if change.tokens:
        await run_batches(tx, q.put_token_vectors, change.tokens, size=VECTOR_ROWS, user_id=user)


def sendable(vector: Vector, *, binary: bool) -> Any:
    """As bytes where the server knows vectors, else as a list."""
    return BoltVector.from_numpy(vector) if binary else vector.tolist()


async def _put_relationships(tx: Transaction, user: str, rows: Sequence[Row]) -> None:
    for group in _without_twins(rows):
        by_type: dict[str, list[Row]] = {}
        for row in group:
            by_type.setdefault(row["type"], []).append(row)
        for name, of_type in by_type.items():
            await _put_of_type(tx, user, name, of_type)


def _without_twins(rows: Sequence[Row]) -> list[list[Row]]:
    """Groups in which every id stands once: spans of one relationship follow each other."""
    groups: list[list[Row]] = []
    seen: dict[str, int] = {}
    for row in rows:
        number = seen.get(row["id"], 0)
        seen[row["id"]] = number + 1
        if number == len(groups):
            groups.append([])
        groups[number].append(row)
    return groups


async def _put_of_type(tx: Transaction, user: str, name: str, rows: list[Row]) -> None:
    q, kind = queries(), require_types([name])
    ids = [row["id"] for row in rows]
    there = await run(tx, q.standing_relationships.replace(TYPES, kind), user_id=user, ids=ids, open=FAR_FUTURE)
    standing, known = {row["id"] for row in there if row["stands"]}, {row["id"] for row in there}
    again = [{**row, "names": ["user_id", "id", "recorded_at", *row["props"]]} for row in rows if row["id"] in standing]
    if again:
        await run_batches(tx, q.refresh_relationships.replace(TYPES, kind), again, user_id=user, open=FAR_FUTURE)
    fresh = [row for row in rows if row["id"] not in standing]
    if not fresh:
        return
    spans = [row for row in fresh if row["id"] in known]
    first = [
        timed(
            {
                "source_id": row["source_id"],
                "target_id": row["target_id"],
                "props": {**row["props"], "user_id": user, "id": row["id"], "recorded_at": row["recorded_at"]},
            }
        )
        for row in fresh
        if row["id"] not in known
    ]
    written = await run_batches(tx, q.put_relationships.replace(TYPES, kind), spans, user_id=user)
    written += await run_batches(tx, q.create_relationships.replace(TYPES, kind), first, user_id=user)
    if written < len(fresh):
        kept = [{**row, "packed": row["props"].get("packed"), "superseded_at": row["props"]["superseded_at"]} for row in fresh]
        await run_batches(tx, q.await_relationships, kept, user_id=user)


async def _take_in_awaited(tx: Transaction, change: Prepared) -> None:
    [row] = await run(tx, queries().arrived_relationships, user_id=change.user_id, ids=[each["id"] for each in change.memories])
    arrived = [
        {**each, "props": {name: each[name] for name in ("packed", "superseded_at") if each[name] is not None}} for each in row["rows"]
    ]
    await _put_relationships(tx, change.user_id, arrived)


# ── small writes ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def touch(tx: Transaction, user_id: str, ids: Sequence[str], at: datetime) -> None:
    await run(tx, queries().touch, user_id=user_id, ids=sorted(set(ids)), at=at)


async def set_pinned(tx: Transaction, user_id: str, memory_id: str, pinned: bool) -> bool:
    [row] = await run(tx, queries().set_pinned, user_id=user_id, id=memory_id, pinned=pinned)
    if row[0]:
        await run(tx, queries().lock_scope, user_id=user_id)
    return bool(row[0])


async def set_working_items(tx: Transaction, user_id: str, session_id: str, items: Sequence[WorkingItem]) -> None:
    held = [
        {"id": item.memory_id, "value": item.value, "pinned": item.pinned, "observed_at": item.observed_at, "position": position}
        for position, item in enumerate(items)
    ]
    await run(
        tx,
        queries().set_working_items,
        user_id=user_id,
        session_id=session_id,
        name=caption(f"in mind in {session_id}"),
        items=pack_items(items),
        rows=held,
    )


def pack_items(items: Sequence[WorkingItem]) -> str:
    return pack([[item.memory_id, item.value, item.pinned, item.observed_at] for item in items])
