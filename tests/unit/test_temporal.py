from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.temporal import FAR_FUTURE, PRECISIONS, Interval, Precision, aware, iso, step, to_interval, to_moment


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]  # year, month, day are always given


@pytest.mark.parametrize(
    ("value", "start", "end", "precision"),
    [
        ("2026", utc(2026, 1, 1), utc(2027, 1, 1), "year"),
        ("2026-03", utc(2026, 3, 1), utc(2026, 4, 1), "month"),
        ("2026-12", utc(2026, 12, 1), utc(2027, 1, 1), "month"),
        ("2026-03-10", utc(2026, 3, 10), utc(2026, 3, 11), "day"),
        (date(2026, 3, 10), utc(2026, 3, 10), utc(2026, 3, 11), "day"),
        ("2026-03-10T09:00:00Z", utc(2026, 3, 10, 9), None, "second"),
        ("2026-03-10T09:00:00+08:00", utc(2026, 3, 10, 1), None, "second"),
        (utc(2026, 3, 10, 9), utc(2026, 3, 10, 9), None, "second"),
        ({"from": "2026-03-10", "to": "2026-03-12"}, utc(2026, 3, 10), utc(2026, 3, 12), "day"),
        ({"start": None, "end": "2026-03-12"}, None, utc(2026, 3, 12), None),
        ({"start": "2026-03-12", "end": None, "precision": "week"}, utc(2026, 3, 12), None, "week"),
        ({"start": "2026-03-12", "end": None, "precision": "century"}, utc(2026, 3, 12), None, None),
    ],
)
def test_a_time_is_read_at_its_own_precision(value: Any, start: datetime | None, end: datetime | None, precision: str | None) -> None:
    assert to_interval(value) == Interval(start, end, precision)  # type: ignore[arg-type]  # the table holds precisions


def test_bare_dates_and_naive_moments_are_read_in_the_given_zone() -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    assert to_interval("2026-03-10", shanghai).start == utc(2026, 3, 9, 16)
    assert to_interval(datetime(2026, 3, 10, 9), shanghai).start == utc(2026, 3, 10, 1)
    assert aware(utc(2026, 3, 10), shanghai) == utc(2026, 3, 10)


@pytest.mark.parametrize("value", [datetime(2026, 3, 10), "2026-03-10T09:00:00", "soon", "2026-13-01", 7, None, {"to": "soon"}])
def test_what_is_no_aware_time_is_refused_with_a_way_out(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"give an aware datetime|write ISO 8601"):
        to_interval(value)


def test_a_moment_needs_a_start() -> None:
    assert to_moment("2026-03") == utc(2026, 3, 1)
    with pytest.raises(InvalidInput, match="has no start"):
        to_moment({"end": "2026"})


def test_an_interval_is_aware_and_does_not_end_before_it_starts() -> None:
    with pytest.raises(InvalidInput, match="before it starts"):
        Interval(utc(2026, 2, 1), utc(2026, 1, 1))
    with pytest.raises(InvalidInput, match="no time zone"):
        Interval(datetime(2026, 1, 1))


def test_intervals_are_closed_at_the_start_and_open_at_the_end() -> None:
    january, february = Interval(utc(2026, 1, 1), utc(2026, 2, 1)), Interval(utc(2026, 2, 1), None)
    assert january.holds(utc(2026, 1, 1))
    assert not january.holds(utc(2026, 2, 1))
    assert not january.overlaps(february)
    assert Interval(None, None).overlaps(february)
    assert Interval(None, utc(2026, 1, 1)).holds(utc(1, 1, 1))


def test_json_form() -> None:
    assert Interval(utc(2026, 1, 1), None, "day").to_json() == {"start": "2026-01-01T00:00:00Z", "end": None, "precision": "day"}
    assert iso(datetime(2026, 1, 1, 8, tzinfo=timezone(timedelta(hours=8)))) == "2026-01-01T00:00:00Z"
    assert to_interval(Interval(None, None)) == Interval()


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(PRECISIONS))
def test_every_unit_ends_after_it_starts_and_never_beyond_what_can_be_said(start: datetime, precision: Precision) -> None:
    assert start < step(start, precision) <= FAR_FUTURE or start >= FAR_FUTURE - timedelta(days=3660)


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_survives_its_text(moment: datetime) -> None:
    assert to_moment(iso(moment)) == moment
