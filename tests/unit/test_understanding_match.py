from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.core.ranking import Ranked
from graphmem.core.understanding_match import (
    ABOUT,
    ASIDE,
    IN_TIME,
    NOT_ABOUT,
    ORDER,
    OTHER_ROLE,
    OUT_OF_TIME,
    OVER,
    ROLE,
    ROLE_OF_TURN,
    STATUS,
    UNDATED,
    Asked,
    fitted,
    inside,
)
from graphmem.model import EntityRef, MemoryRecord, QueryPlan
from graphmem.ontology import Ontology
from graphmem.temporal import Interval

CORE = Ontology.core()
START = datetime(2026, 3, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


MARCH = Interval(day(0), day(31))


def record(
    id_: str, type_: str = "Fact", at: int | None = None, *, text: str = "", refs: tuple[str, ...] = (), **slots: Any
) -> MemoryRecord:
    named = tuple(EntityRef(name, name) for name in refs)
    start = None if at is None else day(at)
    return MemoryRecord(id=id_, user_id="u", type=type_, text=text or id_, properties=slots, valid_from=start, refs=named)


def plan(types: tuple[str, ...] = (), sure: float = 0.7, **more: Any) -> QueryPlan:
    confidence = {"types": sure, **more.pop("confidence", {})}
    return QueryPlan(query="?", types=types, confidence=confidence, **more)


def parts(memory: MemoryRecord, asked: Asked) -> dict[str, float]:
    found = fitted([Ranked(memory.id, 1.0, {"words": 1.0})], {memory.id: memory}, asked, CORE)
    assert found[0].score == pytest.approx(sum(found[0].reasons.values()))
    return {name: part for name, part in found[0].reasons.items() if name != "words"}


@pytest.mark.parametrize(
    ("memory", "asked", "role"),
    [
        (record("a"), plan(("Fact",)), ROLE),
        (record("a"), plan(("Fact",), 0.35), ROLE / 2),
        (record("a"), plan(("Event",)), -OTHER_ROLE),
        (record("a", "Goal", status="pending"), plan(("Fact",)), -ASIDE),
        (record("a", "Goal", status="completed"), plan(("Fact",)), -ASIDE - OVER),
        (record("a", "EmotionalState"), plan(("Fact",)), -ASIDE),
        (record("a", "Episode"), plan(("Episode",)), ROLE),
    ],
)
def test_the_asked_role_comes_forward(memory: MemoryRecord, asked: QueryPlan, role: float) -> None:
    assert parts(memory, Asked(plan=asked)) == {"role": pytest.approx(role)}


def test_a_turn_gains_by_what_was_learned_from_it() -> None:
    assert parts(record("t", "Episode"), Asked(plan=plan(("Fact",)), turns={"t": ["Event", "Fact"]})) == {
        "role": pytest.approx(ROLE_OF_TURN)
    }
    assert parts(record("t", "Episode"), Asked(plan=plan(("Fact",)), turns={"t": ["Event"]})) == {}


def test_nothing_asked_changes_nothing() -> None:
    ranked = [Ranked("b", 1.0), Ranked("a", 2.0)]
    assert fitted(ranked, {}, Asked(plan=QueryPlan(query="?")), CORE) == ranked


@pytest.mark.parametrize(
    ("memory", "about"),
    [
        (record("a", refs=("ann",)), ABOUT),
        (record("a", refs=("ann", "bob")), ABOUT),
        (record("a", text="Ann sings"), ABOUT),
        (record("a", text="Annie sings", refs=("cyd",)), ABOUT),
        (record("a", text="nobody"), -NOT_ABOUT),
        (record("a", "Episode", text="nobody"), None),
        (record("a", "Episode", text="Ann sings"), ABOUT),
    ],
)
def test_memories_about_the_asked_entities_come_first(memory: MemoryRecord, about: float | None) -> None:
    assert parts(memory, Asked(plan=plan(), entities={"ann": ("ann",)})).get("about") == about


def test_several_entities_share_and_a_turn_that_calls_a_speaker_is_not_about_her() -> None:
    two = {"ann": ("ann",), "rome": ("rome",)}
    assert parts(record("a", text="Ann in Oslo"), Asked(plan=plan(), entities=two))["about"] == ABOUT / 2
    turn = record("a", "Episode", text="Hello Ann")
    assert "about" not in parts(turn, Asked(plan=plan(), entities={"ann": ("ann",)}, speakers=frozenset({"ann"})))


@pytest.mark.parametrize(
    ("memory", "fits"),
    [
        (record("a", "Event", 90, time=Interval(day(3), day(4))), True),
        (record("a", "Event", 3, time=Interval(day(90), day(91))), False),
        (record("a", "Event", 3, time=Interval(None, day(4))), True),
        (record("a", "Event", 3, time=Interval(None, None)), True),
        (record("a", "Goal", 0, deadline=day(40)), False),
        (record("a", "Episode", said_at=day(5)), True),
        (record("a", "Fact", -50), True),
        (record("a", "Fact", 50), False),
        (record("a", "Observation", -50), False),
        (record("a", "Event", -50), False),
        (record("a", "Event"), None),
    ],
)
def test_what_falls_into_a_window(memory: MemoryRecord, fits: bool | None) -> None:
    assert inside(memory, MARCH) is fits
    expected = -UNDATED if fits is None else IN_TIME if fits else -OUT_OF_TIME
    assert parts(memory, Asked(plan=plan(time=MARCH)))["time"] == expected


def test_turns_outside_a_window_lose_nothing() -> None:
    assert parts(record("a", "Episode", said_at=day(50)), Asked(plan=plan(time=MARCH))) == {}


def test_a_sure_window_leaves_out_what_is_dated_elsewhere_unless_that_is_all() -> None:
    memories = {
        m.id: m
        for m in [record("in", "Event", 3), record("out", "Event", 50), record("turn", "Episode", said_at=day(50)), record("?", "Event")]
    }
    asked = Asked(plan=plan(time=MARCH, confidence={"time": 0.9}))
    ranked = [Ranked(id_, 1.0) for id_ in memories]
    assert {one.id for one in fitted(ranked, memories, asked, CORE)} == {"in", "turn", "?"}
    assert {one.id for one in fitted(ranked[1:], memories, asked, CORE)} == {"out", "turn", "?"}


def test_status_counts() -> None:
    goal = record("a", "Goal", status="pending")
    assert parts(goal, Asked(plan=plan(("Goal",), status=("pending",))))["status"] == STATUS


@pytest.mark.parametrize(("order", "first"), [("newest", "new"), ("oldest", "old")])
def test_an_order_weighs_and_where_the_types_are_sure_it_rules(order: Any, first: str) -> None:
    memories = {m.id: m for m in [record("old", "Event", 1), record("new", "Event", 9), record("fact", at=5)]}
    ranked = [Ranked(id_, score) for id_, score in (("old", 1.0), ("new", 1.0), ("fact", 9.0))]
    weighed = {one.id: one for one in fitted(ranked, memories, Asked(plan=plan(order=order)), CORE)}
    assert weighed[first].reasons["order"] == ORDER
    ruled = fitted(ranked, memories, Asked(plan=plan(("Event",), 0.9, order=order)), CORE)
    assert next(one.id for one in ruled) == first
    assert [one.id for one in ruled][-1] == "fact"


def test_tasks_by_deadline_with_those_without_one_last() -> None:
    tasks = [
        record("none", "Goal", 0, status="pending"),
        record("late", "Goal", 0, status="pending", deadline=day(9)),
        record("soon", "Goal", 0, status="pending", deadline=day(2)),
        record("done", "Goal", 0, status="completed", deadline=day(1)),
    ]
    asked = Asked(plan=plan(("Goal",), 0.9, order="deadline", status=("pending",)))
    found = fitted([Ranked(m.id, 1.0) for m in tasks], {m.id: m for m in tasks}, asked, CORE)
    assert [one.id for one in found] == ["soon", "late", "none", "done"]


def test_no_candidates() -> None:
    assert fitted([], {}, Asked(plan=plan(("Fact",), order="newest")), CORE) == []
