"""The one way in: drafts → resolved, reconciled, indexed, committed in one change set and one transaction."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from datetime import tzinfo
from typing import Any, TypeVar

import anyio
import numpy as np

from graphmem.core.claims import Claim, claim_of, task_key
from graphmem.core.late import Packing
from graphmem.core.resolution import Resolution, Wanted, namesakes, resolve
from graphmem.core.sanitising import check_scope
from graphmem.errors import CycleRefused, InvalidInput, NotFound, WriteConflict
from graphmem.filters import And, Compare
from graphmem.model import Draft, Entity, Ignored, MemoryRecord, Outcome, Policy, Rejected
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Embedder, Passage, Selection, Store, Vector
from graphmem.text import fold, fold_name
from graphmem.writing_batch import SUPERSEDES, Batch
from graphmem.writing_decide import Decider, Fate
from graphmem.writing_index import Indexer
from graphmem.writing_links import checked, connect, oppose, refuse_cycles
from graphmem.writing_people import told_apart
from graphmem.writing_prepare import EPISODE, Prepared, Preparer, prepare_all

T = TypeVar("T")
ATTEMPTS = 40
"""Tries before a WriteConflict reaches the caller: with eight writers on one key each waits for seven others at most, several times."""
NAMERS = frozenset({"nickname"})
"""Relations whose object is a further name of their subject."""
NEARBY = 40
"""Episodes of a session that are looked through for the bearer of a part of a name."""


class Writer:
    """Writes for any scope; everything that changes what is believed goes through it."""

    def __init__(
        self,
        store: Store,
        ontology: Ontology,
        embedder: Embedder | None,
        clock: Clock,
        *,
        zone: tzinfo | None = None,
        token_vectors: Packing = "int8",  # noqa: S107 — vectors of word pieces, not a secret
        default_policy: Policy | None = None,
        min_confidence: float = 0.5,
    ) -> None:
        self.store, self.ontology, self.clock = store, ontology, clock
        self.preparer = Preparer(ontology, zone, min_confidence)
        self.indexer = Indexer(ontology, embedder, token_vectors)
        self.policy: Policy = default_policy or "latest"

    async def write(self, user_id: str, drafts: Sequence[Draft], *, policy: Policy | None = None) -> list[Outcome]:
        """Store what can be stored and say Rejected, with the reason, of the rest; one outcome a draft, in order."""
        prepared = prepare_all(self.preparer, drafts, self.clock.now())
        while True:
            try:
                return await self._committed(user_id, prepared, policy)
            except _Refused as refused:
                prepared[refused.number] = Rejected(str(refused.error), drafts[refused.number])

    async def write_strict(self, user_id: str, drafts: Sequence[Draft], *, policy: Policy | None = None) -> list[Outcome]:
        """Raise for the first draft that cannot be stored, before anything is written."""
        now = self.clock.now()
        prepared: list[Prepared | Rejected] = [self.preparer.prepare(draft, now, len(drafts)) for draft in drafts]
        try:
            return await self._committed(user_id, prepared, policy)
        except _Refused as refused:
            raise refused.error from refused

    async def index(self, records: Sequence[MemoryRecord]) -> list[Passage]:
        """Make what of these memories is indexed."""
        return await self.indexer.passages(records)

    async def commit(self, batch: Batch, vectors: dict[str, Vector] | None = None) -> list[MemoryRecord]:
        """Carry a decided batch over to its records, index them and commit; returns the changed records."""
        batch.settle()
        records = batch.changed()
        if not records and not batch.relationships and not batch.closed and not batch.statements and not batch.retracted:
            return records
        hot = [record for record in records if record.id in batch.reindex and record.stored_state != "archived"]
        await self.store.commit(batch.change_set(records, await self.indexer.passages(hot, vectors)))
        return records

    async def opened(self, user_id: str, ids: Sequence[str]) -> Batch:
        """Begin a change of these memories: they, and everything under their claim keys, are read; raises NotFound."""
        batch = Batch(check_scope(user_id), self.ontology, self.clock.now())
        batch.know(await self.store.memories(user_id, list(dict.fromkeys(ids))))
        if missing := [one for one in ids if one not in batch.records]:
            raise NotFound("memory", missing[0])
        await self.open_keys(batch, [memory.key for memory in batch.records.values() if memory.key and memory.value is not None])
        return batch

    async def open_keys(self, batch: Batch, keys: Iterable[str]) -> None:
        """Read everything under these claim keys into the batch."""
        if wanted := [key for key in dict.fromkeys(keys) if key not in batch.ledgers]:
            batch.know_claims(wanted, *await self.store.claims(batch.user_id, wanted))
            self._govern_found(batch)

    async def entity_for(self, user_id: str, name: str) -> tuple[Entity, tuple[Entity, ...]]:
        """Resolve one name outside a draft; also what has to be written for it."""
        if given := await self.store.entities_by_id(user_id, [name]):
            return given[0], ()
        known = await self.store.entities(user_id, [fold_name(name)])
        resolution = resolve(user_id, [Wanted(name)], known, {})
        return resolution.of(name), resolution.changed

    async def retrying(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Do it again, from its reads on, while another writer gets in between."""
        for number in range(ATTEMPTS - 1):
            try:
                return await attempt()
            except WriteConflict:
                await anyio.sleep(random.uniform(0, min(0.25, 0.002 * 2**number)))  # noqa: S311 — jitter, not a secret
        return await attempt()

    async def correct(self, user_id: str, memory_id: str, draft: Draft) -> Outcome:
        """Put a claim in the place of a stored one that never was true."""
        prepared = [self.preparer.prepare(draft, self.clock.now(), 1)]

        async def attempt() -> Outcome:
            decider = await self._decided(user_id, prepared, None, memory_id)
            await self.commit(decider.batch)
            return decider.outcomes()[0]

        return await self.retrying(attempt)

    async def conclude(self, user_id: str, draft: Draft, premises: Sequence[str]) -> Outcome:
        """Write what follows from stored memories, with SUPPORTS from each; its confidence is the draft's, already weighed."""
        prepared = [self.preparer.prepare(draft, self.clock.now(), 1)]

        async def attempt() -> Outcome:
            decider = await self._decided(user_id, prepared, None)
            outcome = decider.outcomes()[0]
            if outcome.memory is not None:
                for premise in premises:
                    decider.batch.relate(premise, "SUPPORTS", outcome.memory.id, {}, decider.batch.now)
            await self.commit(decider.batch)
            return decider.outcomes()[0]

        return await self.retrying(attempt)

    # ── one attempt ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _committed(self, user_id: str, prepared: Sequence[Prepared | Rejected], policy: Policy | None) -> list[Outcome]:
        check_scope(user_id)
        given = {
            one.draft.id: np.asarray(one.draft.vector, dtype=np.float32)
            for one in prepared
            if isinstance(one, Prepared) and one.draft.vector is not None and one.draft.id is not None
        }

        async def attempt() -> list[Outcome]:
            decider = await self._decided(user_id, prepared, policy)
            await self.commit(decider.batch, given)
            return decider.outcomes()

        return await self.retrying(attempt)

    async def _decided(
        self, user_id: str, prepared: Sequence[Prepared | Rejected], policy: Policy | None, wrong: str | None = None
    ) -> Decider:
        """`wrong` is the id of the memory that a single draft corrects."""
        batch = await self.opened(user_id, [wrong] if wrong else [])
        await self._read_ids(batch, prepared)
        resolution = await self._resolved(batch, prepared)
        claims = [None if isinstance(one, Rejected) else self._claim(one, resolution) for one in prepared]
        await self._read_claims(batch, prepared, claims, resolution)
        if (apart := await told_apart(self.store, batch, prepared, claims, resolution)) is not None:
            resolution = apart
            batch.entities |= {one.id: one for one in apart.changed}
            claims = [None if isinstance(one, Rejected) else self._claim(one, resolution) for one in prepared]
            await self._read_claims(batch, prepared, claims, resolution)
        tasks = await self._open_tasks(batch, prepared)
        decider = Decider(batch, prepared, claims, resolution, policy, self.policy, tasks, wrong)
        decider.episodes.update(_sources(batch, prepared))
        decider.decide()
        await self._connect(decider)
        return decider

    async def _read_ids(self, batch: Batch, prepared: Sequence[Prepared | Rejected]) -> None:
        """Everything that drafts name by id; a target that does not exist refuses its draft."""
        ready = [(number, one) for number, one in enumerate(prepared) if isinstance(one, Prepared)]
        given = {one.draft.id: one.type for _, one in ready if one.draft.id is not None}
        targets = {link.target_id for _, one in ready for link in one.links if link.target_id is not None}
        wanted = list(dict.fromkeys([*given, *(target for target in targets if target not in given)]))
        if wanted:
            batch.know(await self.store.memories(batch.user_id, wanted))
        types = given | {id_: memory.type for id_, memory in batch.found.items()}
        for number, one in ready:
            for link in one.links:
                there = prepared[link.target_index] if link.target_index is not None else None
                target = there.type if isinstance(there, Prepared) else types.get(link.target_id or "")
                if target is None and link.target_id is not None:
                    raise _Refused(number, NotFound("memory", link.target_id))
                if target is not None and (why := checked(self.ontology, link.type, one.type, target)) is not None:
                    raise _Refused(number, InvalidInput(why))

    async def _resolved(self, batch: Batch, prepared: Sequence[Prepared | Rejected]) -> Resolution:
        ready = [one for one in prepared if isinstance(one, Prepared)]
        wanted = [Wanted(mention.name, mention.kind) for one in ready for mention in one.names]
        aliases = {
            str(one.properties["object"]): str(one.properties["subject"])
            for one in ready
            if one.properties.get("relation") in NAMERS and one.draft.act == "state"
        }
        names = dict.fromkeys(fold_name(name) for name in (*(one.name for one in wanted), *aliases, *aliases.values()))
        if not names:
            return Resolution({}, ())
        known = await self.store.entities(batch.user_id, list(names))
        have = {fold_name(name) for one in known for name in (one.name, *one.aliases)}
        people = [one for one in wanted if one.kind == "Person" and fold_name(one.name) not in have] or namesakes(known)
        nearby = await self._nearby(batch, {one.draft.session_id for one in ready if one.draft.session_id}) if people else []
        resolution = resolve(batch.user_id, wanted, known, aliases, nearby)
        batch.entities |= {one.id: one for one in resolution.changed}
        return resolution

    async def _nearby(self, batch: Batch, sessions: Iterable[str]) -> list[Entity]:
        """People that the sessions speak of."""
        found: list[Entity] = []
        for session_id in sorted(sessions):
            where = Compare("session_id", "$eq", session_id)
            page, _ = await self.store.select(batch.user_id, Selection(at=batch.now, where=where), limit=NEARBY)
            ids = list(dict.fromkeys(ref.id for memory in page for ref in memory.refs))
            found += await self.store.entities_by_id(batch.user_id, ids) if ids else []
        return list({one.id: one for one in found}.values())

    def _claim(self, one: Prepared, resolution: Resolution) -> Claim | None:
        return None if one.type == EPISODE else claim_of(self.ontology, one.type, one.properties, resolution.of)

    async def _read_claims(
        self, batch: Batch, prepared: Sequence[Prepared | Rejected], claims: Sequence[Claim | None], resolution: Resolution
    ) -> None:
        """Every key that this write decides under, in one read, and what predicates oppose."""
        keys: dict[str, None] = {}
        subjects: dict[str, None] = {}
        for one, claim in zip(prepared, claims, strict=True):
            if isinstance(one, Rejected) or one.type == EPISODE:
                continue
            keys |= dict.fromkeys(self._keys(one, claim, resolution))
            superseded = (batch.records.get(link.target_id or "") for link in one.links if link.type == SUPERSEDES)
            keys |= dict.fromkeys(old.key for old in superseded if old is not None and old.key is not None)
            if claim is not None and claim.opposed_by:
                subjects[resolution.of(str(one.properties["subject"])).id] = None
        if keys:
            await self.open_keys(batch, keys)
        if subjects:
            where = Compare("type", "$in", ["Fact", "Preference"])
            ids = await self.store.about(batch.user_id, list(subjects), Selection(at=batch.now, where=where), 300)
            batch.know(await self.store.memories(batch.user_id, ids))

    def _govern_found(self, batch: Batch) -> None:
        """Give each key that was read the rules of the claims that stand under it."""
        for memory in list(batch.records.values()):
            if memory.key in batch.ledgers and memory.key not in batch.initial and self.ontology.claim_kind(memory.type) is not None:
                claim = self.claim_of_record(memory)
                if claim is not None:
                    batch.govern(memory.key, claim.rules, memory.type)

    def claim_of_record(self, memory: MemoryRecord) -> Claim | None:
        """Read a stored memory's claim; its own key and value stand, only the rules are of interest."""
        return claim_of(
            self.ontology, memory.type, memory.properties, lambda name: Entity(id=fold_name(name), user_id=memory.user_id, name=name)
        )

    def _keys(self, one: Prepared, claim: Claim | None, resolution: Resolution) -> Iterator[str]:
        if claim is not None:
            yield claim.key
            if claim.mirrored is not None:
                yield claim.mirrored.key
            return
        kind = self.ontology.type(one.type)
        if kind.keyed:
            yield task_key(one.type, one.text, [resolution.of(mention.name).id for mention in one.names if mention.role != "mentions"])
        elif not kind.decays:
            yield f"{one.type}|{fold(one.text)}"

    async def _open_tasks(self, batch: Batch, prepared: Sequence[Prepared | Rejected]) -> list[str]:
        """Find what an update or a hint may speak of, newest first."""
        if not any(isinstance(one, Prepared) and (one.draft.update or one.draft.hint) for one in prepared):
            return []
        keyed = [kind for kind in self.ontology.types.values() if kind.keyed]
        found: list[MemoryRecord] = []
        for kinds in ([kind for kind in keyed if kind.open_status], [kind for kind in keyed if not kind.open_status]):
            parts = [Compare("type", "$in", [kind.name for kind in kinds])]
            if status := sorted({value for kind in kinds for value in kind.open_status}):
                parts.append(Compare("status", "$in", status))
            page, _ = await self.store.select(batch.user_id, Selection(at=batch.now, where=And(tuple(parts))), limit=200)
            found += page
        batch.know(found)
        return [memory.id for memory in found]

    async def _connect(self, decider: Decider) -> None:
        """Draw what the drafts ask for, then what predicates oppose; cycles refuse their draft."""
        batch, edges = decider.batch, dict[str, list[tuple[str, str]]]()
        for number, (one, fate) in enumerate(zip(decider.prepared, decider.fates, strict=True)):
            if not isinstance(one, Prepared) or not isinstance(fate, Fate) or fate.kind is Ignored:
                continue
            drawn = [(link, target) for link in one.links if (target := decider.target(link)) is not None and target != fate.memory_id]
            for link, target in drawn:
                edges.setdefault(link.type, []).append((fate.memory_id, target))
                connect(batch, (fate.memory_id, target), link.type, link.properties, one.recorded_at)
            if (claim := decider.claims[number]) is not None and claim.opposed_by:
                oppose(batch, fate.memory_id, one.recorded_at)
        try:
            await refuse_cycles(self.store, batch, edges)
        except CycleRefused as error:
            raise _Refused(_culprit(decider, error), error) from error


