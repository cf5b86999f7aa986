"""Reads an ontology from YAML and checks it; every error names the file and the place in it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from graphmem.errors import OntologyError
from graphmem.model import Policy
from graphmem.ontology_types import (
    ClaimKind,
    ObjectKind,
    Parts,
    PredicateDef,
    RelationshipDef,
    Shorthand,
    SlotDef,
    SlotKind,
    TypeDef,
    Walk,
    cue,
    words_key,
)

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Spell = Callable[[str], str]
BEHAVIOUR = frozenset(
    {
        "about",
        "prototypes",
        "cues",
        "caption",
        "half_life",
        "floor",
        "archive_after",
        "archive_when",
        "recalled",
        "in_context",
        "precedence",
    }
    | {"forward", "backward", "confidence"}
)
"""What may change without touching data, and so is not part of the hash."""
LISTS = frozenset({"aliases", "en", "zh"})
CUES = ("sure", "likely", "hint", "not")


def _words(value: Any) -> Any:
    """Take a list, or one string whose items are separated by commas (one a line where it has lines)."""
    if not isinstance(value, str):
        return value
    parts = value.splitlines() if "\n" in value else re.split(r"[,，、]\s*", value)
    return [part.strip() for part in parts if part.strip()]


def _patterns(value: Any) -> Any:
    """Take a list, or one string with a pattern a line."""
    return [line.strip() for line in value.splitlines() if line.strip()] if isinstance(value, str) else value


def _duration(value: Any) -> Any:
    if value is None or value == "never":
        return None
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?) ?(h|d|w)", value) if isinstance(value, str) else None
    if found is None:
        raise ValueError("write a duration such as `6 h`, `14 d`, `2 w`, or `never`")
    return timedelta(hours=float(found[1]) * {"h": 1, "d": 24, "w": 168}[found[2]])


def _target(value: Any) -> Any:
    return {"slot": value} if isinstance(value, str) else value


Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Patterns = Annotated[tuple[str, ...], BeforeValidator(_patterns)]
Duration = Annotated[timedelta | None, BeforeValidator(_duration)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
SlotName = Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]{0,63}$")]
RelationshipName = Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]{0,63}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SlotFile(_Part):
    kind: SlotKind = "text"
    required: bool = False
    default: Any = None
    values: str | dict[str, Words] | list[str] | None = None
    ordered: bool = False
    minimum: float | None = None
    maximum: float | None = None
    indexed: bool = False
    side: Literal["start", "end"] = "start"
    unit_slot: str | None = None
    about: str = ""


class ShorthandFile(_Part):
    slot: str | None = None
    link: str | None = None
    mention: str | None = None
    moves: dict[str, str] = {}
    sets: dict[str, str] = {}


class TypeFile(_Part):
    about: str = ""
    aliases: Words = ()
    claim: ClaimKind | None = None
    keyed: bool = False
    half_life: Duration = None
    floor: float = Field(0.0, ge=0, le=1)
    archive_after: Duration = None
    archive_when: Literal["aged", "closed"] = "aged"
    open: Words = ()
    recalled: bool = True
    in_context: Literal["always", "active"] | None = None
    precedence: float = Field(1.0, gt=0, le=10)
    slots: dict[SlotName, SlotFile] = {}
    shorthands: dict[str, Annotated[ShorthandFile, BeforeValidator(_target)]] = {}
    caption: str = ""
    prototypes: dict[str, Words] = {}
    cues: dict[Literal["sure", "likely", "hint", "not"], Patterns] = {}
    transitions: dict[str, Words] = {}
    reopening: dict[str, Words] = {}
    policy: Policy | None = None


class WalkFile(_Part):
    decay: float = Field(ge=0, le=1)
    hops: int = Field(1, ge=1, le=32)


class RelationshipFile(_Part):
    aliases: Words = ()
    pairs: list[tuple[str, str]] = [("any", "any")]
    same_type: bool = False
    acyclic: bool = False
    symmetric: bool = False
    forward: WalkFile | None = None
    backward: WalkFile | None = None
    chain: bool = False
    always: bool = False
    history: bool = False
    provenance: bool = False
    entity: bool = False
    acts: Literal["supersede", "dispute"] | None = None
    evidence: Literal[-1, 0, 1] = 0


class PredicateFile(_Part):
    kind: ObjectKind = "any"
    en: Words = ()
    zh: Words = ()
    functional: bool = False
    symmetric: bool = False
    inverse: str | None = None
    immutable: bool = False
    key: Words = ()
    key_values: dict[str, dict[str, Words]] = {}
    opposes: Words = ()
    polarity: str | None = None
    unit: str | None = None
    external_first: bool = False
    policy: Policy | None = None


class OntologyFile(_Part):
    extends: str | None = None
    name: Name
    version: Annotated[str, Field(pattern=r"^\d+(\.\d+)*$")] = "1.0"
    about: str = ""
    confidence: dict[str, Annotated[float, Field(ge=0, le=1)]] = {}
    enums: dict[SlotName, dict[str, Words]] = {}
    types: dict[Name, TypeFile] = {}
    relationships: dict[RelationshipName, RelationshipFile] = {}
    predicates: dict[SlotName, PredicateFile] = {}
    dimensions: dict[SlotName, SlotFile] = {}
    cues: dict[SlotName, Patterns] = {}


def read_yaml(text: str, origin: str) -> dict[str, Any]:
    try:
        raw = yaml.load(text, Loader=Loader)  # noqa: S506 — the C twin of the safe loader
    except yaml.YAMLError as exc:
        raise OntologyError(f"{origin} is no valid YAML: {exc}") from exc
    if not isinstance(raw, dict):
        raise OntologyError(f"{origin} must be a mapping with name, version and types")
    return raw


def validated(raw: Mapping[str, Any], origin: str) -> OntologyFile:
    try:
        return OntologyFile.model_validate(raw)
    except ValidationError as exc:
        places = (f"{'.'.join(str(part) for part in error['loc']) or 'file'}: {error['msg']}" for error in exc.errors()[:5])
        raise OntologyError(f"{origin}: {'; '.join(places)}") from exc


def check_cues(file: OntologyFile, origin: str) -> None:
    """Refuse a cue that is no regular expression; the built-in ones are compiled when a question needs them."""
    places = {f"cues.{name}": patterns for name, patterns in file.cues.items()}
    places |= {f"types.{name}.cues.{level}": found for name, kind in file.types.items() for level, found in kind.cues.items()}
    for place, patterns in places.items():
        for pattern in patterns:
            try:
                cue(pattern)
            except re.error as exc:
                raise OntologyError(f"{origin}: {place}: {pattern!r} is no regular expression: {exc}") from exc


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` on top of `base`: mappings merge, alias lists join, everything else is replaced."""
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = merged(old, value)
        elif key in LISTS and old is not None:
            result[key] = list(dict.fromkeys([*_words(old), *_words(value)]))
        elif key in CUES and old is not None:
            result[key] = [*_patterns(old), *_patterns(value)]
        else:
            result[key] = value
    return result


