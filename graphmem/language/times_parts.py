"""Rules for parts of periods: the end of the month, early 2019, the first Monday of September, the rest of the week."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.language.times_calendar import (
    CLOCK_UNITS,
    DAY,
    Context,
    Hours,
    Partial,
    Span,
    date_of,
    day_span,
    floor,
    in_hours,
    known,
    precision_of,
    shift,
    unit_span,
)
from graphmem.language.times_dates import quarter
from graphmem.language.times_grammar import count_of, fail, pick, picks, to_span
from graphmem.language.times_lexer import Token
from graphmem.language.times_ranges import clock_range, hours_of_day
from graphmem.temporal import Precision

Tokens = Sequence[Token]
_FINER: dict[Precision, Precision] = {
    "decade": "year",
    "year": "quarter",
    "quarter": "month",
    "month": "week",
    "week": "day",
    "day": "hour",
}


def part_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "early March", "mid 1989", "end of last month", "later this week", 上个月初: a part of a period, with its edge for ranges."""
    which = next(token.symbol for token in tokens if token.symbol in "emdlrEZL")
    target = next((token for token in tokens if token.symbol in "DIVMJHYWq"), None)
    if target is None:
        relative, unit = pick(tokens, "R"), pick(tokens, "UEZL")
        fail(unit is None or unit in CLOCK_UNITS or unit in {"weekend", "night", "business day"})
        if unit == "day":
            return _end_of_day(context.today, which)
        return "I", part(unit_span(context.now, unit, relative[0] if relative else 0), which, context)
    span = to_span(target, context)
    if span.precision == "day" and target.symbol in "DHWq":
        return _end_of_day(known(span.start), which)
    explicit = isinstance(target.value, Partial) or target.symbol == "Y"
    return ("V" if target.symbol == "V" else "I"), part(span, which, context, thirds=explicit and span.precision == "year")


def _end_of_day(day: datetime, which: str) -> tuple[str, Any]:
    start = floor(day, "day")
    match which:
        case "d" | "L":
            moment = shift(start, "second", 86_399)
            return "P", Span(moment, moment, "second", None, start + DAY)
        case "m" | "Z":
            return "V", in_hours(start, Hours(10, 14))
        case "e" | "r" | "E":
            return "V", in_hours(start, Hours(0, 12))
        case _:
            return "V", Span(shift(start, "hour", 12), start + DAY, "hour")


