"""What a person should look at: learned lately, open and overdue tasks, negatives without a solution, disputes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, TypeAlias, assert_never

from graphmem.filters import And, Compare, Filter
from graphmem.lifecycle_forget import FORGOTTEN
from graphmem.model import Belief, Change, Conflict, MemoryRecord, Report, State
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Selection, Store
from graphmem.revision_disputes import conflicts
from graphmem.temporal import FAR_FUTURE, Interval, to_moment

WEEK, MANY, MOST = timedelta(days=7), 500, 10_000
NEGATIVE = frozenset({"sadness", "anger", "fear", "disgust"})
Kind: TypeAlias = Literal["added", "changed", "superseded", "disputed", "archived", "invalid", "forgotten"]


@dataclass(frozen=True, slots=True)
class Reporter:
    """Reports on any scope of one store."""

    store: Store
    ontology: Ontology
    clock: Clock

    async def changes(self, user_id: str, since: datetime) -> list[Change]:
        """What was added, changed, put away and forgotten since then, oldest first."""
        beliefs = await self.store.changed_since(user_id, since, MOST)
        recorded = [one for one in beliefs if one.recorded_at >= since]
        known = {one.id: one for one in await self.store.memories(user_id, list({one.memory_id for one in recorded}))}
        found = [_change(belief, known[belief.memory_id]) for belief in recorded if belief.memory_id in known]
        away = frozenset[State]({"archived"})
        where = Compare("metadata.archived_at", "$gte", since.isoformat().replace("+00:00", "Z"))
        found += [Change("archived", to_moment(one.metadata["archived_at"]), one.id, one) for one in await self._all(user_id, where, away)]
        gone = await self.store.note(user_id, FORGOTTEN) or {}
        found += [Change("forgotten", at, one["id"]) for one in gone.get("ids", ()) if (at := to_moment(one["at"])) >= since]
        return sorted(found, key=lambda one: (one.at, one.memory_id))

    async def report(self, user_id: str, since: datetime | None = None) -> Report:
        """Of the last seven days, or since then."""
        now = self.clock.now()
        begun = since or now - WEEK
        learned = [one for one in await self._all(user_id, Compare("recorded_at", "$gte", Interval(begun))) if one.type != "Episode"]
        kinds = [kind for kind in self.ontology.types.values() if kind.open_status]
        status = sorted({value for kind in kinds for value in kind.open_status})
        tasks = await self._all(user_id, And((Compare("type", "$in", [kind.name for kind in kinds]), Compare("status", "$in", status))))
        tasks.sort(key=lambda one: (_deadline(one) or FAR_FUTURE, one.id))
        overdue = [one for one in tasks if (due := _deadline(one)) is not None and due < now]
        disputes = await conflicts(self.store, self.ontology, user_id, now)
        waiting = tuple(one for one in disputes if not one.decided)
        report = Report(
            user_id=user_id,
            since=begun,
            learned=tuple(learned),
            open_goals=tuple(tasks),
            overdue=tuple(overdue),
            unresolved=tuple(await self._unresolved(user_id)),
            conflicts=waiting,
            counts=dict(sorted((await self.store.count(user_id, Selection(at=now))).items())),
        )
        return _told(report)

    async def _unresolved(self, user_id: str) -> list[MemoryRecord]:
        """What went wrong for somebody and is not marked as solved: bad feelings, failed and blocked tasks, and a negative `sentiment`."""
        wheres: list[Filter] = [
            And((Compare("type", "$eq", "EmotionalState"), Compare("emotion", "$in", sorted(NEGATIVE)))),
            Compare("status", "$in", ["blocked", "failed"]),
            Compare("metadata.sentiment", "$eq", "negative"),
        ]
        found: dict[str, MemoryRecord] = {}
        for where in wheres:
            found |= {one.id: one for one in await self._all(user_id, where)}
        return [one for one in found.values() if not (one.metadata.get("is_resolved") or one.properties.get("is_resolved"))]

    async def _all(self, user_id: str, where: Filter, states: frozenset[State] = frozenset({"current", "disputed"})) -> list[MemoryRecord]:
        selection = Selection(at=self.clock.now(), states=states, where=where)
        found, after = await self.store.select(user_id, selection, limit=MANY)
        while after is not None and len(found) < MOST:
            page, after = await self.store.select(user_id, selection, limit=MANY, after=after)
            found += page
        return found


def _change(belief: Belief, memory: MemoryRecord) -> Change:
    match belief.stored_state:
        case "current":
            kind: Kind = "added" if memory.recorded_at == belief.recorded_at else "changed"
        case "superseded" | "disputed" | "invalid" | "archived":
            kind = belief.stored_state
        case _:
            assert_never(belief.stored_state)
    return Change(kind, belief.recorded_at, memory.id, memory)


def _deadline(memory: MemoryRecord) -> datetime | None:
    due = memory.properties.get("deadline")
    return (due.end or due.start) if isinstance(due, Interval) else due if isinstance(due, datetime) else None


def _told(report: Report) -> Report:
    sections: list[tuple[str, Sequence[str]]] = [
        (f"Learned since {report.since:%Y-%m-%d}", [f"{one.type}: {one.text}" for one in report.learned]),
        ("Open", [_task(one) for one in report.open_goals]),
        ("Overdue", [_task(one) for one in report.overdue]),
        ("Unresolved", [f"{one.type}: {one.text}" for one in report.unresolved]),
        ("Waiting for a decision", [_asked(one) for one in report.conflicts]),
    ]
    lines = [f"Report on {report.user_id}"]
    for title, items in sections:
        lines += ["", f"{title}: {len(items)}", *(f"  - {item}" for item in items[:50])]
        if len(items) > 50:
            lines.append(f"  … and {len(items) - 50} more")
    return replace(report, text="\n".join(lines) + "\n")


def _task(memory: MemoryRecord) -> str:
    due = _deadline(memory)
    return f"{memory.type}: {memory.text} ({memory.properties.get('status')}{f', due {due:%Y-%m-%d}' if due else ''})"


def _asked(conflict: Conflict) -> str:
    return conflict.question
