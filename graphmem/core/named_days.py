"""Months and days that a question writes out, and which moments they fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A month that a question names, perhaps with its day and year."""

    month: int
    day: int | None = None
    year: int | None = None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"), ("july", "jul"),
            ("august", "aug"), ("september", "sep", "sept"), ("october", "oct"), ("november", "nov"), ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_MONTH = r"(?P<month>(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Sept|Nov|Dec)ember|October|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?",
        rf"\b{_MONTH} {_DAY}\b(?!\d)(?:,? {_YEAR})?",
        rf"\b{_MONTH},?(?: of)? {_YEAR}",
        rf"\b(?:in|on|of|during|since|before|after|until|by|early|late|mid|last|this|next|around|from) {_MONTH}\b",
        rf"{_YEAR}-(?P<month>[01]\d)(?:-(?P<day>[0-3]\d))?",
        rf"(?:{_YEAR}\s*年\s*)?(?P<month>1[0-2]|0?[1-9])\s*月份?(?:\s*(?P<day>[0-3]?\d)\s*[日号])?",
    )
)


def named_days(question: str) -> tuple[NamedDay, ...]:
    """Read the months and days written out in a question; the word "may" counts only where it can be no verb."""
    found: dict[NamedDay, None] = {}
    rest = question
    for pattern in _DATES:
        for match in pattern.finditer(rest):
            parts = match.groupdict()
            name = parts["month"]
            month = int(name) if name.isdigit() else _MONTHS[name.rstrip(".").lower()]
            day, year = (int(parts[key]) if parts.get(key) else None for key in ("day", "year"))
            if 1 <= month <= 12 and (day is None or 1 <= day <= 31):
                found.setdefault(NamedDay(month, day, year))
        rest = pattern.sub(lambda match: "_" * len(match[0]), rest)
    return tuple(found)


def _fit(day: NamedDay, moment: datetime) -> float:
    """2 for the named day or the one beside it, 1 for the month, else 0; a year that is given must be the same."""
    if day.day is not None:
        try:
            named = date(day.year or moment.year, day.month, day.day)
        except ValueError:
            return 0.0
        if abs(moment.date() - named) <= timedelta(days=1):
            return 2.0
    return float(moment.month == day.month and day.year in (None, moment.year))


def date_scores(days: Sequence[NamedDay], moments: Sequence[datetime | None]) -> NDArray[np.float64]:
    """How well each moment fits the best of the named days; undated ones 0; (n,)."""
    return np.array([0.0 if moment is None else max((_fit(day, moment) for day in days), default=0.0) for moment in moments])
