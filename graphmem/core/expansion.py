"""Walking from the hits along relationships: how far a path carries, where it may turn, and where what it reaches is placed.

A path's score is the product of the decays of its hops times the relevance of the memory at its end. In the hierarchy a path may go up and turn
down again only below the first goal that it meets, and not into other goals: a hit brings its chain, not its siblings' details.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graphmem.model import MemoryRecord, Recollection, Relationship
from graphmem.ontology import RelationshipDef, Walk
from graphmem.ports import Neighbour

Way = Literal["start", "up", "down", "aside"]
CAP = 50
"""Memories that one hop goes on from, best first; a hub's other neighbours are left."""
UNKNOWN = 0.5
"""Relevance, as a share of its entry point's, of a memory that was no candidate itself."""
FAINT = 0.3
"""Path scores below this are not shown."""


@dataclass(frozen=True, slots=True)
class Reached:
    """One memory met on a walk: from which hit, how much of it is left, by which way."""

    id: str
    entry: str
    decay: float = 1.0
    path: tuple[Relationship, ...] = ()
    way: Way = "start"
    left: bool = False
    """Whether the path has gone up past a goal, so that it may not come down any more."""
    run: tuple[str, bool, int] = ("", True, 0)
    """Along which relationship the last hops went, whether forward, and how many."""


def entries(ids: Sequence[str]) -> dict[str, Reached]:
    return {id_: Reached(id_, id_) for id_ in ids}


def advance(
    frontier: Mapping[str, Reached],
    hops: Sequence[Neighbour],
    memories: Mapping[str, MemoryRecord],
    kinds: Mapping[str, RelationshipDef],
    seen: frozenset[str],
) -> dict[str, Reached]:
    """One hop from the frontier: what is met anew, each by its best path, the best `CAP` of them."""
    found: dict[str, Reached] = {}
    for hop in hops:
        here = frontier.get(hop.start)
        if here is None or hop.other in seen or hop.other not in memories:
            continue
        there = _step(here, hop, memories, kinds[hop.relationship.type])
        old = found.get(hop.other)
        if there is not None and (old is None or (-there.decay, there.entry) < (-old.decay, old.entry)):
            found[hop.other] = there
    best = sorted(found.values(), key=lambda one: (-one.decay, one.id))[:CAP]
    return {one.id: one for one in best}


def _step(here: Reached, hop: Neighbour, memories: Mapping[str, MemoryRecord], kind: RelationshipDef) -> Reached | None:
    forward = hop.relationship.source_id == hop.start or kind.symmetric
    walk = kind.forward if forward else kind.backward
    name, ahead, hops = here.run
    run = (kind.name, forward, hops + 1 if (name, ahead) == (kind.name, forward) else 1)
    if walk is None or run[2] > walk.hops:
        return None
    ranked = kind.chain and kind.forward is not None and kind.backward is not None
    if not ranked:
        return _went(here, hop, walk, "aside", run) if here.way in {"start", "aside"} or kind.chain else None
    if here.way == "aside":
        return None
    if forward:
        if here.way == "down":
            return None
        return _went(here, hop, walk, "up", run, left=memories[hop.start].type == "Goal")
    if here.way == "up" and (here.left or memories[hop.other].type == "Goal"):
        return None
    return _went(here, hop, walk, "down", run)


def _went(here: Reached, hop: Neighbour, walk: Walk, way: Way, run: tuple[str, bool, int], *, left: bool = False) -> Reached:
    return Reached(hop.other, here.entry, here.decay * walk.decay, (*here.path, hop.relationship), way, here.left or left, run)


# ── placing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def worth(reached: Reached, relevant: Mapping[str, float]) -> float:
    """The path's score, from 0 to 1."""
    entry = relevant.get(reached.entry, 1.0)
    return reached.decay * max(relevant.get(reached.id, 0.0), UNKNOWN * entry)


def placed(direct: Sequence[Recollection], expanded: Sequence[Recollection], limit: int, share: float) -> list[Recollection]:
    """Hits first: what was reached fills free places, and at most this share of the last ones; it never stands above its entry point."""
    room = max(limit - len(direct), math.floor(limit * share))
    chosen = sorted(expanded, key=lambda one: -one.score)[: max(0, room)]
    return [*direct[: limit - len(chosen)], *chosen]


def moved_before(items: Sequence[Recollection], place: int, brought: Sequence[Recollection]) -> list[Recollection]:
    """The items with some of them, or new ones, put before the one at a place."""
    ids = {one.memory.id for one in brought}
    return [
        *(one for one in items[:place] if one.memory.id not in ids),
        *brought,
        *(one for one in items[place:] if one.memory.id not in ids),
    ]
