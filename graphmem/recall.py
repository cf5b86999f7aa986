"""The read flow: understand → entry points → rank → cite; docs/architecture.md names the steps."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo

from graphmem.core.candidates import Candidate
from graphmem.core.context import Item
from graphmem.core.gain import says_more
from graphmem.core.late import LateQuery, centred, late_query
from graphmem.core.question import Question, prepare
from graphmem.core.ranking import Ranked, rank, shortlist
from graphmem.core.sanitising import clean
from graphmem.core.understanding_match import fitted
from graphmem.model import Chain, Context, MemoryRecord, QueryPlan, Recollection, Recollections, Trace
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Embedder, Hit, Passage, Selection, Store, Vector, gives_tokens
from graphmem.recall_chain import WHOLE, Walker
from graphmem.recall_context import Basis, Contexts, citation, softened
from graphmem.recall_finish import Basis as Finding
from graphmem.recall_finish import Finisher, Notes
from graphmem.recall_plan import Planned, Planner, Prototypes, Window, brought, fitting, narrowed, structured
from graphmem.text import fold_name

ARM = 100
DEFAULT_LIMIT = 10
LONGEST_QUERY = 4000
CONTEXT_HITS = 30
PRESENT = timedelta(minutes=1)
"""What was asked so long ago still counts as asked about now."""
SPARE = 5
"""Hits beyond the limit that stand by for near-copies."""
CHAIN_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Request:
    """One question with everything that the caller restricts."""

    query: str
    selection: Selection
    limit: int | None = None
    session_id: str | None = None
    task_id: str | None = None
    expand: bool = True
    archived: bool = False
    wide: bool = False
    """Whether asked types only weigh: a context takes in what belongs to the answer."""


@dataclass(slots=True)
class Watch:
    """Milliseconds of each stage, for the trace."""

    timings: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.timings[name] = self.timings.get(name, 0.0) + (now - self.started) * 1000
        self.started = now


@dataclass(frozen=True, slots=True)
class Found:
    """What one scope gave: ranked memories with what is needed to show them."""

    ranked: Sequence[Ranked]
    memories: Mapping[str, MemoryRecord]
    arms: Mapping[str, Sequence[Hit]]
    plan: QueryPlan


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as the arms take it: its words, its vector, its token vectors."""

    question: Question
    vector: Vector | None
    late: LateQuery | None


