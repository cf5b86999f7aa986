"""Rules that put dates and clock times together, make ranges, and open them ("since", "before", "until")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.language.times_calendar import DAY, Clock, Context, Hours, Partial, Span, at_clock, in_hours, known, resolve, shift
from graphmem.language.times_english import on_half
from graphmem.language.times_grammar import Rule, Stage, fail, pick, picks, to_partial, to_span
from graphmem.language.times_lexer import Token

Tokens = Sequence[Token]
HALF_DAYS = {"a": Hours(8, 12, "morning"), "p": Hours(12, 16, "afternoon")}
COARSE = {"week", "month", "quarter", "year", "decade"}


def clock_number(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    """Read "4 oclock", "8 am", "six forty-three minutes"."""
    numbers = picks(tokens, "N")
    half = pick(tokens, "A")
    fail(
        not all(isinstance(number, int) for number in numbers)
        or not 0 <= numbers[0] <= 24
        or (len(numbers) > 1 and not 10 <= numbers[1] < 60)
    )
    clock = Clock(
        numbers[0], numbers[1] if len(numbers) > 1 else 0, 0, "minute" if len(numbers) > 1 else "hour", vague=0 < numbers[0] <= 12
    )
    return "T", on_half(clock, (half or "")[:1] if half != "clock" else "")


def clock_dotted(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    hour, minute, separator = pick(tokens, "G")
    fail(separator != "." or hour > 23 or minute > 59)
    return "T", Clock(hour, minute, 0, "minute", vague=0 < hour <= 12)


def clock_in_part(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    """下午3点, "8:00 early morning", "2 in the afternoon": the part of the day settles the half."""
    return "T", shifted(_clock(next(token for token in tokens if token.symbol in "TN")), pick(tokens, "B"))


def shifted(clock: Clock, hours: Hours) -> Clock:
    if hours.name in {"afternoon", "evening", "night"} and clock.hour < 12 and not (hours.name == "night" and clock.hour <= 5):
        return replace(clock, hour=clock.hour + 12, vague=False)
    if hours.name == "noon" and 1 <= clock.hour <= 3:
        return replace(clock, hour=clock.hour + 12, vague=False)
    if hours.name == "morning" and clock.hour == 12 and hours.start == 0:
        return replace(clock, hour=0, vague=False)
    if hours.name in {"evening", "night"} and clock.hour == 12:
        return replace(clock, hour=24, vague=False)
    return replace(clock, vague=False)


def _clock(token: Token) -> Clock:
    if isinstance(token.value, Clock):
        return token.value
    fail(not isinstance(token.value, int) or not 0 <= token.value <= 24)
    return Clock(token.value, vague=0 < token.value <= 12)


def _day_of(tokens: Tokens, context: Context) -> tuple[datetime, Hours | None]:
    """The day that the tokens name, and the part of it where one was said ("last night")."""
    for token in tokens:
        if token.symbol in "DHWq":
            start = to_span(token, context).start
        elif token.symbol == "O" or (token.symbol == "N" and tokens[0].symbol == "t"):
            start = resolve(Partial(day=token.value), context).start
        elif token.symbol == "V":
            start = token.value.start
        else:
            continue
        names = {8: "morning", 12: "afternoon", 16: "evening", 20: "night", 0: "morning"}
        start = known(start)
        return start, Hours(start.hour, 24, names.get(start.hour, "")) if token.symbol == "V" else None
    raise ValueError(tokens)


def moment(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """A day with a clock time in any order; with "by" and "before" it is the end of an open range."""
    day, hours = _day_of(tokens, context)
    clock = _clock(next(token for token in tokens if token.symbol in "TN"))
    part = pick(tokens, "B") or hours
    if part is not None:
        clock = shifted(clock, part)
    elif clock.vague and clock.hour <= 6 and not context.day_first:
        clock = replace(clock, hour=clock.hour + 12)
    span = at_clock(day, clock)
    closes = any(token.symbol in "yb" for token in tokens[1:])
    return ("F", Span(None, span.start, span.precision)) if closes else ("P", span)


def hours_of_day(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "Tuesday afternoon", "today pm", "early in the day Wednesday"."""
    day, _ = _day_of(tokens, context)
    hours = pick(tokens, "B")
    if hours is None:
        half = pick(tokens, "A")
        fail(half == "clock")
        hours = HALF_DAYS[half[0]]
    return "V", in_hours(day, hours)


def early_day(tokens: Tokens, context: Context) -> tuple[str, Any]:
    span = pick(tokens, "V")
    day, _ = _day_of([token for token in tokens if token.symbol in "DWq"], context)
    fail(span.start is None or span.end is None)
    return "V", Span(day + (span.start - span.start.replace(hour=0)), day + (span.end - span.start.replace(hour=0)), "hour")


