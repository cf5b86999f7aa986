"""Erasing for good: what falls with a memory, how what stays is made whole round the gap, and the proof that nothing is left."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graphmem.core.identity import content_id
from graphmem.core.tombstones import KEPT, NOTE, stones
from graphmem.errors import InvalidInput, NotFound, StoreError
from graphmem.filters import Compare, Filter
from graphmem.model import STATES, DeletionReport, Entity, MemoryRecord, Relationship, Statement
from graphmem.ontology import Ontology
from graphmem.ports import ChangeSet, Clock, Selection, Store
from graphmem.text import fold_name
from graphmem.writing import NAMERS, Writer
from graphmem.writing_batch import CONTRADICTS, ODDS, OPPOSED, SUPERSEDES, Batch, weighed
from graphmem.writing_links import uncontradict

ALL, PAGE, AROUND = 1_000_000, 256, 1000
SOURCES_OF, BRIDGED = ("DERIVED_FROM", "SUMMARIZES", "SUPPORTS"), (SUPERSEDES, "FOLLOWS")
FORGOTTEN = "forgotten"
"""Note: when which ids were erased, for the feed of changes."""
FEED = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be forgotten: exactly one of ids, where, session_id and everything; and how far."""

    ids: Sequence[str] | None = None
    where: Filter | None = None
    session_id: str | None = None
    everything: bool = False
    with_sources: bool = False
    tombstones: bool = False
    compact: bool = False
    reason: str = ""


