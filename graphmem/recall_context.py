"""The context of a question: what it stands on, its chain, the hits that stay beside it, and what must travel with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.core.chains import build, order_key, told
from graphmem.core.claims import answer, ask
from graphmem.core.context import Count, Item, Packing, estimate, moment_of, pack, section_of
from graphmem.core.focus import Kind, Place, Standing, anchor, first_of, kind_of, relevance, standing, stays
from graphmem.core.ranking import Ranked
from graphmem.core.tokens import query_tokens, search_tokens
from graphmem.core.understanding import HARD
from graphmem.filters import And, Compare, Filter, Or
from graphmem.model import Citation, Context, MemoryRecord, QueryPlan, Recollection, Relationship, State
from graphmem.ontology import Ontology
from graphmem.ports import Selection, Store
from graphmem.recall_chain import Met, Walker, whole
from graphmem.recall_plan import Planned
from graphmem.temporal import FAR_PAST
from graphmem.text import is_chinese

ENTRIES = 60
"""Best typed hits whose place among the goals is looked up."""
ALWAYS_LIMIT = 20
CLEAR = 0.6
VERSIONS, HISTORY = 64, 16
OVER: frozenset[State] = frozenset({"superseded", "expired"})
RULES, GOAL, HIT, CHAIN = 4.0, 3.0, 2.0, 1.6
"""Where an item stands when the budget is spent, before its relevance of 0 to 1."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What one recall found: every ranked candidate, and the best of them as recollections."""

    query: str
    plan: QueryPlan
    ranked: Sequence[Ranked]
    memories: Mapping[str, MemoryRecord]
    hits: Sequence[Recollection]
    selection: Selection
    session_id: str | None = None


@dataclass(slots=True)
class Rows:
    """The items in their order, each memory once."""

    items: dict[str, Item] = field(default_factory=dict)
    relevant: Mapping[str, float] = field(default_factory=dict)

    def add(
        self, memory: MemoryRecord, base: float, *, depth: int = 0, section: str | None = None, hit: Recollection | None = None
    ) -> None:
        share = self.relevant.get(memory.id, 0.0)
        found = hit or Recollection(memory, share)
        item = Item(found, section or section_of(memory.type), base + share, depth)  # type: ignore[arg-type]  # callers name sections
        old = self.items.get(memory.id)
        self.items[memory.id] = item if old is None else replace(old, priority=max(old.priority, item.priority))

    def beside(self, partner: str, memory: MemoryRecord) -> None:
        """Put a memory right after another one, whose section it shares."""
        own = self.items.pop(memory.id, None)
        near = self.items[partner]
        item = replace(near, recollection=own.recollection if own else Recollection(memory, near.recollection.score), was=())
        order: dict[str, Item] = {}
        for id_, one in self.items.items():
            order[id_] = one
            if id_ == partner:
                order[memory.id] = item
        self.items = order


