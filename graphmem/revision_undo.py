"""Saying that something never was true, and undoing what was decided."""

from __future__ import annotations

from dataclasses import replace

from graphmem.core.identity import content_id
from graphmem.errors import InvalidInput
from graphmem.model import MemoryRecord, Outcome, Reinforced, Superseded
from graphmem.ports import Store
from graphmem.revision_disputes import note_of
from graphmem.writing import Writer
from graphmem.writing_batch import CONTRADICTS, SUPERSEDES, Batch
from graphmem.writing_links import connect

RETRACTION, FALLEN = "retraction", "premise_retracted"
"""Metadata: why a memory was retracted; which retracted premises a conclusion rests on."""
PUT_AWAY = ("archived_at", "merged_into")
"""Metadata of what upkeep archived; it is over once the memory is restored."""


async def retract(store: Store, writer: Writer, user_id: str, memory_id: str, reason: str) -> Outcome:
    """Make a memory invalid: what it had displaced holds again, and what was concluded from it is marked."""
    batch = await writer.opened(user_id, [memory_id])
    old = batch.records[memory_id]
    if old.stored_state == "invalid":
        raise InvalidInput(f"{memory_id} is retracted already; `restore` undoes that")
    displaced = [
        hop.other for hop in await store.relationships(user_id, [memory_id], [SUPERSEDES]) if hop.relationship.source_id == memory_id
    ]
    batch.know(await store.memories(user_id, displaced))
    await writer.open_keys(batch, [batch.records[one].key or "" for one in displaced if batch.records[one].value is not None])
    back = _withdraw(batch, old, displaced)
    await _mark(store, batch, memory_id)
    record = batch.records[memory_id]
    metadata = {**record.metadata, RETRACTION: reason}
    batch.put(replace(record, metadata=metadata), index=False)
    await writer.commit(batch)
    returned = [batch.records[one].text for one in back if batch.records[one].state == "current"]
    again = f"; it holds again: {'; '.join(returned)}" if returned else ""
    return Superseded(batch.records[memory_id], (), f"retracted: {reason}{again}")


def _withdraw(batch: Batch, old: MemoryRecord, displaced: list[str]) -> list[str]:
    """Close its statements and every end that they gave to others; a memory that claims nothing is marked itself."""
    segment = batch.segment(old.id)
    if segment is None or old.key is None:
        batch.put(replace(old, stored_state="invalid"), index=False)
        said = {content_id("link", batch.user_id, old.id)}
    else:
        said = set(segment.statements)
        batch.retract(old.key, said, old.type)
    for one in displaced:
        other = batch.records[one]
        if other.key in batch.ledgers:
            ends = [s.id for s in batch.ledgers[other.key].statements if s.properties.get("by") in said and s.retracted_at is None]
            if ends:
                batch.retract(other.key, ends, other.type)
        elif other.stored_state == "superseded":
            batch.put(replace(other, stored_state="current", valid_to=None), index=False)
        if other.key != old.key or other.key not in batch.ledgers:
            batch.unrelate(old.id, SUPERSEDES, one)
    return displaced


async def _mark(store: Store, batch: Batch, premise: str) -> None:
    """Mark what rests on it: what it supports, and what was derived or inferred from it."""
    frontier, seen = [premise], {premise}
    while frontier:
        hops = await store.relationships(batch.user_id, frontier, ["SUPPORTS", "DERIVED_FROM"])
        resting = {
            hop.other
            for hop in hops
            if (hop.relationship.type == "SUPPORTS") == (hop.relationship.source_id == hop.start) and hop.other not in seen
        }
        batch.know(await store.memories(batch.user_id, sorted(resting)) if resting else ())
        frontier = []
        for one in sorted(resting):
            memory = batch.records.get(one)
            if memory is None or memory.source != "inferred":
                continue
            fallen = [*dict.fromkeys([*memory.metadata.get(FALLEN, ()), premise])]
            batch.put(replace(memory, metadata={**memory.metadata, FALLEN: fallen}), index=False)
            frontier.append(one)
        seen |= resting


async def restore(store: Store, writer: Writer, user_id: str, wanted: str) -> Outcome:
    """Undo a resolution by the conflict's id; an archive, a retraction or a correction by the memory's."""
    resolved = await store.note(user_id, note_of(wanted))
    if resolved is not None:
        return await _reopen(store, writer, user_id, wanted, resolved["memories"])
    batch = await writer.opened(user_id, [wanted])
    old = batch.records[wanted]
    if old.stored_state not in {"archived", "invalid"}:
        raise InvalidInput(f"{wanted} is {old.state}: there is nothing to restore")
    if old.key is None or old.key not in batch.ledgers:
        batch.put(replace(old, stored_state="superseded" if old.superseded_at else "current", metadata=_plain(old)), index=True)
    elif old.stored_state == "archived":
        segment = batch.segment(wanted)
        batch.put(replace(old, stored_state=segment.stored_state if segment else "current", metadata=_plain(old)), index=True)
    else:
        _restate(batch, old)
        batch.put(replace(old, stored_state="current", metadata=_plain(old)), index=True)
    await writer.commit(batch)
    return Reinforced(batch.records[wanted], "restored")


def _plain(old: MemoryRecord) -> dict[str, object]:
    return {name: value for name, value in old.metadata.items() if name not in {RETRACTION, *PUT_AWAY}}


def _restate(batch: Batch, old: MemoryRecord) -> None:
    """Bring back what was said: retracted statements are said again, verdicts against them are withdrawn."""
    key = old.key or ""
    mine = [one for one in batch.ledgers[key].statements if one.memory_id == old.id]
    ids = {one.id for one in mine}
    against = [
        one.id
        for one in batch.ledgers[key].statements
        if one.retracted_at is None and ids & {*one.properties.get("corrects", ()), *one.properties.get("drops", ())}
    ]
    if against:
        batch.retract(key, against, old.type)
        return
    gone = [one for one in mine if one.retracted_at is not None]
    last = max((one.retracted_at for one in gone if one.retracted_at is not None), default=None)
    for one in gone:
        if one.retracted_at == last:
            again = replace(one, id=content_id("restored", batch.user_id, one.id, batch.now), recorded_at=batch.now, retracted_at=None)
            batch.append(again, old.type)


async def _reopen(store: Store, writer: Writer, user_id: str, conflict_id: str, memories: list[str]) -> Outcome:
    batch = await writer.opened(user_id, memories)
    for key in dict.fromkeys(batch.records[one].key for one in memories):
        if key in batch.ledgers:
            type_ = batch.records[memories[0]].type
            told = [s for s in batch.ledgers[key].statements if s.properties.get("conflict") == conflict_id and s.retracted_at is None]
            batch.retract(key, [one.id for one in told], type_)
    plain = [one for one in memories if batch.records[one].key not in batch.ledgers or len({batch.records[m].key for m in memories}) > 1]
    if plain:
        for one in memories:
            if batch.records[one].stored_state == "invalid" and batch.records[one].key in batch.ledgers:
                _restate(batch, batch.records[one])
            batch.put(replace(batch.records[one], stored_state="current"), index=False)
        from_, to = memories[0], memories[1]
        connect(batch, (from_, to), CONTRADICTS, {}, batch.now)
    await writer.commit(batch)
    await store.set_note(user_id, note_of(conflict_id), None)
    return Reinforced(batch.records[memories[-1]], "the dispute is open again")
