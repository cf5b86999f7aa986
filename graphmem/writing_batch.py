"""One write while it is being decided: what was read, what has been decided so far, and the change set that comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from graphmem.core.claims import ask, minter
from graphmem.core.identity import content_id, relationship_id
from graphmem.core.reconciliation import Decision, Ledger, disputes, reconcile, successions
from graphmem.core.timeline import Known, Rules, Segment
from graphmem.errors import WriteConflict
from graphmem.model import Belief, Entity, MemoryRecord, Relationship, Statement, state_at
from graphmem.ontology import Ontology
from graphmem.ports import ChangeSet, Passage
from graphmem.temporal import FAR_FUTURE, FAR_PAST, iso

SUPERSEDES, CONTRADICTS = "SUPERSEDES", "CONTRADICTS"
ODDS = "evidence_odds"
"""Metadata: the factor that evidence has put on the odds of a memory's confidence."""
OPPOSED = "contradicted_by"
"""Metadata: ids of disputes that were opened by a relationship rather than by another value under the key."""


@dataclass(slots=True)
class Batch:
    """Grows draft by draft; `records` are as they will be, `found` as the store has them."""

    user_id: str
    ontology: Ontology
    now: datetime
    found: dict[str, MemoryRecord] = field(default_factory=dict)
    records: dict[str, MemoryRecord] = field(default_factory=dict)
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    initial: dict[str, tuple[Segment, ...]] = field(default_factory=dict)
    segments: dict[str, tuple[Segment, ...]] = field(default_factory=dict)
    read: dict[str, frozenset[str]] = field(default_factory=dict)
    stamps: dict[str, datetime] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    retracted: dict[str, datetime] = field(default_factory=dict)
    relationships: dict[str, Relationship] = field(default_factory=dict)
    closed: dict[str, datetime] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    reindex: set[str] = field(default_factory=set)
    archived: set[str] = field(default_factory=set)
    """Ids of claims that come in archived and stay so."""

    # ── what was read ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def know(self, memories: Iterable[MemoryRecord]) -> None:
        for memory in memories:
            self.found.setdefault(memory.id, memory)
            self.records.setdefault(memory.id, memory)

    def know_claims(self, keys: Iterable[str], memories: Sequence[MemoryRecord], statements: Sequence[Statement]) -> None:
        """Take in everything under these keys; rules are set when the first claim under a key is met."""
        self.know(memories)
        for key in keys:
            mine = tuple(one for one in statements if one.key == key)
            known = tuple(Known(one.id, one.value or "", one.valid_from) for one in memories if one.key == key)
            self.ledgers[key] = Ledger(Rules(functional=False), mine, known)
            self.read[key] = frozenset(one.id for one in mine if one.retracted_at is None)

    def govern(self, key: str, rules: Rules, type_: str) -> None:
        """Set the rules of a key and see how it stands, once."""
        if key in self.initial:
            return
        ledger = self.ledgers.get(key, Ledger(rules))
        self.ledgers[key] = Ledger(rules, ledger.statements, ledger.known)
        self.read.setdefault(key, frozenset())
        self.initial[key] = self.segments[key] = self.ledgers[key].segments(minter(self.user_id, type_, key))

    # ── deciding ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def tell(self, statement: Statement, type_: str, given_id: str | None = None) -> Decision:
        """Reconcile one statement under its governed key."""
        key, mint = statement.key, minter(self.user_id, type_, statement.key)

        def named(value: str, start: datetime | None, number: int) -> str:
            fresh = value == statement.value and start == statement.valid_from and number == 0
            return given_id if given_id and fresh and given_id not in self.records else mint(value, start, number)

        decision = reconcile(self.ledgers[key], statement, named, self.now, self.segments[key])
        if decision.kind in {"rejected", "ignored"}:
            return decision
        self.ledgers[key] = self.ledgers[key].plus(decision)
        self.segments[key] = decision.after
        self.statements.append(decision.statement)
        self.stamp(key, statement.recorded_at)
        return decision

    def retract(self, key: str, statement_ids: Iterable[str], type_: str) -> None:
        """Close statements and see how the key stands without them."""
        gone, ledger = set(statement_ids), self.ledgers[key]
        kept = tuple(replace(one, retracted_at=self.now) if one.id in gone else one for one in ledger.statements)
        self.retracted |= dict.fromkeys(sorted(gone), self.now)
        self.ledgers[key] = Ledger(ledger.rules, kept, ledger.known)
        self.segments[key] = self.ledgers[key].segments(minter(self.user_id, type_, key))
        self.stamp(key, self.now)

    def append(self, statement: Statement, type_: str) -> None:
        """Add a statement that is no news but a verdict or a repetition, and see how its key stands with it."""
        ledger = self.ledgers[statement.key]
        self.ledgers[statement.key] = Ledger(ledger.rules, (*ledger.statements, statement), ledger.known)
        self.statements.append(statement)
        self.retract(statement.key, (), type_)

    def segment(self, memory_id: str) -> Segment | None:
        """Find the span for which a memory stands under its key."""
        record = self.records[memory_id]
        return next((one for one in self.segments.get(record.key or "", ()) if one.memory_id == memory_id), None)

    def stamp(self, key: str, moment: datetime) -> None:
        self.stamps[key] = max(self.stamps.get(key, moment), moment)

    def statement_id(
        self, key: str, value: str, parts: Sequence[object], episode_id: str | None, recorded_at: datetime
    ) -> tuple[str, bool]:
        """Make its id, and say whether that is there already: from one episode a value is stated once, elsewhere each time."""
        have = {one.id for one in self.ledgers[key].statements}
        told = (episode_id,) if episode_id else (None, iso(recorded_at))
        number = 0
        while True:
            made = content_id("statement", self.user_id, key, value, *parts, *told, number)
            if made not in have or episode_id:
                return made, made in have
            number += 1

    # ── records ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def put(self, record: MemoryRecord, *, index: bool) -> None:
        self.records[record.id] = record
        if index:
            self.reindex.add(record.id)

    def relate(self, source_id: str, type_: str, target_id: str, properties: Mapping[str, Any], moment: datetime) -> Relationship:
        """Draw a relationship; a symmetric one has one id from both sides."""
        ends = sorted((source_id, target_id)) if self.ontology.relationships[type_].symmetric else [source_id, target_id]
        id_ = relationship_id(self.user_id, ends[0], type_, ends[1])
        made = Relationship(
            id=id_, user_id=self.user_id, source_id=ends[0], type=type_, target_id=ends[1], properties=dict(properties), recorded_at=moment
        )
        self.relationships[id_] = made
        self.closed.pop(id_, None)
        return made

    def unrelate(self, source_id: str, type_: str, target_id: str) -> str:
        ends = sorted((source_id, target_id)) if self.ontology.relationships[type_].symmetric else [source_id, target_id]
        id_ = relationship_id(self.user_id, ends[0], type_, ends[1])
        if self.relationships.pop(id_, None) is None or id_ in self.closed:
            self.closed[id_] = self.now
        return id_

    def settle(self) -> None:
        """Carry every touched timeline over to its records and relationships."""
        for key, after in self.segments.items():
            before = self.initial[key]
            if before != after or key in self.stamps:
                self._carry(key, before, after)

    def _carry(self, key: str, before: tuple[Segment, ...], after: tuple[Segment, ...]) -> None:
        earlier = {one.memory_id: one for one in before}
        for segment in after:
            if earlier.get(segment.memory_id) != segment:
                self._hold(self.records.get(segment.memory_id) or self._split(key, segment), segment)
        standing = {one.memory_id for one in after}
        for memory_id in dict.fromkeys(known.memory_id for known in self.ledgers[key].known):
            if memory_id not in standing and memory_id in self.records:
                self._drop(key, self.records[memory_id])
        moment = self.stamps.get(key, self.now)
        for newer, older in successions(before) - successions(after):
            self.unrelate(newer, SUPERSEDES, older)
        for newer, older in successions(after) - successions(before):
            self.relate(newer, SUPERSEDES, older, {}, moment)
        old, new = ({frozenset(pair): pair for pair in disputes(segments)} for segments in (before, after))
        for pair in old.keys() - new.keys():
            self.unrelate(*_ends(old[pair]))
        for pair in new.keys() - old.keys():
            self.dispute(*new[pair], moment)

    def _split(self, key: str, segment: Segment) -> MemoryRecord:
        """Give a value whose span was cut in two a second memory, told like the first."""
        model = next((one for one in self.records.values() if one.key == key and one.value == segment.value), None)
        if model is None:  # the store was read while another writer committed
            raise WriteConflict(f"the claims under {key} changed while they were read; try again")
        record = replace(model, id=segment.memory_id, recorded_at=self.stamps[key], superseded_at=None, reinforcements=0, access_count=0)
        self.put(record, index=True)
        return record

    def _hold(self, record: MemoryRecord, segment: Segment) -> None:
        state = "disputed" if record.metadata.get(OPPOSED) and segment.stored_state == "current" else segment.stored_state
        state = "archived" if record.id in self.archived else state
        self.records[record.id] = replace(
            record,
            stored_state=state,
            valid_from=segment.valid_from,
            valid_to=segment.valid_to,
            precision=segment.precision if segment.valid_from != record.valid_from else record.precision or segment.precision,
            confidence=weighed(segment.confidence, record.metadata.get(ODDS, 1.0)),
        )

    def _drop(self, key: str, record: MemoryRecord) -> None:
        """No segment of its own: merged into another memory of its value, or never true."""
        start, end = record.valid_from or FAR_PAST, record.valid_to or FAR_FUTURE
        alive = [one for one in self.ledgers[key].statements if one.retracted_at is None and one.value == record.value and one.act != "end"]
        standing = {i for segment in self.segments[key] for i in segment.statements}
        merged = any(one.id in standing and (start <= one.valid_from <= end or one.memory_id == record.id) for one in alive)
        if merged:
            self.records[record.id] = replace(record, stored_state="superseded", valid_to=record.valid_from)
        elif record.stored_state != "invalid":
            self.records[record.id] = replace(record, stored_state="invalid")

    def dispute(self, one: str, other: str, moment: datetime) -> Relationship:
        """Draw an undecided CONTRADICTS with its question, the older side named first."""
        arrival = {id_: number for number, id_ in enumerate(self.records)}
        sides = sorted(
            (self.records[one], self.records[other]),
            key=lambda side: (side.valid_from or FAR_PAST, side.recorded_at or self.now, arrival[side.id]),
        )
        return self.relate(one, CONTRADICTS, other, {"question": ask(self.ontology, sides), "decided": False}, moment)

    # ── the change set ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> list[MemoryRecord]:
        """Finish the records that differ from the store's."""
        self.records = {id_: one if one is self.found.get(id_) else self._finished(one) for id_, one in self.records.items()}
        return [record for id_, record in self.records.items() if record != self.found.get(id_)]

    def _finished(self, record: MemoryRecord) -> MemoryRecord:
        over = (record.superseded_at or self.stamps.get(record.key or "", self.now)) if record.stored_state == "superseded" else None
        state = state_at(record.stored_state, record.valid_from, record.valid_to, self.now)
        same = record.superseded_at == over and record.state == state
        return record if same else replace(record, superseded_at=over, state=state)

    def change_set(self, records: Sequence[MemoryRecord], passages: Sequence[Passage]) -> ChangeSet:
        return ChangeSet(
            user_id=self.user_id,
            now=self.now,
            memories=tuple(records),
            reindex=frozenset(self.reindex),
            passages=tuple(passages),
            beliefs=tuple(self._belief(record) for record in records if self._believed_otherwise(record)),
            statements=tuple(self.statements),
            retracted=self.retracted,
            entities=tuple(self.entities.values()),
            relationships=tuple(self.relationships.values()),
            closed=self.closed,
            read=self.read,
        )

    def _believed_otherwise(self, record: MemoryRecord) -> bool:
        old = self.found.get(record.id)
        return old is None or _belief_of(old) != _belief_of(record)

    def _belief(self, record: MemoryRecord) -> Belief:
        moment = self.stamps.get(record.key or "", self.now) if record.id in self.found else record.recorded_at or self.now
        text, properties, stored_state, valid_from, valid_to, precision, confidence = _belief_of(record)
        return Belief(
            memory_id=record.id,
            user_id=self.user_id,
            text=text,
            properties=properties,
            stored_state=stored_state,
            valid_from=valid_from,
            valid_to=valid_to,
            precision=precision,
            confidence=confidence,
            recorded_at=max(moment, record.recorded_at or moment),
        )


def _belief_of(record: MemoryRecord) -> tuple[Any, ...]:
    return (record.text, record.properties, record.stored_state, record.valid_from, record.valid_to, record.precision, record.confidence)


def _ends(pair: tuple[str, str]) -> tuple[str, str, str]:
    return pair[0], CONTRADICTS, pair[1]


def weighed(confidence: float, odds: float) -> float:
    """Confidence after evidence: its odds times the factor that the evidence has put on them."""
    if odds == 1.0 or confidence in {0.0, 1.0}:
        return confidence
    moved = confidence / (1 - confidence) * odds
    return round(moved / (1 + moved), 4)
