"""Two people of one name: told apart by what cannot change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.core.claims import Claim
from graphmem.core.resolution import Resolution, entity_id
from graphmem.model import Entity, MemoryRecord, Rejected
from graphmem.ports import Store
from graphmem.temporal import Interval
from graphmem.text import fold_name
from graphmem.writing_batch import Batch
from graphmem.writing_prepare import Prepared

SLIP = 3
"""Years: dates that lie nearer are one person's, one of them mistaken, and a matter of dispute."""


async def told_apart(
    store: Store, batch: Batch, prepared: Sequence[Prepared | Rejected], claims: Sequence[Claim | None], resolution: Resolution
) -> Resolution | None:
    """Read the names of this call as another person's where a birth date cannot be the resolved one's; None where all fit."""
    others: dict[str, Entity] = {}
    for one, claim, value in _dates(batch, prepared, claims):
        name = fold_name(str(one.properties["subject"]))
        if name in others or _near(batch.records.values(), claim.key, value) is not False:
            continue
        namesakes = [
            each for each in await store.entities(batch.user_id, [name]) if fold_name(each.name) == name and each.merged_into is None
        ]
        others[name] = await _fitting(store, batch, (resolution.found[name], claim.key), value, namesakes)
    if not others:
        return None
    new = [entity for entity in others.values() if entity not in resolution.found.values()]
    return Resolution({**resolution.found, **others}, (*resolution.changed, *new))


def _dates(
    batch: Batch, prepared: Sequence[Prepared | Rejected], claims: Sequence[Claim | None]
) -> Iterator[tuple[Prepared, Claim, Interval]]:
    for one, claim in zip(prepared, claims, strict=True):
        if isinstance(one, Rejected) or claim is None or one.draft.act != "state":
            continue
        known = batch.ontology.claim_predicate(one.type, one.properties)
        value = one.properties.get("object")
        if known is not None and known.immutable and known.functional and isinstance(value, Interval) and value.start is not None:
            yield one, claim, value


def _near(records: Iterable[MemoryRecord], key: str, value: Interval) -> bool | None:
    """Whether a date that stands under the key may be the same one; None where none stands there."""
    standing = [
        held.start
        for memory in records
        if memory.key == key and memory.stored_state in {"current", "disputed"}
        for held in [memory.properties.get("object")]
        if isinstance(held, Interval) and held.start is not None
    ]
    if not standing or value.start is None:
        return None
    return any(abs(start.year - value.start.year) < SLIP for start in standing)


async def _fitting(store: Store, batch: Batch, person: tuple[Entity, str], value: Interval, namesakes: Sequence[Entity]) -> Entity:
    """Find a namesake with about that date, else make a new person."""
    entity, key = person
    for other in namesakes:
        theirs = other.id + key[len(entity.id) :]
        memories, _ = await store.claims(batch.user_id, [theirs])
        if other.id != entity.id and _near(memories, theirs, value):
            return other
    number = max(1, len(namesakes))
    return Entity(id=entity_id(batch.user_id, fold_name(entity.name), number), user_id=batch.user_id, name=entity.name, kind=entity.kind)
