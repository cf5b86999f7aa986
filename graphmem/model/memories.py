"""What is stored: memories with their statements, beliefs, relationships and entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from graphmem.temporal import FAR_FUTURE, FAR_PAST, Interval, Precision

State = Literal["current", "disputed", "superseded", "expired", "upcoming", "invalid", "archived"]
StoredState = Literal["current", "disputed", "superseded", "invalid", "archived"]
Source = Literal["user", "tool", "external", "assistant", "inferred"]
Role = Literal["user", "assistant", "tool", "system"]
EntityRole = Literal["subject", "object", "involves", "mentions"]
Policy = Literal["latest", "confidence", "source", "dispute", "keep_both", "reject_new"]
Act = Literal["state", "correct", "end"]

STATES: tuple[State, ...] = get_args(State)
SOURCES: tuple[Source, ...] = get_args(Source)
ROLES: tuple[Role, ...] = get_args(Role)
POLICIES: tuple[Policy, ...] = get_args(Policy)
SHOWN: frozenset[State] = frozenset({"current", "disputed"})
"""The states of a default read."""


class _Nothing(Mapping[str, Any]):
    """No entries, and hashable, so that it may stand as a default (a read-only proxy may not before Python 3.12)."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "{}"


NOTHING: Mapping[str, Any] = _Nothing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn to remember; `text` and `speaker` may be given by position."""

    text: str = field(kw_only=False)
    speaker: str | None = field(default=None, kw_only=False)
    role: Role = "user"
    said_at: datetime | None = None
    session_id: str | None = None
    task_id: str | None = None
    agent_id: str | None = None
    source: Source | None = None
    metadata: Mapping[str, Any] = NOTHING
    attachments: Sequence[Mapping[str, Any]] = ()
    id: str | None = None


@dataclass(frozen=True, slots=True)
class EntityRef:
    """An entity as one memory names it."""

    id: str
    name: str
    role: EntityRole = "involves"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    id: str
    user_id: str
    name: str
    kind: str = "Thing"
    aliases: tuple[str, ...] = ()
    merged_into: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """One memory with its present belief.

    `state` is the state at the time that was asked for; `stored_state` is what is kept (see `state_at`). `properties` hold normalised slots;
    `value` is the canonical text by which two claims of one `key` count as the same.
    """

    id: str
    user_id: str
    type: str
    text: str
    summary: str = ""
    properties: Mapping[str, Any] = NOTHING
    state: State = "current"
    stored_state: StoredState = "current"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    precision: Precision | None = None
    recorded_at: datetime | None = None
    superseded_at: datetime | None = None
    source: Source = "user"
    confidence: float = 0.7
    importance: float = 0.5
    strength: float = 1.0
    session_id: str | None = None
    task_id: str | None = None
    agent_id: str | None = None
    refs: tuple[EntityRef, ...] = ()
    keywords: tuple[str, ...] = ()
    location: str | None = None
    reason: str | None = None
    purpose: str | None = None
    access_count: int = 0
    last_accessed_at: datetime | None = None
    reinforcements: int = 0
    pinned: bool = False
    metadata: Mapping[str, Any] = NOTHING
    key: str | None = None
    value: str | None = None

    @property
    def entities(self) -> tuple[str, ...]:
        """Names, first mention first, each once."""
        return tuple(dict.fromkeys(ref.name for ref in self.refs))

    @property
    def valid(self) -> Interval:
        return Interval(self.valid_from, self.valid_to, self.precision)

    @property
    def speaker(self) -> str | None:
        return self.properties.get("speaker") if self.type == "Episode" else None

    @property
    def said_at(self) -> datetime | None:
        return self.properties.get("said_at") if self.type == "Episode" else None


def state_at(stored: StoredState, valid_from: datetime | None, valid_to: datetime | None, at: datetime) -> State:
    """Where a memory stands at a moment: the stored state where it is one of decision, else read off the interval."""
    match stored:
        case "invalid" | "archived":
            return stored
        case "current" | "disputed" | "superseded":
            if at < (valid_from or FAR_PAST):
                return "upcoming"
            if at < (valid_to or FAR_FUTURE):
                return "disputed" if stored == "disputed" else "current"
            return "superseded" if stored != "current" else "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """Between two memories, by ontology name in upper case; `id` is derived from its ends and type."""

    id: str
    user_id: str
    source_id: str
    type: str
    target_id: str
    properties: Mapping[str, Any] = NOTHING
    recorded_at: datetime | None = None
    superseded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One source's saying of a value under one claim key; append-only.

    `act`: the value holds (`state`), it replaces what was said before because that never was so (`correct`), or it no longer holds (`end`;
    an empty value ends whatever holds). `policy` is the one that stood when it was said, so that the timeline stays a function of the set.
    """

    id: str
    user_id: str
    key: str
    value: str
    memory_id: str
    act: Act = "state"
    valid_from: datetime
    valid_to: datetime | None = None
    precision: Precision | None = None
    source: Source = "user"
    confidence: float = 0.7
    policy: Policy = "latest"
    episode_id: str | None = None
    recorded_at: datetime
    retracted_at: datetime | None = None
    properties: Mapping[str, Any] = NOTHING
    """What the statement said besides its value: for a resolution `keeps` and `drops`, for a correction `corrects`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What the store held of one memory over a span of transaction time; only ever closed."""

    memory_id: str
    user_id: str
    text: str
    properties: Mapping[str, Any]
    stored_state: StoredState
    valid_from: datetime | None
    valid_to: datetime | None
    precision: Precision | None = None
    confidence: float = 0.7
    recorded_at: datetime
    superseded_at: datetime | None = None
