"""What comes in over REST: pydantic models that take nothing they do not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

from graphmem.model import Policy, Role, Source
from graphmem.temporal import Precision

Limit = Annotated[int, Field(ge=1, le=1000)]
Text = Annotated[str, Field(max_length=1_000_000)]
Name = Annotated[str, Field(min_length=1, max_length=1000)]
Time = Annotated[str, Field(max_length=64, description="ISO 8601, such as 2026-03-10T09:00:00Z or 2026-03-10")]
Json = dict[str, Any]
WRITTEN_BY_THE_STORE = ("recorded_at", "created_at", "superseded_at")
"""Metadata under these names would be read as transaction time, which only the store sets."""


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def examples(*values: Json) -> ConfigDict:
    return ConfigDict(extra="forbid", frozen=True, json_schema_extra={"examples": list(values)})


class Turn(Body):
    """One thing that was said; what it leaves open, the request fills."""

    text: Text | list[Json] = Field(validation_alias=AliasChoices("content", "text"), description="or a list of parts that hold text")
    speaker: Name | None = None
    role: Role | None = None
    said_at: Time | None = None
    session_id: Name | None = None
    task_id: Name | None = None
    agent_id: Name | None = None
    source: Source | None = None
    metadata: Json = Field(default_factory=dict)
    attachments: list[Json] = Field(default_factory=list, max_length=100)
    id: Name | None = None


class Remember(Body):
    model_config = examples(
        {"text": "I moved to Lisbon last week.", "speaker": "Alice", "said_at": "2026-03-10T09:00:00Z", "session_id": "s1"},
        {"messages": [{"role": "user", "content": "I don't eat spicy food."}, {"role": "assistant", "content": "Noted."}]},
    )
    text: Text | None = None
    messages: list[Turn] | None = Field(None, min_length=1, max_length=1000)
    speaker: Name | None = None
    role: Role = "user"
    said_at: Time | None = None
    session_id: Name | None = None
    task_id: Name | None = None
    agent_id: Name | None = None
    source: Source | None = None
    metadata: Json = Field(default_factory=dict)
    extract: bool = Field(True, description="whether typed memories are learned from the turns")

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.text is None) == (self.messages is None):
            raise ValueError("give text or messages, one of them")
        return self


class When(Body):
    """When it holds; when it was recorded is the store's to say."""

    valid_from: Time | None = None
    valid_to: Time | None = None
    precision: Precision | None = None


class NamedEntity(Body):
    name: Name
    kind: Name | None = None
    role: Literal["subject", "object", "involves", "mentions"] = "involves"
    id: Name | None = None


class DrawnLink(Body):
    type: Name
    target_id: Name
    properties: Json = Field(default_factory=dict)


class Words(Body):
    text: Text = ""
    summary: Text = ""


class NewMemory(Body):
    """A MemIR record without its history: state, transaction times, versions and statements are the store's alone."""

    model_config = examples(
        {"type": "Goal", "text": "Fly to Shanghai", "properties": {"status": "pending", "deadline": "2026-05-01"}},
        {"type": "Fact", "properties": {"subject": "Alice", "relation": "lives_in", "object": "Lisbon"}, "source": "user"},
    )
    memir_version: Annotated[str, Field(max_length=20)] | None = None
    id: Name | None = None
    user_id: Name | None = None
    type: Name
    text: Text | None = None
    content: Text | Words | None = None
    summary: Text | None = None
    properties: Json = Field(default_factory=dict)
    metadata: Json = Field(default_factory=dict)
    time: When | Time | None = None
    valid_from: Time | None = None
    valid_to: Time | None = None
    relationships: list[DrawnLink] = Field(default_factory=list, max_length=1000)
    entities: list[NamedEntity | Name] = Field(default_factory=list, max_length=1000)
    source: Source | None = None
    confidence: float | None = Field(None, ge=0, le=1)
    importance: float | None = Field(None, ge=0, le=1)
    keywords: list[Name] | None = Field(None, max_length=100)
    session_id: Name | None = None
    task_id: Name | None = None
    agent_id: Name | None = None
    pinned: bool | None = None

    @model_validator(mode="after")
    def _no_history(self) -> Self:
        forged = sorted({*WRITTEN_BY_THE_STORE} & {*self.metadata})
        if forged:
            raise ValueError(f"{', '.join(forged)}: the store sets these; say when something holds in valid_from")
        return self

    def record(self) -> Mapping[str, Any]:
        return self.model_dump(exclude_unset=True)


