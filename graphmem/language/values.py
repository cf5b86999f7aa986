"""Values of attributes as they stand in a text: amounts, dates, versions, phone numbers, addresses, statuses."""

from __future__ import annotations

import re

from graphmem.language.scene import Scene
from graphmem.quantity import QUANTITY, parse_quantity
from graphmem.temporal import Interval, iso

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"\+?\(?\d[\d\s().-]{5,20}\d(?:\s?(?:ext\.?|x)\s?\d{1,5})?")
VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+){0,4}(?:[-+.]?(?:alpha|beta|rc|dev|lts)[.\d]*)?(?![\w%])", re.IGNORECASE)
AMOUNT = re.compile(QUANTITY)
_TAIL = re.compile(r"\s*(?:[,，]?\s*(?:please|thanks|now|currently|right now|at the moment|as of today|from now on))$|[.。!！\s]+$", re.IGNORECASE)
_LEAD = re.compile(r"^[\s:：]*(?:(?:now|currently|still|just|about|around|exactly|only|at|set at|set to|actually)\s+)*", re.IGNORECASE)
STATUSES = re.compile(r"^(?:in[- ]progress|pending|blocked|completed?|done|finished|cancell?ed|failed|open|closed|on hold|shipped|delivered|delayed|processing|resolved|approved|rejected|refunded|not started|under review|in transit|out for delivery|paid|unpaid|active|inactive|stuck|waiting|returned|confirmed|overdue)\b", re.IGNORECASE)


def value_in(relation: str, kind: str, text: str, scene: Scene, offset: int) -> list[str]:
    """The values of a relation's kind that a stretch of the turn states; `offset` is where it starts in the turn."""
    if relation == "email":
        return EMAIL.findall(text)
    if relation == "phone":
        return [_TAIL.sub("", found) for found in PHONE.findall(text)]
    if relation == "address":
        found = _plain(text)
        return [found] if re.search(r"\d", found) and len(found) <= 120 else []
    match kind:
        case "version":
            return VERSION.findall(text)[:1]
        case "quantity":
            return amounts(text)
        case "date":
            return [day for found in scene.times(offset, offset + len(text)) if (day := day_of(found.interval))][:1]
        case "status":
            found = STATUSES.match(_plain(text))
            return [found[0]] if found else []
        case _:
            return []


def _plain(text: str) -> str:
    return _TAIL.sub("", _LEAD.sub("", text)).strip(" ,，")


def amounts(text: str) -> list[str]:
    """Numbers with their units, as written."""
    folded = text.casefold().replace("￥", "¥")
    if len(folded) != len(text):
        return []
    found = [text[match.start() : match.end()].strip() for match in AMOUNT.finditer(folded)]
    return [part for part in found if parse_quantity(part) is not None]


def day_of(interval: Interval) -> str | None:
    """ISO 8601 at the precision that was stated: a year, a month, a day or a moment."""
    if interval.start is None:
        return None
    text = iso(interval.start) or ""
    match interval.precision:
        case "year" | "decade":
            return text[:4]
        case "month" | "quarter":
            return text[:7]
        case "hour" | "minute" | "second":
            return text
        case _:
            return text[:10]