@dataclass(slots=True)
class Doom:
    """What falls, by id, and the episodes that still say it."""

    memories: dict[str, MemoryRecord] = field(default_factory=dict)
    remaining: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Eraser:
    """Forgets in any scope of one store."""

    store: Store
    writer: Writer
    ontology: Ontology
    clock: Clock

    async def forget(self, user_id: str, wish: Wish) -> DeletionReport:
        given = (wish.ids is not None) + (wish.where is not None) + (wish.session_id is not None) + wish.everything
        if given != 1:
            raise InvalidInput("forget takes an id, a filter, a session or everything=True: exactly one of them")
        report = await (self._scope(user_id, wish) if wish.everything else self._some(user_id, wish))
        if wish.compact:
            await self.store.compact()
        return report

    async def _scope(self, user_id: str, wish: Wish) -> DeletionReport:
        salt, made = await self._buried(user_id) if wish.tombstones else ("", [])
        if wish.tombstones:
            made += [stone async for memory in self._matching(user_id, None) for stone in stones(salt, memory)]
        counts = dict(await self.store.erase(user_id, None, self.clock.now()))
        await self._prove(user_id, None)
        if made:
            counts["tombstones"] = await self._bury(user_id, salt, made)
        return DeletionReport(counts, 0, (), wish.reason)

    async def _some(self, user_id: str, wish: Wish) -> DeletionReport:
        found = await self._wanted(user_id, wish)
        doom = await self.doomed(user_id, found, with_sources=wish.with_sources)
        counts: dict[str, int] = {}
        if doom.memories:
            counts = await self.erase(user_id, doom.memories)
            if wish.tombstones:
                salt, kept = await self._buried(user_id)
                made = [stone for memory in doom.memories.values() for stone in stones(salt, memory)]
                counts["tombstones"] = await self._bury(user_id, salt, [*kept, *made])
        if wish.session_id is not None:
            await self.store.set_working_items(user_id, wish.session_id, [])
        return DeletionReport(counts, 0, tuple(sorted(doom.remaining)), wish.reason)

    async def _wanted(self, user_id: str, wish: Wish) -> list[MemoryRecord]:
        if wish.ids is not None:
            found = await self.store.memories(user_id, list(dict.fromkeys(wish.ids)))
            if missing := [one for one in wish.ids if one not in {memory.id for memory in found}]:
                raise NotFound("memory", missing[0])
            return found
        where = wish.where if wish.session_id is None else Compare("session_id", "$eq", wish.session_id)
        return [memory async for memory in self._matching(user_id, where)]

    async def _matching(self, user_id: str, where: Filter | None) -> AsyncIterator[MemoryRecord]:
        selection = Selection(at=self.clock.now(), states=frozenset(STATES), where=where)
        found, after = await self.store.select(user_id, selection, order="id", limit=PAGE)
        while True:
            for memory in found:
                yield memory
            if after is None:
                return
            found, after = await self.store.select(user_id, selection, order="id", limit=PAGE, after=after)

    async def erase(self, user_id: str, memories: Mapping[str, MemoryRecord]) -> dict[str, int]:
        """Make whole what stays, then erase these and prove that no row speaks of them."""
        ids = sorted(memories)
        await self.writer.retrying(lambda: self._heal(user_id, memories))
        await self._drop_notes(user_id, memories)
        counts = dict(await self.store.erase(user_id, ids, self.clock.now()))
        await self._rename(user_id, memories)
        await self._prove(user_id, ids)
        feed = await self.store.note(user_id, FORGOTTEN)
        told = [{"id": one, "at": self.clock.now().isoformat()} for one in ids]
        await self.store.set_note(user_id, FORGOTTEN, {"ids": [*(feed or {}).get("ids", ()), *told][-FEED:]})
        return counts

    async def _prove(self, user_id: str, ids: Sequence[str] | None) -> None:
        if left := await self.store.residue(user_id, ids):
            raise StoreError(f"{left} rows still speak of what was to be forgotten; run `graphmem doctor --deep` and forget again")

    # ── what falls ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def doomed(self, user_id: str, found: Sequence[MemoryRecord], *, with_sources: bool) -> Doom:
        """Everything that falls with these memories, and the episodes that still state it."""
        doom = Doom()
        frontier = {memory.id: memory for memory in found}
        while frontier:
            doom.memories |= frontier
            frontier = await self._falling(user_id, doom.memories, frontier)
            if not frontier:
                doom.remaining = await self._saying(user_id, doom.memories)
                if with_sources and doom.remaining:
                    frontier = {one.id: one for one in await self.store.memories(user_id, sorted(doom.remaining))}
        return doom

    async def _falling(
        self, user_id: str, doomed: Mapping[str, MemoryRecord], frontier: Mapping[str, MemoryRecord]
    ) -> dict[str, MemoryRecord]:
        """Those that rest on the frontier alone: learned from it, summing it up, inferred from it, or merged into it."""
        near = await self.store.relationships(user_id, list(frontier), SOURCES_OF, limit=ALL)
        resting = {one.other for one in near if _rests(one.relationship) == one.other} - doomed.keys()
        shadows = await self._shadows(user_id, frontier) - doomed.keys()
        fresh = {one.id: one for one in await self.store.memories(user_id, sorted(resting | shadows))} if resting | shadows else {}
        drawn = await self.store.relationships(user_id, sorted(resting), SOURCES_OF, limit=ALL) if resting else []
        said = await self.store.statements(user_id, sorted(resting)) if resting else []
        grounds = [one.relationship for one in drawn if _rests(one.relationship) == one.start]
        return {one: memory for one, memory in fresh.items() if one in shadows or _falls(memory, grounds, said, doomed)}

    async def _shadows(self, user_id: str, frontier: Mapping[str, MemoryRecord]) -> set[str]:
        """Memories that once stood for the same value and were merged into one of these."""
        keyed = [one for one, memory in frontier.items() if memory.key is not None and memory.value is not None]
        found: set[str] = set()
        for start in range(0, len(keyed), PAGE):
            batch = await self.writer.opened(user_id, keyed[start : start + PAGE])
            standing = {segment.memory_id for segments in batch.segments.values() for segment in segments}
            pairs = {(frontier[one].key, frontier[one].value) for one in keyed[start : start + PAGE]}
            found |= {
                one.id
                for one in batch.records.values()
                if (one.key, one.value) in pairs and one.id not in standing and one.stored_state == "superseded"
            }
        return found

    async def _saying(self, user_id: str, doomed: Mapping[str, MemoryRecord]) -> set[str]:
        learned = [one for one, memory in doomed.items() if memory.type != "Episode"]
        if not learned:
            return set()
        drawn = await self.store.relationships(user_id, learned, ["DERIVED_FROM"], limit=ALL)
        sources = {one.relationship.target_id for one in drawn if one.relationship.source_id == one.start}
        sources |= {one.episode_id for one in await self.store.statements(user_id, learned) if one.episode_id}
        turns = await self.store.memories(user_id, sorted(sources - doomed.keys()))
        return {one.id for one in turns if one.type == "Episode"}

    # ── what stays ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _heal(self, user_id: str, doomed: Mapping[str, MemoryRecord]) -> None:
        """One change set: claims keep the state that they had, disputes end, evidence is taken back, chains close over the gap."""
        keyed = [one for one, memory in doomed.items() if memory.key is not None and memory.value is not None]
        batch = await self.writer.opened(user_id, keyed)
        near = await self.store.relationships(user_id, list(doomed), [*BRIDGED, CONTRADICTS, "SUPPORTS"], limit=ALL)
        drawn = list({one.relationship.id: one.relationship for one in near}.values())
        staying = {end for one in drawn for end in (one.source_id, one.target_id)} - doomed.keys()
        batch.know(await self.store.memories(user_id, sorted(staying)) if staying else ())
        touched = {end for one in drawn if one.type in {CONTRADICTS, "SUPPORTS"} for end in (one.source_id, one.target_id)} - doomed.keys()
        await self.writer.open_keys(batch, [key for one in touched & batch.records.keys() if (key := batch.records[one].key) is not None])
        for key in list(batch.initial):
            heal_claims(batch, key, doomed)
        for one in drawn:
            _let_go(batch, one, doomed)
        for type_ in BRIDGED:
            for newer, older in bridges([one for one in drawn if one.type == type_], doomed):
                batch.relate(newer, type_, older, {}, batch.now)
        batch.know(doomed.values())
        await self.writer.commit(batch)

    async def _drop_notes(self, user_id: str, doomed: Mapping[str, MemoryRecord]) -> None:
        """Notes about settled disputes of these memories, whose reasons may tell what they said."""
        moments: dict[datetime, list[str]] = {}
        for belief in await self.store.beliefs(user_id, list(doomed)):
            if belief.superseded_at is not None:
                moments.setdefault(belief.superseded_at - timedelta(microseconds=1), []).append(belief.memory_id)
        conflicts: set[str] = set()
        for moment, ids in moments.items():
            near = await self.store.relationships(user_id, ids, [CONTRADICTS], limit=ALL, as_of=moment)
            conflicts |= {one.relationship.id for one in near}
        for one in conflicts:
            await self.store.set_note(user_id, f"resolved:{one}", None)
        for action in {str(one.metadata["upkeep"]) for one in doomed.values() if "upkeep" in one.metadata}:
            await self.store.set_note(user_id, f"undo:{action}", None)

    async def _rename(self, user_id: str, gone: Mapping[str, MemoryRecord]) -> None:
        """Entities that stay lose the names under which only erased memories knew them."""
        named: dict[str, set[str]] = {}
        for memory in gone.values():
            alias = str(memory.properties.get("object", "")) if memory.properties.get("relation") in NAMERS else ""
            for ref in memory.refs:
                named.setdefault(ref.id, set()).update(fold_name(name) for name in (ref.name, alias) if name)
        changed = []
        for entity in await self.store.entities_by_id(user_id, sorted(named)):
            if {fold_name(name) for name in (entity.name, *entity.aliases)} & named[entity.id]:
                about = await self.store.about(user_id, [entity.id], self._everything(), AROUND)
                changed += _without(entity, named[entity.id], await self.store.memories(user_id, about))
        if changed:
            await self.store.commit(ChangeSet(user_id=user_id, now=self.clock.now(), entities=tuple(changed)))

    def _everything(self) -> Selection:
        return Selection(at=self.clock.now(), states=frozenset(STATES))

    # ── tombstones ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _buried(self, user_id: str) -> tuple[str, list[str]]:
        """The scope's salt (a new one where there is none) and its tombstones."""
        kept = await self.store.note(user_id, NOTE) or {}
        return str(kept.get("salt") or secrets.token_hex(16)), list(kept.get("stones", ()))

    async def _bury(self, user_id: str, salt: str, made: Sequence[str]) -> int:
        """Keep keyed hashes of what was erased, so that an import can tell that it is not wanted; no content."""
        kept = list(dict.fromkeys(made))[-KEPT:]
        await self.store.set_note(user_id, NOTE, {"salt": salt, "stones": kept})
        return len(kept)