@dataclass(frozen=True, slots=True)
class Contexts:
    """Makes contexts for any scope."""

    store: Store
    ontology: Ontology
    count: Count = estimate

    @property
    def walker(self) -> Walker:
        return Walker(self.store, self.ontology)

    @property
    def tasks(self) -> frozenset[str]:
        return frozenset(name for name, kind in self.ontology.types.items() if kind.open_status)

    async def context(self, user_id: str, basis: Basis, budget: int) -> Context:
        rows, questions = await self.gathered(user_id, basis)
        return pack(list(rows.items.values()), Packing(budget, self.count, is_chinese(basis.query), questions))

    async def gathered(self, user_id: str, basis: Basis) -> tuple[Rows, dict[str, str]]:
        """Everything that a context of this would hold, and the question of each dispute by its unit."""
        rows = await self.rows(user_id, basis)
        questions = await self._pairs(user_id, rows, whole(basis.selection))
        await self._told_before(user_id, rows, basis)
        await self._cited(user_id, rows)
        return rows, questions

    async def rows(self, user_id: str, basis: Basis) -> Rows:
        """What is shown, before what travels along: the chain, the hits beside it, and the limits that an answer has to keep to."""
        rows = Rows(relevant=relevance(basis.ranked))
        await self._standing_rules(user_id, rows, basis)
        typed = [basis.memories[one.id] for one in basis.ranked if basis.memories[one.id].type != "Episode"][:ENTRIES]
        selection = whole(basis.selection)
        met = await self.walker.climb(user_id, typed, selection)
        stands = standing(rows.relevant, met.memories, met.hierarchy, self.tasks)
        goal = anchor(stands, met.memories, rows.relevant, basis.query)
        place = await self._place(user_id, goal, stands, met, selection)
        kind = self._kind(basis, rows.relevant)
        if kind == "task" and place.goal is not None and self._meant(basis, place, stands, met):
            self._chain(rows, place, met)
        elif kind == "task":
            place = Place()
            self._listed(rows, basis)
        kept = self._hits(rows, basis, kind, (place, stands))
        match kind:
            case "cause":
                await self._causes(user_id, rows, kept, (place, selection))
            case "history":
                await self._versions(user_id, rows, kept, basis)
            case "task" | "claim" | "open":
                pass
        if kind in {"claim", "open"} and place.goal is not None and any(id_ in place.branch for id_ in kept):
            for limit in first_of(place.branch | place.line, rows.relevant, met.memories, frozenset({"Constraint"})):
                rows.add(met.memories[limit], CHAIN)
        if kind != "task":
            self._above(rows, kept, stands, met)
            self._arrange(rows, place, met)
        return rows

    def _kind(self, basis: Basis, relevant: Mapping[str, float]) -> Kind:
        """An open question whose best typed hit is a task, clearly, asks how that stands."""
        kind = kind_of(basis.plan, self.tasks)
        typed = [id_ for id_ in relevant if basis.memories[id_].type != "Episode"]
        best = max(typed, key=lambda id_: (relevant[id_], id_), default=None)
        tasked = best is not None and basis.memories[best].type in self.tasks and relevant[best] >= CLEAR
        return "task" if kind == "open" and tasked else kind

    async def _standing_rules(self, user_id: str, rows: Rows, basis: Basis) -> None:
        """Standing orders, and the frame that the session is in."""
        always = tuple(name for name, kind in self.ontology.types.items() if kind.in_context == "always")
        active = tuple(name for name, kind in self.ontology.types.items() if kind.in_context == "active")
        wanted: list[Filter] = [Compare("type", "$in", always)]
        if basis.session_id is not None and active:
            session = Compare("session_id", "$eq", basis.session_id)
            wanted.append(And((Compare("type", "$in", active), Compare("active", "$eq", True), session)))
        page, _ = await self.store.select(user_id, also(basis.selection, Or(tuple(wanted))), order="importance", limit=ALWAYS_LIMIT)
        for memory in page:
            rows.add(memory, RULES)

    async def _place(self, user_id: str, goal: str | None, stands: Standing, met: Met, selection: Selection) -> Place:
        if goal is None:
            return Place()
        below = await self.walker.descend(user_id, [goal], selection)
        met.add(below)
        return Place(goal, frozenset(stands.goals(goal)), frozenset({goal, *below.memories}))

    def _meant(self, basis: Basis, place: Place, stands: Standing, met: Met) -> bool:
        """Whether this goal is asked about, not tasks of a status in general: by a word in common, or by a clear lead over the others."""
        words = {word for id_ in place.branch | place.line for word in search_tokens(met.memories[id_].text)}
        if words.intersection(query_tokens(basis.query)):
            return True
        if basis.plan.status:
            return False
        others = [share for one, share in stands.strength.items() if one not in place.branch and one not in place.line]
        return place.goal is not None and stands.strength.get(place.goal, 0.0) >= 1.5 * max(others, default=0.0)

    def _listed(self, rows: Rows, basis: Basis) -> None:
        """Every task of the asked types and status."""
        for hit in basis.hits:
            if hit.memory.type in basis.plan.types and hit.memory.properties.get("status") in basis.plan.status:
                rows.add(hit.memory, HIT, hit=hit)

    def _chain(self, rows: Rows, place: Place, met: Met) -> None:
        """The goal's whole branch in order, below the goals above it and their limits."""
        assert place.goal is not None  # noqa: S101 — the caller has looked
        for memory, depth in told(build(place.goal, met.memories, met.drawn.values())):
            base = GOAL if memory.id == place.goal else HIT if memory.type in {"Goal", "Constraint"} else CHAIN
            rows.add(memory, base, depth=depth, section="goals")

    def _arrange(self, rows: Rows, place: Place, met: Met) -> None:
        """What was found of the goal's chain, in the order of the chain."""
        if place.goal is None:
            return
        lines = told(build(place.goal, met.memories, met.drawn.values()))
        ordered = {
            memory.id: replace(rows.items[memory.id], depth=min(depth, 2))
            for memory, depth in lines
            if memory.id in rows.items and rows.items[memory.id].section == "goals"
        }
        rows.items = ordered | {id_: item for id_, item in rows.items.items() if id_ not in ordered}

    def _hits(self, rows: Rows, basis: Basis, kind: Kind, where: tuple[Place, Standing]) -> list[str]:
        """The hits that stay beside the chain; their ids, best first."""
        place, stands = where
        fits = relevance(basis.ranked, frozenset()) if kind in {"claim", "history"} else rows.relevant
        kept = []
        for hit in basis.hits:
            id_ = hit.memory.id
            share = fits.get(id_, 1.0 if hit.scope else 0.0)
            if id_ in rows.items:
                rows.items[id_] = replace(rows.items[id_], recollection=hit)
            elif stays(hit.memory, share, kind, place, stands):
                rows.add(hit.memory, CHAIN - 1 if kind == "task" else HIT, hit=hit)
                for heir in hit.outdated_by:
                    rows.add(heir, HIT + share)
            else:
                continue
            kept.append(id_)
        return kept

    def _above(self, rows: Rows, kept: Sequence[str], stands: Standing, met: Met) -> None:
        """The goals that the best hits belong to, as headings."""
        goals = [goal for id_ in kept[:3] for goal in reversed(stands.goals(id_))]
        for depth, goal in enumerate(dict.fromkeys(goals)):
            rows.add(met.memories[goal], CHAIN, depth=min(depth, 2), section="goals")

    async def _causes(self, user_id: str, rows: Rows, kept: Sequence[str], where: tuple[Place, Selection]) -> None:
        """What led to the events that were found and what came of them, as far as it is of the same goal or of none."""
        place, selection = where
        shown = {id_: rows.items[id_].memory for id_ in kept}
        events = first_of(kept, rows.relevant, shown, frozenset({"Event"}))[:3] or list(kept[:3])
        met = await self.walker.reach(user_id, events, ["CAUSES"], selection, hops=2)
        met.add(await self.walker.reach(user_id, events, ["FOLLOWS"], selection))
        fresh = [memory for memory in met.memories.values() if memory.id not in rows.items and memory.type != "Episode"]
        above = await self.walker.climb(user_id, fresh, selection)
        for memory in fresh:
            goals = {one.target_id for one in above.hierarchy.parents.get(memory.id, ())}
            if not goals or goals & (place.branch | place.line):
                rows.add(memory, HIT)
        events = [id_ for id_, item in rows.items.items() if item.memory.type == "Event"]
        self._sort(rows, events)

    async def _versions(self, user_id: str, rows: Rows, kept: Sequence[str], basis: Basis) -> None:
        """Every version of the claims that were found, oldest first."""
        keys = list(dict.fromkeys(key for id_ in kept if (key := rows.items[id_].memory.key)))
        claims, _ = await self.store.claims(user_id, keys) if keys else ([], [])
        selection = replace(basis.selection, states=frozenset({"current", "disputed", "superseded"}))
        older = await self.walker.reach(user_id, kept, self.walker.named(history=True), selection, hops=HISTORY)
        found = {memory.id: memory for memory in (*claims, *older.memories.values())}
        versions = [memory for memory in found.values() if memory.stored_state in {"current", "disputed", "superseded"}][:VERSIONS]
        for memory in versions:
            rows.add(memory, HIT)
        self._sort(rows, [memory.id for memory in versions])

    def _sort(self, rows: Rows, ids: Iterable[str]) -> None:
        """Put these in order of time, where the first of them stands."""
        wanted = set(ids)
        ordered = sorted(
            (rows.items[id_] for id_ in wanted), key=lambda item: (moment_of(item.memory) or FAR_PAST, order_key(item.memory)[-1])
        )
        places = iter(ordered)
        rows.items = {item.memory.id: item for item in (next(places) if id_ in wanted else one for id_, one in rows.items.items())}

    # ── what travels along ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _pairs(self, user_id: str, rows: Rows, selection: Selection) -> dict[str, str]:
        """Put every disputed memory next to its counterpart; returns the question of each pair by its unit."""
        ids = [id_ for id_, item in rows.items.items() if item.memory.type != "Episode"]
        met = await self.walker.reach(user_id, ids, self.walker.named(always=True), selection)
        questions: dict[str, str] = {}
        for drawn in sorted(met.drawn.values(), key=lambda one: one.id):
            ends = (drawn.source_id, drawn.target_id)
            known = met.memories | {id_: rows.items[id_].memory for id_ in ends if id_ in rows.items}
            if not known.keys() >= set(ends) or not rows.items.keys() & set(ends):
                continue
            self._pair(rows, [known[id_] for id_ in ends], drawn, questions)
        return questions

    def _pair(self, rows: Rows, sides: Sequence[MemoryRecord], drawn: Relationship, questions: dict[str, str]) -> None:
        first = next(id_ for id_ in rows.items if id_ in {side.id for side in sides})
        one, other = sides if sides[0].id == first else (sides[1], sides[0])
        rows.beside(one.id, other)
        unit = rows.items[one.id].unit or drawn.id
        questions[unit] = str(drawn.properties.get("question") or ask(self.ontology, [one, other]))
        priority = max(rows.items[one.id].priority, rows.items[other.id].priority)
        for here, there in ((one, other), (other, one)):
            item = rows.items[here.id]
            known = [old for old in item.recollection.disputed_with if old.id != there.id]
            found = replace(item.recollection, disputed_with=(*known, there))
            against = item.against or here is other
            rows.items[here.id] = replace(item, recollection=found, unit=unit, priority=priority, against=against)

    async def _told_before(self, user_id: str, rows: Rows, basis: Basis) -> None:
        """Name the value that each shown claim took the place of."""
        ids = [id_ for id_, item in rows.items.items() if item.memory.key is not None and item.memory.state not in OVER]
        near = await self.walker.hop(user_id, ids, self.walker.named(history=True), basis.selection.as_of)
        older = {one.other: one.start for one in near if one.relationship.source_id == one.start and one.other not in rows.items}
        for memory in await self.store.memories(user_id, list(older)) if older else ():
            item = rows.items[older[memory.id]]
            if memory.stored_state == "superseded" and memory.key == item.memory.key and memory.value != item.memory.value:
                rows.items[item.memory.id] = replace(item, was=(*item.was, answer(self.ontology, memory)))

    async def _cited(self, user_id: str, rows: Rows) -> None:
        """The turns that chain members come from."""
        bare = [id_ for id_, item in rows.items.items() if not item.recollection.citations and item.memory.type != "Episode"]
        near = await self.walker.hop(user_id, bare, self.walker.named(provenance=True))
        sources: dict[str, list[str]] = {}
        for one in near:
            if one.relationship.source_id == one.start:
                sources.setdefault(one.start, []).append(one.other)
        turns = {turn.id: turn for turn in await self.store.memories(user_id, sorted({id_ for ids in sources.values() for id_ in ids}))}
        for id_, ids in sources.items():
            item, cited = rows.items[id_], tuple(citation(turns[one]) for one in ids if one in turns and turns[one].type == "Episode")
            rows.items[id_] = replace(item, recollection=replace(item.recollection, citations=cited))


def softened(planned: Planned) -> Planned:
    """The plan as a weight only: a context takes in what belongs to the answer, whatever its type."""
    held = {name: min(share, HARD - 0.01) if name in {"types", "status"} else share for name, share in planned.plan.confidence.items()}
    return replace(planned, plan=replace(planned.plan, confidence=held))


def also(selection: Selection, part: Filter) -> Selection:
    return replace(selection, where=part if selection.where is None else And((selection.where, part)))


def citation(turn: MemoryRecord) -> Citation:
    return Citation(turn.id, turn.text, turn.speaker, turn.said_at, turn.session_id, turn.metadata)
