"""Nodes and relationships of the Neo4j store ⇄ the model's values.

People read plain properties; graphmem reads `packed`, the exact JSON of everything that a property cannot hold exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import Any

import numpy as np
from neo4j.time import DateTime

from graphmem.errors import InvalidInput
from graphmem.model import NOTHING, Belief, Entity, EntityRef, MemoryRecord, Relationship, Statement, state_at
from graphmem.ports import Passage, Vector
from graphmem.stores.neo4j_names import ENTITY_ROLES, INDEXED, KEPT, Row, caption, checked_type, flat, identifier, indexable, label
from graphmem.stores.records import moment, pack, scope_token, unpack
from graphmem.temporal import FAR_FUTURE, FAR_PAST
from graphmem.text import fold_name

# ── packing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _packed(value: Any, without: frozenset[str]) -> str:
    """JSON of a record's fields that differ from their defaults."""
    return pack(
        {
            each.name: getattr(value, each.name)
            for each in fields(value)
            if each.name not in without and (each.default is MISSING or getattr(value, each.name) != each.default)
        }
    )


_MEMORY_APART = frozenset({"user_id", "text", "state", "access_count", "last_accessed_at", "pinned", "refs", "metadata"})
_BELIEF_APART = frozenset({"user_id", "text", "superseded_at"})
_STATEMENT_APART = frozenset({"user_id", "episode_id", "retracted_at"})


def native(value: Any) -> datetime | None:
    """A DATETIME as it went in; the far ends are open."""
    if value is None:
        return None
    found = value.to_native() if isinstance(value, DateTime) else value
    found = found.replace(tzinfo=UTC) if found.utcoffset() is None or not found.utcoffset() else found.astimezone(UTC)
    return None if found in {FAR_PAST, FAR_FUTURE} else found


def _apart(found: Mapping[str, Any]) -> Row:
    return {name: value for name, value in found.items() if value is not None}


# ── memories ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

MEMORY_COLUMNS = (
    "m.text AS text, m.packed AS packed, m.access_count AS count, m.last_accessed_at AS last, m.pinned AS pinned, m.refs AS refs, "
    "m.metadata AS metadata"
)
BELIEVED_COLUMNS = f"{MEMORY_COLUMNS}, CASE WHEN b:Belief THEN b.packed END AS belief, b.text AS believed_text, b.superseded_at AS closed"


def memory_in(record: MemoryRecord) -> Row:
    """A row for put_memory.cypher."""
    props = {
        "user_id": record.user_id,
        "id": identifier(record.id),
        "type": record.type,
        **_shown(record.text, record.summary, record.properties),
        "summary": record.summary or None,
        "state": record.stored_state,
        "valid_from": record.valid_from or FAR_PAST,
        "valid_to": record.valid_to or FAR_FUTURE,
        "precision": record.precision,
        "recorded_at": record.recorded_at,
        "superseded_at": record.superseded_at,
        "source": record.source,
        "confidence": record.confidence,
        "importance": record.importance,
        "strength": record.strength,
        "session_id": record.session_id,
        "task_id": record.task_id,
        "agent_id": record.agent_id,
        "keywords": list(record.keywords) or None,
        "location": record.location,
        "reason": record.reason,
        "purpose": record.purpose,
        "reinforcements": record.reinforcements,
        "pinned": record.pinned,
        "key": indexable(record.key),
        "claim_value": record.value,
        "moment": moment(record) or FAR_PAST,
        "metadata": pack(record.metadata) if record.metadata else None,
        "packed": _packed(record, _MEMORY_APART),
        "refs": pack([(ref.id, ref.name, ref.role) for ref in record.refs]) if record.refs else None,
        "entity_ids": [ref.id for ref in record.refs] or None,
        "entity_names": list(dict.fromkeys(fold_name(ref.name) for ref in record.refs)) or None,
        **flat(record.properties),
        **flat(record.metadata, "metadata."),
    }
    props = _apart(props)
    return {
        "id": record.id,
        "labels": label(record.type),
        "props": props,
        "names": [*props, *KEPT],
        "filters": {name: props.get(name) for name in INDEXED},
        "count": record.access_count,
        "last": record.last_accessed_at,
        "refs": [{"id": identifier(ref.id), "name": ref.name, "type": ENTITY_ROLES[ref.role]} for ref in record.refs],
    }


def _shown(text: str, summary: str, slots: Mapping[str, Any]) -> Row:
    speaker = slots.get("speaker")
    said = f"{speaker}: {text}" if isinstance(speaker, str) and speaker else summary or text
    return {"name": caption(said), "text": text}


def memory_out(user_id: str, row: Mapping[str, Any], at: datetime | None) -> MemoryRecord:
    """The record as believed now, or as the row's belief says; without a moment `state` is the stored state."""
    held = unpack(row["packed"])
    held["text"] = row["text"]
    if row.get("belief") is not None:
        held |= _overlay(unpack(row["belief"]), row["believed_text"], native(row["closed"]))
    stored = held.get("stored_state", "current")
    return MemoryRecord(
        user_id=user_id,
        state=stored if at is None else state_at(stored, held.get("valid_from"), held.get("valid_to"), at),
        access_count=row["count"] or 0,
        last_accessed_at=native(row["last"]),
        pinned=bool(row["pinned"]),
        metadata=NOTHING if row["metadata"] is None else unpack(row["metadata"]),
        refs=() if row["refs"] is None else tuple(EntityRef(*parts) for parts in unpack(row["refs"])),
        **held,
    )


