"""Writes of the embedded store: change sets and erasure, each applied inside a transaction that the caller holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import StoreUnavailable, WriteConflict
from graphmem.ports import ChangeSet, WorkingItem
from graphmem.stores.embedded_connection import statements_of
from graphmem.stores.embedded_queries import queries
from graphmem.stores.embedded_rows import (
    Parameters,
    belief_in,
    entity_in,
    memory_in,
    names_in,
    passage_in,
    refs_in,
    relationship_in,
    statement_in,
    word_prefix,
)
from graphmem.stores.records import micros, owned

MERGE_AT_LEAST, MERGE_SHARE = 2000, 5


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change set as rows, made before the write lock is taken."""

    user_id: str
    memories: list[Parameters]
    refs: list[Parameters]
    reindex: list[Parameters]
    marked: list[Parameters]
    passages: list[Parameters]
    tokens: list[Parameters]
    beliefs: list[Parameters]
    statements: list[Parameters]
    retracted: list[Parameters]
    entities: list[Parameters]
    names: list[Parameters]
    relationships: list[Parameters]
    closed: list[Parameters]
    read: Mapping[str, frozenset[str]]


def prepare(change: ChangeSet) -> Prepared:
    user = change.user_id
    owned(user, (*change.memories, *change.beliefs, *change.statements, *change.entities, *change.relationships))
    reindex = change.reindex | {passage.memory_id for passage in change.passages}
    written = {memory.id for memory in change.memories}
    return Prepared(
        user_id=user,
        memories=[{**memory_in(memory), "reindexed": memory.id in reindex} for memory in change.memories],
        refs=[ref for memory in change.memories for ref in refs_in(memory)],
        reindex=[{"user_id": user, "id": memory_id} for memory_id in sorted(reindex)],
        marked=[{"user_id": user, "id": memory_id} for memory_id in sorted(reindex - written)],
        passages=[passage_in(user, passage) for passage in change.passages],
        tokens=[
            {"user_id": user, "memory_id": passage.memory_id, "number": passage.number, "tokens": passage.tokens}
            for passage in change.passages
            if passage.tokens is not None
        ],
        beliefs=[belief_in(belief) for belief in change.beliefs],
        statements=[statement_in(statement) for statement in change.statements],
        retracted=[{"user_id": user, "id": key, "retracted_at": micros(when)} for key, when in change.retracted.items()],
        entities=[entity_in(entity) for entity in change.entities],
        names=[name for entity in change.entities for name in names_in(entity)],
        relationships=[relationship_in(relationship, change.now) for relationship in change.relationships],
        closed=[{"user_id": user, "id": key, "superseded_at": micros(when)} for key, when in change.closed.items()],
        read=change.read,
    )


def apply(connection: sqlite3.Connection, change: Prepared) -> int:
    """Everything of the change set; returns the scope's new revision."""
    q = queries()
    _check_read(connection, change)
    revision = next_revision(connection)
    connection.executemany(
        q.put_memory, [{**row, "revision": revision, "indexed": revision if row["reindexed"] else 0} for row in change.memories]
    )
    connection.executemany(q.drop_refs, change.memories)
    connection.executemany(q.put_ref, change.refs)
    connection.executemany(q.mark_reindexed, [{**row, "revision": revision} for row in change.marked])
    connection.executemany(q.drop_passages, change.reindex)
    connection.executemany(q.drop_token_vectors, change.reindex)
    connection.executemany(q.put_passage, [{**row, "revision": revision} for row in change.passages])
    connection.executemany(q.put_token_vectors, change.tokens)
    _put_beliefs(connection, change.beliefs)
    connection.executemany(q.put_statement, change.statements)
    connection.executemany(q.retract_statement, change.retracted)
    connection.executemany(q.put_entity, change.entities)
    connection.executemany(q.drop_entity_names, change.entities)
    connection.executemany(q.put_entity_name, change.names)
    _put_relationships(connection, change)
    set_revision(connection, change.user_id, revision)
    return revision


def _check_read(connection: sqlite3.Connection, change: Prepared) -> None:
    for key, expected in change.read.items():
        rows = connection.execute(queries().unretracted, {"user_id": change.user_id, "key": key})
        if {row[0] for row in rows} != expected:
            raise WriteConflict(f"another writer changed what is stated under {key!r}; read it again and reconcile anew")


def _put_beliefs(connection: sqlite3.Connection, beliefs: list[Parameters]) -> None:
    q = queries()
    if len({belief["memory_id"] for belief in beliefs}) == len(beliefs):
        connection.executemany(q.close_belief, beliefs)
        connection.executemany(q.put_belief, beliefs)
        return
    for belief in beliefs:
        connection.execute(q.close_belief, belief)
        connection.execute(q.put_belief, belief)


def _put_relationships(connection: sqlite3.Connection, change: Prepared) -> None:
    q, rows = queries(), change.relationships
    ids = [row["id"] for row in rows]
    if len(set(ids)) == len(ids):
        these = {"user_id": change.user_id, "ids": json.dumps(ids)}
        standing = {row[0] for row in connection.execute(q.standing_relationships, these)} if ids else set()
        connection.executemany(q.refresh_relationship, [row for row in rows if row["id"] in standing])
        connection.executemany(q.put_relationship, [row for row in rows if row["id"] not in standing])
    else:
        for row in rows:
            if connection.execute(q.refresh_relationship, row).rowcount == 0:
                connection.execute(q.put_relationship, row)
    types = dict.fromkeys(row["type"] for row in change.relationships)
    connection.executemany(q.put_relationship_type, [{"user_id": change.user_id, "type": name} for name in types])
    connection.executemany(q.close_relationship, change.closed)


