"""Revising: correcting, retracting, restoring, resolving, linking and merging, each of which can be seen in history."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import InvalidInput, InvalidSlot, NotFound
from graphmem.model import Disputed, Draft, DraftLink, Ignored, Outcome, Reinforced, Rejected, Superseded
from tests.flows.world import USER, World, day, fact, learned, turn


def correct(world: World, memory_id: str, text: str | None = None, **slots: Any) -> Outcome:
    return world.run(world.reviser.correct(USER, memory_id, text=text, slots=slots))


def retract(world: World, memory_id: str, reason: str = "it never was so") -> Any:
    return world.run(world.reviser.retract(USER, memory_id, reason))


def restore(world: World, memory_id: str) -> Any:
    return world.run(world.reviser.restore(USER, memory_id))


def resolve(world: World, conflict_id: str, keep: Any, reason: str = "asked") -> Any:
    return world.run(world.reviser.resolve(USER, conflict_id, keep, reason))


def test_correcting_a_claim_makes_a_new_one_in_its_place() -> None:
    with World() as world:
        wrong = world.one(fact("Ann", "lives_in", "Bern", valid_from=day(-9)))
        outcome = correct(world.on(2), wrong.memory.id, object="Biel")
        assert isinstance(outcome, Superseded)
        assert outcome.memory.text == "Ann lives in Biel"
        assert outcome.memory.valid_from == day(-9)
        assert [(old.id, old.state) for old in outcome.old] == [(wrong.memory.id, "invalid")]
        assert world.values("lives_in", at=day(-5)) == ["Biel"]
        assert world.values("lives_in", at=day(-5), as_of=day(1)) == ["Bern"]
        assert restore(world.on(3), wrong.memory.id).memory.state == "current"
        assert world.values("lives_in") == ["Bern"]


def test_correcting_the_subject_moves_the_claim_to_another_key() -> None:
    with World() as world:
        wrong = world.one(fact("Ann", "lives_in", "Bern"))
        outcome = correct(world, wrong.memory.id, subject="Anna Lind")
        assert isinstance(outcome, Superseded)
        assert outcome.memory.properties["subject"] == "Anna Lind"
        assert world.get(wrong.memory.id).state == "invalid"


def test_correcting_only_the_words_keeps_the_id() -> None:
    with World() as world:
        told = world.one(fact("Ann", "lives_in", "Bern"))
        outcome = correct(world.on(1), told.memory.id, text="Ann's flat is in Bern")
        assert outcome.memory is not None
        assert (outcome.memory.id, outcome.memory.text) == (told.memory.id, "Ann's flat is in Bern")
        assert [one.memory.text for one in world.history(told.memory.id)] == ["Ann lives in Bern", "Ann's flat is in Bern"]


def test_correcting_what_claims_nothing_keeps_the_id_and_writes_a_belief() -> None:
    with World() as world:
        goal = world.one(Draft(type="Goal", text="Paint the fence", properties={"priority": "low"}))
        outcome = correct(world.on(1), goal.memory.id, text="Paint the shed", priority="high")
        assert isinstance(outcome, Superseded)
        assert (outcome.memory.id, outcome.memory.text, outcome.memory.properties["priority"]) == (goal.memory.id, "Paint the shed", "high")
        assert world.run(world.store.memories(USER, [goal.memory.id]))[0].text == "Paint the shed"
        with pytest.raises(InvalidSlot):
            correct(world, goal.memory.id, priority="whenever")
        with pytest.raises(InvalidInput):
            correct(world, goal.memory.id)


def test_an_episode_is_not_corrected_and_what_is_not_there_is_not_found() -> None:
    with World() as world:
        world.write(turn("e", "Hello there.", day(0)))
        with pytest.raises(InvalidInput):
            correct(world, "e", text="Goodbye")
        for verb in (lambda: correct(world, "gone", text="x"), lambda: retract(world, "gone"), lambda: restore(world, "gone")):
            with pytest.raises(NotFound):
                verb()
        with pytest.raises(NotFound):
            world.history("gone")


def test_a_task_moves_along_its_state_machine() -> None:
    def status(value: str, reason: str | None = None) -> Outcome:
        return world.run(world.reviser.set_status(USER, goal.memory.id, value, reason=reason))

    with World() as world:
        goal = world.one(Draft(type="Goal", text="Book the hall"))
        assert isinstance(status("doing"), Superseded)
        assert isinstance(status("进行中"), Ignored)
        assert isinstance(status("done"), Superseded)
        refused = status("pending")
        assert isinstance(refused, Rejected)
        assert "reason" in refused.why
        assert isinstance(correct(world, goal.memory.id, status="pending"), Rejected)
        reopened = status("pending", "the hall cancelled")
        assert reopened.memory is not None
        assert reopened.memory.reason == "the hall cancelled"
        with pytest.raises(InvalidSlot):
            status("someday")
        other = world.one(Draft(type="Observation", text="The hall is cold."))
        with pytest.raises(InvalidSlot):
            world.run(world.reviser.set_status(USER, other.memory.id, "done"))


def test_a_retraction_gives_the_field_back_and_can_be_undone() -> None:
    with World() as world:
        old = world.one(fact("Ann", "works_at", "Falter"))
        new = world.on(5).one(fact("Ann", "works_at", "Kranich"))
        gone = retract(world.on(8), new.memory.id, "a rumour")
        assert gone.memory.state == "invalid"
        assert "Ann works at Falter" in gone.why
        assert world.values("works_at") == ["Falter"]
        assert world.values("works_at", as_of=day(6)) == ["Kranich"]
        assert world.get(old.memory.id).superseded_at is None
        with pytest.raises(InvalidInput):
            retract(world, new.memory.id)
        back = restore(world.on(9), new.memory.id)
        assert isinstance(back, Reinforced)
        assert back.memory.state == "current"
        assert world.values("works_at") == ["Kranich"]
        assert world.values("works_at", as_of=day(8.5)) == ["Falter"]
        with pytest.raises(InvalidInput):
            restore(world, new.memory.id)


def test_a_retracted_claim_may_be_said_again() -> None:
    with World() as world:
        first = world.one(fact("Ann", "works_at", "Falter", valid_from=day(-3)))
        retract(world.on(1), first.memory.id)
        again = world.on(2).one(fact("Ann", "works_at", "Falter", valid_from=day(-3)))
        assert again.memory.state == "current"
        assert world.values("works_at") == ["Falter"]
        assert [one.memory.state for one in world.history(first.memory.id)] == ["current", "invalid", "current"]


def test_what_superseded_by_relationship_is_taken_back_with_its_retraction() -> None:
    with World() as world:
        old = world.one(fact("state", "theme", "dark"))
        note = world.one(Draft(type="Observation", text="The lamp is on."))
        new = world.on(1).one(fact("state", "palette", "light", links=(DraftLink("SUPERSEDES", target_id=old.memory.id),)))
        later = world.one(Draft(type="Observation", text="The lamp is off.", links=(DraftLink("SUPERSEDES", target_id=note.memory.id),)))
        retract(world.on(2), new.memory.id)
        retract(world, later.memory.id)
        assert world.get(old.memory.id).state == "current"
        assert world.get(note.memory.id).state == "current"
        assert restore(world, later.memory.id).memory.state == "current"


def test_conclusions_from_a_retracted_premise_are_marked() -> None:
    with World() as world:
        premise = world.one(fact("Ann", "allergic_to", "nuts"))
        drawn = world.one(fact("Ann", "avoids dish", "pesto", source="inferred"))
        further = world.one(
            fact("Ann", "avoids place", "Trattoria Sole", source="inferred", links=(DraftLink("DERIVED_FROM", target_id=drawn.memory.id),))
        )
        world.run(world.reviser.link(USER, premise.memory.id, "supports", drawn.memory.id))
        retract(world, premise.memory.id)
        for one in (drawn, further):
            assert world.get(one.memory.id).metadata["premise_retracted"]


SIDES: list[tuple[str, list[str], dict[str, str]]] = [
    ("new", ["Biel"], {"Bern": "superseded", "Biel": "current"}),
    ("old", ["Bern"], {"Bern": "current", "Biel": "invalid"}),
    ("both", ["Bern", "Biel"], {"Bern": "current", "Biel": "current"}),
    ("neither", [], {"Bern": "invalid", "Biel": "invalid"}),
]


@pytest.mark.parametrize(("keep", "held", "states"), SIDES)
def test_a_dispute_is_settled_and_opened_again(keep: str, held: list[str], states: dict[str, str]) -> None:
    with World() as world:
        world.one(fact("Ann", "lives_in", "Bern"))
        asked = world.on(3).one(fact("Ann", "lives_in", "Biel", confidence=0.4))
        assert isinstance(asked, Disputed)
        outcome = resolve(world.on(4), asked.conflict_id, keep)
        assert keep in outcome.why
        assert world.values("lives_in") == held
        found = world.held("lives_in", states=("current", "superseded", "invalid", "disputed"))
        assert {str(one.properties["object"]): one.state for one in found} == states
        assert world.conflicts() == []
        assert {one.state for one in world.held("lives_in", as_of=day(3.5))} == {"disputed"}
        with pytest.raises(NotFound):
            resolve(world, asked.conflict_id, keep)
        restore(world.on(5), asked.conflict_id)
        assert [one.id for one in world.conflicts()] == [asked.conflict_id]
        assert {one.state for one in world.held("lives_in")} == {"disputed"}


@pytest.mark.parametrize(
    ("keep", "states"), [("new", ("invalid", "current")), ("old", ("current", "invalid")), ("both", ("current", "current"))]
)
def test_a_dispute_between_different_matters_is_settled(keep: str, states: tuple[str, str]) -> None:
    with World() as world:
        claim = world.one(fact("soil", "acidity", "high"))
        doubt = world.on(1).one(
            Draft(type="Observation", text="Clover grows.", links=(DraftLink("CONTRADICTS", target_id=claim.memory.id),))
        )
        (asked,) = world.conflicts()
        resolve(world, asked.id, keep)
        assert tuple(world.get(one.memory.id).state for one in (claim, doubt)) == states
        restore(world, asked.id)
        assert {world.get(one.memory.id).state for one in (claim, doubt)} == {"disputed"}


def test_what_to_keep_is_one_of_four() -> None:
    with World() as world, pytest.raises(InvalidInput):
        resolve(world, "x", "newest")


def test_history_by_subject_names_its_sources() -> None:
    with World() as world:
        world.write(turn("e1", "I live in Bern.", day(-3)), fact("Ann", "lives_in", "Bern", links=learned(0), valid_from=day(-3)))
        world.write(turn("e2", "Still in Bern.", day(-2)), fact("Ann", "lives_in", "Bern", links=learned(0), valid_from=day(-2)))
        world.write(fact("Ann", "knows", "Cy"), fact("Ann", "owns", "kite"))
        told = world.history(subject="Ann", relation="resides in")
        assert {one.memory.properties["object"] for one in told} == {"Bern"}
        assert {source.episode_id for one in told for source in one.sources} == {"e1", "e2"}
        assert {str(one.memory.properties["object"]) for one in world.history(subject="ann")} == {"Bern", "Cy", "kite"}
        assert [one.memory.properties["subject"] for one in world.history(subject="Cy", relation="knows")] == ["Ann"]
        assert world.history(subject="nobody") == []
        world.write(Draft(type="Preference", properties={"subject": "Ann", "object": "okra", "polarity": "like"}))
        assert [one.memory.type for one in world.history(subject="Ann", relation="likes")] == ["Preference"]
        with pytest.raises(InvalidInput):
            world.history()


def test_links_act_and_are_taken_back() -> None:
    def link(source: str, relationship: str, target: str) -> None:
        world.run(world.reviser.link(USER, source, relationship, target))

    def unlink(source: str, relationship: str, target: str) -> None:
        world.run(world.reviser.unlink(USER, source, relationship, target))

    with World() as world:
        old, new = world.one(fact("state", "theme", "dark")), world.one(fact("state", "palette", "light"))
        first, second = world.one(Draft(type="Observation", text="Rain.")), world.one(Draft(type="Observation", text="Sun."))
        world.on(2)
        for one, other in ((new, old), (second, first)):
            link(one.memory.id, "supersedes", other.memory.id)
            assert world.get(other.memory.id).state == "superseded"
            unlink(one.memory.id, "supersedes", other.memory.id)
            assert world.get(other.memory.id).state == "current"
        link(first.memory.id, "conflict", second.memory.id)
        assert world.get(second.memory.id).state == "disputed"
        unlink(second.memory.id, "CONTRADICTS", first.memory.id)
        assert {world.get(one.memory.id).state for one in (first, second)} == {"current"}
        before = world.get(new.memory.id).confidence
        link(second.memory.id, "supports", new.memory.id)
        assert world.get(new.memory.id).confidence > before
        unlink(second.memory.id, "supports", new.memory.id)
        assert world.get(new.memory.id).confidence == pytest.approx(before, abs=1e-3)
        link(second.memory.id, "about", "The Garden")
        assert "The Garden" in world.get(second.memory.id).entities
        with pytest.raises(NotFound):
            unlink(first.memory.id, "supports", new.memory.id)
        with pytest.raises(InvalidInput):
            link(first.memory.id, "subtask_of", new.memory.id)
        with pytest.raises(InvalidInput):
            link(first.memory.id, "refers_to", first.memory.id)


def test_merging_entities_reconciles_their_claims_and_splitting_undoes_it() -> None:
    with World() as world:
        world.one(fact("Robert", "lives_in", "Leeds"))
        world.on(2).one(fact("Bobby", "lives_in", "York"))
        world.one(fact("Cy", "knows", "Bobby"))
        assert world.values("lives_in") == ["Leeds", "York"]
        world.run(world.reviser.merge_entities(USER, "Robert", "Bobby"))
        assert world.values("lives_in") == ["York"]
        moved = world.on(3).one(fact("Bobby", "lives_in", "Hull"))
        assert isinstance(moved, Superseded)
        assert world.values("lives_in") == ["Hull"]
        same = world.one(fact("Cy", "knows", "Robert"))
        assert isinstance(same, Reinforced)
        with pytest.raises(InvalidInput):
            world.run(world.reviser.merge_entities(USER, "Robert", "Bobby"))
        world.run(world.reviser.split_entity(USER, "Robert"))
        assert world.values("lives_in") == ["Hull", "York"]
        with pytest.raises(InvalidInput):
            world.run(world.reviser.split_entity(USER, "Robert"))
        with pytest.raises(NotFound):
            world.run(world.reviser.merge_entities(USER, "Robert", "nobody"))
