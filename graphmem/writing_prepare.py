"""First step of a write: each draft checked and normalised against the ontology, before anything is read or decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Any

from graphmem.core.sanitising import clean
from graphmem.errors import InvalidInput, InvalidSlot, OntologyError
from graphmem.model import SOURCES, Draft, DraftLink, EntityRole, Mention, Rejected, Source
from graphmem.ontology import Normalised, Ontology, PredicateDef, RelationshipDef
from graphmem.temporal import aware, to_moment

KINDS: Mapping[str, str] = MappingProxyType({"person": "Person", "place": "Place", "organization": "Organization"})
ROLES: Mapping[str, EntityRole] = MappingProxyType(
    {"SUBJECT": "subject", "OBJECT": "object", "INVOLVES": "involves", "MENTIONS": "mentions"}
)
EPISODE = "Episode"
EXTRACTOR = "extractor"
"""Metadata: the name of what read a memory in a turn; absent where a caller wrote it."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft that can be stored: canonical type, normalised slots, aware times, relationships by their ontology names."""

    draft: Draft
    type: str
    properties: Mapping[str, Any]
    text: str
    source: Source
    confidence: float
    recorded_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    mentions: tuple[Mention, ...]
    links: tuple[DraftLink, ...]
    metadata: Mapping[str, Any]

    @property
    def names(self) -> Iterator[Mention]:
        return (one for one in self.mentions if one.name.strip())


@dataclass(frozen=True, slots=True)
class Preparer:
    """What normalisation needs besides the draft."""

    ontology: Ontology
    zone: tzinfo | None
    min_confidence: float

    def prepare(self, draft: Draft, now: datetime, count: int) -> Prepared:
        """Raise OntologyError or InvalidInput with what would be accepted; `count` is how many drafts the call has."""
        found = self._normalised(draft)
        draft = _with_dimensions(draft, found.dimensions)
        source: Source = draft.source or "user"
        if source not in SOURCES:
            raise InvalidInput(f"unknown source {source!r}; allowed: {', '.join(SOURCES)}")
        recorded_at = now if draft.recorded_at is None else aware(draft.recorded_at, self.zone)
        valid_from = recorded_at if draft.valid_from is None else aware(draft.valid_from, self.zone)
        valid_to = None if draft.valid_to is None else aware(draft.valid_to, self.zone)
        if valid_to is not None and valid_to < valid_from and draft.valid_from is None:
            valid_from = valid_to
        if valid_to is not None and valid_to < valid_from:
            raise InvalidInput(f"it ends at {valid_to.isoformat()} before it begins at {valid_from.isoformat()}")
        _share(found.type, "importance", draft.importance, 0.5)
        text = draft.text or found.text or self.ontology.caption(found.type, found.properties)
        return Prepared(
            draft=draft,
            type=found.type,
            properties=found.properties,
            text=clean(text)[0],
            source=source,
            confidence=_share(found.type, "confidence", draft.confidence, self.ontology.default_confidence(source)),
            recorded_at=recorded_at,
            valid_from=valid_from,
            valid_to=valid_to,
            mentions=tuple(dict.fromkeys((*self._slots(found), *_named(found), *draft.mentions, *self._entity_links(draft)))),
            links=tuple(self._links(draft, found, count)),
            metadata=_metadata(draft, found),
        )

    def unsure(self, draft: Draft) -> str | None:
        """Why an extracted memory is too unsure to be kept; what a caller writes is kept whatever its confidence."""
        if draft.extractor is None or draft.confidence is None or draft.confidence >= self.min_confidence:
            return None
        return f"low_confidence: {draft.confidence:.2f} is below min_confidence {self.min_confidence:.2f}"

    def _normalised(self, draft: Draft) -> Normalised:
        if draft.type == EPISODE and isinstance(draft.properties.get("said_at"), datetime):
            return Normalised(type=EPISODE, properties=draft.properties)
        return self.ontology.normalise(draft.type, draft.properties, self.zone)

    def _slots(self, found: Normalised) -> Iterator[Mention]:
        """Mentions that stand in slots: a claim's subject, an object that its predicate says is an entity, owners, participants."""
        for name, slot in self.ontology.type(found.type).slots.items():
            value = found.properties.get(name)
            role: EntityRole = "subject" if name == "subject" else "object" if name == "object" else "involves"
            if slot.kind == "entity" and isinstance(value, str):
                yield Mention(value, None, role)
            elif slot.kind == "entities" and isinstance(value, list):
                yield from (Mention(str(one), None, role) for one in value)
        known = self.ontology.claim_predicate(found.type, found.properties) if found.type != EPISODE else None
        value = found.properties.get("object")
        if _refers(known) and isinstance(value, str):
            yield Mention(value, KINDS.get(known.kind) if known else None, "object")

    def _entity_links(self, draft: Draft) -> Iterator[Mention]:
        """Relationships that lead to an entity (`about`, `participant`) name it."""
        for link in draft.links:
            known = self._relationship(link.type)
            if known.entity and link.target_id:
                yield Mention(link.target_id, None, ROLES.get(known.name, "involves"))

    def _relationship(self, name: str) -> RelationshipDef:
        """Look a canonical name up without folding it."""
        return self.ontology.relationships.get(name) or self.ontology.relationship(name)

    def _links(self, draft: Draft, found: Normalised, count: int) -> Iterator[DraftLink]:
        given = (*draft.links, *(DraftLink(type_, target_id=target) for type_, target in found.links))
        for link in given:
            known = self._relationship(link.type)
            if known.entity:
                continue
            if (link.target_id is None) == (link.target_index is None):
                raise InvalidInput(
                    f"a {known.name} relationship needs a target: the id of a memory, or the position of a draft in the call"
                )
            if link.target_index is not None and not 0 <= link.target_index < count:
                raise InvalidInput(f"{known.name} points at draft {link.target_index} of {count}")
            yield link if link.type == known.name else replace(link, type=known.name)