def part(span: Span, which: str | None, context: Context, *, thirds: bool = False) -> Span:
    """Cut a part out of a period.

    Halves; thirds of a year named by its number; ten days of a month and two months of a year for 初, 中 and 底; "earlier" ends now and
    "later" begins now.
    """
    start, end = span.start, span.end
    if start is None or end is None or which is None:
        return span
    edge = {"e": start, "E": start, "d": end, "L": end}.get(which, start + (end - start) // 2 // DAY * DAY)
    first, second = _cuts(start, end, (span.precision, which), thirds=thirds)
    precision = _FINER.get(span.precision, "hour")
    match which:
        case "e" | "E":
            low, high = start, first
        case "m" | "Z":
            low, high = first, second
        case "d" | "L":
            low, high = second, end
        case "r":
            low, high = start, min(first, context.today) if start < context.today else first
        case _:
            low, high = max(second, context.today) if context.today < end else second, end
    return Span(low, max(low, high), precision, None, edge)


def _cuts(start: datetime, end: datetime, what: tuple[str, str], *, thirds: bool) -> tuple[datetime, datetime]:
    """Where the first part of a period ends and its last part begins."""
    precision, which = what
    if which in "EZL" and precision == "month":
        return start + 10 * DAY, start + 20 * DAY
    if precision == "year" and (thirds or which in "EZLm"):
        first, second = {"E": (2, 10), "L": (2, 10), "Z": (5, 7)}.get(which, (4, 8))
        return shift(start, "month", first), shift(start, "month", second)
    if which in "EZLm":
        size = (end - start) // 3 // DAY * DAY
        return start + size, end - size
    middle = {"year": lambda: shift(start, "month", 6), "month": lambda: start + 15 * DAY, "week": lambda: start + 3 * DAY}.get(precision)
    cut = middle() if middle else start + (end - start) / 2
    return cut, cut


def rest_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "the rest of the week": from today to its end."""
    unit = pick(tokens, "U")
    span = to_span(tokens[-1], context) if unit is None else unit_span(context.now, unit, (pick(tokens, "R") or (0, ""))[0])
    start, end = known(span.start), known(span.end)
    fail(unit in CLOCK_UNITS or end <= context.today)
    return "I", Span(max(context.today, start), end, span.precision)


def end_word(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """EOD, EOW, EOM, EOY."""
    unit = pick(tokens, "8")
    if unit == "day":
        return _end_of_day(to_span(tokens[-1], context).start or context.today if tokens[-1].symbol == "D" else context.today, "d")
    return "I", part(unit_span(context.now, unit), "d", context)


def this_unit(tokens: Tokens, context: Context) -> tuple[str, Any]:
    unit = pick(tokens, "U")
    fail(unit in CLOCK_UNITS or unit in {"quarter", "night", "decade", "century", "season", "business day", "half-year"})
    return "D" if unit == "day" else "I", unit_span(context.now, unit)


def relative_part(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "this morning", "last night", "next evening"."""
    (step, _), hours = pick(tokens, "R"), pick(tokens, "B")
    return "V", part(
        in_hours(shift(context.today, "day", step), hours),
        next((token.symbol for token in tokens if token.symbol in "edlr"), None),
        context,
    )


def nth_in(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "first week of 2021", "last 3 weeks of this year", "third month of 2021", "the first Monday of next month"."""
    period = _period(tokens, context)
    start, end = known(period.start), known(period.end)
    relative = pick(tokens, "R") if tokens[-1].symbol != "U" or tokens[0].symbol in "Rt" else None
    first = next(token for token in tokens if token.symbol in "RO12")
    last = first.symbol == "R" and first.value[0] < 0
    count = int(count_of([token for token in tokens if token.symbol in "NY"])) if any(token.symbol == "N" for token in tokens) else 1
    index = first.value if first.symbol == "O" else 1
    fail(relative is not None and relative[0] == 0)
    weekday = pick(tokens, "Wq")
    if weekday is not None:
        day = day_span(_nth_weekday(start, end, weekday, -1 if last else index))
        rest = [token for token in tokens if token.symbol in "BT"]
        read = hours_of_day if pick(rest, "B") else clock_range
        return read([Token("D", day, 0, 0), *rest], context) if rest else ("D", day)
    return "I", _nth_units(period, pick(tokens, "U"), index, (count, last))


def _period(tokens: Tokens, context: Context) -> Span:
    """The containing period: one already read, or "of next month" at the end of the tokens."""
    for token in tokens:
        if token.symbol in "IMJY" and token is not tokens[0]:
            return to_span(token, context)
    if tokens[0].symbol == "I":
        return to_span(tokens[0], context)
    relatives, units = picks(tokens, "R"), picks(tokens, "U")
    return unit_span(
        context.now, units[-1], relatives[-1][0] if len(relatives) > (tokens[0].symbol == "R" or tokens[1].symbol == "R") else 0
    )


def _nth_weekday(start: datetime, end: datetime, weekday: int, index: int) -> datetime:
    if index < 0:
        last = end - DAY
        return last - DAY * ((last.weekday() - weekday) % 7)
    day = start + DAY * ((weekday - start.weekday()) % 7 + 7 * (index - 1))
    fail(day >= end)
    return day


def _nth_units(period: Span, unit: str, index: int, count_last: tuple[int, bool]) -> Span:
    """Weeks belong to the year or month that holds their Thursday (ISO 8601); months, quarters and days are counted from the start."""
    (count, last), start, end = count_last, known(period.start), known(period.end)
    fail(unit not in {"week", "month", "day", "quarter", "year", "weekend", "decade"})
    if unit in {"week", "weekend"}:
        monday = start + DAY * ((3 - start.weekday()) % 7 - 3)
        final = end - DAY - DAY * ((end - DAY).weekday() - 3) % (7 * DAY) - 3 * DAY
        first = final - 7 * DAY * (count - 1) if last else monday + 7 * DAY * (index - 1)
        fail(not start - 7 * DAY < first < end)
        return Span(first, first + 7 * DAY * count, "week") if unit == "week" else unit_span(first, "weekend")
    first = shift(end, unit, -count) if last else shift(start, unit, index - 1)
    fail(not start <= first < end)
    return Span(first, shift(first, unit, count), precision_of(unit))


def century(tokens: Tokens, context: Context) -> tuple[str, Any]:
    if pick(tokens, "U") == "quarter":
        return quarter([Token("Q", pick(tokens, "O"), 0, 0)], context)
    fail(pick(tokens, "U") != "century")
    start = date_of(max(1, (pick(tokens, "O") - 1) * 100), 1, 1)
    return "I", Span(start, shift(start, "century", 1), "decade")
