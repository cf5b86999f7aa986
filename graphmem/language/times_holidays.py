"""Holidays in English and Chinese: fixed days, n-th weekdays, Easter, the lunar calendar (1950–2099) and the tabular Islamic one."""

from __future__ import annotations

import string
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from graphmem.language.times_calendar import DAY, date_of

FIXED: dict[tuple[int, int], str] = {
    (1, 1): "new year|new years|new year's|new year day|new years day|new year's day|元旦|元旦节|新年",
    (12, 31): "new year eve|new years eve|new year's eve|跨年夜|跨年",
    (2, 2): "groundhog day",
    (2, 14): "valentine's day|valentines day|valentine's|valentine day|情人节",
    (3, 8): "women's day|womens day|international women's day|妇女节|三八节|三八妇女节",
    (3, 12): "植树节|arbor day",
    (3, 17): "saint patrick|saint patrick's day|st patrick's day|st. patrick's day|st patricks day|st patrick",
    (4, 1): "april fools|april fools'|april fool's day|april fools day|april fool's|愚人节",
    (4, 22): "earth day|地球日",
    (5, 1): "international workers' day|international workers day|workers' day|workers day|may day|五一|五一节|劳动节|国际劳动节",
    (5, 4): "青年节|五四青年节",
    (5, 5): "cinco de mayo",
    (6, 1): "children's day|儿童节|六一儿童节",
    (6, 19): "juneteenth",
    (7, 1): "canada day|建党节",
    (7, 4): "independence day|us independence day",
    (7, 14): "bastille day",
    (8, 1): "建军节",
    (9, 10): "teachers' day|teacher's day|教师节",
    (10, 1): "国庆|国庆节|十一国庆|chinese national day",
    (10, 31): "halloween|halloween day|万圣节|万圣夜",
    (11, 1): "all saints day|all saints' day",
    (11, 5): "guy fawkes day|guy fawkes night|bonfire night",
    (11, 11): "veterans day|veteran's day|armistice day|双十一|光棍节|singles day|singles' day",
    (12, 12): "双十二",
    (12, 24): "christmas eve|xmas eve|平安夜|圣诞夜",
    (12, 25): "christmas|christmas day|xmas|x-mas|圣诞|圣诞节",
    (12, 26): "boxing day",
}
NTH: dict[tuple[int, int, int], str] = {  # month, weekday (Monday 0), n (-1 the last)
    (1, 0, 3): "martin luther king day|mlk day|martin luther king jr day",
    (2, 0, 3): "presidents day|presidents' day|president's day|washington's birthday",
    (5, 6, 2): "mother's day|mothers day|母亲节",
    (5, 0, -1): "memorial day",
    (6, 6, 3): "father's day|fathers day|父亲节",
    (9, 0, 1): "labor day|labour day",
    (10, 0, 2): "columbus day|indigenous peoples' day",
    (11, 3, 4): "thanksgiving|thanksgiving day|感恩节",
}
AFTER_THANKSGIVING = {1: "black friday|黑色星期五|黑五", 4: "cyber monday|网络星期一"}
AFTER_EASTER = {
    0: "easter|easter sunday|easter day|复活节", 1: "easter monday", -2: "good friday|耶稣受难日", -7: "palm sunday", -46: "ash wednesday",
    -47: "mardi gras|fat tuesday|shrove tuesday", 39: "ascension day", 49: "pentecost|whit sunday",
}  # fmt: skip
ISLAMIC = {
    (9, 1): "ramadan|斋月",
    (10, 1): "eid al fitr|eid al-fitr|eid ul-fitr|eid|开斋节",
    (12, 10): "eid al adha|eid al-adha|eid ul-adha|古尔邦节|宰牲节",
}
# Day of the year of each feast, 1950–2099: a base and one character of `_ALPHABET` per year.
_ALPHABET = string.digits + string.ascii_uppercase
_LUNAR = {
    "spring": (20, "RG6OD3MASI7PF4NC0J9RG6PD2LASH7QF4NCUJ8RG6PE2KATH7QF3MB1J8SH5OD2KATI7QF4MB1K8RG5ND2LATI7PE3MB1K9RG5OC2LBTI7PE3MC0J8RF5OD2LATH6PF3MC1J8RG5OD3K9SH6PF4MB0"),
    "dragon": (146, "ND2J9SI6PE3LATJ8RG5NC1K9SI7PE3MATJ9QF4NC1KASH6PD3MBTJ8RF4ND1KASG6OE3MBUI7QF4ND2K9SH5OE4MB0J7QF5NC2K8RH6OE3MATI8QF5OC1K9RH6PE3LBSI8RF5NC0J9SH6PE2LATI8R"),
    "qixi": (211, "K9RG5OD2LATH6PF3MC1J8RG5OD3LATI6PF4MCUJ8QG6OD2L9SH7PF4NB0J8QG6OD2KASH7QE4MBTJ8RG5OD1KATH7QF3MB1J8RH5NC2KATI6PE3LB1K8RG5NC2LASI7OE3MB0J9QF5OC2LASH6PD3M"),
    "autumn": (250, "I7QE3MC0J9SG5OD2LATI7PF3MC1J8RG4ND3LATI6PE4MC1K8RG5ND3LASH7PE4NB0J8QG5OD2LASH7QE4NC0J8RG5OD2K9SH7QF3MB0I8RH5OD2K9SI7PF4LB0J8RG5NC2L9SI7PE3MA0J9RG5NC1L"),
    "ninth": (273, "I8RF4NCUK9SH6OE2LBUI7QF3MCVK9SH5OD3LBUJ7PF4MCVK9RG6OD3MATI7PF4NC1K9RG6PD3MBSH7QF4NC0J8RG6PE2LATH7QG4NCUJ8RH5OD2KATI7QF4MBUK8RH6OD2LATI8QF4MBUK9RG5OC2L"),
}  # fmt: skip
_FIRST_LUNAR = 1950
LUNAR: dict[tuple[str, int], str] = {  # feast, days after it
    ("spring", 0): "chinese new year|lunar new year|spring festival|春节|大年初一|农历新年|过年",
    ("spring", -1): "chinese new year's eve|lunar new year's eve|除夕|除夕夜|大年三十|年三十",
    ("spring", 14): "lantern festival|元宵节|元宵|正月十五",
    ("dragon", 0): "dragon boat festival|端午节|端午",
    ("qixi", 0): "qixi festival|qixi|七夕|七夕节",
    ("autumn", 0): "mid-autumn festival|mid autumn festival|moon festival|中秋节|中秋",
    ("ninth", 0): "double ninth festival|重阳节|重阳",
}
QINGMING = "qingming|qingming festival|tomb sweeping day|tomb-sweeping day|清明节|清明"


