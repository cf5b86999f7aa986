"""Summaries of sessions, entities and tasks: written when what they cover has changed, put away when a newer one stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from graphmem.consolidation_census import READ, Census, Group, fingerprint
from graphmem.consolidation_steps import Archive, Step, Write
from graphmem.core.identity import content_id
from graphmem.core.summarising import central, sentences
from graphmem.filters import Compare
from graphmem.model import Draft, DraftLink, MemoryRecord, Mention
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Selection, Store
from graphmem.temporal import Interval
from graphmem.text import is_chinese

PAGE, ALL = 500, 1_000_000
TURNS, KNOWN, TASKS = 8, 8, 4
"""Members from which a session, an entity, a task gets a summary."""
QUIET = timedelta(hours=6)
"""How long nothing was said in a session that counts as over."""
LEVEL, OF, COVERS = "summary_level", "summary_of", "covers"


@dataclass(frozen=True, slots=True)
class Topic:
    """What a summary is of, and the digest of what it covers."""

    level: str
    key: str
    name: str
    covers: str


@dataclass(frozen=True, slots=True)
class Summariser:
    store: Store
    ontology: Ontology
    clock: Clock

    async def steps(self, user_id: str, census: Census, gone: set[str]) -> AsyncIterator[Step]:
        """New summaries first, then those that they replace."""
        standing: dict[tuple[str, str], list[MemoryRecord]] = {}
        async for one in self._of_type(user_id, "Summary"):
            standing.setdefault((str(one.metadata.get(LEVEL)), str(one.metadata.get(OF))), []).append(one)
        async for topic, members in self._topics(user_id, census, gone, standing):
            step = self._write(user_id, topic, members)
            if step is None:
                continue
            yield step
            for old in standing.get((topic.level, topic.key), ()):
                yield Archive(old, f"a newer summary of the {topic.level} stands")

    async def _topics(
        self, user_id: str, census: Census, gone: set[str], standing: dict[tuple[str, str], list[MemoryRecord]]
    ) -> AsyncIterator[tuple[Topic, list[MemoryRecord]]]:
        """Only what changed is read."""
        now = self.clock.now()

        def stale(topic: Topic) -> bool:
            return all(one.metadata.get(COVERS) != topic.covers for one in standing.get((topic.level, topic.key), ()))

        for key, group in sorted(census.sessions.items()):
            topic = _topic("session", key, key, group)
            if group.count >= TURNS and group.last is not None and now - group.last >= QUIET and stale(topic):
                turns = await self._members(user_id, group, gone)
                yield topic, sorted(turns, key=lambda one: (one.said_at or now, one.properties.get("turn") or 0, one.id))
        for key, group in sorted(census.entities.items()):
            topic = _topic("entity", key, census.names[key], group)
            if group.count >= KNOWN and stale(topic):
                yield topic, await self._members(user_id, group, gone)
        async for topic, members in self._tasks(user_id, gone):
            if stale(topic):
                yield topic, members

    async def _members(self, user_id: str, group: Group, gone: set[str]) -> list[MemoryRecord]:
        ids = [one for one in group.ids if one not in gone]
        return await self.store.memories(user_id, ids, Selection(at=self.clock.now()))

    async def _tasks(self, user_id: str, gone: set[str]) -> AsyncIterator[tuple[Topic, list[MemoryRecord]]]:
        """Goals with enough parts."""
        async for page in self._pages(user_id, "Goal"):
            goals = [one for one in page if one.id not in gone]
            near = await self.store.relationships(user_id, [one.id for one in goals], ["SUBTASK_OF", "PART_OF"], limit=ALL) if goals else []
            below: dict[str, set[str]] = {}
            for hop in near:
                if hop.relationship.target_id == hop.start and hop.other not in gone:
                    below.setdefault(hop.start, set()).add(hop.other)
            for goal in goals:
                if len(below.get(goal.id, ())) >= TASKS:
                    ids = sorted(below[goal.id])
                    shown = await self.store.memories(user_id, ids, Selection(at=self.clock.now()))
                    members = [goal, *(one for one in shown if one.type != "Summary" and one.source != "inferred")]
                    group = Group()
                    for one in members:
                        group.add(one)
                        group.digest ^= fingerprint(one.id, one.properties.get("status"))
                    yield _topic("task", goal.id, goal.text, group), members

    def _write(self, user_id: str, topic: Topic, members: Sequence[MemoryRecord]) -> Write | None:
        told = [(one, part) for one in members for part in sentences(one.text)][:READ]
        chosen = [told[n] for n in central([part for _, part in told], max(3, min(8, len(members) // 4)))]
        if not chosen:
            return None
        lines = [f"{one.speaker}: {part}" if one.speaker else part for one, part in chosen]
        text = " ".join([_title(topic, lines), *lines])
        covered = list(dict.fromkeys(one.id for one, _ in chosen))
        moments = [moment for one in members if (moment := one.said_at or one.valid_from or one.recorded_at) is not None]
        period = {"period": Interval(min(moments), max(moments))} if moments else {}
        links = tuple(DraftLink("SUMMARIZES", target_id=one) for one in covered)
        draft = Draft(
            type="Summary",
            id=content_id("summary", user_id, topic.level, topic.key, topic.covers),
            text=text,
            properties={"level": topic.level, **period},
            source="inferred",
            session_id=topic.key if topic.level == "session" else None,
            task_id=members[0].task_id if topic.level == "task" else None,
            mentions=(Mention(topic.name),) if topic.level == "entity" else (),
            links=(*links, DraftLink("PART_OF", target_id=topic.key)) if topic.level == "task" else links,
            metadata={LEVEL: topic.level, OF: topic.key, COVERS: topic.covers},
        )
        return Write("summarise", draft, tuple(covered), f"{len(members)} memories of the {topic.level} had no summary, or an older one")

    async def _of_type(self, user_id: str, name: str) -> AsyncIterator[MemoryRecord]:
        async for page in self._pages(user_id, name):
            for one in page:
                yield one

    async def _pages(self, user_id: str, name: str) -> AsyncIterator[list[MemoryRecord]]:
        selection = Selection(at=self.clock.now(), where=Compare("type", "$eq", name))
        page, after = await self.store.select(user_id, selection, order="id", limit=PAGE)
        while True:
            yield page
            if after is None:
                return
            page, after = await self.store.select(user_id, selection, order="id", limit=PAGE, after=after)


def _topic(level: str, key: str, name: str, group: Group) -> Topic:
    return Topic(level, key, name, f"{group.count}:{group.digest:016x}")


def _title(topic: Topic, lines: Sequence[str]) -> str:
    if topic.level == "session":
        return "本次对话要点：" if is_chinese("".join(lines)) else "In this session:"
    return f"关于{topic.name}：" if is_chinese("".join(lines)) else f"About {topic.name}:"
