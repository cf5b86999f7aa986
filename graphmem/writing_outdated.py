"""Turns whose every claim has been replaced: what to show beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from graphmem.model import MemoryRecord, state_at
from graphmem.ports import Store
from graphmem.writing_prepare import EXTRACTOR

OVER = frozenset({"superseded", "invalid", "expired"})
HOLDS = frozenset({"current", "disputed"})
LONGEST_CHAIN = 64
"""Replacements that are followed one after another; each takes two reads for all turns together."""


async def outdated_by(store: Store, user_id: str, episode_ids: Sequence[str], at: datetime) -> dict[str, tuple[MemoryRecord, ...]]:
    """For each of these turns that teaches only what no longer holds, the memories that took its place and hold now."""
    taught = await _taught(store, user_id, episode_ids)
    ids = list(dict.fromkeys(one for found in taught.values() for one in found))
    known = {memory.id: memory for memory in await store.memories(user_id, ids)} if ids else {}
    said = {episode: stated([known[one] for one in found if one in known]) for episode, found in taught.items()}
    stale = {
        episode: [one.id for one in found] for episode, found in said.items() if found and all(state_of(one, at) in OVER for one in found)
    }
    heirs = await _heirs(store, user_id, {one for found in stale.values() for one in found}, at, known)
    result = {}
    for episode, found in stale.items():
        current = {heir.id: heir for one in found for heir in heirs.get(one, ())}
        if current:
            result[episode] = tuple(current.values())
    return result


def stated(taught: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """Choose what a turn's standing is judged by: its facts, or else its other claims; tasks and feelings do not make it true or false.

    Where somebody wrote down what the turn says, that counts, and not what an extractor read in it besides.
    """
    claims = [one for one in taught if one.value is not None]
    written = [one for one in claims if EXTRACTOR not in one.metadata] or claims
    return [one for one in written if one.type == "Fact"] or written


def state_of(memory: MemoryRecord, at: datetime) -> str:
    return state_at(memory.stored_state, memory.valid_from, memory.valid_to, at)


async def _taught(store: Store, user_id: str, episode_ids: Sequence[str]) -> dict[str, list[str]]:
    taught: dict[str, list[str]] = {}
    for hop in await store.relationships(user_id, list(episode_ids), ["DERIVED_FROM"]):
        if hop.relationship.target_id == hop.start:
            taught.setdefault(hop.start, []).append(hop.other)
    return taught


async def _heirs(
    store: Store, user_id: str, dead: set[str], at: datetime, known: dict[str, MemoryRecord]
) -> Mapping[str, list[MemoryRecord]]:
    """Find what took the place of each, followed until something holds."""
    followers: dict[str, list[str]] = {}
    frontier, seen = sorted(dead), set(dead)
    for _ in range(LONGEST_CHAIN):
        if not frontier:
            break
        for hop in await store.relationships(user_id, frontier, ["SUPERSEDES"]):
            if hop.relationship.target_id == hop.start:
                followers.setdefault(hop.start, []).append(hop.other)
        met = sorted({other for one in frontier for other in followers.get(one, ())} - seen)
        known |= {memory.id: memory for memory in await store.memories(user_id, [one for one in met if one not in known])}
        seen |= set(met)
        frontier = [one for one in met if one in known and state_of(known[one], at) not in HOLDS]
    return {one: [known[heir] for heir in _ends(one, followers) if heir in known and state_of(known[heir], at) in HOLDS] for one in dead}


def _ends(start: str, followers: Mapping[str, list[str]]) -> list[str]:
    """Everything that follows, each once, nearest first."""
    found = dict.fromkeys(followers.get(start, ()))
    queue = list(found)
    while queue:
        fresh = [one for one in followers.get(queue.pop(0), ()) if one not in found]
        found |= dict.fromkeys(fresh)
        queue += fresh
    return list(found)