class NewMemories(Body):
    memories: list[NewMemory] = Field(min_length=1, max_length=256)
    policy: Policy | None = None


class Recall(Body):
    model_config = examples(
        {"query": "Where does Alice live?", "limit": 5},
        {"query": "open goals", "filter": {"$and": [{"type": "Goal"}, {"status": {"$ne": "completed"}}]}, "explain": True},
    )
    query: Text
    limit: Limit | None = None
    filter: Json | None = None
    at: Time | None = Field(None, description="what held then, as known now")
    as_of: Time | None = Field(None, description="what was believed then")
    session_id: Name | None = Field(None, description="memories of this session weigh more")
    task_id: Name | None = Field(None, description="memories of this task weigh more")
    expand: bool = Field(True, description="whether chains are followed outward from what matches")
    include_archived: bool = False


class ExplainedRecall(Recall):
    explain: bool = False


class ContextOf(Recall):
    model_config = examples({"query": "Plan Alice's dinner", "budget": 800})
    budget: int = Field(2000, ge=1, le=1_000_000, description="tokens")


class Understand(Body):
    query: Text
    now: Time | None = None


class Extract(Body):
    model_config = examples({"text": "I want to run a marathon next year.", "speaker": "Alice"})
    text: Text
    speaker: Name | None = None
    said_at: Time | None = None


class Change(Body):
    """Corrected slots or text; or a new status; or pinned: one kind of change at a time."""

    model_config = examples({"properties": {"object": "Porto"}}, {"status": "completed"}, {"pinned": True})
    text: Text | None = None
    properties: Json = Field(default_factory=dict)
    status: Name | None = None
    reason: Text | None = None
    pinned: bool | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        corrected = self.text is not None or bool(self.properties)
        if corrected + (self.status is not None) + (self.pinned is not None) != 1:
            raise ValueError("give text and properties, or status, or pinned: one kind of change at a time")
        return self


class Reason(Body):
    reason: Text = ""


class Resolve(Body):
    model_config = examples({"keep": "new", "reason": "Alice said so"})
    keep: Literal["new", "old", "both", "neither"] = "new"
    reason: Text = ""


class Link(Body):
    model_config = examples({"source_id": "a memory's id", "relationship": "subtask_of", "target_id": "another's"})
    source_id: Name
    relationship: Name
    target_id: Name
    properties: Json = Field(default_factory=dict)


class Forget(Body):
    model_config = examples({"filter": {"session_id": "s1"}, "reason": "asked to"})
    ids: list[Name] | None = Field(None, min_length=1, max_length=10_000)
    filter: Json | None = None
    session_id: Name | None = None
    with_sources: bool = Field(False, description="also the turns that still say it")
    tombstones: bool = Field(False, description="keep keyed hashes, by which a later import leaves out what was forgotten")
    compact: bool = Field(False, description="rewrite the store's file, for keys with the right to admin")
    reason: Text = ""

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.ids is not None) + (self.filter is not None) + (self.session_id is not None) != 1:
            raise ValueError("give ids, filter or session_id, one of them")
        return self


class Merge(Body):
    keep: Name = Field(description="id or name of the entity that stays")
    merge: Name = Field(description="id or name of the one that becomes its alias")


class Split(Body):
    entity: Name


class Consolidate(Body):
    dry_run: bool = False


class Observe(Body):
    model_config = examples({"text": "Where were we with the flight?"})
    text: Text
    role: Role = "user"


class Pin(Body):
    memory_id: Name
