"""Rules for what is counted from now or from another date: last week, three days ago, next Tuesday, the end of the month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.language.times_calendar import (
    CLOCK_UNITS,
    DAY,
    Context,
    Hours,
    Partial,
    Span,
    day_span,
    floor,
    in_hours,
    precision_of,
    resolve,
    shift,
    unit_span,
)
from graphmem.language.times_dates import quarter
from graphmem.language.times_grammar import Rule, Stage, fail, pick, picks, to_span
from graphmem.language.times_lexer import Token
from graphmem.language.times_ranges import clock_range, hours_of_day

Tokens = Sequence[Token]
ALIGNED = {"quarter", "decade", "century", "half-year"}
VAGUE = {"couple": (3, 1), "few": (5, 2)}
RECENT = {"couple": 2, "few": 5}
"""How far back "a couple of" and "a few" reach, in units: from, to."""


def count_of(tokens: Tokens) -> float:
    """The number of units: a number, "a", or a half."""
    if (vague := pick(tokens, "#")) is not None:
        return RECENT[vague]
    number = pick(tokens, "NY")
    half = any(token.symbol == "h" for token in tokens)
    value: float = 0.5 if half and number is None else 1 if number is None else number
    fail(value < 0 or value > 10**7)
    return value


def counted(base: datetime, unit: str, count: float) -> tuple[str, Span]:
    """The day (or, for hours and smaller, the moment) `count` units from the base."""
    if unit in CLOCK_UNITS:
        moment = shift(base, unit, count)
        return "P", Span(moment, moment + CLOCK_UNITS["minute" if unit == "hour" else unit], "minute" if unit == "hour" else unit)  # type: ignore[arg-type]  # the clock units are precisions
    if count != int(count):
        fail(unit not in {"year", "week", "day", "month"})
        unit, count = ("month", round(count * 12)) if unit == "year" else ("day", round(count * {"week": 7, "day": 1, "month": 30}[unit]))
    return "D", day_span(shift(floor(base, "day"), unit, int(count)))


def ago(tokens: Tokens, context: Context) -> tuple[str, Any]:
    return _compound(tokens, context, -1)


def _compound(tokens: Tokens, context: Context, sign: int) -> tuple[str, Any]:
    """One or two counted units: "3 years and 2 months ago"."""
    units, numbers = picks(tokens, "U"), picks(tokens, "N")
    if len(units) < 2:
        return counted(context.now, units[0], sign * count_of(tokens))
    base = counted(context.now, units[0], sign * numbers[0])[1].start
    fail(base is None)
    return counted(base, units[1], sign * numbers[1])


def later(tokens: Tokens, context: Context) -> tuple[str, Any]:
    fail(pick(tokens, "i") == "during")
    return _compound(tokens, context, 1)


def vague_ago(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "a few weeks ago" reaches from five units back to two, "a couple of" from three to one; months count thirty days."""
    unit = pick(tokens, "U")
    far, near = VAGUE[pick(tokens, "#")]
    if unit in CLOCK_UNITS:
        return "V", Span(shift(context.now, unit, -far), shift(context.now, unit, -near), "hour")
    size = {"day": 1, "night": 1, "week": 7, "weekend": 7, "month": 30}.get(unit, 0)
    fail(not size)  # vague years name no window
    return "I", Span(context.today - far * size * DAY, context.today - (near * size - 1) * DAY, precision_of(unit))