class _Refused(Exception):  # noqa: N818 — never leaves this module
    """One draft cannot be stored."""

    def __init__(self, number: int, error: Any) -> None:
        super().__init__(str(error))
        self.number, self.error = number, error


def _culprit(decider: Decider, error: CycleRefused) -> int:
    """Find the last draft whose relationship is on the path."""
    on_path = set(zip(error.path, error.path[1:], strict=False))
    found = [
        number
        for number, (one, fate) in enumerate(zip(decider.prepared, decider.fates, strict=True))
        if isinstance(one, Prepared) and isinstance(fate, Fate)
        for link in one.links
        if link.type == error.relationship and (fate.memory_id, decider.target(link)) in on_path
    ]
    return found[-1]


def _sources(batch: Batch, prepared: Sequence[Prepared | Rejected]) -> dict[int, str]:
    """For each draft the episode that it was learned from."""
    found: dict[int, str] = {}
    for number, one in enumerate(prepared):
        for link in one.links if isinstance(one, Prepared) else ():
            there = prepared[link.target_index] if link.target_index is not None else None
            id_ = there.draft.id if isinstance(there, Prepared) else link.target_id
            episode = isinstance(there, Prepared) and there.type == EPISODE
            if link.type == "DERIVED_FROM" and id_ and (episode or (id_ in batch.found and batch.found[id_].type == EPISODE)):
                found[number] = id_
    return found
