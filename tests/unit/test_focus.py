"""What a context is about: the kind of question, the goal it stands on, the hits that stay."""

from __future__ import annotations

import pytest

from graphmem.core.chains import Hierarchy
from graphmem.core.focus import Kind, Place, Standing, above, anchor, first_of, kind_of, relevance, standing, stays, topic
from graphmem.core.ranking import Ranked
from graphmem.model import MemoryRecord, QueryPlan, Relationship

TASKS = frozenset({"Goal", "Plan", "Step"})


def record(id_: str, type_: str, text: str = "", **slots: object) -> MemoryRecord:
    return MemoryRecord(id=id_, user_id="u", type=type_, text=text or id_, properties=slots)


def part(child: str, parent: str) -> Relationship:
    return Relationship(id=f"{child}{parent}", user_id="u", source_id=child, type="SUBTASK_OF", target_id=parent)


KINDS: list[tuple[str, dict[str, object], Kind]] = [
    ("How far along is the tree house?", {}, "task"),
    ("How is the tree house coming along?", {}, "task"),
    ("Where do we stand with the visa?", {}, "task"),
    ("What is the status of the visa?", {}, "task"),
    ("What is left for the visa?", {}, "task"),
    ("What happened with the visa?", {}, "task"),
    ("签证办得怎么样了？", {}, "task"),
    ("树屋盖到哪一步了？", {}, "task"),
    ("树屋的进度如何", {}, "task"),
    ("签证还差什么材料?", {}, "task"),
    ("Why was the ferry late?", {}, "cause"),
    ("What happened after the storm?", {}, "cause"),
    ("渡轮为什么晚点？", {}, "cause"),
    ("暴雨之后发生了什么？", {}, "cause"),
    ("Which rent did we pay?", {"history": True}, "history"),
    ("Which tasks are open?", {"types": ("Goal",)}, "task"),
    ("How many seats does the boat have?", {"types": ("Fact",), "confidence": {"types": 0.7}}, "claim"),
    ("The boat?", {"types": ("Fact",), "confidence": {"types": 0.55}}, "open"),
    ("Tell me about the boat", {}, "open"),
]


@pytest.mark.parametrize(("query", "plan", "kind"), KINDS)
def test_the_kind_of_answer_is_read_off_the_question(query: str, plan: dict[str, object], kind: Kind) -> None:
    assert kind_of(QueryPlan(query=query, **plan), TASKS) == kind  # type: ignore[arg-type]


def test_relevance_goes_from_the_middle_to_the_best_without_what_the_type_earned() -> None:
    ranked = [Ranked("a", 4.0, {"role": 1.0}), Ranked("b", 2.0), Ranked("c", 1.0), Ranked("d", 0.0)]
    shares = relevance(ranked)
    assert (shares["a"], shares["c"], shares["d"]) == (1.0, 0.0, 0.0)
    assert 0 < shares["b"] < 1
    assert relevance([Ranked("a", 2.0), Ranked("b", 2.0), Ranked("c", 0.0)]) == {"a": 1.0, "b": 1.0, "c": 0.0}
    assert relevance([]) == {}
    assert relevance([Ranked("x", 1.0)]) == {"x": 1.0}


MEMORIES = {
    one.id: one
    for one in [
        record("garden", "Goal", "Redo the garden"),
        record("pond", "Goal", "Dig the garden pond"),
        record("shed", "Goal", "Paint the shed of the garden"),
        record("plan", "Plan", "Pond plan"),
        record("dig", "Step", "Dig the hole"),
        record("frogs", "Fact", "Two frogs live there"),
        record("alone", "Fact", "Tea is hot"),
    ]
}
LINKS = Hierarchy.of(
    [
        part("pond", "garden"),
        part("shed", "garden"),
        part("plan", "pond"),
        part("dig", "plan"),
        part("frogs", "pond"),
        part("dig", "nowhere"),
    ]
)


def test_goals_above_a_memory_come_nearest_first() -> None:
    assert above("dig", MEMORIES, LINKS) == {"pond": 2, "garden": 3}
    assert above("garden", MEMORIES, LINKS) == {"garden": 0}
    assert above("alone", MEMORIES, LINKS) == {}


def on(relevant: dict[str, float], query: str = "") -> str | None:
    return anchor(standing(relevant, MEMORIES, LINKS, TASKS), MEMORIES, relevant, query)


ANCHORS = [
    ({"dig": 1.0, "shed": 0.2}, "", "pond"),
    ({"frogs": 1.0, "shed": 0.2}, "", "pond"),
    ({"alone": 1.0}, "", None),
    ({"pond": 0.0}, "", None),
    ({"pond": 1.0, "shed": 0.97, "garden": 0.6}, "", "garden"),
    ({"pond": 1.0, "shed": 0.97, "garden": 0.1}, "", "pond"),
    ({"pond": 0.98, "plan": 1.0, "garden": 1.0}, "", "garden"),
    ({"pond": 1.0, "garden": 0.3}, "How is the garden going?", "garden"),
    ({"pond": 1.0, "garden": 0.3}, "How is the garden pond going?", "pond"),
]


@pytest.mark.parametrize(("relevant", "query", "goal"), ANCHORS)
def test_the_goal_is_the_one_that_the_hits_speak_for(relevant: dict[str, float], query: str, goal: str | None) -> None:
    assert on(relevant, query) == goal


def test_the_topic_leaves_out_what_only_says_that_a_task_is_meant() -> None:
    assert topic("How are the preparations for the wedding going?") == {"wed"}
    assert topic("婚礼筹备得怎么样了？") == topic("婚礼")


STAYS = [
    ("frogs", 0.4, "task", True),
    ("frogs", 0.2, "task", False),
    ("alone", 0.6, "task", True),
    ("alone", 0.4, "task", False),
    ("shed", 1.0, "task", False),
    ("shed", 0.98, "claim", True),
    ("shed", 0.9, "claim", False),
    ("garden", 0.6, "claim", True),
    ("dig", 0.8, "claim", True),
]


@pytest.mark.parametrize(("id_", "share", "kind", "kept"), STAYS)
def test_hits_stay_by_what_they_belong_to(id_: str, share: float, kind: Kind, *, kept: bool) -> None:
    stands = standing({"dig": 1.0}, MEMORIES, LINKS, TASKS)
    place = Place("pond", frozenset({"pond", "garden"}), frozenset({"pond", "plan", "dig", "frogs"}))
    assert stays(MEMORIES[id_], share, kind, place, stands) is kept


def test_tasks_need_more_where_a_claim_is_asked_for_and_no_place_means_free() -> None:
    stands = Standing({"s": ("g",)}, {})
    step = record("s", "Step", status="pending")
    assert not stays(step, 0.8, "claim", Place(), stands)
    assert stays(step, 0.95, "claim", Place(), stands)


def test_turns_need_less_and_where_there_are_no_goals_the_budget_decides() -> None:
    nothing, goals = Standing({}, {}), Standing({}, {"g": 1.0})
    assert stays(record("t", "Episode"), 0.3, "claim", Place(), goals)
    assert not stays(record("t", "Episode"), 0.2, "claim", Place(), nothing)
    assert stays(record("f", "Fact"), 0.4, "claim", Place(), nothing)
    assert not stays(record("f", "Fact"), 0.4, "claim", Place(), goals)


def test_the_first_of_some_types_are_the_most_relevant() -> None:
    assert first_of(["frogs", "alone", "dig"], {"alone": 0.4}, MEMORIES, frozenset({"Fact"})) == ["alone", "frogs"]
