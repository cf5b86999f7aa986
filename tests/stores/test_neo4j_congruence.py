"""One script on SQLite and on Neo4j: the same states, the same lines, the same recollections."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from graphmem.memory import AsyncMemory
from graphmem.model import STATES, Draft, DraftLink, Message
from graphmem.testing import FakeEmbedder, FrozenClock
from tests.neo4j_fixture import Neo4jServer
from tests.stores.neo4j_helpers import emptied

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(900)]
START = datetime(2026, 5, 1, 9, tzinfo=UTC)
TURNS = (
    ("Mira", "I moved into the yellow house by the canal last month."),
    ("Jonas", "Did you keep the old piano?"),
    ("Mira", "Yes, the piano stands by the window now, and the cat sleeps on it."),
    ("Jonas", "I am learning to bake rye bread; the first loaf was a brick."),
    ("Mira", "Bring the next one on Sunday, we will have lentil soup."),
    ("Jonas", "我下个月去成都出差，想吃火锅。"),
    ("Mira", "Take the night train, it is cheaper than the plane."),
    ("Jonas", "The budget for the trip is four thousand."),
)
QUESTIONS = (
    "Where does the piano stand?",
    "What bread does Jonas bake?",
    "Who moved into a house by the canal?",
    "成都出差吃什么？",
    "What is the budget of the trip?",
    "lentil soup on Sunday",
    "Where does Mira live?",
    "Which goals are open?",
)


async def play(memory: AsyncMemory, clock: FrozenClock) -> None:
    """Turns, facts that replace each other, a task with steps, a correction, a retraction."""
    for number, (speaker, text) in enumerate(TURNS):
        clock.move_to(START + timedelta(days=number))
        await memory.remember(Message(text, speaker, said_at=clock.now(), session_id=f"s{number // 4}"), extract=False)
    for number, town in enumerate(("Ghent", "Porto", "Lisbon")):
        clock.move_to(START + timedelta(days=10 + number))
        await memory.add_triple("Mira", "lives_in", town)
    clock.move_to(START + timedelta(days=20))
    [trip] = await memory.add(Draft(type="Goal", text="Go to Chengdu", properties={"deadline": "2026-06-20", "priority": "high"}))
    assert trip.memory is not None
    links = (DraftLink("SUBTASK_OF", target_id=trip.memory.id),)
    await memory.add([Draft(type="Goal", text=text, links=links) for text in ("Book the night train", "Reserve a table for hot pot")])
    liked = await memory.add_triple("Jonas", "likes", "rye bread")
    wrong = await memory.add_triple("Jonas", "owns", "a boat")
    assert liked.memory is not None
    assert wrong.memory is not None
    clock.move_to(START + timedelta(days=21))
    await memory.correct(liked.memory.id, object="wheat bread")
    await memory.retract(wrong.memory.id, "he never said so")
    await memory.set_status(trip.memory.id, "in_progress")


async def seen(memory: AsyncMemory, clock: FrozenClock) -> dict[str, Any]:
    """What a caller can tell of it, ids being the same for the same writes."""
    clock.move_to(START + timedelta(days=30))
    everything = {"state": {"$in": list(STATES)}}
    lines = [line async for line in memory._engine.carrier.lines(memory.user_id)]
    pasts = [START + timedelta(days=number) for number in (3, 10, 11, 12, 20, 25)]
    return {
        "states": {each.id: each.state for each in await memory.list(everything, limit=1000)},
        "at": [[each.id for each in await memory.list(at=when, limit=1000)] for when in pasts],
        "as_of": [[each.id for each in await memory.list(as_of=when, limit=1000)] for when in pasts],
        "lines": lines,
        "homes": [(each.memory.id, each.memory.state) for each in await memory.history(subject="Mira", relation="lives_in")],
        "recalled": [[found.memory.id for found in await memory.recall(question, limit=10)] for question in QUESTIONS],
    }


async def whole(location: str, user: str, auth: tuple[str, str] | None) -> dict[str, Any]:
    clock = FrozenClock(START)
    memory = await AsyncMemory.open(location, user_id=user, auth=auth, embedder=FakeEmbedder(64), clock=clock)
    try:
        await play(memory, clock)
        return await seen(memory, clock)
    finally:
        await memory.close()


@pytest.fixture
def both(neo4j_server: Neo4jServer, tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    emptied(neo4j_server)
    user = f"congruence {uuid.uuid4()}"
    return anyio.run(whole, str(tmp_path / "memory.db"), user, None), anyio.run(whole, neo4j_server.uri, user, neo4j_server.auth)


def test_both_stores_answer_alike(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    embedded, server = both
    for view in ("states", "at", "as_of", "homes"):
        assert server[view] == embedded[view], view
    assert _comparable(server["lines"]) == _comparable(embedded["lines"])
    shared = [len(set(a) & set(b)) / max(len(a), len(b), 1) for a, b in zip(embedded["recalled"], server["recalled"], strict=True)]
    assert sum(shared) / len(shared) >= 0.95
    assert sum(a[:1] == b[:1] for a, b in zip(embedded["recalled"], server["recalled"], strict=True)) >= len(QUESTIONS) - 1


def _comparable(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what recalling counts: that is written later than it is read."""
    return [{name: value for name, value in line.items() if name != "counters"} for line in lines]