def _names() -> dict[str, tuple[str, tuple[int | str, ...]]]:
    found: dict[str, tuple[str, tuple[int | str, ...]]] = {}
    tables: tuple[tuple[str, Mapping[Any, str]], ...] = (
        ("fixed", FIXED),
        ("nth", NTH),
        ("thanksgiving", {(days,): names for days, names in AFTER_THANKSGIVING.items()}),
        ("easter", {(days,): names for days, names in AFTER_EASTER.items()}),
        ("islamic", ISLAMIC),
        ("lunar", LUNAR),
        ("qingming", {(): QINGMING}),
    )
    for kind, table in tables:
        for key, names in table.items():
            found.update(dict.fromkeys(names.split("|"), (kind, key)))
    return found


HOLIDAYS = _names()


def holiday(name: str, year: int) -> datetime:
    """The first day of that holiday in that year; ValueError where the table of lunar feasts does not reach."""
    kind, key = HOLIDAYS[name]
    numbers = [value for value in key if isinstance(value, int)]
    match kind:
        case "fixed":
            return date_of(year, numbers[0], numbers[1])
        case "nth":
            return _nth_weekday(year, *numbers)
        case "thanksgiving":
            return _nth_weekday(year, 11, 3, 4) + DAY * numbers[0]
        case "easter":
            return _easter(year) + DAY * numbers[0]
        case "islamic":
            return _islamic(year, *numbers)
        case "lunar":
            return _lunar(str(key[0]), year) + DAY * numbers[0]
        case _:
            return date_of(year, 4, 1) + DAY * (int((year % 100) * 0.2422 + (4.81 if year >= 2000 else 5.59)) - year % 100 // 4 - 1)


def _nth_weekday(year: int, month: int, weekday: int, count: int) -> datetime:
    if count < 0:
        last = date_of(year + month // 12, month % 12 + 1, 1) - DAY
        return last - DAY * ((last.weekday() - weekday) % 7)
    first = date_of(year, month, 1)
    return first + DAY * ((weekday - first.weekday()) % 7 + 7 * (count - 1))


def _easter(year: int) -> datetime:
    """Gregorian Easter by the anonymous (Meeus/Jones/Butcher) algorithm."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    month, day = divmod(epact + weekday - 7 * ((golden + 11 * epact + 22 * weekday) // 451) + 114, 31)
    return date_of(year, month, day + 1)


def _lunar(feast: str, year: int) -> datetime:
    base, days = _LUNAR[feast]
    if not 0 <= year - _FIRST_LUNAR < len(days):
        raise ValueError(year)
    return date_of(year, 1, 1) + timedelta(days=base + _ALPHABET.index(days[year - _FIRST_LUNAR]))


def _islamic(year: int, month: int, day: int) -> datetime:
    """Tabular Islamic calendar, Thursday epoch (the sighted moon may differ by a day)."""
    first = int((year - 622) * 33 / 32)
    for hijri in range(first - 1, first + 3):
        ordinal = day + 29 * (month - 1) + month // 2 + (hijri - 1) * 354 + (3 + 11 * hijri) // 30 + 227_013
        found = datetime.fromordinal(ordinal) if ordinal > 0 else date_of(1, 1, 1)
        if found.year == year:
            return found
    raise ValueError(year)
