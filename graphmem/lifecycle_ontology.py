"""Carrying a store over to another ontology: every memory is read anew under it, what does not fit is counted, and nothing is half done."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.core.claims import Claim, claim_of, minter
from graphmem.core.reconciliation import Ledger
from graphmem.errors import InvalidInput, OntologyError
from graphmem.model import STATES, Entity, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.ports import Selection, Store, StoreInfo
from graphmem.revision_entities import _restate as restate
from graphmem.text import fold_name
from graphmem.writing import Writer
from graphmem.writing_batch import Batch

PAGE = 256


@dataclass(slots=True)
class Upgrade:
    """What an upgrade does, or would do: memories read, rewritten, given another claim key; and why some do not fit, with their number."""

    before: str | None
    after: str
    dry_run: bool
    read: int = 0
    rewritten: int = 0
    rekeyed: int = 0
    refused: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Upgrader:
    """Works with a writer that follows the new ontology on a store that follows another."""

    store: Store
    writer: Writer

    @property
    def ontology(self) -> Ontology:
        return self.writer.ontology

    async def upgrade(self, info: StoreInfo, *, dry_run: bool = False) -> Upgrade:
        """Check everything first; only then rewrite, page by page, and restamp the store last, so that a killed upgrade is begun again."""
        report = Upgrade(info.ontology, self.ontology.stamp, dry_run)
        async for _, page in self._pages():
            for memory in page:
                self._judge(memory, report)
        if report.refused and not dry_run:
            worst = "; ".join(f"{count} × {why}" for why, count in report.refused.most_common(5))
            raise InvalidInput(f"{report.refused.total()} memories do not fit {self.ontology.stamp}: {worst}; nothing was changed")
        if dry_run:
            return report
        async for user_id, page in self._pages():
            await self.writer.retrying(lambda: self._carry(user_id, page))  # noqa: B023 — awaited before the next page
        await self.store.describe(ontology=self.ontology.stamp, embedding=info.embedding, dimensions=info.dimensions)
        return report

    def _judge(self, memory: MemoryRecord, report: Upgrade) -> None:
        report.read += 1
        try:
            after = self._anew(memory)
        except OntologyError as error:
            report.refused[f"{memory.type}: {error}"] += 1
            return
        report.rewritten += (after.type, after.properties) != (memory.type, memory.properties)
        report.rekeyed += (after.key, after.value) != (memory.key, memory.value)

    def _anew(self, memory: MemoryRecord) -> MemoryRecord:
        """The memory as the new ontology reads it; raises OntologyError where it cannot."""
        found = self.ontology.normalise(memory.type, self.ontology.to_json(memory.properties))
        properties = (
            found.properties if self.ontology.to_json(found.properties) != self.ontology.to_json(memory.properties) else memory.properties
        )
        fresh = replace(memory, type=found.type, properties=properties)
        claim = self._claim(fresh)
        return fresh if claim is None else replace(fresh, key=claim.key, value=claim.value)

    def _claim(self, memory: MemoryRecord) -> Claim | None:
        if self.ontology.claim_kind(memory.type) is None or memory.value is None:
            return None
        known = {fold_name(ref.name): ref.id for ref in memory.refs}
        subject = next((ref.id for ref in memory.refs if ref.role == "subject"), None)

        def entity(name: str) -> Entity:
            is_subject = fold_name(name) == fold_name(str(memory.properties.get("subject")))
            id_ = (subject if is_subject else None) or known.get(fold_name(name)) or fold_name(name)
            return Entity(id=id_, user_id=memory.user_id, name=name)

        return claim_of(self.ontology, memory.type, memory.properties, entity)

    async def _carry(self, user_id: str, page: Sequence[MemoryRecord]) -> None:
        """One page: representation rewritten, claims under their new keys, and each key judged by the rules that it has now."""
        fresh = {memory.id: self._anew(memory) for memory in page}
        batch = await self.writer.opened(user_id, list(fresh))
        await self.writer.open_keys(batch, [one.key for one in fresh.values() if one.key is not None and one.value is not None])
        for key in list(batch.initial):
            _as_stored(batch, key)
        for one in fresh.values():
            old = batch.records[one.id]
            batch.put(
                replace(old, type=one.type, properties=one.properties, key=one.key, value=one.value), index=one.properties != old.properties
            )
            if (one.key, one.value) != (old.key, old.value) and old.key in batch.ledgers and one.key is not None:
                claim = self._claim(one)
                if claim is not None:
                    batch.govern(one.key, claim.rules, one.type)
                restate(batch, old, one.key, one.value)
        await self.writer.commit(batch)

    async def _pages(self) -> AsyncIterator[tuple[str, list[MemoryRecord]]]:
        users, more = await self.store.users()
        while True:
            for user_id in users:
                after: str | None = None
                while True:
                    selection = Selection(at=self.writer.clock.now(), states=frozenset(STATES))
                    page, after = await self.store.select(user_id, selection, order="id", limit=PAGE, after=after)
                    yield user_id, page
                    if after is None:
                        break
            if more is None:
                return
            users, more = await self.store.users(after=more)


def _as_stored(batch: Batch, key: str) -> None:
    """Take as the state before the change what the records show, where that follows from one value or from many at a time."""
    ledger, type_ = batch.ledgers[key], next((one.type for one in batch.records.values() if one.key == key), "Fact")
    for functional in (True, False):
        segments = Ledger(replace(ledger.rules, functional=functional), ledger.statements, ledger.known).segments(
            minter(batch.user_id, type_, key)
        )
        if all(one.memory_id in batch.found and batch.found[one.memory_id].stored_state == one.stored_state for one in segments):
            batch.initial[key] = segments
            return


def as_json(report: Upgrade) -> Mapping[str, object]:
    return {
        "before": report.before,
        "after": report.after,
        "dry_run": report.dry_run,
        "read": report.read,
        "rewritten": report.rewritten,
        "rekeyed": report.rekeyed,
        "refused": dict(report.refused),
    }
