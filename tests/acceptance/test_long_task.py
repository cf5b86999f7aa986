"""Thirty days, three hundred turns, three tasks at once: at twenty decisions a working memory of twelve holds what the decision needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from graphmem import Memory, Message
from graphmem.config import load_settings
from graphmem.model import MemoryRecord
from graphmem.testing import FrozenClock
from tests.acceptance.long_task_story import POINTS, ROWS, STATUS, TURNS, Point, Row, chatter

START = datetime(2026, 9, 1, 8, tzinfo=UTC)
CAPACITY = 12
CHATS_BEFORE_A_DECISION = 2


def day(number: int, minutes: float = 0) -> datetime:
    return START + timedelta(days=number - 1, minutes=minutes)


@dataclass
class Life:
    """The story as it is lived: what was learned so far, by label."""

    memory: Memory
    clock: FrozenClock
    language: int
    ids: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def live(self, number: int, talk: Iterable[str]) -> None:
        """One day: its small talk, what is learned, and which tasks move on."""
        self.clock.move_to(day(number))
        turns = [Message(text, "Nora", said_at=day(number, i), session_id="life") for i, text in enumerate(talk)]
        if turns:
            self.memory.remember(turns, extract=False)
            self.said += [turn.text for turn in turns]
        for i, row in enumerate(row for row in ROWS if row.day == number):
            self.learn(row, day(number, 60 + i))
        for _, label, status in (change for change in STATUS if change[0] == number):
            self.memory.set_status(self.ids[label], status)

    def learn(self, row: Row, at: datetime) -> None:
        text = row.texts[self.language]
        turn = self.memory.remember(Message(text, "Nora", said_at=at, session_id="life"), extract=False).episodes[0]
        self.said.append(text)
        links = [{"type": "derived_from", "target_id": turn.id}]
        if row.part:
            parts = {"Plan": "subtask_of", "Step": "subtask_of"}
            links.append({"type": parts.get(row.type, "part_of"), "target_id": self.ids[row.part]})
        if row.replaces:
            links.append({"type": "supersedes", "target_id": self.ids[row.replaces]})
        record: dict[str, Any] = {"type": row.type, "content": {"text": text}, "properties": dict(row.slots), "relationships": links}
        outcome = self.memory.add(record | {"time": {"valid_from": at}}, policy="keep_both")[0]
        assert outcome.memory is not None
        self.ids[row.label] = outcome.memory.id
        if row.caused_by:
            self.memory.link(self.ids[row.caused_by], "causes", outcome.memory.id)

    def goal_of(self, label: str) -> str:
        rows = {row.label: row for row in ROWS}
        while rows[label].part:
            label = rows[label].part
        return label


def verdicts(memories: Iterable[MemoryRecord], attribute: str) -> dict[str, bool]:
    """The rule-based decision: which of the known options keep to the known limit."""
    known = list(memories)
    limits = [one for one in known if one.type == "Constraint" and one.properties["attribute"] == attribute]
    if not limits:
        return {}
    bound = float(re.findall(r"[\d.]+", str(limits[0].properties["value"]))[0])
    checks = {"lt": bound.__gt__, "lte": bound.__ge__, "gte": bound.__le__}
    options = [one for one in known if one.type == "Fact" and one.properties["relation"] == attribute]
    return {
        str(one.properties["subject"]): bool(
            checks[limits[0].properties["operator"]](float(re.findall(r"[\d.]+", str(one.properties["object"]))[0]))
        )
        for one in options
    }


@dataclass
class Score:
    keys: int = 0
    found: int = 0
    strangers: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    redundancy: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)
    decisions: list[tuple[dict[str, bool], dict[str, bool]]] = field(default_factory=list)


def decide(life: Life, point: Point, score: Score) -> None:
    working = life.memory.working_memory("life", capacity=CAPACITY)
    for text in life.said[-CHATS_BEFORE_A_DECISION:]:
        working.observe(text)
    question = point.questions[life.language]
    items = working.observe(question)
    labels = {id_: label for label, id_ in life.ids.items()}
    held = {labels[one.id] for one in items if one.id in labels}
    score.keys += len(point.keys)
    score.found += len(held & set(point.keys))
    score.missing += [f"{question}: {key}" for key in point.keys if key not in held]
    goals = {life.goal_of(key) for key in point.keys}
    details = {row.label for row in ROWS if row.type not in {"Goal", "Constraint"}}
    score.strangers += [f"{question}: {label}" for label in held & details if life.goal_of(label) not in goals]
    score.redundancy.append(working.metrics().redundancy)
    plain = life.memory.recall(question, limit=CAPACITY, expand=False)
    score.plain.append(alike(life.memory, [one.memory.id for one in plain]))
    everything = life.memory.list(limit=500)
    for one in items:
        if one.type == "Step":
            assert one.properties["status"] == life.memory.get(one.id).properties["status"]
    if point.rule:
        named = {str(life.memory.get(life.ids[key]).properties.get("subject")) for key in point.keys}
        ours, full = verdicts(items, point.rule), verdicts(everything, point.rule)
        score.decisions.append(({k: v for k, v in ours.items() if k in named}, {k: v for k, v in full.items() if k in named}))


def alike(memory: Memory, ids: list[str]) -> float:
    """Mean cosine of all pairs."""
    passages = memory._run(lambda: memory._memory._engine.store.passages(memory.user_id, ids, tokens=False))
    vectors = np.stack([one.vector for one in {one.memory_id: one for one in passages}.values() if one.vector is not None]).astype(float)
    pairs = vectors @ vectors.T
    return float((pairs.sum() - np.trace(pairs)) / (len(vectors) * (len(vectors) - 1)))


@pytest.fixture(params=[0, 1], ids=["en", "zh"])
def life(request: pytest.FixtureRequest) -> Iterator[Life]:
    clock = FrozenClock(START)
    with Memory.open(":memory:", settings=load_settings(extraction=False, timezone="UTC"), clock=clock) as memory:
        yield Life(memory, clock, request.param)


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_decisions_over_thirty_days_find_what_they_need(life: Life) -> None:
    lines, score = chatter(life.language), Score()
    share = -(-len(lines) // 30)
    for number in range(1, 31):
        life.live(number, lines[(number - 1) * share : number * share])
        life.clock.move_to(day(number, 600))
        for point in (point for point in POINTS if point.day == number):
            decide(life, point, score)
    assert len(life.said) == TURNS
    assert len(POINTS) == 20
    done = [label for _, label, status in STATUS if status == "completed"]
    completed = [row.label for row in ROWS if life.memory.get(life.ids[row.label]).properties.get("status") == "completed"]
    print(  # noqa: T201 — the figures of the report
        f"keys {score.found}/{score.keys}, strangers {len(score.strangers)}, redundancy {np.mean(score.redundancy):.3f} "
        f"(plain top {CAPACITY} {np.mean(score.plain):.3f}), decisions {sum(a == b for a, b in score.decisions)}/{len(score.decisions)}, "
        f"completed {len(completed)}",
        *score.missing,
        *score.strangers,
        sep="\n",
    )
    assert score.found >= 0.95 * score.keys, score.missing
    assert not score.strangers
    assert np.mean(score.redundancy) <= np.mean(score.plain)
    assert all(ours == full for ours, full in score.decisions)
    assert sorted(completed) == sorted(set(done))
