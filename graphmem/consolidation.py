"""Consolidation: one pass over a scope says what to merge, put away, sum up and conclude; each step is explained, done by itself and undoable."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.consolidation_census import Census
from graphmem.consolidation_conclusions import Concluder
from graphmem.consolidation_steps import UNDONE, Archive, Hand, Merge, Step, action_of
from graphmem.consolidation_summaries import Summariser
from graphmem.core.duplicates import LARGE, same, words
from graphmem.core.retention import fate
from graphmem.model import ConsolidationAction, ConsolidationReport, MemoryRecord, State
from graphmem.ontology import Ontology, TypeDef
from graphmem.ports import Clock, Selection, Store
from graphmem.temporal import FAR_PAST
from graphmem.writing import Writer

PAGE, ALL = 500, 1_000_000
LIVING: frozenset[State] = frozenset({"current", "disputed", "expired", "upcoming"})
CHAIN = ("SUBTASK_OF", "PART_OF", "DEPENDS_ON")
BELOW = ("SUBTASK_OF", "PART_OF")


@dataclass(frozen=True, slots=True)
class Consolidator:
    """Consolidates any scope of one store."""

    store: Store
    writer: Writer
    ontology: Ontology
    clock: Clock

    async def consolidate(self, user_id: str, *, dry_run: bool = False) -> ConsolidationReport:
        """Says what it did and why; a dry run says the same and does nothing."""
        hand = Hand(self.store, self.writer, self.clock)
        undone = set((await self.store.note(user_id, UNDONE) or {}).get("ids", ()))
        actions: list[ConsolidationAction] = []
        skipped = 0
        async for step in self._plan(user_id, undone):
            action = action_of(user_id, step)
            if action.id in undone:
                continue
            if dry_run or await hand.do(user_id, step, action):
                actions.append(action)
            else:
                skipped += 1
        return ConsolidationReport(tuple(actions), dry_run, skipped)

    async def undo(self, user_id: str, action_id: str) -> list[str]:
        return await Hand(self.store, self.writer, self.clock).undo(user_id, action_id)

    # ── the plan ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _plan(self, user_id: str, undone: set[str]) -> AsyncIterator[Step]:
        """In an order in which no step makes another one necessary, so that a second run finds nothing to do."""
        census, gone = Census(self.ontology), set[str]()
        concluder = Concluder(self.store, self.ontology, self.clock)
        conclusions = await concluder.begin(user_id)
        async for page in self._pages(user_id):
            away = [step for step in await self._putting_away(user_id, page) if action_of(user_id, step).id not in undone]
            fresh = [step for step in away if step.memory.id not in gone]
            gone |= {step.memory.id for step in fresh}
            for memory in page:
                if memory.id not in gone and memory.state != "expired":
                    census.count(memory)
                    conclusions.see(memory)
            here = {memory.id for memory in page}
            for step in fresh:
                if step.memory.id not in here:
                    census.discount(step.memory)
                yield step
        async for merge in self._merges(user_id, census, gone):
            if action_of(user_id, merge).id not in undone:
                gone.add(merge.loser.id)
                census.discount(merge.loser)
                yield merge
        async for conclusion in concluder.steps(conclusions):
            yield conclusion
        async for summary in Summariser(self.store, self.ontology, self.clock).steps(user_id, census, gone):
            yield summary

    async def _pages(self, user_id: str) -> AsyncIterator[list[MemoryRecord]]:
        selection = Selection(at=self.clock.now(), states=LIVING)
        page, after = await self.store.select(user_id, selection, order="id", limit=PAGE)
        while True:
            yield page
            if after is None:
                return
            page, after = await self.store.select(user_id, selection, order="id", limit=PAGE, after=after)

    # ── putting away ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _putting_away(self, user_id: str, page: Sequence[MemoryRecord]) -> list[Archive]:
        now = self.clock.now()
        steps: list[Archive] = []
        closed: list[MemoryRecord] = []
        for memory in page:
            kind = self.ontology.type(memory.type)
            if kind.archive_when == "closed":
                if memory.properties.get("status") in kind.closed_status:
                    closed.append(memory)
                continue
            match fate(memory, kind, now):
                case "expire":
                    steps.append(Archive(memory, f"its stated end has passed ({memory.valid_to:%Y-%m-%d})", expired=True))
                case "archive":
                    steps.append(Archive(memory, f"older than {_span(kind)} and less than half of its weight is left"))
                case "keep":
                    pass
        return steps + (await self._closed(user_id, closed, now) if closed else [])

    async def _closed(self, user_id: str, closed: Sequence[MemoryRecord], now: datetime) -> list[Archive]:
        """Closed tasks whose time has come and on which no open one hangs; the plans and steps of a goal go with it, also open ones."""
        moments = await self._closing_times(user_id, closed)
        kinds = {one.id: self.ontology.type(one.type) for one in closed}
        due = [one for one in closed if fate(one, kinds[one.id], now, moments[one.id]) == "archive"]
        if not due:
            return []
        near = await self.store.relationships(user_id, [one.id for one in due], CHAIN, limit=ALL)
        others = {one.id: one for one in await self.store.memories(user_id, sorted({one.other for one in near}))}
        steps: list[Archive] = []
        for one in due:
            linked = [(hop.relationship, others[hop.other]) for hop in near if hop.start == one.id and hop.other in others]
            parts = {other.id for drawn, other in linked if drawn.type in BELOW and drawn.target_id == one.id and self._is_part(one, other)}
            if any(self._open(other) and other.id not in parts for _, other in linked):
                continue
            steps.append(Archive(one, f"{one.properties.get('status')} more than {_span(kinds[one.id])} ago"))
            steps += await self._parts(user_id, one, [others[id_] for id_ in sorted(parts)])
        return list({step.memory.id: step for step in steps}.values())

    async def _parts(self, user_id: str, goal: MemoryRecord, parts: Sequence[MemoryRecord]) -> list[Archive]:
        """Everything below a closed task that only serves it."""
        found: dict[str, MemoryRecord] = {}
        frontier = list(parts)
        while frontier:
            found |= {one.id: one for one in frontier}
            near = await self.store.relationships(user_id, [one.id for one in frontier], BELOW, limit=ALL)
            below = sorted({hop.other for hop in near if hop.relationship.target_id == hop.start} - found.keys())
            frontier = [one for one in await self.store.memories(user_id, below) if self._is_part(goal, one)] if below else []
        return [
            Archive(one, f"part of a {goal.properties.get('status')} {goal.type.lower()}: {goal.text}")
            for one in found.values()
            if one.stored_state == "current" and not one.pinned
        ]

    def _is_part(self, whole: MemoryRecord, other: MemoryRecord) -> bool:
        """Whether it is a task of a kind that serves another: a plan or step, not a goal of its own."""
        kind = self.ontology.type(other.type)
        return kind.archive_when == "closed" and other.type != "Goal" and whole.id != other.id

    def _open(self, memory: MemoryRecord) -> bool:
        kind = self.ontology.type(memory.type)
        return memory.stored_state in {"current", "disputed"} and memory.properties.get("status") in kind.open_status

    async def _closing_times(self, user_id: str, closed: Sequence[MemoryRecord]) -> dict[str, datetime | None]:
        """Since when each has been closed, by what was believed of it."""
        moments: dict[str, datetime | None] = {one.id: one.recorded_at for one in closed}
        status = {one.id: self.ontology.type(one.type).closed_status for one in closed}
        shut: dict[str, bool] = {}
        for belief in await self.store.beliefs(user_id, list(moments)):
            is_shut = belief.properties.get("status") in status[belief.memory_id]
            if is_shut and not shut.get(belief.memory_id):
                moments[belief.memory_id] = belief.recorded_at
            shut[belief.memory_id] = is_shut
        return moments

    # ── merging ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _merges(self, user_id: str, census: Census, gone: set[str]) -> AsyncIterator[Merge]:
        for mark in sorted(census.twins):
            ids = [one for one in census.twins[mark] if one not in gone]
            members = [one for one in await self.store.memories(user_id, ids) if one.state == "current" and one.valid_to is None]
            members.sort(key=lambda one: (one.recorded_at or FAR_PAST, one.id))
            merged = set[str]()
            for position, keeper in enumerate(members):
                for loser in members[position + 1 :] if keeper.id not in merged else ():
                    alike = same(keeper, loser) if len(members) <= LARGE else words(keeper.text) == words(loser.text)
                    if loser.id in merged or loser.pinned or not alike:
                        continue
                    sources = await self._sources(user_id, keeper, loser)
                    if sources is not None:
                        merged.add(loser.id)
                        yield Merge(keeper, loser, "says the same, with equal numbers and names", sources)

    async def _sources(self, user_id: str, keeper: MemoryRecord, loser: MemoryRecord) -> tuple[str, ...] | None:
        """Sources of the loser that the keeper lacks; None where the loser is tied to something else, which a merge would cut off."""
        near = await self.store.relationships(user_id, [keeper.id, loser.id], None, limit=ALL)
        mine = {hop.other for hop in near if hop.start == keeper.id and hop.relationship.type == "DERIVED_FROM"}
        theirs = {hop.other for hop in near if hop.start == loser.id and hop.relationship.type == "DERIVED_FROM"}
        ties = [hop for hop in near if hop.start == loser.id and hop.relationship.type != "DERIVED_FROM"]
        return None if ties else tuple(sorted(theirs - mine))


def _span(kind: TypeDef) -> str:
    after = kind.archive_after
    if after is None:
        return "its time"
    return f"{after.days} days" if after.days > 1 else f"{int(after.total_seconds() // 3600)} hours"
