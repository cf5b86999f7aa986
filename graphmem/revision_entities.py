"""Making two entities one, and undoing it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from graphmem.core.claims import minter
from graphmem.core.identity import content_id
from graphmem.core.reconciliation import Ledger
from graphmem.core.timeline import Known
from graphmem.errors import InvalidInput, NotFound
from graphmem.model import STATES, Entity, MemoryRecord, Statement
from graphmem.ports import Selection, Store
from graphmem.text import fold_name
from graphmem.writing import Writer
from graphmem.writing_batch import Batch

MOST = 1_000_000


def note_of(entity_id: str) -> str:
    """Name of the note that keeps what was merged into an entity, last merge last."""
    return f"merged:{entity_id}"


async def find_entity(store: Store, user_id: str, wanted: str) -> Entity:
    """By id, else by a name that only one entity bears."""
    found = await store.entities_by_id(user_id, [wanted]) or [
        one for one in await store.entities(user_id, [fold_name(wanted)]) if one.merged_into is None
    ]
    named = [one for one in found if fold_name(one.name) == fold_name(wanted)] or found
    if len(named) != 1:
        if named:
            raise InvalidInput(f"{len(named)} entities are called {wanted!r}; give an id: {', '.join(one.id for one in named)}")
        raise NotFound("entity", wanted)
    return named[0]


async def merge_entities(store: Store, writer: Writer, user_id: str, pair: tuple[str, str]) -> None:
    kept, gone = await find_entity(store, user_id, pair[0]), await find_entity(store, user_id, pair[1])
    if kept.id == gone.id:
        raise InvalidInput(f"{pair[0]!r} and {pair[1]!r} are one entity already")
    selection = Selection(at=writer.clock.now(), states=frozenset(STATES))
    ids = await store.about(user_id, [gone.id], selection, MOST)
    batch = await writer.opened(user_id, ids)
    moved = await _move(writer, batch, ids, (gone, kept))
    aliases = tuple(dict.fromkeys((*kept.aliases, gone.name, *gone.aliases)))
    batch.entities |= {kept.id: replace(kept, aliases=aliases), gone.id: replace(gone, merged_into=kept.id)}
    await writer.commit(batch)
    past = await store.note(user_id, note_of(kept.id)) or {"merges": []}
    merge = {"gone": gone.id, "aliases": list(kept.aliases), "memories": ids, "statements": moved}
    await store.set_note(user_id, note_of(kept.id), {"merges": [*past["merges"], merge]})


async def split_entity(store: Store, writer: Writer, user_id: str, wanted: str) -> None:
    kept = await find_entity(store, user_id, wanted)
    past = await store.note(user_id, note_of(kept.id))
    if not past or not past["merges"]:
        raise InvalidInput(f"nothing was merged into {wanted!r}")
    merge: Mapping[str, Any] = past["merges"][-1]
    gone = (await store.entities_by_id(user_id, [merge["gone"]]))[0]
    ids = [memory.id for memory in await store.memories(user_id, merge["memories"])]
    batch = await writer.opened(user_id, ids)
    await _move(writer, batch, ids, (kept, gone))
    batch.entities |= {kept.id: replace(kept, aliases=tuple(merge["aliases"])), gone.id: replace(gone, merged_into=None)}
    await writer.commit(batch)
    await store.set_note(user_id, note_of(kept.id), {"merges": past["merges"][:-1]} if past["merges"][:-1] else None)


async def _move(writer: Writer, batch: Batch, ids: Iterable[str], ends: tuple[Entity, Entity]) -> dict[str, str]:
    """Let these memories speak of the second entity instead of the first, under its keys; returns new statement ids by old ones."""
    source, target = ends
    moved: dict[str, str] = {}
    records = [batch.records[one] for one in ids]
    await writer.open_keys(batch, [key for one in records if (key := _moved_key(one, source, target)) is not None])
    for old in records:
        refs = tuple(replace(ref, id=target.id) if ref.id == source.id else ref for ref in old.refs)
        key, value = _moved_key(old, source, target) or old.key, _moved_value(old, source, target)
        batch.put(replace(old, refs=refs, key=key, value=value), index=False)
        if (key, value) != (old.key, old.value) and old.key in batch.ledgers and key is not None:
            moved |= _restate(batch, old, key, value)
    return moved


def _moved_key(memory: MemoryRecord, source: Entity, target: Entity) -> str | None:
    if memory.key is None or memory.value is None or not memory.key.startswith(f"{source.id}|"):
        return None
    return target.id + memory.key[len(source.id) :]


def _moved_value(memory: MemoryRecord, source: Entity, target: Entity) -> str | None:
    named = any(ref.id == source.id and ref.role == "object" for ref in memory.refs)
    return fold_name(target.name) if named and memory.type == "Fact" and memory.value == fold_name(source.name) else memory.value


def _restate(batch: Batch, old: MemoryRecord, key: str, value: str | None) -> dict[str, str]:
    """Retract the statements under the old key and repeat them, with their own times, under the new one."""
    mine = [one for one in batch.ledgers[old.key or ""].statements if one.memory_id == old.id and one.retracted_at is None]
    batch.retract(old.key or "", [one.id for one in mine], old.type)
    gone = batch.ledgers[old.key or ""]
    batch.ledgers[old.key or ""] = Ledger(gone.rules, gone.statements, tuple(one for one in gone.known if one.memory_id != old.id))
    new_ids = {one.id: content_id("moved", batch.user_id, one.id, key, value, batch.now) for one in mine}
    batch.govern(key, gone.rules, old.type)
    ledger = batch.ledgers[key]
    known = (*ledger.known, Known(old.id, value or "", old.valid_from))
    said = tuple(_moved(one, new_ids, key, value or "") for one in mine)
    batch.ledgers[key] = Ledger(ledger.rules, (*ledger.statements, *said), known)
    batch.statements += said
    batch.segments[key] = batch.ledgers[key].segments(minter(batch.user_id, old.type, key))
    batch.stamp(key, batch.now)
    return new_ids


def _moved(statement: Statement, ids: Mapping[str, str], key: str, value: str) -> Statement:
    """Copy it under the new key, with what it says of other statements."""
    properties = {
        name: tuple(ids.get(one, one) for one in held) if name in {"corrects", "keeps", "drops", "spares"} else held
        for name, held in statement.properties.items()
    }
    return replace(statement, id=ids[statement.id], key=key, value=value if statement.value else "", properties=properties)
