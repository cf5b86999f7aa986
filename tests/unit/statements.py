"""Statements and pictures of timelines, for tests of reconciliation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.core.identity import content_id
from graphmem.core.reconciliation import Decision, Ledger, reconcile
from graphmem.core.timeline import Rules, Segment
from graphmem.model import Statement

DAY = datetime(2026, 1, 1, tzinfo=UTC)
ONE, MANY = Rules(), Rules(functional=False)


def day(number: int) -> datetime:
    return DAY + timedelta(days=number)


def says(value: str, since: int = 0, **more: Any) -> Statement:
    """State a value, recorded on the day from which it holds, unless told otherwise."""
    until = more.pop("until", None)
    recorded = day(more.pop("recorded", since))
    given: dict[str, Any] = {"user_id": "u", "key": "k", "memory_id": "", "valid_from": day(since), "recorded_at": recorded}
    if until is not None:
        given["valid_to"] = day(until)
    given |= more
    id_ = given.pop("id", None) or content_id(value, *(str(part) for part in given.values()))
    return Statement(id=id_, value=value, **given)


def mint(value: str, start: datetime | None, number: int) -> str:
    since = "?" if start is None else (start - DAY).days
    return f"{value}{since}" + ("'" * number)


def tell(*statements: Statement, rules: Rules = ONE, now: int = 100) -> tuple[Ledger, list[Decision]]:
    ledger, decisions = Ledger(rules), []
    for statement in statements:
        decision = reconcile(ledger, statement, mint, day(now))
        ledger = ledger.plus(decision)
        decisions.append(decision)
    return ledger, decisions


def picture(segments: tuple[Segment, ...]) -> list[tuple[str, int | None, int | None, str]]:
    def number(moment: datetime | None) -> int | None:
        return None if moment is None else (moment - DAY).days

    return [(one.value, number(one.valid_from), number(one.valid_to), one.stored_state) for one in segments]
