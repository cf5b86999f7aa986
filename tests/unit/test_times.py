"""Times in text: one table per kind, read on Monday 30 November 2026, 10:30 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.errors import InvalidInput
from graphmem.language import find_times
from graphmem.language.times import find_clocks
from graphmem.language.times_query import query_window
from graphmem.temporal import Interval

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)


def short(moment: datetime | None) -> str:
    if moment is None:
        return "*"
    return moment.strftime("%Y-%m-%d") if moment.hour == moment.minute == moment.second == 0 else moment.strftime("%Y-%m-%dT%H:%M")


def read(text: str, now: datetime = NOW) -> list[str]:
    return [f"{short(found.interval.start)}..{short(found.interval.end)}" for found in find_times(text, now=now)]


DATES = {
    "We signed on 12 March 2024.": "2024-03-12..2024-03-13",
    "We signed on March the 12th, 2024": "2024-03-12..2024-03-13",
    "the twelfth of March 2024": "2024-03-12..2024-03-13",
    "on 3/12/2024": "2024-03-12..2024-03-13",
    "2024-03-12": "2024-03-12..2024-03-13",
    "12-Mar-2024": "2024-03-12..2024-03-13",
    "20240312": "2024-03-12..2024-03-13",
    "She was born on 3 May nineteen eighty four": "1984-05-03..1984-05-04",
    "We met on 12 March": "2026-03-12..2026-03-13",
    "The deadline is 12 March": "2027-03-12..2027-03-13",
    "It rained on Sunday": "2026-11-29..2026-11-30",
    "remind me on Sunday": "2026-12-06..2026-12-07",
    "Fri 13th": "2026-11-13..2026-11-14",
    "on the 15th": "2026-11-15..2026-11-16",
    "the 15th of last month": "2026-10-15..2026-10-16",
    "Feb 29": "2024-02-29..2024-03-01",
    "2024年3月12日签的": "2024-03-12..2024-03-13",
    "3月12号见过面": "2026-03-12..2026-03-13",
    "二〇二四年三月十二日": "2024-03-12..2024-03-13",
    "截止日期是三月十二日": "2027-03-12..2027-03-13",
    "正月初五": "2026-01-05..2026-01-06",
    "民国三年": "1914-01-01..1915-01-01",
}
RELATIVE = {
    "yesterday": "2026-11-29..2026-11-30",
    "the day before yesterday": "2026-11-28..2026-11-29",
    "tmrw": "2026-12-01..2026-12-02",
    "three days ago": "2026-11-27..2026-11-28",
    "3 years and 2 months ago": "2023-09-30..2023-10-01",
    "half an hour ago": "2026-11-30T10:00..2026-11-30T10:01",
    "in 2 and a half hours": "2026-11-30T13:00..2026-11-30T13:01",
    "two days before yesterday": "2026-11-27..2026-11-28",
    "the day after Christmas": "2025-12-26..2025-12-27",
    "last week": "2026-11-23..2026-11-30",
    "the week before last": "2026-11-16..2026-11-23",
    "next quarter": "2027-01-01..2027-04-01",
    "last Friday": "2026-11-27..2026-11-28",
    "next week on Tuesday": "2026-12-08..2026-12-09",
    "coming Thursday": "2026-12-03..2026-12-04",
    "past three months": "2026-08-30..2026-11-30",
    "in the next two weeks": "2026-12-01..2026-12-15",
    "next 4 business days": "2026-12-01..2026-12-05",
    "a few days ago": "2026-11-25..2026-11-29",
    "the rest of the month": "2026-11-30..2026-12-01",
    "昨天": "2026-11-29..2026-11-30",
    "大前天": "2026-11-27..2026-11-28",
    "後天": "2026-12-02..2026-12-03",
    "三天前": "2026-11-27..2026-11-28",
    "两个半月后": "2027-02-13..2027-02-14",
    "上上周五": "2026-11-20..2026-11-21",
    "下下個月": "2027-01-01..2027-02-01",
    "禮拜三": "2026-11-25..2026-11-26",
    "近三个月": "2026-08-30..2026-11-30",
    "前几天": "2026-11-25..2026-11-30",
    "一周内": "2026-11-30..2026-12-07",
    "半小时后": "2026-11-30T11:00..2026-11-30T11:01",
}
PERIODS = {
    "in May": "2026-05-01..2026-06-01",
    "May 2024": "2024-05-01..2024-06-01",
    "in 2019": "2019-01-01..2020-01-01",
    "last summer": "2026-06-01..2026-09-01",
    "the second quarter of 2026": "2026-04-01..2026-07-01",
    "H1 2025": "2025-01-01..2025-07-01",
    "the 1990s": "1990-01-01..2000-01-01",
    "21st century": "2000-01-01..2100-01-01",
    "the first week of 2021": "2021-01-04..2021-01-11",
    "the first Monday of September": "2026-09-07..2026-09-08",
    "the last 3 weeks of this year": "2026-12-14..2027-01-04",
    "mid March 2024": "2024-03-11..2024-03-22",
    "beginning of last month": "2026-10-01..2026-10-16",
    "later this week": "2026-12-03..2026-12-07",
    "去年夏天": "2025-06-01..2025-09-01",
    "上个月初": "2026-10-01..2026-10-11",
    "三月底": "2026-03-21..2026-04-01",
    "去年年底": "2025-11-01..2026-01-01",
    "2025年第三季度": "2025-07-01..2025-10-01",
    "去年下半年": "2025-07-01..2026-01-01",
    "上世纪90年代": "1990-01-01..2000-01-01",
    "上个月5号": "2026-10-05..2026-10-06",
}
HOLIDAYS = {
    "Thanksgiving 2023": "2023-11-23..2023-11-24",
    "last Easter": "2026-04-05..2026-04-06",
    "next new year's day": "2027-01-01..2027-01-02",
    "black friday 2010": "2010-11-26..2010-11-27",
    "weekend of thanksgiving 2023": "2023-11-23..2023-11-27",
    "eid al fitr 2022": "2022-05-02..2022-05-03",
    "memorial day 2024": "2024-05-27..2024-05-28",
    "今年春节": "2026-02-17..2026-02-18",
    "去年中秋节": "2025-10-06..2025-10-07",
    "除夕": "2026-02-16..2026-02-17",
    "清明节": "2026-04-05..2026-04-06",
    "Chinese new year 1066": "",
}
MOMENTS = {
    "tomorrow at 3 pm": "2026-12-01T15:00..2026-12-01T15:01",
    "tomorrow at 3": "2026-12-01T15:00..2026-12-01T15:01",
    "half past three tomorrow": "2026-12-01T15:30..2026-12-01T15:31",
    "this morning": "2026-11-30T08:00..2026-11-30T12:00",
    "last night at 11": "2026-11-29T23:00..2026-11-29T23:01",
    "tomorrow 3 pm to 5 pm": "2026-12-01T15:00..2026-12-01T17:00",
    "5 to 6pm on April 22": "2026-04-22T17:00..2026-04-22T18:00",
    "11-4 today": "2026-11-30T11:00..2026-11-30T16:00",
    "eod": "2026-11-30T23:59..2026-11-30T23:59",
    "2026-03-10T09:00:00+02:00": "2026-03-10T07:00..2026-03-10T07:00",
    "明天下午三点半": "2026-12-01T15:30..2026-12-01T15:31",
    "昨晚十点": "2026-11-29T22:00..2026-11-29T22:01",
    "后天上午十点一刻": "2026-12-02T10:15..2026-12-02T10:16",
    "昨天凌晨2点": "2026-11-29T02:00..2026-11-29T02:01",
    "3月5日下午2点到4点": "2026-03-05T14:00..2026-03-05T16:00",
}
RANGES = {
    "from 3 to 5 June": "2026-06-03..2026-06-06",
    "November 18-19, 2015": "2015-11-18..2015-11-20",
    "from April twenty-seventh to the third": "2026-04-27..2026-05-04",
    "Nov-Feb 2017": "2016-11-01..2017-02-01",
    "between 2014 and 2018": "2014-01-01..2018-01-01",
    "from 4 to 22 this month": "2026-11-04..2026-11-23",
    "between the end of 2007 and the end of 2008": "2008-01-01..2009-01-01",
    "since March": "2026-03-01..*",
    "until Friday": "*..2026-12-04",
    "before 2018": "*..2018-01-01",
    "after 2010": "2011-01-01..*",
    "2018 or later": "2018-01-01..*",
    "more than 2 weeks before today": "*..2026-11-16",
    "for 3 days from today": "2026-11-30..2026-12-03",
    "从三月到五月": "2026-03-01..2026-05-01",
    "3月5-8日": "2026-03-05..2026-03-09",
    "自2016年9月1日起": "2016-09-01..*",
    "自从六月": "2026-06-01..*",
    "2013年及以前": "*..2014-01-01",
    "在2018年之后": "2019-01-01..*",
    "到下周五为止": "*..2026-12-11",
}
NOTHING = (
    "", "   ", "!!!", "May I ask a question?", "You may go", "call +86 138-2010-2015", "0000-00-00", "2020-13-45", "100000 years ago", "十万年前", "十亿年前",
    "it costs 2000 dollars", "a 4:3 screen", "24/7", "the march of time", "I like the sun", "The book fell", "五一路书店", "三月兔咖啡馆", "《明日之后》", "june 0000", "枫林路8号",
    "April said hello", "every Monday", "几年前", "\ud800", "3:30pm",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [pair for table in (DATES, RELATIVE, PERIODS, HOLIDAYS, MOMENTS, RANGES) for pair in table.items()]
)
def test_reads(text: str, expected: str) -> None:
    assert read(text) == ([expected] if expected else [])


@pytest.mark.parametrize("text", NOTHING)
def test_names_no_time(text: str) -> None:
    assert read(text) == []


def test_lists_mentions_in_order_with_their_spans() -> None:
    text = "I left on 3 May 2024 and came back yesterday; 明年三月再去。"
    found = find_times(text, now=NOW)
    assert [mention.text for mention in found] == ["3 May 2024", "yesterday", "明年三月"]
    assert all(text[slice(*mention.span)].strip() == mention.text for mention in found)
    assert [mention.precision for mention in found] == ["day", "day", "month"]


def test_today_is_that_of_the_offset_of_now() -> None:
    now = datetime(2026, 11, 30, 1, 0, tzinfo=timezone(timedelta(hours=8)))
    (today,) = find_times("today", now=now)
    assert today.interval == Interval(datetime(2026, 11, 29, 16, tzinfo=UTC), datetime(2026, 11, 30, 16, tzinfo=UTC), "day")
    (moment,) = find_times("2026-03-10T09:00:00Z", now=now)
    assert moment.interval.start == datetime(2026, 3, 10, 9, tzinfo=UTC)


def test_a_naive_now_is_refused() -> None:
    with pytest.raises(InvalidInput):
        find_times("today", now=datetime(2026, 11, 30))


def test_slashed_dates_follow_the_language() -> None:
    assert read("on 1/2/2020") == ["2020-01-02..2020-01-03"]
    (found,) = find_times("1/2/2020", now=NOW, language="zh")
    assert short(found.interval.start) == "2020-02-01"


def test_a_range_knows_its_whole() -> None:
    (found,) = find_times("from March to May", now=NOW)
    assert (short(found.interval.end), short(found.whole.end)) == ("2026-05-01", "2026-06-01")


def test_long_texts_are_read_in_pieces() -> None:
    text = "Nothing happened here at all. " * 40 + "We met yesterday."
    (found,) = find_times(text, now=NOW)
    assert text[slice(*found.span)] == "yesterday"


def test_bare_clock_times_are_listed_apart() -> None:
    assert [(clock.hour, clock.minute, clock.text) for clock in find_clocks("I mean 3 pm, not 2:30 pm; 三点半", now=NOW)] == [
        (15, 0, "3 pm"),
        (14, 30, "2:30 pm"),
        (3, 30, "三点半"),
    ]


QUERIES = {
    "What happened last week?": "last week → 2026-11-23..29",
    "Which events took place between March and May 2026?": "between March and May 2026 → 2026-03-01..05-31",
    "Where did Joel work before 2025?": "before 2025 → ..2024-12-31",
    "What did I buy after 2010 and before 2018?": "after 2010, before 2018 → 2011-01-01..2017-12-31",
    "What did I buy before 2018 and after 2010?": "before 2018, after 2010 → 2011-01-01..2017-12-31",
    "What was said in 2019 and 2021?": "2019 → 2019-01-01..12-31",
    "昨天下午的会议讨论了什么？": "昨天下午 → 2026-11-29T12:00..16:00",
    "今年三月到五月之间发生的事件": "今年三月到五月 → 2026-03-01..05-31",
    "What happened since yesterday at 3 pm?": "since yesterday at 3 pm → 2026-11-29T15:00..",
    "tomorrow": "tomorrow → 2026-12-01",
    "from yesterday 11 pm to today": "from yesterday 11 pm to today → 2026-11-29..30",
}


@pytest.mark.parametrize(("query", "reason"), QUERIES.items())
def test_a_query_names_its_window(query: str, reason: str) -> None:
    window = query_window(query, now=NOW)
    assert window is not None
    assert window[1] == reason


@pytest.mark.parametrize("query", ["When did Ada move?", "现在都设置了哪些规则？", "What is going on right now?", ""])
def test_a_query_without_a_time_has_no_window(query: str) -> None:
    assert query_window(query, now=NOW) is None
