"""Closed–open intervals of aware UTC time with the precision in which they were stated."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Literal, get_args

from graphmem.errors import InvalidInput

Precision = Literal["second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)

FAR_PAST = datetime(1, 1, 1, tzinfo=UTC)
FAR_FUTURE = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""Stand for an open end inside indexes, where NULL cannot be compared; outside, an open end is None."""


@dataclass(frozen=True, slots=True)
class Interval:
    """`[start, end)`; None is an open end."""

    start: datetime | None = None
    end: datetime | None = None
    precision: Precision | None = None

    def __post_init__(self) -> None:
        for moment in (self.start, self.end):
            if moment is not None and moment.tzinfo is None:
                raise InvalidInput(f"{moment.isoformat()} has no time zone; give an aware datetime or set GRAPHMEM_TIMEZONE")
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidInput(f"the interval ends at {self.end.isoformat()} before it starts at {self.start.isoformat()}")

    def holds(self, at: datetime) -> bool:
        return (self.start is None or self.start <= at) and (self.end is None or at < self.end)

    def overlaps(self, other: Interval) -> bool:
        return (self.start or FAR_PAST) < (other.end or FAR_FUTURE) and (other.start or FAR_PAST) < (self.end or FAR_FUTURE)

    def to_json(self) -> dict[str, str | None]:
        return {"start": iso(self.start), "end": iso(self.end), "precision": self.precision}


def iso(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC with `Z`, microseconds only where there are some."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def aware(moment: datetime, zone: tzinfo | None = None) -> datetime:
    """The moment in UTC; a naive one is read in `zone`, and refused where there is none."""
    if moment.tzinfo is None:
        if zone is None:
            raise InvalidInput(f"{moment.isoformat()} has no time zone; give an aware datetime or set GRAPHMEM_TIMEZONE")
        moment = moment.replace(tzinfo=zone)
    return moment.astimezone(UTC)


def to_moment(value: Any, zone: tzinfo | None = None) -> datetime:
    """An aware UTC moment from a datetime, a date (its first instant) or an ISO 8601 string."""
    found = to_interval(value, zone).start
    if found is None:
        raise InvalidInput(f"{value!r} has no start; give a datetime or an ISO 8601 string")
    return found


def to_interval(value: Any, zone: tzinfo | None = None) -> Interval:
    """The interval that a value states: `2026-03` is that month, `2026-03-10` that day, a moment is a point with `end` None.

    Takes Interval, datetime, date, ISO 8601 strings (also shortened to a month or a year) and mappings with start/end or from/to.
    A date without a zone is read in `zone`, else in UTC; a naive moment is refused without one.
    """
    if isinstance(value, Interval):
        return value
    if isinstance(value, datetime):
        return Interval(aware(value, zone), None, "second")
    if isinstance(value, date):
        return _span(datetime(value.year, value.month, value.day, tzinfo=zone or UTC), "day")
    if isinstance(value, dict):
        return _from_mapping(value, zone)
    if isinstance(value, str):
        return _from_text(value.strip(), zone)
    raise InvalidInput(f"{value!r} is no time; give an aware datetime, a date or an ISO 8601 string such as 2026-03-10T09:00:00Z")


def _from_mapping(value: dict[str, Any], zone: tzinfo | None) -> Interval:
    first, last = value.get("start", value.get("from")), value.get("end", value.get("to"))
    start = None if first is None else to_moment(first, zone)
    end = None if last is None else to_moment(last, zone)
    precision = value.get("precision")
    if precision is None and first is not None:
        precision = to_interval(first, zone).precision
    return Interval(start, end, precision if precision in PRECISIONS else None)


def _from_text(text: str, zone: tzinfo | None) -> Interval:
    for form, precision in (("%Y", "year"), ("%Y-%m", "month"), ("%Y-%m-%d", "day")):
        try:
            start = datetime.strptime(text, form).replace(tzinfo=zone or UTC)
        except ValueError:
            continue
        return _span(start, precision)  # type: ignore[arg-type]  # the three literals above
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is no time; write ISO 8601 such as 2026-03-10 or 2026-03-10T09:00:00Z") from None
    return Interval(aware(moment, zone), None, "second")


def _span(start: datetime, precision: Precision) -> Interval:
    return Interval(start.astimezone(UTC), step(start, precision).astimezone(UTC), precision)


def step(start: datetime, precision: Precision) -> datetime:
    """The end of the calendar unit that begins at `start` (capped at the last representable moment)."""
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}.get(precision)
    try:
        if months:
            year, month = divmod(start.month - 1 + months, 12)
            return start.replace(year=start.year + year, month=month + 1, day=1)
        return start + timedelta(**{f"{precision}s": 1})
    except (ValueError, OverflowError):
        return FAR_FUTURE.astimezone(start.tzinfo)