def _rests(one: Relationship) -> str:
    """Which end rests on the other."""
    return one.target_id if one.type == "SUPPORTS" else one.source_id


def _falls(memory: MemoryRecord, grounds: Sequence[Relationship], said: Sequence[Statement], doomed: Mapping[str, MemoryRecord]) -> bool:
    """A summary or an inference falls with any of what it rests on, anything else when nothing else states it."""
    mine = [one for one in grounds if _rests(one) == memory.id]
    if any(one.type == "SUMMARIZES" and one.target_id in doomed for one in mine):
        return True
    if memory.source == "inferred" and any(one.type == "SUPPORTS" and one.source_id in doomed for one in mine):
        return True
    sources = [one.target_id for one in mine if one.type == "DERIVED_FROM"]
    own = [one for one in said if one.memory_id == memory.id and one.retracted_at is None]
    return bool(sources) and all(one in doomed for one in sources) and all(one.episode_id in doomed for one in own)


def heal_claims(batch: Batch, key: str, doomed: Mapping[str, MemoryRecord]) -> None:
    """Withdraw what is said of the doomed under a key, and pin what had been superseded or had never held as it was: forgetting is no retraction."""
    said = {one for segment in batch.segments[key] if segment.memory_id in doomed for one in segment.statements}
    live = [one for one in batch.ledgers[key].statements if one.retracted_at is None]
    said = {one.id for one in live if one.memory_id in doomed or one.id in said}
    if not said:
        return
    type_ = next((one.type for one in batch.records.values() if one.key == key), "Fact")
    batch.retract(key, said, type_)
    for known in [one for one in batch.found.values() if one.key == key and one.id not in doomed]:
        _pin(batch, key, known)


