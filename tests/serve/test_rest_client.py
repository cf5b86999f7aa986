"""RemoteMemory against a running server: the values and errors of an own store."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import graphmem
from graphmem import AsyncRemoteMemory, Fact, Goal, Memory, RemoteMemory, Step, errors
from graphmem.model import Added, Disputed, Message, Superseded
from tests.serve.rest_server import ALICE, KEYS, ROOT, serving

WHEN = datetime(2026, 1, 1, 9, tzinfo=UTC)
VERBS = (
    *("remember", "add", "add_triple", "link", "unlink", "correct", "set_status", "retract", "restore", "pin", "conflicts", "resolve"),
    *("merge_entities", "split_entity", "recall", "context", "understand", "chain", "history", "get", "list", "count", "extract", "forget"),
    *("changes", "profile", "report", "consolidate", "undo", "working_memory", "stats", "doctor", "search", "update", "delete"),
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("rest") / "m.db", api_keys=KEYS) as found:
        yield found


@pytest.fixture
def memory(url: str, request: pytest.FixtureRequest) -> Iterator[RemoteMemory]:
    with RemoteMemory(url, ROOT, user_id=f"{request.node.name}/李") as found:
        yield found


def test_turns_and_recall(memory: RemoteMemory) -> None:
    report = memory.remember(
        [Message("I live in Leeds.", "Alice", said_at=WHEN), {"role": "assistant", "content": "Noted."}], session_id="s1"
    )
    assert [one.text for one in report.episodes] == ["I live in Leeds.", "Noted."]
    assert [type(one) for one in report.episode_outcomes] == [Added, Added]
    assert (report.episodes[0].said_at, report.episodes[1].properties["role"]) == (WHEN, "assistant")
    found = memory.recall("Leeds", filter={"session_id": "s1"}, explain=True)
    assert found[0].memory == report.episodes[0]
    assert found[0].citations[0].speaker == "Alice"
    assert found.trace is not None
    assert memory.search("Leeds", limit=1)[0].memory.id == found[0].memory.id
    assert "Goal" in memory.understand("open goals").types
    assert "Leeds" in memory.context("Leeds", budget=500, limit=3).text
    with pytest.raises(errors.ConfigurationError, match="extraction"):
        memory.extract("I want to run.")


def test_versions_disputes_and_changes(memory: RemoteMemory) -> None:
    first = memory.add_triple("Alice", "lives_in", "Leeds", valid_from=WHEN)
    second = memory.add_triple("Alice", "lives_in", "Bristol", valid_from=datetime(2026, 3, 1, tzinfo=UTC))
    assert isinstance(second, Superseded)
    assert [one.id for one in second.old] == [first.memory.id if first.memory else ""]
    versions = memory.history(subject="Alice", relation="lives_in")
    assert {one.memory.properties["object"] for one in versions} == {"Leeds", "Bristol"}
    assert all(one.recorded_at.tzinfo for one in versions)
    disputed = memory.add_triple("Alice", "lives_in", "Hull", source="tool", policy="dispute")
    assert isinstance(disputed, Disputed)
    assert memory.conflicts()[0].id == disputed.conflict_id
    assert memory.resolve(disputed.conflict_id, keep="old").memory is not None
    assert memory.conflicts() == []
    assert memory.stats().memories["Fact"] >= 1


def test_typed_memories(memory: RemoteMemory) -> None:
    goal, step = memory.add([Goal("Fly to Shanghai", status="pending", deadline="2026-05-01"), Step("Book the flight", order=1)])
    assert goal.memory is not None
    assert step.memory is not None
    assert isinstance(goal.memory.properties["deadline"], datetime)
    memory.link(step.memory.id, "subtask_of", goal.memory.id)
    assert [one.text for one in memory.chain(goal.memory.id).memories] == ["Fly to Shanghai", "Book the flight"]
    memory.unlink(step.memory.id, "subtask_of", goal.memory.id)
    assert len(memory.chain(goal.memory.id).memories) == 1
    memory.pin(goal.memory.id)
    assert memory.get(goal.memory.id).pinned
    assert memory.set_status(goal.memory.id, "in_progress").memory is not None
    assert memory.correct(goal.memory.id, priority="high").memory is not None
    assert memory.get(goal.memory.id).properties["priority"] == "high"
    assert memory.count({"type": "Goal"}) == 1
    page = memory.list({"type": {"$in": ["Goal", "Step"]}}, limit=1)
    assert len(page) == 1
    assert memory.list({"type": {"$in": ["Goal", "Step"]}}, limit=1, cursor=page.cursor)[0].id != page[0].id
    memory.retract(step.memory.id, "a mistake")
    memory.restore(step.memory.id)
    assert memory.forget(goal.memory.id, reason="asked").residue == 0
    with pytest.raises(errors.NotFound):
        memory.get(goal.memory.id)
    assert memory.forget(everything=True).residue == 0
    assert memory.doctor()[0].ok


def test_errors_are_those_of_an_own_store(memory: RemoteMemory, url: str) -> None:
    with pytest.raises(errors.NotFound, match="nothing"):
        memory.get("nothing")
    with pytest.raises(errors.UnknownType) as unknown:
        memory.add({"type": "Wish", "text": "x"})
    assert "Goal" in unknown.value.allowed
    with pytest.raises(errors.InvalidSlot) as slot:
        memory.add(Goal("x", status="lost"))
    assert (slot.value.type, slot.value.slot) == ("Goal", "status")
    wide, narrow = (one.memory.id for one in memory.add([Goal("See China"), Goal("See Shanghai")]) if one.memory)
    memory.link(narrow, "subtask_of", wide)
    with pytest.raises(errors.CycleRefused) as cycle:
        memory.link(wide, "subtask_of", narrow)
    assert cycle.value.relationship
    with pytest.raises(errors.InvalidInput):
        memory.recall("x", limit=0)
    with pytest.raises(errors.InvalidInput):
        memory.history()
    with pytest.raises(errors.InvalidInput):
        memory.forget()
    with pytest.raises(errors.InvalidInput, match="history"):
        memory.add(graphmem.Draft(type="Goal", text="x", recorded_at=WHEN))
    with pytest.raises(errors.ConfigurationError, match="does not open"), RemoteMemory(url, ALICE, user_id="bob") as other:
        other.stats()
    with pytest.raises(errors.StoreUnavailable, match="serve rest"), RemoteMemory("http://127.0.0.1:1", user_id="bob") as nobody:
        nobody.stats()


def test_the_working_memory_of_a_session(memory: RemoteMemory) -> None:
    goal = memory.add(Goal("Fly to Shanghai", status="pending"))[0].memory
    assert goal is not None
    held = memory.working_memory("s/1", capacity=5)
    assert held.items == ()
    assert "Fly to Shanghai" in [one.text for one in held.observe("How far are we with Shanghai?")]
    held.pin(goal.id)
    assert memory.working_memory("s/1", capacity=5).pinned == {goal.id}
    assert held.metrics().pinned == 1
    assert "Shanghai" in held.context(300).text
    held.unpin(goal.id)
    assert held.pinned == frozenset()
    held.clear()
    assert memory.working_memory("s/1").items == ()
    with pytest.raises(errors.NotFound):
        held.pin("nothing")
    assert memory.profile().goals[0].id == goal.id


def test_upkeep(memory: RemoteMemory) -> None:
    memory.add([Goal("Fly to Shanghai", status="pending"), Fact(subject="Alice", relation="lives_in", object="Leeds")])
    assert "added" in {one.kind for one in memory.changes(WHEN)}
    assert memory.changes(datetime(2200, 1, 1, tzinfo=UTC)) == []
    planned = memory.consolidate(dry_run=True)
    assert planned.dry_run
    assert memory.report(WHEN).user_id == memory.user_id
    with pytest.raises(errors.GraphMemError):
        memory.undo("nothing")


def test_views_share_the_connection(memory: RemoteMemory) -> None:
    other = memory.for_user("another")
    other.add(Fact(subject="Bob", relation="likes", object="tea"))
    assert other.count() >= 1
    assert memory.count() == 0
    assert ROOT not in repr(memory)


def test_the_verbs_are_those_of_memory() -> None:
    for name in VERBS:
        theirs, ours = (inspect.signature(getattr(kind, name)).parameters for kind in (Memory, RemoteMemory))
        missing = set(theirs) - set(ours) - {"progress", "recall", "turns"}
        assert not missing, (name, missing)


@pytest.mark.slow
def test_what_would_be_learned_comes_back_as_drafts(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", extraction=True) as url, RemoteMemory(url, user_id="u") as memory:
        drafts = memory.extract("I moved to Lisbon.", speaker="Mira", said_at=WHEN)
        assert "Lisbon" in [one.properties.get("object") for one in drafts]
        assert memory.count() == 0
        outcome = memory.remember("I moved to Lisbon.", speaker="Mira", said_at=WHEN).outcomes[0]
        assert outcome.memory is not None
        assert memory.recall("Where does Mira live?")[0].memory.id == outcome.memory.id


async def _asks(url: str) -> int:
    async with AsyncRemoteMemory(url, ROOT, user_id="async") as memory:
        await memory.remember("I live in Leeds.", speaker="Alice")
        view = memory.for_user("async")
        held = await view.working_memory("s1")
        await held.observe("Where is Leeds?")
        await held.clear()
        return len(await view.recall("Leeds"))


def test_awaitable(url: str) -> None:
    import anyio  # noqa: PLC0415 — this test alone

    assert anyio.run(_asks, url) == 1
