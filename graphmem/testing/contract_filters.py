"""Filters mean in every store what `graphmem.filters.matches` says, in every read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from graphmem.filters import And, Compare, Filter, Not, Or, matches
from graphmem.model import STATES, MemoryRecord, state_at
from graphmem.ports import Selection, Store
from graphmem.quantity import Quantity
from graphmem.temporal import Interval
from graphmem.testing.samples import ALICE, BOB, DAY, NOW, belief, entity, episode, indexed, memory, names, on_store, vector

_RECORDS = (
    memory("goal1", type="Goal", properties={"status": "pending", "deadline": NOW + DAY, "priority": "high"}, keywords=("travel", "paris")),
    memory("goal2", type="Goal", properties={"status": "completed", "deadline": NOW + 5 * DAY}, task_id="t1", importance=0.9),
    memory("goal3", type="Goal", properties={"status": "pending", "tags": ("a", "b"), "score": 3}, pinned=True, session_id="s2"),
    memory("fact1", properties={"subject": "Alice", "amount": Quantity(5000, "CNY"), "score": 10.5}, refs=names(("e1", "The Orbit Labs"))),
    memory("fact2", properties={"subject": 'Bob\'s "café"', "object": "茶"}, source="inferred", confidence=0.2, refs=names(("e2", "上海"))),
    memory("fact3", properties={"parts": {"x": 1, "y": ["deep"]}, "empty": ()}, valid_from=None, valid_to=NOW + 3 * DAY, location="Oslo"),
    memory("event1", type="Event", properties={"time": Interval(NOW, NOW + timedelta(hours=2)), "location": "Berlin"}, agent_id="bot"),
    memory("past1", valid_from=NOW - 9 * DAY, valid_to=NOW - 8 * DAY, recorded_at=NOW - 9 * DAY, metadata={"a": 1, "b b": ["x", "y"]}),
    memory("wrong1", stored_state="invalid", metadata={"a": 2, "flag": True}, keywords=("travel",), reason="he said 100%"),
    episode("ep1", minute=3, turn=4, metadata={"channel": "mail"}),
    episode("ep2", minute=9, speaker="Bob", metadata={"channel": "chat"}),
)


def _each(field: str, *values: Any) -> list[Filter]:
    operators: tuple[Any, ...] = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
    return [Compare(field, operator, value) for value in values for operator in operators]


_TREES: tuple[Filter, ...] = (
    Compare("type", "$eq", "Goal"),
    Compare("type", "$ne", "Goal"),
    Compare("type", "$in", ("Goal", "Event")),
    Compare("type", "$nin", ("Fact",)),
    Compare("type", "$in", ()),
    Compare("type", "$nin", ()),
    *(Compare("status", "$eq", value) for value in ("pending", "nothing")),
    Compare("status", "$ne", "completed"),
    Compare("status", "$in", ("completed", "blocked")),
    Compare("status", "$nin", ("completed", "blocked")),
    *(
        Compare(field, "$exists", flag)
        for field in (
            "status",
            "task_id",
            "keywords",
            "entity",
            "valid_to",
            "valid_from",
            "said_at",
            "empty",
            "location",
            "parts",
            "metadata.a",
            "speaker",
        )
        for flag in (True, False)
    ),
    *_each("deadline", NOW + DAY, NOW + 2 * DAY),
    *_each("score", 3, 10.5, 4),
    *_each("amount", Quantity(5000, "CNY"), 4999),
    *_each("importance", 0.5),
    *_each("confidence", 0.7),
    *_each("valid_from", NOW - DAY),
    *_each("valid_to", NOW),
    *_each("recorded_at", NOW - DAY),
    *_each("said_at", NOW - DAY + timedelta(minutes=3)),
    *_each("turn", 4),
    *_each("subject", "Alice", "B"),
    Compare("deadline", "$in", (NOW + DAY, NOW)),
    Compare("time", "$gte", NOW),
    Compare("time", "$lt", NOW),
    Compare("tags", "$eq", "a"),
    Compare("tags", "$contains", "b"),
    Compare("tags", "$ne", "b"),
    Compare("tags", "$in", ("c", "b")),
    Compare("tags", "$nin", ("c", "b")),
    Compare("parts", "$eq", "deep"),
    Compare("parts", "$contains", 1),
    Compare("subject", "$contains", "caf"),
    Compare("subject", "$contains", '"'),
    Compare("subject", "$eq", 'Bob\'s "café"'),
    Compare("object", "$contains", "茶"),
    Compare("keywords", "$contains", "travel"),
    Compare("keywords", "$contains", "trav"),
    Compare("keywords", "$eq", "paris"),
    Compare("keywords", "$nin", ("paris", "x")),
    Compare("reason", "$contains", "100%"),
    Compare("location", "$eq", "Oslo"),
    Compare("location", "$in", ("Berlin",)),
    *(
        Compare(field, "$eq", value)
        for field, value in (
            ("session_id", "s1"),
            ("task_id", "t1"),
            ("agent_id", "bot"),
            ("speaker", "Bob"),
            ("role", "user"),
            ("source", "inferred"),
            ("pinned", True),
            ("pinned", False),
        )
    ),
    Compare("session_id", "$nin", ("s1",)),
    *(Compare("entity", "$eq", value) for value in ("orbit labs", "Orbit Labs,", "上海", "e2", "nobody")),
    Compare("entity", "$in", ("上海", "orbit labs")),
    Compare("entity", "$ne", "上海"),
    Compare("metadata.a", "$eq", 1),
    Compare("metadata.a", "$gt", 1),
    Compare("metadata.flag", "$eq", True),
    Compare("metadata.b b", "$contains", "y"),
    Compare("metadata.channel", "$in", ("mail", "fax")),
    Compare("metadata.channel", "$ne", "mail"),
    *(Compare("state", "$eq", state) for state in STATES),
    Compare("state", "$in", ("invalid", "expired")),
    Compare("state", "$ne", "current"),
    And(()),
    Or(()),
    Not(And(())),
    And((Compare("type", "$eq", "Goal"), Compare("status", "$ne", "completed"))),
    Or((Compare("entity", "$eq", "上海"), Compare("keywords", "$contains", "travel"))),
    Not(Compare("status", "$eq", "pending")),
    Not(Or((Compare("type", "$eq", "Goal"), Not(Compare("source", "$eq", "user"))))),
    And((Or((Compare("score", "$gt", 5), Compare("pinned", "$eq", True))), Not(Compare("deadline", "$exists", True)))),
)


def _expected(where: Filter, selection: Selection) -> set[str]:
    shown: set[str] = set()
    for each in _RECORDS:
        state = state_at(each.stored_state, each.valid_from, each.valid_to, selection.at)
        if state in selection.states and matches(where, each, state):
            shown.add(each.id)
    return shown


class FilterContract:
    """Every operator on every kind of field, in every read."""

    @on_store
    async def test_filters_exclude_the_same_in_every_read(self, store: Store) -> None:
        others = tuple(_of_bob(each) for each in _RECORDS)
        await store.commit(indexed(ALICE, *_RECORDS, entities=(entity("e1", "Orbit Labs"), entity("e2", "上海"))))
        await store.commit(indexed(BOB, *others))
        ids = [each.id for each in _RECORDS]
        for where in _TREES:
            for states in (frozenset({"current", "disputed"}), frozenset(STATES)):
                selection = Selection(at=NOW, states=states, where=where)  # type: ignore[arg-type]  # literals of State
                expected = _expected(where, selection)
                found, _ = await store.select(ALICE, selection, limit=1000)
                assert {each.id for each in found} == expected, where
                assert {each.id for each in await store.memories(ALICE, ids, selection)} == expected, where
                assert sum((await store.count(ALICE, selection)).values()) == len(expected), where
                assert {hit.id for hit in await store.nearest(ALICE, vector(1), selection, 99)} == expected, where
                assert {hit.id for hit in await store.best_words(ALICE, ["common"], selection, 99)} == expected, where

    @on_store
    async def test_filters_see_what_was_believed(self, store: Store) -> None:
        now = memory("m1", properties={"status": "completed", "day": 2})
        await store.commit(
            indexed(ALICE, now, beliefs=(belief("m1", 0, properties={"status": "pending"}), belief("m1", 2, properties=now.properties)))
        )
        for day, status in ((1, "pending"), (3, "completed")):
            for wanted in ("pending", "completed"):
                selection = Selection(at=NOW, as_of=NOW + day * DAY, where=Compare("status", "$eq", wanted))
                assert bool(await store.memories(ALICE, ["m1"], selection)) is (wanted == status)
                assert bool(await store.nearest(ALICE, vector(1), selection, 3)) is (wanted == status)

    @on_store
    async def test_an_entity_is_found_by_alias_and_by_what_was_merged_into_it(self, store: Store) -> None:
        known = (entity("e1", "Robert", aliases=("Bobby", "鲍勃")), entity("e2", "Rob", merged_into="e1"))
        await store.commit(indexed(ALICE, memory("m1", refs=names(("e1", "Robert"))), memory("m2"), entities=known))
        for name in ("robert", "BOBBY", "鲍勃", "Rob", "e1"):
            selection = Selection(at=NOW, where=Compare("entity", "$eq", name))
            assert [each.id for each in (await store.select(ALICE, selection))[0]] == ["m1"], name


def _of_bob(record: MemoryRecord) -> MemoryRecord:
    return replace(record, user_id=BOB, refs=())
