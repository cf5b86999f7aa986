"""The time window that a question asks for."""

from __future__ import annotations

from datetime import datetime, timedelta

from graphmem.language.times import TimeMention, find_times
from graphmem.temporal import Interval

_INSTANT = timedelta(microseconds=1)


def query_window(text: str, *, now: datetime, language: str | None = None) -> tuple[Interval, str] | None:
    """The window that the query's first time names, with its reason ("last week → 2026-11-23..29"); None where it names none.

    Ranges take in their last unit ("March to May" holds all of May); "after X" and "before Y" side by side meet in one window;
    "now" and the like restrict nothing.
    """
    mentions = [mention for mention in find_times(text, now=now, language=language) if not _is_now(mention, now)]
    if not mentions:
        return None
    interval, words = mentions[0].whole, mentions[0].text
    for other in mentions[1:]:
        met = _meet(interval, other.whole)
        if met is not None:
            interval, words = met, f"{words}, {other.text}"
    return interval, f"{words} → {describe(interval, now)}"


def _is_now(mention: TimeMention, now: datetime) -> bool:
    return mention.interval.start == mention.interval.end == now


def _meet(first: Interval, second: Interval) -> Interval | None:
    """One window of two half-open ones that face each other, else None."""
    if first.end is None and second.start is None and first.start and second.end and first.start < second.end:
        return Interval(first.start, second.end, second.precision)
    if first.start is None and second.end is None and second.start and first.end and second.start < first.end:
        return Interval(second.start, first.end, first.precision)
    return None


def describe(interval: Interval, now: datetime) -> str:
    """Inclusive local days of the window, shortened: `2026-11-23..29`, `..2024-12-31`, `2026-11-23T14:00..16:00`."""
    start = None if interval.start is None else interval.start.astimezone(now.tzinfo)
    end = None if interval.end is None else interval.end.astimezone(now.tzinfo)
    if interval.precision in {"second", "minute", "hour"} and start is not None:
        return f"{start:%Y-%m-%dT%H:%M}.." + (
            "" if end is None else f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%dT%H:%M}"
        )
    last = end - _INSTANT if end is not None and end != start else end
    first_day, last_day = ("" if day is None else day.date().isoformat() for day in (start, last))
    if first_day == last_day:
        return first_day
    for cut in (8, 5):
        if first_day[:cut] == last_day[:cut]:
            return f"{first_day}..{last_day[cut:]}"
    return f"{first_day}..{last_day}"
