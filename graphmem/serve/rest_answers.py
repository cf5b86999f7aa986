"""What goes out over REST: the shapes of the answers, for OpenAPI and for whoever reads them; `shown` makes them from the verbs' values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from graphmem.memir import plain
from graphmem.model import MemoryRecord, Outcome

Json: TypeAlias = dict[str, Any]
When: TypeAlias = datetime | None


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EntityRef(Answer):
    id: str
    name: str
    role: str


class Memory(Answer):
    """One memory; `state` is the one at the time that was asked for."""

    id: str
    user_id: str
    type: str
    text: str
    summary: str
    properties: Json
    state: Literal["current", "disputed", "superseded", "expired", "upcoming", "invalid", "archived"]
    stored_state: Literal["current", "disputed", "superseded", "invalid", "archived"]
    valid_from: When
    valid_to: When
    precision: str | None
    recorded_at: When
    superseded_at: When
    source: str
    confidence: float
    importance: float
    strength: float
    session_id: str | None
    task_id: str | None
    agent_id: str | None
    refs: list[EntityRef]
    entities: list[str]
    keywords: list[str]
    location: str | None
    reason: str | None
    purpose: str | None
    access_count: int
    last_accessed_at: When
    reinforcements: int
    pinned: bool
    metadata: Json
    key: str | None
    value: str | None


class OutcomeAnswer(Answer):
    """What became of one record; `memory` is null where it was rejected."""

    kind: Literal["Added", "Reinforced", "Superseded", "Disputed", "Ignored", "Rejected"]
    why: str
    memory: Memory | None
    old: list[Memory] = Field(default_factory=list)
    other: Memory | None = None
    question: str | None = None
    conflict_id: str | None = None
    draft: Json | None = None


class Remembered(Answer):
    episodes: list[Memory]
    outcomes: list[OutcomeAnswer]
    episode_outcomes: list[OutcomeAnswer]
    notes: list[str]
    tokens: int


class Relationship(Answer):
    id: str
    user_id: str
    source_id: str
    type: str
    target_id: str
    properties: Json
    recorded_at: When
    superseded_at: When


class Citation(Answer):
    episode_id: str
    quote: str
    speaker: str | None
    said_at: When
    session_id: str | None
    metadata: Json


class Recollection(Answer):
    """`reasons` are the parts of the score by name."""

    memory: Memory
    score: float
    reasons: dict[str, float]
    path: list[Relationship]
    citations: list[Citation]
    outdated_by: list[Memory]
    disputed_with: list[Memory]
    scope: str | None


class Span(Answer):
    start: When
    end: When
    precision: str | None


class Plan(Answer):
    query: str
    types: list[str]
    status: list[str]
    time: Span | None
    entities: list[str]
    order: Literal["newest", "oldest", "deadline"] | None
    limit: int | None
    history: bool
    confidence: dict[str, float]
    reasons: list[str]
    dropped: list[str]


class Trace(Answer):
    arms: dict[str, list[tuple[str, float]]]
    removed: dict[str, int]
    hops: list[tuple[str, str, str]]
    timings: dict[str, float]
    notes: list[str]


class Recollections(Answer):
    recollections: list[Recollection]
    plan: Plan
    trace: Trace | None


class Context(Answer):
    text: str
    tokens: int
    recollections: list[Recollection]


class Page(Answer):
    memories: list[Memory]
    cursor: str | None


class Count(Answer):
    count: int


class ChainNode(Answer):
    memory: Memory
    relationship: str | None
    children: list[ChainNode]


class Chain(Answer):
    root: ChainNode
    memories: list[Memory]


class Version(Answer):
    memory: Memory
    valid_from: When
    valid_to: When
    recorded_at: datetime
    superseded_at: When
    sources: list[Citation]


class Conflict(Answer):
    id: str
    sides: list[Memory]
    question: str
    since: datetime
    decided: bool


class Change(Answer):
    kind: Literal["added", "changed", "superseded", "disputed", "archived", "invalid", "forgotten"]
    at: datetime
    memory_id: str
    memory: Memory | None


class Profile(Answer):
    user_id: str
    facts: list[Memory]
    preferences: list[Memory]
    goals: list[Memory]
    constraints: list[Memory]
    instructions: list[Memory]
    text: str


class WorkingMetrics(Answer):
    items: int
    pinned: int
    redundancy: float
    closest: float
    key_recall: float | None


class Working(Answer):
    """What a session holds; `pinned` are ids."""

    items: list[Memory]
    pinned: list[str]
    metrics: WorkingMetrics


class Action(Answer):
    id: str
    kind: str
    what: str
    why: str
    memories: list[str]


class Consolidation(Answer):
    actions: list[Action]
    dry_run: bool
    skipped: int


class Report(Answer):
    """What a person should look at."""

    user_id: str
    since: datetime
    learned: list[Memory]
    open_goals: list[Memory]
    overdue: list[Memory]
    unresolved: list[Memory]
    conflicts: list[Conflict]
    counts: dict[str, int]
    text: str


class Deletion(Answer):
    counts: dict[str, int]
    residue: int
    remaining: list[str]
    reason: str


class Stats(Answer):
    """Counts of this user; `users` counts them all only for a key that opens every user, and is 1 for others."""

    memories: dict[str, int]
    entities: int
    relationships: int
    users: int
    store: str
    embedding: str | None
    schema_: int = Field(alias="schema")
    ontology: str


class Finding(Answer):
    check: str
    ok: bool
    detail: str
    mend: str


class Health(Answer):
    status: Literal["ok"]
    version: str


class ProblemAnswer(BaseModel):
    """RFC 9457; further members are the facts of the error."""

    model_config = ConfigDict(extra="allow")
    type: str
    title: str
    status: int
    detail: str


def shown(value: Any) -> Any:
    """JSON of what a verb returned: dataclasses by field, an outcome with its kind, a memory with its entities' names."""
    if isinstance(value, MemoryRecord):
        return {**plain(value), "entities": list(value.entities)}
    if isinstance(value, Outcome):
        draft = getattr(value, "draft", None)
        fields = {name: shown(getattr(value, name)) for name in value.__dataclass_fields__ if name != "draft"}
        return {"kind": type(value).__name__, **fields, **({"draft": plain(draft)} if draft is not None else {})}
    if isinstance(value, Mapping):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [shown(item) for item in value]
    if hasattr(value, "__dataclass_fields__") and not hasattr(value, "to_json"):
        return {name: shown(getattr(value, name)) for name in value.__dataclass_fields__}
    return plain(value)
