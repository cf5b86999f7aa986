"""A new statement against what is known under its key: what becomes of it, and of what stood there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from graphmem.core.timeline import Known, Mint, Rules, Segment, is_resolution, timeline
from graphmem.model import Statement
from graphmem.temporal import FAR_FUTURE

Kind = Literal["added", "reinforced", "superseded", "disputed", "ignored", "rejected"]


@dataclass(frozen=True, slots=True)
class Decision:
    """`statement` names its memory; `others` are the memories it displaced, ended, corrected or contends with, oldest first."""

    kind: Kind
    statement: Statement
    before: tuple[Segment, ...]
    after: tuple[Segment, ...]
    others: tuple[str, ...] = ()
    why: str = ""

    @property
    def segment(self) -> Segment | None:
        return next((one for one in self.after if self.statement.id in one.statements), None)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything known of one claim key: its rules, its statements, and the memories that stand for their values."""

    rules: Rules
    statements: tuple[Statement, ...] = ()
    known: tuple[Known, ...] = ()

    def segments(self, mint: Mint | None = None) -> tuple[Segment, ...]:
        return timeline(self.statements, self.rules, self.known, mint)

    def plus(self, decision: Decision) -> Ledger:
        """With a decided statement and the memories that it brought."""
        if decision.kind == "rejected":
            return self
        have = {one.memory_id for one in self.known}
        new = [Known(one.memory_id, one.value, one.valid_from) for one in decision.after if one.memory_id not in have]
        return Ledger(self.rules, (*self.statements, decision.statement), (*self.known, *new))


def reconcile(ledger: Ledger, new: Statement, mint: Mint, now: datetime, before: tuple[Segment, ...] | None = None) -> Decision:
    """Table of outcomes; `before` saves computing the ledger's segments again."""
    before = ledger.segments(mint) if before is None else before
    if new.policy == "reject_new" and new.act == "state" and (held := _living(before, new, now)):
        return Decision("rejected", new, before, before, (held.memory_id,), f"policy reject_new keeps the value {held.value!r}")
    after = extended(ledger, new, mint, before) or timeline((*ledger.statements, new), ledger.rules, ledger.known, mint)
    mine = next((one for one in after if new.id in one.statements), None)
    if mine is None:
        return Decision("ignored", new, before, after, (), "nothing held that could end")
    told = replace(new, memory_id=mine.memory_id)
    earlier = {one.memory_id: one for one in before}
    was = earlier.get(mine.memory_id)
    if new.act == "end":
        return _ended(Decision("added", told, before, after), mine, was, earlier)
    if new.act == "correct":
        fallen = _fallen(before, after, new)
        return Decision("superseded" if fallen else "added", told, before, after, fallen, "a correction")
    if was is not None and mine.stored_state == "disputed" != was.stored_state:
        return Decision("disputed", told, before, after, mine.disputed_with, _why_disputed(told, ledger.rules))
    if was is not None:
        moved = was.valid_from != mine.valid_from
        settled = [one for one in was.disputed_with if one not in mine.disputed_with]
        why = "said again, and holds from earlier" if moved else "said again"
        return Decision("reinforced", told, before, after, tuple(settled), f"{why}; the dispute is settled" if settled else why)
    return _newcomer(Decision("added", told, before, after), mine, earlier, ledger)


def extended(ledger: Ledger, new: Statement, mint: Mint, before: tuple[Segment, ...]) -> tuple[Segment, ...] | None:
    """Give what `timeline` would for the commonest case without another sweep: a sure newer value after everything known; None elsewhere."""
    moment, rules = new.valid_from, ledger.rules
    plain = rules.functional and new.act == "state" and new.policy in {"latest", "reject_new"} and "state" not in new.properties
    if not plain or new.source == "inferred" or new.confidence < rules.weak_below:
        return None
    if any(one.valid_from >= moment for one in ledger.statements) or any(one.value == new.value for one in ledger.known):
        return None
    if any(one.value == new.value or one.stored_state not in {"current", "superseded"} for one in before):
        return None
    made = mint(new.value, moment, 0)
    if any(one.memory_id == made for one in before):
        return None
    closed = tuple(_closed(one, moment, made) if one.stored_state == "current" else one for one in before)
    if any(one.valid_to is None or one.valid_to > moment for one in closed):
        return None
    fresh = Segment(
        value=new.value,
        memory_id=made,
        valid_from=moment,
        valid_to=new.valid_to,
        precision=new.precision,
        stored_state="current",
        confidence=new.confidence,
        statements=(new.id,),
    )
    return (*closed, fresh)


