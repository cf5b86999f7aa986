"""What comes in, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from graphmem.model.memories import NOTHING, Act, EntityRole, MemoryRecord, Source, State
from graphmem.temporal import Precision


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
