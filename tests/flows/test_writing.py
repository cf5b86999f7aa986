"""Writing: what becomes of drafts, one by one and together, on a real store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.model import Added, Disputed, Draft, DraftLink, Mention, Reinforced, Rejected, Superseded
from graphmem.text import fold
from graphmem.writing_outdated import outdated_by
from tests.flows.world import USER, World, day, fact, goal, kinds, learned, turn


def test_a_first_value_is_added_and_said_again_it_is_reinforced() -> None:
    with World() as world:
        first = world.one(fact("Mona", "lives in", "Graz"))
        again = world.on(3).one(fact("mona", "resides at", "GRAZ"))
        assert isinstance(first, Added)
        assert isinstance(again, Reinforced)
        assert again.memory.id == first.memory.id
        assert again.memory.reinforcements == 1
        assert again.memory.strength > first.memory.strength
        assert again.memory.confidence > first.memory.confidence
        assert len(world.everything()) == 1


def test_a_newer_value_supersedes_and_the_old_one_is_found_in_the_past() -> None:
    with World() as world:
        old = world.one(fact("Mona", "lives_in", "Graz"))
        new = world.on(9).one(fact("Mona", "lives_in", "Linz"))
        assert isinstance(new, Superseded)
        assert [one.id for one in new.old] == [old.memory.id]
        assert (new.old[0].state, new.old[0].valid_to, new.old[0].superseded_at) == ("superseded", day(9), day(9))
        assert world.values("lives_in") == ["Linz"]
        assert world.values("lives_in", at=day(5)) == ["Graz"]
        assert world.values("lives_in", as_of=day(5)) == ["Graz"]
        drawn = world.run(world.store.relationships(USER, [new.memory.id], ["SUPERSEDES"]))
        assert [hop.other for hop in drawn] == [old.memory.id]


def test_there_and_back_again_makes_three_memories_and_three_versions() -> None:
    with World() as world:
        for number, city in enumerate(["Graz", "Linz", "Graz"]):
            world.on(number * 5).one(fact("Mona", "lives_in", city))
        found = world.held("lives_in", states=("current", "superseded"))
        assert len({memory.id for memory in found}) == 3
        assert {
            (one.memory.properties["object"], one.valid_from, one.valid_to) for one in world.history(subject="Mona", relation="lives in")
        } >= {
            ("Graz", day(0), day(5)),
            ("Linz", day(5), day(10)),
            ("Graz", day(10), None),
        }


def test_a_late_arrival_keeps_ids_and_moves_boundaries() -> None:
    with World() as world:
        first = world.one(fact("Mona", "works_at", "Nordlicht", valid_from=day(-300)))
        last = world.on(1).one(fact("Mona", "works_at", "Kranich", valid_from=day(-10)))
        late = world.on(2).one(fact("Mona", "works_at", "Falter", valid_from=day(-100)))
        assert isinstance(late, Added)
        assert late.memory.state == "superseded"
        assert "late" in late.why
        assert world.get(first.memory.id).valid_to == day(-100)
        assert world.get(last.memory.id).valid_from == day(-10)
        assert world.values("works_at", at=day(-50)) == ["Falter"]
        assert world.values("works_at", at=day(-50), as_of=day(1.5)) == ["Nordlicht"]
        chain = {
            (hop.relationship.source_id, hop.relationship.target_id)
            for hop in world.run(world.store.relationships(USER, [late.memory.id], ["SUPERSEDES"]))
        }
        assert chain == {(last.memory.id, late.memory.id), (late.memory.id, first.memory.id)}


def test_a_late_value_in_the_middle_of_a_reinforced_one_splits_it() -> None:
    with World() as world:
        first = world.one(fact("Mona", "job_title", "baker", valid_from=day(-90)))
        world.one(fact("Mona", "job_title", "baker", valid_from=day(-10)))
        world.on(1).one(fact("Mona", "job_title", "florist", valid_from=day(-50)))
        bakers = [one for one in world.held("job_title", states=("current", "superseded")) if one.properties["object"] == "baker"]
        assert {(one.valid_from, one.valid_to, one.state) for one in bakers} == {
            (day(-90), day(-50), "superseded"),
            (day(-10), None, "current"),
        }
        assert first.memory.id in {one.id for one in bakers}


@pytest.mark.parametrize(
    ("first", "second", "question"),
    [
        (fact("Bob", "lives_in", "Paris"), fact("Bob", "lives_in", "Berlin"), "Is Bob's home Paris or Berlin now?"),
        (fact("老魏", "age", "51", text="老魏51岁。"), fact("老魏", "age", "61岁", text="老魏61岁。"), "老魏的年龄现在是51还是61？"),
        (
            fact("Iris", "favorite", "teal", qualifiers={"of": "color"}),
            fact("Iris", "favorite", "ochre", qualifiers={"of": "colour"}),
            "Is Iris' favorite color teal or ochre now?",
        ),
        (fact("porch", "budget", "900 EUR"), fact("porch", "budget", "€950"), "Is porch's budget 900 EUR or 950 EUR now?"),
    ],
)
def test_a_full_tie_is_disputed_with_a_question_in_the_language_of_the_text(first: Draft, second: Draft, question: str) -> None:
    with World() as world:
        old, new = world.add(first, second)
        assert isinstance(new, Disputed)
        assert new.question == question
        assert old.memory is not None
        assert new.other.id == old.memory.id
        assert [fold(one.question) for one in world.conflicts()] == [fold(question)]
        assert world.conflicts()[0].id == new.conflict_id
        assert {memory.state for memory in world.held()} == {"disputed"}


def test_preferences_turn_over_and_ask() -> None:
    def taste(polarity: str, **more: Any) -> Draft:
        return Draft(type="Preference", properties={"subject": "Li", "object": "okra", "polarity": polarity, "strength": 0.5}, **more)

    with World() as world:
        liked = world.one(taste("like"))
        again = world.on(1).one(taste("喜欢"))
        assert again.memory.id == liked.memory.id
        assert again.memory.properties["strength"] > 0.5
        turned = world.on(2).one(taste("dislike"))
        assert isinstance(turned, Superseded)
        asked = world.one(taste("like", valid_from=day(2)))
        assert isinstance(asked, Disputed)
        assert asked.question == "Does Li like or dislike okra now?"


def test_constraints_compare_with_their_units() -> None:
    def limit(value: str) -> Draft:
        return Draft(type="Constraint", properties={"subject": "trip", "attribute": "budget", "operator": "lte", "value": value})

    with World() as world:
        first = world.one(limit("5000元"))
        same = world.on(1).one(limit("5,000 CNY"))
        other = world.on(2).one(limit("6000元"))
        assert same.memory.id == first.memory.id
        assert isinstance(other, Superseded)


def test_what_opposes_across_predicates_stays_and_is_joined() -> None:
    with World() as world:
        world.one(Draft(type="Preference", properties={"subject": "Mia", "object": "cats", "polarity": "like"}))
        world.on(1).one(fact("Mia", "allergic_to", "cat hair"))
        world.one(fact("Mia", "allergic_to", "pollen"))
        (found,) = world.conflicts()
        assert found.decided
        assert {side.state for side in found.sides} == {"current"}
        assert len(found.sides) == 2


def test_an_explicit_end_leaves_nothing_in_its_place() -> None:
    with World() as world:
        world.one(fact("Joel", "works_at", "Kranich"))
        ended = world.on(30).one(fact("Joel", "works_at", "Kranich", act="end", valid_from=day(20)))
        assert isinstance(ended, Superseded)
        assert ended.memory.valid_to == day(20)
        assert world.values("works_at") == []
        assert world.values("works_at", at=day(10)) == ["Kranich"]
        unknown = world.one(fact("Joel", "studies_at", "Brine College", act="end"))
        assert isinstance(unknown, Added)
        assert unknown.memory.state == "superseded"
        assert unknown.memory.valid_to == day(30)


def test_a_correction_takes_the_place_of_what_never_was() -> None:
    with World() as world:
        wrong = world.one(fact("Mia", "born_on", "2019-05-17", valid_from=day(-10)))
        right = world.on(2).one(fact("Mia", "born_on", "2019-05-16", act="correct"))
        assert isinstance(right, Superseded)
        assert [(one.id, one.state) for one in right.old] == [(wrong.memory.id, "invalid")]
        assert right.memory.valid_from == day(-10)


def test_policies_by_call() -> None:
    with World() as world:
        world.one(fact("Ben", "name", "Ben"))
        (refused,) = world.on(1).write(fact("Ben", "name", "Benno"), policy="reject_new")
        assert isinstance(refused, Rejected)
        assert refused.draft is not None
        assert "reject_new" in refused.why
        both = world.one(fact("Ben", "name", "Benno"), policy="keep_both")
        assert isinstance(both, Added)
        assert world.values("name") == ["Ben", "Benno"]


def test_a_store_may_have_its_own_policy() -> None:
    with World(default_policy="dispute") as world:
        world.one(fact("Ben", "age", 40))
        assert isinstance(world.on(1).one(fact("Ben", "age", 41)), Disputed)


def test_duplicates_and_updates_inside_one_call() -> None:
    with World() as world:
        outcomes = world.add(
            fact("Ida", "lives_in", "Bern", valid_from=day(-9)),
            fact("Ida", "lives_in", "Bern", valid_from=day(-9)),
            fact("Ida", "lives_in", "Chur", valid_from=day(-2)),
            fact("Ida", "lives_in", "Thun", valid_from=day(-5)),
        )
        assert kinds(outcomes) == ["Added", "Reinforced", "Superseded", "Added"]
        assert world.values("lives_in") == ["Chur"]
        assert world.values("lives_in", at=day(-3)) == ["Thun"]


def test_the_same_conversation_again_changes_nothing() -> None:
    def conversation() -> list[Draft]:
        return [
            turn("e1", "I live in Bern.", day(-3)),
            fact("Ann", "lives_in", "Bern", links=learned(0), valid_from=day(-3)),
            turn("e2", "I moved to Chur.", day(-1), number=1, links=(DraftLink("FOLLOWS", target_index=0),)),
            fact("Ann", "lives_in", "Chur", links=learned(2), valid_from=day(-1)),
        ]

    with World() as world:
        assert kinds(world.write(*conversation())) == ["Added", "Added", "Added", "Superseded"]
        before = (world.everything(), world.run(world.store.totals(USER)))
        assert kinds(world.on(1).write(*conversation())) == ["Ignored"] * 4
        after = world.run(world.store.totals(USER))
        assert [one.id for one in world.everything()] == [one.id for one in before[0]]
        assert after == before[1]


def test_a_turn_whose_claims_are_all_replaced_is_outdated() -> None:
    with World() as world:
        world.write(turn("e1", "I live in Bern.", day(-9)), fact("Ann", "lives_in", "Bern", links=learned(0), valid_from=day(-9)))
        world.write(turn("e2", "I moved to Chur.", day(-5)), fact("Ann", "lives_in", "Chur", links=learned(0), valid_from=day(-5)))
        (last,) = world.write(fact("Ann", "lives_in", "Thun", valid_from=day(-1)))
        found = world.run(outdated_by(world.store, USER, ["e1", "e2"], day(0)))
        assert {episode: [one.id for one in heirs] for episode, heirs in found.items()} == {
            "e1": [last.memory.id if last.memory else ""],
            "e2": [last.memory.id if last.memory else ""],
        }
        assert world.run(outdated_by(world.store, USER, ["e1", "e2"], day(-3))).keys() == {"e1"}


def test_facts_that_were_written_down_decide_whether_a_turn_is_outdated() -> None:
    with World() as world:
        world.write(
            turn("e1", "Ship the kiln by May, budget 200 EUR.", day(-9)),
            fact("kiln", "plan", "ship by May", links=learned(0)),
            fact("kiln", "budget", "200 EUR", links=learned(0), extractor="rules", confidence=0.9),
            Draft(type="Goal", text="Ship the kiln", links=learned(0)),
        )
        (old,) = (one for one in world.held("plan"))
        world.on(1).one(fact("kiln", "plan", "sell it", links=(DraftLink("SUPERSEDES", target_id=old.id),)))
        assert world.run(outdated_by(world.store, USER, ["e1"], day(1))).keys() == {"e1"}
        world.write(turn("e2", "I like okra.", day(1), number=1), Draft(type="Goal", text="Buy okra", links=learned(0)))
        assert world.run(outdated_by(world.store, USER, ["e2", "gone"], day(1))) == {}


def test_nicknames_and_parts_of_names() -> None:
    with World() as world:
        world.write(fact("Robert Hale", "nickname", "Bob"), fact("Robert Hale", "lives_in", "Leeds"))
        moved = world.on(5).one(fact("Bob", "lives_in", "York"))
        assert isinstance(moved, Superseded)
        world.write(turn("e", "Amy Wong came by.", day(5), mentions=(Mention("Amy Wong", "Person", "mentions"),)))
        world.write(turn("e2", "Amy is well.", day(6), number=1, mentions=(Mention("Amy", "Person", "mentions"),)))
        assert world.get("e2").refs[-1].id == world.get("e").refs[-1].id
        assert world.get("e2").entities[-1] == "Amy"


def test_two_people_of_one_name_stay_apart_by_their_birth_dates() -> None:
    def born(date: str, **more: Any) -> Draft:
        return fact("Jo Smith", "born_on", date, **more)

    with World() as world:
        world.one(born("1961-04-02"))
        other = world.on(1).add(born("1994-08-30", session_id="s"), fact("Jo Smith", "lives_in", "Hull", session_id="s"))
        assert kinds(other) == ["Added", "Added"]
        assert len(world.held("born_on")) == 2
        assert kinds(world.on(2).add(born("1994-08-30"))) == ["Reinforced"]
        assert kinds(world.add(born("1961-04-12"))) == ["Superseded"]
        moved = world.on(3).one(fact("Jo Smith", "lives_in", "York", session_id="s"))
        assert isinstance(moved, Superseded)
        assert kinds(world.add(fact("Jo Smith", "lives_in", "Leeds", session_id="elsewhere"))) == ["Added"]
        assert world.values("lives_in") == ["Leeds", "York"]
        assert kinds(world.add(born("1935-01-01"))) == ["Added"]
        assert len(world.held("born_on")) == 3


def test_a_nickname_finds_its_bearer_in_either_order() -> None:
    with World() as world:
        world.one(fact("Bert", "lives_in", "Leeds"))
        world.one(fact("Bertram", "nickname", "Bert"))
        assert isinstance(world.on(5).one(fact("Bertram", "lives_in", "York")), Superseded)


def test_symmetric_and_inverse_relations_are_one_claim() -> None:
    with World() as world:
        first = world.one(fact("Ada", "married_to", "Bo"))
        mirrored = world.on(1).one(fact("Bo", "married to", "Ada"))
        parent = world.one(fact("Cy", "parent_of", "Di"))
        child = world.one(fact("Di", "child_of", "Cy"))
        assert mirrored.memory.id == first.memory.id
        assert child.memory.id == parent.memory.id


def test_a_goal_said_again_is_the_same_and_an_update_finds_it_by_its_name() -> None:
    with World() as world:
        flight = world.one(goal("Book the flight to Oslo"))
        world.one(goal("Water the plants"))
        again = world.on(1).one(goal("book the flight to Oslo", slots={"priority": "high"}))
        assert isinstance(again, Reinforced)
        assert again.memory.id == flight.memory.id
        assert again.memory.properties["priority"] == "high"
        done = world.on(2).one(goal("booked", slots={"status": "done"}, update=True, hint="flight"))
        assert done.memory.id == flight.memory.id
        assert done.memory.properties["status"] == "completed"
        assert [one.memory.properties["status"] for one in world.history(flight.memory.id)] == ["pending", "pending", "completed"]
        (nothing,) = world.write(goal("ironed", slots={"status": "done"}, update=True, hint="shirts"))
        assert isinstance(nothing, Rejected)
        assert "shirts" in nothing.why


def test_two_goals_that_fit_a_hint_are_left_alone() -> None:
    with World() as world:
        world.add(goal("Call the dentist"), goal("Call the plumber"))
        (unclear,) = world.write(goal("called", slots={"status": "done"}, update=True, hint="call"))
        assert isinstance(unclear, Rejected)


def test_instructions_said_twice_are_one() -> None:
    with World() as world:
        order = Draft(type="Instruction", properties={"content": "Always answer in Dutch."}, text="Always answer in Dutch.")
        first = world.one(order)
        assert isinstance(world.on(1).one(order), Reinforced)
        assert [one.id for one in world.everything()] == [first.memory.id]


@pytest.mark.parametrize(
    ("stated", "news"), [("I plan to write chapter 3", "Chapter 3 is done"), ("我打算写完论文第三章", "论文第三章写完了")]
)
def test_news_that_name_an_open_goal_close_it_and_add_none(stated: str, news: str) -> None:
    with Memory.open(":memory:", settings=Settings(embedder="none")) as memory:
        memory.remember(stated + ".", speaker="Mei", session_id="s", said_at=datetime(2026, 3, 1, tzinfo=UTC))
        memory.remember(news + ".", speaker="Mei", session_id="s", said_at=datetime(2026, 3, 2, tzinfo=UTC))
        assert [one.properties["status"] for one in memory.list({"type": "Goal"})] == ["completed"]
