"""The last steps of a recall: copies collapse, what is outdated stands after what is current, disputes travel in pairs, chains come along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from graphmem.core.expansion import FAINT, Reached, advance, entries, moved_before, placed, worth
from graphmem.core.focus import Kind, kind_of, relevance
from graphmem.core.gain import choose, near_copies
from graphmem.core.ranking import Ranked
from graphmem.core.tokens import search_tokens
from graphmem.model import MemoryRecord, QueryPlan, Recollection
from graphmem.ontology import Ontology
from graphmem.ports import Selection, Store
from graphmem.recall_chain import Walker, whole
from graphmem.recall_context import OVER, citation
from graphmem.writing_outdated import outdated_by

TOP = 5
"""Hits that bring their chains."""
DEPTH = 6
SHARE = 0.3
"""Most of the places that chains may take from hits, where the question is one about how something stands, why, or since when."""
TRADE = 0.5


@dataclass(frozen=True, slots=True)
class Basis:
    """What the ranking gave, and what the caller asked for."""

    plan: QueryPlan
    ranked: Sequence[Ranked]
    memories: Mapping[str, MemoryRecord]
    sources: Mapping[str, Sequence[str]]
    """Typed memory → the turns that it came from."""
    selection: Selection
    limit: int
    session_id: str | None = None
    expand: bool = True


@dataclass(slots=True)
class Notes:
    """What happened on the way, for the trace."""

    hops: list[tuple[str, str, str]] = field(default_factory=list)
    removed: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finisher:
    store: Store
    ontology: Ontology

    @property
    def walker(self) -> Walker:
        return Walker(self.store, self.ontology)

    async def finished(self, user_id: str, items: Sequence[Recollection], basis: Basis, notes: Notes) -> list[Recollection]:
        tasks = frozenset(name for name, kind in self.ontology.types.items() if kind.open_status)
        kind = kind_of(basis.plan, tasks)
        chosen = collapsed(items)
        notes.removed["near-copies"] = len(items) - len(chosen)
        if basis.session_id is not None and kind != "claim":
            chosen = await self._gaining(user_id, chosen, basis)
        notes.removed["limit"] = max(0, len(chosen) - basis.limit)
        chosen = chosen[: basis.limit]
        chosen = await self._current_first(user_id, chosen, basis)
        if basis.expand:
            chosen = await self._expanded(user_id, chosen, basis, (kind, notes))
        chosen = await self._in_pairs(user_id, chosen, basis, notes)
        return chosen[: basis.limit]

    async def _gaining(self, user_id: str, items: Sequence[Recollection], basis: Basis) -> list[Recollection]:
        """What adds most to the session's working memory and to what was chosen before it."""
        held = [one.memory_id for one in await self.store.working_items(user_id, basis.session_id or "")]
        if not held or len(items) < 2:
            return list(items)
        vectors: dict[str, np.ndarray] = {}
        for passage in await self.store.passages(user_id, [*held, *(one.memory.id for one in items)], tokens=False):
            if passage.vector is not None:
                vectors.setdefault(passage.memory_id, passage.vector)
        if not vectors:
            return list(items)
        blank = np.zeros_like(next(iter(vectors.values())))
        own = np.stack([vectors.get(one.memory.id, blank) for one in items])
        there = [vectors[id_] for id_ in held if id_ in vectors]
        near = np.stack(there) if there else np.zeros((0, own.shape[1]), dtype=np.float32)
        return [items[i] for i in choose(np.array([one.score for one in items]), own, near, len(items), TRADE)]

    # ── what is outdated ────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _current_first(self, user_id: str, items: Sequence[Recollection], basis: Basis) -> list[Recollection]:
        """A turn whose every claim has been replaced says so and stands after what took its place, which is brought in where it is missing."""
        turns = [one.memory.id for one in items if one.memory.type == "Episode"]
        at, as_of = basis.selection.at, basis.selection.as_of
        heirs = await outdated_by(self.store, user_id, turns, at) if turns else {}
        known = {
            turn: tuple(one for one in found if as_of is None or one.recorded_at is None or one.recorded_at <= as_of)
            for turn, found in heirs.items()
        }
        heirs = {turn: found for turn, found in known.items() if found}
        if not heirs:
            return list(items)
        ids = list(dict.fromkeys(heir.id for found in heirs.values() for heir in found))
        stated = await self._stated(user_id, ids)
        ordered = [replace(one, outdated_by=heirs.get(one.memory.id, ())) for one in items]
        for turn, found in heirs.items():
            place = next(i for i, one in enumerate(ordered) if one.memory.id == turn)
            brought = [self._standing_for(heir, ordered, stated, ordered[place]) for heir in found]
            ahead = {one.memory.id for one in ordered[:place]}
            late = {one.memory.id: one for one in brought if one.memory.id not in ahead}
            ordered = moved_before(ordered, place, list(late.values()))
        return ordered

    def _standing_for(
        self, heir: MemoryRecord, items: Sequence[Recollection], stated: Mapping[str, Sequence[MemoryRecord]], stale: Recollection
    ) -> Recollection:
        """The item that shows this memory: itself or a turn that states it and is not outdated, else a new one in the place of the stale turn."""
        turns = {turn.id for turn in stated.get(heir.id, ())}
        for one in items:
            if one.memory.id == heir.id or (one.memory.id in turns and not one.outdated_by):
                return raised(one, stale.score, "replaces")
        return Recollection(heir, stale.score, {"replaces": stale.score}, citations=tuple(map(citation, stated.get(heir.id, ()))))

    async def _stated(self, user_id: str, ids: Sequence[str]) -> dict[str, list[MemoryRecord]]:
        near = await self.walker.hop(user_id, ids, self.walker.named(provenance=True))
        sources = [(one.start, one.other) for one in near if one.relationship.source_id == one.start]
        turns = {turn.id: turn for turn in await self.store.memories(user_id, sorted({turn for _, turn in sources}))} if sources else {}
        found: dict[str, list[MemoryRecord]] = {}
        for id_, turn in sources:
            if turn in turns and turns[turn].type == "Episode":
                found.setdefault(id_, []).append(turns[turn])
        return found

    # ── what is disputed ────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _in_pairs(self, user_id: str, items: Sequence[Recollection], basis: Basis, notes: Notes) -> list[Recollection]:
        """Every memory that another one contradicts says so, and is followed by it; a turn speaks for the disputed memory learned from it."""
        owners: dict[str, str] = {one.memory.id: one.memory.id for one in items if one.memory.type != "Episode"}
        turns = {one.memory.id for one in items if one.memory.type == "Episode"}
        for typed, came_from in basis.sources.items():
            turn = next((id_ for id_ in came_from if id_ in turns), None)
            if turn is not None and basis.memories[typed].state == "disputed":
                owners.setdefault(typed, turn)
        met = await self.walker.reach(user_id, list(owners), self.walker.named(always=True), whole(basis.selection))
        ordered = list(items)
        for drawn in sorted(met.drawn.values(), key=lambda one: one.id):
            for here, there in ((drawn.source_id, drawn.target_id), (drawn.target_id, drawn.source_id)):
                other = met.memories.get(there) or next((one.memory for one in ordered if one.memory.id == there), None)
                if here in owners and other is not None and (there not in owners or owners[there] != owners[here]):
                    ordered = _paired(ordered, owners[here], other, owners.get(there, there))
            notes.hops.append((drawn.source_id, drawn.type, drawn.target_id))
        return ordered

    # ── chains ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _expanded(self, user_id: str, items: Sequence[Recollection], basis: Basis, how: tuple[Kind, Notes]) -> list[Recollection]:
        """What the best typed hits lead to along the relationships of the ontology, below them."""
        kind, notes = how
        share = SHARE if kind in {"task", "cause", "history"} else 0.0
        start = [one.memory.id for one in items[:TOP] if one.memory.type != "Episode" and one.scope is None]
        if not start or (share == 0.0 and len(items) >= basis.limit):
            return list(items)
        reached, memories = await self._walk(user_id, start, basis)
        relevant, scores = relevance(basis.ranked), {one.memory.id: one.score for one in items}
        bottom = min(scores.values())
        held = set(scores)
        expanded = []
        for one in reached:
            value = worth(one, relevant)
            if one.id in held or value < FAINT:
                continue
            score = min(bottom, scores[one.entry]) - (1 - value)
            expanded.append(Recollection(memories[one.id], score, {"path": score}, path=one.path))
        shown = placed(items, expanded, basis.limit, share)
        notes.hops += [(one.source_id, one.type, one.target_id) for item in shown for one in item.path]
        return shown

    async def _walk(self, user_id: str, start: Sequence[str], basis: Basis) -> tuple[list[Reached], dict[str, MemoryRecord]]:
        kinds = {
            name: kind
            for name, kind in self.ontology.relationships.items()
            if not (kind.entity or kind.provenance or kind.always) and (basis.plan.history or not kind.history)
        }
        selection = whole(basis.selection)
        if basis.plan.history:
            selection = replace(selection, states=selection.states | OVER)
        frontier, memories = entries(start), {id_: basis.memories[id_] for id_ in start if id_ in basis.memories}
        seen, found = frozenset(start), list[Reached]()
        for _ in range(DEPTH):
            near = await self.walker.hop(user_id, list(frontier), list(kinds), selection.as_of)
            fresh = list(dict.fromkeys(one.other for one in near if one.other not in seen))
            met = await self.store.memories(user_id, fresh, selection) if fresh else []
            memories |= {memory.id: memory for memory in met if memory.type != "Episode"}
            frontier = advance(frontier, near, memories, kinds, seen)
            if not frontier:
                break
            seen |= frontier.keys()
            found += frontier.values()
        return found, memories


