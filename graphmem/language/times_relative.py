"""Rules for what is counted from now or from another date: last week, three days ago, next Tuesday, the end of the month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.language import times_parts
from graphmem.language.times_calendar import (
    CLOCK_UNITS,
    DAY,
    Context,
    Hours,
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
from graphmem.language.times_grammar import Rule, Stage, count_of, fail, pick, picks, to_span
from graphmem.language.times_lexer import Token

Tokens = Sequence[Token]
ALIGNED = {"quarter", "decade", "century", "half-year"}
VAGUE = {"couple": (3, 1), "few": (5, 2)}
"""How far back "a couple of" and "a few" reach, in units: from, to."""


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
    base = known(counted(context.now, units[0], sign * numbers[0])[1].start)
    return counted(base, units[1], sign * numbers[1])


def later(tokens: Tokens, context: Context) -> tuple[str, Any]:
    fail(pick(tokens, "i") == "during")
    return _compound(tokens, context, 1)


def vague_ago(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "a few weeks ago" reaches from five units back to two, "a couple of" from three to one; months count thirty days."""
    unit = pick(tokens, "U")
    far, near = VAGUE[pick(tokens, "#")]
    if unit in CLOCK_UNITS:
        return "V", Span(shift(context.now, unit, -far), shift(context.now, unit, -near), "hour")
    size = {"day": 1, "night": 1, "week": 7, "weekend": 7, "month": 30}.get(unit, 0)
    fail(not size)  # vague years name no window
    return "I", Span(context.today - far * size * DAY, context.today - (near * size - 1) * DAY, precision_of(unit))


def last_or_next(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "last 3 months", "next two weeks", "within 9 months": counted in days from today; quarters and decades are calendar ones."""
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
    return known(counted(start, unit, count)[1].start)


def _relative(tokens: Tokens) -> tuple[int, str]:
    value = pick(tokens, "R")
    if any(token.symbol in "w0" for token in tokens):
        return 1, "within"
    if value is None:
        before = tokens[0].symbol == "1"
        return (-1 if before else 1), "past" if before else "next"
    step, kind = value
    return step, kind


def relative_unit(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "last month", "this weekend", "next quarter", "the current year"."""
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
    """Read "last Friday" and "next Monday" are those of the weeks beside; "coming" is the next one; with a week named, that week's."""
    weekday, unit = pick(tokens, "Wq"), pick(tokens, "U")
    (step, kind) = pick(tokens, "R")
    fail(unit not in {None, "week"} or kind == "within")
    if kind == "coming" and unit is None:
        return "D", day_span(context.today + DAY * ((weekday - context.today.weekday() - 1) % 7 + 1))
    return "D", day_span(shift(known(unit_span(context.now, "week", step).start), "day", weekday))


def weekday_in(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "1st week of Oct. on Friday": the weekday inside a week already read."""
    span = to_span(next(token for token in tokens if token.symbol == "I"), context)
    start = known(span.start)
    fail(span.precision != "week" or (known(span.end) - start).days != 7)
    return "D", day_span(floor(start, "week") + DAY * pick(tokens, "Wq"))


def relative_month(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "this May" is of this year, "last May" and "next May" the nearest on that side."""
    (step, _), month = pick(tokens, "R"), pick(tokens, "MJ")
    this = date_of(context.now.year, month, 1)
    past, coming = this < floor(context.now, "month"), this > floor(context.now, "month")
    return "I", unit_span(this, "month", 12 * (step + (1 if step < 0 and past else -1 if step > 0 and coming else 0)))


def from_day(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "two days before yesterday", "3 weeks after May 13", with "more than" an open and with "less than" a bounded range."""
    date = to_span(tokens[-1], context if tokens[-1].symbol not in "Wq" else replace(context, future=True))
    unit, count = pick(tokens, "U"), count_of(tokens[:-1])
    fail(tokens[0].symbol in "tU" and unit != "day")
    step = -1 if any(token.symbol == "b" for token in tokens) else 1
    start = known(date.start)
    symbol, span = counted(start, unit, step * count)
    if tokens[0].symbol == ">":
        return "F", Span(None, span.start, span.precision) if step < 0 else Span(span.start, None, span.precision)
    if tokens[0].symbol == "<":
        return "F", Span(span.start, start, span.precision) if step < 0 else Span(start, span.start, span.precision)
    return symbol, span


def lasting(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "for 3 days from today", "for 1 week, from 20th Dec"."""
    start = known(to_span(tokens[-1], replace(context, future=True)).start)
    end = counted(start, pick(tokens, "U"), count_of(tokens[:-1]))[1].start
    return "F", Span(start, end, "day")


def following_weekday(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "two months from today on Tuesday", "Thursday, two years from now": that weekday on or after the day."""
    date = next(token for token in tokens if token.symbol == "D")
    fail(not isinstance(date.value, Span))
    start = known(to_span(date, context).start)
    return "D", day_span(start + DAY * ((pick(tokens, "Wq") - start.weekday()) % 7))


_N = "(?:a?[NYa]|ha?)"
COUNTED = Stage(
    Rule("[#N]?#Ug|#U1", vague_ago),
    Rule(f"NU[&,]?NU[g1]|{_N}Ug|NU1(?!NU)|NhU?g", ago),
    Rule("[12][N#]U(?![12])", last_or_next),
    Rule("t?O[NY]Uot?(?:I|RU|[MJ]|Y)", times_parts.nth_in),
    Rule("t?R[NYa]U(?=ot?(?:I|RU|[MJ]))ot?(?:I|RU|[MJ])|Io?[R12]NU", times_parts.nth_in),
    Rule("w?t?R[NYa#]U0?|t?[NYa]RU|w[NYa]U|NU0", last_or_next),
    Rule(f"i?NU[&,]?NU[l2]|i{_N}U(?!o)|{_N}Ul|NU2", later),
    Rule("RU,?n?[Wq]|[Wq],?[onf]?t?RU|R[Wq]", relative_weekday),
    Rule(
        "t?OUo?t?(?:I|RU|[MJ]|Y)|t?OUo?tU(?=[;,_]|$)|t?RUo(?:I|[MJ]|Y)|Io?OU|t?[OR][Wq](?:B|T[-z]T)?o(?:t?RU|t?U|I|M|J)", times_parts.nth_in
    ),
    Rule("[edlr]?[it]*RB", times_parts.relative_part),
    Rule("[rl][it]{0,2}RU|[emd](?:o?t?)RU|[emd]oU(?=[;,_]|$)|[rl]itU", times_parts.part_of),
    Rule("t?8(?:oD)?", times_parts.end_word),
    Rule("t?OU", times_parts.century),
    Rule("R[MJ](?!t?[NO])", relative_month),
    Rule("RU", relative_unit),
)
PARTS = Stage(
    Rule("I_?,?n?[Wq]", weekday_in),
    Rule("K(?:t?U|RU|I)", times_parts.rest_of),
    Rule("[><]?[NYah]a?U[bcf]t?[DHIWq](?!U)|t?U[bc]t?[DH](?!U)", from_day),
    Rule("9[NYa]U,?f[DHW]|9[NYa]U,?C?D", lasting),
    Rule("t?[emd](?:[oi-]?t?)(?:[IVH]|D(?!B)|[MJ]|[Wq]|Y(?!U)|t?U(?!o|U))|[IDM]?o?[EZL]|[rl][DVI]|eit?U", times_parts.part_of),
)
FOLLOWING = Stage(Rule("Dn[Wq]|[Wq],D", following_weekday))
THIS = Stage(Rule("tU(?=[;,_]|$)", times_parts.this_unit))
