"""What relationships do when they are written: close a target, open a dispute, move a confidence, and never close a cycle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.core.claims import ask_both, same_thing
from graphmem.core.identity import content_id
from graphmem.errors import CycleRefused
from graphmem.model import MemoryRecord, Relationship, Statement
from graphmem.ontology import Ontology
from graphmem.ports import Store
from graphmem.temporal import FAR_PAST
from graphmem.writing_batch import CONTRADICTS, ODDS, OPPOSED, Batch, weighed

WIDEST = 2000
"""Memories visited at most while looking for a cycle; the deepest sensible task tree is far smaller."""
Edge = tuple[str, str]


def supersede(batch: Batch, targets: Iterable[str], by: Statement) -> list[str]:
    """End each target where the new statement begins; returns those that were there to end."""
    ended = []
    for target in targets:
        old = batch.records.get(target)
        if old is None:
            continue
        ended.append(target)
        if old.key is None or old.value is None or old.key not in batch.ledgers:
            close_plain(batch, target, by.valid_from)
            continue
        own = [said for said in batch.ledgers[old.key].statements if said.memory_id == target]
        if any(said.properties.get("state") in {"superseded", "invalid"} for said in own):
            continue  # it came in as over already, and its own end stands
        batch.govern(old.key, batch.ledgers[old.key].rules, old.type)
        moment = max(by.valid_from, old.valid_from or FAR_PAST)
        end = replace(
            by,
            id=content_id("end", batch.user_id, target, by.id),
            key=old.key,
            value=old.value,
            act="end",
            valid_from=moment,
            valid_to=None,
            properties={"by": by.id, "spares": (by.id,)},
        )
        batch.tell(end, old.type)
    return ended


def close_plain(batch: Batch, target: str, moment: datetime) -> None:
    """Supersede a memory that claims nothing."""
    old = batch.records.get(target)
    if old is not None:
        end = max(moment, old.valid_from or moment)
        batch.put(replace(old, stored_state="superseded", valid_to=min(end, old.valid_to or end)), index=False)


def connect(batch: Batch, edge: Edge, type_: str, properties: Mapping[str, Any], moment: datetime) -> Relationship:
    """Draw a relationship that was given, and let it act: a contradiction disputes both ends, evidence moves the target's confidence."""
    known, (source, target) = batch.ontology.relationships[type_], edge
    if known.evidence and (old := batch.records.get(target)) is not None and target != source:
        _weigh(batch, old, batch.records[source].confidence, known.evidence)
    if known.acts == "dispute" and not properties.get("decided") and {source, target} <= batch.records.keys():
        return _contradict(batch, source, target, properties, moment)
    return batch.relate(source, known.name, target, properties, moment)


def _weigh(batch: Batch, target: MemoryRecord, confidence: float, sign: int) -> None:
    """Multiply the odds of the target's confidence by `1 + c` for evidence of confidence c, divide them by it where it speaks against."""
    factor = (1 + confidence) ** sign
    odds = target.metadata.get(ODDS, 1.0) * factor
    metadata = {**target.metadata, ODDS: round(odds, 6)}
    batch.put(replace(target, metadata=metadata, confidence=weighed(target.confidence, factor)), index=False)


def _contradict(batch: Batch, source: str, target: str, properties: Mapping[str, Any], moment: datetime) -> Relationship:
    drawn = batch.dispute(source, target, moment)
    drawn = replace(drawn, properties={**properties, **drawn.properties})
    batch.relationships[drawn.id] = drawn
    for one in (source, target):
        record = batch.records[one]
        opposed = tuple(dict.fromkeys((*record.metadata.get(OPPOSED, ()), drawn.id)))
        state = "disputed" if record.stored_state == "current" else record.stored_state
        batch.put(replace(record, metadata={**record.metadata, OPPOSED: list(opposed)}, stored_state=state), index=False)
    return drawn


def uncontradict(batch: Batch, memory_id: str, conflict_id: str) -> None:
    """Take the mark of a dispute off; without others the memory stands again as its timeline has it."""
    record = batch.records[memory_id]
    left = [one for one in record.metadata.get(OPPOSED, ()) if one != conflict_id]
    metadata = {name: value for name, value in record.metadata.items() if name != OPPOSED} | ({OPPOSED: left} if left else {})
    segment = batch.segment(memory_id)
    calm = segment.stored_state if segment is not None else "current"
    state = calm if record.stored_state == "disputed" and not left else record.stored_state
    batch.put(replace(record, metadata=metadata, stored_state=state), index=False)


