"""AsyncMemory: the verbs. Each hands over to the flow that does it; docs/architecture.md shows which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, get_args

from graphmem.config import Settings
from graphmem.core.context import Item
from graphmem.core.sanitising import check_scope
from graphmem.engine import Engine, Parts, Progress, open_engine
from graphmem.errors import InvalidInput, NotFound
from graphmem.filters import names_state
from graphmem.memir import to_draft
from graphmem.memory_models import Models
from graphmem.memory_upkeep import Upkeep
from graphmem.model import (
    NOTHING,
    POLICIES,
    SHOWN,
    STATES,
    Chain,
    Conflict,
    Context,
    Draft,
    MemoryRecord,
    Message,
    Outcome,
    Page,
    Policy,
    Profile,
    QueryPlan,
    Recollections,
    RememberReport,
    Role,
    Source,
    State,
    Version,
)
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Embedder, Extractor, LanguageModel, Order, Selection
from graphmem.profile import Profiler
from graphmem.recall import Request
from graphmem.remember import Input, to_messages
from graphmem.temporal import to_moment
from graphmem.transfer import Format, read_lines, read_locomo
from graphmem.working import DEFAULT_CAPACITY, WorkingMemory
from graphmem.working import Parts as WorkingParts

Json = Mapping[str, Any]
Drafts: TypeAlias = list[Draft]
When: TypeAlias = datetime | date | str
"""An aware moment, a date (its first instant) or either as ISO 8601 text."""


class AsyncMemory(Upkeep, Models):
    """Long-term memory of one scope; `for_user` gives the same memory for another."""

    def __init__(self, engine: Engine, user_id: str, shared: Sequence[str] = ()) -> None:
        self._engine, self.user_id = engine, check_scope(user_id)
        self.shared = tuple(check_scope(other) for other in shared)

    @classmethod
    async def open(
        cls,
        location: str | Path | None = None,
        *,
        user_id: str = "default",
        auth: tuple[str, str] | None = None,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        language_model: LanguageModel | None = None,
        ontology: Ontology | None = None,
        clock: Clock | None = None,
        shared: Sequence[str] = (),
        check_embedding: bool = True,
    ) -> Self:
        """Opens or creates the store at a path, ":memory:" or a neo4j:// URL; `async with await AsyncMemory.open(…)` closes it.

        `shared` names scopes that are read beside one's own and never written. `check_embedding=False` is for `reembed`, which needs a store
        whose vectors come from another model.
        """
        check_scope(user_id)
        parts = Parts(auth, embedder, extractor, language_model, ontology, clock)
        return cls(await open_engine(location, settings, parts, check_embedding=check_embedding), user_id, shared)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        await self._engine.close()

    def for_user(self, user_id: str, *, shared: Sequence[str] = ()) -> Self:
        """A view of another scope over the same connection; costs nothing and is not closed by itself."""
        return type(self)(self._engine, user_id, shared)

    # ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def remember(
        self,
        turns: Input | Sequence[Input],
        *,
        speaker: str | None = None,
        role: Role = "user",
        said_at: When | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        agent_id: str | None = None,
        source: Source | None = None,
        metadata: Json = NOTHING,
        extract: bool = True,
        progress: Progress | None = None,
    ) -> RememberReport:
        """Keeps each turn verbatim and learns typed memories from it; atomic for each 256 turns, and a repeated call goes on where it stopped."""
        blank = Message(
            "",
            speaker,
            role=role,
            said_at=self._moment(said_at),
            session_id=session_id,
            task_id=task_id,
            agent_id=agent_id,
            source=source,
            metadata=metadata,
        )
        return await self._engine.rememberer.remember(self.user_id, to_messages(turns, blank), extract=extract, progress=progress)

    async def add(self, record: Draft | Json | Sequence[Draft | Json], *, policy: Policy | None = None) -> list[Outcome]:
        """Writes typed memories directly, from MemIR mappings or `Fact(…)`, `Goal(…)` …; one outcome each, all or none."""
        if policy is not None and policy not in POLICIES:
            raise InvalidInput(f"unknown policy {policy!r}; allowed: {', '.join(POLICIES)}")
        if isinstance(record, str) or not isinstance(record, Draft | Mapping | Sequence):
            raise InvalidInput(f"add takes a memory, a MemIR mapping or a list of these, not {type(record).__name__}")
        records = [record] if isinstance(record, (Draft, Mapping)) else list(record)
        zone = self._engine.settings.zone
        drafts = [one if isinstance(one, Draft) else to_draft(one, self.user_id, zone) for one in records]
        return await self._engine.writer.write_strict(self.user_id, drafts, policy=policy)

    async def add_triple(
        self,
        subject: str,
        relation: str,
        object: Any,  # noqa: A002 — the field's name for it
        *,
        valid_from: When | None = None,
        valid_to: When | None = None,
        source: Source = "user",
        confidence: float | None = None,
        qualifiers: Json = NOTHING,
        policy: Policy | None = None,
    ) -> Outcome:
        """A Fact in one line."""
        slots = {"subject": subject, "relation": relation, "object": object, **({"qualifiers": dict(qualifiers)} if qualifiers else {})}
        since, until = self._moment(valid_from), self._moment(valid_to)
        fact = Draft(type="Fact", properties=slots, valid_from=since, valid_to=until, source=source, confidence=confidence)
        return (await self.add(fact, policy=policy))[0]

    async def link(self, /, source_id: str, relationship: str, target_id: str, **properties: Any) -> None:
        """Draws a relationship of the ontology between two memories; CycleRefused where it would close a forbidden cycle."""
        await self._engine.reviser.link(self.user_id, source_id, relationship, target_id, properties)

    async def unlink(self, source_id: str, relationship: str, target_id: str) -> None:
        """Closes it; `chain(as_of=…)` still sees it in the past."""
        await self._engine.reviser.unlink(self.user_id, source_id, relationship, target_id)

    async def correct(self, /, memory_id: str, *, text: str | None = None, **slots: Any) -> Outcome:
        """Says that it is otherwise and never was as stored; the old version stays in `history`."""
        return await self._engine.reviser.correct(self.user_id, memory_id, text=text, slots=slots)

    async def set_status(self, memory_id: str, status: str, *, reason: str | None = None) -> Outcome:
        """Moves a task along its state machine; reopening a closed one needs a reason."""
        return await self._engine.reviser.set_status(self.user_id, memory_id, status, reason=reason)

    async def retract(self, memory_id: str, reason: str) -> Outcome:
        """It never was true: what it had displaced holds again."""
        return await self._engine.reviser.retract(self.user_id, memory_id, reason)

    async def restore(self, memory_id: str) -> Outcome:
        """Undoes an archive, a retraction or a resolution (by the conflict's id)."""
        return await self._engine.reviser.restore(self.user_id, memory_id)

    async def pin(self, memory_id: str, *, pinned: bool = True) -> None:
        """A pinned memory neither decays nor is archived."""
        await self._one(memory_id)
        await self._engine.store.set_pinned(self.user_id, memory_id, pinned)

    async def conflicts(self) -> list[Conflict]:
        """What is disputed, each with a question to ask; and pairs that contradict each other though both stand."""
        return await self._engine.reviser.conflicts(self.user_id)

    async def resolve(self, conflict_id: str, keep: Literal["new", "old", "both", "neither"] = "new", reason: str = "") -> Outcome:
        """Settles a dispute; `restore(conflict_id)` undoes it."""
        return await self._engine.reviser.resolve(self.user_id, conflict_id, keep, reason)

    async def merge_entities(self, a: str, b: str) -> None:
        """Makes two entities (by id or name) one: `b` becomes an alias of `a`, and their claims are reconciled."""
        await self._engine.reviser.merge_entities(self.user_id, a, b)

    async def split_entity(self, a: str) -> None:
        """Undoes the last merge into this entity."""
        await self._engine.reviser.split_entity(self.user_id, a)

    # ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        filter: Json | None = None,  # noqa: A002 — the word that other libraries use
        at: When | None = None,
        as_of: When | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        expand: bool = True,
        include_archived: bool = False,
        explain: bool = False,
    ) -> Recollections:
        """The memories that matter for a question, best first; no language model is called."""
        request = self._request(query, limit, filter, at, as_of, session_id, task_id, expand, include_archived)
        return await self._engine.recaller.recall(self.user_id, request, shared=self.shared, explain=explain)

    async def context(self, /, query: str, *, budget: int = 2000, **recall: Any) -> Context:
        """The recalled memories and their chains as text with citations, within a budget of tokens."""
        found = {"limit": None, "filter": None, "at": None, "as_of": None, "session_id": None, "task_id": None, "expand": True}
        given = {**found, "include_archived": False, **recall}
        if unknown := set(given) - {*found, "include_archived"}:
            raise InvalidInput(f"context takes the options of recall; unknown: {', '.join(sorted(unknown))}")
        request = self._request(query, *given.values())
        return await self._engine.recaller.context(self.user_id, request, budget=budget, shared=self.shared)

    async def working_memory(self, session_id: str, *, capacity: int = DEFAULT_CAPACITY) -> WorkingMemory:
        """The few memories that an agent holds in one session, as it was left; `observe` fills it."""
        engine = self._engine

        async def gather(text: str) -> tuple[Sequence[Item], Mapping[str, float]]:
            return await engine.recaller.gather(self.user_id, Request(text, self._selection(None, None, None), session_id=session_id))

        working = WorkingMemory(WorkingParts(engine.store, engine.ontology, engine.clock, gather), self.user_id, session_id, capacity)
        await working.load()
        return working

    async def profile(self) -> Profile:
        """The person as known now: facts, preferences, open goals, limits and standing orders, also as text."""
        return await Profiler(self._engine.store, self._engine.ontology, self._engine.clock).profile(self.user_id)

    async def understand(self, query: str, *, now: When | None = None) -> QueryPlan:
        """What `recall` would look for, without looking."""
        return await self._engine.recaller.understand(self.user_id, query, now=self._moment(now))

    async def chain(self, memory_id: str, *, depth: int | None = None, at: When | None = None, as_of: When | None = None) -> Chain:
        """Goal, plans, steps and events around one memory, as a tree and in order."""
        await self._one(memory_id)
        return await self._engine.recaller.chain(self.user_id, memory_id, depth=depth, at=self._moment(at), as_of=self._moment(as_of))

    async def history(self, memory_id: str | None = None, *, subject: str | None = None, relation: str | None = None) -> list[Version]:
        """Every version of one memory, or of everything ever claimed of a subject (under one relation), with both time axes."""
        return await self._engine.reviser.history(self.user_id, memory_id, subject=subject, relation=relation)

    async def get(self, memory_id: str) -> MemoryRecord:
        """One memory in whatever state; NotFound where this scope has none of that id."""
        return await self._one(memory_id)

    async def list(
        self,
        filter: Json | None = None,  # noqa: A002 — the word that other libraries use
        *,
        at: When | None = None,
        as_of: When | None = None,
        limit: int = 100,
        cursor: str | None = None,
        order: Order = "newest",
    ) -> Page:
        """A page of memories; current and disputed ones unless the filter names a state."""
        if order not in get_args(Order):
            raise InvalidInput(f"unknown order {order!r}; allowed: {', '.join(get_args(Order))}")
        items, after = await self._engine.store.select(
            self.user_id, self._selection(filter, at, as_of), order=order, limit=limit, after=cursor
        )
        return Page(items, after)

    async def count(self, filter: Json | None = None) -> int:  # noqa: A002 — the word that other libraries use
        return sum((await self._engine.store.count(self.user_id, self._selection(filter, None, None))).values())

    async def extract(self, turns: Input | Sequence[Input], *, speaker: str | None = None, said_at: When | None = None) -> Drafts:
        """What `remember` would learn, without storing anything."""
        blank = Message("", speaker, said_at=self._moment(said_at))
        return await self._engine.rememberer.learn(to_messages(turns, blank))

    # ── in and out ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def export(self, path: str | Path, *, progress: Progress | None = None) -> int:
        """Writes every memory as one MemIR JSON line, with its versions, statements and vector; returns how many."""
        return await self._engine.carrier.export(self.user_id, Path(path), progress=progress)

    async def import_(self, path: str | Path, *, format: Format = "memir", rescope: bool = False, progress: Progress | None = None) -> int:  # noqa: A002
        """Reads a file back in, in groups that are each atomic; returns how many memories or turns were read.

        `memir` takes exported lines exactly. `locomo` remembers each sample's turns, for several samples each under "user/sample".
        """
        if format not in get_args(Format):
            raise InvalidInput(f"unknown format {format!r}; allowed: {', '.join(get_args(Format))}")
        source = Path(path)
        if format == "locomo":
            return await self._conversations(read_locomo(source), progress)
        return len(await self._engine.carrier.restore(self.user_id, read_lines(source), rescope=rescope))

    # ── helpers ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _conversations(self, samples: Mapping[str, Sequence[Message]], progress: Progress | None) -> int:
        for name, messages in samples.items():
            memory = self if len(samples) == 1 else self.for_user(f"{self.user_id}/{name}")
            await memory.remember(messages, progress=progress)
        return sum(map(len, samples.values()))

    async def _one(self, memory_id: str) -> MemoryRecord:
        found = await self._engine.store.memories(self.user_id, [memory_id])
        if not found:
            raise NotFound("memory", memory_id)
        return found[0]

    def _selection(self, given: Json | None, at: When | None, as_of: When | None) -> Selection:
        where = self._filter(given)
        states: frozenset[State] = frozenset(STATES) if where is not None and names_state(where) else SHOWN
        held, believed = self._moment(at), self._moment(as_of)
        return Selection(at=held or believed or self._engine.clock.now(), as_of=believed, states=states, where=where)

    def _moment(self, given: When | None) -> datetime | None:
        return None if given is None else to_moment(given, self._engine.settings.zone)

    def _request(self, query: str, *options: Any) -> Request:
        limit, given, at, as_of, session_id, task_id, expand, include_archived = options
        if not isinstance(query, str):
            raise InvalidInput(f"a question is text, not {type(query).__name__}")
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise InvalidInput(f"limit must be at least 1, not {limit!r}")
        selection = self._selection(given, at, as_of)
        return Request(query, selection, limit, session_id, task_id, expand=expand, archived=include_archived)
