"""Filters: JSON to tree and back, and what they mean for one record."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput, InvalidSlot, UnknownType
from graphmem.filters import (
    MAX_DEPTH,
    MAX_PARTS,
    MAX_VALUES,
    And,
    Compare,
    Filter,
    Not,
    Operator,
    Or,
    fields,
    matches,
    names_state,
    parse,
    to_json,
)
from graphmem.model import EntityRef, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.quantity import Quantity
from graphmem.temporal import Interval

CORE = Ontology.core()
DAY, NEXT = datetime(2026, 3, 10, tzinfo=UTC), datetime(2026, 3, 11, tzinfo=UTC)
SPAN = Interval(DAY, NEXT, "day")


def test_the_forms_that_people_write() -> None:
    status, goal = Compare("status", "$eq", "pending"), Compare("type", "$eq", "Goal")
    assert parse({"status": "未开始"}, CORE) == status
    assert parse({"type": "任务", "status": "todo"}, CORE) == And((goal, status))
    assert parse({"$and": [{"type": "Goal"}]}, CORE) == goal
    assert parse({"$or": [{"type": "Goal"}]}, CORE) == goal
    assert parse({"$or": [{"type": "Goal"}, {"status": "todo"}]}, CORE) == Or((goal, status))
    assert parse({"$not": {"type": "Goal"}}, CORE) == Not(goal)
    assert parse({"type": ["Goal", "计划"]}, CORE) == Compare("type", "$in", ("Goal", "Plan"))
    assert parse({"importance": {"$gte": 0.2, "$lt": "0.8"}}, CORE) == And(
        (Compare("importance", "$gte", 0.2), Compare("importance", "$lt", 0.8))
    )
    assert parse({"deadline": None, "owner": {"$ne": None}}, CORE) == And(
        (Compare("deadline", "$exists", False), Compare("owner", "$exists", True))
    )
    assert parse({"metadata": {"team": "x"}, "metadata.n": {"$gt": 1}}, CORE) == And(
        (Compare("metadata.team", "$eq", "x"), Compare("metadata.n", "$gt", 1))
    )
    assert parse({}, CORE) == And(())
    assert parse(goal, CORE) is goal


def test_an_order_of_values_is_spelled_out() -> None:
    assert parse({"priority": {"$gte": "中"}}, CORE) == Compare("priority", "$in", ("medium", "high"))
    assert parse({"priority": {"$lt": "medium"}}, CORE) == Compare("priority", "$in", ("low",))


@pytest.mark.parametrize(
    ("operator", "tree"),
    [("$eq", And((Compare("deadline", "$gte", DAY), Compare("deadline", "$lt", NEXT)))), ("$ne", Not(And((Compare("deadline", "$gte", DAY), Compare("deadline", "$lt", NEXT))))),
     ("$gt", Compare("deadline", "$gte", NEXT)), ("$gte", Compare("deadline", "$gte", DAY)), ("$lt", Compare("deadline", "$lt", DAY)), ("$lte", Compare("deadline", "$lt", NEXT)),
     ("$contains", And((Compare("deadline", "$gte", DAY), Compare("deadline", "$lt", NEXT))))],
)  # fmt: skip
def test_a_date_is_its_whole_day(operator: str, tree: Filter) -> None:
    assert parse({"deadline": {operator: "2026-03-10"}}, CORE) == tree


def test_moments_and_lists_of_times() -> None:
    point = "2026-03-10T00:00:00Z"
    assert parse({"valid_from": {"$lte": point}}, CORE) == Compare("valid_from", "$lte", DAY)
    assert parse({"valid_from": {"$contains": point}}, CORE) == Compare("valid_from", "$eq", DAY)
    assert parse({"time": {"$gte": datetime(2026, 3, 10, tzinfo=UTC)}}, CORE) == Compare("time", "$gte", DAY)
    one_of = Or((Compare("said_at", "$eq", DAY), And((Compare("said_at", "$gte", DAY), Compare("said_at", "$lt", NEXT)))))
    assert parse({"said_at": {"$in": [point, "2026-03-10"]}}, CORE) == one_of
    assert parse({"said_at": {"$nin": [point, "2026-03-10"]}}, CORE) == Not(one_of)
    east = parse({"deadline": {"$lt": "2026-03-10"}}, CORE, timezone(timedelta(hours=8)))
    assert east == Compare("deadline", "$lt", DAY - timedelta(hours=8))
    assert parse({"time": {"$lt": Interval(None, DAY)}}, CORE) == Compare("time", "$lt", DAY)


@pytest.mark.parametrize(
    ("bad", "error", "said"),
    [({"colour": 1}, UnknownType, "metadata.<key>"), ({"metadata.": 1}, UnknownType, "unknown filter field"), ({"status": {"$near": 1}}, UnknownType, "contains, .*nin"),
     ({"$nor": []}, UnknownType, "or"), ({3: 1}, UnknownType, "filter operator"), ({"status": "perhaps"}, InvalidSlot, "pending"), ({"type": "Dream"}, UnknownType, "Goal"),
     ({"$and": []}, InvalidInput, "at least one"), ({"$or": {"type": "Goal"}}, InvalidInput, "takes a list"), ({"$not": 5}, InvalidInput, "JSON object"), ({"status": {}}, InvalidInput, "operator"),
     ({"pinned": {"$exists": 1}}, InvalidInput, "true or false"), ({"status": {"$in": "todo"}}, InvalidInput, "takes a list"), ({"id": {"$in": ["a"] * (MAX_VALUES + 1)}}, InvalidInput, "at most"),
     ({"status": {"$lt": "done"}}, InvalidInput, "no order"), ({"id": {"$eq": ["a"]}}, InvalidInput, "not one value"), ({"id": {"$contains": None}}, InvalidInput, "not one value"),
     ({"time": Interval()}, InvalidInput, "without start and end"), ({"deadline": "2026-03-10T09:00:00"}, InvalidSlot, "time zone")],
)  # fmt: skip
def test_what_is_refused(bad: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        parse(bad, CORE)


def test_size_is_bounded() -> None:
    deep: dict[str, Any] = {"type": "Goal"}
    for _ in range(MAX_DEPTH + 1):
        deep = {"$not": deep}
    with pytest.raises(InvalidInput, match="deeper"):
        parse(deep, CORE)
    with pytest.raises(InvalidInput, match="parts"):
        parse({"$or": [{"id": str(number)} for number in range(MAX_PARTS)]}, CORE)


def test_what_a_filter_names() -> None:
    where = parse({"$or": [{"state": "archived"}, {"$not": {"status": "done"}}]}, CORE)
    assert fields(where) == {"state", "status"}
    assert names_state(where)
    assert not names_state(And(()))


RECORD = MemoryRecord(
    id="m1", user_id="u", type="Goal", text="Fly", importance=0.5, pinned=True, session_id="s1", keywords=("travel", "air travel"), valid_from=DAY, location="Rome",
    refs=(EntityRef("e1", "The Orbit Labs"), EntityRef("e2", "上海")), metadata={"team": "red", "tags": ["a", "b"], "deep": {"n": 1}},
    properties={"status": "pending", "deadline": NEXT, "time": SPAN, "value": Quantity(5000, "CNY"), "participants": ["Ann", "Bo"], "object": "Berlin Mitte"},
)  # fmt: skip

MET: list[tuple[Any, bool]] = [
    ({}, True), ({"type": "Goal"}, True), ({"type": "Plan"}, False), ({"status": {"$ne": "done"}}, True), ({"status": {"$in": ["done", "todo"]}}, True), ({"status": {"$nin": ["todo"]}}, False),
    ({"emotion": {"$ne": "joy"}}, True), ({"emotion": {"$nin": ["joy"]}}, True), ({"$not": {"emotion": "joy"}}, True), ({"intensity": {"$lt": 1}}, False), ({"emotion": None}, True), ({"status": None}, False),
    ({"deadline": "2026-03-11"}, True), ({"deadline": {"$lt": "2026-03-11"}}, False), ({"deadline": {"$lte": "2026-03-11"}}, True), ({"deadline": {"$gt": "2026-03-10"}}, True), ({"time": {"$gte": "2026-03-10"}}, True),
    ({"valid_to": {"$exists": False}}, True), ({"valid_from": {"$exists": True}}, True), ({"importance": {"$gte": 0.5, "$lt": 0.6}}, True), ({"importance": {"$gt": 0.5}}, False), ({"pinned": True}, True),
    ({"entity": "orbit labs"}, True), ({"entity": "e2"}, True), ({"entity": {"$in": ["Rome", "上海"]}}, True), ({"entity": {"$ne": "orbit labs"}}, False), ({"entity": {"$contains": "orbit"}}, False), ({"entity": {"$exists": True}}, True),
    ({"keywords": {"$contains": "travel"}}, True), ({"keywords": "air"}, False), ({"keywords": {"$contains": "air"}}, False), ({"participants": "Ann"}, True), ({"object": {"$contains": "Mitte"}}, True),
    ({"object": {"$contains": "mitte"}}, False), ({"location": "Rome"}, True), ({"location": "Oslo"}, False), ({"metadata.team": "red"}, True), ({"metadata.tags": "b"}, True), ({"metadata.deep": 1}, True),
    ({"metadata.none": {"$exists": True}}, False), ({"metadata.team": 5}, False), ({"metadata.deep": {"$contains": "x"}}, False), ({"value": 5000}, True), ({"value": {"$lt": "6000元"}}, True), ({"value": "5000 CNY"}, True), ({"value": {"$contains": "5000 CNY"}}, True),
    ({"state": "current"}, True), ({"state": "archived"}, False), ({"$or": [{"type": "Plan"}, {"session_id": "s1"}]}, True), ({"$and": [{"type": "Goal"}, {"session_id": "s2"}]}, False),
    ({"session_id": {"$lt": "s2"}}, True), ({"session_id": {"$gte": "s2"}}, False), ({"speaker": "Ann"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("where", "met"), MET)
def test_meaning(where: Any, met: bool) -> None:
    assert matches(parse(where, CORE), RECORD) is met


def test_a_state_at_another_time_may_be_given() -> None:
    assert matches(Compare("state", "$eq", "expired"), RECORD, "expired")


def test_entities_have_no_order() -> None:
    with pytest.raises(InvalidInput, match="no order"):
        parse({"entity": {"$lt": "b"}}, CORE)
    with pytest.raises(InvalidInput, match="no order"):
        matches(Compare("entity", "$lt", "b"), RECORD)


def test_trees_made_by_hand_may_hold_intervals() -> None:
    assert matches(Compare("time", "$eq", SPAN), RECORD)
    assert not matches(Compare("deadline", "$lte", Interval(None, DAY)), RECORD)
    assert matches(Compare("object", "$in", [SPAN]), MemoryRecord(id="m", user_id="u", type="Fact", text="", properties={"object": SPAN}))


def test_an_episode_is_filtered_by_its_turn() -> None:
    turn = MemoryRecord(id="e", user_id="u", type="Episode", text="Hi", properties={"speaker": "Ann", "role": "user", "said_at": DAY})
    assert matches(parse({"speaker": "Ann", "role": "user", "said_at": "2026-03-10"}, CORE), turn)


moments = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC))
names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)


def compare(field: str, operators: list[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Filter]:
    return st.builds(Compare, st.just(field), st.sampled_from(cast("list[Operator]", operators)), values)


leaves: st.SearchStrategy[Filter] = st.one_of(
    compare("status", ["$eq", "$ne"], st.sampled_from(["pending", "completed"])),
    compare("type", ["$in", "$nin"], st.lists(st.sampled_from(["Goal", "Plan", "Fact"]), min_size=1, max_size=3).map(tuple)),
    compare("deadline", ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"], moments),
    compare(
        "importance",
        ["$eq", "$lt", "$gte"],
        st.floats(0, 1).map(lambda number: round(number, 6)).filter(lambda number: number not in {0, 1}),
    ),
    compare("session_id", ["$eq", "$contains"], names),
    compare("metadata.k", ["$eq", "$ne", "$gt"], names | st.integers()),
    compare("value", ["$lt", "$eq"], st.builds(Quantity, st.integers(1, 10**6), st.sampled_from(["CNY", "kg"]))),
    compare("pinned", ["$exists"], st.booleans()),
)
trees = st.recursive(
    leaves,
    lambda below: (
        st.builds(And, st.lists(below, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(below, min_size=2, max_size=3).map(tuple))
        | st.builds(Not, below)
    ),
    max_leaves=6,
)


@given(trees)
def test_a_tree_survives_json(tree: Filter) -> None:
    assert parse(json.loads(json.dumps(to_json(tree))), CORE) == tree


@given(trees)
def test_a_negation_is_the_opposite(tree: Filter) -> None:
    assert matches(Not(tree), RECORD) is not matches(tree, RECORD)
    assert matches(And((tree, Not(tree))), RECORD) is False
    assert matches(Or((tree, Not(tree))), RECORD) is True


def test_everything_as_json() -> None:
    assert to_json(And(())) == {}
    assert parse(to_json(And(())), CORE) == And(())
