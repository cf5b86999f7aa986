"""MemIR, the portable record: one JSON object a memory, in the shapes that people bring, as a Draft; and a memory as its JSON object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphmem.errors import InvalidInput
from graphmem.model import SOURCES, STATES, Belief, Draft, DraftLink, MemoryRecord, Mention, Relationship, Statement
from graphmem.temporal import PRECISIONS, Interval, iso, to_interval

VERSION = "1.0"
FORGED = ("state", "recorded_at", "superseded_at", "versions", "statements")
"""What only Python may bring: history is not forged over REST or MCP."""


class Embedded(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)
    model: str | None = None
    dimensions: int | None = None
    vector: list[float] | None = None


class Link(BaseModel):
    """One relationship, under MemIR's names or the published sketch's (`relation_type`, `target_mem_id`)."""

    model_config = ConfigDict(extra="allow", frozen=True)
    type: str | None = None
    relation_type: str | None = None
    target_id: str | None = None
    target_mem_id: str | None = None
    target: str | None = None
    properties: dict[str, Any] = Field(default_factory=dict)

    def read(self) -> DraftLink:
        type_, target = self.type or self.relation_type, self.target_id or self.target_mem_id or self.target
        if not type_ or not target:
            raise InvalidInput("a relationship needs type and target_id")
        return DraftLink(type_, target_id=target, properties=self.properties)


class Record(BaseModel):
    """The outer shape; slots are checked against the ontology afterwards, where the allowed values are known."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    memir_version: str | None = None
    id: str | None = None
    user_id: str | None = None
    type: str
    text: str | None = None
    description: str | None = None
    content: str | dict[str, Any] | None = None
    summary: str | None = None
    properties: dict[str, Any] = Field(default_factory=dict)
    slots: dict[str, Any] = Field(default_factory=dict)
    dimensions: dict[str, Any] = Field(default_factory=dict)
    embedding: Embedded | None = None
    embedding_vector: list[float] | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    time: dict[str, Any] | str | datetime | date | None = None
    state: str | None = None
    relationships: list[Link] = Field(default_factory=list)
    links: list[Link] = Field(default_factory=list)
    entities: list[Any] = Field(default_factory=list)
    statements: list[dict[str, Any]] = Field(default_factory=list)
    versions: list[dict[str, Any]] = Field(default_factory=list)
    valid_from: Any = None
    valid_to: Any = None
    source: str | None = None
    confidence: float | None = None
    importance: float | None = None
    keywords: list[str] | None = None
    session_id: str | None = None
    task_id: str | None = None
    agent_id: str | None = None
    pinned: bool | None = None


COMMON = ("source", "confidence", "importance", "keywords", "session_id", "task_id", "agent_id", "location", "reason", "purpose", "pinned")