def _pin(batch: Batch, key: str, old: MemoryRecord) -> None:
    segment = batch.segment(old.id)
    if old.stored_state == "superseded" and (segment is None or (segment.stored_state, segment.valid_to) != ("superseded", old.valid_to)):
        later = [one.id for one in batch.ledgers[key].statements if one.value == old.value and one.memory_id != old.id]
        end = old.valid_to or old.valid_from or batch.now
        pinned = Statement(
            id=content_id("end", batch.user_id, "gap", old.id, batch.now),
            user_id=batch.user_id,
            key=key,
            value=old.value or "",
            memory_id=old.id,
            act="end",
            valid_from=end,
            source=old.source,
            confidence=old.confidence,
            recorded_at=batch.now,
            properties={"spares": later},
        )
        batch.append(pinned, old.type)
    elif old.stored_state == "invalid" and segment is not None:
        batch.retract(key, segment.statements, old.type)


def _let_go(batch: Batch, drawn: Relationship, doomed: Mapping[str, MemoryRecord]) -> None:
    """What a relationship to a doomed memory did to the one that stays: a dispute ends, evidence no longer counts."""
    for stays, goes in ((drawn.source_id, drawn.target_id), (drawn.target_id, drawn.source_id)):
        if stays in doomed or goes not in doomed or stays not in batch.records:
            continue
        record = batch.records[stays]
        if drawn.type == CONTRADICTS and (record.metadata.get(OPPOSED) or record.key not in batch.ledgers):
            uncontradict(batch, stays, drawn.id)
        evidence = batch.ontology.relationships[drawn.type].evidence
        if evidence and stays == drawn.target_id and ODDS in record.metadata:
            factor = (1 + doomed[goes].confidence) ** -evidence
            odds = round(record.metadata[ODDS] * factor, 6)
            record = batch.records[stays]
            batch.put(replace(record, metadata={**record.metadata, ODDS: odds}, confidence=weighed(record.confidence, factor)), index=False)


def bridges(drawn: Sequence[Relationship], doomed: Mapping[str, MemoryRecord]) -> set[tuple[str, str]]:
    """Pairs that stay and were joined only through what falls: (source before the gap, target after it)."""
    after: dict[str, list[str]] = {}
    for one in drawn:
        after.setdefault(one.source_id, []).append(one.target_id)
    found: set[tuple[str, str]] = set()
    for start in [one for one in after if one not in doomed]:
        frontier, seen = [one for one in after[start] if one in doomed], set[str]()
        while frontier:
            here = frontier.pop()
            if here in seen:
                continue
            seen.add(here)
            found |= {(start, one) for one in after.get(here, ()) if one not in doomed and one != start}
            frontier += [one for one in after.get(here, ()) if one in doomed]
    return found


def _without(entity: Entity, names: set[str], memories: Sequence[MemoryRecord]) -> list[Entity]:
    """The entity without the names that no memory uses any more, where that changes it."""
    used = {fold_name(ref.name): ref.name for memory in memories for ref in memory.refs if ref.id == entity.id}
    used |= {
        fold_name(str(m.properties["object"])): str(m.properties["object"]) for m in memories if m.properties.get("relation") in NAMERS
    }
    lost = {name for name in names if name not in used}
    aliases = tuple(name for name in entity.aliases if fold_name(name) not in lost)
    name = entity.name
    if fold_name(name) in lost and used:
        name = next(iter(used.values()))
        aliases = tuple(one for one in aliases if fold_name(one) != fold_name(name))
    return [replace(entity, name=name, aliases=aliases)] if (name, aliases) != (entity.name, entity.aliases) else []
