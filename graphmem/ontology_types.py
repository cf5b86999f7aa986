"""The parts of an ontology as frozen values; `ontology_load` reads them from YAML."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from graphmem.model import NOTHING, Policy

SlotKind: TypeAlias = Literal[
    "text",
    "enum",
    "number",
    "integer",
    "quantity",
    "unit",
    "date",
    "interval",
    "entity",
    "entities",
    "list",
    "bool",
    "relation",
    "mapping",
    "pattern",
    "any",
]
SLOT_KINDS: tuple[SlotKind, ...] = get_args(SlotKind)
ObjectKind: TypeAlias = Literal[
    "entity", "person", "place", "organization", "thing", "text", "status", "quantity", "number", "date", "version", "any"
]
ENTITY_KINDS: frozenset[str] = frozenset({"entity", "person", "place", "organization", "thing"})
"""Kinds of object that are resolved to an entity."""
ClaimKind: TypeAlias = Literal["fact", "preference", "constraint"]
Direction: TypeAlias = Literal["upper", "lower", "equal", "ne", "in", "not_in", "must", "must_not"]

RESERVED = frozenset(
    [
        "id",
        "user_id",
        "type",
        "state",
        "stored_state",
        "name",
        "text",
        "summary",
        "search_text",
        "key",
        "valid_from",
        "valid_to",
        "precision",
        "recorded_at",
        "superseded_at",
        "session_id",
        "task_id",
        "agent_id",
        "refs",
        "entity",
        "entities",
        "keywords",
        "reason",
        "purpose",
        "importance",
        "confidence",
        "source",
        "access_count",
        "last_accessed_at",
        "reinforcements",
        "pinned",
        "metadata",
        "embedding",
        "vector",
        "versions",
        "statements",
        "relationships",
    ]
)
"""Names that a slot may not take: fields of every memory, or of its record in a store."""
EMPTY: Mapping[str, str] = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotDef:
    """One slot; for an enum `spellings` maps each folded spelling to its value, for a date `end` keeps the last second of a stated day."""

    name: str
    kind: SlotKind = "text"
    required: bool = False
    default: Any = None
    values: tuple[str, ...] = ()
    spellings: Mapping[str, str] = EMPTY
    ordered: bool = False
    minimum: float | None = None
    maximum: float | None = None
    indexed: bool = False
    side: Literal["start", "end"] = "start"
    unit_slot: str | None = None
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shorthand:
    """What an accepted spelling of a property stands for: a slot (or `text`), a relationship to the memory with that id, or a mention.

    `moves` renames other given properties and `sets` fills absent ones, both only where this shorthand is used and the target is free.
    """

    slot: str | None = None
    link: str | None = None
    mention: str | None = None
    moves: Mapping[str, str] = EMPTY
    sets: Mapping[str, str] = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeDef:
    """One type of memory: its slots and how it behaves over time. `half_life` None never decays; `floor` is what decay leaves."""

    name: str
    about: str = ""
    aliases: tuple[str, ...] = ()
    slots: Mapping[str, SlotDef] = field(default_factory=dict)
    shorthands: Mapping[str, Shorthand] = field(default_factory=dict)
    claim: ClaimKind | None = None
    keyed: bool = False
    """Known again by its head noun and entities (goals, plans, steps, events)."""
    half_life: timedelta | None = None
    floor: float = 0.0
    archive_after: timedelta | None = None
    archive_when: Literal["aged", "closed"] = "aged"
    """Whether `archive_after` counts from its time, or from when its status closed."""
    open_status: tuple[str, ...] = ()
    recalled: bool = True
    """False: only recalled when asked for by type."""
    in_context: Literal["always", "active"] | None = None
    precedence: float = 1.0
    caption: str = ""
    prototypes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Questions that it answers, by language."""
    cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Regular expressions over a folded question that asks for it, by strength: sure, likely, hint; `not` is cut out of the question first."""
    transitions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reopening: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    policy: Policy | None = None

    @property
    def decays(self) -> bool:
        return self.half_life is not None

    @property
    def closed_status(self) -> tuple[str, ...]:
        status = self.slots.get("status")
        return tuple(value for value in status.values if value not in self.open_status) if status and self.open_status else ()


@dataclass(frozen=True, slots=True)
class Walk:
    """How a chain goes along a relationship: the factor on the path's score per hop, and how many hops at most."""

    decay: float
    hops: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipDef:
    """`forward` walks source → target, `backward` target → source; None is not walked."""

    name: str
    aliases: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = (("any", "any"),)
    same_type: bool = False
    acyclic: bool = False
    symmetric: bool = False
    forward: Walk | None = None
    backward: Walk | None = None
    chain: bool = False
    """Part of the goal → plan → step → event skeleton."""
    always: bool = False
    """Its other end always travels along."""
    history: bool = False
    """Walked only where history is asked for."""
    provenance: bool = False
    entity: bool = False
    """Leads to an entity, not to a memory."""
    acts: Literal["supersede", "dispute"] | None = None
    evidence: Literal[-1, 0, 1] = 0
    """Whether it lowers or raises the confidence of its target."""

    def joins(self, source: str, target: str) -> bool:
        """Whether it may lead from one type to the other (canonical names; `Entity` for entities)."""
        if self.same_type and source != target:
            return False
        return any(first in {"any", source} and second in {"any", target} for first, second in self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredicateDef:
    """A relation of facts. `key` are the qualifiers that tell two claims apart; `…` in an alias stands for the object."""

    name: str
    kind: ObjectKind = "any"
    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()
    functional: bool = False
    symmetric: bool = False
    inverse: str | None = None
    immutable: bool = False
    key: tuple[str, ...] = ()
    key_values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Per key qualifier: folded spelling → the one that keys are made of."""
    opposes: tuple[str, ...] = ()
    polarity: str | None = None
    """Stands for a Preference of this polarity."""
    unit: str | None = None
    """What a bare number means."""
    external_first: bool = False
    """External sources and tools rank before the user, as for facts about the world."""
    policy: Policy | None = None

    @property
    def aliases(self) -> tuple[str, ...]:
        return self.en + self.zh

    @property
    def names_entity(self) -> bool:
        return self.kind in ENTITY_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """A record's properties after normalisation.

    `originals`: the given value of each slot whose stored form differs. `links`: (relationship, id of the other memory) found in shorthands.
    `dimensions`: fields of the record that came among the properties. `mentions`: (name, role). `unparsed`: slots kept as text.
    """

    type: str
    properties: Mapping[str, Any]
    originals: Mapping[str, Any] = NOTHING
    links: tuple[tuple[str, str], ...] = ()
    dimensions: Mapping[str, Any] = NOTHING
    mentions: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    unparsed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A checked ontology before its indexes: everything by canonical name."""

    name: str
    version: str
    hash: str
    confidence: Mapping[str, float]
    types: Mapping[str, TypeDef]
    relationships: Mapping[str, RelationshipDef]
    predicates: Mapping[str, PredicateDef]
    dimensions: Mapping[str, SlotDef]
    cues: Mapping[str, tuple[str, ...]]
    status_spellings: Mapping[str, str]


@lru_cache(maxsize=2048)
def cue(pattern: str) -> re.Pattern[str]:
    r"""Compile one pattern of a question; ASCII, so that a Latin word ends (`\b`) where Chinese begins."""
    return re.compile(pattern, re.ASCII)


def plain_fold(text: str) -> str:
    """Like `text.fold`, without the dictionary of traditional characters: for spellings that are known to be simplified."""
    return unicodedata.normalize("NFKC", text).casefold()


def words_key(folded: str) -> str:
    """`in_progress`, `in-progress` and `in progress` are one spelling; outer quotes and full stops do not matter."""
    return " ".join(re.sub(r"[_\-‐-―]", " ", folded).split()).strip(" .。\"'“”…") or folded.strip()
