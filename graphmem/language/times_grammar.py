"""The engine of the time grammar: stages of rules over symbol strings, each rewriting runs of tokens into one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from graphmem.language.times_calendar import Context, Partial, Span, floor, resolve
from graphmem.language.times_holidays import holiday
from graphmem.language.times_lexer import Token

Build = Callable[[Sequence[Token], Context], tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over symbols and what the tokens it covers become; `build` raises ValueError where they mean nothing."""

    pattern: str
    build: Build


class Stage:
    """One pass from left to right: at each place the first rule that matches and builds wins."""

    def __init__(self, *rules: Rule) -> None:
        self._rules = tuple((re.compile(rule.pattern), rule.build) for rule in rules)
        self._any = re.compile("|".join(f"(?:{rule.pattern})" for rule in rules))

    def run(self, tokens: list[Token], context: Context) -> list[Token]:
        symbols = "".join(token.symbol for token in tokens)
        done: list[Token] = []
        position = 0
        while (match := self._any.search(symbols, position)) is not None:
            start = match.start()
            done.extend(tokens[position:start])
            token, position = self._apply(symbols, tokens, start, context)
            done.append(token)
        done.extend(tokens[position:])
        return done

    def _apply(self, symbols: str, tokens: list[Token], start: int, context: Context) -> tuple[Token, int]:
        for pattern, build in self._rules:
            match = pattern.match(symbols, start)
            if match is None:
                continue
            covered = tokens[start : match.end()]
            try:
                symbol, value = build(covered, context)
            except (ValueError, OverflowError):
                continue
            return Token(symbol, value, min(token.start for token in covered), max(token.end for token in covered)), match.end()
        return tokens[start], start + 1


def pick(tokens: Sequence[Token], symbols: str) -> Any:
    """The value of the first token with one of the symbols, or None."""
    return next((token.value for token in tokens if token.symbol in symbols), None)


def picks(tokens: Sequence[Token], symbols: str) -> list[Any]:
    return [token.value for token in tokens if token.symbol in symbols]


RECENT = {"couple": 2, "few": 5}
"""How many units "the last few" are."""


def count_of(tokens: Sequence[Token]) -> float:
    """The number of units: a number, "a", or a half."""
    if (vague := pick(tokens, "#")) is not None:
        return RECENT[vague]
    number = pick(tokens, "NY")
    half = any(token.symbol == "h" for token in tokens)
    value: float = 0.5 if half and number is None else 1 if number is None else number
    fail(value < 0 or value > 10**7)
    return value


def fail(condition: object) -> None:
    """Refuse the reading: the rule does not apply after all."""
    if condition:
        raise ValueError(condition)


def to_partial(token: Token) -> Partial | None:
    """The partial date that one token stands for, if any."""
    match token.symbol:
        case "M" | "J":
            return Partial(month=token.value)
        case "W" | "q":
            return Partial(weekday=token.value)
        case "O" | "N" if 1 <= token.value <= 31:
            return Partial(day=int(token.value))
        case "Y" if 1 <= token.value <= 9999:
            return Partial(year=token.value)
        case _:
            return token.value if isinstance(token.value, Partial) else None


def to_span(token: Token, context: Context) -> Span:
    """The span that one token means; ValueError where it means none."""
    value = token.value
    if isinstance(value, datetime):
        moment = local(value, context)
        return Span(moment, moment, "second")
    if isinstance(value, Span):
        return value
    if token.symbol == "H":
        return next_holiday(value, context)
    partial = to_partial(token)
    if partial is None:
        raise ValueError(token.symbol)
    return resolve(partial, context)


def local(moment: datetime, context: Context) -> datetime:
    """A moment with an offset of its own, in the wall time of `now` (whose offset the context keeps as a plain number of seconds)."""
    return moment.replace(tzinfo=None) if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None) + context.offset


def next_holiday(name: str, context: Context, year: int | None = None) -> Span:
    """The holiday in that year, else the last one before now (the next one where the sentence looks ahead)."""
    if year is not None:
        return _day(holiday(name, year))
    this = holiday(name, context.now.year)
    if context.future and this < context.today:
        this = holiday(name, context.now.year + 1)
    elif not context.future and this > context.today:
        this = holiday(name, context.now.year - 1)
    return _day(this)


def _day(day: datetime) -> Span:
    return resolve(Partial(day.year, day.month, day.day), Context(floor(day, "day")))


def in_year(partial: Partial, year: int) -> Partial:
    return replace(partial, year=year)
