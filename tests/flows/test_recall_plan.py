"""What a question asks for, applied: an embedded store without an embedder, so that only words, structure and the plan decide."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory, Message
from graphmem.config import load_settings
from graphmem.model import Recollections
from graphmem.ontology import Ontology
from graphmem.testing import FakeEmbedder, FrozenClock

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
BARE = load_settings(embedder="none", extraction=False, timezone="UTC")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", settings=BARE, clock=FrozenClock(NOW)) as opened:
        yield opened


def add(memory: Memory, *items: tuple[str, str, dict[str, Any]], at: datetime = NOW - timedelta(days=20), **more: Any) -> list[str]:
    records = [
        {"type": type_, "content": {"text": text}, "properties": slots, "time": {"valid_from": at, "recorded_at": min(at, NOW)}, **more}
        for type_, text, slots in items
    ]
    return [outcome.memory.id for outcome in memory.add(records, policy="keep_both")]  # type: ignore[union-attr]  # none is refused here


def texts(found: Recollections) -> list[str]:
    return [one.memory.text for one in found]


TRIPLE = {"subject": "a", "relation": "b", "object": "c"}
AQUARIUM = (
    ("Fact", "The aquarium holds 120 litres", {"subject": "aquarium", "relation": "volume", "object": "120 litres"}),
    ("Constraint", "The aquarium must not be warmer than 26 degrees", {"attribute": "temperature", "operator": "lte", "value": 26}),
    ("Event", "Nora replaced the aquarium pump", {"participants": ["Nora"]}),
    ("Goal", "Clean the aquarium filter", {"status": "pending"}),
    ("Goal", "Find out how many litres the aquarium holds", {"status": "completed"}),
    ("Preference", "Nora likes neon tetras for the aquarium", {"subject": "Nora", "object": "neon tetras", "polarity": "like"}),
    ("EmotionalState", "Nora was worried about the aquarium", {"emotion": "fear", "intensity": 0.8}),
    ("DialogueAct", "Nora asked when the aquarium pump was replaced", {"act": "question"}),
    ("Rule", "If the aquarium turns green, a third is changed", {"condition": TRIPLE, "consequence": TRIPLE}),
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How many litres does the aquarium hold?", "The aquarium holds 120 litres"),
        ("How warm may the aquarium be?", "The aquarium must not be warmer than 26 degrees"),
        ("When was the aquarium pump replaced?", "Nora replaced the aquarium pump"),
        ("What is still to be done for the aquarium?", "Clean the aquarium filter"),
        ("Which aquarium tasks are completed?", "Find out how many litres the aquarium holds"),
        ("Which fish does Nora like for the aquarium?", "Nora likes neon tetras for the aquarium"),
        ("Why was Nora worried about the aquarium?", "Nora was worried about the aquarium"),
        ("What did Nora ask about the aquarium pump?", "Nora asked when the aquarium pump was replaced"),
        ("What happens if the aquarium turns green?", "If the aquarium turns green, a third is changed"),
    ],
)
def test_the_memory_in_the_asked_role_answers(memory: Memory, query: str, first: str) -> None:
    add(memory, *AQUARIUM)
    assert texts(memory.recall(query))[0] == first


def test_acts_and_strong_bad_feelings_only_come_when_asked_for(memory: Memory) -> None:
    add(memory, *AQUARIUM)
    plain = {one.memory.type for one in memory.recall("aquarium", limit=20)}
    assert not {"DialogueAct", "EmotionalState"} & plain
    assert "EmotionalState" in {one.memory.type for one in memory.recall("aquarium", limit=20, filter={"type": ["EmotionalState", "Fact"]})}


def test_open_tasks_come_by_deadline_without_a_word_in_common(memory: Memory) -> None:
    for text, status, days in (
        ("Water plants", "pending", 9),
        ("Pay rent", "in_progress", 2),
        ("Buy stamps", "completed", 1),
        ("Call Ann", "blocked", 5),
    ):
        add(memory, ("Goal", text, {"status": status, "deadline": NOW + timedelta(days=days)}))
    found = memory.recall("List my unfinished tasks by deadline")
    assert texts(found) == ["Pay rent", "Call Ann", "Water plants"]
    assert found.plan.status == ("pending", "in_progress", "blocked")
    assert texts(memory.recall("Show the two most urgent tasks"))[0] == "Buy stamps"
    assert len(memory.recall("Show the two most urgent tasks")) == 2


def test_what_nothing_meets_is_given_up_and_said(memory: Memory) -> None:
    add(memory, ("Fact", "The tasks of the guild are secret", {"subject": "guild", "relation": "rule", "object": "secret"}))
    found = memory.recall("Which tasks of the guild failed?")
    assert found.plan.dropped == ("status", "types")
    assert texts(found) == ["The tasks of the guild are secret"]
    add(memory, ("Goal", "Found a guild", {"status": "pending"}))
    assert memory.recall("Which tasks of the guild failed?").plan.dropped == ("status",)


def test_a_filter_of_the_caller_overrides_the_plan(memory: Memory) -> None:
    add(memory, *AQUARIUM)
    found = memory.recall("Which aquarium tasks are completed?", filter={"type": "Fact"})
    assert texts(found) == ["The aquarium holds 120 litres"]
    assert texts(memory.recall("Which aquarium tasks are completed?", filter={"status": "pending"})) == ["Clean the aquarium filter"]


def test_turns_are_never_restricted_by_type(memory: Memory) -> None:
    memory.remember("The guild failed its tasks", speaker="Ann", said_at=NOW - timedelta(days=3), extract=False)
    add(memory, ("Goal", "Polish the guild's sword", {"status": "failed"}))
    found = memory.recall("Which tasks of the guild failed?")
    assert texts(found) == ["Polish the guild's sword", "The guild failed its tasks"]


def test_events_to_come_answer_and_old_versions_only_where_history_is_asked_for(memory: Memory) -> None:
    add(memory, ("Event", "The choir sings in the old barn", {}), at=NOW + timedelta(days=12))
    assert texts(memory.recall("When does the choir sing?")) == ["The choir sings in the old barn"]
    assert texts(memory.recall("choir barn")) == []
    memory.add_triple("Ann", "lives in", "Bergen", valid_from=NOW - timedelta(days=900))
    memory.add_triple("Ann", "lives in", "Oslo", valid_from=NOW - timedelta(days=9))
    assert [one.memory.properties["object"] for one in memory.recall("Where does Ann live?")] == ["Oslo"]
    past = memory.recall("How has where Ann lives changed over time?")
    assert {one.memory.properties["object"] for one in past} == {"Oslo", "Bergen"}
    assert past.plan.history
    both = memory.recall("What events were there over time at the choir?")
    assert texts(both)[0] == "The choir sings in the old barn"


def test_the_asked_time_narrows_events(memory: Memory) -> None:
    add(memory, ("Event", "Nora sailed to Fyn", {"time": "2026-11-24"}), at=NOW - timedelta(days=6))
    add(memory, ("Event", "Nora sailed to Als", {"time": "2026-08-02"}), at=NOW - timedelta(days=120))
    found = memory.recall("What happened last week?")
    assert texts(found) == ["Nora sailed to Fyn"]
    assert found.plan.time is not None
    assert any(reason.startswith("time: last week") for reason in found.plan.reasons)


def test_names_that_look_like_times_are_no_times_and_times_no_names(memory: Memory) -> None:
    memory.add_triple("Friday Club", "located in", "Mill Lane")
    memory.add_triple("library", "closed on", "Monday")
    plan = memory.understand("Where is the Friday Club located?")
    assert (plan.entities, plan.time) == (("Friday Club",), None)
    plan = memory.understand("What happened on Monday?")
    assert plan.time is not None
    assert "Monday" not in plan.entities


@pytest.mark.parametrize(
    ("first", "then", "needle"),
    [("When does the ferry to Als leave?", "And to Fyn?", "ferry"), ("去成都的火车几点开？", "那去重庆的呢？", "火车")],
)
def test_an_elliptical_question_carries_on_the_last_one(memory: Memory, first: str, then: str, needle: str) -> None:
    memory.remember([Message(first, "Ann", said_at=NOW, session_id="s")], extract=False)
    plan = memory.recall(then, session_id="s").plan
    assert plan.query == then
    assert needle in plan.reasons[0]
    assert plan.types == memory.understand(first).types
    assert memory.recall(then).plan.types == memory.understand(then).types


def test_without_a_question_it_carries_on_the_open_goal_or_the_last_turn(memory: Memory) -> None:
    assert not memory.recall("And tomorrow?", session_id="s").plan.reasons[0].startswith("carries on")
    memory.remember([Message("I am off to the allotment", "Ann", said_at=NOW, session_id="s")], extract=False)
    plan = memory.recall("And tomorrow?", session_id="s").plan
    assert "allotment" in plan.reasons[0]
    assert plan.time is not None
    add(memory, ("Goal", "Dig up the potatoes", {"status": "pending"}), metadata={"session_id": "s"})
    assert "potatoes" in memory.recall("And tomorrow?", session_id="s").plan.reasons[0]


def test_a_users_type_is_found_by_its_questions() -> None:
    lab = "extends: core@1\nname: lab\ntypes:\n  Hypothesis:\n    prototypes:\n      en: |\n        which guess might explain the hum\n        which guess might explain the noise\n"
    with Memory.open(":memory:", settings=BARE, clock=FrozenClock(NOW), ontology=Ontology.load(lab), embedder=FakeEmbedder()) as memory:
        plan = memory.understand("which guess might explain the smell")
        assert plan.types == ("Hypothesis",)
        assert memory.understand("which guess might explain the smell") == plan


def test_a_plain_question_restricts_nothing(memory: Memory) -> None:
    add(memory, *AQUARIUM)
    plan = memory.recall("Tell me something interesting.").plan
    assert (plan.types, plan.status, plan.time, plan.entities, plan.dropped) == ((), (), None, (), ())
