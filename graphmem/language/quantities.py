"""Quantities in running text: amounts of money, ages, durations, measures, percentages, versions, plain numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.language.times_lexer import folded
from graphmem.numerals import CHINESE_NUMERALS, ENGLISH_SCALES, ENGLISH_TENS, ENGLISH_UNITS
from graphmem.quantity import QUANTITY, Kind, Quantity, read_match

__all__ = ["Quantity", "QuantityMention", "find_quantities"]


@dataclass(frozen=True, slots=True)
class QuantityMention:
    """A quantity in a text: `unit` is canonical (`CNY`, `year`, `km`, `%`), `span` in characters; a version keeps its spelling in `text`."""

    text: str
    span: tuple[int, int]
    number: float
    unit: str
    kind: Kind

    @property
    def quantity(self) -> Quantity:
        return Quantity(self.number, self.unit)


_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_VERSION = re.compile(
    r"(?<![\w.])(?:v\d{1,4}(?:\.\d{1,5}){0,4}|\d{1,4}(?:\.\d{1,5}){2,4})(?:-?(?:alpha|beta|rc|dev|post)\.?\d{0,3})?(?![\w%]|\.\d)"
    r"|(?:(?<=version )|(?<=版本是)|(?<=版本为)|(?<=版本号)|(?<=版本)|(?<=升级到)|(?<=升到)|(?<=release ))\d{1,4}(?:\.\d{1,5}){1,4}(?![\w%])"
    r"|(?<![\w.])\d{1,3}\.0(?=\s{0,2}(?:版|version|release|$|[,;!?]))"
)
# What looks like numbers and is none: dates, clock times, phone numbers, codes, web and mail addresses.
_NO_COUNT = re.compile(
    r"https?://\S{1,500}|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}|\+\d[\d\s-]{5,18}\d|\d{1,4}(?:[-/]\d{1,4}){1,3}(?!\d)|\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?"
    r"|\d{1,2}\s?[ap]\.?m\b|\d{1,2}(?:st|nd|rd|th)\b|(?<![a-z_\d])[a-z_]+\d\w*|(?<![a-z_\d])\d{1,9}[a-z_]{1,9}\d\w*"
    rf"|\d{{1,2}}\s(?:of\s)?(?:{_MONTH})\b|\b(?:{_MONTH})\s\d{{1,2}}\b(?!\s?%)"
    r"|(?:\d{4}|[零〇一二三四五六七八九]{4})\s?年|[\d一二三四五六七八九十]{1,3}\s?月(?:份?[\d一二三四五六七八九十]{1,3}\s?[日号])?|[\d一二三四五六七八九十]{1,3}\s?号"
    r"|[零一二三四五六七八九十百两\d]{1,4}(?:点钟?|时)(?:半|[零一二三四五六七八九十\d]{1,3}分?)?(?!间)|(?:星期|礼拜|周)[一二三四五六]|第[\d一二三四五六七八九十百]{1,4}"
    r"|一(?:块(?!钱)|起|直|定|样|般|些|下|点|切|旦|边|共|家|度|刀|面|路|道|味|向|律)|千万别?(?![元块美])|万一|十分|三心二意|\d{1,2}(?:'?s)\b"
)
_SCAN = re.compile(rf"(?P<version>{_VERSION.pattern})|(?<![a-z_\d.]){QUANTITY}(?![a-z\d]*\d)")
_DIGIT = re.compile(r"\d")
_CUE = re.compile(
    rf"[\d半{CHINESE_NUMERALS}]|\b(?:{'|'.join((*ENGLISH_UNITS, *ENGLISH_TENS, *ENGLISH_SCALES, 'hundred', 'dozen', 'half'))})\b"
)


def find_quantities(text: str, language: str | None = None) -> list[QuantityMention]:  # noqa: ARG001 — both languages are read at once; kept beside find_times
    """Every quantity in the text, in order; dates, clock times, codes and addresses are none, and small number words alone are none."""
    plain = folded(text)
    if _CUE.search(plain) is None:
        return []
    found: list[QuantityMention] = []
    position = 0
    masks = _NO_COUNT.finditer(plain)
    mask = next(masks, None)
    for match in _SCAN.finditer(plain):
        while mask is not None and mask.end() <= match.start():
            mask = next(masks, None)
        if match.start() < position or (mask is not None and mask.start() < match.end() and match["version"] is None):
            continue
        mention = _version(match, text) if match["version"] else _quantity(match, text)
        if mention is not None:
            found.append(mention)
            position = match.end()
    return found


def _version(match: re.Match[str], text: str) -> QuantityMention:
    written = text[match.start() : match.end()]
    digits = re.sub(r"^(\d+)\.?(\d*).*", r"\1.\2", written.lstrip("vV"))
    return QuantityMention(written, match.span(), float(digits.rstrip(".") or 0), "", "version")


def _quantity(match: re.Match[str], text: str) -> QuantityMention | None:
    read = read_match(match)
    if read is None:
        return None
    quantity, kind = read
    if (
        kind == "number"
        and (_DIGIT.search(match["number"]) is None)
        and (len(match["number"]) < 3 or " " not in match["number"])
        and abs(quantity.number) < 20
    ):
        return None
    written = text[match.start() : match.end()].rstrip()
    return QuantityMention(written, (match.start(), match.start() + len(written)), quantity.number, quantity.unit, kind)