def clock_range(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Two clock times on a day: halves are inherited ("5 to 6pm", "8am-3"), and the later one is later ("11-4")."""
    pair = pick(tokens, "G")
    if pair is not None:
        fail(pair[2] != "-")
        first, last = (Clock(value, vague=0 < value <= 12) for value in pair[:2])
        fail(max(pair[:2]) > 24)
        last = on_half(last, pick(tokens, "A") or "")
    else:
        first, last = (_clock(token) for token in [token for token in tokens if token.symbol in "TN"][-2:])
    day, hours = _day_of(tokens, context)
    if hours is not None and first.vague and last.vague:
        first, last = shifted(first, hours), shifted(last, hours)
    if hours is None and first.vague and last.vague and first.hour < last.hour <= 7 and first.hour <= 6 and not context.day_first:
        first, last = replace(first, hour=first.hour + 12), replace(last, hour=last.hour + 12)
    if first.vague and not last.vague and last.hour > 12 and first.hour + 12 < last.hour:
        first = replace(first, hour=first.hour + 12)
    start, end = known(at_clock(day, first).start), known(at_clock(day, last).start)
    if end <= start:
        end = shift(end, "hour", 12 if last.vague and shift(end, "hour", 12) > start else 24)
    return "V", Span(start, end, "minute")


def span_clock(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """A moment up to a clock time of the same day: "tomorrow 3 pm to 5 pm", 明天下午3点到5点."""
    first = to_span(tokens[0] if tokens[0].symbol == "P" else tokens[1], context)
    clock = _clock(tokens[-1])
    start = known(first.start)
    end = known(at_clock(start, clock).start)
    if end <= start:
        end = shift(end, "hour", 12)
    fail(end <= start)
    return "V", Span(start, end, "minute")


def span_range(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """From one date or period to another; what one side leaves out it takes from the other."""
    sides = [token for token in tokens if token.symbol in "DIPFWqMJYOHN7p"]
    left, right = sides[0], sides[-1]
    fail(left is right or (left.symbol in "ON" and right.symbol in "ON"))
    first, last = to_partial(left), to_partial(right)
    if first is not None and last is not None:
        start, end = _both_partial(first, last, context)
    else:
        start = to_span(left, context)
        anchor = Context(start.start or context.now, future=True, offset=context.offset)
        end = resolve(last, anchor) if last is not None and last.year is None else to_span(right, context)
        if first is not None and first.year is None and first.weekday is None and start.start and end.start and start.start > end.start:
            start = resolve(first, Context(end.start, offset=context.offset))
    return "F", join(start, end)


def join(start: Span, end: Span) -> Span:
    """The start of the first to the last: a day is taken in, a longer period ends the range where it begins; `whole` takes it in."""
    low = known(start.edge or start.start)
    high = known(end.edge or (end.end if end.precision == "day" else end.start))
    fail(high <= low)
    return Span(low, high, end.precision, max(high, end.end or high))


def _both_partial(first: Partial, last: Partial, context: Context) -> tuple[Span, Span]:
    fail(first.precision == "year" and last.precision == "year" and not 1000 <= (first.year or 0) < (last.year or 0) <= 2999)
    if first.month is None and first.day is not None and first.weekday is None:
        first = replace(first, month=last.month, year=last.year)
    if last.month is None and last.day is not None and last.weekday is None and first.month is not None:
        month = first.month if last.day > (first.day or 0) else first.month % 12 + 1
        last = replace(last, month=month, year=first.year if first.year is None or month >= first.month else first.year + 1)
    if first.year is None and last.year is not None and first.month is not None:
        later = (first.month, first.day or 0) > (last.month or 12, last.day or 31)
        first = replace(first, year=last.year - later)
    start = resolve(first, context)
    if first.year is None and last.year is None and context.future:
        running = resolve(first, replace(context, future=False))
        until = resolve(last, Context(running.start or context.now, future=True)).start
        start = running if until is not None and until > context.now and first.weekday is None else start
    anchor = known(start.start)
    if last.year is None and first.year is not None and last.month is not None and first.month is not None:
        last = replace(last, year=first.year + ((last.month, last.day or 31) < (first.month, first.day or 0)))
    if last.year is None:
        return start, resolve(last, Context(anchor, future=True, offset=context.offset))
    return start, resolve(last, context)


def days_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "from 4 to 22 this month", "4-23 in next month"."""
    month = to_span(tokens[-1], context)
    days = pick(tokens, "G") or picks(tokens, "NO")
    start = known(month.start)
    fail(month.precision != "month" or not 1 <= days[0] < days[1] <= 31)
    return "F", Span(start.replace(day=days[0]), start.replace(day=days[1]) + DAY, "day")


def _bounds(tokens: Tokens, context: Context) -> Span:
    return to_span(next(token for token in tokens if token.symbol in "DIPVWqMJYHOS"), context)


def before(tokens: Tokens, context: Context) -> tuple[str, Any]:
    span = _bounds(tokens, context)
    return "F", Span(None, span.edge or span.start, span.precision)


def after(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """After a day counts from that day on, after a longer period from its end."""
    span = _bounds(tokens, context)
    return "F", Span(span.edge or (span.end if span.precision in COARSE else span.start), None, span.precision)


def since(tokens: Tokens, context: Context) -> tuple[str, Any]:
    return "F", Span(_bounds(tokens, context).start, None, _bounds(tokens, context).precision)


def until(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Until a day or period: the open range ends where it begins; `whole` takes it in. "<= 2019" and 2013年及以前 take in a long one anyway."""
    span = _bounds(tokens, context)
    inclusive = any(token.symbol == "4" or token.value == "incl" for token in tokens) and span.precision in COARSE
    return "F", Span(None, span.end if inclusive else span.edge or span.start, span.precision, span.end)


def promoted(symbol: str) -> Any:
    def build(tokens: Tokens, context: Context) -> tuple[str, Any]:
        token = next(token for token in tokens if token.symbol in "MJYSWqHO7")
        return symbol, to_partial(token) if token.symbol in "MJYWqO" else to_span(token, context)

    return build


def bare_year(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    year = pick(tokens, "Y")
    fail(not 1500 <= year <= 2100)
    return "I", Partial(year=year)


_C = "[TN]"
_DAY = "(?:t?[DHW]|q|V)"
_TO = "[-z&u]"
CLOCKS = Stage(
    Rule("NA|(?<=[@n])NNU?|NNU(?=[;,]|$)", clock_number),
    Rule("(?<=@)G", clock_dotted),
    Rule("B[io]?T|T,?(?:ot|it|e)?B|NitB|BN(?![U-])", clock_in_part),
)
DAYS = Stage(
    Rule("V,?[DWq](?![-z])", early_day),
    Rule(
        f"[fv]?{_C}{_TO}{_C},?[noi@]?{_DAY}|{_DAY},?[fvi@n]{{0,2}}T{_TO}{_C}|{_DAY},?[fvi@n]{{0,2}}{_C}{_TO}T|{_DAY}[fv]{_C}{_TO}{_C}|{_DAY},?f?GA?|GA?,?[noi@]?{_DAY}|t[ON][fv]{_C}{_TO}{_C}",
        clock_range,
    ),
    Rule(f"{_DAY},?(?:[@9yiob]|n)?@?T(?:,?B)?|T,?[noi@,]?t?{_DAY}|{_DAY}@N(?![U/])|(?<![xX])N,?V|V@N(?!U)|@T{_DAY}|tO@?T", moment),
    Rule("[DHWq],?[oi]?t?B|[DHWq]A|Bo?t?[DHW]", hours_of_day),
)
EVENINGS = Stage(Rule("V,?[@y]?T|V@N(?!U)", moment))
RANGES = Stage(
    Rule("[fv]?t?[NO][-zu&]t?[NO][io]?I|[fv]?G[io]?I", days_of),
    Rule(f"f?P{_TO}T", span_clock),
    Rule("v(?:t?[DIPWqMJYONH7p])[&z-](?:t?[DIPWqMJYONH7p])", span_range),
    Rule("f(?:t?[DIPWqMJYONH7p])[-zu](?:t?[DIPWqMJYOH7p])", span_range),
    Rule("(?:[DIPWqMJH7])[-zu](?:t?[DIPWqMJYOH7p])|Y[-zu]t?[DIPYMJp]|N[-z]D", span_range),
)
PROMOTED = Stage(
    Rule(
        "(?<=[inofsbcuyzemdC])J(?![NOX])|(?<=[v&k,tR@])J(?=[;,_&kz12345]|$)|(?<=[inofsbcuyzemdCv&k,tR@9;I_])M(?!X)|M(?=[;,_12345]|$)",
        promoted("I"),
    ),
    Rule("(?<=[nscbuyfkC&R])[Wq]|W(?!X)", promoted("D")),
    Rule("H(?!,?Y)", promoted("D")),
    Rule("nt?O(?![oU])", promoted("D")),
    Rule("(?<=[ifosbcuykzt&,;5])Y(?![UX#0-9])|Y(?=5|4|3|2)|(?<!-)Y(?=[,;_]*$)", bare_year),
)
OPEN = Stage(
    Rule("[DIPV],?5", since),
    Rule("z?[DIPV],?4", until),
    Rule("f[DIPV]3|[DIPV]3|sn?t?[DIPV]|fsn?t?[DIPV]|[C]n?t?[DIPV]|f?n?[DIPV]3", since),
    Rule("f?n?[DIPV]2|c[ontd]{0,2}[DIPV]", after),
    Rule("f?n?[DIPV]1|bt?[DIPV]", before),
    Rule("ut?[DIPV]|yt?[DIPV]", until),
)
