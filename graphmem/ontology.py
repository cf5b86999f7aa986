"""The ontology as typed values: types, slots, relationships and predicates, and how what people write is normalised against them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graphmem import resources
from graphmem.errors import InvalidSlot, OntologyError, UnknownType
from graphmem.ontology_check import problems
from graphmem.ontology_diff import OntologyChange, Side, changes
from graphmem.ontology_fields import RECORD_FIELDS, field_value
from graphmem.ontology_normalise import normalise, refuse, undeclared
from graphmem.ontology_types import (
    Direction,
    Normalised,
    PredicateDef,
    RelationshipDef,
    SlotDef,
    TypeDef,
    Walk,
    plain_fold,
    words_key,
)
from graphmem.ontology_values import Unfit, canonical, from_json, normal, to_json
from graphmem.temporal import Interval
from graphmem.text import fold, fold_name

__all__ = ["Normalised", "Ontology", "OntologyChange", "PredicateDef", "RelationshipDef", "SlotDef", "TypeDef", "Walk", "check", "diff"]

DIRECTIONS: Mapping[str, Direction] = MappingProxyType(
    {
        "eq": "equal",
        "lt": "upper",
        "lte": "upper",
        "gt": "lower",
        "gte": "lower",
        "ne": "ne",
        "in": "in",
        "not_in": "not_in",
        "must": "must",
        "must_not": "must_not",
    }
)
ONE_VALUED: frozenset[Direction] = frozenset({"upper", "lower", "equal"})
_AUXILIARY = re.compile(r"^(?:(?:is|are|was|were|am|be|been|has|have|had|currently|now|also|still) )+")
_PARTICLES = re.compile(r"^(?:现在|目前|一直|已经|也|是|的)+|(?:了|着|过|是|为|的)+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ontology:
    """Everything by canonical name; look-ups take any declared spelling."""

    name: str
    version: str
    hash: str
    confidence: Mapping[str, float]
    types: Mapping[str, TypeDef]
    relationships: Mapping[str, RelationshipDef]
    predicates: Mapping[str, PredicateDef]
    dimensions: Mapping[str, SlotDef]
    cues: Mapping[str, tuple[str, ...]]
    """What else a question may ask for, by what it is: a status, an order, history; regular expressions over the folded question."""
    status_spellings: Mapping[str, str]
    type_index: Mapping[str, str]
    relationship_index: Mapping[str, str]
    predicate_index: Mapping[str, str]
    opposed: Mapping[str, frozenset[str]]

    @staticmethod
    def core() -> Ontology:
        """Return the built-in ontology, read once in a process."""
        return _core()

    @staticmethod
    def load(source: Path | str) -> Ontology:
        """Read a YAML file, or YAML text, that says `extends: core@1`; raise OntologyError with the faulty place."""
        is_file = isinstance(source, Path) or ("\n" not in source and source.endswith((".yaml", ".yml")))
        origin = str(source) if is_file else "ontology"
        if is_file:
            try:
                text = Path(source).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as exc:
                raise OntologyError(f"{origin} cannot be read: {exc}") from exc
        else:
            text = str(source)
        return _built(_resolved(text, origin), origin, fold)

    @property
    def stamp(self) -> str:
        """Name, version and hash, as the store records them; equal stamps read data alike."""
        return f"{self.name}@{self.version}#{self.hash}"

    # ── look-ups ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def type(self, name: str) -> TypeDef:
        found = self.type_index.get(words_key(fold(name)))
        if found is None:
            raise UnknownType("type", name, self.types)
        return self.types[found]

    def relationship(self, name: str) -> RelationshipDef:
        """By any spelling (`subtask_of`, `leads to`); canonical names are upper case."""
        found = self.relationship_index.get(words_key(fold(name)))
        if found is None:
            raise UnknownType("relationship", name, (name.lower() for name in self.relationships))
        return self.relationships[found]

    def predicate(self, text: str) -> PredicateDef | None:
        """Find the declared predicate that a relation's text names: `lives in`, `is living in`, `住在`."""
        key = words_key(fold(text.replace("…", "")))
        for form in (key, _AUXILIARY.sub("", key), _PARTICLES.sub("", key)):
            found = self.predicate_index.get(form)
            if found is not None:
                return self.predicates[found]
        return None

    def relation_name(self, text: str) -> str:
        """Return the predicate's name, or for an undeclared one its folded text with underscores."""
        known = self.predicate(text)
        return known.name if known else undeclared(text)

    def default_confidence(self, source: str) -> float:
        return self.confidence.get(source, self.confidence.get("other", 0.7))

    # ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def normalise(self, type_: str, properties: Mapping[str, Any], zone: tzinfo | None = None) -> Normalised:
        """Read a record's properties; naive times and bare dates are read in `zone` (a naive time is refused without one)."""
        return normalise(self.type(type_), properties, zone, self.predicate)

    def normalise_value(self, slot: SlotDef, value: Any, zone: tzinfo | None = None) -> Any:
        found = normal(slot, value, zone)
        if isinstance(found, Unfit):
            refuse("slot", slot.name, found)
        return self.relation_name(found) if slot.kind == "relation" else found

    def to_json(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        return {key: to_json(value) for key, value in properties.items()}

    def from_json(self, type_: str, mapping: Mapping[str, Any]) -> dict[str, Any]:
        """Read the properties that `to_json` wrote."""
        slots = self.type(type_).slots
        return {key: from_json(slots.get(key), value) for key, value in mapping.items()}

    def caption(self, type_: str, properties: Mapping[str, Any]) -> str:
        """Make a short text for a record that came without one, or "" where its type has no template."""
        kind = self.type(type_)
        plain = {name: _shown(properties.get(name)) for name in kind.slots}
        return " ".join(kind.caption.format_map(plain).split()).strip(" :") if kind.caption else ""

    # ── claims ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def claim_kind(self, type_: str) -> str | None:
        return self.type(type_).claim

    def direction(self, operator: str) -> Direction:
        """Which side a constraint limits; `equal`, `upper` and `lower` have one value at a time."""
        return DIRECTIONS[operator]

    def claim_terms(self, type_: str, properties: Mapping[str, Any]) -> tuple[str, ...] | None:
        """Say what a claim's key holds besides user and subject; None for what is no claim. Takes normalised properties."""
        match self.claim_kind(type_):
            case "fact":
                relation = properties["relation"]
                known = self.predicates.get(relation)
                qualifiers = properties.get("qualifiers") or {}
                keys = tuple(
                    f"{key}={_key_value(known, key, qualifiers[key])}" for key in (known.key if known else ()) if key in qualifiers
                )
                return (relation, *keys)
            case "preference":
                return ("preference", fold_name(str(properties["object"])))
            case "constraint":
                return ("constraint", self.relation_name(str(properties["attribute"])), self.direction(properties["operator"]))
            case _:
                return None

    def functional(self, type_: str, properties: Mapping[str, Any]) -> bool:
        """Whether only one value can hold under the claim's key at a time."""
        match self.claim_kind(type_):
            case "fact":
                known = self.predicates.get(properties["relation"])
                return known is not None and known.functional
            case "preference":
                return True
            case "constraint":
                return self.direction(properties["operator"]) in ONE_VALUED
            case _:
                return False

    def canonical_value(self, type_: str, properties: Mapping[str, Any]) -> str | None:
        """Return the text by which two claims of one key count as the same; None for what is no claim."""
        match self.claim_kind(type_):
            case "fact":
                value, known = properties["object"], self.predicates.get(properties["relation"])
                if known and known.kind == "status" and isinstance(value, str):
                    value = self.status_spellings.get(words_key(fold(value)), value)
                if isinstance(value, str) and known and (known.names_entity or known.kind in {"version", "status"}):
                    return fold_name(value)
                return canonical(value)
            case "preference":
                return str(properties["polarity"])
            case "constraint":
                parts = (properties["operator"], canonical(properties["value"]), properties.get("unit"))
                return " ".join(str(part) for part in parts if part)
            case _:
                return None

    def claim_predicate(self, type_: str, properties: Mapping[str, Any]) -> PredicateDef | None:
        """Return the predicate that stands behind a claim: a fact's relation, `likes` for a liking."""
        match self.claim_kind(type_):
            case "fact":
                return self.predicates.get(properties["relation"])
            case "preference":
                return next((known for known in self.predicates.values() if known.polarity == properties["polarity"]), None)
            case _:
                return None

    def opposes(self, predicate: str) -> frozenset[str]:
        """Predicates that contradict this one about the same thing, whichever of them declares it."""
        return self.opposed.get(predicate, frozenset())

    def inverted(self, relation: str) -> str | None:
        """Return the relation that says the same from the object's side: itself where it is symmetric."""
        known = self.predicates.get(relation)
        return None if known is None else known.name if known.symmetric else known.inverse

    # ── status ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def next_statuses(self, type_: str, status: str, *, reopening: bool = False) -> tuple[str, ...]:
        """Where a task may go from here; with `reopening` also what needs a reason."""
        kind = self.type(type_)
        further = kind.reopening.get(status, ()) if reopening else ()
        return tuple(dict.fromkeys((*kind.transitions.get(status, ()), *further)))

    def allows_status(self, type_: str, old: str, new: str, reason: str | None = None) -> bool:
        return old == new or new in self.next_statuses(type_, old, reopening=bool(reason))

    # ── filter fields (`filters.Fields`) ────────────────────────────────────────────────────────────────────────────────────────────

    def allowed_fields(self) -> frozenset[str]:
        return frozenset(RECORD_FIELDS) | {slot for kind in self.types.values() for slot in kind.slots}

    def normalise_field(self, name: str, value: Any, zone: tzinfo | None = None) -> Any:
        """Read a filter's value as the field stores it: spellings, quantities as in records, times as Interval."""
        if name == "type":
            return self.type(str(value)).name
        slots = self._field_slots(name)
        found = [field_value(slot, value, zone) for slot in slots]
        fitting = next((item for item in found if not isinstance(item, Unfit)), None)
        if fitting is None:
            allowed = dict.fromkeys(text for item in found for text in item.allowed)
            raise InvalidSlot("filter", name, found[0].problem, allowed)
        return self.relation_name(str(fitting)) if slots[0].kind == "relation" else fitting

    def field_order(self, name: str) -> tuple[str, ...] | None:
        """List a field's values from least to greatest; () where they have no order, None where they compare by themselves."""
        slots = self._field_slots(name)
        if name == "type" or all(slot.kind in {"entity", "entities", "bool", "relation"} for slot in slots):
            return ()
        enums = [slot for slot in slots if slot.kind == "enum"]
        if len(enums) < len(slots):
            return None
        return enums[0].values if all(slot.ordered and slot.values == enums[0].values for slot in enums) else ()

    def _field_slots(self, name: str) -> list[SlotDef]:
        known = RECORD_FIELDS.get(name)
        return ([known] if known else []) + [kind.slots[name] for kind in self.types.values() if name in kind.slots]


def diff(old: Ontology, new: Ontology) -> tuple[OntologyChange, ...]:
    """List what changed and what it means for data, by place."""

    def renamed(names: Iterable[str], index: Mapping[str, str]) -> dict[str, str]:
        return {name: found for name in names if (found := index.get(words_key(fold(name)))) is not None and found != name}

    before, after = (Side(side.types, side.relationships, side.predicates) for side in (old, new))
    moved = {
        "types": renamed(old.types, new.type_index),
        "relationships": renamed(old.relationships, new.relationship_index),
        "predicates": renamed(old.predicates, new.predicate_index),
    }
    return tuple(sorted(changes(before, after, moved), key=lambda change: (change.place, change.what)))


def check(source: Path | str) -> tuple[str, ...]:
    """Say what is wrong with an ontology file; nothing where it can be used."""
    try:
        Ontology.load(source)
    except OntologyError as exc:
        return (str(exc),)
    return ()


def _shown(value: Any) -> str:
    match value:
        case None:
            return ""
        case list():
            return ", ".join(map(_shown, value))
        case str():
            return value.replace("_", " ") if re.fullmatch(r"[a-z_]+", value) else value
        case datetime():
            return f"{value:%Y-%m-%d}" if (value.hour, value.minute) in {(0, 0), (23, 59)} else f"{value:%Y-%m-%d %H:%M}"
        case Interval(datetime() as start, _, "year" | "month" as precision):
            return f"{start:%Y}" if precision == "year" else f"{start:%Y-%m}"
        case Interval(start, end):
            return (
                _shown(start) if end is None or start is None or end - start <= timedelta(days=1) else f"{_shown(start)} to {_shown(end)}"
            )
        case _:
            return str(value)


def _key_value(known: PredicateDef | None, key: str, value: Any) -> str:
    spellings = known.key_values.get(key, {}) if known else {}
    return spellings.get(words_key(fold(str(value))), fold_name(str(value)))


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def _core() -> Ontology:
    from graphmem.ontology_load import read_yaml  # noqa: PLC0415 — pydantic and yaml are loaded with the first ontology

    return _built(read_yaml(resources.text("ontology", "core.yaml"), "core.yaml"), "core.yaml", plain_fold)


def _resolved(text: str, origin: str) -> dict[str, Any]:
    """Read the raw mapping with everything that it extends beneath it."""
    from graphmem.ontology_load import check_cues, merged, read_yaml, validated  # noqa: PLC0415 — see _core

    raw = read_yaml(text, origin)
    check_cues(validated(raw, origin), origin)
    wanted = re.fullmatch(r"([a-z_]{1,64})@(\d+)", str(raw.get("extends")))
    if wanted is None:
        raise OntologyError(f"{origin}: extends: say what it builds on, as in `extends: core@1`")
    file = resources.path("ontology", f"{wanted[1]}.yaml")
    if not file.is_file():
        raise OntologyError(f"{origin}: extends: no ontology {wanted[1]!r}; `core@1` is always there")
    below = file.read_text(encoding="utf-8")
    base = read_yaml(below, file.name) if wanted[1] == "core" else _resolved(below, file.name)
    if str(base["version"]).split(".")[0] != wanted[2]:
        raise OntologyError(f"{origin}: extends: {wanted[0]} is asked for, this graphmem has {wanted[1]} {base['version']}")
    return merged(base, raw)


def _built(raw: Mapping[str, Any], origin: str, spell: Any) -> Ontology:
    from graphmem.ontology_load import build  # noqa: PLC0415 — see _core

    parts = build(raw, origin, spell)
    opposed: dict[str, set[str]] = {}
    for known in parts.predicates.values():
        for other in known.opposes:
            opposed.setdefault(known.name, set()).add(other)
            opposed.setdefault(other, set()).add(known.name)
    found = problems(parts)
    if found:
        raise OntologyError(f"{origin}: {'; '.join(found[:5])}")

    def index(kind: str, spellings: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
        keys: dict[str, str] = {}
        for name, others in spellings:
            for text in others:
                key = words_key(spell(text.replace("…", "")))
                if keys.setdefault(key, name) != name:
                    raise OntologyError(f"{origin}: {kind}.{name}: {text!r} is a spelling of {keys[key]} already")
        return keys

    return Ontology(
        **{name: getattr(parts, name) for name in parts.__slots__},
        type_index=index("types", ((kind.name, (kind.name, _spaced(kind.name), *kind.aliases)) for kind in parts.types.values())),
        relationship_index=index("relationships", ((each.name, (each.name, *each.aliases)) for each in parts.relationships.values())),
        predicate_index=index("predicates", ((each.name, (each.name, *each.aliases)) for each in parts.predicates.values())),
        opposed={name: frozenset(others) for name, others in opposed.items()},
    )


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
