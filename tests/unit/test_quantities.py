"""Quantities: one whole text, and mentions in running text, in both languages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.quantities import find_quantities
from graphmem.numerals import chinese_number, english_number, parse_number
from graphmem.quantity import Quantity, is_version, parse_quantity

NUMBERS = {
    "5,000": 5000, "5，000": 5000, "-3.5": -3.5, "5k": 5000, "1.5 million": 1_500_000, "two hundred and fifty": 250, "twenty-five": 25, "two thousand and five": 2005,
    "a hundred": 100, "half": 0.5, "half a million": 500_000, "a dozen": 12, "two dozen": 24, "seventeen hundred thirty three": 1733, "两万三千": 23_000, "一百零五": 105,
    "二〇一八": 2018, "两千五": 2500, "一万五": 15_000, "一百二": 120, "十五": 15, "二十": 20, "三亿": 300_000_000, "1.5万": 15_000, "一点五": 1.5, "三点二万": 32_000,
    "半": 0.5, "两半": 2.5, "壹佰": 100, "兩萬": 20_000, "three million two hundred thousand": 3_200_000,
}  # fmt: skip
NO_NUMBERS = (
    "", "abc", "1,2", "twelve three", "five six", "nineteen ninety", "万", "点五", "三点", "一二十", "hundred", "thousand", "one zero", "million five million", "a",
    "九" * 50, "1" * 200, "十苹果", "三点三三十", "one " * 20, "苹果点五", "苹果半", "half apple", "dozen hundred hundred",
)  # fmt: skip
QUANTITIES = {
    "5000元": "5000 CNY", "¥5,000": "5000 CNY", "￥5000": "5000 CNY", "5k RMB": "5000 CNY", "RMB 5000": "5000 CNY", "五千块": "5000 CNY", "5千元": "5000 CNY",
    "三千五百块钱": "3500 CNY", "1.5万元": "15000 CNY", "5000 CNY": "5000 CNY", "$1.5m": "1500000 USD", "nt$500": "500 TWD", "HK$20": "20 HKD", "US$ 3": "3 USD", "€20": "20 EUR",
    "£580": "580 GBP", "120 euros a night": "120 EUR/night", "20美元每天": "20 USD/day", "34": "34", "34 years": "34 year", "34 years old": "34 year", "34岁": "34 year", "34歲": "34 year",
    "三十四岁": "34 year", "六个月": "6 month", "一个半小时": "1.5 hour", "两年半": "2.5 year", "half an hour": "0.5 hour", "15-minute": "15 minute", "2.5 kg": "2.5 kg", "180cm": "180 cm",
    "五公里": "5 km", "30%": "30 %", "20 percent": "20 %", "-5°C": "-5 °C", "16GB": "16 GB".lower(), "about 3 miles": "3 mile", "大约五天": "5 day", "5000元左右": "5000 CNY", "5000 ": "5000",
    "二十多岁": "20 year", "half a million dollars": "500000 USD",
}  # fmt: skip
NO_QUANTITIES = ("", "expensive", "$5 EUR kg", "€5 kg", "€5 dollars", "5 apples and pears", "x" * 100, "一二十元")
MENTIONS = {
    "The hotel must not cost more than 120 euros a night.": [("120 euros", 120, "EUR", "money")],
    "扫地机器人的价格是2399元。": [("2399元", 2399, "CNY", "money")],
    "I am 34 years old and 1.80 m tall": [("34 years old", 34, "year", "age"), ("1.80 m", 1.8, "m", "length")],
    "他今年34岁，体重70公斤": [("34岁", 34, "year", "age"), ("70公斤", 70, "kg", "weight")],
    "Redis版本是7.2。": [("7.2", 7.2, "", "version")],
    "We run v1.5.3 and 3.12.1, version 2.0 soon": [
        ("v1.5.3", 1.5, "", "version"),
        ("3.12.1", 3.12, "", "version"),
        ("2.0", 2, "", "version"),
    ],
    "2018年8月12日结婚，花了五千块": [("五千块", 5000, "CNY", "money")],
    "raised from 8,000 to 9,500 dollars": [("8,000", 8000, "", "number"), ("9,500 dollars", 9500, "USD", "money")],
    "about half an hour, three weeks": [("half an hour", 0.5, "hour", "duration"), ("three weeks", 3, "week", "duration")],
    "30% off until 3 March": [("30%", 30, "%", "percentage")],
    "order 88213": [("88213", 88213, "", "number")],
}
NO_MENTIONS = (
    "",
    "no numbers here",
    "call +44 20 7946 0991",
    "3 pm tomorrow at 14:30",
    "一起去，一块走",
    "one of them",
    "A1029",
    "write to bob42@example.org",
    "今年三月到五月之间",
    "2026-03-10",
)


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_reads_a_number(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_is_no_number(text: str) -> None:
    assert parse_number(text) is None


def test_languages_refuse_each_others_words() -> None:
    assert english_number("三") is None
    assert english_number("") is None
    assert chinese_number("three") is None
    assert chinese_number("") is None


@pytest.mark.parametrize(("text", "written"), QUANTITIES.items())
def test_reads_a_quantity(text: str, written: str) -> None:
    assert str(parse_quantity(text)) == written


@pytest.mark.parametrize("text", NO_QUANTITIES)
def test_is_no_quantity(text: str) -> None:
    assert parse_quantity(text) is None


def test_quantities_compare_by_number_and_unit() -> None:
    assert parse_quantity("5000元") == parse_quantity("¥5,000") == Quantity(5000, "CNY")
    assert parse_quantity("5000元") != parse_quantity("5000美元")
    assert str(Quantity(1e20, "USD")) == "1e+20 USD"


@pytest.mark.parametrize(
    ("text", "version"), [("2.0", True), ("v1.5.3", True), ("3.0.0-rc1", True), ("version 2.1", True), ("2", False), ("two", False)]
)
def test_knows_versions(text: str, version: bool) -> None:
    assert is_version(text) is version


@pytest.mark.parametrize(("text", "expected"), MENTIONS.items())
def test_finds_mentions(text: str, expected: list[tuple[str, float, str, str]]) -> None:
    found = find_quantities(text)
    assert [(mention.text, mention.number, mention.unit, mention.kind) for mention in found] == expected
    assert all(text[slice(*mention.span)] == mention.text for mention in found)
    assert all(mention.quantity == Quantity(mention.number, mention.unit) for mention in found)


@pytest.mark.parametrize("text", NO_MENTIONS)
def test_finds_none(text: str) -> None:
    assert find_quantities(text) == []


@given(st.text(alphabet="0123456789.,-+vk$¥€%元块岁万千百十一二三半两 aehlfnuorsdty人民币", max_size=60))
def test_any_text_is_read_without_error(text: str) -> None:
    for mention in find_quantities(text):
        assert mention.text
    quantity = parse_quantity(text)
    assert quantity is None or str(quantity)


@pytest.mark.parametrize("piece", ["1", "1,000 ", "三", "one hundred ", "a", "1.", "a@", "+1 ", "five and "])
def test_time_is_linear(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        begin = time.perf_counter()
        find_quantities(text)
        return time.perf_counter() - begin

    short, long = min(seconds(3_000) for _ in range(3)), seconds(30_000)
    assert long < 30 * short + 0.5