def _binding(part: Any) -> Any:
    """Keep what decides how data is written and keyed; a slot may have the name of a behaviour, and stays."""
    if not isinstance(part, Mapping):
        return part
    kept = (key for key, value in part.items() if key not in BEHAVIOUR or (isinstance(value, Mapping) and "kind" in value))
    return {str(key): _binding(part[key]) for key in kept}


def build(raw: Mapping[str, Any], origin: str, spell: Spell) -> Parts:
    """Make the checked parts of a complete (merged) ontology; `spell` folds spellings into lookup keys."""
    file = validated(raw, origin)
    enums = {name: _spellings(values, spell, f"{origin}: enums.{name}") for name, values in file.enums.items()}
    dimensions = {name: _slot(name, slot, enums, spell, f"{origin}: dimensions.{name}") for name, slot in file.dimensions.items()}
    types = {name: _type(name, part, (enums, dimensions), spell, f"{origin}: types.{name}") for name, part in file.types.items()}
    return Parts(
        name=file.name,
        version=file.version,
        hash=hashlib.sha256(json.dumps(_binding(raw), sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()[:16],
        confidence=file.confidence,
        types=types,
        relationships={name: _relationship(name, part) for name, part in file.relationships.items()},
        predicates={name: _predicate(name, part, spell, f"{origin}: predicates.{name}") for name, part in file.predicates.items()},
        dimensions=dimensions,
        cues=file.cues,
        status_spellings=enums.get("status", ((), {}))[1],
    )


Enum = tuple[tuple[str, ...], dict[str, str]]


def _spellings(values: Mapping[str, Iterable[str]], spell: Spell, place: str) -> Enum:
    index: dict[str, str] = {}
    for value, others in values.items():
        for text in (value, *others):
            key = words_key(spell(text))
            if index.setdefault(key, value) != value:
                raise OntologyError(f"{place}: {text!r} is a spelling of both {index[key]} and {value}; leave it at one")
    return tuple(values), index


def _enum(part: SlotFile, enums: Mapping[str, Enum], spell: Spell, place: str) -> Enum:
    match part.values:
        case str() as name if name in enums:
            return enums[name]
        case dict() as values:
            return _spellings(values, spell, place)
        case list() as values:
            return _spellings(dict.fromkeys(values, ()), spell, place)
        case None:
            raise OntologyError(f"{place}: an enum needs `values`")
        case _:
            raise OntologyError(f"{place}: no enum {part.values!r}; declared: {', '.join(sorted(enums)) or 'none'}")


def _slot(name: str, part: SlotFile, enums: Mapping[str, Enum], spell: Spell, place: str) -> SlotDef:
    values, spellings = _enum(part, enums, spell, place) if part.kind == "enum" else ((), {})
    plain = part.model_dump(exclude={"values"})
    if plain["default"] is not None and values and plain["default"] not in values:
        raise OntologyError(f"{place}: the default {part.default!r} is none of {', '.join(values)}")
    return SlotDef(name=name, values=values, spellings=spellings, **plain)


def _type(name: str, part: TypeFile, known: tuple[Mapping[str, Enum], Mapping[str, SlotDef]], spell: Spell, place: str) -> TypeDef:
    enums, dimensions = known
    slots = {slot: _slot(slot, content, enums, spell, f"{place}.slots.{slot}") for slot, content in part.slots.items()}
    plain = {key: getattr(part, key) for key in TypeFile.model_fields if key not in {"slots", "shorthands", "open"}}
    return TypeDef(
        name=name,
        slots={**dimensions, **slots},
        shorthands={key: Shorthand(**content.model_dump()) for key, content in part.shorthands.items()},
        open_status=part.open,
        **plain,
    )


def _walk(part: WalkFile | None) -> Walk | None:
    return None if part is None else Walk(part.decay, part.hops)


def _relationship(name: str, part: RelationshipFile) -> RelationshipDef:
    plain = part.model_dump(exclude={"forward", "backward", "pairs"})
    return RelationshipDef(name=name, pairs=tuple(part.pairs), forward=_walk(part.forward), backward=_walk(part.backward), **plain)


def _predicate(name: str, part: PredicateFile, spell: Spell, place: str) -> PredicateDef:
    plain = part.model_dump(exclude={"key_values"})
    keys = {key: _spellings(values, spell, f"{place}.key_values.{key}")[1] for key, values in part.key_values.items()}
    return PredicateDef(name=name, key_values=keys, **plain)