def last_or_next(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "last 3 months", "next two weeks", "within 9 months": counted in days from today; quarters and decades are calendar ones."""
    unit, count = pick(tokens, "U"), count_of(tokens)
    step, kind = _relative(tokens)
    fail(kind == "this")
    return "V" if unit in CLOCK_UNITS else "I", window(context, unit, count * (step or 1), inside=kind == "within")


def window(context: Context, unit: str, count: float, *, inside: bool) -> Span:
    """The span of `count` units before now (negative) or after it; days to come begin tomorrow, unless the words mean "within"."""
    if unit in CLOCK_UNITS:
        other = shift(context.now, unit, count)
        return Span(min(context.now, other), max(context.now, other), "minute")
    precision = precision_of(unit)
    if unit in ALIGNED and count == int(count):
        here = floor(context.now, unit)
        first = shift(here, unit, count if count < 0 else 1)
        return Span(first, here if count < 0 else shift(first, unit, count), precision)
    if count < 0:
        return Span(_fraction(context.today, unit, count), context.today, precision, context.today + DAY)
    start = context.today if inside else context.today + DAY
    end = shift(context.today, unit, count) + DAY if unit == "business day" else _fraction(start, unit, count)
    return Span(start, end, precision)


def _fraction(start: datetime, unit: str, count: float) -> datetime:
    moment = counted(start, unit, count)[1].start
    fail(moment is None)
    assert moment is not None  # noqa: S101 — refused above
    return moment


def _relative(tokens: Tokens) -> tuple[int, str]:
    value = pick(tokens, "R")
    if any(token.symbol in "w0" for token in tokens):
        return 1, "within"
    if value is None:
        before = tokens[0].symbol == "1"
        return (-1 if before else 1), "past" if before else "next"
    return value


def relative_unit(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "last month", "this weekend", "next quarter", "the current year"."""
    (step, kind), unit = pick(tokens, "R"), pick(tokens, "U")
    fail(kind == "within")
    if unit in CLOCK_UNITS:
        return "V", window(context, unit, step or 1, inside=False)
    if unit == "night":
        return "V", in_hours(shift(context.today, "day", step), Hours(20, 24, "night"))
    if unit in {"day", "business day"}:
        fail(kind == "past")
        return "D", day_span(shift(context.today, unit, step))
    if unit == "weekend" and step < 0 and context.now.weekday() < 5:
        return "I", unit_span(context.now, "weekend", step)
    return "I", unit_span(context.now, unit, step)


def relative_weekday(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "last Friday" and "next Monday" are those of the weeks beside; "coming" is the next one; with a week named, that week's."""
    weekday, unit = pick(tokens, "Wq"), pick(tokens, "U")
    (step, kind) = pick(tokens, "R")
    fail(unit not in {None, "week"} or kind in {"within"})
    if kind == "coming" and unit is None:
        return "D", day_span(context.today + DAY * ((weekday - context.today.weekday() - 1) % 7 + 1))
    week = unit_span(context.now, "week", step).start
    fail(week is None)
    return "D", day_span(shift(week, "day", weekday))  # type: ignore[arg-type]  # refused above


def weekday_in(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "1st week of Oct. on Friday": the weekday inside a week already read."""
    span = to_span(next(token for token in tokens if token.symbol == "I"), context)
    fail(span.start is None or span.precision != "week" or span.end is None or (span.end - span.start).days != 7)
    return "D", day_span(floor(span.start, "week") + DAY * pick(tokens, "Wq"))  # type: ignore[arg-type]  # refused above


def relative_part(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "this morning", "last night", "next evening"."""
    (step, _), hours = pick(tokens, "R"), pick(tokens, "B")
    return "V", part(
        in_hours(shift(context.today, "day", step), hours),
        next((token.symbol for token in tokens if token.symbol in "edlr"), None),
        context,
    )


def century(tokens: Tokens, context: Context) -> tuple[str, Any]:
    if pick(tokens, "U") == "quarter":
        return quarter([Token("Q", pick(tokens, "O"), 0, 0)], context)
    fail(pick(tokens, "U") != "century")
    start = datetime(max(1, (pick(tokens, "O") - 1) * 100), 1, 1)
    return "I", Span(start, shift(start, "century", 1), "decade")


def relative_month(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "this May" is of this year, "last May" and "next May" the nearest on that side."""
    (step, _), month = pick(tokens, "R"), pick(tokens, "MJ")
    this = datetime(context.now.year, month, 1)
    past, coming = this < floor(context.now, "month"), this > floor(context.now, "month")
    return "I", unit_span(this, "month", 12 * (step + (1 if step < 0 and past else -1 if step > 0 and coming else 0)))


def this_unit(tokens: Tokens, context: Context) -> tuple[str, Any]:
    unit = pick(tokens, "U")
    fail(unit in CLOCK_UNITS or unit in {"quarter", "night", "decade", "century", "season", "business day", "half-year"})
    return "D" if unit == "day" else "I", unit_span(context.now, unit)


def nth_in(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "first week of 2021", "last 3 weeks of this year", "third month of 2021", "the first Monday of next month"."""
    period = _period(tokens, context)
    fail(period.start is None or period.end is None)
    assert period.start is not None  # noqa: S101 — refused above
    assert period.end is not None  # noqa: S101 — refused above
    relative = pick(tokens, "R") if tokens[-1].symbol != "U" or tokens[0].symbol in "Rt" else None
    first = next((token for token in tokens if token.symbol in "RO12"), None)
    fail(first is None)
    assert first is not None  # noqa: S101 — refused above
    last = first.symbol == "R" and first.value[0] < 0
    count = int(count_of([token for token in tokens if token.symbol in "NY"])) if any(token.symbol == "N" for token in tokens) else 1
    index = first.value if first.symbol == "O" else 1
    fail(relative is not None and relative[0] == 0)
    weekday = pick(tokens, "Wq")
    if weekday is not None:
        day = day_span(_nth_weekday(period.start, period.end, weekday, -1 if last else index))
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
    (count, last), start, end = count_last, period.start, period.end
    fail(start is None or end is None or unit not in {"week", "month", "day", "quarter", "year", "weekend", "decade"})
    assert start is not None  # noqa: S101 — refused above
    assert end is not None  # noqa: S101 — refused above
    if unit in {"week", "weekend"}:
        monday = start + DAY * ((3 - start.weekday()) % 7 - 3)
        final = end - DAY - DAY * ((end - DAY).weekday() - 3) % (7 * DAY) - 3 * DAY
        first = final - 7 * DAY * (count - 1) if last else monday + 7 * DAY * (index - 1)
        fail(not start - 7 * DAY < first < end)
        return Span(first, first + 7 * DAY * count, "week") if unit == "week" else unit_span(first, "weekend")
    first = shift(end, unit, -count) if last else shift(start, unit, index - 1)
    fail(not start <= first < end)
    return Span(first, shift(first, unit, count), precision_of(unit))


def from_day(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "two days before yesterday", "3 weeks after May 13", with "more than" an open and with "less than" a bounded range."""
    date = to_span(tokens[-1], context if tokens[-1].symbol not in "Wq" else replace(context, future=True))
    unit, count = pick(tokens, "U"), count_of(tokens[:-1])
    fail(tokens[0].symbol in "tU" and unit != "day")
    step = -1 if any(token.symbol == "b" for token in tokens) else 1
    fail(date.start is None)
    assert date.start is not None  # noqa: S101 — refused above
    symbol, span = counted(date.start, unit, step * count)
    if tokens[0].symbol == ">":
        return "F", Span(None, span.start, span.precision) if step < 0 else Span(span.start, None, span.precision)
    if tokens[0].symbol == "<":
        return "F", Span(span.start, date.start, span.precision) if step < 0 else Span(date.start, span.start, span.precision)
    return symbol, span


def lasting(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "for 3 days from today", "for 1 week, from 20th Dec"."""
    date = to_span(tokens[-1], replace(context, future=True))
    fail(date.start is None)
    assert date.start is not None  # noqa: S101 — refused above
    end = counted(date.start, pick(tokens, "U"), count_of(tokens[:-1]))[1].start
    return "F", Span(date.start, end, "day")


def following_weekday(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "two months from today on Tuesday", "Thursday, two years from now": that weekday on or after the day."""
    date = next(token for token in tokens if token.symbol == "D")
    fail(not isinstance(date.value, Span))
    start = to_span(date, context).start
    fail(start is None)
    assert start is not None  # noqa: S101 — refused above
    return "D", day_span(start + DAY * ((pick(tokens, "Wq") - start.weekday()) % 7))


def part_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "early March", "mid 1989", "end of last month", "later this week", 上个月初: a part of a period, with its edge for ranges."""
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
        fail(span.start is None)
        return _end_of_day(span.start, which)  # type: ignore[arg-type]  # refused above
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
    """Halves of a period; thirds of a year named by its number; ten days of a month and two months of a year for 初, 中 and 底; "earlier" ends and "later" begins now."""
    start, end = span.start, span.end
    if start is None or end is None or which is None:
        return span
    middle = _middle(start, end, span)
    edge = {"e": start, "E": start, "d": end, "L": end}.get(which, start + (end - start) // 2 // DAY * DAY)
    if which in "EZL" and span.precision == "month":
        cuts = (start, start + 10 * DAY, start + 20 * DAY, end)
    elif which in "EZL" and span.precision == "year":
        cuts = (
            (start, shift(start, "month", 2), end, end)
            if which == "E"
            else (start, shift(start, "month", 5), shift(start, "month", 7), end)
        )
        cuts = (start, start, shift(start, "month", 10), end) if which == "L" else cuts
    elif thirds or which in "EZLm":
        size = (end - start) // 3 // DAY * DAY if span.precision != "year" else None
        cuts = (start, shift(start, "month", 4), shift(start, "month", 8), end) if size is None else (start, start + size, end - size, end)
    else:
        cuts = (start, middle, middle, end)
    precision = {"decade": "year", "year": "quarter", "quarter": "month", "month": "week", "week": "day", "day": "hour"}.get(
        span.precision, "hour"
    )
    match which:
        case "e" | "E":
            low, high = cuts[0], cuts[1]
        case "m" | "Z":
            low, high = cuts[1], cuts[2]
        case "d" | "L":
            low, high = cuts[2], cuts[3]
        case "r":
            low, high = start, min(middle, context.today) if start < context.today else middle
        case _:
            low, high = max(middle, context.today) if context.today < end else middle, end
    return Span(low, max(low, high), precision, None, edge)  # type: ignore[arg-type]  # the values are precisions


def _middle(start: datetime, end: datetime, span: Span) -> datetime:
    match span.precision:
        case "year":
            return shift(start, "month", 6)
        case "month":
            return start + 15 * DAY
        case "week":
            return start + 3 * DAY
        case _:
            return start + (end - start) / 2


def rest_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """ "the rest of the week": from today to its end."""
    unit = pick(tokens, "U")
    span = to_span(tokens[-1], context) if unit is None else unit_span(context.now, unit, (pick(tokens, "R") or (0, ""))[0])
    fail(unit in CLOCK_UNITS or span.start is None or span.end is None or span.end <= context.today)
    return "I", Span(max(context.today, span.start), span.end, span.precision)  # type: ignore[type-var]  # refused above


def end_word(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """EOD, EOW, EOM, EOY."""
    unit = pick(tokens, "8")
    if unit == "day":
        return _end_of_day(to_span(tokens[-1], context).start or context.today if tokens[-1].symbol == "D" else context.today, "d")
    return "I", part(unit_span(context.now, unit), "d", context)


def nearest(tokens: Tokens, context: Context) -> tuple[str, Any]:
    return "D", resolve(Partial(weekday=pick(tokens, "Wq")), context)


_N = "(?:a?[NYa]|ha?)"
COUNTED = Stage(
    Rule("[#N]?#Ug|#U1", vague_ago),
    Rule(f"NU[&,]?NU[g1]|{_N}Ug|NU1(?!NU)|NhU?g", ago),
    Rule("[12][N#]U(?![12])", last_or_next),
    Rule("t?O[NY]Uot?(?:I|RU|[MJ]|Y)", nth_in),
    Rule("t?R[NYa]U(?=ot?(?:I|RU|[MJ]))ot?(?:I|RU|[MJ])|Io?[R12]NU", nth_in),
    Rule("w?t?R[NYa#]U0?|t?[NYa]RU|w[NYa]U|NU0", last_or_next),
    Rule(f"i?NU[&,]?NU[l2]|i{_N}U(?!o)|{_N}Ul|NU2", later),
    Rule("RU,?n?[Wq]|[Wq],?[onf]?t?RU|R[Wq]", relative_weekday),
    Rule("t?OUo?t?(?:I|RU|[MJ]|Y)|t?OUo?tU(?=[;,_]|$)|t?RUo(?:I|[MJ]|Y)|Io?OU|t?[OR][Wq](?:B|T[-z]T)?o(?:t?RU|t?U|I|M|J)", nth_in),
    Rule("[edlr]?[it]*RB", relative_part),
    Rule("[rl][it]{0,2}RU|[emd](?:o?t?)RU|[emd]oU(?=[;,_]|$)|[rl]itU", part_of),
    Rule("t?8(?:oD)?", end_word),
    Rule("t?OU", century),
    Rule("R[MJ](?!t?[NO])", relative_month),
    Rule("RU", relative_unit),
)
PARTS = Stage(
    Rule("I_?,?n?[Wq]", weekday_in),
    Rule("K(?:t?U|RU|I)", rest_of),
    Rule("[><]?[NYah]a?U[bcf]t?[DHIWq](?!U)|t?U[bc]t?[DH](?!U)", from_day),
    Rule("9[NYa]U,?f[DHW]|9[NYa]U,?C?D", lasting),
    Rule("t?[emd](?:[oi-]?t?)(?:[IVH]|D(?!B)|[MJ]|[Wq]|Y(?!U)|t?U(?!o|U))|[IDM]?o?[EZL]|[rl][DVI]|eit?U", part_of),
)
FOLLOWING = Stage(Rule("Dn[Wq]|[Wq],D", following_weekday))
THIS = Stage(Rule("tU(?=[;,_]|$)", this_unit))
