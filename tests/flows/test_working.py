"""Working memory over an embedded store: bounded, pinned, persisted, with chains, moods and metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Memory, Message
from graphmem.config import load_settings
from graphmem.errors import InvalidInput, NotFound
from graphmem.model import Recollection
from graphmem.ports import Selection
from graphmem.recall_finish import Basis, Finisher, Notes
from graphmem.sync import BlockingWorkingMemory
from graphmem.testing import FakeEmbedder, FrozenClock
from tests.flows.chains_world import NOW, load

BARE = load_settings(embedder="none", extraction=False, timezone="UTC")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", settings=BARE, clock=FrozenClock(NOW), embedder=FakeEmbedder(32)) as opened:
        yield opened


def held(working: BlockingWorkingMemory, ids: dict[str, str]) -> set[str]:
    known = {id_: name for name, id_ in ids.items()}
    return {known.get(one.id, one.text) for one in working.items}


def test_a_question_fills_it_with_its_chain_within_the_capacity(memory: Memory) -> None:
    ids = load(memory)
    working = memory.working_memory("s", capacity=6)
    shown = working.observe("How far along is the tree house?")
    assert shown == working.items
    assert len(shown) == 6
    assert {"tree", "height", "saw"} <= held(working, ids)
    assert not {"slips", "spade", "tax"} & held(working, ids)
    assert "oak" not in held(working, ids) or "elm" in held(working, ids)


def test_another_question_moves_on_but_open_goals_and_limits_stay_longer(memory: Memory) -> None:
    ids = load(memory)
    working = memory.working_memory("s", capacity=5)
    working.observe("How far along is the tree house?")
    working.observe("What is left for the tax return?")
    assert {"tax", "slips"} <= held(working, ids)
    assert held(working, ids) & {"tree", "height"}


def test_pins_stay_and_cost_the_least_valuable(memory: Memory) -> None:
    ids = load(memory)
    working = memory.working_memory("s", capacity=2)
    working.observe("How far along is the tree house?")
    working.pin(ids["spade"])
    assert working.items[0].id == ids["spade"]
    assert working.pinned == {ids["spade"]}
    working.observe("What is left for the tax return?")
    assert ids["spade"] in {one.id for one in working.items}
    assert len(working.items) == 2
    working.pin(ids["slips"])
    with pytest.raises(InvalidInput, match="pinned"):
        working.pin(ids["tax"])
    working.unpin(ids["spade"])
    assert working.pinned == {ids["slips"]}
    with pytest.raises(NotFound):
        working.pin("nowhere")
    working.clear()
    assert not working.items
    assert memory.get(ids["spade"]).text


def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open(path, settings=BARE, clock=FrozenClock(NOW)) as memory:
        ids = load(memory)
        working = memory.working_memory("s", capacity=4)
        working.observe("How far along is the tree house?")
        working.pin(ids["storm"])
        before = [one.id for one in working.items]
    with Memory.open(path, settings=BARE, clock=FrozenClock(NOW)) as memory:
        working = memory.working_memory("s", capacity=4)
        assert [one.id for one in working.items] == before
        assert working.pinned == {ids["storm"]}
        assert memory.working_memory("other").items == ()
        assert "tree house" in working.context().text
        assert working.context(5).tokens <= 5


def test_what_no_longer_holds_falls_out(memory: Memory) -> None:
    memory.add_triple("boat", "price", "300 EUR", valid_from=NOW - timedelta(days=9))
    working = memory.working_memory("s")
    working.observe("What is the price of the boat?")
    assert len(working.items) == 1
    memory.add_triple("boat", "price", "350 EUR", valid_from=NOW - timedelta(days=1))
    working.observe("What is the price of the boat?")
    assert [str(one.properties["object"]) for one in working.items] == ["350 EUR"]


def test_a_low_mood_brings_something_pleasant_unasked(memory: Memory) -> None:
    like = memory.add({"type": "Preference", "properties": {"subject": "I", "object": "happy moments by the sea", "polarity": "like"}})[0]
    memory.add({"type": "Preference", "properties": {"subject": "I", "object": "happy crowds", "polarity": "dislike"}})
    for room in ("hall", "attic", "kitchen", "office", "shed"):
        memory.add_triple(f"printer of the {room}", "jams", "often")
    working = memory.working_memory("s", capacity=5)
    working.observe(Message("The printer jammed.", "Mira"))
    assert like.memory is not None
    assert like.memory.id not in {one.id for one in working.items}
    working.observe({"role": "user", "content": "I feel so sad today."})
    assert like.memory.id in {one.id for one in working.items}
    working.clear()
    working.observe("今天好难过")
    with pytest.raises(InvalidInput):
        working.observe({"role": "user"})


def test_a_new_frame_ends_the_last_one(memory: Memory) -> None:
    for ago, text in ((3, "We play chess"), (1, "We plan a trip")):
        frame = {"type": "ContextualFrame", "content": {"text": text}, "properties": {"frame_type": "mode", "active": True}}
        memory.add(frame | {"metadata": {"session_id": "s"}, "time": {"valid_from": NOW - timedelta(days=ago)}})
    working = memory.working_memory("s")
    working.observe("What now?")
    assert [one.text for one in working.items if one.type == "ContextualFrame"] == ["We plan a trip"]


def test_metrics_measure_likeness_and_keys(memory: Memory) -> None:
    ids = load(memory)
    working = memory.working_memory("s", capacity=8)
    assert working.metrics([]).key_recall == 1.0
    working.observe("How far along is the tree house?")
    working.pin(ids["tree"])
    metrics = working.metrics([ids["tree"], ids["slips"]])
    assert (metrics.items, metrics.pinned, metrics.key_recall) == (8, 1, 0.5)
    assert metrics.redundancy <= metrics.closest <= 1.0
    assert working.metrics().key_recall is None
    with pytest.raises(InvalidInput, match="capacity"):
        memory.working_memory("s", capacity=0)


def test_the_awaitable_one_is_the_same() -> None:
    async def work() -> tuple[int, float]:
        async with await AsyncMemory.open(":memory:", settings=BARE, clock=FrozenClock(NOW)) as memory:
            await memory.add_triple("boat", "price", "300 EUR")
            working = await memory.working_memory("s")
            return len(await working.observe("What is the price of the boat?")), (await working.metrics()).redundancy

    assert asyncio.run(work()) == (1, 0.0)


def test_what_is_held_counts_less_in_a_recall_of_the_session(memory: Memory) -> None:
    for text in ("The red lamp hums", "The red lamp hisses", "The red lamp glows"):
        memory.add({"type": "Observation", "content": {"text": text}, "properties": {"about": "lamp"}})
    found = memory.recall("Tell me about the red lamp")
    memory.working_memory("s").pin(found[0].memory.id)
    basis = Basis(found.plan, (), {}, {}, Selection(at=NOW), 10, "s")
    engine = memory._memory._engine
    equal = [replace(one, score=1.0) for one in found]

    async def chosen() -> list[Recollection]:
        return await Finisher(engine.store, engine.ontology).finished(memory.user_id, equal, basis, Notes())

    again = memory._run(chosen)
    assert [one.memory.id for one in again][-1] == found[0].memory.id
    assert sorted(one.memory.id for one in memory.recall("Tell me about the red lamp", session_id="s")) == sorted(
        one.memory.id for one in found
    )
