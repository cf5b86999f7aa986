"""Consolidation: what it does and says, that twice is once, that undo brings the exact export back, that a kill leaves it whole."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory, Message
from graphmem.config import load_settings
from graphmem.embedders.fake import FakeEmbedder
from graphmem.errors import NotFound, StoreUnavailable
from graphmem.model import MemoryRecord
from graphmem.records import Constraint, EmotionalState, Fact, Goal, Observation, Plan, Preference, Rule, Step
from graphmem.testing import FrozenClock

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


class House:
    """A memory and its clock."""

    def __init__(self, path: Path | str = ":memory:") -> None:
        self.clock = FrozenClock(NOON)
        settings_ = load_settings(extraction=False)
        self.memory = Memory.open(path, user_id="alice", settings=settings_, embedder=FakeEmbedder(), clock=self.clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.memory.close()

    def add(self, draft: object) -> MemoryRecord:
        found = self.memory.add(draft)[0].memory  # type: ignore[arg-type]
        assert found is not None
        return found

    def state(self, memory: MemoryRecord) -> str:
        return self.memory.get(memory.id).state

    def kinds(self, *, dry_run: bool = False) -> list[str]:
        return [action.kind for action in self.memory.consolidate(dry_run=dry_run).actions]

    def exported(self, folder: Path) -> list[str]:
        self.memory.export(folder / "out.jsonl")
        return (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()


def test_spent_feelings_leave_the_indexes_and_come_back_with_restore() -> None:
    with House() as house:
        mood = house.add(EmotionalState("gloomy about the rain", emotion="sadness"))
        assert house.kinds() == []
        house.clock.move_to(day(1.1))
        report = house.memory.consolidate()
        assert report.counts == {"archive": 1}
        assert "24 hours" in report.actions[0].why
        assert house.state(mood) == "archived"
        assert [one.memory.id for one in house.memory.recall("gloomy rain", filter={"type": "EmotionalState"})] == []
        house.memory.restore(mood.id)
        assert (house.state(mood), "archived_at" in house.memory.get(mood.id).metadata) == ("current", False)
        assert [one.memory.id for one in house.memory.recall("gloomy rain", filter={"type": "EmotionalState"})] == [mood.id]
        assert [change.kind for change in house.memory.changes(day(0.5))][-1] != "archived"


def test_a_closed_goal_takes_its_plans_and_steps_and_an_open_one_keeps_its_closed_parts() -> None:
    with House() as house:
        goal = house.add(Goal("Paint the fence"))
        plan = house.add(Plan("Weekend plan", relationships=[("subtask_of", goal.id)]))
        step = house.add(Step("Buy the brushes", relationships=[("subtask_of", plan.id)]))
        other = house.add(Goal("Learn the flute"))
        lesson = house.add(Step("Book a lesson", relationships=[("subtask_of", other.id)]))
        house.memory.set_status(lesson.id, "completed")
        house.memory.set_status(goal.id, "completed")
        house.clock.move_to(day(6))
        assert house.kinds() == []
        house.clock.move_to(day(8))
        assert house.kinds(dry_run=True) == house.kinds() == ["archive"] * 3
        assert [house.state(one) for one in (goal, plan, step)] == ["archived"] * 3
        assert [house.state(one) for one in (other, lesson)] == ["current"] * 2
        assert [change.kind for change in house.memory.changes(day(7))] == ["archived"] * 3


def test_pinned_open_and_claimed_memories_stay() -> None:
    with House() as house:
        kept = [
            house.add(Goal("Sail round the bay")),
            house.add(Constraint(subject="Alice", attribute="budget", operator="lte", value="50 EUR")),
            house.add(Fact(subject="Alice", relation="lives_in", object="Leeds")),
            house.add(Preference(subject="Alice", object="rain", polarity="like")),
            house.add(Observation("The cellar is damp")),
        ]
        house.memory.pin(kept[-1].id)
        house.clock.move_to(day(2000))
        assert house.kinds() == []
        house.memory.pin(kept[-1].id, pinned=False)
        assert house.kinds() == ["archive"]


def test_an_observation_whose_end_has_passed_expires() -> None:
    with House() as house:
        seen = house.add(Observation("The bridge is shut", valid_to=day(2)))
        house.clock.move_to(day(3))
        assert house.kinds() == ["expire"]
        assert house.state(seen) == "archived"


def test_what_says_the_same_is_merged_with_the_sources_of_both() -> None:
    with House() as house:
        turns = house.memory.remember([Message("wet floor", "A", session_id="s"), Message("wet floor again", "B", session_id="s")]).episodes
        same = ["The red kitchen floor was wet", "The red kitchen floor was very wet"]
        one = house.add(Observation(same[0], relationships=[("derived_from", turns[0].id)]))
        house.clock.move_to(day(0.1))
        other = house.add(Observation(same[1], relationships=[("derived_from", turns[1].id)]))
        for text in ("The red kitchen floor was not wet", "The blue kitchen floor was wet", "The red kitchen floor was wet 2 days"):
            house.add(Observation(text))
        report = house.memory.consolidate()
        assert report.counts == {"merge": 1}
        assert report.actions[0].memories == (one.id, other.id)
        assert (house.state(other), house.memory.get(other.id).metadata["merged_into"]) == ("archived", one.id)
        assert house.memory.get(one.id).reinforcements == 1
        assert house.memory.forget(one.id).remaining == tuple(sorted(turn.id for turn in turns))


def test_a_session_and_an_entity_get_a_summary_that_is_renewed(tmp_path: Path) -> None:
    with House() as house:
        said = ["The mill burned down.", "The mill was old.", "Rye was ground in the mill.", "What happened?", "A lamp fell in the mill."]
        said += ["The miller is safe.", "The miller lost his rye.", "They will build a new mill.", "It rains."]
        house.memory.remember([Message(t, "Ann", session_id="s", said_at=day(n / 100)) for n, t in enumerate(said)])
        for n in range(9):
            house.add(Fact(subject="Bo", relation=f"visited place {n}", object=f"Town {n}"))
        assert "summarise" not in [a.kind for a in house.memory.consolidate(dry_run=True).actions if "session" in a.why]
        house.clock.move_to(day(1))
        report = house.memory.consolidate()
        assert report.counts == {"summarise": 2}
        [session] = house.memory.list({"type": "Summary", "level": "session"})
        assert "mill" in session.text
        assert session.session_id == "s"
        assert house.kinds() == []
        house.memory.remember("The mill has a roof.", speaker="Ann", session_id="s", said_at=day(1))
        house.clock.move_to(day(2))
        assert house.kinds() == ["summarise", "archive"]
        assert len(list(house.memory.list({"type": "Summary", "level": "session"}))) == 1
        house.memory.forget(session_id="s")
        assert "mill" not in "".join(house.exported(tmp_path))


@pytest.mark.parametrize(("first", "second", "kind"), [("烤鸭", "小笼包", "地方特色美食"), ("jazz", "blues", "music")])
def test_two_likings_of_a_kind_become_a_liking_of_the_kind(first: str, second: str, kind: str) -> None:
    with House() as house:
        one = house.add(Preference(subject="李娜", object=first, polarity="like"))
        assert house.kinds() == []
        house.add(Preference(subject="李娜", object=second, polarity="like"))
        assert house.kinds() == ["abstract"]
        [found] = house.memory.list({"type": "Preference", "source": "inferred"})
        assert (found.properties["object"], found.confidence) == (kind, 0.6)
        assert house.kinds() == []
        house.clock.move_to(day(1))
        house.memory.add(Preference(subject="李娜", object=first, polarity="dislike"))
        assert house.state(one) == "superseded"
        assert house.kinds() == ["retract"]
        assert house.state(found) == "invalid"
        assert house.kinds() == []


def test_the_dependency_rule_concludes_and_withdraws() -> None:
    with House() as house:
        house.add(Fact(subject="project A", relation="depends_on", object="library B", qualifiers={"version": ">= 2.0"}))
        house.memory.add_triple("library B", "version", "1.5")
        assert house.kinds() == ["infer"]
        [found] = house.memory.list({"relation": "needs_upgrade_of"})
        assert (found.properties["subject"], found.properties["object"], found.source) == ("project A", "library B", "inferred")
        assert house.kinds() == []
        house.clock.move_to(day(1))
        house.memory.add_triple("library B", "version", "2.1")
        assert house.kinds() == ["retract"]
        assert list(house.memory.list({"relation": "needs_upgrade_of"})) == []
        assert house.kinds() == []


def test_a_rule_of_ones_own_chains() -> None:
    with House() as house:
        parent = {"subject": "?a", "relation": "parent of", "object": "?b"}
        house.add(Rule("A parent is an ancestor", condition=parent, consequence={**parent, "relation": "ancestor of"}))
        further = [
            {"subject": "?a", "relation": "ancestor of", "object": "?b"},
            {"subject": "?b", "relation": "ancestor of", "object": "?c"},
        ]
        house.add(Rule("Ancestry goes on", condition=further, consequence={"subject": "?a", "relation": "ancestor of", "object": "?c"}))
        for one, other in (("Ida", "Jo"), ("Jo", "Kim"), ("Kim", "Lou")):
            house.memory.add_triple(one, "parent of", other)
        assert house.kinds() == ["infer"] * 6
        assert house.kinds() == []


def test_undo_brings_it_back_for_good(tmp_path: Path) -> None:
    with House() as house:
        house.add(EmotionalState("cross", emotion="anger"))
        house.clock.move_to(day(2))
        before = house.exported(tmp_path)
        [action] = house.memory.consolidate().actions
        assert house.exported(tmp_path) != before
        assert len(house.memory.undo(action.id)) == 1
        assert house.exported(tmp_path) == before
        assert house.kinds() == []
        with pytest.raises(NotFound):
            house.memory.undo(action.id)


def test_the_report_names_what_waits() -> None:
    with House() as house:
        house.add(Goal("Send the invoice", deadline="2026-03-12"))
        house.memory.add_triple("Al", "lives_in", "Rome", valid_from=NOON, confidence=0.9)
        house.memory.add_triple("Al", "lives_in", "Oslo", valid_from=NOON, confidence=0.9)
        house.add(EmotionalState("furious about the late parcel", emotion="anger"))
        house.clock.move_to(day(5))
        report = house.memory.report()
        assert [len(part) for part in (report.open_goals, report.overdue, report.unresolved, report.conflicts)] == [1, 1, 1, 1]
        assert "Send the invoice (pending, due 2026-03-1" in report.text
        assert len(report.learned) == 4


def fill(house: House, data: st.DataObject) -> None:
    colours, nouns = ("red", "blue"), ("door", "lamp")
    for number in range(data.draw(st.integers(2, 9))):
        house.clock.move_to(day(number / 3))
        word, noun = data.draw(st.sampled_from(colours)), data.draw(st.sampled_from(nouns))
        match data.draw(st.sampled_from(["seen", "mood", "goal", "like", "fact", "said", "pin"])):
            case "seen":
                turn = house.memory.remember(f"the {word} {noun} squeaks {number}", speaker="Ann").episodes[0]
                house.memory.add(Observation(f"The old {word} {noun} in the hall squeaks", relationships=[("derived_from", turn.id)]))
            case "mood":
                house.memory.add(EmotionalState(f"cross with the {noun}", emotion="anger"))
            case "goal":
                made = house.add(Goal(f"Oil the {word} {noun} {number}"))
                house.memory.add(Step(f"Find oil {number}", relationships=[("subtask_of", made.id)]))
                house.memory.set_status(made.id, data.draw(st.sampled_from(["completed", "in_progress"])))
            case "like":
                thing = data.draw(st.sampled_from(["jazz", "blues", "opera"]))
                house.memory.add(Preference(subject="Ann", object=thing, polarity=data.draw(st.sampled_from(["like", "dislike"]))))
            case "fact":
                house.memory.add_triple("Ann", "lives_in", word.title())
            case "said":
                turns = [Message(f"The {word} {noun} number {n} is {w}.", "Ann", session_id=f"s{number}") for n, w in enumerate("abcdefgh")]
                house.memory.remember(turns)
            case "pin":
                for one in list(house.memory.list({"type": "Observation"}))[:1]:
                    house.memory.pin(one.id)
    house.clock.move_to(day(data.draw(st.integers(1, 200))))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_twice_is_once_a_dry_run_tells_the_truth_and_undo_restores_the_export(tmp_path: Path, data: st.DataObject) -> None:
    with House() as house:
        fill(house, data)
        before = house.exported(tmp_path)
        foreseen = house.memory.consolidate(dry_run=True)
        assert house.exported(tmp_path) == before
        done = house.memory.consolidate()
        assert (done.actions, done.skipped) == (foreseen.actions, 0)
        after = house.exported(tmp_path)
        assert house.memory.consolidate().actions == ()
        assert house.exported(tmp_path) == after
        for action in reversed(done.actions):
            house.memory.undo(action.id)
        assert house.exported(tmp_path) == before
        assert {action.id for action in house.memory.consolidate().actions}.isdisjoint(action.id for action in done.actions)


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_a_killed_run_is_finished_by_the_next(data: st.DataObject) -> None:
    with House() as house:
        fill(house, data)
        wanted = house.memory.consolidate(dry_run=True).actions
        store, stop = house.memory._memory._engine.store, data.draw(st.integers(0, 6))
        commit, left = store.commit, [stop]

        async def failing(change: Any) -> int:
            if left[0] == 0:
                raise StoreUnavailable("killed")
            left[0] -= 1
            return await commit(change)

        store.commit = failing  # type: ignore[method-assign]
        with contextlib.suppress(StoreUnavailable):
            house.memory.consolidate()
        store.commit = commit  # type: ignore[method-assign]
        rest = house.memory.consolidate().actions
        assert {action.id for action in rest} <= {action.id for action in wanted}
        assert house.memory.consolidate().actions == ()
