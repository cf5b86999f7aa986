"""The English rows of the time lexicon: numbers, numeric dates, clock times, and the words that dates are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from graphmem.language.times_calendar import Clock, Context, Hours, Partial, Span, clip_year, date_of, day_span, in_hours, shift, unit_span
from graphmem.language.times_holidays import HOLIDAYS
from graphmem.language.times_lexer import Lexeme, constant
from graphmem.numerals import ENGLISH_TENS, ENGLISH_UNITS, english_number

Pairs = Iterable[tuple[str, Any]]

MONTHS = {
    name: month
    for month, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sept sep", "october oct",
         "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_SURE_MONTHS = {name for name in MONTHS if len(name) > 4} - {"march"} | {"june", "july"}
WEEKDAYS = {
    name: day
    for day, names in enumerate(
        ("monday mon", "tuesday tues tue", "wednesday wed", "thursday thurs thur thu", "friday fri", "saturday sat", "sunday sun")
    )
    for name in names.split()
}
UNITS = {
    name: unit
    for unit, names in {
        "second": "seconds secs sec", "minute": "minute minutes min mins", "hour": "hour hours hr hrs", "day": "day days", "night": "nights",
        "week": "week weeks wk wks", "weekend": "weekend weekends", "fortnight": "fortnight fortnights", "month": "month months", "year": "year years yr yrs",
        "quarter": "quarter quarters", "decade": "decade decades", "century": "century centuries",
    }.items()
    for name in names.split()
}  # fmt: skip
RELATIVE = {
    name: value
    for value, names in {(-1, "last"): "last previous prior past", (1, "next"): "next following", (1, "coming"): "coming upcoming", (0, "this"): "this current same"}.items()
    for name in names.split()
}  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
PARTS = {
    "morning": Hours(8, 12, "morning"), "mornings": Hours(8, 12, "morning"), "afternoon": Hours(12, 16, "afternoon"),
    "evening": Hours(16, 20, "evening"), "night": Hours(20, 24, "night"), "nighttime": Hours(20, 24, "night"), "midday": Hours(11, 13, "noon"),
}  # fmt: skip
_CARDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
ORDINALS = {word: value for value, word in enumerate(_CARDINALS.split(), 1)} | {"twentieth": 20, "thirtieth": 30}
DECADES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}
FUNCTION_WORDS = {
    word: symbol
    for symbol, words in {
        "o": "of", "i": "in during", "n": "on", "@": "at around about approximately circa", "y": "by", "t": "the that", "a": "a an one's", "f": "from",
        "z": "to through thru throughout", "u": "until till til", "v": "between", "&": "and", "k": "or", "b": "before", "c": "after", "s": "since", "g": "ago back",
        "l": "later hence", "w": "within", "C": "commencing starting beginning", "e": "early beginning start", "m": "mid middle", "d": "end late close",
        "r": "earlier", "h": "half", "9": "for",
    }.items()
    for word in words.split()
} | {"beginning": "e", "start": "e"}  # fmt: skip
PHRASES: dict[str, tuple[str, Any]] = {
    "right now": ("P", "now"), "just now": ("P", "now"), "at present": ("P", "now"), "at this time": ("P", "now"), "at the moment": ("P", "now"),
    "a couple of": ("#", "couple"), "a couple": ("#", "couple"), "couple of": ("#", "couple"), "couple": ("#", "couple"),
    "a few": ("#", "few"), "few": ("#", "few"), "several": ("#", "few"), "more than": (">", None), "less than": ("<", None),
    "no later than": ("u", "incl"), "not later than": ("u", "incl"), "as late as": ("u", "incl"), "later than": ("c", None), "earlier than": ("b", None),
    "prior to": ("b", None), "business days": ("U", "business day"), "business day": ("U", "business day"), "working days": ("U", "business day"),
    "work days": ("U", "business day"), "o'clock": ("A", "clock"), "oclock": ("A", "clock"), "calendar year": ("U", "year"), "w/c": ("C", "week"), "cy": ("U", "year"),
    "week before last": ("j", ("week", -2)), "month before last": ("j", ("month", -2)), "year before last": ("j", ("year", -2)), "weekend before last": ("j", ("weekend", -2)),
    "week after next": ("j", ("week", 2)), "month after next": ("j", ("month", 2)), "year after next": ("j", ("year", 2)), "weekend after next": ("j", ("weekend", 2)),
    "up to date": ("x", None), "up-to-date": ("x", None), "to date": ("F", "to date"), "so far": ("x", None), "day after day": ("x", None), "day by day": ("x", None),
    "eod": ("8", "day"), "eom": ("8", "month"), "eoy": ("8", "year"), "eow": ("8", "week"), "noon": ("T", Clock(12)), "midnight": ("T", Clock(0)),
    "year to date": ("6", "year"), "month to date": ("6", "month"), "ytd": ("6", "year"), "the same": ("R", (0, "this")),
}  # fmt: skip
_DAYS = {
    "day before yesterday": -2, "day after tomorrow": 2, "yesterday": -1, "today": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "nowadays": None,
    "following day": 1, "previous day": -1, "next day": 1, "yday": -1,
}  # fmt: skip
_AP = r"(?:[ap]\.?\s?m\b\.?|[ap](?![a-z0-9']))"
_NUMBER_WORD = "|".join(sorted({*ENGLISH_UNITS, *ENGLISH_TENS, "hundred", "thousand"}, key=len, reverse=True))
_ORDINAL_WORD = "|".join(sorted(ORDINALS, key=len, reverse=True))
_SMALL_WORD = "|".join(sorted((word for word, value in ENGLISH_UNITS.items() if value), key=len, reverse=True)) + "|twenty"
_UNIT_WORD = "|".join(sorted(UNITS, key=len, reverse=True))
_YEARS = range(1000, 3000)
_NUMERIC = re.compile(r"(\d{1,4})([-/.])(\d{1,4})(?:\2(\d{1,4}))?")


def _iso(match: re.Match[str], _context: Context) -> Pairs:
    """An ISO moment; its own offset is respected."""
    moment = datetime.fromisoformat(match[0].upper())
    yield "P", moment


def _clock(match: re.Match[str], _context: Context) -> Pairs:
    hour, minute, second = int(match["h"]), int(match["m"] or 0), int(match["s"] or 0)
    if hour > 24 or minute > 59 or second > 59:
        raise ValueError(match[0])
    half = (match["ap"] or "")[:1]
    precision = "second" if match["s"] else "minute" if match["m"] else "hour"
    yield "T", on_half(Clock(hour, minute, second, precision, vague=0 < hour <= 12 and not half and match["h"][0] != "0"), half)  # type: ignore[arg-type]  # three of the literals


def on_half(clock: Clock, half: str) -> Clock:
    """The clock in the half of the day that "a" or "p" names."""
    if not half:
        return clock
    hour = clock.hour if clock.hour > 12 else clock.hour % 12 + (12 if half == "p" else 0)
    return Clock(hour, clock.minute, clock.second, clock.precision)


def _number(text: str) -> tuple[str, Any]:
    value = int(text)
    if len(text) == 8 and 1900 <= value // 10000 <= 2100:
        return "D", Partial(value // 10000, *_month_day(value // 100 % 100, value % 100))
    if len(text) == 4:
        return ("Y" if value >= 1 else "X"), value
    return ("N" if len(text) <= 7 else "x"), value


def _month_day(month: int, day: int) -> tuple[int, int]:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        raise ValueError((month, day))
    return month, day


def _numeric(match: re.Match[str], context: Context) -> Pairs:
    """Runs of digits with `-`, `/` or `.`: a date, two dates with a dash, two numbers, or nothing (a phone number)."""
    text = match[0]
    if text.isdigit():
        return (_number(text),)
    whole = read_date(text, context)
    if whole is not None:
        return (whole,)
    parts = text.split("-")
    middle = len(parts) // 2
    left, right = "-".join(parts[:middle]), "-".join(parts[middle:])
    if len(parts) % 2 == 0 and left and right:
        first, last = read_date(left, context), read_date(right, context)
        if first and last:
            return (first, ("-", None), last)
        if left.isdigit() and right.isdigit() and len(left) == len(right) == 4 and 1500 <= int(left) < int(right) <= 2100:
            return (("Y", int(left)), ("-", None), ("Y", int(right)))
    return (("x", None),)


def read_date(text: str, context: Context) -> tuple[str, Any] | None:
    """The symbol and value of one numeric date ("2024-03-10", "3/10/24", "12-2015", "10/1"), else None."""
    match = _NUMERIC.fullmatch(text)
    if match is None:
        return None
    first, separator, second, third = match[1], match[2], match[3], match[4]
    try:
        if third is None:
            return _two_numbers(first, separator, second, context)
        if len(first) == 4:
            return "D", _valid(int(first), *_month_day(int(second), int(third)))
        if len(third) == 4:
            return "D", _valid(int(third), *_ordered(int(first), int(second), day_first=context.day_first or separator == "."))
        if separator == "." and not (len(first) == len(second) == len(third) == 2):
            return None
        if len(third) == 2 and max(len(first), len(second)) <= 2:
            if context.day_first:
                return "D", _valid(clip_year(int(first)), *_month_day(int(second), int(third)))
            return "D", _valid(clip_year(int(third)), *_ordered(int(first), int(second), day_first=False))
    except ValueError:
        return None
    return None


def _valid(year: int, month: int, day: int) -> Partial:
    return Partial(date_of(year, month, day).year, month, day)


def _ordered(first: int, second: int, *, day_first: bool) -> tuple[int, int]:
    """Month and day of two numbers in the usual order, or in the other where only that is a date."""
    month, day = (second, first) if day_first else (first, second)
    return _month_day(day, month) if month > 12 else _month_day(month, day)


def _two_numbers(first: str, separator: str, second: str, _context: Context) -> tuple[str, Any] | None:
    if len(first) == 4 and len(second) <= 2 and 1 <= int(second) <= 12:
        return "I", Partial(int(first), int(second)) if int(first) >= 1 else None
    if len(second) == 4 and len(first) <= 2 and 1 <= int(first) <= 12:
        return "I", Partial(int(second), int(first))
    if max(len(first), len(second)) > 2:
        return None
    if separator == "/":
        return None if text_is_ratio(first, second) else ("7", Partial(None, *_ordered(int(first), int(second), day_first=False)))
    return "G", (int(first), int(second), separator)


def text_is_ratio(first: str, second: str) -> bool:
    return (first, second) in {("24", "7"), ("50", "50"), ("9", "11")}


def _ordinal(match: re.Match[str], _context: Context) -> Pairs:
    yield "O", int(match["n"])


def _words(match: re.Match[str], _context: Context) -> Pairs:
    """Spelled numbers: cardinals, ordinals, years read in pairs ("nineteen ninety six"), or two numbers ("six forty-three")."""
    text = match[0]
    words = re.split(r"[\s-]+", text)
    tail = ORDINALS.get(words[-1])
    if tail is not None:
        head = english_number(" ".join(words[:-1])) if len(words) > 1 else 0
        if head is None or (head and (head % 10 or tail > 9)):
            raise ValueError(text)
        return (("O", int(head) + tail),)
    value = english_number(text)
    if value is not None:
        return (("Y" if value in _YEARS else "N", int(value)),)
    for cut in range(1, len(words)):
        first, second = english_number(" ".join(words[:cut])), english_number(" ".join(words[cut:]))
        if first is None or second is None or second >= 100:
            continue
        if 10 <= first <= 21 and second >= 10:
            return (("Y", int(first * 100 + second)),)
        return (("N", int(first)), ("N", int(second)))
    raise ValueError(text)


def _decade(match: re.Match[str], context: Context) -> Pairs:
    digits = match["n"]
    year = int(digits) if len(digits) == 4 else 1900 + int(digits) if int(digits) >= 30 else context.now.year // 100 * 100 + int(digits)
    if year % 10:
        raise ValueError(digits)
    yield "I", Span(date_of(year, 1, 1), shift(date_of(year, 1, 1), "decade", 1), "decade")


def _mixed(match: re.Match[str], _context: Context) -> Pairs:
    """Letters with digits: "dec31", "q1", "h2", "5min", "2pm" is read elsewhere; anything else is a name or a code."""
    text = match[0]
    if split := re.fullmatch(r"([a-z]+)(\d{1,2})", text):
        word, value = split[1], int(split[2])
        if word in MONTHS:
            return (("J", MONTHS[word]), ("N", value))
        if word == "q" and 1 <= value <= 4:
            return (("Q", value),)
        if word == "h" and 1 <= value <= 2:
            return (("O", value), ("h", "half"))
    if (split := re.fullmatch(r"(\d{1,4})([a-z]+)", text)) and split[2] in UNITS:
        return (("N", int(split[1])), ("U", UNITS[split[2]]))
    return (("x", None),)


def _day(match: re.Match[str], context: Context) -> Pairs:
    offset = {"day before": -1, "day after": 1}.get(match["d"], 0) or _DAYS[match["d"]]
    if offset is None:
        return (("x", None),)
    return (("D", day_span(shift(context.today, "day", offset))),)


def _tonight(_match: re.Match[str], context: Context) -> Pairs:
    yield "V", in_hours(context.today, PARTS["night"])


def _phrase(match: re.Match[str], context: Context) -> Pairs:
    symbol, value = PHRASES[re.sub(r"\s+", " ", match[0])]
    if symbol == "P":
        yield "P", Span(context.now, context.now, "second")
    elif symbol == "j":
        yield "I", unit_span(context.now, *value)
    elif symbol == "F":
        yield "F", Span(None, context.today, "day", context.now)
    elif symbol == "6":
        yield "I", Span(unit_span(context.now, value).start, shift(context.today, "day", 1), "day")
    elif value == "week":
        yield from (("U", "week"), ("C", None)) if symbol == "C" else ((symbol, value),)
    else:
        yield symbol, value


def _now(_match: re.Match[str], context: Context) -> Pairs:
    yield "p", Span(context.now, context.now, "second")


def _small(text: str) -> int:
    return int(text) if text.isdigit() else int(english_number(text) or 0)


def _spoken_clock(match: re.Match[str], _context: Context) -> Pairs:
    """Read "half past three", "quarter to five", "ten past 8"; a plain "five to seven" is a range."""
    word, hour = match["m"], _small(match["h"])
    if not 1 <= hour <= 12 or (match["side"] == "to" and "quarter" not in word and "minutes" not in match[0]):
        raise ValueError(match[0])
    minutes = 30 if word == "half" else 15 if "quarter" in word else _small(word)
    total = hour * 60 + (minutes if match["side"] == "past" else -minutes)
    yield "T", Clock(total // 60, total % 60, 0, "minute", vague=True)


def _and_half(match: re.Match[str], _context: Context) -> Pairs:
    yield "N", _small(match["n"]) + 0.5


def _half_day(match: re.Match[str], _context: Context) -> Pairs:
    yield "A", match["h"]


def _named(match: re.Match[str], _context: Context) -> Pairs:
    """A month name among numbers with `-` or `/`, in any order: "05-Aug-2016", "2020/23/Sep", "September-2020-23"."""
    parts = re.split(r"[-/]", match[0])
    month = next(MONTHS[part] for part in parts if part in MONTHS)
    years = [part for part in parts if len(part) == 4 and part.isdigit()]
    numbers = [part for part in parts if part.isdigit() and len(part) <= 2]
    if len(numbers) == 2 and not years:
        years = [numbers.pop()]
    if len(numbers) != 1 or len(years) != 1:
        raise ValueError(match[0])
    yield "D", _valid(clip_year(int(years[0])), month, int(numbers[0]))


def _word(match: re.Match[str], _context: Context) -> Pairs:
    word = match[0].removesuffix("'s")
    for symbol, table in (("W", WEEKDAYS), ("U", UNITS), ("R", RELATIVE), ("S", SEASONS), ("B", PARTS), ("I", DECADES)):
        if word in table:
            if symbol == "I":
                start = date_of(1900 + table[word], 1, 1)  # type: ignore[operator]  # the decades are numbers
                return (("I", Span(start, shift(start, "decade", 1), "decade")),)
            return ((symbol if symbol != "W" or len(word) > 5 else "q", table[word]),)
    if word in MONTHS:
        return (("M" if word in _SURE_MONTHS else "J", MONTHS[word]),)
    return ((FUNCTION_WORDS.get(word, "x"), word),)


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s{1,3}") for word in sorted(words, key=len, reverse=True))


def _holiday(match: re.Match[str], _context: Context) -> Pairs:
    yield "H", re.sub(r"\s+", " ", match[0])


_LATIN_HOLIDAYS = [name for name in HOLIDAYS if name.isascii() and name != "may day"]
ENGLISH: tuple[Lexeme, ...] = (
    Lexeme(rf"\b(?P<n>\d{{1,3}}|{_SMALL_WORD})\sand\sa\shalf\b", _and_half),
    Lexeme(r"https?://[^\s]{1,2000}", constant("x")),
    Lexeme(r"[\n\r;!?]+|\.(?=\s{0,3}\n)|\.$", constant(";")),
    Lexeme(r"\$\s?\d[\d,.]*|[$#№+]\w+", constant("x")),
    Lexeme(r"(?<!\d)\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:?\d\d)?(?![\d:])", _iso),
    Lexeme(rf"(?<![\d.:])(?P<h>\d{{1,2}})(?:[:.](?P<m>\d\d))?(?::(?P<s>\d\d))?\s?(?P<ap>{_AP})", _clock),
    Lexeme(r"(?<![\d.:])(?P<h>\d{1,2}):(?P<m>\d\d)(?::(?P<s>\d\d))?(?P<ap>)(?![\d:])", _clock),
    Lexeme(r"(?<![\d.])(?P<n>\d{1,3})(?:st|nd|rd|th)\b", _ordinal),
    Lexeme(r"(?<![\d.])'?(?P<n>\d{2}|\d{4})\s?'?s\b", _decade),
    Lexeme(rf"(?<![\w/-])(?:\d{{1,4}}[-/]){{0,2}}(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})(?:[-/]\d{{1,4}}){{0,2}}(?![\w/-])", _named),
    Lexeme(r">\s?=", constant("s")),
    Lexeme(r"<\s?=", constant("u", "incl")),
    Lexeme(r"\d+(?:[-/.]\d+)*(?![a-z_\d])", _numeric),
    Lexeme(r"\d+[a-z_][a-z0-9_]*|[a-z_]+\d[a-z0-9_]*", _mixed),
    Lexeme(rf"\b(?:{_alternatives(_LATIN_HOLIDAYS)})(?![a-z'])", _holiday),
    Lexeme(r"\b(?:(?:or|and)\s(?:later|after|greater|beyond|onwards?)|onwards?)(?=\s{0,3}(?:$|[^\s\w]))", constant("5")),
    Lexeme(r"\b(?:or|and)\s(?:earlier|before)(?=\s{0,3}(?:$|[^\s\w]))", constant("4")),
    Lexeme(rf"\b(?:{_alternatives(PHRASES)})(?![a-z])", _phrase),
    Lexeme(r"\bfrom\snow(?!\s(?:until|to|till|on)\b)", constant("l")),
    Lexeme(r"\b(?:the\s)?(?:rest|remainder)\sof\b", constant("K")),
    Lexeme(r"\b(?:every|each)\s(?:other\s)?[a-z]+", constant("x")),
    Lexeme(rf"\b(?P<m>half|(?:a\s)?quarter|\d{{1,2}}|{_SMALL_WORD})(?:\sminutes)?\s(?P<side>past|to)\s(?P<h>\d{{1,2}}|{_SMALL_WORD})\b(?!\s(?:{_UNIT_WORD}))", _spoken_clock),
    Lexeme(r"\bnow\b", _now),
    Lexeme(r"\b(?P<h>[ap])\.?\s?m\b\.?", _half_day),
    Lexeme(rf"\b(?P<d>{_alternatives(_DAYS)})(?:'s)?(?![a-z])", _day),
    Lexeme(r"\b(?P<d>day\s(?:before|after))(?=\s{0,3}(?:$|[^\s\w]))", _day),
    Lexeme(r"\b(?:tonight|tonite)(?:'s)?(?![a-z])", _tonight),
    Lexeme(
        rf"\b(?:(?:{_NUMBER_WORD})(?:(?:[\s-]|\sand\s)(?:{_NUMBER_WORD})){{0,7}}(?:[\s-](?:{_ORDINAL_WORD}))?|{_ORDINAL_WORD})(?![a-z-])", _words
    ),
    Lexeme(r"[a-z]+(?:'s\b)?", _word),
    Lexeme(r"[-~]+", constant("-")),
    Lexeme(r",", constant(",")),
    Lexeme(r"/", constant("/")),
    Lexeme(r"\.", constant("_")),
    Lexeme(r":", constant(":")),
    Lexeme(r"[^\s\w一-鿿]", constant("x")),
)  # fmt: skip