def collapsed(items: Sequence[Recollection]) -> list[Recollection]:
    """Near-copies of one type and speaker in one place, that of the best, with the citations of all."""
    copies = near_copies([search_tokens(one.memory.text) for one in items])
    joined: dict[int, list[Recollection]] = {}
    for i, twin in copies.items():
        one, best = items[i].memory, items[twin].memory
        if (one.type, one.speaker, one.key) == (best.type, best.speaker, best.key) and one.type != "Event":
            joined.setdefault(twin, []).append(items[i])
    gone = {id(one) for found in joined.values() for one in found}
    return [
        replace(
            one,
            citations=tuple(
                {c.episode_id: c for c in (*one.citations, *(c for twin in joined.get(i, ()) for c in twin.citations))}.values()
            ),
        )
        for i, one in enumerate(items)
        if id(one) not in gone
    ]


def raised(item: Recollection, score: float, why: str) -> Recollection:
    """The item with at least this score, and the difference as a part of it."""
    return replace(item, score=score, reasons={**item.reasons, why: score - item.score}) if score > item.score else item


def _paired(items: Sequence[Recollection], here: str, other: MemoryRecord, shown_as: str) -> list[Recollection]:
    """The items with this one marked, and what contradicts it right after it."""
    ordered = list(items)
    place = next(i for i, one in enumerate(ordered) if one.memory.id == here)
    mine = ordered[place]
    if all(one.id != other.id for one in mine.disputed_with):
        ordered[place] = replace(mine, disputed_with=(*mine.disputed_with, other))
    there = next((i for i, one in enumerate(ordered) if one.memory.id == shown_as), None)
    if there is None:
        ordered.insert(place + 1, Recollection(other, mine.score, {"disputes": mine.score}, disputed_with=(mine.memory,)))
    elif there > place + 1:
        ordered.insert(place + 1, raised(ordered.pop(there), mine.score, "disputes"))
    return ordered