def to_draft(record: Mapping[str, Any], user_id: str, zone: tzinfo | None = None) -> Draft:
    """Raises InvalidInput for a shape that is none, or a record of another user."""
    try:
        read = Record.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput(f"record: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    if read.user_id is not None and read.user_id != user_id:
        raise InvalidInput(f"the record belongs to user {read.user_id!r}, not to {user_id!r}; import_(…, rescope=True) rewrites it")
    content = read.content if isinstance(read.content, Mapping) else {"text": read.content}
    metadata = dict(read.metadata)
    common = {name: _first(getattr(read, name, None), read.dimensions.get(name), metadata.pop(name, None)) for name in COMMON}
    valid, recorded_at, superseded_at = _times(read, metadata, zone)
    extra = {key: value for key, value in read.dimensions.items() if key not in COMMON}
    vector = read.embedding.vector if read.embedding and read.embedding.model else None
    return Draft(
        type=read.type,
        id=read.id,
        text=_first(content.get("text"), read.text, read.description, ""),
        summary=_first(content.get("summary"), read.summary, ""),
        properties={**read.slots, **extra, **read.properties},
        valid_from=valid.start,
        valid_to=valid.end,
        precision=valid.precision,
        source=_checked(common["source"], SOURCES, "source"),
        confidence=common["confidence"],
        importance=common["importance"],
        mentions=tuple(_mention(one) for one in read.entities),
        keywords=tuple(common["keywords"] or ()),
        location=common["location"],
        reason=common["reason"],
        purpose=common["purpose"],
        links=tuple(link.read() for link in (*read.relationships, *read.links)),
        state=_checked(read.state, STATES, "state"),
        recorded_at=recorded_at,
        superseded_at=superseded_at,
        session_id=common["session_id"],
        task_id=common["task_id"],
        agent_id=common["agent_id"],
        pinned=bool(common["pinned"]),
        metadata=metadata,
        vector=vector,
    )


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _checked(value: Any, allowed: Sequence[str], name: str) -> Any:
    if value is not None and value not in allowed:
        raise InvalidInput(f"unknown {name} {value!r}; allowed: {', '.join(allowed)}")
    return value


def _mention(one: Any) -> Mention:
    if isinstance(one, str):
        return Mention(one)
    if isinstance(one, Mapping) and isinstance(one.get("name"), str):
        return Mention(one["name"], one.get("kind") or one.get("type"), one.get("role", "involves"))
    raise InvalidInput(f"an entity is a name or a mapping with a name, not {one!r}")


def _times(read: Record, metadata: dict[str, Any], zone: tzinfo | None) -> tuple[Interval, datetime | None, datetime | None]:
    time = read.time if isinstance(read.time, Mapping) else {"valid_from": read.time}
    given = {name: _first(time.get(name), getattr(read, name, None)) for name in ("valid_from", "valid_to")}
    stated = {name: to_interval(value, zone) for name, value in given.items() if value is not None}
    start = stated["valid_from"].start if "valid_from" in stated else None
    end = stated["valid_to"].start if "valid_to" in stated else None
    precision = time["precision"] if "precision" in time else stated["valid_from"].precision if "valid_from" in stated else None
    recorded = _first(time.get("recorded_at"), metadata.pop("recorded_at", None), metadata.pop("created_at", None))
    superseded = time.get("superseded_at")
    return (
        Interval(start, end, _checked(precision, PRECISIONS, "precision")),
        None if recorded is None else to_interval(recorded, zone).start,
        None if superseded is None else to_interval(superseded, zone).start,
    )


def to_memir(
    memory: MemoryRecord,
    properties: Mapping[str, Any],
    *,
    relationships: Sequence[Relationship] = (),
    statements: Sequence[Statement] = (),
    beliefs: Sequence[Belief] = (),
    vector: tuple[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """The JSON object; `properties` are the slots in their JSON form (`Ontology.to_json`)."""
    metadata = {
        "source": memory.source,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "session_id": memory.session_id,
        "task_id": memory.task_id,
        "agent_id": memory.agent_id,
        "location": memory.location,
        "reason": memory.reason,
        "purpose": memory.purpose,
        "keywords": list(memory.keywords),
        "pinned": memory.pinned,
        **memory.metadata,
    }
    line: dict[str, Any] = {
        "memir_version": VERSION,
        "id": memory.id,
        "user_id": memory.user_id,
        "type": memory.type,
        "content": {"text": memory.text, **({"summary": memory.summary} if memory.summary else {})},
        "properties": dict(properties),
        "metadata": {key: value for key, value in metadata.items() if value not in (None, [], False)},
        "time": {
            "valid_from": iso(memory.valid_from),
            "valid_to": iso(memory.valid_to),
            "precision": memory.precision,
            "recorded_at": iso(memory.recorded_at),
            "superseded_at": iso(memory.superseded_at),
        },
        "state": memory.state,
        "entities": [{"id": ref.id, "name": ref.name, "role": ref.role} for ref in memory.refs],
        "relationships": [_link(one) for one in relationships],
    }
    if statements:
        line["statements"] = [plain(one) for one in statements]
    if beliefs:
        line["versions"] = [plain(one) for one in beliefs]
    if vector is not None:
        model, numbers = vector
        line["embedding"] = {"model": model, "dimensions": len(numbers), "vector": [round(float(number), 7) for number in numbers]}
    return line


def _link(one: Relationship) -> dict[str, Any]:
    shown = {"type": one.type.lower(), "target_id": one.target_id, "properties": dict(one.properties)}
    times = {"recorded_at": iso(one.recorded_at), "superseded_at": iso(one.superseded_at)}
    return shown | {key: value for key, value in times.items() if value is not None}


def plain(value: Any) -> Any:
    """Frozen values as JSON: dataclasses by field, times as RFC 3339, other values as they print."""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Interval):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