def next_revision(connection: sqlite3.Connection) -> int:
    """Store-wide, so that a number never comes back, not even for a scope that was erased and begun again."""
    return int(connection.execute(queries().next_revision).fetchall()[0][0])


def set_revision(connection: sqlite3.Connection, user_id: str, revision: int, *, purged: int = 0) -> None:
    connection.execute(queries().set_revision, {"user_id": user_id, "revision": revision, "purged": purged})


def set_pinned(connection: sqlite3.Connection, user_id: str, memory_id: str, pinned: bool) -> bool:
    revision = next_revision(connection)
    row = {"user_id": user_id, "id": memory_id, "pinned": int(pinned), "revision": revision}
    if connection.execute(queries().set_pinned, row).rowcount == 0:
        return False
    set_revision(connection, user_id, revision)
    return True


def touch(connection: sqlite3.Connection, user_id: str, ids: Collection[str], at: datetime) -> None:
    connection.executemany(queries().touch, [{"user_id": user_id, "id": memory_id, "at": micros(at)} for memory_id in ids])


def set_working_items(connection: sqlite3.Connection, user_id: str, session_id: str, items: Sequence[WorkingItem]) -> None:
    scope = {"user_id": user_id, "session_id": session_id}
    connection.execute(queries().drop_working_items, scope)
    connection.executemany(
        queries().put_working_item,
        [
            {
                **scope,
                "position": position,
                "memory_id": item.memory_id,
                "value": item.value,
                "pinned": int(item.pinned),
                "observed_at": micros(item.observed_at),
            }
            for position, item in enumerate(items)
        ],
    )


# ── erasing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def erase_scope(connection: sqlite3.Connection, user_id: str) -> dict[str, int]:
    q = queries()
    counts = {kind: int(count) for kind, count in connection.execute(q.totals_of_scope, {"user_id": user_id})}
    connection.execute("PRAGMA secure_delete = ON")
    for statement in statements_of(q.erase_scope):
        connection.execute(statement, {"user_id": user_id})
    connection.execute("PRAGMA secure_delete = OFF")
    next_revision(connection)
    return counts


def erase_memories(connection: sqlite3.Connection, user_id: str, ids: Sequence[str]) -> dict[str, int]:
    q = queries()
    these = {"user_id": user_id, "ids": json.dumps(list(ids))}
    touched = [row[0] for row in connection.execute(q.entities_of, these)]
    connection.execute("PRAGMA secure_delete = ON")
    deletions = {
        "token_vectors": q.erase_token_vectors,
        "passages": q.erase_passages,
        "beliefs": q.erase_beliefs,
        "statements": q.erase_statements,
        "relationships": q.erase_relationships,
        "working_items": q.erase_working_items,
        "mentions": q.erase_memory_entities,
        "memories": q.erase_memories,
    }
    counts = {kind: connection.execute(query, these).rowcount for kind, query in deletions.items()}
    connection.execute(q.forget_provenance, these)
    counts["entities"] = _erase_orphans(connection, user_id, touched)
    connection.execute("PRAGMA secure_delete = OFF")
    if counts["memories"]:
        revision = next_revision(connection)
        set_revision(connection, user_id, revision, purged=revision)
    return counts


def _erase_orphans(connection: sqlite3.Connection, user_id: str, touched: list[str]) -> int:
    """Those to which no memory refers any more, neither directly nor through what they were merged with."""
    q = queries()
    family = connection.execute(q.entity_families, {"user_id": user_id, "ids": json.dumps(touched)}).fetchall()
    target = {entity_id: merged_into for entity_id, merged_into, _ in family}

    def root(entity_id: str) -> str:
        seen = {entity_id}
        while (following := target.get(entity_id)) and following not in seen:
            entity_id = following
            seen.add(entity_id)
        return entity_id

    alive = {root(entity_id) for entity_id, _, referred in family if referred}
    these = {"user_id": user_id, "ids": json.dumps([entity_id for entity_id, _, _ in family if root(entity_id) not in alive])}
    connection.execute(q.erase_entity_names, these)
    return connection.execute(q.erase_entities, these).rowcount


def residue(connection: sqlite3.Connection, user_id: str, ids: Sequence[str] | None) -> int:
    q = queries()
    if ids is None:
        row = connection.execute(q.residue_of_scope, {"user_id": user_id, "words": f'"{word_prefix(user_id)}"*'})
    else:
        row = connection.execute(q.residue_of_memories, {"user_id": user_id, "ids": json.dumps(list(ids))})
    return int(row.fetchone()[0])


def merge_words(connection: sqlite3.Connection, unmerged: int) -> int:
    """Merges the word index into one part once a fifth of it is new; returns how many passages are unmerged then.

    Every part is asked for every word of a query; merging at growing distances costs each passage a few rewrites in all.
    """
    total = connection.execute(queries().last_passage).fetchone()[0]
    if unmerged * MERGE_SHARE < total:
        return unmerged
    connection.execute(queries().optimize_words)
    return 0


def compact(connection: sqlite3.Connection) -> None:
    """Rewrites the word index and the file without what was erased, and empties the log."""
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute(queries().optimize_words)
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    connection.execute("PRAGMA secure_delete = OFF")
    if busy:
        raise StoreUnavailable("a reader still holds an older state of the file, so erased text stands in its log; run compact again")
