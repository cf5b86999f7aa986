"""Writing: what is refused, what relationships do, states and times that are given, and writers at once."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from graphmem.errors import CycleRefused, InvalidInput, InvalidSlot, NotFound, UnknownType
from graphmem.model import Draft, DraftLink, Ignored, Rejected, Superseded
from graphmem.stores.embedded import EmbeddedStore
from graphmem.writing import Writer
from tests.flows.world import USER, World, day, fact, goal, kinds, turn


def test_what_is_refused_says_why_and_costs_the_rest_nothing() -> None:
    with World() as world:
        outcomes = world.write(
            fact("Ann", "lives_in", "Bern"),
            Draft(type="Fact", properties={"subject": "Ann"}),
            Draft(type="Wish", text="x"),
            fact("Ann", "uses", "Vim", extractor="rules", confidence=0.2),
            fact("Ann", "uses", "Emacs", links=(DraftLink("SUPPORTS", target_id="nowhere"),)),
            goal("Plan", links=(DraftLink("SUBTASK_OF", target_index=0),)),
            fact("Ann", "owns", "kite", valid_from=day(3), valid_to=day(1)),
        )
        assert kinds(outcomes) == ["Added", *["Rejected"] * 6]
        for outcome, word in zip(
            outcomes[1:], ["required", "unknown type", "low_confidence", "nowhere", "SUBTASK_OF", "before it begins"], strict=True
        ):
            assert word in outcome.why
        assert len(world.everything()) == 1


@pytest.mark.parametrize(
    ("draft", "error"),
    [
        (Draft(type="Wish", text="x"), UnknownType),
        (Draft(type="Fact", properties={"subject": "A", "relation": "b", "object": "c", "colour": "red"}), InvalidSlot),
        (Draft(type="Goal", text="g", properties={"status": "someday"}), InvalidSlot),
        (fact("A", "b", "c", links=(DraftLink("KNOWS", target_id="x"),)), UnknownType),
        (fact("A", "b", "c", links=(DraftLink("SUPPORTS", target_id="x"),)), NotFound),
        (fact("A", "b", "c", links=(DraftLink("SUPPORTS"),)), InvalidInput),
        (fact("A", "b", "c", links=(DraftLink("SUPPORTS", target_index=7),)), InvalidInput),
        (fact("A", "b", "c", confidence=1.4), InvalidSlot),
        (Draft(type="Observation", text="   "), InvalidInput),
        (fact("A", "b", "c", valid_from=day(0).replace(tzinfo=None)), InvalidInput),
    ],
)
def test_strict_writing_raises_before_anything_is_stored(draft: Draft, error: type[Exception]) -> None:
    with World() as world:
        with pytest.raises(error):
            world.add(fact("Ann", "lives_in", "Bern"), draft)
        assert world.everything() == []


def test_cycles_are_refused_with_their_path() -> None:
    with World() as world:
        top, middle = world.add(goal("top", id="top"), goal("middle", id="middle", links=(DraftLink("SUBTASK_OF", target_id="top"),)))
        assert top.memory
        assert middle.memory
        with pytest.raises(CycleRefused) as refused:
            world.run(world.reviser.link(USER, "top", "subtask_of", "middle"))
        assert refused.value.path == ("top", "middle", "top")
        new = [
            goal("one", id="one", links=(DraftLink("SUBTASK_OF", target_index=1),)),
            goal("two", id="two", links=(DraftLink("SUBTASK_OF", target_index=0),)),
        ]
        with pytest.raises(CycleRefused):
            world.add(*new)
        assert kinds(world.write(*new)) == ["Added", "Rejected"]


def test_an_id_that_is_taken_is_said_so() -> None:
    with World() as world:
        note = Draft(type="Observation", id="n", text="The kettle sings.")
        world.one(note)
        assert isinstance(world.one(note), Ignored)
        (other,) = world.write(Draft(type="Observation", id="n", text="The kettle is quiet."))
        assert isinstance(other, Rejected)
        assert "correct" in other.why
        world.one(fact("Ann", "lives_in", "Bern", id="home"))
        assert world.get("home").properties["object"] == "Bern"


def test_a_given_state_and_time_are_honoured() -> None:
    with World() as world:
        world.on(10)
        records = [
            fact("Ann", "lives_in", "Bern", state="superseded", recorded_at=day(1), valid_from=day(1)),
            fact("Ann", "lives_in", "Chur", state="current", recorded_at=day(2), valid_from=day(2)),
            fact("Ann", "owns", "kite", state="archived", recorded_at=day(2)),
            Draft(type="Observation", text="It rained.", state="invalid", recorded_at=day(3)),
            Draft(type="Goal", text="Old goal", state="superseded", recorded_at=day(3)),
            fact("Ann", "uses", "Vim", state="expired", recorded_at=day(2)),
        ]
        outcomes = world.add(*records, policy="keep_both")
        states = [one.memory.state for one in outcomes if one.memory]
        assert states == ["superseded", "current", "archived", "invalid", "superseded", "expired"]
        assert [one.memory.recorded_at for one in outcomes if one.memory][:2] == [day(1), day(2)]
        assert world.values("lives_in", as_of=day(1.5)) == ["Bern"]


def test_relationships_act() -> None:
    with World() as world:
        old = world.one(fact("state", "color scheme", "dark"))
        new = world.on(1).one(fact("state", "theme", "light", links=(DraftLink("supersedes", target_id=old.memory.id),)))
        assert isinstance(new, Superseded)
        assert world.get(old.memory.id).state == "superseded"
        again = world.on(2).one(fact("state", "theme", "light", links=(DraftLink("supersedes", target_id=new.memory.id),)))
        assert again.memory.id != new.memory.id
        assert world.get(new.memory.id).state == "superseded"
        claim = world.one(fact("soil", "acidity", "high"))
        sure = world.one(
            Draft(type="Observation", text="The test strip turned red.", links=(DraftLink("evidence", target_id=claim.memory.id),))
        )
        assert world.get(claim.memory.id).confidence > claim.memory.confidence
        doubt = world.one(
            Draft(type="Observation", text="Clover grows there.", links=(DraftLink("conflicts_with", target_id=claim.memory.id),))
        )
        assert {world.get(one).state for one in (claim.memory.id, doubt.memory.id)} == {"disputed"}
        assert sure.memory.state == "current"
        assert "Which is right" in world.conflicts()[0].question


def test_plain_memories_supersede_each_other_when_told_to() -> None:
    with World() as world:
        old = world.one(Draft(type="Observation", text="The gate is open."))
        new = world.on(1).one(Draft(type="Observation", text="The gate is shut.", links=(DraftLink("replaces", target_id=old.memory.id),)))
        assert isinstance(new, Superseded)
        assert world.get(old.memory.id).valid_to == day(1)


def test_long_texts_are_indexed_in_pieces() -> None:
    with World() as world:
        text = "\n".join(f"Line {n} tells of heron number {n}." for n in range(400)) + " " + "x" * 5000
        world.write(turn("long", text, day(0)))
        pieces = world.run(world.store.passages(USER, ["long"]))
        assert len(pieces) > 3
        assert [piece.number for piece in pieces] == list(range(len(pieces)))
        assert world.get("long").text == text


def test_eight_writers_on_one_key_leave_one_value_and_a_whole_history(tmp_path: Path) -> None:
    cities = ["Bern", "Chur", "Thun", "Biel", "Brig", "Sion", "Olten", "Zug"]

    async def scenario(world: World) -> None:
        async def move(number: int, city: str) -> None:
            store = EmbeddedStore(str(tmp_path / "shared.db"))
            await store.open()
            writer = Writer(store, world.ontology, None, world.clock)
            await writer.write(USER, [fact("Ann", "lives_in", city, valid_from=day(0) + timedelta(minutes=number))])
            await store.close()

        async with anyio.create_task_group() as group:
            for number, city in enumerate(cities):
                group.start_soon(move, number, city)

    with World(tmp_path / "shared.db") as world:
        world.on(1).run(scenario(world))
        assert world.values("lives_in") == ["Zug"]
        assert world.values("lives_in", states=("superseded",)) == sorted(cities[:-1])
        spans = sorted((one.valid_from, one.valid_to) for one in world.held("lives_in", states=("current", "superseded")) if one.valid_from)
        assert all(earlier[1] == later[0] for earlier, later in pairwise(spans))
