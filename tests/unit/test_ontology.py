"""The built-in ontology: look-ups, normalisation of records, claims, status, filter fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidSlot, UnknownType
from graphmem.ontology import Ontology
from graphmem.ontology_normalise import undeclared
from graphmem.quantity import Quantity
from graphmem.temporal import Interval
from graphmem.text import simplified

CORE = Ontology.core()
DAY_END = datetime(2026, 3, 10, 23, 59, 59, tzinfo=UTC)


def test_core_is_read_once_and_stamped() -> None:
    assert Ontology.core() is CORE
    assert CORE.stamp == f"core@1.0#{CORE.hash}"
    assert len(CORE.types) == 15


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("goal", "Goal"),
        ("Task", "Goal"),
        ("任务", "Goal"),
        ("目標", "Goal"),
        ("emotional_state", "EmotionalState"),
        ("Dialogue Act", "DialogueAct"),
    ],
)
def test_types_by_any_spelling(given_name: str, name: str) -> None:
    assert CORE.type(given_name).name == name


def test_unknown_names_list_what_is_allowed() -> None:
    with pytest.raises(UnknownType, match="EmotionalState"):
        CORE.type("Dream")
    with pytest.raises(UnknownType, match="subtask_of"):
        CORE.relationship("dreams_of")


@pytest.mark.parametrize(
    ("given_name", "name"),
    [("subtask_of", "SUBTASK_OF"), ("leads to", "CAUSES"), ("conflicts_with", "CONTRADICTS"), ("prerequisite", "DEPENDS_ON"), ("evidences", "SUPPORTS"),
     ("temporal", "FOLLOWS"), ("elaboration", "ELABORATES"), ("related_to", "REFERS_TO"), ("source", "DERIVED_FROM"), ("participant", "INVOLVES"),
     ("属于", "PART_OF"), ("導致", "CAUSES")],
)  # fmt: skip
def test_relationships_by_any_spelling(given_name: str, name: str) -> None:
    assert CORE.relationship(given_name).name == name


def test_how_chains_walk_is_data() -> None:
    subtask, supersedes, contradicts = (CORE.relationships[name] for name in ("SUBTASK_OF", "SUPERSEDES", "CONTRADICTS"))
    assert subtask.acyclic
    assert subtask.forward is not None
    assert subtask.backward is not None
    assert (subtask.forward.decay, subtask.backward.decay, subtask.forward.hops) == (1.0, 0.85, 3)
    assert supersedes.history
    assert supersedes.acts == "supersede"
    assert contradicts.always
    assert contradicts.symmetric
    assert CORE.relationships["DEPENDS_ON"].backward is None
    assert subtask.joins("Plan", "Goal")
    assert not subtask.joins("Goal", "Step")
    assert not supersedes.joins("Goal", "Plan")
    assert supersedes.joins("Fact", "Fact")
    assert CORE.relationships["MENTIONS"].joins("Episode", "Entity")


def test_behaviour_of_types() -> None:
    assert not CORE.types["Fact"].decays
    assert CORE.types["EmotionalState"].half_life == timedelta(hours=6)
    assert CORE.types["EmotionalState"].archive_after == timedelta(hours=24)
    assert CORE.types["Goal"].closed_status == ("completed", "failed", "cancelled")
    assert CORE.types["Fact"].closed_status == ()
    assert not CORE.types["DialogueAct"].recalled
    assert all(len(kind.prototypes[language]) >= 6 for kind in CORE.types.values() for language in ("en", "zh"))
    assert (CORE.default_confidence("external"), CORE.default_confidence("user")) == (0.9, 0.7)


def test_core_spellings_are_simplified() -> None:
    spellings = [*CORE.type_index, *CORE.relationship_index, *CORE.predicate_index]
    spellings += [key for kind in CORE.types.values() for slot in kind.slots.values() for key in slot.spellings]
    assert [text for text in spellings if simplified(text) != text] == []


# ── relations ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "name"),
    [("lives in", "lives_in"), ("resides at", "lives_in"), ("住在", "lives_in"), ("is living in", "lives_in"), ("搬到了", "lives_in"), ("搬到", "lives_in"),
     ("works for", "works_at"), ("Employer", "works_at"), ("在…工作", "works_at"), ("現在住在", "lives_in"), ("最喜欢", "favorite"), ("is allergic to", "allergic_to"),
     ("Warranty End", "warranty_end"), ("保修期限", "保修期限"), ("!?", "!?")],
)  # fmt: skip
def test_relation_names(text: str, name: str) -> None:
    assert CORE.relation_name(text) == name


def test_predicates_are_data() -> None:
    functional = {name for name, known in CORE.predicates.items() if known.functional}
    assert functional >= {"lives_in", "works_at", "job_title", "born_on", "age", "name", "married_to", "version"}
    assert functional >= {"price", "budget", "deadline", "status", "phone", "email", "address", "favorite"}
    assert not functional & {"speaks", "owns", "uses", "nickname", "located_in", "visited"}
    assert CORE.opposes("likes") == {"allergic_to"}
    assert "has_pet" in CORE.opposes("allergic_to")
    assert CORE.opposes("age") == frozenset()
    assert (CORE.inverted("parent_of"), CORE.inverted("married_to"), CORE.inverted("age"), CORE.inverted("moon")) == (
        "child_of",
        "married_to",
        None,
        None,
    )
    assert CORE.predicates["lives_in"].names_entity
    assert CORE.predicate("hovers above") is None


@given(st.text(min_size=1, max_size=30))
def test_naming_a_relation_twice_changes_nothing(text: str) -> None:
    name = CORE.relation_name(text)
    assert CORE.relation_name(name) == name or undeclared(undeclared(name)) == undeclared(name)


# ── records ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

GOOD: list[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = [
    ("Goal", {}, {"status": "pending", "priority": "medium"}),
    ("任务", {"status": "未开始", "due_date": "2026年3月10日"}, {"status": "pending", "deadline": DAY_END, "priority": "medium"}),
    ("Goal", {"status": "In-Progress", "priority": "urgent"}, {"status": "in_progress", "priority": "high"}),
    ("Goal", {"status": "進行中", "dueDate": "2026-03-10T09:00:00Z"}, {"status": "in_progress", "deadline": datetime(2026, 3, 10, 9, tzinfo=UTC), "priority": "medium"}),
    ("Fact", {"entity": " Bob ", "attribute": "住在", "value": "Berlin"}, {"subject": "Bob", "relation": "lives_in", "object": "Berlin"}),
    ("Fact", {"subject": "rent", "relation": "price", "object": "五千元"}, {"subject": "rent", "relation": "price", "object": Quantity(5000, "CNY")}),
    ("Fact", {"subject": "Mia", "relation": "age", "object": 34}, {"subject": "Mia", "relation": "age", "object": Quantity(34, "year")}),
    ("Fact", {"subject": "app", "relation": "version", "object": "v1.5.3"}, {"subject": "app", "relation": "version", "object": "1.5.3"}),
    ("Fact", {"subject": "survey", "relation": "valid_responses", "object": 212}, {"subject": "survey", "relation": "valid_responses", "object": 212}),
    ("Preference", {"preference_type": "喜欢", "subject": "tea"}, {"subject": "user", "object": "tea", "polarity": "like"}),
    ("Preference", {"preference_type": "hates", "subject": "Bob", "object": "tea", "intensity": "80%"},
     {"subject": "Bob", "object": "tea", "polarity": "dislike", "strength": 0.8}),
    ("Constraint", {"attribute": "budget", "operator": "不超过", "value": "¥5,000"},
     {"subject": "user", "attribute": "budget", "operator": "lte", "value": 5000, "unit": "CNY"}),
    ("Constraint", {"attribute": "rate", "operator": "<", "value": 3.6, "unit": "%"},
     {"subject": "user", "attribute": "rate", "operator": "lt", "value": 3.6, "unit": "%"}),
    ("Constraint", {"attribute": "python version", "operator": ">=", "value": "3.10", "subject": "app"},
     {"subject": "app", "attribute": "python version", "operator": "gte", "value": 3.1}),
    ("Constraint", {"attribute": "version", "operator": ">=", "value": "3.10", "subject": "app"},
     {"subject": "app", "attribute": "version", "operator": "gte", "value": "3.10"}),
    ("Constraint", {"attribute": "colour", "operator": "in", "value": ["red", 5]},
     {"subject": "user", "attribute": "colour", "operator": "in", "value": ["red", 5]}),
    ("Constraint", {"attribute": "smoking", "operator": "必须", "value": True}, {"subject": "user", "attribute": "smoking", "operator": "must", "value": True}),
    ("EmotionalState", {"emotion_type": "难过", "strength": 0.4}, {"emotion": "sadness", "intensity": 0.4}),
    ("DialogueAct", {"act_type": "提问"}, {"act": "question"}),
    ("Event", {"when": "March 2026", "attendees": "Ann, Bo、Cy"},
     {"time": Interval(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC), "month"), "participants": ["Ann", "Bo", "Cy"]}),
    ("Rule", {"if": {"subject": "order", "predicate": "status", "value": "late"}, "then": "refund it"},
     {"condition": {"subject": "order", "relation": "status", "object": "late"}, "consequence": {"text": "refund it"}}),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "properties", "stored"), GOOD)
def test_records_are_normalised_and_travel_as_json(type_: str, properties: Mapping[str, Any], stored: Mapping[str, Any]) -> None:
    found = CORE.normalise(type_, properties)
    assert dict(found.properties) == dict(stored)
    assert CORE.from_json(found.type, json.loads(json.dumps(CORE.to_json(found.properties)))) == stored
    assert dict(CORE.normalise(found.type, found.properties).properties) == dict(stored)


def test_what_comes_beside_the_slots() -> None:
    found = CORE.normalise(
        "Goal",
        {"parent_task_id": "g1", "associated_task_id": ["g2"], "requester": "Bo", "title": "Fly", "description": "x", "task_id": "t"},
    )
    assert found.links == (("SUBTASK_OF", "g1"), ("SUBTASK_OF", "g2"))
    assert found.properties["owner"] == "Bo"
    assert found.text == "Fly"
    assert found.dimensions == {"task_id": "t"}
    act = CORE.normalise("DialogueAct", {"act": "request", "requester": {"name": "Bo"}})
    assert act.mentions == (("Bo", "involves"),)


def test_the_original_text_is_kept_beside() -> None:
    found = CORE.normalise("Goal", {"status": "未开始", "owner": " Bo ", "deadline": "2026-03-10", "priority": None})
    assert found.originals == {"status": "未开始", "deadline": "2026-03-10"}
    assert CORE.normalise("Fact", {"subject": "a", "relation": "住在", "object": "B"}).originals == {"relation": "住在"}


def test_an_object_that_does_not_fit_is_kept_as_text() -> None:
    found = CORE.normalise("Fact", {"subject": "trip", "relation": "budget", "object": "not much"})
    assert found.properties["object"] == "not much"
    assert found.unparsed == ("object",)


@pytest.mark.parametrize(
    ("type_", "properties", "problem"),
    [("Goal", {"status": "someday"}, "allowed: blocked, cancelled"), ("Goal", {"colour": "red"}, "no slot of this type"), ("Fact", {"subject": "a"}, "relation: is required"),
     ("Preference", {"subject": "a", "object": "b"}, "allowed: dislike, like, neutral"), ("Fact", {"subject": "a", "relation": "owns", "object": " "}, "empty"),
     ("Fact", {"subject": "a", "entity": "b", "relation": "owns", "object": "c"}, "given as well"), ("Goal", {"deadline": "soon"}, "2026-03-10"),
     ("Goal", {"parent_task_id": [[]]}, "is no text"), ("EmotionalState", {"emotion": "joy", "intensity": 1.2}, "out of range"),
     ("Goal", {"deadline": "2026-03-10T09:00:00"}, "time zone")],
)  # fmt: skip
def test_what_is_refused(type_: str, properties: Mapping[str, Any], problem: str) -> None:
    with pytest.raises(InvalidSlot, match=problem):
        CORE.normalise(type_, properties)


def test_a_shorthand_may_repeat_what_is_given() -> None:
    found = CORE.normalise("Fact", {"subject": "Ann", "entity": "ann", "relation": "owns", "object": "a car"})
    assert found.properties["subject"] == "Ann"


def test_one_value_of_a_slot() -> None:
    slot = CORE.types["Goal"].slots["status"]
    assert CORE.normalise_value(slot, "done") == "completed"
    assert CORE.normalise_value(CORE.types["Fact"].slots["relation"], "works for") == "works_at"
    with pytest.raises(InvalidSlot, match="pending"):
        CORE.normalise_value(slot, "maybe")


def test_captions() -> None:
    assert CORE.caption("Fact", {"subject": "Bob", "relation": "lives_in", "object": "Berlin"}) == "Bob lives in Berlin"
    assert CORE.caption("EmotionalState", {"emotion": "joy"}) == "joy"
    assert CORE.caption("Constraint", {"subject": "a", "attribute": "b", "operator": "in", "value": ["c", "d"]}) == "a b in c, d"
    assert CORE.caption("Event", {}) == ""


# ── claims ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def value(relation: str, content: Any) -> str | None:
    return CORE.canonical_value("Fact", CORE.normalise("Fact", {"subject": "x", "relation": relation, "object": content}).properties)


@pytest.mark.parametrize(
    ("relation", "one", "other"),
    [("budget", "5000元", "5k RMB"), ("budget", "¥5,000", Quantity(5000.0, "CNY")), ("age", "34岁", 34), ("born_on", "17 May 2019", "2019-05-17"),
     ("born_on", "2019年5月17日", date(2019, 5, 17)), ("version", "v1.5", "1.5"), ("status", "进行中", "in progress"), ("lives_in", "The Hague", "hague"),
     ("lives_in", "臺中", "台中"), ("fee_of_club", "5,000 USD", "$5000"), ("opened", "10 March 2026", "2026年3月10日"), ("seats", "1,200", 1200), ("tags", ["b", "a"], ["a", "b"])],
)  # fmt: skip
def test_the_same_value_in_other_words(relation: str, one: Any, other: Any) -> None:
    assert value(relation, one) == value(relation, other)


@pytest.mark.parametrize(
    ("relation", "one", "other"),
    [("price", "90 EUR", "90 USD"), ("born_on", "2019-05-16", "2019-05-17"), ("born_on", "2019-05", "2019-05-01"), ("needs_python", "3.10", "3.1"), ("code", "007", "7"),
     ("address", "3 Mill Lane", "30 Mill Lane"), ("is_on", True, False)],
)  # fmt: skip
def test_another_value(relation: str, one: Any, other: Any) -> None:
    assert value(relation, one) != value(relation, other)


def test_claim_terms() -> None:
    stated = {"subject": "a", "relation": "favorite", "object": "teal", "qualifiers": {"of": "颜色", "since": "May"}}
    fact = dict(CORE.normalise("Fact", stated).properties)
    assert CORE.claim_terms("Fact", fact) == ("favorite", "of=color")
    assert CORE.claim_terms("Fact", fact | {"qualifiers": {"of": "the Sofa"}}) == ("favorite", "of=sofa")
    assert CORE.claim_terms("Fact", {"relation": "moons", "object": "2"}) == ("moons",)
    liking = {"subject": "a", "object": "Coffee", "polarity": "like"}
    assert CORE.claim_terms("Preference", liking) == ("preference", "coffee")
    limit: dict[str, Any] = {"subject": "a", "attribute": "预算", "operator": "lt", "value": 5, "unit": "CNY"}
    assert CORE.claim_terms("Constraint", limit) == ("constraint", "budget", "upper")
    assert CORE.claim_terms("Event", {}) is None
    assert [CORE.functional(*claim) for claim in (("Fact", fact), ("Fact", {"relation": "moons"}), ("Preference", liking), ("Constraint", limit), ("Event", {}))] == [
        True, False, True, True, False,
    ]  # fmt: skip
    assert not CORE.functional("Constraint", limit | {"operator": "must_not"})
    assert CORE.canonical_value("Preference", liking) == "like"
    assert CORE.canonical_value("Constraint", limit) == "lt 5 CNY"
    assert CORE.canonical_value("Event", {}) is None
    assert CORE.canonical_value("Fact", {"relation": "status", "object": Quantity(50, "%")}) == "50 %"
    named = [
        CORE.claim_predicate(*claim)
        for claim in (("Fact", fact), ("Preference", liking), ("Preference", liking | {"polarity": "neutral"}), ("Event", {}))
    ]
    assert [known and known.name for known in named] == ["favorite", "likes", None, None]
    assert CORE.claim_kind("Rule") is None


def test_statuses_are_a_state_machine() -> None:
    assert "completed" in CORE.next_statuses("Goal", "pending")
    assert CORE.next_statuses("Goal", "completed") == ()
    assert "pending" in CORE.next_statuses("Goal", "completed", reopening=True)
    assert CORE.allows_status("Step", "blocked", "in_progress")
    assert not CORE.allows_status("Plan", "completed", "pending")
    assert CORE.allows_status("Plan", "completed", "pending", "the hall cancelled")
    assert CORE.allows_status("Goal", "failed", "failed")


# ── fields ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_named_field_may_be_filtered() -> None:
    fields = "type state session_id task_id agent_id speaker role source entity importance confidence keywords valid_from valid_to said_at recorded_at pinned id"
    assert set(fields.split()) | {"status", "deadline", "object"} <= CORE.allowed_fields()


@pytest.mark.parametrize(
    ("name", "content", "stored"),
    [("type", "任务", "Goal"), ("status", "已完成", "completed"), ("entity", " The Orbit Labs", "The Orbit Labs"), ("importance", "0.5", 0.5), ("pinned", "yes", True),
     ("relation", "住在", "lives_in"), ("object", "5000元", Quantity(5000, "CNY")), ("object", "Berlin", "Berlin"), ("object", 5, 5), ("participants", "Ann", "Ann"),
     ("object", "2026-03-10", Interval(datetime(2026, 3, 10, tzinfo=UTC), datetime(2026, 3, 11, tzinfo=UTC), "day")), ("object", "2026-03", "2026-03"),
     ("object", "2026-33-10", "2026-33-10"), ("state", "current", "current"), ("recorded_at", "2026-03-10T00:00:00Z", Interval(datetime(2026, 3, 10, tzinfo=UTC), None, "second"))],
)  # fmt: skip
def test_values_of_fields(name: str, content: Any, stored: Any) -> None:
    assert CORE.normalise_field(name, content) == stored


def test_unreadable_values_of_fields() -> None:
    with pytest.raises(InvalidSlot, match="expired"):
        CORE.normalise_field("state", "gone")
    with pytest.raises(InvalidSlot, match="empty"):
        CORE.normalise_field("entity", " ")


def test_order_of_fields() -> None:
    assert CORE.field_order("priority") == ("low", "medium", "high")
    assert [CORE.field_order(name) for name in ("status", "type", "pinned", "owner")] == [()] * 4
    assert [CORE.field_order(name) for name in ("deadline", "object", "importance", "id")] == [None] * 4
