"""Rules for dates and the longer periods: day-month-year in every order, holidays, quarters, seasons, years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.language.times_calendar import DAY, Context, Partial, Span, clip_year, date_of, day_span, known, resolve, shift, unit_span
from graphmem.language.times_grammar import Rule, Stage, fail, next_holiday, pick, picks, to_partial, to_span
from graphmem.language.times_lexer import Token

Tokens = Sequence[Token]


def date(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    """Month name, day number and perhaps a year, in any order; a number after "of" or at the end may be a short year."""
    month = pick(tokens, "MJ")
    numbers = picks(tokens, "NO")
    year = pick(tokens, "Y")
    if year is None and len(numbers) == 2:
        year = clip_year(int(numbers.pop()))
    day = int(numbers[0]) if numbers else None
    fail(day is not None and not 1 <= day <= 31)
    if day is not None:
        date_of(year or 2000, month, day)
    unit = pick(tokens, "U")
    fail(unit not in {None, "day", "year"})
    return ("D" if day else "I"), Partial(year, month, day)


def days_of_month(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "November 18-19, 2015", "3-5 June"."""
    first, last, separator = pick(tokens, "G")
    month, year = pick(tokens, "MJ"), pick(tokens, "Y")
    fail(separator != "-" or not 1 <= first < last <= 31)
    start = known(resolve(Partial(year, month, first), context).start)
    end = start.replace(day=last)
    return "F", Span(start, end + DAY, "day")


