"""Every version of what was believed, with both time axes and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.errors import InvalidInput, NotFound
from graphmem.filters import And, Compare, Filter
from graphmem.model import STATES, Citation, MemoryRecord, Statement, Version, state_at
from graphmem.ontology import Ontology
from graphmem.ports import Selection, Store
from graphmem.temporal import FAR_PAST
from graphmem.text import fold_name

MOST = 10_000
LONGEST_CHAIN = 64


async def history(
    store: Store, ontology: Ontology, user_id: str, about: tuple[str | None, str | None, str | None], now: datetime
) -> list[Version]:
    """By (memory id, subject, relation): an id, or a subject with or without a relation; oldest recorded first."""
    memory_id, subject, relation = about
    if (memory_id is None) == (subject is None):
        raise InvalidInput("history takes the id of a memory, or a subject (and a relation)")
    if memory_id is not None:
        memories = await _relatives(store, user_id, memory_id)
    else:
        memories = await _claims(store, ontology, user_id, (str(subject), relation), now)
    return await versions(store, user_id, memories, now)


async def _relatives(store: Store, user_id: str, memory_id: str) -> list[MemoryRecord]:
    """Read it, everything under its claim key, and what it superseded or was superseded by."""
    found = {memory.id: memory for memory in await store.memories(user_id, [memory_id])}
    if memory_id not in found:
        raise NotFound("memory", memory_id)
    if (key := found[memory_id].key) is not None and found[memory_id].value is not None:
        found |= {memory.id: memory for memory in (await store.claims(user_id, [key]))[0]}
    frontier = list(found)
    for _ in range(LONGEST_CHAIN):
        hops = await store.relationships(user_id, frontier, ["SUPERSEDES"])
        frontier = list(dict.fromkeys(hop.other for hop in hops if hop.other not in found))
        if not frontier:
            break
        found |= {memory.id: memory for memory in await store.memories(user_id, frontier)}
    return list(found.values())


async def _claims(store: Store, ontology: Ontology, user_id: str, said: tuple[str, str | None], now: datetime) -> list[MemoryRecord]:
    """Everything that has the subject in its place: as subject, or as object of the relation the other way round."""
    subject, relation = said
    entities = [one for one in await store.entities(user_id, [fold_name(subject)]) if one.merged_into is None]
    if not entities:
        return []
    ids = {one.id for one in entities}
    known = ontology.predicate(relation) if relation is not None else None
    name = None if relation is None else ontology.relation_name(relation)
    inverse = ontology.inverted(known.name) if known else None
    where: Filter = Compare("type", "$in", ["Fact", "Preference", "Constraint"])
    if name is not None and not (known and known.polarity):
        where = And((where, Compare("relation", "$in", [one for one in (name, inverse) if one is not None])))
    selection = Selection(at=now, states=frozenset(STATES), where=where)
    memories = await store.memories(user_id, await store.about(user_id, list(ids), selection, MOST))

    def told(memory: MemoryRecord) -> bool:
        placed = {ref.role for ref in memory.refs if ref.id in ids}
        stated = memory.properties.get("relation")
        if known and known.polarity and memory.type == "Preference":
            return "subject" in placed and memory.properties.get("polarity") == known.polarity
        return (name in {None, stated} and "subject" in placed) or (inverse is not None and stated == inverse and "object" in placed)

    return [memory for memory in memories if told(memory)]


async def versions(store: Store, user_id: str, memories: Sequence[MemoryRecord], now: datetime) -> list[Version]:
    records = {memory.id: memory for memory in memories}
    if not records:
        return []
    statements = await store.statements(user_id, list(records))
    episodes = list(dict.fromkeys(one.episode_id for one in statements if one.episode_id))
    turns = {turn.id: turn for turn in await store.memories(user_id, episodes)} if episodes else {}
    made = [
        Version(
            memory=replace(
                records[belief.memory_id],
                text=belief.text,
                properties=belief.properties,
                stored_state=belief.stored_state,
                state=state_at(belief.stored_state, belief.valid_from, belief.valid_to, now),
                valid_from=belief.valid_from,
                valid_to=belief.valid_to,
                precision=belief.precision,
                confidence=belief.confidence,
            ),
            valid_from=belief.valid_from,
            valid_to=belief.valid_to,
            recorded_at=belief.recorded_at,
            superseded_at=belief.superseded_at,
            sources=_sources([one for one in statements if one.memory_id == belief.memory_id], belief.recorded_at, turns),
        )
        for belief in await store.beliefs(user_id, list(records))
    ]
    return sorted(made, key=lambda one: (one.recorded_at, one.valid_from or FAR_PAST, one.memory.id))


def _sources(statements: Sequence[Statement], until: datetime, turns: dict[str, MemoryRecord]) -> tuple[Citation, ...]:
    """Cite the turns that had said so by then."""
    said = [turns[one.episode_id] for one in statements if one.episode_id in turns and one.recorded_at <= until]
    return tuple(
        Citation(turn.id, turn.text, turn.speaker, turn.said_at, turn.session_id, turn.metadata)
        for turn in {turn.id: turn for turn in said}.values()
    )
