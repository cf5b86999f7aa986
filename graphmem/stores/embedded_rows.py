"""Rows of the embedded store ⇄ the model's values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from graphmem.errors import InvalidInput
from graphmem.model import NOTHING, Belief, Entity, EntityRef, MemoryRecord, Relationship, Statement, state_at
from graphmem.ports import Passage, Vector
from graphmem.stores.records import from_micros, micros, moment, pack, pack_slots, scope_token, unpack
from graphmem.text import fold_name

OPEN_START = -(2**62)
OPEN_END = 2**62
"""An open end of an interval in an integer column."""

MEMORY_COLUMNS = (
    "m.id, m.user_id, m.type, m.text, m.summary, m.properties, m.stored_state, m.valid_from, m.valid_to, m.precision, m.recorded_at, "
    "m.superseded_at, m.source, m.confidence, m.importance, m.strength, m.session_id, m.task_id, m.agent_id, m.refs, m.keywords, "
    "m.location, m.reason, m.purpose, m.access_count, m.last_accessed_at, m.reinforcements, m.pinned, m.metadata, m.key, m.value"
)
BELIEF_COLUMNS = (
    "b.memory_id, b.user_id, b.text, b.properties, b.stored_state, b.valid_from, b.valid_to, b.precision, b.confidence, "
    "b.recorded_at, b.superseded_at"
)
STATEMENT_COLUMNS = (
    "s.id, s.user_id, s.key, s.value, s.memory_id, s.act, s.valid_from, s.valid_to, s.precision, s.source, s.confidence, s.policy, "
    "s.episode_id, s.recorded_at, s.retracted_at, s.properties"
)

Row = tuple[Any, ...]
Parameters = dict[str, Any]


def start_in(when: datetime | None) -> int:
    return OPEN_START if when is None else micros(when)


def end_in(when: datetime | None) -> int:
    return OPEN_END if when is None else micros(when)


def _maybe(when: datetime | None) -> int | None:
    return None if when is None else micros(when)


def _time(count: int | None) -> datetime | None:
    return None if count is None or not OPEN_START < count < OPEN_END else from_micros(count)


def _list(values: Sequence[Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else "[]"


# ── memories ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def memory_in(record: MemoryRecord) -> Parameters:
    slots = record.properties
    said, turn, speaker, role = slots.get("said_at"), slots.get("turn"), slots.get("speaker"), slots.get("role")
    when = moment(record)
    return {
        "user_id": record.user_id,
        "id": record.id,
        "type": record.type,
        "text": record.text,
        "summary": record.summary,
        "properties": pack(slots),
        "slots": pack_slots(slots),
        "stored_state": record.stored_state,
        "valid_from": start_in(record.valid_from),
        "valid_to": end_in(record.valid_to),
        "precision": record.precision,
        "recorded_at": _maybe(record.recorded_at),
        "superseded_at": _maybe(record.superseded_at),
        "source": record.source,
        "confidence": record.confidence,
        "importance": record.importance,
        "strength": record.strength,
        "session_id": record.session_id,
        "task_id": record.task_id,
        "agent_id": record.agent_id,
        "refs": _list([[ref.id, ref.name, ref.role] for ref in record.refs]),
        "keywords": _list(record.keywords),
        "location": record.location,
        "reason": record.reason,
        "purpose": record.purpose,
        "access_count": record.access_count,
        "last_accessed_at": _maybe(record.last_accessed_at),
        "reinforcements": record.reinforcements,
        "pinned": int(record.pinned),
        "metadata": pack(record.metadata),
        "key": record.key,
        "value": record.value,
        "speaker": speaker if isinstance(speaker, str) else None,
        "role": role if isinstance(role, str) else None,
        "said_at": micros(said) if isinstance(said, datetime) else None,
        "turn": turn if isinstance(turn, int) else 0,
        "moment": OPEN_START if when is None else micros(when),
    }


def refs_in(record: MemoryRecord) -> list[Parameters]:
    return [
        {"user_id": record.user_id, "memory_id": record.id, "entity_id": ref.id, "role": ref.role, "folded": fold_name(ref.name)}
        for ref in record.refs
    ]


def memory_out(row: Row, at: datetime | None) -> MemoryRecord:
    """The record in its state at a moment; without one `state` is the stored state."""
    stored, valid_from, valid_to = row[6], _time(row[7]), _time(row[8])
    return MemoryRecord(
        id=row[0],
        user_id=row[1],
        type=row[2],
        text=row[3],
        summary=row[4],
        properties=unpack(row[5]),
        state=stored if at is None else state_at(stored, valid_from, valid_to, at),
        stored_state=stored,
        valid_from=valid_from,
        valid_to=valid_to,
        precision=row[9],
        recorded_at=_time(row[10]),
        superseded_at=_time(row[11]),
        source=row[12],
        confidence=row[13],
        importance=row[14],
        strength=row[15],
        session_id=row[16],
        task_id=row[17],
        agent_id=row[18],
        refs=() if row[19] == "[]" else tuple(EntityRef(*parts) for parts in json.loads(row[19])),
        keywords=() if row[20] == "[]" else tuple(json.loads(row[20])),
        location=row[21],
        reason=row[22],
        purpose=row[23],
        access_count=row[24],
        last_accessed_at=_time(row[25]),
        reinforcements=row[26],
        pinned=bool(row[27]),
        metadata=NOTHING if row[28] == "{}" else unpack(row[28]),
        key=row[29],
        value=row[30],
    )


# ── beliefs and statements ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def belief_in(belief: Belief) -> Parameters:
    return {
        "user_id": belief.user_id,
        "memory_id": belief.memory_id,
        "recorded_at": micros(belief.recorded_at),
        "superseded_at": end_in(belief.superseded_at),
        "text": belief.text,
        "properties": pack(belief.properties),
        "slots": pack_slots(belief.properties),
        "stored_state": belief.stored_state,
        "valid_from": start_in(belief.valid_from),
        "valid_to": end_in(belief.valid_to),
        "precision": belief.precision,
        "confidence": belief.confidence,
    }


def belief_out(row: Row) -> Belief:
    return Belief(
        memory_id=row[0],
        user_id=row[1],
        text=row[2],
        properties=unpack(row[3]),
        stored_state=row[4],
        valid_from=_time(row[5]),
        valid_to=_time(row[6]),
        precision=row[7],
        confidence=row[8],
        recorded_at=from_micros(row[9]),
        superseded_at=_time(row[10]),
    )


def statement_in(statement: Statement) -> Parameters:
    return {
        "user_id": statement.user_id,
        "id": statement.id,
        "key": statement.key,
        "value": statement.value,
        "memory_id": statement.memory_id,
        "act": statement.act,
        "valid_from": micros(statement.valid_from),
        "valid_to": end_in(statement.valid_to),
        "precision": statement.precision,
        "source": statement.source,
        "confidence": statement.confidence,
        "policy": statement.policy,
        "episode_id": statement.episode_id,
        "recorded_at": micros(statement.recorded_at),
        "retracted_at": _maybe(statement.retracted_at),
        "properties": pack(statement.properties),
    }


def statement_out(row: Row) -> Statement:
    return Statement(
        id=row[0],
        user_id=row[1],
        key=row[2],
        value=row[3],
        memory_id=row[4],
        act=row[5],
        valid_from=from_micros(row[6]),
        valid_to=_time(row[7]),
        precision=row[8],
        source=row[9],
        confidence=row[10],
        policy=row[11],
        episode_id=row[12],
        recorded_at=from_micros(row[13]),
        retracted_at=_time(row[14]),
        properties=unpack(row[15]),
    )


# ── entities, relationships, passages ───────────────────────────────────────────────────────────────────────────────────────────────


def entity_in(entity: Entity) -> Parameters:
    return {
        "user_id": entity.user_id,
        "id": entity.id,
        "name": entity.name,
        "kind": entity.kind,
        "aliases": _list(entity.aliases),
        "merged_into": entity.merged_into,
    }


def names_in(entity: Entity) -> list[Parameters]:
    folded = dict.fromkeys(fold_name(name) for name in (entity.name, *entity.aliases))
    return [{"user_id": entity.user_id, "folded": name, "entity_id": entity.id} for name in folded]


def entity_out(user_id: str, row: Row) -> Entity:
    return Entity(id=row[0], user_id=user_id, name=row[1], kind=row[2], aliases=tuple(json.loads(row[3])), merged_into=row[4])


def relationship_in(relationship: Relationship, now: datetime) -> Parameters:
    return {
        "user_id": relationship.user_id,
        "id": relationship.id,
        "source_id": relationship.source_id,
        "type": relationship.type,
        "target_id": relationship.target_id,
        "properties": pack(relationship.properties),
        "recorded_at": micros(relationship.recorded_at or now),
        "superseded_at": end_in(relationship.superseded_at),
    }


def relationship_out(user_id: str, row: Row) -> Relationship:
    return Relationship(
        id=row[0],
        user_id=user_id,
        source_id=row[1],
        type=row[2],
        target_id=row[3],
        properties=unpack(row[4]),
        recorded_at=from_micros(row[5]),
        superseded_at=_time(row[6]),
    )


def word_prefix(user_id: str) -> str:
    """What stands before each indexed word of the scope: 13 letters and digits, few enough to repeat, many enough to tell scopes apart.

    Two scopes that met here would share statistics and nothing else: `user_id` is compared on every row.
    """
    return scope_token(user_id)[:13]


def passage_in(user_id: str, passage: Passage) -> Parameters:
    return {
        "user_id": user_id,
        "memory_id": passage.memory_id,
        "number": passage.number,
        "scope": word_prefix(user_id),
        "search_text": passage.search_text,
        "vector": None if passage.vector is None else vector_in(passage.vector),
    }


def vector_in(vector: Vector) -> bytes:
    """float32 in the machine's (little-endian) order; one that has no direction is refused."""
    flat = np.asarray(vector, dtype=np.float32)
    if flat.ndim != 1 or not np.isfinite(flat).all() or not flat.any():
        raise InvalidInput(f"a vector of shape {flat.shape} that is zero, not finite or not flat cannot be stored or searched")
    return flat.tobytes()


def passage_out(row: Row) -> Passage:
    vector = None if row[3] is None else np.frombuffer(row[3], dtype=np.float32)
    return Passage(memory_id=row[0], number=row[1], search_text=row[2], vector=vector, tokens=row[4])
