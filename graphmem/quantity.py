"""One quantity, number and unit, from what people write: "¥5,000", "5k RMB", "五千块", "34岁", "1.5 million dollars", "30%"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from graphmem.numerals import CHINESE_NUMERALS, ENGLISH_SCALES, ENGLISH_TENS, ENGLISH_UNITS, SUFFIXES, as_number, parse_number

Kind = Literal["money", "age", "duration", "length", "weight", "volume", "area", "data", "temperature", "percentage", "version", "number"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its canonical unit: an ISO currency code, `%`, an SI symbol or an English unit word; "" where none was said."""

    number: float
    unit: str = ""

    def __str__(self) -> str:
        number = f"{as_number(self.number)}" if abs(self.number) < 10**15 else f"{self.number:g}"
        return f"{number} {self.unit}".rstrip()


CURRENCIES = {
    "CNY": "¥ ￥ cny rmb yuan renminbi 元 块 块钱 元钱 人民币 元人民币 圆 块人民币 塊 塊錢 人民幣 元人民幣 軟妹幣",
    "USD": "$ us$ usd dollar dollars buck bucks 美元 美金 刀",
    "EUR": "€ eur euro euros 欧元 欧 歐元",
    "GBP": "£ gbp pound pounds quid sterling 英镑 鎊 英鎊 镑",
    "JPY": "jpy yen jp¥ 日元 日圆 日圓 円",
    "HKD": "hk$ hkd 港币 港元 港幣",
    "TWD": "nt$ twd 台币 新台币 新臺幣 台幣",
    "KRW": "₩ krw won 韩元 韓元",
    "INR": "₹ inr rupee rupees 卢比",
    "CHF": "chf franc francs 瑞士法郎",
    "CAD": "c$ ca$ cad 加元",
    "AUD": "a$ au$ aud 澳元",
    "SGD": "s$ sgd 新币 新加坡元",
}
UNITS: dict[Kind, dict[str, str]] = {
    "duration": {
        "year": "year years yr yrs 年 岁 周岁 歲",
        "month": "month months mo 个月 個月",
        "week": "week weeks wk wks 周 星期 个星期 礼拜 个礼拜 週",
        "day": "day days 天 日",
        "night": "night nights 晚 夜",
        "hour": "hour hours hr hrs h 小时 个小时 小時 钟头 个钟头",
        "minute": "minute minutes min mins 分钟 分鐘",
        "second": "second seconds sec secs 秒 秒钟",
        "ms": "ms millisecond milliseconds 毫秒",
    },
    "length": {
        "km": "km kilometer kilometers kilometre kilometres 公里 千米",
        "m": "m meter meters metre metres 米 公尺",
        "cm": "cm centimeter centimeters centimetre centimetres 厘米 公分",
        "mm": "mm millimeter millimeters millimetre millimetres 毫米",
        "mile": "mile miles mi 英里",
        "foot": "foot feet ft 英尺",
        "inch": "inch inches 英寸 寸",
    },
    "weight": {
        "kg": "kg kgs kilo kilos kilogram kilograms 公斤 千克",
        "g": "g gram grams 克",
        "mg": "mg milligram milligrams 毫克",
        "jin": "斤",
        "t": "ton tons tonne tonnes 吨 噸",
        "lb": "lb lbs 磅",
        "oz": "oz ounce ounces 盎司",
    },
    "volume": {"l": "l liter liters litre litres 升 公升", "ml": "ml milliliter milliliters 毫升"},
    "area": {"m2": "m2 m² sqm 平方米 平米 平", "km2": "km2 km² 平方公里"},
    "data": {"kb": "kb", "mb": "mb megabytes", "gb": "gb gigabytes", "tb": "tb terabytes"},
    "temperature": {"°C": "°c ℃ celsius 摄氏度 度", "°F": "°f ℉ fahrenheit 华氏度"},
    "percentage": {"%": "% ％ percent per_cent 个百分点"},
}
_UNIT_KINDS: dict[str, tuple[str, Kind]] = {word: (code, "money") for code, words in CURRENCIES.items() for word in words.split()} | {
    word.replace("_", " "): (code, kind) for kind, units in UNITS.items() for code, words in units.items() for word in words.split()
}
AMBIGUOUS = frozenset({"m", "b", "h", "l", "g", "t", "k"})  # as a multiplier or a unit: only the unit when nothing else fits


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_NUMBER_WORDS = _alternatives([*ENGLISH_UNITS, *ENGLISH_TENS, *ENGLISH_SCALES, "hundred", "dozen", "half"])
_SUFFIX = _alternatives([suffix for suffix in SUFFIXES if suffix not in {"b", "m"}])
NUMBER = (
    rf"(?:(?<![a-z])half an?(?=[ -](?!{_NUMBER_WORDS}))|(?:\d{{1,3}}(?:[,，]\d{{3}}){{1,5}}|\d{{1,15}})(?:\.\d{{1,9}})?(?:\s?(?:{_SUFFIX})(?![a-z])|[mb](?![a-z0-9]))?"
    rf"|(?<![a-z])(?:an? (?=(?:{_NUMBER_WORDS})\b))?(?:{_NUMBER_WORDS})(?:(?:[ -]| and | an? )(?:{_NUMBER_WORDS})){{0,9}}(?![a-z])"
    rf"|[{CHINESE_NUMERALS}]{{1,20}}(?:点[{CHINESE_NUMERALS}]{{1,9}})?|半)"
)
SYMBOL = r"(?:us\$|hk\$|nt\$|ca?\$|au?\$|s\$|jp¥|[$€£¥￥₩₹])"
_CODE = _alternatives(
    [word for code, words in CURRENCIES.items() for word in words.split() if word == code.lower() or word in {"rmb", "人民币"}]
)
UNIT_WORD = _alternatives(list(_UNIT_KINDS))
_RATE = r"(?:\s?/\s?|\s(?:per|an?|each)\s|每)(?P<rate>night|day|week|month|year|hour|person|晚|天|日|周|月|年|小时|人)"
_RATES = {"晚": "night", "天": "day", "日": "day", "周": "week", "月": "month", "年": "year", "小时": "hour", "人": "person"}
QUANTITY = (
    rf"(?P<sign>-|−)?(?:(?P<before>{SYMBOL}|(?:{_CODE})(?![a-z]))\s?)?(?P<number>{NUMBER})(?:多|几|余)?(?P<half>(?:个|個)?半(?=年|天|小时|小時|个?月|钟头))?"
    rf"(?:(?P<gap>[\s-]?)(?P<unit>{UNIT_WORD})(?![a-z]))?(?P<more>半|\s?old\b| of age\b)?"
)
_WHOLE = re.compile(rf"(?:about|around|roughly|approximately|大约|约|大概|共)?\s*{QUANTITY}(?:{_RATE})?(?:左右|以内)?")
_VERSION = re.compile(
    r"(?:version\s|版本\s?|ver\.?\s?)?v?\d{1,5}(?:\.\d{1,5}){1,4}(?:[-+.]?(?:alpha|beta|rc|dev|post|a|b)[.\d]{0,6})?", re.IGNORECASE
)


