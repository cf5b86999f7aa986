"""One record's properties, normalised against its type: shorthands resolved, defaults filled, values read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any, NoReturn

from graphmem.errors import InvalidSlot
from graphmem.ontology_types import Normalised, PredicateDef, Shorthand, TypeDef
from graphmem.ontology_values import Unfit, normal, normal_object, read_name, read_quantity
from graphmem.quantity import Quantity, is_version
from graphmem.text import fold

DIMENSIONS = frozenset(
    [
        "session_id",
        "task_id",
        "agent_id",
        "importance",
        "keywords",
        "location",
        "reason",
        "purpose",
        "source",
        "confidence",
        "pinned",
        "access_count",
        "last_accessed_at",
        "entities",
        "valid_from",
        "valid_to",
    ]
)
"""Fields of the record that are accepted among the properties and handed back in `Normalised.dimensions`."""

Predicate = Callable[[str], PredicateDef | None]


@dataclass(slots=True)
class _Gathered:
    """What the given properties say, by what they are for."""

    slots: dict[str, Any] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    mentions: list[tuple[str, str]] = field(default_factory=list)
    dimensions: dict[str, Any] = field(default_factory=dict)
    text: str | None = None


def undeclared(relation: str) -> str:
    """Name a relation that no predicate declares: folded, with underscores; Chinese stays as it is."""
    return re.sub(r"\W+", "_", fold(relation)).strip("_") or fold(relation)


def refuse(type_: str, slot: str, unfit: Unfit) -> NoReturn:
    raise InvalidSlot(type_, slot, unfit.problem, unfit.allowed)


def normalise(kind: TypeDef, given: Mapping[str, Any], zone: tzinfo | None, predicate: Predicate) -> Normalised:
    """Raise InvalidSlot for an unknown, missing or unreadable slot, with what is allowed."""
    found = _gather(kind, {key: value for key, value in given.items() if value is not None})
    slots = found.slots
    properties: dict[str, Any] = {}
    unparsed: tuple[str, ...] = ()
    for name, slot in kind.slots.items():
        if name not in slots:
            if slot.default is not None:
                properties[name] = slot.default
            elif slot.required:
                raise InvalidSlot(kind.name, name, "is required and missing", slot.values)
            continue
        if kind.claim == "fact" and name == "object":
            continue
        value = normal(slot, slots[name], zone)
        if isinstance(value, Unfit):
            refuse(kind.name, name, value)
        properties[name] = value
    if kind.claim == "fact":
        unparsed = _fact(kind, slots["object"], properties, zone, predicate)
    _split_units(kind, properties, predicate)
    return Normalised(
        type=kind.name,
        properties=properties,
        originals={key: raw for key, raw in slots.items() if isinstance(raw, str) and raw.strip() != properties.get(key)},
        links=tuple(found.links),
        dimensions=found.dimensions,
        mentions=tuple(found.mentions),
        text=found.text,
        unparsed=unparsed,
    )


def _fact(kind: TypeDef, given: Any, properties: dict[str, Any], zone: tzinfo | None, predicate: Predicate) -> tuple[str, ...]:
    """Names the relation and reads the object as the predicate's kind has it; returns the slots that were kept as text."""
    known = predicate(properties["relation"])
    properties["relation"] = known.name if known else undeclared(properties["relation"])
    value, fits = normal_object(known.kind if known else "any", given, zone, known.unit if known else None)
    if isinstance(value, str) and not value.strip():
        refuse(kind.name, "object", Unfit("empty"))
    properties["object"] = value
    return () if fits else ("object",)


def _split_units(kind: TypeDef, properties: dict[str, Any], predicate: Predicate) -> None:
    """`value: "5000元"` becomes 5000 and unit CNY; a unit that is given apart wins over none. Versions are no numbers."""
    for name, slot in kind.slots.items():
        value = properties.get(name)
        if slot.unit_slot is None or isinstance(value, bool) or not isinstance(value, str | int | float | Quantity):
            continue
        about = predicate(str(properties.get("attribute", "")))
        quantity = None if about and about.kind == "version" and isinstance(value, str) and is_version(value) else read_quantity(value)
        if quantity is not None:
            properties[name] = quantity.number
            unit = quantity.unit or properties.get(slot.unit_slot)
            if unit:
                properties[slot.unit_slot] = unit


def _gather(kind: TypeDef, given: Mapping[str, Any]) -> _Gathered:
    found = _Gathered()
    shorts: list[tuple[str, Shorthand, Any]] = []
    for key, value in given.items():
        name = key if key in kind.slots or key in kind.shorthands else _snake(key)
        if name in kind.slots:
            found.slots[name] = value
        elif name in kind.shorthands:
            shorts.append((name, kind.shorthands[name], value))
        elif name in DIMENSIONS:
            found.dimensions[name] = value
        else:
            allowed = (*kind.slots, *kind.shorthands)
            raise InvalidSlot(kind.name, key, "is no slot of this type (free fields go into `metadata`)", allowed)
    for name, short, value in shorts:
        _expand(kind, found, name, short, value)
    return found


def _expand(kind: TypeDef, found: _Gathered, name: str, short: Shorthand, value: Any) -> None:
    for old, new in short.moves.items():
        if old in found.slots and new not in found.slots:
            found.slots[new] = found.slots.pop(old)
    for slot, content in short.sets.items():
        found.slots.setdefault(slot, content)
    target = short.slot or "text"
    texts = value if isinstance(value, list | tuple) else [value]
    if short.link or short.mention or target == "text":
        for item in texts:
            text = read_name(item)
            if isinstance(text, Unfit):
                refuse(kind.name, name, text)
            if short.link:
                found.links.append((short.link, text))
            elif short.mention:
                found.mentions.append((text, short.mention))
            else:
                found.text = found.text or text
    elif fold(str(found.slots.setdefault(target, value))) != fold(str(value)):
        raise InvalidSlot(kind.name, name, f"stands for {target}, which is given as well")


def _snake(key: str) -> str:
    return re.sub(r"[\s\-]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())).lower()
