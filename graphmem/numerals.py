"""Numbers as people write them in English and Chinese: digits with separators, number words, 两万三千, 1.5k."""

from __future__ import annotations

import re

ENGLISH_UNITS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
ENGLISH_TENS = {
    word: 10 * value for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
} | {"fourty": 40}
ENGLISH_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SUFFIXES = {
    "k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6, "million": 10**6, "millions": 10**6, "bn": 10**9, "b": 10**9,
    "billion": 10**9, "billions": 10**9, "trillion": 10**12, "hundred": 100, "dozen": 12, "千": 10**3, "万": 10**4, "百万": 10**6,
    "千万": 10**7, "亿": 10**8, "百": 100, "十万": 10**5, "万亿": 10**12,
}  # fmt: skip
_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "两": 2, "俩": 2, "兩": 2, "壹": 1, "贰": 2, "貳": 2, "叁": 3, "參": 3, "肆": 4, "伍": 5, "陆": 6, "陸": 6, "柒": 7, "捌": 8, "玖": 9,
}  # fmt: skip
_PLACES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CHINESE_NUMERALS = "".join((*_DIGITS, *_PLACES, *_SCALES))
_LONGEST = 40  # characters of the longest numeral read: beyond it nothing is a count
_PLAIN = re.compile(r"[+-]?(?:\d{1,3}(?:[,，]\d{3})+|\d{1,18})(?:\.\d{1,9})?")
_MIXED = re.compile(
    rf"([+-]?(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,18}})(?:\.\d{{1,9}})?)\s?({'|'.join(sorted(SUFFIXES, key=len, reverse=True))})"
)


def as_number(value: float) -> float:
    """Turn a whole value into an int, so that 5000.0 prints as 5000."""
    return int(value) if value == int(value) else round(value, 9)


def parse_number(text: str) -> float | None:
    """Read the number that the whole text states, or None: "5,000", "5k", "1.5 million", "two hundred and fifty", "两万三千", "1.5万", "half"."""
    text = text.strip().lower()
    if not text or len(text) > _LONGEST * 3:
        return None
    if _PLAIN.fullmatch(text):
        return as_number(float(text.replace(",", "").replace("，", "")))
    if mixed := _MIXED.fullmatch(text):
        return as_number(float(mixed[1].replace(",", "")) * SUFFIXES[mixed[2]])
    return chinese_number(text) if text[0] in CHINESE_NUMERALS + "半" else english_number(text)


def english_number(text: str) -> float | None:
    """Read a spelled-out cardinal ("twenty-five", "two thousand and five", "half a million", "a dozen"); years read in pairs are not cardinals."""
    words = [word for word in re.split(r"[\s-]+", text) if word and word != "and"]
    if not words or len(words) > 12:
        return None
    if words[0] == "half":
        rest = 1 if words[1:] in ([], ["a"], ["an"]) else english_number(" ".join(words[1:]))
        return None if rest is None else as_number(rest / 2)
    total, group, seen = 0, 0, words[0] in {"a", "an"}
    if seen:
        group, words = 1, words[1:]
    if not words:
        return None
    last = 10**15
    for word in words:
        if word in ENGLISH_UNITS or word in ENGLISH_TENS:
            value, room = (ENGLISH_UNITS[word], 1) if word in ENGLISH_UNITS else (ENGLISH_TENS[word], 10)
            below = 100 if value >= 10 or room == 10 else 10
            if (seen and group % below) or (seen and value == 0) or (10 <= group % 100 < 20):
                return None
            group += value
        elif word == "hundred" and 0 < group < 100:
            group *= 100
        elif word == "dozen" and group < 100:
            group = (group or 1) * 12
        elif word in ENGLISH_SCALES and ENGLISH_SCALES[word] < last and group:
            last = ENGLISH_SCALES[word]
            total, group = total + group * last, 0
        else:
            return None
        seen = True
    return total + group


def chinese_number(text: str) -> float | None:
    """Read a Chinese numeral: 两万三千, 一百零五, 二〇一八 (digit by digit), 两千五 (= 2500), 一点五, 半."""
    if text == "半":
        return 0.5
    half = text.endswith("半") and text[:-1]
    if half:
        whole = chinese_number(text[:-1])
        return None if whole is None else as_number(whole + 0.5)
    if not text or len(text) > _LONGEST:
        return None
    if "点" in text:
        return _chinese_decimal(text)
    if any(character not in CHINESE_NUMERALS for character in text):
        return None
    if all(character in _DIGITS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text))
    return _chinese_places(text)


def _chinese_decimal(text: str) -> float | None:
    whole, _, fraction = text.partition("点")
    scale = 1
    if fraction and fraction[-1] in _SCALES:
        fraction, scale = fraction[:-1], _SCALES[fraction[-1]]
    head = chinese_number(whole)
    if head is None or not fraction or any(character not in _DIGITS for character in fraction):
        return None
    return as_number(float(f"{int(head)}." + "".join(str(_DIGITS[character]) for character in fraction)) * scale)


def _chinese_places(text: str) -> int | None:
    total = group = digit = 0
    previous = 1  # the place of the last character, for a colloquial tail (两千五 = 2500)
    tail = True
    pending = False
    for character in text:
        if character in _DIGITS:
            if pending and digit:
                return None
            digit, pending = _DIGITS[character], True
            tail = tail and digit != 0
        elif character in _PLACES:
            place = _PLACES[character]
            group += (digit if pending else 1) * place
            digit, pending, previous = 0, False, place
        else:
            scale = _SCALES[character]
            if not total + group + digit:
                return None
            total = (total + group + digit) * scale if scale > 10**4 else total + (group + digit) * scale
            group, digit, pending, previous = 0, 0, False, scale
    return total + group + (digit * previous // 10 if tail and previous >= 100 and digit else digit)
