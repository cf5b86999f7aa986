"""Changing what is believed: corrections, status, retractions, disputes and their undoing, relationships, entities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from graphmem.core.identity import content_id
from graphmem.core.tasks import refusal
from graphmem.errors import InvalidInput, InvalidSlot, NotFound
from graphmem.model import (
    NOTHING,
    Conflict,
    Draft,
    EntityRef,
    Ignored,
    MemoryRecord,
    Mention,
    Outcome,
    Rejected,
    Relationship,
    Statement,
    Superseded,
    Version,
)
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Store
from graphmem.revision_disputes import conflicts, resolve
from graphmem.revision_entities import merge_entities, split_entity
from graphmem.revision_history import history
from graphmem.revision_undo import restore, retract
from graphmem.writing import Writer
from graphmem.writing_batch import CONTRADICTS, ODDS, OPPOSED, SUPERSEDES, Batch, weighed
from graphmem.writing_links import checked, connect, refuse_cycles, supersede, uncontradict

Keep = Literal["new", "old", "both", "neither"]


@dataclass(frozen=True, slots=True)
class Reviser:
    """The verbs that change memories which are there; every one of them is one change set."""

    store: Store
    writer: Writer
    ontology: Ontology
    clock: Clock

    # ── one memory ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def correct(self, user_id: str, memory_id: str, *, text: str | None = None, slots: Mapping[str, Any] = NOTHING) -> Outcome:
        """Replace a claim that never was true by what is, or change what claims nothing in place; the old version stays in history."""
        batch = await self.writer.opened(user_id, [memory_id])
        old = batch.records[memory_id]
        if old.type == "Episode":
            raise InvalidInput("an episode is kept as it was said; correct what was learned from it, or forget it")
        if text is None and not slots:
            raise InvalidInput("nothing to correct: give a text or slots")
        found = self.ontology.normalise(old.type, {**old.properties, **slots}, self.writer.preparer.zone)
        claims = old.key is not None and old.value is not None and self.ontology.claim_kind(old.type) is not None
        if claims and self._says_otherwise(old, found.properties):
            caption = self.ontology.caption(old.type, found.properties)
            draft = self._draft(old, text or caption, {**old.properties, **slots})
            return await self.writer.correct(user_id, memory_id, draft)
        if (refused := self._refusal(old, found.properties.get("status"), None)) is not None:
            return refused
        plain = text or (self.ontology.caption(old.type, found.properties) if claims else "") or old.text
        return await self._renewed(user_id, memory_id, {"text": plain, "properties": found.properties}, "corrected")

    def _says_otherwise(self, old: MemoryRecord, properties: Mapping[str, Any]) -> bool:
        names = self.ontology
        before, after = (
            (names.claim_terms(old.type, slots), names.canonical_value(old.type, slots), slots.get("subject"))
            for slots in (old.properties, properties)
        )
        return before != after

    def _draft(self, old: MemoryRecord, text: str, properties: Mapping[str, Any]) -> Draft:
        return Draft(
            type=old.type,
            text=text,
            properties=properties,
            act="correct",
            valid_from=old.valid_from,
            precision=old.precision,
            source="user",
            importance=old.importance,
            mentions=tuple(Mention(ref.name, None, ref.role) for ref in old.refs if ref.role not in {"subject", "object"}),
            keywords=old.keywords,
            location=old.location,
            session_id=old.session_id,
            task_id=old.task_id,
            agent_id=old.agent_id,
            pinned=old.pinned,
            metadata={name: value for name, value in old.metadata.items() if name not in {ODDS, OPPOSED, "originals", "evidence"}},
        )

    async def set_status(self, user_id: str, memory_id: str, status: str, *, reason: str | None = None) -> Outcome:
        """Move a task along its state machine; what is not allowed comes back as Rejected with what would be."""
        batch = await self.writer.opened(user_id, [memory_id])
        old = batch.records[memory_id]
        slot = self.ontology.type(old.type).slots.get("status")
        if slot is None:
            raise InvalidSlot(old.type, "status", "is no slot of this type")
        new = str(self.ontology.normalise_value(slot, status))
        if old.properties.get("status") == new:
            return Ignored(old, f"its status is {new} already")
        if (refused := self._refusal(old, new, reason)) is not None:
            return refused
        changes = {"properties": {**old.properties, "status": new}, "reason": reason or old.reason}
        return await self._renewed(user_id, memory_id, changes, f"status {old.properties.get('status')} → {new}")

    def _refusal(self, old: MemoryRecord, status: str | None, reason: str | None) -> Rejected | None:
        before = old.properties.get("status")
        if status is None or status == before:
            return None
        why = refusal(self.ontology, old.type, before, status, reason)
        return None if why is None else Rejected(why)

    async def _renewed(self, user_id: str, memory_id: str, changes: Mapping[str, Any], why: str) -> Outcome:
        """Write a new belief under the same id."""

        async def attempt() -> Outcome:
            batch = await self.writer.opened(user_id, [memory_id])
            old = batch.records[memory_id]
            batch.put(replace(old, **changes), index=old.stored_state != "archived")
            await self.writer.commit(batch)
            return Superseded(batch.records[memory_id], (old,), why)

        return await self.writer.retrying(attempt)

    async def retract(self, user_id: str, memory_id: str, reason: str) -> Outcome:
        return await self.writer.retrying(lambda: retract(self.store, self.writer, user_id, memory_id, reason))

    async def restore(self, user_id: str, memory_id: str) -> Outcome:
        """Undo an archive, a retraction, a correction, or (by the conflict's id) a resolution."""
        return await self.writer.retrying(lambda: restore(self.store, self.writer, user_id, memory_id))

    # ── disputes and history ────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def conflicts(self, user_id: str) -> list[Conflict]:
        return await conflicts(self.store, self.ontology, user_id, self.clock.now())

    async def resolve(self, user_id: str, conflict_id: str, keep: Keep = "new", reason: str = "") -> Outcome:
        if keep not in {"new", "old", "both", "neither"}:
            raise InvalidInput(f"keep={keep!r}; allowed: new, old, both, neither")
        found = next((one for one in await self.conflicts(user_id) if one.id == conflict_id), None)
        if found is None:
            raise NotFound("conflict", conflict_id)
        return await self.writer.retrying(lambda: resolve(self.store, self.writer, user_id, found, (keep, reason)))

    async def history(
        self, user_id: str, memory_id: str | None = None, *, subject: str | None = None, relation: str | None = None
    ) -> list[Version]:
        """Every version of a memory and of the others under its key, or of everything said about a subject (and relation)."""
        return await history(self.store, self.ontology, user_id, (memory_id, subject, relation), self.clock.now())

    # ── relationships ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def link(
        self, user_id: str, source_id: str, relationship: str, target_id: str, properties: Mapping[str, Any] = NOTHING
    ) -> Relationship | None:
        """Draw a relationship and let it act; one that leads to an entity (`about`) names it and draws none between memories."""
        known = self.ontology.relationship(relationship)
        if known.entity:
            await self._refer(user_id, source_id, known.name, target_id)
            return None

        async def attempt() -> Relationship:
            batch = await self.writer.opened(user_id, [source_id, target_id])
            source, target = batch.records[source_id], batch.records[target_id]
            why = checked(self.ontology, known.name, source.type, target.type)
            if why is not None or source_id == target_id:
                raise InvalidInput(why or f"{known.name} joins two memories, not one with itself")
            await refuse_cycles(self.store, batch, {known.name: [(source_id, target_id)]})
            if known.acts == "supersede":
                supersede(batch, [target_id], _saying(batch, source))
            drawn = connect(batch, (source_id, target_id), known.name, properties, batch.now)
            await self.writer.commit(batch)
            return drawn

        return await self.writer.retrying(attempt)

    async def _refer(self, user_id: str, source_id: str, role: str, name: str) -> None:
        entity, changed = await self.writer.entity_for(user_id, name)
        batch = await self.writer.opened(user_id, [source_id])
        old = batch.records[source_id]
        ref = EntityRef(entity.id, entity.name, role.lower())  # type: ignore[arg-type]  # the four entity relationships are the roles
        batch.entities |= {one.id: one for one in changed}
        batch.put(replace(old, refs=tuple(dict.fromkeys((*old.refs, ref)))), index=False)
        await self.writer.commit(batch)

    async def unlink(self, user_id: str, source_id: str, relationship: str, target_id: str) -> None:
        """Close a relationship and take back what it did; NotFound where there is none."""
        known = self.ontology.relationship(relationship)

        async def attempt() -> None:
            batch = await self.writer.opened(user_id, [source_id, target_id])
            hops = await self.store.relationships(user_id, [source_id], [known.name], limit=100_000)
            ends = {(source_id, target_id), *([(target_id, source_id)] if known.symmetric else [])}
            drawn = next((h.relationship for h in hops if (h.relationship.source_id, h.relationship.target_id) in ends), None)
            if drawn is None:
                raise NotFound("relationship", f"{source_id} {known.name} {target_id}")
            self._take_back(batch, drawn, target_id)
            batch.closed[drawn.id] = batch.now
            await self.writer.commit(batch)

        await self.writer.retrying(attempt)

    def _take_back(self, batch: Batch, drawn: Relationship, target_id: str) -> None:
        source, target = batch.records[drawn.source_id], batch.records[target_id]
        if drawn.type == SUPERSEDES:
            _reopen(batch, target, _saying(batch, source).id)
        if drawn.type == CONTRADICTS:
            for side in (drawn.source_id, drawn.target_id):
                uncontradict(batch, side, drawn.id)
        if evidence := self.ontology.relationship(drawn.type).evidence:
            record, speaker = batch.records[target_id], batch.records[drawn.source_id if drawn.source_id != target_id else drawn.target_id]
            factor = (1 + speaker.confidence) ** -evidence
            odds = round(record.metadata.get(ODDS, 1.0) * factor, 6)
            batch.put(replace(record, metadata={**record.metadata, ODDS: odds}, confidence=weighed(record.confidence, factor)), index=False)

    # ── entities ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def merge_entities(self, user_id: str, a: str, b: str) -> None:
        """Make two entities (ids or names) one: b becomes an alias of a, and their claims are reconciled."""
        await self.writer.retrying(lambda: merge_entities(self.store, self.writer, user_id, (a, b)))

    async def split_entity(self, user_id: str, a: str) -> None:
        """Undo the last merge into this entity."""
        await self.writer.retrying(lambda: split_entity(self.store, self.writer, user_id, a))


def _saying(batch: Batch, source: MemoryRecord) -> Statement:
    """Find the statement in whose name a memory supersedes: its own first one, or one that only stands for it."""
    segment = batch.segment(source.id)
    if segment is not None:
        first = next(one for one in batch.ledgers[source.key or ""].statements if one.id == segment.statements[0])
        return replace(first, recorded_at=batch.now)
    return Statement(
        id=content_id("link", batch.user_id, source.id),
        user_id=batch.user_id,
        key="",
        value="",
        memory_id=source.id,
        valid_from=source.valid_from or batch.now,
        source=source.source,
        confidence=source.confidence,
        recorded_at=batch.now,
    )


def _reopen(batch: Batch, target: MemoryRecord, by: str) -> None:
    """Take back an end that was drawn from a relationship."""
    if target.key in batch.ledgers:
        ends = [one.id for one in batch.ledgers[target.key].statements if one.properties.get("by") == by and one.retracted_at is None]
        batch.retract(target.key, ends, target.type)
    else:
        batch.put(replace(target, stored_state="current", valid_to=None), index=False)
