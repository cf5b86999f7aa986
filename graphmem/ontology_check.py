"""What in an ontology does not fit together, and what a change of it means for data that follows the old one."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.ontology_types import RESERVED, Parts, TypeDef


def problems(parts: Parts) -> list[str]:
    """Every place that names something undeclared, with what is declared."""
    return [*_types(parts), *_relationships(parts), *_predicates(parts)]


def _types(parts: Parts) -> Iterator[str]:
    for kind in parts.types.values():
        place = f"types.{kind.name}"
        yield from (f"{place}.slots.{slot}: the name is reserved" for slot in kind.slots if slot in RESERVED)
        yield from (
            f"{place}.slots.{slot.name}.unit_slot: no slot {slot.unit_slot}"
            for slot in kind.slots.values()
            if slot.unit_slot and slot.unit_slot not in kind.slots
        )
        for name, short in kind.shorthands.items():
            if short.slot and short.slot != "text" and short.slot not in kind.slots:
                yield f"{place}.shorthands.{name}: no slot {short.slot}"
            if short.link and short.link not in parts.relationships:
                yield f"{place}.shorthands.{name}: no relationship {short.link}"
        yield from _statuses(kind, place)


def _statuses(kind: TypeDef, place: str) -> Iterator[str]:
    known = kind.slots["status"].values if "status" in kind.slots else ()
    named = {"open": kind.open_status, "transitions": kind.transitions, "reopening": kind.reopening}
    for part, names in named.items():
        yield from (f"{place}.{part}: no status {name}" for name in names if name not in known)
    for part, moves in (("transitions", kind.transitions), ("reopening", kind.reopening)):
        yield from (f"{place}.{part}.{name}: no status {to}" for name, targets in moves.items() for to in targets if to not in known)


def _relationships(parts: Parts) -> Iterator[str]:
    known = {*parts.types, "any", "Entity"}
    for each in parts.relationships.values():
        yield from (f"relationships.{each.name}.pairs: no type {name}" for pair in each.pairs for name in pair if name not in known)


def _predicates(parts: Parts) -> Iterator[str]:
    for each in parts.predicates.values():
        named = (("inverse", (each.inverse,) if each.inverse else ()), ("opposes", each.opposes))
        for part, names in named:
            yield from (f"predicates.{each.name}.{part}: no predicate {name}" for name in names if name not in parts.predicates)
        yield from (f"predicates.{each.name}.key_values: {key} is not in its key" for key in each.key_values if key not in each.key)
