"""How well memories fit what a question asks for: parts of the score beside words and meaning, on the scale of standard scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.core.ranking import Ranked
from graphmem.core.understanding import HARD
from graphmem.model import MemoryRecord, QueryPlan
from graphmem.ontology import Ontology
from graphmem.temporal import FAR_FUTURE, FAR_PAST, Interval
from graphmem.text import fold

ROLE, ROLE_OF_TURN, OTHER_ROLE, ASIDE, OVER = 1.2, 0.4, 0.4, 1.2, 0.8
"""A memory of an asked type; a turn that one was learned from; a memory of another type; a task or a mood where none is asked for, and
a task that is over besides."""
FULL = 0.7
"""Confidence in the types at which a role counts just so; a surer one counts more."""
STATUS = 1.2
ABOUT, NOT_ABOUT = 0.8, 0.6
IN_TIME, OUT_OF_TIME, UNDATED = 0.8, 0.8, 0.2
ORDER = 0.5
_MOOD = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The plan with what fitting needs beside it."""

    plan: QueryPlan
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Id of each asked entity → its folded names."""
    speakers: frozenset[str] = frozenset()
    """Those of the entities that speak in the scope: their turns name others."""
    turns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Turn → types of the candidates that were learned from it."""


def fitted(ranked: Sequence[Ranked], memories: Mapping[str, MemoryRecord], asked: Asked, ontology: Ontology) -> list[Ranked]:
    """The ranking with the parts for role, status, entities, time and order added; best first."""
    if not (asked.plan.types or asked.plan.status or asked.entities or asked.plan.time or asked.plan.order):
        return list(ranked)
    kept = _in_time(ranked, memories, asked.plan)
    ages = _ages([memories[one.id] for one in kept], asked.plan)
    scored = []
    for one in kept:
        memory = memories[one.id]
        parts = {
            "role": _role(memory, asked, ontology),
            "status": STATUS * (memory.properties.get("status") in asked.plan.status),
            "about": _about(memory, asked),
            "time": _time(memory, asked.plan.time),
            "order": ages.get(one.id, 0.0),
        }
        shown = {name: part for name, part in parts.items() if part}
        scored.append(Ranked(one.id, one.score + sum(shown.values()), {**one.reasons, **shown}))
    return sorted(scored, key=_by_order(memories, asked.plan))


def _role(memory: MemoryRecord, asked: Asked, ontology: Ontology) -> float:
    types, share = asked.plan.types, asked.plan.confidence.get("types", 0.0) / FULL
    if not types:
        return 0.0
    if memory.type == "Episode":
        return share * (ROLE if "Episode" in types else ROLE_OF_TURN * any(kind in types for kind in asked.turns.get(memory.id, ())))
    if memory.type in types:
        return ROLE * share
    kind = ontology.types[memory.type]
    if memory.properties.get("status") in kind.closed_status:
        return -ASIDE - OVER
    aside = bool(kind.open_status) or (kind.half_life is not None and kind.half_life < _MOOD)
    return -ASIDE if aside else -OTHER_ROLE * share


def _about(memory: MemoryRecord, asked: Asked) -> float:
    """The share of the asked entities that it refers to or names."""
    turn = memory.type == "Episode"
    entities = {id_: names for id_, names in asked.entities.items() if not (turn and id_ in asked.speakers)}
    if not entities:
        return 0.0
    refs, text = {ref.id for ref in memory.refs}, fold(memory.text)
    share = sum(id_ in refs or any(name in text for name in names) for id_, names in entities.items()) / len(entities)
    return ABOUT * share if share or turn else -NOT_ABOUT


# ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def dated(memory: MemoryRecord) -> Interval | None:
    """When it happens, is due, was said, or began to hold; None where it is not dated."""
    for name in ("time", "deadline", "period", "said_at"):
        found = _interval(memory.properties.get(name))
        if found is not None:
            return found
    if memory.valid_from is None:
        return None
    return Interval(memory.valid_from, memory.valid_to if memory.type != "Event" else None)


def _interval(value: Any) -> Interval | None:
    match value:
        case Interval(start=start, end=end) if start is not None or end is not None:
            return Interval(start or end, end)
        case datetime():
            return Interval(value, None)
        case _:
            return None


def inside(memory: MemoryRecord, window: Interval) -> bool | None:
    """Whether it falls into the window; None where it is not dated. A fact does where it held at some time of it."""
    found = dated(memory)
    if found is None or found.start is None:
        return None
    end = found.end or (FAR_FUTURE if memory.type in {"Fact", "Preference", "Constraint"} else found.start + timedelta(microseconds=1))
    return found.start < (window.end or FAR_FUTURE) and (window.start or FAR_PAST) < end


def _time(memory: MemoryRecord, window: Interval | None) -> float:
    if window is None:
        return 0.0
    fits = inside(memory, window)
    if memory.type == "Episode":
        return IN_TIME * bool(fits)
    return -UNDATED if fits is None else IN_TIME if fits else -OUT_OF_TIME


def _in_time(ranked: Sequence[Ranked], memories: Mapping[str, MemoryRecord], plan: QueryPlan) -> Sequence[Ranked]:
    """Without dated typed memories outside a sure window, unless none is inside."""
    if plan.time is None or plan.confidence.get("time", 0.0) < HARD:
        return ranked
    fits = {one.id: inside(memories[one.id], plan.time) for one in ranked if memories[one.id].type != "Episode"}
    if not any(fits.values()):
        return ranked
    return [one for one in ranked if fits.get(one.id) is not False]


# ── order ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _moment(memory: MemoryRecord) -> datetime:
    found = dated(memory)
    return (found.start if found else None) or memory.recorded_at or FAR_PAST


def _ages(memories: Sequence[MemoryRecord], plan: QueryPlan) -> Mapping[str, float]:
    """For each memory its place in the asked order, from `ORDER` for the first to 0 for the last."""
    if plan.order not in {"newest", "oldest"} or not memories:
        return {}
    ordered = sorted(memories, key=_moment, reverse=plan.order == "newest")
    step = ORDER / len(ordered)
    return {memory.id: ORDER - i * step for i, memory in enumerate(ordered)}


def _by_order(memories: Mapping[str, MemoryRecord], plan: QueryPlan) -> Callable[[Ranked], tuple[Any, ...]]:
    """Best first; where a sure restriction is to be listed in an order, what meets it comes first, in that order."""
    sure = plan.order is not None and plan.confidence.get("types", 0.0) >= HARD
    far = FAR_FUTURE.astimezone(UTC)

    def key(one: Ranked) -> tuple[Any, ...]:
        memory = memories[one.id]
        if not sure or memory.type not in plan.types or (plan.status and memory.properties.get("status") not in plan.status):
            return (1, 0.0, -one.score, one.id)
        if plan.order == "deadline":
            due = _interval(memory.properties.get("deadline"))
            return (0, ((due.start if due else None) or far).timestamp(), -one.score, one.id)
        moment = _moment(memory).timestamp()
        return (0, -moment if plan.order == "newest" else moment, -one.score, one.id)

    return key
