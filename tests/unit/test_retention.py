"""How strength falls with age, and what is put away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.retention import decay, fate, half_life, strength
from graphmem.model import MemoryRecord
from graphmem.ontology import Ontology
from graphmem.temporal import Interval

NOW = datetime(2026, 5, 1, tzinfo=UTC)
CORE = Ontology.core()


def record(type_: str, age: timedelta = timedelta(0), **more: Any) -> MemoryRecord:
    given: dict[str, Any] = {"id": "m", "user_id": "u", "type": type_, "text": "t", "valid_from": NOW - age} | more
    return MemoryRecord(**given)


HOURS = st.floats(0, 5000, allow_nan=False)


@given(
    type_=st.sampled_from(sorted(CORE.types)),
    ages=st.tuples(HOURS, HOURS),
    importance=st.floats(0, 1),
    confidence=st.floats(0, 1),
    uses=st.integers(0, 500),
)
def test_strength_never_rises_with_age(type_: str, ages: tuple[float, float], importance: float, confidence: float, uses: int) -> None:
    young, old = (
        record(type_, timedelta(hours=age), importance=importance, confidence=confidence, access_count=uses) for age in sorted(ages)
    )
    kind = CORE.type(type_)
    assert 0 <= strength(old, kind, NOW) <= strength(young, kind, NOW) <= 1
    assert decay(old, kind, NOW) >= kind.floor


@given(uses=st.integers(0, 50), importance=st.floats(0, 0.9))
def test_use_and_importance_only_slow_it(uses: int, importance: float) -> None:
    kind = CORE.type("Observation")
    plain = record("Observation", timedelta(days=20), importance=importance, access_count=uses)
    more = record("Observation", timedelta(days=20), importance=importance + 0.1, access_count=uses + 1)
    assert strength(more, kind, NOW) > strength(plain, kind, NOW)


def test_a_feeling_of_middling_importance_halves_in_its_half_life() -> None:
    kind = CORE.type("EmotionalState")
    assert decay(record("EmotionalState", timedelta(hours=6)), kind, NOW) == pytest.approx(0.5)
    assert decay(record("EmotionalState", timedelta(hours=-6)), kind, NOW) == 1
    assert decay(record("EmotionalState", valid_from=None), kind, NOW) == 1


@pytest.mark.parametrize(
    ("memory", "wanted"),
    [
        (record("Fact", timedelta(days=9000)), "keep"),
        (record("Constraint", timedelta(days=9000)), "keep"),
        (record("Preference", timedelta(days=9000), valid_to=NOW - timedelta(days=8000)), "keep"),
        (record("Observation", timedelta(days=91)), "archive"),
        (record("Observation", timedelta(days=91), pinned=True), "keep"),
        (record("Observation", timedelta(days=91), stored_state="archived"), "keep"),
        (record("Observation", timedelta(days=91), importance=1.0, access_count=5000), "archive"),
        (record("Observation", timedelta(days=91), importance=1.0, access_count=2**40), "keep"),
        (record("Observation", timedelta(days=1), valid_to=NOW), "expire"),
        (record("Event", timedelta(days=9000)), "keep"),
        (record("Event", properties={"time": Interval(NOW - timedelta(days=9))}), "keep"),
        (record("EmotionalState", timedelta(hours=25)), "archive"),
        (record("EmotionalState", timedelta(hours=23)), "keep"),
        (record("Goal", timedelta(days=900), properties={"status": "pending"}), "keep"),
        (record("Goal", timedelta(days=900), properties={"status": "completed"}), "keep"),
    ],
)
def test_what_becomes_of_it(memory: MemoryRecord, wanted: str) -> None:
    assert fate(memory, CORE.type(memory.type), NOW) == wanted


def test_a_closed_goal_waits_from_its_closing() -> None:
    goal = record("Goal", timedelta(days=900), properties={"status": "completed"})
    assert fate(goal, CORE.type("Goal"), NOW, NOW - timedelta(days=6)) == "keep"
    assert fate(goal, CORE.type("Goal"), NOW, NOW - timedelta(days=7)) == "archive"
    assert half_life(record("Goal", properties={"status": "pending"}), CORE.type("Goal")) is None
