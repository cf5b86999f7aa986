"""Calendar arithmetic under the time grammar: local naive datetimes, weeks from Monday, and dates that lack a year."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.temporal import Precision

DAY = timedelta(days=1)
CLOCK_UNITS = {"hour": timedelta(hours=1), "minute": timedelta(minutes=1), "second": timedelta(seconds=1)}
_DAYS = {"day": 1, "business day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "half-year": 6, "year": 12, "decade": 120, "century": 1200}
_PRECISIONS: dict[str, Precision] = {
    "business day": "day", "night": "day", "weekend": "day", "fortnight": "week", "season": "quarter", "half-year": "quarter", "century": "decade",
}  # fmt: skip
CLOSE = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Span:
    """`[start, end)` in local time. `whole` is the end with the last named unit taken in ("May to July" ends on 1 July, whole on 1 August)."""

    start: datetime | None
    end: datetime | None
    precision: Precision
    whole: datetime | None = None
    edge: datetime | None = None
    """The instant that "the end of X" or "the start of X" is, where it bounds a range."""


@dataclass(frozen=True, slots=True)
class Partial:
    """A date as far as it was said: what is missing is found from `now` ("3 March", "29日", "Wed 13th")."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    @property
    def precision(self) -> Precision:
        return "day" if self.day or self.weekday is not None else "month" if self.month else "year"


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `vague` where 5 may be morning or afternoon."""

    hour: int
    minute: int = 0
    second: int = 0
    precision: Precision = "hour"
    vague: bool = False


@dataclass(frozen=True, slots=True)
class Hours:
    """A part of the day, in hours from its midnight."""

    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What a reading depends on: local `now`, whether the sentence looks ahead, and whether slashed dates put the day first; `offset` from UTC."""

    now: datetime
    future: bool = False
    day_first: bool = False
    offset: timedelta = timedelta(0)

    @property
    def today(self) -> datetime:
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0)


def date_of(year: int, month: int = 1, day: int = 1) -> datetime:
    """The local midnight of that day; ValueError where there is no such day."""
    return datetime(year, month, day)  # noqa: DTZ001 — local wall time; the offset of `now` is taken off at the end


def known(moment: datetime | None) -> datetime:
    """The moment, refused (ValueError) where it is an open end."""
    if moment is None:
        raise ValueError("open end")
    return moment


def precision_of(unit: str) -> Precision:
    return _PRECISIONS.get(unit, unit)  # type: ignore[arg-type]  # the other units are precisions


def shift(moment: datetime, unit: str, count: float) -> datetime:
    """The moment `count` units on; a day that the target month lacks becomes its last; ValueError or OverflowError outside years 1–9999."""
    if unit in CLOCK_UNITS:
        return moment + CLOCK_UNITS[unit] * count
    if unit == "business day":
        return _shift_business(moment, int(count))
    if unit in _DAYS:
        return moment + timedelta(days=_DAYS[unit] * count)
    if abs(count) > 12_000:
        raise OverflowError(count)
    year, month = divmod(moment.year * 12 + moment.month - 1 + round(_MONTHS[unit] * count), 12)
    if not 1 <= year <= 9999:
        raise OverflowError(year)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))


def _shift_business(moment: datetime, count: int) -> datetime:
    if abs(count) > 4_000:
        raise OverflowError(count)
    forward = DAY if count >= 0 else -DAY
    for _ in range(abs(count)):
        moment += forward
        while moment.weekday() > 4:
            moment += forward
    return moment


def floor(moment: datetime, unit: str) -> datetime:
    """The start of the calendar unit that holds the moment."""
    if unit == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    if unit == "minute":
        return moment.replace(second=0, microsecond=0)
    if unit == "second":
        return moment.replace(microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit in {"week", "fortnight"}:
        return day - DAY * day.weekday()
    if unit == "weekend":
        return day - DAY * day.weekday() + 5 * DAY
    if unit in {"month", "year"}:
        return day.replace(day=1, month=1 if unit == "year" else day.month)
    if unit in {"quarter", "half-year"}:
        size = _MONTHS[unit]
        return day.replace(day=1, month=(day.month - 1) // size * size + 1)
    if unit in {"decade", "century"}:
        size = _MONTHS[unit] // 12
        return day.replace(day=1, month=1, year=max(1, day.year // size * size))
    return day


def unit_span(moment: datetime, unit: str, offset: int = 0) -> Span:
    """The calendar unit that holds the moment, or the one `offset` units later."""
    start = shift(floor(moment, unit), unit, offset)
    if unit == "weekend":
        return Span(start, start + 2 * DAY, "day")
    return Span(start, shift(start, unit, 1), precision_of(unit))


def day_span(day: datetime) -> Span:
    start = floor(day, "day")
    return Span(start, start + DAY, "day")


def clip_year(year: int) -> int:
    """A two-digit year as people mean it: 87 → 1987, 05 → 2005."""
    if year >= 100:
        return year
    return 2000 + year if year < 40 else 1900 + year


def resolve(partial: Partial, context: Context) -> Span:
    """The span that the partial date means; without a year the nearest one before `now`, or after it where the sentence looks ahead."""
    if partial.weekday is not None and partial.day is None:
        return _weekday(partial.weekday, context)
    if partial.day is None:
        return _month_or_year(partial, context)
    if partial.year is not None and partial.month is not None:
        return day_span(date_of(partial.year, partial.month, partial.day))
    return _nearest(partial, context)


def _weekday(weekday: int, context: Context) -> Span:
    today = context.today
    back = (today.weekday() - weekday) % 7
    if context.future:
        return day_span(today + DAY * ((7 - back) % 7))
    return day_span(today - DAY * (back or 7))


def _month_or_year(partial: Partial, context: Context) -> Span:
    year = partial.year if partial.year is not None else context.now.year
    if partial.month is None:
        return unit_span(date_of(year, 1, 1), "year")
    month = unit_span(date_of(year, partial.month, 1), "month")
    if partial.year is None and month.start is not None and month.end is not None:
        if context.future and month.end <= context.now:
            return unit_span(month.start, "month", 12)
        if not context.future and month.start > context.now:
            return unit_span(month.start, "month", -12)
    return month


def _nearest(partial: Partial, context: Context) -> Span:
    """Months are stepped back (or on) from now until one has that day, that month and that weekday: at most eight years."""
    month = floor(context.now, "month")
    for step in range(100):
        candidate = shift(month, "month", step if context.future else -step)
        if partial.month not in {None, candidate.month} or partial.year not in {None, candidate.year}:
            continue
        if partial.day is None or partial.day > calendar.monthrange(candidate.year, candidate.month)[1]:
            continue
        day = candidate.replace(day=partial.day)
        if partial.weekday not in {None, day.weekday()}:
            continue
        if day >= context.today if context.future else day <= context.now:
            return day_span(day)
    raise ValueError(partial)


def at_clock(day: datetime, clock: Clock) -> Span:
    """The moment at that time of that day; 24:00 and later hours run into the next day."""
    start = floor(day, "day") + timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)
    unit: Precision = clock.precision if clock.precision in {"minute", "second"} else "hour"
    return Span(start, start + (CLOCK_UNITS["minute"] if unit == "hour" else CLOCK_UNITS[unit]), unit)


def in_hours(day: datetime, hours: Hours) -> Span:
    """That part of that day; a night ends one second before midnight, as the sources of the reading have it."""
    start = floor(day, "day")
    end = start + DAY - CLOCK_UNITS["second"] if hours.end >= 24 else start + timedelta(hours=hours.end)
    return Span(start + timedelta(hours=hours.start), end, "hour")
