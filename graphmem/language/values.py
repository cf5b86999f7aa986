"""Values of attributes as they stand in a text: amounts, dates, versions, phone numbers, addresses, statuses."""

from __future__ import annotations

import re
from datetime import UTC, timedelta

from graphmem.language.scene import Scene, Timed
from graphmem.language.times import find_clocks
from graphmem.quantity import QUANTITY, parse_quantity
from graphmem.temporal import Interval, iso

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"\+?\(?\d[\d\s().-]{5,20}\d(?:\s?(?:ext\.?|x)\s?\d{1,5})?")
VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+){0,4}(?:[-+.]?(?:alpha|beta|rc|dev|lts)[.\d]*)?(?![\w%])", re.IGNORECASE)
AMOUNT = re.compile(QUANTITY)
_TAIL = re.compile(
    r"\s*(?:[,，]?\s*(?:please|thanks|now|currently|right now|at the moment|as of today|from now on))$|[.。!！\s]+$", re.IGNORECASE
)
_LEAD = re.compile(r"^[\s:：]*(?:(?:now|currently|still|just|about|around|exactly|only|at|set at|set to|actually)\s+)*", re.IGNORECASE)
STATUSES = re.compile(
    r"^(?:in[- ]progress|pending|blocked|completed?|done|finished|cancell?ed|failed|open|closed|on hold|shipped|delivered|delayed|processing|resolved|approved|rejected|refunded|not started|under review|in transit|out for delivery|paid|unpaid|active|inactive|stuck|waiting|returned|confirmed|overdue|dispatched|lost|processed|closed|reopened|escalated|received|accepted)\b",
    re.IGNORECASE,
)


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
            return [
                day
                for found in scene.times(offset, offset + len(text))
                if (day := day_of(ahead(found, scene) if relation == "deadline" else found.interval))
            ][:1]
        case "status":
            status = STATUSES.match(_plain(text))
            return [status[0]] if status else []
        case _:
            return []


_PAST_WORDS = re.compile(r"\d{4}|ago|last|yesterday|昨|前天|去年|上(?=周|个?月|星期|礼拜|次|半年)|刚才")
_WEEKDAY = re.compile(r"day\b|周|星期|礼拜", re.IGNORECASE)


def ahead(found: Timed, scene: Scene) -> Interval:
    """A day without a year that is over by now, read as the next one: what is due or planned lies ahead."""
    interval, said = found.interval, scene.turn.said_at
    text = scene.text[found.start : found.end]
    if interval.end is None or interval.end > said or interval.precision in {"year", "week", "decade"} or _PAST_WORDS.search(text):
        return interval
    if said - interval.end <= timedelta(days=7) and _WEEKDAY.search(text):
        later = timedelta(days=7)
        return Interval(interval.start and interval.start + later, interval.end + later, interval.precision)
    try:
        years = said.year - interval.end.year
        years += interval.end.replace(year=interval.end.year + years) <= said
        moved = [moment and moment.replace(year=moment.year + years) for moment in (interval.start, interval.end)]
    except ValueError:
        return interval
    return Interval(moved[0], moved[1], interval.precision)


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
        return (
            (iso(interval.end) or "")[:10] if interval.end and interval.precision not in {"hour", "minute", "second"} else iso(interval.end)
        )
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


_TO = re.compile(r"\b(?:to|until|till|at)\s*$|[到至为成]\s*$", re.IGNORECASE)


def moved_time(scene: Scene, start: int, end: int) -> Interval | None:
    """The time that something is moved to; a bare time of day falls on the day that the turn before spoke of, else on today."""
    dated = [found for found in scene.times(start, end) if found.interval.start is not None]
    if dated:
        chosen = next((found for found in dated if _TO.search(scene.text[: found.start])), dated[-1])
        return ahead(chosen, scene)
    clocks = find_clocks(scene.text[start:end], now=scene.turn.said_at)
    if not clocks:
        return None
    said = scene.turn.said_at
    before = [found.interval.start for found in scene.find_times(scene.turn.previous or "") if found.interval.start is not None]
    day = (before[0].astimezone(said.tzinfo) if before else said).replace(
        hour=clocks[-1].hour, minute=clocks[-1].minute, second=0, microsecond=0
    )
    return Interval(day.astimezone(UTC), day.astimezone(UTC) + timedelta(minutes=1), "minute")
