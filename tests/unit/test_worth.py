"""What a working memory holds: values, fading, choice within a capacity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.worth import LEAST, Offer, faded, held, mean_similarity, value_of
from graphmem.model import MemoryRecord

EAST, NORTH = np.array([1.0, 0.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)


def record(type_: str, status: str | None = None) -> MemoryRecord:
    return MemoryRecord(id="m", user_id="u", type=type_, text="m", properties={"status": status} if status else {})


def test_kind_status_and_fit_make_the_value() -> None:
    assert value_of(record("Constraint"), 0.0) > value_of(record("Fact"), 0.0) > value_of(record("Episode"), 0.0)
    assert value_of(record("Step", "in_progress"), 0.5) > value_of(record("Step", "completed"), 0.5)
    assert value_of(record("Fact"), 1.0) > value_of(record("Fact"), 0.2)
    assert value_of(record("Goal", "in_progress"), 1.0) == 1.0


def test_what_lasts_fades_slower() -> None:
    assert faded(record("Goal", "pending"), 1.0, moved=False) > faded(record("Goal", "completed"), 1.0, moved=False)
    assert faded(record("Fact"), 1.0, moved=False) > LEAST > faded(record("Fact"), 1.0, moved=True)
    assert faded(record("Constraint"), 1.0, moved=True) > LEAST


CHOICES = [
    ([Offer("a", 0.9), Offer("b", 0.8), Offer("c", 0.7)], 2, ["a", "b"]),
    ([Offer("a", 0.9), Offer("b", 0.1, pinned=True), Offer("z", 0.2)], 1, ["b"]),
    ([Offer("a", 0.9, vector=EAST), Offer("b", 0.8, vector=EAST), Offer("c", 0.7, vector=NORTH)], 2, ["a", "c"]),
    ([Offer("a", 0.9), Offer("b", 0.8, unit="u"), Offer("c", 0.4, unit="u"), Offer("d", 0.5)], 2, ["a", "d"]),
    ([Offer("a", 0.5), Offer("b", 0.8, unit="u"), Offer("c", 0.4, unit="u")], 2, ["b", "c"]),
    ([], 3, []),
]


@pytest.mark.parametrize(("offers", "capacity", "ids"), CHOICES)
def test_what_adds_most_is_held(offers: list[Offer], capacity: int, ids: list[str]) -> None:
    assert sorted(one.id for one in held(offers, capacity)) == ids


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.sampled_from(["", "u", "v"])), max_size=12), st.integers(1, 6))
def test_never_more_than_the_capacity_and_pins_first(rows: list[tuple[float, bool, str]], capacity: int) -> None:
    offers = [Offer(str(i), value, pinned, unit) for i, (value, pinned, unit) in enumerate(rows)]
    kept = held(offers, capacity)
    assert len(kept) <= capacity
    assert len({one.id for one in kept}) == len(kept)
    assert sum(one.pinned for one in kept) == min(capacity, sum(one.pinned for one in offers))


def test_similarity_is_meant_over_pairs() -> None:
    assert mean_similarity([]) == mean_similarity([EAST]) == 0.0
    assert mean_similarity([EAST, EAST]) == pytest.approx(1.0)
    assert mean_similarity([EAST, NORTH]) == pytest.approx(0.0)