def _closed(segment: Segment, moment: datetime, by: str) -> Segment:
    return replace(segment, valid_to=min(segment.valid_to or moment, moment), stored_state="superseded", displaced_by=(by,))


def _living(before: Sequence[Segment], new: Statement, now: datetime) -> Segment | None:
    """Find a value other than the new one that holds now or later."""
    alive = (one for one in before if one.stored_state in {"current", "disputed"} and (one.valid_to or FAR_FUTURE) > now)
    return next((one for one in alive if one.value != new.value), None)


def _ended(draft: Decision, mine: Segment, was: Segment | None, earlier: dict[str, Segment]) -> Decision:
    over = tuple(one.memory_id for one in draft.after if (old := earlier.get(one.memory_id)) is not None and old.valid_to != one.valid_to)
    if over:
        return replace(draft, kind="superseded", others=over, why="it no longer holds, and nothing took its place")
    if was is not None:
        return replace(draft, kind="reinforced", why="it was over already")
    return replace(draft, why="already over when it was learned" if mine.valid_from is None else "known only to be over")


def _fallen(before: Sequence[Segment], after: Sequence[Segment], new: Statement) -> tuple[str, ...]:
    corrected, standing = set(new.properties.get("corrects", ())), {one.memory_id for one in after}
    return tuple(one.memory_id for one in before if corrected.intersection(one.statements) and one.memory_id not in standing)


def _newcomer(draft: Decision, mine: Segment, earlier: dict[str, Segment], ledger: Ledger) -> Decision:
    if mine.stored_state == "disputed":
        return replace(draft, kind="disputed", others=mine.disputed_with, why=_why_disputed(draft.statement, ledger.rules))
    taken = tuple(
        one.memory_id
        for one in draft.after
        if mine.memory_id in one.displaced_by and (old := earlier.get(one.memory_id)) is not None and mine.memory_id not in old.displaced_by
    )
    late = bool(mine.displaced_by)
    if late and mine.valid_from == mine.valid_to:
        return replace(draft, others=mine.displaced_by, why="outranked by a better source or a surer value; kept as superseded")
    if late:
        return replace(draft, others=mine.displaced_by, why="arrived late: a newer value had already taken its place")
    if taken:
        return replace(draft, kind="superseded", others=taken, why="a newer value")
    return replace(draft, why="beside other values" if earlier and not ledger.rules.functional else "new")


def _why_disputed(new: Statement, rules: Rules) -> str:
    if new.policy == "dispute":
        return "policy dispute: another value is always asked about"
    if new.source == "inferred" or new.confidence < rules.weak_below:
        return "inferred or of low confidence, against a confident value"
    return "equal sources and equal confidence for the same time"


Pairs = frozenset[tuple[str, str]]


def successions(segments: Sequence[Segment]) -> Pairs:
    """(newer, older) of every SUPERSEDES that a timeline shows."""
    return frozenset((newer, one.memory_id) for one in segments for newer in one.displaced_by if newer != one.memory_id)


def disputes(segments: Sequence[Segment]) -> Pairs:
    """(one, other) of every undecided CONTRADICTS, each pair once, the side that began first in front."""
    place = {one.memory_id: n for n, one in enumerate(segments)}
    pairs = {(one.memory_id, other) for one in segments for other in one.disputed_with}
    return frozenset((a, b) for a, b in pairs if place[a] < place[b] or (b, a) not in pairs)


def resolution(base: Statement, keeps: Sequence[str], drops: Sequence[str], reason: str) -> Statement:
    """Make the statement that settles a dispute between others, by their ids; retracting it opens the dispute again."""
    return replace(base, act="correct", properties={"keeps": tuple(keeps), "drops": tuple(drops), "reason": reason})


__all__ = [
    "Decision",
    "Known",
    "Ledger",
    "Rules",
    "Segment",
    "disputes",
    "is_resolution",
    "reconcile",
    "resolution",
    "successions",
    "timeline",
]
