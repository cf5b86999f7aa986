"""Times in running text, English and Chinese: `find_times`, an own small grammar over typed tokens, linear in the length of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.errors import InvalidInput
from graphmem.language import times_dates, times_ranges, times_relative
from graphmem.language.times_calendar import Clock, Context, Span
from graphmem.language.times_chinese import CHINESE
from graphmem.language.times_english import ENGLISH
from graphmem.language.times_grammar import to_span
from graphmem.language.times_lexer import Lexer, Token, folded
from graphmem.temporal import Interval, Precision
from graphmem.text import CJK, is_chinese

PIECE = 500
_LATIN, _MIXED = Lexer(ENGLISH), Lexer((*CHINESE, *ENGLISH))
_STAGES = (
    times_dates.WRITTEN,
    times_relative.COUNTED,
    times_dates.NAMED,
    times_dates.AGAIN,
    times_relative.PARTS,
    times_relative.FOLLOWING,
    times_ranges.CLOCKS,
    times_ranges.DAYS,
    times_ranges.EVENINGS,
    times_relative.THIS,
    times_ranges.RANGES,
    times_ranges.PROMOTED,
    times_ranges.OPEN,
)
_CUE = re.compile(
    r"\d|day|week|month|year|hour|minute|second|decade|century|quarter|fortnight|morning|noon|evening|time|moment|teen|twenty|thousand|hundred|night|tonite|tomorrow|tmrw?|tomorow|now|present|date|"
    r"\b(?:[ap]m|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|eo[dwmy]|ytd|spring|summer|autumn|fall|winter|easter|eid|xmas|"
    r"christmas|halloween|thanksgiving|ramadan|festival|juneteenth|patrick|pentecost|gras|mayo|valentine|qixi|qingming|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies)|"
    r"[年月日号天周星礼拜昨今明前后点时分秒季春夏秋冬晚早午夜晨旬节末世元旦五庆端除夕现目此刚眼斋圣感万双黑網网]"
)
_FUTURE = re.compile(
    r"\b(?:will|shall|going to|gonna|plan|plans|planning|remind|deadline|due|must|should|schedule|book|arrange|meet|upcoming|tomorrow|by|until|till|next|soon|expect\w*)\b|'ll\b"
    r"|将|打算|准备|提醒|截止|预计|计划|下周|明天|后天|到期|即将|记得|安排|预订|预约|约|前(?:要|得|必须|完成|提交|交|搞定|付|还|做|写)"
)
_PAST = re.compile(
    r"\b(?:was|were|did|had|ago|yesterday|last|since|happened|went|came|left|got|been|said|told|met|\w{3,}ed)\b|了|过|昨|去年|上周|上个月|曾"
)
_BREAK = re.compile(r"[\n。！？!?;；]|\.\s")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time in a text: `interval` as it is said, `whole` with the last named unit taken in ("March to May" to the end of May), `span` in characters."""

    text: str
    interval: Interval
    precision: Precision
    span: tuple[int, int]
    whole: Interval


@dataclass(frozen=True, slots=True)
class ClockMention:
    """A bare time of day ("3 pm", 三点半) with no date beside it."""

    text: str
    hour: int
    minute: int
    span: tuple[int, int]


def find_times(text: str, *, now: datetime, language: str | None = None) -> list[TimeMention]:
    """Every date, period and moment in the text, in order, read from `now` in its own offset.

    Without a year or week a date is the last one before `now`, or the next where the sentence looks ahead. Bare times of day are not
    listed (`find_clocks`). Dates outside the years 1–9999 are no mention.
    """
    found: list[TimeMention] = []
    for offset, tokens, context in _parsed(text, now, language):
        for token in tokens:
            mention = _mention(text, token, offset, context) if token.symbol in "DIPVF" else None
            if mention is not None:
                found.append(mention)
    return found


def find_clocks(text: str, *, now: datetime, language: str | None = None) -> list[ClockMention]:
    """Times of day that stand without a date, for corrections such as "I meant 3 pm"."""
    found: list[ClockMention] = []
    for offset, tokens, _ in _parsed(text, now, language):
        for token in tokens:
            if token.symbol == "T" and isinstance(token.value, Clock) and token.value.hour < 24:
                start, end = token.start + offset, token.end + offset
                found.append(ClockMention(text[start:end].strip(), token.value.hour, token.value.minute, (start, end)))
    return found


def _parsed(text: str, now: datetime, language: str | None) -> list[tuple[int, list[Token], Context]]:
    """Pieces of the text with their tokens after all stages; pieces without a word of time are left out."""
    zone = now.utcoffset()
    if zone is None:
        raise InvalidInput(f"{now.isoformat()} has no time zone; give an aware datetime")
    parsed: list[tuple[int, list[Token], Context]] = []
    for start, end in _pieces(text):
        original = text[start:end]
        plain = folded(original)
        if _CUE.search(plain) is None:
            continue
        chinese = is_chinese(original) if language is None else language.startswith("zh")
        context = Context(now.replace(tzinfo=None), _looks_ahead(plain), day_first=chinese, offset=zone)
        tokens = (_MIXED if CJK.search(plain) else _LATIN).tokens(plain, original, context)
        for stage in _STAGES:
            tokens = stage.run(tokens, context)
        parsed.append((start, tokens, context))
    return parsed


def _looks_ahead(text: str) -> bool:
    return _FUTURE.search(text) is not None and _PAST.search(text) is None


def _pieces(text: str) -> list[tuple[int, int]]:
    """The text as it is up to 500 characters, else cut after sentences, and where none ends at 500."""
    pieces: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > PIECE:
        end = start + PIECE
        for match in _BREAK.finditer(text, start, end):
            end = match.end()
        if end == start + PIECE and (blank := text.rfind(" ", start + 1, end)) > 0:
            end = blank
        pieces.append((start, end))
        start = end
    pieces.append((start, len(text)))
    return pieces


def _mention(text: str, token: Token, offset: int, context: Context) -> TimeMention | None:
    try:
        span = to_span(token, context)
        interval, whole = _interval(span.start, span.end, span, context), _interval(span.start, span.whole or span.end, span, context)
    except (ValueError, OverflowError, InvalidInput):
        return None
    start, end = token.start + offset, token.end + offset
    return TimeMention(text[start:end].strip(), interval, span.precision, (start, end), whole)


def _interval(start: datetime | None, end: datetime | None, span: Span, context: Context) -> Interval:
    return Interval(_utc(start, context.offset), _utc(end, context.offset), span.precision)


def _utc(moment: datetime | None, offset: timedelta) -> datetime | None:
    return None if moment is None else (moment - offset).replace(tzinfo=UTC)
