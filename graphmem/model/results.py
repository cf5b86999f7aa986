"""What the verbs return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from graphmem.model.drafts import Outcome
from graphmem.model.memories import NOTHING, MemoryRecord, Relationship
from graphmem.temporal import Interval


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
class ConsolidationAction:
    """One thing that upkeep did, or would do: to what, why, and the id by which `undo` takes it back."""

    id: str
    kind: Literal["merge", "archive", "expire", "summarise", "abstract", "infer", "retract"]
    what: str
    why: str
    memories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    actions: tuple[ConsolidationAction, ...] = ()
    dry_run: bool = False
    skipped: int = 0
    """Actions that were planned and not done, because somebody else changed the memory meanwhile."""

    @property
    def counts(self) -> Mapping[str, int]:
        """By kind."""
        kinds = [action.kind for action in self.actions]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


@dataclass(frozen=True, slots=True)
class Report:
    """What a person should look at: learned since, open and overdue tasks, negatives without a solution, disputes; `text` says it in words."""

    user_id: str
    since: datetime
    learned: tuple[MemoryRecord, ...] = ()
    open_goals: tuple[MemoryRecord, ...] = ()
    overdue: tuple[MemoryRecord, ...] = ()
    unresolved: tuple[MemoryRecord, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    counts: Mapping[str, int] = NOTHING
    text: str = ""


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