def month_year(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    year = pick(tokens, "YN")
    fail(pick(tokens, "U") not in {None, "year"})
    return "I", Partial(clip_year(int(year)) if pick(tokens, "N") else year, pick(tokens, "MJ"))


def weekday_of_month(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    day = pick(tokens, "O")
    fail(not 1 <= day <= 31)
    return "D", Partial(day=day, weekday=pick(tokens, "Wq"))


def weekday_and_pair(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "Friday 7.6", "Friday 7-6": month and day, when this year makes that a Friday; otherwise the pair is something else."""
    first, second, _ = pick(tokens, "G")
    weekday = pick(tokens, "Wq")
    fail(not (1 <= first <= 12))
    fail(date_of(context.now.year, first, second).weekday() != weekday)
    return "D", Partial(context.now.year, first, second)


def dotted(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    first, second, separator = pick(tokens, "G")
    fail(separator != "." or not 1 <= first <= 12)
    date_of(2000, first, second)
    return "D", Partial(None, first, second)


def value_of(symbol: str, source: str) -> Any:
    return lambda tokens, _context: (symbol, pick(tokens, source))


def weekday_date(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    """A weekday beside a date adds nothing, unless the date is only a day of the month."""
    value = pick(tokens, "D")
    weekday = pick(tokens, "Wq")
    fail(not isinstance(value, Partial))
    bare = value.month is None and value.year is None
    return "D", Partial(day=value.day, weekday=weekday) if bare else value


def year_word(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    fail(pick(tokens, "U") != "year")
    return "I", Partial(year=pick(tokens, "Y"))


def week_number(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "week 1", "week 12 of 2019": ISO weeks."""
    fail(pick(tokens, "U") != "week")
    number, year = int(pick(tokens, "N")), pick(tokens, "Y") or context.now.year
    return "I", Span(start := datetime.fromisocalendar(year, number, 1), start + 7 * DAY, "week")


def quarter(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Qn of a year; without one the last that has begun, or the next where the sentence looks ahead."""
    number, year = pick(tokens, "Q"), _year(tokens, context)
    start = date_of(year or context.now.year, 3 * number - 2, 1)
    span = unit_span(start, "quarter")
    if year is None and span.start and span.end:
        span = unit_span(
            start,
            "quarter",
            4 if context.future and span.end <= context.now else -4 if not context.future and span.start > context.now else 0,
        )
    return "I", span


def season(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Meteorological seasons of three months (the northern ones): summer is June to August; a winter begins in December of its year."""
    month, year, relative = pick(tokens, "S"), _year(tokens, context), pick(tokens, "R")
    start = date_of(year or context.now.year, month, 1)
    if year is None:
        step = {"last": -1, "next": 1}.get(relative[1] if relative else "this", 0)
        if step < 0 and shift(start, "month", 3) > context.now:
            start = shift(start, "year", -1)
        elif step > 0 and start <= context.now:
            start = shift(start, "year", 1)
    return "I", Span(start, shift(start, "month", 3), "quarter")


def half_year(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """上半年 and 上半月 of the current or a named year or month."""
    unit, second = pick(tokens, "h")
    named = next((token.value for token in tokens if token.symbol == "I"), None)
    if isinstance(named, Partial):
        base = date_of(named.year or context.now.year, named.month or 1, 1)
    else:
        base = known(named.start if named is not None else unit_span(context.now, "year" if unit == "年" else "month").start)
    if unit == "年":
        start = shift(base, "month", 6 * second)
        return "I", Span(start, shift(start, "month", 6), "quarter")
    middle = shift(base, "day", 15)
    return "I", Span(middle, shift(base, "month", 1), "week") if second else Span(base, middle, "week")


def half_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "first half of 2019", "second half of last year"."""
    count, year = pick(tokens, "OR"), _year(tokens, context)
    second = (count == 2) if isinstance(count, int) else count[0] > 0
    fail(isinstance(count, int) and count > 2)
    start = date_of(year or context.now.year, 7 if second else 1, 1)
    return "I", Span(start, shift(start, "month", 6), "quarter")


def _year(tokens: Tokens, context: Context) -> int | None:
    """The year that the tokens name: a number, "of this year", or a year already read."""
    if (year := pick(tokens, "Y")) is not None:
        return int(year)
    for token in tokens:
        if token.symbol == "I":
            value = token.value
            found = value.year if isinstance(value, Partial) else value.start.year if value.precision == "year" and value.start else None
            fail(found is None)
            return found
    relative, unit = pick(tokens, "R"), pick(tokens, "U")
    if relative is not None and unit == "year":
        return context.now.year + int(relative[0] if isinstance(relative, tuple) else relative)
    return None


def holiday_day(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """A holiday, its weekend, or the one of a named, last or next year."""
    name, year = pick(tokens, "H"), _year(tokens, context)
    relative = pick(tokens, "R")
    if year is None and relative is not None:
        ahead = Context(context.now, future=relative[0] >= 0)
        span = next_holiday(name, ahead) if relative[0] else next_holiday(name, context, context.now.year)
        if relative[0] > 0 and span.start == context.today:
            span = next_holiday(name, context, context.now.year + 1)
    else:
        span = next_holiday(name, context, year)
    if pick(tokens, "U") == "weekend" and span.start is not None:
        return "I", _weekend_of(span.start)
    return "D", span


def _weekend_of(day: datetime) -> Span:
    """The long weekend that a holiday makes: from a Thursday or Friday on, up to a Monday, else the Saturday and Sunday of its week."""
    saturday = shift(day, "day", 5 - day.weekday()) if day.weekday() else shift(day, "day", -2)
    start = min(day, saturday) if day.weekday() in {3, 4} else saturday
    return Span(start, shift(saturday, "day", 3 if day.weekday() == 0 else 2), "day")


def year_and_date(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """明年三月, 上个月5号, last year in May: the period completes a date that lacks it."""
    periods, dates = [t for t in tokens if t.symbol == "I"], [t for t in tokens if t.symbol in "DMJHO"]
    first = periods[0]
    second = (dates or periods[1:])[0]
    start = known(first.value.start) if isinstance(first.value, Span) else date_of(first.value.year or 0, first.value.month or 1, 1)
    precision = first.value.precision
    fail(precision not in {"year", "month"})
    if second.symbol == "H":
        fail(precision != "year")
        return "D", next_holiday(second.value, context, start.year)
    partial = to_partial(second) or Partial(year=0)
    fail(partial.year is not None or (partial.month is None) != (precision == "month") or partial.weekday is not None)
    return ("D" if partial.day else "I"), Partial(start.year, partial.month or start.month, partial.day)


def week_of(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "the week of April 10th", "w/c Feb 4", "the week commencing …": the Monday week that holds that day."""
    unit = pick(tokens, "U")
    fail(unit not in {"week", "weekend", "month"})
    return "I", unit_span(known(to_span(tokens[-1], context).start), unit)


def second_of_two(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    """Read "this Friday 5/12", "tomorrow, 13/04/21": the same day said twice; the written date counts."""
    dates = [token for token in tokens if token.symbol in "D7"]
    fail(not isinstance(dates[0].value, Span) or not isinstance(dates[1].value, Partial) or dates[1].value.month is None)
    written = dates[1].value
    return "D", replace(written, year=dates[0].value.start.year) if written.year is None else written


def slashed(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    return "D", pick(tokens, "7")


def slashed_year(tokens: Tokens, _context: Context) -> tuple[str, Any]:
    value = pick(tokens, "7")
    return "D", Partial(pick(tokens, "Y"), value.month, value.day)


def day_of_period(tokens: Tokens, context: Context) -> tuple[str, Any]:
    """Read "the 15th day of next month", "the thirty-first day of the month"."""
    units = picks(tokens, "U")
    fail(units[0] != "day" or units[1] != "month")
    relative = pick(tokens, "R")
    start = known(unit_span(context.now, "month", relative[0] if relative else 0).start)
    return "D", day_span(start.replace(day=int(pick(tokens, "O"))))


_M = "[MJ]"
_YEAR_TAIL = "(?:,?(?:[io]?t?U?)?Y|oN)"
WRITTEN = Stage(
    Rule(f"Y[-/_]{_M}[-/_][NO]|Y[-/][NO][-/]{_M}|[NO][-/_]{_M}[-/_][YN]|[NO][-/]Y[-/]{_M}|{_M}[-/][NO][-/]Y|{_M}[-/]Y[-/][NO]", date),
    Rule(f"{_M}_?t?[NO](?![AU:])(?:{_YEAR_TAIL})|{_M}_?,?t?[NO](?![AU:])|{_M}o?t?O", date),
    Rule(f"t?(?:OU?|N)o?t?{_M}_?{_YEAR_TAIL}|t?(?:OU?|N)o?t?{_M}", date),
    Rule(f"{_M}_?G,?Y|{_M}_?G|Go?{_M}_?,?Y|Go?{_M}", days_of_month),
    Rule(f"{_M}/N", date),
    Rule(f"{_M}_?,?(?:[io]?t?U?|/|-)Y|{_M}oN|Y[-/,]?{_M}", month_year),
    Rule("7,Y", slashed_year),
    Rule("tOUo(?:t?U|RU)", day_of_period),
    Rule("[Wq]_?,?t?O(?![oMJUWq])", weekday_of_month),
    Rule("[Wq]_?,?G", weekday_and_pair),
    Rule("(?<=[nfz])G", dotted),
    Rule("tUo?Y|UoY|UY", year_word),
    Rule("UN(?:oY)?", week_number),
    Rule("[I]h|Ioh|h(?=[^aN]|$)", half_year),
)
NAMED = Stage(
    Rule("I(?:QY?)|QoY|Q,?Y|Y[-,]?Q|Qot?RU|Q,?o?t?I|RUQ|Q", quarter),
    Rule("[OR]h,?(?:ot?)?(?:RU|U?Y|I|U)", half_of),
    Rule("Io?S|So?Y|RS|YS|So(?:I|RU)|tS(?=[,;]|$)|tSo(?:Y|I)", season),
    Rule("t?Uot?H,?Y|t?Uot?H|R?H,?U,?Y|R?HU|RHU|t?H,?(?:o?t?RU|o?Y|oI)|RH|tH|H(?!,?Y)", holiday_day),
    Rule("I[,o]?[DMJIH]|[DMJ],?[io]?I|t?Oo?t?I", year_and_date),
    Rule("[Wq]_?,?D|D,?[Wq]", weekday_date),
    Rule("(?<![x/:])7|^7|(?<=[/:])7(?=$)", slashed),
)
AGAIN = Stage(
    Rule("t?Uot?[DO](?![oU])|t?UCn?t?[DO](?![oU])", week_of),
    Rule("D,?[D7],?", second_of_two),
)
