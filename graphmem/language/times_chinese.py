"""The Chinese rows of the time lexicon: dates, weekdays, relative days and periods, clock times, and the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from graphmem.language.times_calendar import Clock, Context, Hours, Partial, Span, clip_year, date_of, day_span, in_hours, shift, unit_span
from graphmem.language.times_holidays import HOLIDAYS
from graphmem.language.times_lexer import Lexeme, constant
from graphmem.numerals import chinese_number

Pairs = Iterable[tuple[str, Any]]

_C = "零〇一二三四五六七八九十两"
_NUMBER = rf"(?:\d{{1,4}}|[{_C}百千]{{1,8}})"
_SMALL = rf"(?:\d{{1,2}}|[{_C}]{{1,3}})"
_YEAR = r"(?:\d{4}|\d{2}|[零〇一二三四五六七八九]{4}|[零〇一二三四五六七八九]{2})"
_LUNAR_DAY = r"初[一二三四五六七八九十]|廿[一二三四五六七八九]?|二?十[一二三四五六七八九]?(?![个天多年月点万千百余几日号])"
_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}
_WEEKDAYS = {character: day for day, character in enumerate("一二三四五六日")} | {"天": 6, "七": 6}
_STEPS = {"上上": -2, "上": -1, "前": -1, "这": 0, "本": 0, "今": 0, "当": 0, "下": 1, "下下": 2, "": None}
_STEP = r"上上|上|下下|下|这|本|今|当"
_RELATIVE_DAYS = {
    **dict.fromkeys(("今天", "今日", "今儿", "当天", "当日"), 0), **dict.fromkeys(("明天", "明日", "明儿"), 1), **dict.fromkeys(("昨天", "昨日", "昨儿"), -1),
    "前天": -2, "前日": -2, "后天": 2, "后日": 2, "大前天": -3, "大后天": 3,
}  # fmt: skip
_RELATIVE_YEARS = {
    "今年": 0,
    "去年": -1,
    "明年": 1,
    "前年": -2,
    "后年": 2,
    "大前年": -3,
    "大后年": 3,
    "上年": -1,
    "来年": 1,
    "当年": 0,
    "本年": 0,
    "本年度": 0,
}
_UNITS = {
    "年": "year", "年度": "year", "月": "month", "个月": "month", "周": "week", "个周": "week", "星期": "week", "个星期": "week", "礼拜": "week", "个礼拜": "week", "周末": "weekend",
    "个周末": "weekend", "天": "day", "日": "day", "晚": "night", "小时": "hour", "个小时": "hour", "钟头": "hour", "个钟头": "hour", "分钟": "minute", "分": "minute",
    "秒": "second", "秒钟": "second", "季度": "quarter", "个季度": "quarter", "季": "quarter", "世纪": "century", "个世纪": "century", "年代": "decade", "半年": "half-year", "个半年": "half-year",
    "个工作日": "business day", "工作日": "business day",
}  # fmt: skip
PARTS = {
    "凌晨": Hours(0, 6, "morning"), "清晨": Hours(6, 8, "morning"), "早上": Hours(8, 12, "morning"), "早晨": Hours(8, 12, "morning"), "早间": Hours(8, 12, "morning"),
    "早": Hours(8, 12, "morning"), "上午": Hours(8, 12, "morning"), "中午": Hours(11, 13, "noon"), "正午": Hours(11, 13, "noon"), "下午": Hours(12, 16, "afternoon"),
    "午后": Hours(12, 16, "afternoon"), "傍晚": Hours(16, 20, "evening"), "晚上": Hours(16, 20, "evening"), "晚间": Hours(16, 20, "evening"), "晚": Hours(16, 20, "evening"),
    "夜里": Hours(20, 24, "night"), "夜间": Hours(20, 24, "night"), "夜晚": Hours(20, 24, "night"), "深夜": Hours(20, 24, "night"), "半夜": Hours(20, 24, "night"),
}  # fmt: skip
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
ERAS = {
    "公元": 0, "民国": 1911, "神龙": 704, "贞观": 626, "开元": 712, "天宝": 741, "洪武": 1367, "永乐": 1402, "嘉靖": 1521, "万历": 1572, "崇祯": 1627, "顺治": 1643,
    "康熙": 1661, "雍正": 1722, "乾隆": 1735, "嘉庆": 1795, "道光": 1820, "咸丰": 1850, "同治": 1861, "光绪": 1874, "宣统": 1908,
}  # fmt: skip
"""The year before the first of each era."""


def number(text: str) -> int:
    """The whole number that digits or numerals state; ValueError where it is none."""
    value = int(text) if text.isdigit() else chinese_number(text)
    if value is None or value != int(value):
        raise ValueError(text)
    return int(value)


def _year(text: str) -> int:
    digits = "".join(character if character.isdigit() and character.isascii() else str(number(character)) for character in text)
    return clip_year(int(digits)) if len(digits) == 2 else int(digits)


def _checked(year: int | None, month: int | None, day: int | None) -> Partial:
    if month is not None and not 1 <= month <= 12:
        raise ValueError(month)
    if day is not None:
        date_of(year or 2000, month or 1, day)
    if year is not None and not 1 <= year <= 9999:
        raise ValueError(year)
    return Partial(year, month, day)


def _lunar_day(text: str) -> int:
    return number(text[1:]) if text[0] == "初" else number(text.replace("廿", "二十"))


def _date(match: re.Match[str], _context: Context) -> Pairs:
    """[year]年 month月 [day]日, also with an era, a lunar month word or 初一; the lunar date is kept as it is written."""
    year = None
    if match["era"]:
        year = ERAS[match["era"]] + number(match["count"].replace("元", "一"))
    elif match["year"]:
        year = _year(match["year"])
    word = match["month"]
    month = _LUNAR_MONTHS.get(word) or number(word)
    day = number(match["day"]) if match["day"] else _lunar_day(match["lunar"]) if match["lunar"] else None
    yield ("D" if day else "I"), _checked(year, month, day)


def _days_of_month(match: re.Match[str], _context: Context) -> Pairs:
    """3月5-8日: the first day carries the month."""
    yield "D", _checked(None, number(match["month"]), number(match["first"]))
    yield "-", None
    yield "D", _checked(None, None, number(match["last"]))


def _era_year(match: re.Match[str], _context: Context) -> Pairs:
    yield "I", _checked(ERAS[match["era"]] + number(match["count"].replace("元", "一")), None, None)


def _plain_year(match: re.Match[str], _context: Context) -> Pairs:
    """2009年, 二〇一八年, 08年, 98年: two digits are a year only where they could hardly count years."""
    text = match["year"]
    if len(text) == 2 and not (text[0] in "0零〇" or (text.isdigit() and int(text) >= 70)):
        raise ValueError(text)
    yield "I", _checked(_year(text), None, None)


def _year_of_range(match: re.Match[str], _context: Context) -> Pairs:
    """1995 - 1997年: the first year has no 年 of its own."""
    yield "I", _checked(int(match["year"]), None, None)


def _month_count(match: re.Match[str], _context: Context) -> Pairs:
    yield "O", number(match["n"])
    yield "U", _UNITS[match["unit"]]


def _day_of_month(match: re.Match[str], _context: Context) -> Pairs:
    yield "D", _checked(None, None, number(match["day"]))


def _weekday(match: re.Match[str], context: Context) -> Pairs:
    step = _STEPS[match["step"] or ""]
    weekday = _WEEKDAYS[match["day"]]
    if step is None:
        return (("W", weekday),)
    week = unit_span(context.now, "week", step).start
    return (("D", day_span(shift(week, "day", weekday))),) if week else ()


def _relative_day(match: re.Match[str], context: Context) -> Pairs:
    yield "D", day_span(shift(context.today, "day", _RELATIVE_DAYS[match[0]]))


def _relative_year(match: re.Match[str], context: Context) -> Pairs:
    yield "I", unit_span(context.now, "year", _RELATIVE_YEARS[match[0]])


def _relative_unit(match: re.Match[str], context: Context) -> Pairs:
    """上个月, 这周末, 下下个星期, 本季度, 上个小时 (the hour up to now)."""
    step, unit = _STEPS[match["step"]] or 0, _UNITS[match["unit"]]
    if unit in {"hour", "minute"}:
        edge = shift(context.now, unit, step)
        yield "V", Span(min(edge, context.now), max(edge, context.now), "minute")
        return
    if unit == "night":
        yield "V", in_hours(shift(context.today, "day", step), PARTS["晚"])
        return
    yield "I" if unit != "day" else "D", unit_span(context.now, unit, step)


def _half(match: re.Match[str], _context: Context) -> Pairs:
    """上半年, 下半年, 上半月: halves of the current (or preceding) year or month; the grammar moves them into a named one."""
    yield "h", (match["unit"], 0 if match["step"] == "上" else 1)


def _night(match: re.Match[str], context: Context) -> Pairs:
    day = shift(context.today, "day", {"昨": -1, "今": 0, "明": 1, "当": 0}[match["day"]])
    yield "V", in_hours(day, PARTS["夜里" if match["part"] == "夜" else "晚" if match["part"] == "晚" else "早"])


def _clock(match: re.Match[str], _context: Context) -> Pairs:
    hour = number(match["h"])
    minute = 30 if match["tail"] == "半" else number(match["k"]) * 15 if match["k"] else number(match["m"]) if match["m"] else 0
    second = number(match["s"]) if match["s"] else 0
    if hour > 24 or minute > 59 or second > 59:
        raise ValueError(match[0])
    precision = "second" if match["s"] else "minute" if minute or match["m"] else "hour"
    yield "T", Clock(hour, minute, second, precision, vague=0 < hour <= 12)  # type: ignore[arg-type]  # three of the literals


def _century(match: re.Match[str], _context: Context) -> Pairs:
    century = number(match["century"]) if match["century"] else None
    decade = number(match["decade"]) if match["decade"] else None
    if century is None and decade is not None:
        year = decade if decade >= 1000 else 1900 + decade if decade >= 30 else 2000 + decade
        yield "I", Span(date_of(year, 1, 1), shift(date_of(year, 1, 1), "decade", 1), "decade")
    elif century is not None:
        start = date_of(max(1, (century - 1) * 100 + (decade or 0)), 1, 1)
        yield "I", Span(start, shift(start, "decade" if decade is not None else "century", 1), "decade")


def _amount(match: re.Match[str], _context: Context) -> Pairs:
    """N天, 两周, 三个半月: a number with its unit."""
    value = number(match["n"]) + (0.5 if match["half"] else 0)
    if value > 10**7:
        return (("x", None),)
    return (("N", value), ("U", _UNITS[match["unit"]]))


def _half_amount(match: re.Match[str], _context: Context) -> Pairs:
    yield "N", 0.5
    yield "U", _UNITS[match["unit"]]


def _vague(match: re.Match[str], _context: Context) -> Pairs:
    yield "#", "few"
    yield "U", _UNITS[match["unit"]]


def _quarter(match: re.Match[str], _context: Context) -> Pairs:
    yield "Q", number(match["n"])


def _season(match: re.Match[str], _context: Context) -> Pairs:
    yield "S", _SEASONS[match["s"]]


def _part(match: re.Match[str], _context: Context) -> Pairs:
    yield "B", PARTS[match[0]]


def _edge_of(match: re.Match[str], _context: Context) -> Pairs:
    """月底, 年初: of the current month or year, or of the one named before (去年年底)."""
    yield {"初": "E", "中": "Z"}.get(match["part"], "L"), "year" if match["unit"] == "年" else "month"


def _weekend(_match: re.Match[str], context: Context) -> Pairs:
    yield "I", unit_span(context.now, "weekend")


def _holiday(match: re.Match[str], _context: Context) -> Pairs:
    yield "H", match[0]


def _now(_match: re.Match[str], context: Context) -> Pairs:
    yield "P", Span(context.now, context.now, "second")


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_U = _alternatives(_UNITS)
_HOLIDAY_WORDS = _alternatives(name for name in HOLIDAYS if not name.isascii())
_ERA = _alternatives(ERAS)
CHINESE: tuple[Lexeme, ...] = (
    Lexeme(r"《[^》]{0,60}》|[今明]日(?:头条|资本)|前后|前往|前面|后面|后来|前端|后端|后台|前台|后续|提前|星期一样|一天到晚|年轻|年级|年龄|年纪|上下|开始时|天下|天气|天空|天然|每[天日周月年]", constant("x")),
    Lexeme(r"[。\n]+", constant(";")),
    Lexeme(rf"(?P<month>{_SMALL})\s?月(?P<first>{_SMALL})\s?[日号]?\s?[-~至到]\s?(?P<last>{_SMALL})\s?[日号]", _days_of_month),
    Lexeme(
        rf"(?:(?:(?P<era>{_ERA})(?P<count>元|{_NUMBER})|(?:(?:公元|农历)\s?)?(?P<year>{_YEAR}))\s{{0,2}}年(?:的|农历)?\s{{0,2}})?(?:农历|阴历)?"
        rf"(?P<month>{_SMALL}|[正冬腊])\s?月(?!兔|饼|球)(?:份)?(?:\s{{0,2}}(?:(?P<day>{_SMALL})\s?[日号](?![线楼门院房])|(?P<lunar>{_LUNAR_DAY})))?", _date),
    Lexeme(rf"(?P<era>{_ERA})(?P<count>元|{_NUMBER})年", _era_year),
    Lexeme(rf"(?<!\d)(?P<year>{_YEAR})\s{{0,2}}年(?!代|级|前|后|来|间|内|多|半|以前|以后|之前|之后)(?:度)?", _plain_year),
    Lexeme(r"(?<!\d)(?P<year>\d{4}|[零〇一二三四五六七八九]{4})\s?年(?!代)", _plain_year),
    Lexeme(r"(?<!\d)(?P<year>\d{4})(?=\s{0,2}[-~至到]\s{0,2}\d{4}\s?年)", _year_of_range),
    Lexeme(rf"(?P<century>{_SMALL})世纪(?:(?P<decade>{_SMALL})年代)?", _century),
    Lexeme(rf"上个?世纪(?P<century>)(?P<decade>{_SMALL})年代", _century),
    Lexeme(rf"(?P<century>)(?P<decade>\d{{4}}|{_SMALL})年代", _century),
    Lexeme(rf"(?P<step>{_STEP})?(?:一)?个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天七])(?![年个])", _weekday),
    Lexeme(_alternatives(_RELATIVE_DAYS), _relative_day),
    Lexeme(_alternatives(_RELATIVE_YEARS), _relative_year),
    Lexeme(r"(?P<day>[昨今明当])(?:天|日)?(?P<part>[晚夜早晨])(?:上|里|间)?", _night),
    Lexeme(r"(?P<step>[上下])半(?P<unit>年|月)", _half),
    Lexeme(rf"(?P<step>{_STEP})(?:一)?(?P<unit>{_alternatives(set(_UNITS) - {'分', '秒', '日', '天', '晚'})})", _relative_unit),
    Lexeme(r"第?(?P<n>[1-4一二三四])\s?季(?:度|(?=[的末初,;。]|$))", _quarter),
    Lexeme(rf"第(?P<n>{_SMALL})(?:个)?(?P<unit>月|周|星期|天|季度|年)", _month_count),
    Lexeme(
        rf"(?<![\d.])(?P<h>{_SMALL})\s?(?:点钟?|时(?!间|候|代|尚|装))(?P<tail>整|半|(?P<k>[一三1-3])刻|过?(?P<m>{_SMALL})分?(?:(?P<s>{_SMALL})秒)?)?", _clock),
    Lexeme(rf"(?<![路街巷弄\d.])(?P<day>{_SMALL})\s?[日号](?![线楼门院房机])", _day_of_month),
    Lexeme(rf"几\s?(?P<unit>{_U})", _vague),
    Lexeme(rf"半\s?个?(?P<unit>{_U})", _half_amount),
    Lexeme(rf"(?<![\d.])(?P<n>{_NUMBER}|[{_C}百千万亿]{{1,8}})\s{{0,2}}(?:个?(?P<half>半))?(?P<unit>{_U})", _amount),
    Lexeme(r"(?<=[年月])的?初", constant("E")),
    Lexeme(r"(?<=[年月])的?(?:中旬|中(?!国|心|学|文|等|秋|午|旬))", constant("Z")),
    Lexeme(r"(?<=[年月])的?(?:下旬|底|末)", constant("L")),
    Lexeme(r"(?<=[年月])的?上旬", constant("E")),
    Lexeme(r"(?P<unit>[年月])(?P<part>初|中(?!国|心|学|文|等|秋|午)|底|末)", _edge_of),
    Lexeme(r"周末", _weekend),
    Lexeme(_alternatives(PARTS), _part),
    Lexeme(rf"(?:{_HOLIDAY_WORDS})(?![路街村号])", _holiday),
    Lexeme(r"(?P<s>[春夏秋冬])(?:天|季|日)", _season),
    Lexeme(r"现在|目前|此刻|刚才|眼下", _now),
    Lexeme(r"(?:或|及|和)(?:之|以)?后", constant("5")),
    Lexeme(r"(?:或|及|和)(?:之|以)?前", constant("4")),
    Lexeme(r"之前|以前", constant("1")),
    Lexeme(r"之后|以后|过后", constant("2")),
    Lexeme(r"最后|过去的?|最近的?|近", constant("R", (-1, "past"))),
    Lexeme(r"未来的?|接下来的?|今后的?|还剩", constant("R", (1, "within"))),
    Lexeme(r"下(?:一)?个?(?=周末|元旦|春节)", constant("R", (1, "next"))),
    Lexeme(r"截止到?|截至|直到|直至", constant("u")),
    Lexeme(r"自从", constant("s")),
    Lexeme(r"[自从]", constant("f")),
    Lexeme(r"开始|起(?![来床飞])|以来|至今", constant("3")),
    Lexeme(r"到|至", constant("z")),
    Lexeme(r"和|与", constant("&")),
    Lexeme(r"为止", constant("4")),
    Lexeme(r"之内|以内|内", constant("0")),
    Lexeme(r"前", constant("1")),
    Lexeme(r"后", constant("2")),
    Lexeme(r"的", constant("o")),
    Lexeme(r"[在于]", constant("n")),
)  # fmt: skip