def _overlay(belief: Row, text: str, closed: datetime | None) -> Row:
    known = {"precision": None, "confidence": 0.7, "valid_from": None, "valid_to": None, **belief, "text": text, "superseded_at": closed}
    known.pop("memory_id")
    return known


# ── beliefs and statements ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def belief_in(belief: Belief) -> Row:
    props = {
        "user_id": belief.user_id,
        "memory_id": belief.memory_id,
        **_shown(belief.text, "", belief.properties),
        "state": belief.stored_state,
        "valid_from": belief.valid_from or FAR_PAST,
        "valid_to": belief.valid_to or FAR_FUTURE,
        "precision": belief.precision,
        "confidence": belief.confidence,
        "recorded_at": belief.recorded_at,
        "superseded_at": belief.superseded_at or FAR_FUTURE,
        "packed": _packed(belief, _BELIEF_APART),
        **flat(belief.properties),
    }
    return {"memory_id": belief.memory_id, "recorded_at": belief.recorded_at, "props": _apart(props)}


def belief_out(user_id: str, row: Mapping[str, Any]) -> Belief:
    return Belief(user_id=user_id, text=row["text"], superseded_at=native(row["closed"]), **unpack(row["packed"]))


def statement_in(statement: Statement) -> Row:
    props = {
        "user_id": statement.user_id,
        "id": identifier(statement.id),
        "name": caption(statement.value),
        "key": indexable(statement.key),
        "value": statement.value,
        "memory_id": statement.memory_id,
        "act": statement.act,
        "valid_from": statement.valid_from,
        "valid_to": statement.valid_to or FAR_FUTURE,
        "precision": statement.precision,
        "source": statement.source,
        "confidence": statement.confidence,
        "policy": statement.policy,
        "episode_id": statement.episode_id,
        "recorded_at": statement.recorded_at,
        "retracted_at": statement.retracted_at,
        "packed": _packed(statement, _STATEMENT_APART),
    }
    return {"id": statement.id, "memory_id": statement.memory_id, "episode_id": statement.episode_id, "props": _apart(props)}


def statement_out(user_id: str, row: Mapping[str, Any]) -> Statement:
    return Statement(user_id=user_id, episode_id=row["episode_id"], retracted_at=native(row["retracted"]), **unpack(row["packed"]))


# ── entities, relationships, passages ───────────────────────────────────────────────────────────────────────────────────────────────


def entity_in(entity: Entity) -> Row:
    folded = list(dict.fromkeys(fold_name(name) for name in (entity.name, *entity.aliases)))
    props = {
        "user_id": entity.user_id,
        "id": identifier(entity.id),
        "name": entity.name,
        "kind": entity.kind,
        "aliases": list(entity.aliases) or None,
        "merged_into": entity.merged_into,
        "name_key": indexable(folded[0]),
        "folded": folded,
        "aliased": True if len(folded) > 1 else None,
    }
    props = _apart(props)
    return {"id": entity.id, "labels": label(entity.kind), "props": props, "names": list(props)}


def entity_out(user_id: str, row: Mapping[str, Any]) -> Entity:
    return Entity(
        id=row["id"],
        user_id=user_id,
        name=row["name"],
        kind=row["kind"],
        aliases=tuple(row["aliases"] or ()),
        merged_into=row["merged_into"],
    )


def relationship_in(relationship: Relationship, now: datetime) -> Row:
    props = {
        **{name: value for name, value in flat(relationship.properties).items() if name not in {"id", "user_id"}},
        "packed": pack(relationship.properties) if relationship.properties else None,
        "superseded_at": relationship.superseded_at or FAR_FUTURE,
    }
    return {
        "id": identifier(relationship.id),
        "type": checked_type(relationship.type),
        "source_id": relationship.source_id,
        "target_id": relationship.target_id,
        "recorded_at": relationship.recorded_at or now,
        "props": _apart(props),
    }


def relationship_out(user_id: str, row: Mapping[str, Any]) -> Relationship:
    return Relationship(
        id=row["id"],
        user_id=user_id,
        source_id=row["source_id"],
        type=row["type"],
        target_id=row["target_id"],
        properties=unpack(row["packed"] or "{}"),
        recorded_at=native(row["recorded"]),
        superseded_at=native(row["closed"]),
    )


def passage_in(user_id: str, passage: Passage) -> Row:
    return {
        "id": passage.memory_id,
        "number": passage.number,
        "scope": scope_token(user_id),
        "search_text": passage.search_text,
        "vector": None if passage.vector is None else checked_vector(passage.vector),
    }


def checked_vector(vector: Vector) -> Vector:
    """float32; one without a direction is refused, for Neo4j would take it silently and never find it."""
    found = np.asarray(vector, dtype=np.float32)
    if found.ndim != 1 or not np.isfinite(found).all() or not found.any():
        raise InvalidInput(f"a vector of shape {found.shape} that is zero, not finite or not flat cannot be stored or searched")
    return found


def passage_out(row: Mapping[str, Any]) -> Passage:
    vector = None if row["vector"] is None else np.asarray(row["vector"], np.float32)
    tokens = None if row["tokens"] is None else bytes(row["tokens"])
    return Passage(memory_id=row["id"], number=row["number"], search_text=row["search_text"], vector=vector, tokens=tokens)


def scope_words(user_id: str, words: Sequence[str]) -> str:
    """A Lucene query: any of the words, in this scope; quoted and of letters and digits only, a word is never syntax."""
    shown = " OR ".join(f'"{word}"' for word in words)
    return f'+scope:"{scope_token(user_id)}"^0 +search_text:({shown})'
