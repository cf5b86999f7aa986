"""A task's chain as a tree and in order: goal before its plans, steps by their order, events by time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model import Chain, ChainNode, MemoryRecord, Relationship
from graphmem.temporal import FAR_FUTURE, FAR_PAST, Interval

RANK = {"Instruction": 0, "Constraint": 1, "Goal": 3, "Plan": 4, "Step": 5, "Event": 6}
OTHER = 2
"""Facts and whatever else belongs to a task come before what is done about it."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Who hangs on whom, from relationships that point from the part to the whole."""

    parents: Mapping[str, Sequence[Relationship]]
    children: Mapping[str, Sequence[Relationship]]

    @classmethod
    def of(cls, relationships: Iterable[Relationship]) -> Hierarchy:
        parents: dict[str, list[Relationship]] = {}
        children: dict[str, list[Relationship]] = {}
        for one in sorted({one.id: one for one in relationships}.values(), key=lambda one: one.id):
            parents.setdefault(one.source_id, []).append(one)
            children.setdefault(one.target_id, []).append(one)
        return cls(parents, children)


def order_key(memory: MemoryRecord) -> tuple[object, ...]:
    """Kinds in the order in which a person tells a task; steps by order, the rest by when it began."""
    time = memory.properties.get("time")
    began = (time.start if isinstance(time, Interval) else None) or memory.valid_from or FAR_PAST
    deadline = memory.properties.get("deadline") or FAR_FUTURE
    number = memory.properties.get("order")
    if memory.type == "Goal":
        return (RANK["Goal"], 0, str(deadline), str(began), memory.id)
    return (RANK.get(memory.type, OTHER), number if isinstance(number, (int, float)) else 10**9, "", str(began), memory.id)


def anchor_of(memory_id: str, memories: Mapping[str, MemoryRecord], hierarchy: Hierarchy) -> str:
    """The memory whose whole branch counts as the chain of `memory_id`: itself if it is a goal, else the nearest goal (or top) above it."""
    seen, here = {memory_id}, memory_id
    while memories[here].type != "Goal":
        above = [one.target_id for one in hierarchy.parents.get(here, ()) if one.target_id in memories and one.target_id not in seen]
        if not above:
            break
        here = min(above, key=lambda id_: order_key(memories[id_]))
        seen.add(here)
    return here


def build(memory_id: str, memories: Mapping[str, MemoryRecord], relationships: Iterable[Relationship]) -> Chain:
    """The chain of one memory: the goals above its anchor as a single line, and everything below the anchor; siblings' branches stay out."""
    hierarchy = Hierarchy.of(relationships)
    anchor = anchor_of(memory_id, memories, hierarchy)
    seen: set[str] = set()

    def branch(id_: str, relationship: str | None) -> ChainNode:
        seen.add(id_)
        below = sorted(
            (one for one in hierarchy.children.get(id_, ()) if one.source_id in memories and one.source_id not in seen),
            key=lambda one: order_key(memories[one.source_id]),
        )
        return ChainNode(memories[id_], relationship, tuple(branch(one.source_id, one.type) for one in below if one.source_id not in seen))

    node, here = branch(anchor, None), anchor
    while above := [one for one in hierarchy.parents.get(here, ()) if one.target_id in memories and one.target_id not in seen]:
        up = min(above, key=lambda one: order_key(memories[one.target_id]))
        here = up.target_id
        seen.add(here)
        node = ChainNode(memories[here], None, (ChainNode(node.memory, up.type, node.children),))
    return Chain(node, tuple(flat(node)))


def told(chain: Chain) -> list[tuple[MemoryRecord, int]]:
    """The chain as a person tells it, each memory with its depth: what happened comes last, by time, whatever part of the chain it belongs to."""
    lines: list[tuple[MemoryRecord, int]] = []

    def tell(node: ChainNode, depth: int) -> None:
        lines.append((node.memory, depth))
        for child in node.children:
            tell(child, depth + 1)

    tell(chain.root, 0)
    happened = sorted((line for line in lines if line[0].type == "Event"), key=lambda line: order_key(line[0]))
    return [line for line in lines if line[0].type != "Event"] + [(event, 1) for event, _ in happened]


def flat(node: ChainNode) -> list[MemoryRecord]:
    """Top down, each branch whole before the next; events of the whole chain last among their siblings, by time."""
    found = [node.memory]
    for child in node.children:
        found += flat(child)
    return found
