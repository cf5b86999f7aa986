"""What the stores share: values that come back exactly, their comparable form, cursors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.filters import And, Compare, Filter, Not, Or
from graphmem.quantity import Quantity
from graphmem.stores.records import (
    cursor_of,
    fixed,
    from_micros,
    micros,
    moment,
    owned,
    pack,
    pack_slots,
    plain,
    read_cursor,
    scope_token,
    spelled_out,
    unpack,
)
from graphmem.temporal import Interval
from graphmem.testing.samples import ALICE, BOB, DAY, NOW, episode, memory

_MOMENTS = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC))
_SPANS = st.tuples(_MOMENTS, _MOMENTS).map(lambda pair: Interval(min(pair), max(pair), "day"))
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    _MOMENTS,
    _SPANS,
    st.builds(Quantity, st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=4)),
    st.frozensets(st.text(max_size=3), max_size=3),
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=4) | st.just("$time"), inner, max_size=3),
    ),
    max_leaves=8,
)


@given(_VALUES)
@settings(max_examples=80, deadline=None)
def test_any_value_comes_back_exactly(value: Any) -> None:
    again = unpack(pack(value))
    assert again == value
    assert type(again) is type(value)


@given(_MOMENTS, _MOMENTS)
@settings(deadline=None)
def test_text_and_integers_order_as_time_does(one: datetime, other: datetime) -> None:
    assert (fixed(one) < fixed(other)) is (one < other)
    assert (micros(one) < micros(other)) is (one < other)
    assert from_micros(micros(one)) == one
    assert len(fixed(one)) == 27


@pytest.mark.parametrize(
    ("value", "comparable"),
    [
        (datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))), "2026-01-01T00:00:00.000000Z"),
        (Interval(NOW, NOW + DAY), fixed(NOW)),
        (Interval(None, NOW), fixed(NOW)),
        (Interval(), None),
        (Quantity(5.5, "kg"), 5.5),
        ((1, "a", None), [1, "a", None]),
        ({"a": NOW}, {"a": fixed(NOW)}),
        (True, True),
        (object, "<class 'object'>"),
    ],
)
def test_slots_are_compared_in_plain_form(value: Any, comparable: Any) -> None:
    assert plain(value) == comparable


def test_slots_without_a_value_are_left_out() -> None:
    assert pack_slots({"a": None, "b": 1}) == '{"b":1}'
    assert pack_slots({}) == "{}"


def test_what_cannot_be_kept_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot be stored"):
        pack({"a": object()})


@pytest.mark.parametrize(
    ("where", "spelled"),
    [
        (Compare("a", "$ne", 1), Not(Compare("a", "$eq", 1))),
        (Not(Compare("a", "$nin", (1, 2))), Not(Not(Compare("a", "$in", (1, 2))))),
        (
            Compare("a", "$eq", Interval(NOW, NOW + DAY)),
            And((Compare("a", "$gte", NOW), Compare("a", "$lt", NOW + DAY))),
        ),
        (Compare("a", "$gt", Interval(NOW, NOW + DAY)), Compare("a", "$gte", NOW + DAY)),
        (Compare("a", "$gte", Interval(NOW, NOW + DAY)), Compare("a", "$gte", NOW)),
        (Compare("a", "$lt", Interval(NOW, NOW + DAY)), Compare("a", "$lt", NOW)),
        (Compare("a", "$lte", Interval(NOW, NOW + DAY)), Compare("a", "$lt", NOW + DAY)),
        (Compare("a", "$lte", Interval(NOW, None)), Compare("a", "$lte", NOW)),
        (Or((Compare("a", "$in", (Interval(NOW, None),)),)), Or((Or((Compare("a", "$eq", NOW),)),))),
    ],
)
def test_filters_are_spelled_out_for_engines(where: Filter, spelled: Filter) -> None:
    assert spelled_out(where) == spelled


def test_an_interval_without_ends_compares_with_nothing() -> None:
    with pytest.raises(InvalidInput):
        spelled_out(Compare("a", "$eq", Interval()))


def test_newest_goes_by_what_is_known() -> None:
    assert moment(episode("e", minute=1)) == NOW - DAY + timedelta(minutes=1)
    assert moment(memory("m")) == NOW - DAY
    assert moment(memory("m", valid_from=None, recorded_at=NOW)) == NOW
    assert moment(memory("m", valid_from=None, recorded_at=None)) is None


@given(st.text(), st.integers() | st.none())
def test_cursors_come_back(text: str, number: int | None) -> None:
    assert read_cursor(cursor_of(text, number), 2) == [text, number]
    with pytest.raises(InvalidInput):
        read_cursor(cursor_of(text, number), 3)


@given(st.text(min_size=1), st.text(min_size=1))
def test_scope_tokens_tell_users_apart(one: str, other: str) -> None:
    assert (scope_token(one) == scope_token(other)) is (one == other)
    assert len(scope_token(one)) == 33
    assert scope_token(one).isalnum()


def test_a_record_of_another_scope_is_refused() -> None:
    owned(ALICE, [memory("m1")])
    with pytest.raises(InvalidInput, match="another user"):
        owned(ALICE, [memory("m1"), memory("m2", BOB)])