def oppose(batch: Batch, memory_id: str, moment: datetime) -> list[str]:
    """Join a claim to the current claims of its subject that contradict it by their predicates; all of them stand."""
    memory = batch.records[memory_id]
    if memory.stored_state != "current" or memory.type not in {"Fact", "Preference"}:
        return []
    known = batch.ontology.claim_predicate(memory.type, memory.properties)
    against = batch.ontology.opposes(known.name) if known else frozenset()
    found = []
    for other in list(batch.records.values()) if against else ():
        if other.stored_state != "current" or other.id == memory_id or other.type not in {"Fact", "Preference"}:
            continue
        theirs = batch.ontology.claim_predicate(other.type, other.properties)
        if theirs is None or theirs.name not in against or _subject(other) != _subject(memory):
            continue
        if same_thing(str(memory.properties["object"]), str(other.properties["object"])):
            batch.relate(other.id, CONTRADICTS, memory_id, {"question": ask_both(other, memory), "decided": True}, moment)
            found.append(other.id)
    return found


def _subject(memory: MemoryRecord) -> str | None:
    return next((ref.id for ref in memory.refs if ref.role == "subject"), None)


async def refuse_cycles(store: Store, batch: Batch, edges: Mapping[str, Sequence[Edge]]) -> None:
    """Raise CycleRefused with the path that one of these edges (by relationship) would close."""
    for type_, pairs in edges.items():
        if not batch.ontology.relationships[type_].acyclic:
            continue
        after: dict[str, list[str]] = {}
        for source, target in pairs:
            after.setdefault(source, []).append(target)
        stored = [(source, target) for source, target in pairs if source in batch.found]
        for source, target in stored:
            await _search(store, batch, type_, (source, target), after)
        if not stored:
            _search_new(type_, after)


async def _search(store: Store, batch: Batch, type_: str, edge: Edge, after: Mapping[str, list[str]]) -> None:
    source, target = edge
    came: dict[str, str] = {target: source}
    frontier = [target]
    while frontier and len(came) < WIDEST:
        if source in frontier:
            raise CycleRefused(type_, _path(came, source))
        known = [one for one in frontier if one in batch.found]
        hops = await store.relationships(batch.user_id, known, [type_]) if known else []
        stored = [(hop.start, hop.other) for hop in hops if hop.relationship.source_id == hop.start]
        fresh = [(one, other) for one in frontier for other in after.get(one, ())]
        frontier = []
        for one, other in (*stored, *fresh):
            if other not in came:
                came[other] = one
                frontier.append(other)
                if other not in batch.records:
                    batch.know(await store.memories(batch.user_id, [other]))


def _path(came: Mapping[str, str], source: str) -> list[str]:
    path, here = [source], came[source]
    while here != source:
        path.append(here)
        here = came[here]
    return [*reversed([*path, source])]


def _search_new(type_: str, after: Mapping[str, list[str]]) -> None:
    """Look for a cycle among edges that all start at new memories: nothing stored can lead back to those."""
    done: set[str] = set()
    for start in after:
        path: list[str] = []
        on_path: set[str] = set()
        stack: list[tuple[str, bool]] = [(start, True)]
        while stack:
            node, entering = stack.pop()
            if not entering:
                path.pop()
                on_path.discard(node)
                done.add(node)
                continue
            if node in on_path:
                raise CycleRefused(type_, [*path[path.index(node) :], node])
            if node in done:
                continue
            path.append(node)
            on_path.add(node)
            stack.append((node, False))
            stack += [(other, True) for other in after.get(node, ())]


def checked(ontology: Ontology, type_: str, source: str, target: str) -> str | None:
    """Say why a relationship may not join these types; None where it may."""
    known = ontology.relationships[type_]
    if known.joins(source, target):
        return None
    if known.same_type and source != target:
        return f"{known.name} joins two memories of one type, not {source} → {target}"
    return f"{known.name} does not lead from {source} to {target}; allowed: {', '.join(f'{a} → {b}' for a, b in known.pairs)}"
