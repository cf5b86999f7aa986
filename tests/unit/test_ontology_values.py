"""Values of slots: reading, refusing, JSON and back."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model import Entity, EntityRef, Mention
from graphmem.ontology import Ontology
from graphmem.ontology_types import SlotDef, SlotKind
from graphmem.ontology_values import Unfit, canonical, from_json, normal, normal_object, read_date, read_quantity, read_version, to_json
from graphmem.quantity import Quantity
from graphmem.temporal import Interval

NAN, INF = float("nan"), float("inf")
START = datetime(2026, 3, 10, tzinfo=UTC)
DAY = Interval(START, START + timedelta(days=1), "day")
POINT = datetime(2026, 3, 10, 9, tzinfo=UTC)


def slot(kind: SlotKind, **more: Any) -> SlotDef:
    return SlotDef(name="s", kind=kind, **more)


@pytest.mark.parametrize(
    "text",
    ["2026-03-10", "2026-3-10", "2026/3/10", "2026.3.10", "10 March 2026", "the 10th of March 2026", "March 10, 2026", "Mar. 10 2026", "10-Mar-2026", "2026年3月10日", "2026 年 3 月 10 号"],
)  # fmt: skip
def test_days_in_many_spellings(text: str) -> None:
    assert read_date(text, None) == DAY


@pytest.mark.parametrize(
    ("text", "start", "days"),
    [("March 2026", "2026-03-01", 31), ("2026年2月", "2026-02-01", 28), ("2026年", "2026-01-01", 365), ("2026-W11", "2026-03-09", 7)],
)
def test_longer_spans(text: str, start: str, days: int) -> None:
    found = read_date(text, None)
    assert isinstance(found, Interval)
    assert found.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert found.end == found.start + timedelta(days=days)


def test_dates_are_read_in_their_zone() -> None:
    found = read_date("10 March 2026", timezone(timedelta(hours=8)))
    assert isinstance(found, Interval)
    assert found.start == datetime(2026, 3, 9, 16, tzinfo=UTC)
    assert canonical(found) == canonical(DAY) == "2026-03-10"


@pytest.mark.parametrize("value", ["tomorrow", "30 February 2026", "2026年13月1日", "2026-W60", "2026-03-10T09:00:00", 7, None])
def test_no_dates(value: Any) -> None:
    assert isinstance(read_date(value, None), Unfit)


OPEN_START = Interval(None, POINT)
READ: list[tuple[SlotDef, Any, Any]] = [
    (slot("text"), " a ", "a"), (slot("text"), 5.0, "5"), (slot("text"), Quantity(5, "kg"), "5 kg"), (slot("entity"), {"name": "Bo"}, "Bo"),
    (slot("entity"), Entity(id="1", user_id="u", name="Bo"), "Bo"), (slot("entity"), EntityRef("1", "Bo"), "Bo"), (slot("entity"), Mention("Bo"), "Bo"),
    (slot("number"), "1,200", 1200), (slot("number", minimum=0, maximum=1), "80%", 0.8), (slot("number"), "80%", 80), (slot("number", minimum=0), 3, 3),
    (slot("integer"), 3.0, 3), (slot("quantity"), "30 minutes", Quantity(30, "minute")), (slot("unit"), "元", "CNY"), (slot("unit"), "$", "USD"),
    (slot("unit"), "元/晚", "CNY/night"), (slot("unit"), "cups", "cups"), (slot("date"), "2026-03-10", START), (slot("date", side="end"), "2026-03-10", START + timedelta(seconds=86399)),
    (slot("date", side="end"), POINT, POINT), (slot("date", side="end"), OPEN_START, POINT), (slot("date", side="end"), {"from": "2026-03-01T00:00:00Z", "to": POINT}, datetime(2026, 3, 1, tzinfo=UTC)),
    (slot("date", side="end"), Interval(START, POINT), POINT), (slot("interval"), date(2026, 3, 10), DAY), (slot("bool"), True, True), (slot("bool"), "是", True), (slot("bool"), "No", False),
    (slot("list"), "a, b；c、a", ["a", "b", "c"]), (slot("entities"), ["Bo", {"name": "Cy"}], ["Bo", "Cy"]), (slot("list"), 5, ["5"]),
    (slot("mapping"), {"of": "tea", "n": 2}, {"of": "tea", "n": 2}), (slot("pattern"), [{"subject": "a"}, "b"], [{"subject": "a"}, {"text": "b"}]),
    (slot("pattern"), {"text": "a"}, {"text": "a"}), (slot("any"), {"amount": "5k", "currency": "RMB"}, Quantity(5000, "CNY")), (slot("any"), (1, "a"), [1, "a"]),
    (slot("any"), POINT, Interval(POINT, None, "second")), (slot("any"), date(2026, 3, 10), DAY), (slot("any"), DAY, DAY), (slot("any"), False, False), (slot("any"), 2.0, 2),
    (slot("enum", values=("in_progress",), spellings={"in progress": "in_progress"}), "In-Progress.", "in_progress"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "value", "stored"), READ)
def test_reading_and_json(one: SlotDef, value: Any, stored: Any) -> None:
    found = normal(one, value, None)
    assert found == stored
    assert from_json(one, json.loads(json.dumps(to_json(found)))) == stored


@pytest.mark.parametrize(
    ("one", "value"),
    [(slot("text"), ""), (slot("text"), True), (slot("text"), NAN), (slot("text"), []), (slot("entity"), {}), (slot("number"), "many"), (slot("number"), "5 kg"),
     (slot("number", minimum=0), -1), (slot("number", maximum=1), 2), (slot("number"), INF), (slot("integer"), 2.5), (slot("quantity"), "much"), (slot("quantity"), True),
     (slot("quantity"), Quantity(NAN, "")), (slot("quantity"), {"unit": "kg"}), (slot("quantity"), {"number": 5, "unit": 5}), (slot("quantity"), []), (slot("unit"), " "), (slot("unit"), 5),
     (slot("date"), OPEN_START), (slot("date"), "soon"), (slot("date", side="end"), Interval()), (slot("interval"), "soon"), (slot("bool"), "perhaps"), (slot("list"), [[]]), (slot("list"), b"x"),
     (slot("mapping"), "x"), (slot("mapping"), {"a": None}), (slot("pattern"), " "), (slot("pattern"), {}), (slot("pattern"), {"who": 1}), (slot("pattern"), []), (slot("pattern"), 5),
     (slot("pattern"), [{}]), (slot("any"), NAN), (slot("any"), [None]), (slot("enum", values=("a",)), "b"), (slot("enum", values=("a",)), 5)],
)  # fmt: skip
def test_refusing(one: SlotDef, value: Any) -> None:
    assert isinstance(normal(one, value, None), Unfit)


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [("quantity", "34", (Quantity(34, "year"), True)), ("quantity", "34 months", (Quantity(34, "month"), True)), ("quantity", "old", ("old", False)), ("quantity", {}, ("{}", False)),
     ("number", "12", (12, True)), ("number", "12 kg", ("12 kg", False)), ("number", Quantity(12, "kg"), (Quantity(12, "kg"), False)), ("date", DAY, (DAY, True)), ("date", "soon", ("soon", False)),
     ("place", DAY, (DAY, False)), ("any", POINT, (Interval(POINT, None, "second"), True)), ("person", "Bo", ("Bo", True)), ("version", "version 2.0", ("2.0", True)), ("any", "x", ("x", True))],
)  # fmt: skip
def test_objects_of_facts(kind: Any, value: Any, found: Any) -> None:
    assert normal_object(kind, value, None, "year") == found


def test_versions() -> None:
    assert read_version("版本 3.2.1") == "3.2.1"
    assert read_version("nightly") == "nightly"
    assert isinstance(read_version([]), Unfit)


@pytest.mark.parametrize(
    ("value", "text"),
    [(Interval(POINT, None, "second"), "2026-03-10T09:00:00Z/"), (Interval(None, POINT), "/2026-03-10T09:00:00Z"), (Interval(START, START + timedelta(days=7), "week"), "2026-03-10 week"),
     (POINT, "2026-03-10T09:00:00Z"), ({"b": 1, "a": "X"}, "a=x; b=1"), (2.50, "2.5"), ("30 February 2026", "30 february 2026"), ("March 2026", "2026-03")],
)  # fmt: skip
def test_canonical_texts(value: Any, text: str) -> None:
    assert canonical(value) == text


moments = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC))
numbers = st.integers(-(10**12), 10**12) | st.floats(-1e9, 1e9).map(lambda number: round(number, 3))
intervals = st.tuples(moments, st.timedeltas(timedelta(0), timedelta(days=999))).map(
    lambda pair: Interval(pair[0], pair[0] + pair[1], "day")
)
scalars = st.text(max_size=20) | numbers | st.booleans() | st.builds(Quantity, numbers, st.sampled_from(["CNY", "kg", ""])) | intervals
values = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=5), scalars, max_size=3)


@given(values)
def test_any_value_survives_json(value: Any) -> None:
    assert from_json(slot("any"), json.loads(json.dumps(to_json(value)))) == value


@given(moments)
def test_any_moment_survives_json(moment: datetime) -> None:
    assert from_json(slot("date"), to_json(moment)) == moment


@given(numbers, st.sampled_from(["CNY", "USD", "kg", "year", "%"]))
def test_a_quantity_is_the_same_as_its_text(number: float, unit: str) -> None:
    quantity = Quantity(abs(number), unit)
    assert read_quantity(str(quantity)) is not None
    assert canonical(str(quantity)) == canonical(quantity)


@pytest.mark.parametrize(
    ("object_", "text"),
    [
        (datetime(1990, 5, 6, tzinfo=UTC), "Ada born on 1990-05-06"),
        ("1990-05-06", "Ada born on 1990-05-06"),
        ("1990", "Ada born on 1990"),
        ("1990-05", "Ada born on 1990-05"),
        (datetime(1990, 5, 6, 7, 8, tzinfo=UTC), "Ada born on 1990-05-06 07:08"),
    ],
)
def test_a_caption_writes_times_as_people_do(object_: object, text: str) -> None:
    core = Ontology.core()
    slots = core.normalise("Fact", {"subject": "Ada", "relation": "born_on", "object": object_}).properties
    assert core.caption("Fact", slots) == text