def _refers(known: PredicateDef | None) -> bool:
    return known is not None and known.names_entity


def _named(found: Normalised) -> Iterator[Mention]:
    for name, role in found.mentions:
        yield Mention(name, None, role if role in ROLES.values() else "involves")  # type: ignore[arg-type]  # one of the four roles


def _share(type_: str, name: str, value: float | None, default: float) -> float:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidSlot(type_, name, f"{value!r} is no number from 0 to 1")
    return float(value)


def _with_dimensions(draft: Draft, found: Mapping[str, Any]) -> Draft:
    """Fill the draft with the record's own fields that came among its slots, where it has none of its own."""
    changes: dict[str, Any] = {}
    for name, value in found.items():
        match name:
            case "keywords":
                changes[name] = tuple([value] if isinstance(value, str) else value)
            case "valid_from" | "valid_to":
                changes[name] = to_moment(value)
            case "entities":
                changes["mentions"] = (*draft.mentions, *(Mention(str(one)) for one in ([value] if isinstance(value, str) else value)))
            case "access_count" | "last_accessed_at":
                continue
            case _:
                changes[name] = value
    if not changes:
        return draft
    free = {name: value for name, value in changes.items() if name == "mentions" or not getattr(draft, name)}
    return replace(draft, **free)


def _metadata(draft: Draft, found: Normalised) -> Mapping[str, Any]:
    """Join the caller's own with what normalisation changed: the given value of each slot, and slots kept as text."""
    extra: dict[str, Any] = {}
    if found.originals:
        extra["originals"] = dict(found.originals)
    if found.unparsed:
        extra["unparsed"] = list(found.unparsed)
    if draft.extractor is not None:
        extra[EXTRACTOR] = draft.extractor
    if draft.evidence is not None:
        extra["evidence"] = list(draft.evidence)
    return {**draft.metadata, **extra} if extra else draft.metadata


def prepare_all(preparer: Preparer, drafts: Sequence[Draft], now: datetime) -> list[Prepared | Rejected]:
    """For each draft what can be stored, or why it cannot."""
    prepared: list[Prepared | Rejected] = []
    for draft in drafts:
        unsure = preparer.unsure(draft)
        try:
            prepared.append(Rejected(unsure, draft) if unsure else preparer.prepare(draft, now, len(drafts)))
        except (OntologyError, InvalidInput) as error:
            prepared.append(Rejected(str(error), draft))
    return prepared
