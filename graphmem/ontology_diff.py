"""What a change of the ontology means for data that follows the old one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from graphmem.ontology_types import PredicateDef, RelationshipDef, SlotDef, TypeDef

Effect: TypeAlias = Literal["free", "map", "rekey", "refuse"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyChange:
    """One difference and what it does to data.

    free: nothing; map: `before` becomes `after`; rekey: claims get new keys and are reconciled; refuse: cannot be applied while the old
    has data (`type` and `slot` say where to count).
    """

    place: str
    what: str
    effect: Effect
    type: str | None = None
    slot: str | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """What of an ontology is compared."""

    types: Mapping[str, TypeDef]
    relationships: Mapping[str, RelationshipDef]
    predicates: Mapping[str, PredicateDef]


def changes(old: Side, new: Side, renamed: Mapping[str, Mapping[str, str]]) -> Iterator[OntologyChange]:
    """List the differences; `renamed` gives, per kind of part, the new part that each removed name is now a spelling of."""
    yield from _parts("types", "type", old.types, new.types, renamed["types"])
    yield from _parts("relationships", "relationship", old.relationships, new.relationships, renamed["relationships"])
    yield from _parts("predicates", "predicate", old.predicates, new.predicates, renamed["predicates"])
    for name in old.types.keys() & new.types.keys():
        yield from _type(old.types[name], new.types[name])
    for name in old.relationships.keys() & new.relationships.keys():
        yield from _relationship(old.relationships[name], new.relationships[name])
    for name in old.predicates.keys() & new.predicates.keys():
        yield from _predicate(old.predicates[name], new.predicates[name])


def _parts(kinds: str, kind: str, old: Mapping[str, T], new: Mapping[str, T], renamed: Mapping[str, str]) -> Iterator[OntologyChange]:
    for name in new.keys() - old.keys():
        rekeys = kind == "predicate" and name not in renamed.values()
        effect: Effect = "rekey" if rekeys else "free"
        yield OntologyChange(place=f"{kinds}.{name}", what=f"new {kind}", effect=effect)
    for name in old.keys() - new.keys():
        place, after = f"{kinds}.{name}", renamed.get(name)
        if after is not None:
            effect = "rekey" if kind == "predicate" else "map"
            yield OntologyChange(place=place, what=f"is {after} now", effect=effect, before=name, after=after)
        elif kind == "predicate":
            yield OntologyChange(place=place, what="removed: its facts become many-valued text", effect="rekey")
        else:
            yield OntologyChange(place=place, what=f"removed {kind}", effect="refuse", type=name)


def _type(old: TypeDef, new: TypeDef) -> Iterator[OntologyChange]:
    place = f"types.{old.name}"
    for name in new.slots.keys() - old.slots.keys():
        slot = new.slots[name]
        must = slot.required and slot.default is None
        what = "new required slot without a default" if must else "new optional slot"
        yield OntologyChange(place=f"{place}.slots.{name}", what=what, effect="refuse" if must else "free", type=old.name)
    for name in old.slots.keys() - new.slots.keys():
        yield OntologyChange(place=f"{place}.slots.{name}", what="removed slot", effect="refuse", type=old.name, slot=name)
    for name in old.slots.keys() & new.slots.keys():
        yield from _slot(old.name, old.slots[name], new.slots[name])
    if old.claim != new.claim:
        yield OntologyChange(place=place, what=f"claim {old.claim} → {new.claim}", effect="rekey", type=old.name)
    behaviour = "half_life floor archive_after archive_when recalled in_context precedence"
    for name in behaviour.split():
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield OntologyChange(place=f"{place}.{name}", what=f"{before} → {after}", effect="free")


def _slot(type_: str, old: SlotDef, new: SlotDef) -> Iterator[OntologyChange]:
    place = f"types.{type_}.slots.{old.name}"
    if old.kind != new.kind:
        yield OntologyChange(place=place, what=f"kind {old.kind} → {new.kind}", effect="refuse", type=type_, slot=old.name)
        return
    if new.required and new.default is None and not old.required:
        yield OntologyChange(place=place, what="is required now, without a default", effect="refuse", type=type_, slot=old.name)
    for value in old.values:
        if value in new.values:
            continue
        after = new.spellings.get(value.replace("_", " "))
        what, effect = (f"{value} is {after} now", "map") if after else (f"removed value {value}", "refuse")
        yield OntologyChange(place=place, what=what, effect=effect, type=type_, slot=old.name, before=value, after=after)  # type: ignore[arg-type]  # two literals above
    for value in new.values:
        if value not in old.values:
            yield OntologyChange(place=place, what=f"new value {value}", effect="free")


def _relationship(old: RelationshipDef, new: RelationshipDef) -> Iterator[OntologyChange]:
    place = f"relationships.{old.name}"
    if new.acyclic and not old.acyclic:
        yield OntologyChange(place=place, what="is acyclic now: refused where a cycle is stored", effect="refuse", type=old.name)
    if any(pair not in new.pairs for pair in old.pairs) or (new.same_type and not old.same_type):
        yield OntologyChange(place=place, what="joins fewer types", effect="refuse", type=old.name)
    if (old.forward, old.backward) != (new.forward, new.backward):
        yield OntologyChange(place=place, what="is walked differently", effect="free")


def _predicate(old: PredicateDef, new: PredicateDef) -> Iterator[OntologyChange]:
    for name in ("kind", "functional", "key", "key_values", "unit", "symmetric", "inverse"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield OntologyChange(place=f"predicates.{old.name}.{name}", what=f"{before} → {after}", effect="rekey")
    if set(new.aliases) - set(old.aliases):
        yield OntologyChange(place=f"predicates.{old.name}", what="new spellings", effect="rekey")
