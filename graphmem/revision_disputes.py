"""What is disputed, and settling it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from graphmem.core.claims import ask
from graphmem.core.identity import content_id
from graphmem.core.reconciliation import resolution
from graphmem.filters import And, Compare, Filter
from graphmem.model import Conflict, MemoryRecord, Outcome, Reinforced, Relationship, Superseded
from graphmem.ontology import Ontology
from graphmem.ports import Selection, Store
from graphmem.temporal import FAR_PAST
from graphmem.writing import Writer
from graphmem.writing_batch import CONTRADICTS, Batch
from graphmem.writing_links import uncontradict

PAGE = 500


def note_of(conflict_id: str) -> str:
    """Name of the note that keeps what a resolution was about, so that it can be undone by the conflict's id."""
    return f"resolved:{conflict_id}"


async def conflicts(store: Store, ontology: Ontology, user_id: str, now: datetime) -> list[Conflict]:
    """Undecided disputes and declared contradictions whose sides all stand now, oldest first."""
    opposing = sorted(name for name, known in ontology.predicates.items() if known.opposes)
    where: Filter = And((Compare("type", "$eq", "Fact"), Compare("relation", "$in", opposing)))
    selections = [Selection(at=now, states=frozenset({"disputed"}))]
    if opposing:
        selections.append(Selection(at=now, where=where))
    memories: dict[str, MemoryRecord] = {}
    drawn: dict[str, Relationship] = {}
    for selection in selections:
        after = None
        while True:
            page, after = await store.select(user_id, selection, order="id", limit=PAGE, after=after)
            memories |= {memory.id: memory for memory in page}
            hops = await store.relationships(user_id, [memory.id for memory in page], [CONTRADICTS]) if page else []
            drawn |= {hop.relationship.id: hop.relationship for hop in hops}
            if after is None:
                break
    ends = {end for one in drawn.values() for end in (one.source_id, one.target_id)}
    shown = await store.memories(user_id, sorted(ends), Selection(at=now)) if ends else []
    standing = {memory.id: memory for memory in shown}
    found = [_conflict(ontology, one, standing, now) for one in drawn.values() if {one.source_id, one.target_id} <= standing.keys()]
    return sorted((one for one in found if one is not None), key=lambda one: (one.since, one.id))


def _conflict(ontology: Ontology, drawn: Relationship, standing: dict[str, MemoryRecord], now: datetime) -> Conflict | None:
    decided = bool(drawn.properties.get("decided"))
    sides = sorted(
        (standing[drawn.source_id], standing[drawn.target_id]),
        key=lambda one: (one.recorded_at or FAR_PAST, one.valid_from or FAR_PAST, one.id),
    )
    if not decided and any(side.state != "disputed" for side in sides):
        return None
    question = str(drawn.properties.get("question") or ask(ontology, sides))
    return Conflict(drawn.id, tuple(sides), question, drawn.recorded_at or now, decided)


async def resolve(store: Store, writer: Writer, user_id: str, conflict: Conflict, verdict: tuple[str, str]) -> Outcome:
    """Settle a dispute by (what to keep, why): the other side is superseded where it began earlier, else it never held."""
    keep, reason = verdict
    old, new = (side.id for side in conflict.sides)
    kept = {"new": [new], "old": [old], "both": [old, new], "neither": []}[keep]
    dropped = [one for one in (old, new) if one not in kept]
    batch = await writer.opened(user_id, [old, new])
    keys = {batch.records[one].key for one in (old, new)}
    one_key = len(keys) == 1 and next(iter(keys)) in batch.ledgers
    for side in (old, new):
        uncontradict(batch, side, conflict.id)
    if one_key:
        _settle(batch, conflict.id, kept, dropped, reason)
    else:
        for one in dropped:
            _drop(batch, batch.records[one])
    batch.unrelate(old, CONTRADICTS, new)
    await writer.commit(batch)
    await store.set_note(user_id, note_of(conflict.id), {"memories": [old, new], "keep": keep, "reason": reason})
    why = f"kept {keep}" + (f": {reason}" if reason else "")
    if dropped and kept:
        return Superseded(batch.records[kept[0]], tuple(batch.records[one] for one in dropped), why)
    return Reinforced(batch.records[new], why)


def _settle(batch: Batch, conflict_id: str, kept: list[str], dropped: list[str], reason: str) -> None:
    """One statement that says which statements of the key stand."""
    key = batch.records[(kept + dropped)[0]].key or ""
    said = {one.memory_id: one.statements for one in batch.segments[key]}
    keeps, drops = ([i for one in side for i in said.get(one, ())] for side in (kept, dropped))
    base = next(one for one in batch.ledgers[key].statements if one.id in {*keeps, *drops})
    verdict = resolution(base, keeps, drops, reason)
    verdict = replace(
        verdict,
        id=content_id("resolution", batch.user_id, conflict_id, batch.now),
        memory_id=(kept or dropped)[0],
        episode_id=None,
        recorded_at=batch.now,
        properties={**verdict.properties, "conflict": conflict_id},
    )
    batch.append(verdict, batch.records[(kept or dropped)[0]].type)


def _drop(batch: Batch, record: MemoryRecord) -> None:
    if record.key in batch.ledgers:
        segment = batch.segment(record.id)
        batch.retract(record.key, segment.statements if segment else (), record.type)
    else:
        batch.put(replace(record, stored_state="invalid"), index=False)
