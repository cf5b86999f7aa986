"""What is stored and what the verbs return: frozen values without behaviour beyond reading themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args

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


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, before it is resolved to an entity."""

    name: str
    kind: str | None = None
    role: EntityRole = "involves"


@dataclass(frozen=True, slots=True)
class DraftLink:
    """A relationship of a draft: to a stored memory by id, or to another draft of the same call by its position."""

    type: str
    target_id: str | None = None
    target_index: int | None = None
    properties: Mapping[str, Any] = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory on its way in, before normalisation, resolution and reconciliation; extractors and callers make these.

    `evidence` is the span of characters in its turn. `hint` names the open goal or event it speaks of when that is not in this call
    ("booked the flight" → hint "flight", slots {"status": "completed"}); with `update=True` it changes that memory rather than adding one.
    """

    type: str
    text: str = ""
    summary: str = ""
    properties: Mapping[str, Any] = NOTHING
    act: Act = "state"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    precision: Precision | None = None
    source: Source | None = None
    confidence: float | None = None
    importance: float | None = None
    mentions: tuple[Mention, ...] = ()
    keywords: tuple[str, ...] = ()
    location: str | None = None
    reason: str | None = None
    purpose: str | None = None
    links: tuple[DraftLink, ...] = ()
    hint: str | None = None
    update: bool = False
    evidence: tuple[int, int] | None = None
    extractor: str | None = None
    id: str | None = None
    state: State | None = None
    recorded_at: datetime | None = None
    superseded_at: datetime | None = None
    session_id: str | None = None
    task_id: str | None = None
    agent_id: str | None = None
    pinned: bool = False
    metadata: Mapping[str, Any] = NOTHING
    vector: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Added:
    memory: MemoryRecord
    why: str = "new"


@dataclass(frozen=True, slots=True)
class Reinforced:
    memory: MemoryRecord
    why: str = "said again"


@dataclass(frozen=True, slots=True)
class Superseded:
    """The new value took the place of `old`."""

    memory: MemoryRecord
    old: tuple[MemoryRecord, ...]
    why: str = "a newer value"


@dataclass(frozen=True, slots=True)
class Disputed:
    memory: MemoryRecord
    other: MemoryRecord
    question: str
    conflict_id: str
    why: str = "undecided between sources"


@dataclass(frozen=True, slots=True)
class Ignored:
    memory: MemoryRecord
    why: str = "the same is stored already"


@dataclass(frozen=True, slots=True)
class Rejected:
    """Not stored; `draft` is what was refused and `why` says what would be accepted."""

    why: str
    draft: Draft | None = None
    memory: None = None


Outcome: TypeAlias = Added | Reinforced | Superseded | Disputed | Ignored | Rejected


@dataclass(frozen=True, slots=True)
class RememberReport:
    """What one `remember` did: the episodes in order of the input, and one outcome per learned memory."""

    episodes: tuple[MemoryRecord, ...]
    outcomes: tuple[Outcome, ...] = ()
    episode_outcomes: tuple[Outcome, ...] = ()
    notes: tuple[str, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    episode_id: str
    quote: str
    speaker: str | None
    said_at: datetime | None
    session_id: str | None
    metadata: Mapping[str, Any] = NOTHING


@dataclass(frozen=True, slots=True)
class Recollection:
    """One recalled memory: `reasons` are parts of the score by name, `path` the relationships that led to it from an entry point."""

    memory: MemoryRecord
    score: float
    reasons: Mapping[str, float] = NOTHING
    path: tuple[Relationship, ...] = ()
    citations: tuple[Citation, ...] = ()
    outdated_by: tuple[MemoryRecord, ...] = ()
    disputed_with: tuple[MemoryRecord, ...] = ()
    scope: str | None = None
    """The other scope it was read from, where `shared=` named one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """What a question asks for; empty fields restrict nothing. `confidence` per field decides hard filter, weight or nothing."""

    query: str
    types: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    time: Interval | None = None
    entities: tuple[str, ...] = ()
    order: Literal["newest", "oldest", "deadline"] | None = None
    limit: int | None = None
    history: bool = False
    confidence: Mapping[str, float] = NOTHING
    reasons: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    """Restrictions given up because nothing would have matched, in order."""


@dataclass(frozen=True, slots=True)
class Trace:
    """How a recall came about: candidates per arm, what each filter removed, hops, timings in milliseconds."""

    arms: Mapping[str, Sequence[tuple[str, float]]]
    removed: Mapping[str, int]
    hops: Sequence[tuple[str, str, str]]
    timings: Mapping[str, float]
    notes: tuple[str, ...] = ()


class Recollections(Sequence[Recollection]):
    """The recalled memories, best first, with `.plan` (what was understood) and `.trace` (when asked to explain)."""

    def __init__(self, items: Sequence[Recollection], plan: QueryPlan, trace: Trace | None = None) -> None:
        self._items, self.plan, self.trace = tuple(items), plan, trace

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Recollection]:
        return iter(self._items)

    def __repr__(self) -> str:
        return f"Recollections({len(self._items)} for {self.plan.query!r})"


@dataclass(frozen=True, slots=True)
class Context:
    text: str
    tokens: int
    recollections: tuple[Recollection, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainNode:
    memory: MemoryRecord
    relationship: str | None
    """How it hangs on its parent; None at the root."""
    children: tuple[ChainNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    root: ChainNode
    memories: tuple[MemoryRecord, ...]
    """Flat: a goal before its plans, steps by order, events by time."""


@dataclass(frozen=True, slots=True)
class Version:
    """One belief about one memory; `memory` shows it as it was believed then."""

    memory: MemoryRecord
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    sources: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    id: str
    sides: tuple[MemoryRecord, ...]
    question: str
    since: datetime
    decided: bool = False
    """False: somebody must decide. True: both stand and contradict each other (declared by `opposes` in the ontology)."""


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of `changes(since)`; `memory` is None for what was forgotten."""

    kind: Literal["added", "changed", "superseded", "disputed", "archived", "invalid", "forgotten"]
    at: datetime
    memory_id: str
    memory: MemoryRecord | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    user_id: str
    facts: tuple[MemoryRecord, ...] = ()
    preferences: tuple[MemoryRecord, ...] = ()
    goals: tuple[MemoryRecord, ...] = ()
    constraints: tuple[MemoryRecord, ...] = ()
    instructions: tuple[MemoryRecord, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class DeletionReport:
    """What was erased, by kind, and how much of it is still found anywhere (always zero, else the verb raises)."""

    counts: Mapping[str, int]
    residue: int = 0
    remaining: tuple[str, ...] = ()
    """Episodes that still state what was forgotten; `with_sources=True` takes them too."""
    reason: str = ""


class Page(Sequence[MemoryRecord]):
    """One page of `list`; `cursor` asks for the next one and is None on the last."""

    def __init__(self, items: Sequence[MemoryRecord], cursor: str | None = None) -> None:
        self._items, self.cursor = tuple(items), cursor

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[MemoryRecord]:
        return iter(self._items)

    def __repr__(self) -> str:
        return f"Page({len(self._items)} memories{', more' if self.cursor else ''})"


@dataclass(frozen=True, slots=True)
class Stats:
    memories: Mapping[str, int]
    entities: int
    relationships: int
    users: int
    store: str
    embedding: str | None
    schema: int
    ontology: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that `doctor` looked at; `mend` is the command that repairs it."""

    check: str
    ok: bool
    detail: str
    mend: str = ""
