"""What graphmem needs from the outside: the store, the models and the clock.

A store answers set questions inside one scope and commits one change set in one transaction; it never decides. All ids and times come from
the caller. Every method takes `user_id` first; ids of another scope are simply not found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from graphmem.filters import Filter
from graphmem.model import Belief, Draft, Entity, MemoryRecord, Message, Relationship, State, Statement

Vector = NDArray[np.float32]


class Clock(Protocol):
    def now(self) -> datetime:
        """Aware UTC."""
        ...


# ── models ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """Last-layer vectors of one text's pieces, prefix and special tokens dropped, mean not subtracted; `vectors` is (n, dimensions)."""

    pieces: tuple[str, ...]
    words: tuple[int, ...]
    """For each piece, the index of its word."""
    spans: tuple[tuple[int, int], ...]
    """For each piece, its characters in the text."""
    vectors: Vector


@dataclass(frozen=True, slots=True)
class Encoding:
    vector: Vector
    tokens: TokenVectors | None = None


class Embedder(Protocol):
    """Texts to unit vectors (n, dimensions); prefixes are the adapter's own."""

    @property
    def model_id(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    async def embed_documents(self, texts: Sequence[str]) -> Vector: ...
    async def embed_queries(self, texts: Sequence[str]) -> Vector: ...


class TokenEmbedder(Embedder, Protocol):
    """An embedder that also gives a vector per token, for late interaction; both come from one run of the model."""

    @property
    def mean(self) -> Vector: ...
    @property
    def token_mean(self) -> Vector: ...
    async def encode_documents(self, texts: Sequence[str]) -> list[Encoding]: ...
    async def encode_queries(self, texts: Sequence[str]) -> list[Encoding]: ...


def gives_tokens(embedder: Embedder) -> TypeGuard[TokenEmbedder]:
    """Whether it is a TokenEmbedder, asked of the class so that a lazy one is not loaded."""
    return callable(getattr(type(embedder), "encode_documents", None))


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as an extractor sees it: sanitised, with its speaker, moment (aware, in the speaker's own offset) and the turn before it."""

    message: Message
    said_at: datetime
    speaker: str
    addressee: str | None = None
    previous: str | None = None
    previous_speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one turn teaches. `act` is its dialogue act; `notes` say what failed without losing the turn; `tokens` what a model was paid."""

    drafts: tuple[Draft, ...] = ()
    act: str | None = None
    mentions: tuple[tuple[str, str], ...] = ()
    """Names in the turn with their kind (Person, Place, Organization, Product, Thing)."""
    notes: tuple[str, ...] = ()
    tokens: int = 0
    read_by: str | None = None
    """The language model that read the turn as well; kept with the episode, so that `enrich` sends it only once."""


class Extractor(Protocol):
    async def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        """One extraction a turn, in order; batched inside."""
        ...


class LanguageModel(Protocol):
    @property
    def model_id(self) -> str: ...
    async def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
        """JSON that fits `schema`, and the tokens spent; raises InferenceError or InvalidModelOutput."""
        ...


class Reranker(Protocol):
    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]: ...


class Verifier(Protocol):
    async def verify(self, memories: Sequence[MemoryRecord]) -> list[bool | None]:
        """For each memory: still true, no longer true, or not known."""
        ...


# ── the store ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories a read may see: `at` on the valid axis, `as_of` on the transaction axis (None: as believed now).

    `states` is compared with the state at `at` (`state_at`). `types` and `where` are pushed into the query as well.
    Archived memories are only looked at when "archived" is in `states`.
    """

    at: datetime
    as_of: datetime | None = None
    states: frozenset[State] = frozenset({"current", "disputed"})
    where: Filter | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Passage:
    """One indexed piece of a memory (number 0, 1, …): its search tokens, its vector, and its packed token vectors (`core/late.py`)."""

    memory_id: str
    number: int
    search_text: str
    vector: Vector | None = None
    tokens: bytes | None = None


@dataclass(frozen=True, slots=True)
class WorkingItem:
    memory_id: str
    value: float
    pinned: bool
    observed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """Everything that one write does, committed in one transaction or not at all.

    `memories` are inserted or replaced by id (counters are kept). `passages` replace all passages of their memories; `reindex` says which
    memories' passages are touched (an id there without passages loses its own: an archived memory). A belief in `beliefs` closes the open
    belief of its memory at its own `recorded_at`, also when nothing follows because the memory is new. `statements` are appended;
    `retracted` closes statements. Relationships are inserted, or reopened, by id; `closed` closes them. `read` maps each claim key
    to the ids of the unretracted statements that were found under it: if the store now finds others it raises WriteConflict and changes nothing.
    """

    user_id: str
    now: datetime
    memories: tuple[MemoryRecord, ...] = ()
    reindex: frozenset[str] = frozenset()
    passages: tuple[Passage, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    statements: tuple[Statement, ...] = ()
    retracted: Mapping[str, datetime] = field(default_factory=dict)
    entities: tuple[Entity, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    closed: Mapping[str, datetime] = field(default_factory=dict)
    read: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One relationship met while walking from `start` (a memory of the frontier), in either direction."""

    start: str
    relationship: Relationship
    other: str


@dataclass(frozen=True, slots=True)
class StoreInfo:
    schema: int
    ontology: str | None
    embedding: str | None
    dimensions: int | None
    engine: str


Order = Literal["newest", "oldest", "deadline", "importance", "id"]


class Store(Protocol):
    """See `graphmem.testing.StoreContract` for what each answer must be."""

    async def open(self) -> StoreInfo:
        """Connects, migrates; raises SchemaMismatch for a newer store, StoreUnavailable when it cannot be used."""
        ...

    async def close(self) -> None: ...

    async def describe(self, *, ontology: str, embedding: str | None, dimensions: int | None) -> None:
        """Records which ontology and which embedding model the store's content follows."""
        ...

    async def commit(self, change: ChangeSet) -> int:
        """Applies the change set; returns the scope's new revision. Durable when it returns."""
        ...

    async def revision(self, user_id: str) -> int:
        """Grows with every commit in the scope, whichever process made it; 0 where there was none."""
        ...

    async def memories(self, user_id: str, ids: Sequence[str], selection: Selection | None = None) -> list[MemoryRecord]:
        """In the order of `ids`, absent ones left out; with a selection only what it shows, in the state (and belief) it shows."""
        ...

    async def select(
        self, user_id: str, selection: Selection, *, order: Order = "newest", limit: int = 100, after: str | None = None
    ) -> tuple[list[MemoryRecord], str | None]:
        """A page and the cursor of the next; order ties are broken by id."""
        ...

    async def count(self, user_id: str, selection: Selection) -> dict[str, int]:
        """By type."""
        ...

    async def nearest(self, user_id: str, vector: Vector, selection: Selection, k: int) -> list[Hit]:
        """Best cosine of any passage, best first; as many as `k` while something matches. Vectors are compared as stored."""
        ...

    async def best_words(self, user_id: str, tokens: Sequence[str], selection: Selection, k: int) -> list[Hit]:
        """Candidates by the engine's BM25 over `search_text`, any token may match; scores are only an order."""
        ...

    async def passages(self, user_id: str, ids: Sequence[str], *, vectors: bool = True, tokens: bool = True) -> list[Passage]:
        """All passages of these memories, by id and number."""
        ...

    async def session_neighbours(
        self, user_id: str, episode_ids: Sequence[str], *, before: int, after: int
    ) -> dict[str, tuple[list[str], list[str]]]:
        """For each episode the ids before it (nearest first) and after it in its session's order (said_at, turn, id)."""
        ...

    async def relationships(
        self, user_id: str, ids: Sequence[str], types: Sequence[str] | None, *, limit: int = 200, as_of: datetime | None = None
    ) -> list[Neighbour]:
        """One hop from a frontier in both directions, open relationships only (or those open at `as_of`); at most `limit` per start and type, newest first."""
        ...

    async def claims(self, user_id: str, keys: Sequence[str]) -> tuple[list[MemoryRecord], list[Statement]]:
        """Every memory (in any state, as believed now) and every statement under these claim keys."""
        ...

    async def statements(self, user_id: str, memory_ids: Sequence[str]) -> list[Statement]: ...

    async def beliefs(self, user_id: str, memory_ids: Sequence[str]) -> list[Belief]:
        """Every belief about these memories, oldest recorded first."""
        ...

    async def entities(self, user_id: str, folded_names: Sequence[str]) -> list[Entity]:
        """Those that one of the folded names or aliases names (`text.fold_name`)."""
        ...

    async def entities_by_id(self, user_id: str, ids: Sequence[str]) -> list[Entity]: ...

    async def all_entities(self, user_id: str, *, limit: int = 1000, after: str | None = None) -> tuple[list[Entity], str | None]: ...

    async def about(self, user_id: str, entity_ids: Sequence[str], selection: Selection, k: int) -> list[str]:
        """Ids of memories that refer to one of these entities, newest first."""
        ...

    async def episodes_around(
        self, user_id: str, spans: Mapping[str, tuple[datetime, datetime]]
    ) -> dict[str, tuple[MemoryRecord | None, tuple[MemoryRecord, ...], MemoryRecord | None]]:
        """Per session and span of `said_at` (both ends in it): the episode just before, those within by (said_at, turn, id), the one just after."""
        ...

    async def speakers(self, user_id: str) -> list[str]:
        """The distinct speakers of the scope's episodes; cheap, asked with every question (cache it by revision)."""
        ...

    async def touch(self, user_id: str, ids: Sequence[str], at: datetime) -> None:
        """Counts one access each; may be lost in a crash, never slows a reader."""
        ...

    async def set_pinned(self, user_id: str, memory_id: str, pinned: bool) -> None: ...

    async def working_items(self, user_id: str, session_id: str) -> list[WorkingItem]: ...

    async def set_working_items(self, user_id: str, session_id: str, items: Sequence[WorkingItem]) -> None: ...

    async def note(self, user_id: str, name: str) -> Mapping[str, Any] | None:
        """A small JSON value kept for the scope (learned weights, cursors of jobs)."""
        ...

    async def set_note(self, user_id: str, name: str, value: Mapping[str, Any] | None) -> None: ...

    async def changed_since(self, user_id: str, since: datetime, limit: int) -> list[Belief]:
        """Beliefs recorded or closed since then, oldest first."""
        ...

    async def erase(self, user_id: str, ids: Sequence[str] | None, now: datetime) -> dict[str, int]:
        """Deletes these memories (None: all of the scope) with everything that hangs on them and entities nothing else refers to; counts by kind."""
        ...

    async def residue(self, user_id: str, ids: Sequence[str] | None) -> int:
        """How many rows of any table or index still speak of these memories (None: of the scope)."""
        ...

    async def compact(self) -> None:
        """Makes erased text unreadable in the files where the engine can promise that."""
        ...

    async def users(self, *, limit: int = 1000, after: str | None = None) -> tuple[list[str], str | None]: ...

    async def totals(self, user_id: str | None = None) -> Mapping[str, int]:
        """Counts by kind: entities, relationships, statements, beliefs, passages, users."""
        ...

    async def check(self, *, deep: bool = False) -> list[tuple[str, bool, str]]:
        """(check, fine, detail) for doctor: integrity, indexes that agree with the data, orphans."""
        ...


class CypherStore(Store, Protocol):
    """A store that also answers a caller's own Cypher, read-only and held to the scope."""

    async def cypher(self, user_id: str, query: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]: ...


def speaks_cypher(store: Store) -> TypeGuard[CypherStore]:
    return callable(getattr(store, "cypher", None))
