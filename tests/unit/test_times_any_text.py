"""Any text at all: no exception, no absurd date, time linear in the length."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.language.times import find_clocks, find_times
from graphmem.language.times_query import query_window

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
PIECES = (  # noqa: SIM905 — a string of words reads better than a list
    "last next this the first 3rd 31 0 99999 1999 2026 week weeks month year quarter Monday Feb may 29 of in on at from to until since before after between and "
    "ago later end early mid noon 3pm 15:30 2026-02-30 1/2 half few tonight weekend - / , . ; easter 上 下 个 周 月 年 日 号 天 前 后 三 十 万 点 半 从 到 之后 "
    "农历 初一 康熙 世纪 年代 春节 凌晨 9999年 0年 century decade business days within for every \n \ud800 İ"
).split(" ")
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=offsets)


def check(text: str, now: datetime) -> None:
    for mention in find_times(text, now=now):
        start, end = mention.interval.start, mention.interval.end
        assert start is not None or end is not None
        assert start is None or end is None or start <= end
        assert 0 <= mention.span[0] < mention.span[1] <= len(text)
    find_clocks(text, now=now)
    query_window(text, now=now)


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["", " "]), moments)
@settings(max_examples=300, deadline=None)
def test_any_words_of_time(words: list[str], between: str, now: datetime) -> None:
    check(between.join(words), now)


@given(st.text(max_size=200), moments)
@settings(max_examples=150, deadline=None)
def test_any_text(text: str, now: datetime) -> None:
    check(text, now)


@pytest.mark.parametrize("piece", ["1", "1-", "a", "may ", "3 days ", "三", "two hundred ", ",", "2026-03-10", "\ud800年", "前", "from "])
def test_time_is_linear(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        begin = time.perf_counter()
        find_times(text, now=NOW)
        return time.perf_counter() - begin

    short, long = min(seconds(3_000) for _ in range(3)), seconds(30_000)
    assert long < 30 * short + 0.5