def is_version(text: str) -> bool:
    """Whether the whole text reads as a version: "2.0", "v1.5.3", "3.0.0-rc1"."""
    return _VERSION.fullmatch(text.strip()) is not None


def parse_quantity(text: str) -> Quantity | None:
    """Read the one quantity that the whole text states, or None; the unit is canonical (`CNY`, `year`, `%`, `km`), "" where none is said."""
    return _parse(text) if 0 < len(text) <= 80 else None


@lru_cache(maxsize=1024)
def _parse(text: str) -> Quantity | None:
    found = _WHOLE.fullmatch(text.strip().casefold().replace("￥", "¥"))
    read = read_match(found) if found else None
    if found is None or read is None:
        return None
    quantity, rate = read[0], found["rate"]
    return Quantity(quantity.number, f"{quantity.unit}/{_RATES.get(rate, rate)}") if rate and quantity.unit else quantity


def read_match(found: re.Match[str]) -> tuple[Quantity, Kind] | None:
    """Read what a match of `QUANTITY` in casefolded text states, with its kind; None where the number does not parse or two currencies meet."""
    number = parse_number(found["number"])
    if number is None:
        return None
    unit, kind = unit_of(found["unit"] or found["before"] or "")
    before = unit_of(found["before"] or "")[0]
    if before and (kind != "money" or (before != unit and before not in {"USD", "CNY"})):
        return None
    if (found["half"] or found["more"] == "半") and kind == "duration":
        number = as_number(number + 0.5)
    if (found["more"] or "").strip() in {"old", "of age"} or (found["unit"] or "") in {"岁", "周岁", "歲"}:
        kind = "age"
    return Quantity(-number if found["sign"] else number, unit), kind


def unit_of(word: str) -> tuple[str, Kind]:
    """Canonical unit and kind of a unit word or currency sign; ("", "number") for none."""
    return _UNIT_KINDS.get(word, ("", "number"))