@dataclass(frozen=True, slots=True)
class Recaller:
    """Recalls for any scope; holds what the flow needs from outside."""

    store: Store
    ontology: Ontology
    embedder: Embedder | None
    clock: Clock
    zone: tzinfo | None = None
    count_access: bool = True
    window: Window | None = None
    prototypes: Prototypes = field(default_factory=Prototypes)

    @property
    def planner(self) -> Planner:
        return Planner(self.store, self.ontology, self.embedder, self.clock, self.zone, self.window, self.prototypes)

    async def understand(self, user_id: str, query: str, *, now: datetime | None = None) -> QueryPlan:
        text, _ = clean(query)
        return (await self.planner.planned(user_id, text, now=now)).plan

    async def recall(self, user_id: str, request: Request, *, shared: Sequence[str] = (), explain: bool = False) -> Recollections:
        watch = Watch()
        text, notes = clean(request.query)
        if len(text) > LONGEST_QUERY:
            text, notes = text[:LONGEST_QUERY], (*notes, f"only the first {LONGEST_QUERY} characters of the question were used")
        found = await self._scope(user_id, text, request, watch)
        plan = found.plan
        limit = request.limit or plan.limit or DEFAULT_LIMIT
        seen = Notes()
        items = await self._recollections(user_id, found, request, limit, seen)
        for other in shared:
            theirs = await self._scope(other, text, request, watch)
            items += [replace(one, scope=other) for one in await self._recollections(other, theirs, request, limit)]
        items = sorted(items, key=lambda one: -one.score)[:limit] if shared else items
        watch.lap("cite")
        if self.count_access and items:
            await self.store.touch(user_id, [one.memory.id for one in items if one.scope is None], self.clock.now())
        trace = (
            Trace(
                {name: [(hit.id, hit.score) for hit in hits] for name, hits in found.arms.items()},
                seen.removed,
                seen.hops,
                watch.timings,
                notes,
            )
            if explain
            else None
        )
        return Recollections(items, plan, trace)

    async def context(self, user_id: str, request: Request, *, budget: int, shared: Sequence[str] = ()) -> Context:
        """The recalled memories with their chains as text; see recall_context."""
        basis = await self._basis(user_id, request, shared)
        return await Contexts(self.store, self.ontology).context(user_id, basis, budget)

    async def gather(self, user_id: str, request: Request) -> tuple[list[Item], Mapping[str, float]]:
        """What a context of this would hold, unpacked, and how relevant each memory is, 0 to 1: for a working memory."""
        rows, _ = await Contexts(self.store, self.ontology).gathered(user_id, await self._basis(user_id, request, ()))
        return list(rows.items.values()), rows.relevant

    async def _basis(self, user_id: str, request: Request, shared: Sequence[str]) -> Basis:
        text, _ = clean(request.query)
        wide, limit = replace(request, wide=True, expand=False), request.limit or CONTEXT_HITS
        found = await self._scope(user_id, text[:LONGEST_QUERY], wide, Watch())
        hits = await self._recollections(user_id, found, wide, limit)
        for other in shared:
            theirs = await self._scope(other, text[:LONGEST_QUERY], wide, Watch())
            hits += [replace(one, scope=other) for one in await self._recollections(other, theirs, wide, limit)]
        if self.count_access and hits:
            await self.store.touch(user_id, [one.memory.id for one in hits if one.scope is None], self.clock.now())
        return Basis(text, found.plan, found.ranked, found.memories, hits, request.selection, request.session_id)

    async def chain(
        self, user_id: str, memory_id: str, *, depth: int | None = None, at: datetime | None = None, as_of: datetime | None = None
    ) -> Chain:
        """The branch of the memory's goal with the goals above it, hop by hop, one batched call a hop."""
        states = WHOLE if at is None else WHOLE - {"upcoming"}
        selection = Selection(at=at or as_of or self.clock.now(), as_of=as_of, states=states)
        return await Walker(self.store, self.ontology).chain(user_id, memory_id, depth or CHAIN_DEPTH, selection)

    def _past(self, request: Request) -> bool:
        """Whether an earlier time is asked about: then types only weigh, and a memory stands for its turn, for its validity is what is asked."""
        return request.selection.at < self.clock.now() - PRESENT

    # ── one scope ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _scope(self, user_id: str, text: str, request: Request, watch: Watch) -> Found:
        planned = await self.planner.planned(user_id, text, session_id=request.session_id)
        planned = softened(planned) if request.wide or self._past(request) else planned
        where = await narrowed(self.store, self.ontology, user_id, planned.plan, request.selection)
        watch.lap("understand")
        asked = await self._ask(user_id, planned.text)
        watch.lap("embed")
        arms = await self._arms(user_id, asked, where.selection)
        arms |= await structured(self.store, user_id, where, planned)
        watch.lap("entry points")
        memories, around = await self._gather(user_id, arms, where.selection)
        candidates = await self._candidates(user_id, memories, around)
        watch.lap("gather")
        ranked = await self._rank(user_id, asked, candidates, brought(arms))
        ranked = await self._fitted(user_id, replace(planned, plan=where.plan), ranked, memories)
        watch.lap("rank")
        return Found(ranked, memories, arms, where.plan)

    async def _fitted(
        self, user_id: str, planned: Planned, ranked: Sequence[Ranked], memories: Mapping[str, MemoryRecord]
    ) -> Sequence[Ranked]:
        typed = [one.id for one in ranked if memories[one.id].type != "Episode"] if planned.plan.types else []
        sources = await self._sources(user_id, typed) if len(typed) < len(ranked) else {}
        return fitted(ranked, memories, await fitting(self.store, user_id, planned, memories, sources), self.ontology)

    async def _ask(self, user_id: str, text: str) -> Asked:
        question = prepare(text, await self.store.speakers(user_id))
        if self.embedder is None:
            return Asked(question, None, None)
        if gives_tokens(self.embedder):
            encoding = (await self.embedder.encode_queries([question.embedded]))[0]
            late = None if encoding.tokens is None else late_query(question.embedded, encoding.tokens, self.embedder.token_mean)
            return Asked(question, centred(encoding.vector, self.embedder.mean), late)
        return Asked(question, (await self.embedder.embed_queries([question.embedded]))[0], None)

    async def _arms(self, user_id: str, asked: Asked, selection: Selection) -> dict[str, list[Hit]]:
        arms = {"words": await self.store.best_words(user_id, asked.question.tokens, selection, ARM)}
        if asked.vector is not None:
            arms["vectors"] = await self.store.nearest(user_id, asked.vector, selection, ARM)
        return arms

    async def _gather(
        self, user_id: str, arms: Mapping[str, Sequence[Hit]], selection: Selection
    ) -> tuple[dict[str, MemoryRecord], dict[str, tuple[list[str], list[str]]]]:
        ids = list(dict.fromkeys(hit.id for hits in arms.values() for hit in hits))
        around = await self.store.session_neighbours(user_id, ids, before=1, after=1)
        near = [id_ for before, after in around.values() for id_ in (*before, *after)]
        memories = await self.store.memories(user_id, list(dict.fromkeys([*ids, *near])), selection)
        return {memory.id: memory for memory in memories}, around

    async def _candidates(
        self, user_id: str, memories: Mapping[str, MemoryRecord], around: Mapping[str, tuple[list[str], list[str]]]
    ) -> list[Candidate]:
        passages: dict[str, list[Passage]] = {}
        for passage in await self.store.passages(user_id, list(memories), tokens=False):
            passages.setdefault(passage.memory_id, []).append(passage)
        before = {id_: earlier[0] for id_, (earlier, _) in around.items() if earlier}
        after = {id_: later[0] for id_, (_, later) in around.items() if later}
        before |= {later: id_ for id_, later in after.items() if later not in before}
        after |= {earlier: id_ for id_, earlier in before.items() if earlier not in after}
        return [_candidate(memory, passages.get(id_, ()), before.get(id_), after.get(id_)) for id_, memory in memories.items()]

    async def _rank(self, user_id: str, asked: Asked, candidates: Sequence[Candidate], structured: frozenset[str]) -> Sequence[Ranked]:
        if not candidates:
            return ()
        places = {candidate.id: candidate for candidate in candidates}
        short = frozenset(shortlist(asked.question, candidates, asked.vector)) | structured
        ids = [candidate.id for candidate in candidates if candidate.id in short]
        packed: dict[str, list[bytes]] = {}
        if asked.late is not None:
            for passage in await self.store.passages(user_id, ids, vectors=False):
                if passage.tokens is not None:
                    packed.setdefault(passage.memory_id, []).append(passage.tokens)
        return rank(asked.question, [replace(places[id_], late=packed.get(id_, ())) for id_ in ids], asked.vector, asked.late)

    # ── showing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _recollections(
        self, user_id: str, found: Found, request: Request, limit: int, notes: Notes | None = None
    ) -> list[Recollection]:
        """A typed memory and the turn that it came from take one place: the better of the two, with the turn as its citation."""
        head = [one.id for one in found.ranked[: limit * 4]]
        sources = await self._sources(user_id, [id_ for id_ in head if found.memories[id_].type != "Episode"])
        turns = await self._turns(user_id, found, sources)
        items: list[Recollection] = []
        shown: set[str] = set()
        notes = notes or Notes()
        past = self._past(request)
        learned = _learned(head, sources, found.memories) if past or request.wide else {}
        for one in found.ranked[: limit * 4]:
            memory = found.memories[one.id]
            own = [memory] if memory.type == "Episode" else [turns[id_] for id_ in sources.get(one.id, ()) if id_ in turns]
            if memory.id in shown or (own and not request.wide and all(turn.id in shown for turn in own)):
                notes.removed["shown by its turn or memory"] = notes.removed.get("shown by its turn or memory", 0) + 1
                continue
            stand = [typed for typed in learned.get(memory.id, ()) if typed.id not in shown][: None if request.wide else 1] or [memory]
            if request.wide and memory not in stand and says_more(memory.text, [typed.text for typed in stand]):
                stand.append(memory)
            shown |= {memory.id, *(typed.id for typed in stand), *(turn.id for turn in own)}
            items += [Recollection(each, one.score, one.reasons, citations=tuple(map(citation, own))) for each in stand]
            if len(items) >= limit + SPARE:
                break
        basis = Finding(
            found.plan, found.ranked, found.memories, sources, request.selection, limit, request.session_id, expand=request.expand
        )
        return await Finisher(self.store, self.ontology).finished(user_id, items, basis, notes)

    async def _sources(self, user_id: str, ids: Sequence[str]) -> dict[str, list[str]]:
        sources: dict[str, list[str]] = {}
        if ids:
            for one in await self.store.relationships(user_id, ids, ["DERIVED_FROM"], limit=20):
                if one.relationship.source_id == one.start:
                    sources.setdefault(one.start, []).append(one.other)
        return sources

    async def _turns(self, user_id: str, found: Found, sources: Mapping[str, Sequence[str]]) -> dict[str, MemoryRecord]:
        wanted = {id_ for ids in sources.values() for id_ in ids}
        missing = [id_ for id_ in wanted if id_ not in found.memories]
        fetched = await self.store.memories(user_id, missing) if missing else []
        return {id_: found.memories[id_] for id_ in wanted if id_ in found.memories} | {memory.id: memory for memory in fetched}


def _candidate(memory: MemoryRecord, passages: Sequence[Passage], before: str | None, after: str | None) -> Candidate:
    return Candidate(
        id=memory.id,
        text=memory.text,
        tokens=" ".join(passage.search_text for passage in passages).split(),
        vectors=[passage.vector for passage in passages if passage.vector is not None],
        speaker=fold_name(memory.speaker) if memory.speaker else None,
        session=memory.session_id,
        said_at=memory.said_at,
        previous=before,
        next=after,
        type=memory.type,
        importance=memory.importance,
        strength=memory.strength,
    )


def _learned(
    head: Sequence[str], sources: Mapping[str, Sequence[str]], memories: Mapping[str, MemoryRecord]
) -> dict[str, list[MemoryRecord]]:
    """For each turn the ranked memories that were learned from it, best first."""
    learned: dict[str, list[MemoryRecord]] = {}
    for id_ in head:
        for turn in sources.get(id_, ()):
            learned.setdefault(turn, []).append(memories[id_])
    return learned
