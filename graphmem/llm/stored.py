"""Stored episodes and memories as a model reads them: turns with what was said before them, and what was learned from each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.model import SHOWN, Draft, MemoryRecord, Message
from graphmem.ports import Clock, Selection, Store, Turn

EVIDENCE = "evidence"
LEARNED = 100
"""Memories of one turn that are read."""


async def as_turns(store: Store, user_id: str, episodes: Sequence[MemoryRecord]) -> list[Turn]:
    """Each with the turn before it in its session."""
    around = await store.session_neighbours(user_id, [one.id for one in episodes], before=1, after=0)
    before = {id_: ids[0][0] for id_, ids in around.items() if ids[0]}
    heard = {one.id: one for one in await store.memories(user_id, list(dict.fromkeys(before.values())))}
    return [as_turn(one, heard.get(before.get(one.id, ""))) for one in episodes]


def as_turn(episode: MemoryRecord, previous: MemoryRecord | None = None) -> Turn:
    said_at = episode.said_at or episode.valid_from
    if said_at is None:
        raise InvalidInput(f"episode {episode.id} has no time")
    speaker = episode.speaker or "user"
    message = Message(episode.text, speaker, role=episode.properties.get("role", "user"), said_at=said_at, session_id=episode.session_id)
    if previous is None:
        return Turn(message, said_at, speaker)
    other = previous.speaker if previous.speaker != speaker else None
    return Turn(message, said_at, speaker, other, previous.text, previous.speaker)


async def learned_from(store: Store, clock: Clock, user_id: str, episode_ids: Sequence[str]) -> dict[str, list[MemoryRecord]]:
    """By episode the memories that stand and were learned from it."""
    hops = await store.relationships(user_id, episode_ids, ["DERIVED_FROM"], limit=LEARNED)
    pairs = [(hop.start, hop.other) for hop in hops if hop.relationship.target_id == hop.start]
    selection = Selection(at=clock.now(), states=SHOWN)
    shown = {one.id: one for one in await store.memories(user_id, list(dict.fromkeys(other for _, other in pairs)), selection)}
    found: dict[str, list[MemoryRecord]] = {id_: [] for id_ in episode_ids}
    for episode_id, other in pairs:
        if other in shown:
            found[episode_id].append(shown[other])
    return found


async def sources_of(store: Store, user_id: str, memory_ids: Sequence[str]) -> dict[str, MemoryRecord]:
    """By memory the newest episode that it was learned from."""
    hops = await store.relationships(user_id, memory_ids, ["DERIVED_FROM"], limit=1)
    source = {hop.start: hop.other for hop in hops if hop.relationship.source_id == hop.start}
    episodes = {one.id: one for one in await store.memories(user_id, list(dict.fromkeys(source.values()))) if one.type == "Episode"}
    return {id_: episodes[other] for id_, other in source.items() if other in episodes}


def as_draft(memory: MemoryRecord) -> Draft:
    span = memory.metadata.get(EVIDENCE)
    evidence = (int(span[0]), int(span[1])) if isinstance(span, Sequence) and not isinstance(span, str) and len(span) == 2 else None
    return Draft(type=memory.type, text=memory.text, properties=_slots(memory), evidence=evidence)


def _slots(memory: MemoryRecord) -> Mapping[str, Any]:
    return {name: value for name, value in memory.properties.items() if value is not None}
