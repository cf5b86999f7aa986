"""Names as they are written → entities: one that exists, or a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.core.identity import content_id
from graphmem.model import Entity
from graphmem.text import CJK, fold_name

UNKNOWN_KIND = "Thing"


def entity_id(user_id: str, folded: str, number: int = 0) -> str:
    """Make the id; `number` tells apart different ones of one name."""
    return content_id("entity", user_id, folded, number)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One mention: its name and, where the text or the slot says so, what kind of thing it is."""

    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """Entities by folded name, and those among them that are new or have changed."""

    found: Mapping[str, Entity]
    changed: tuple[Entity, ...]

    def of(self, name: str) -> Entity:
        return self.found[fold_name(name)]


def resolve(
    user_id: str, wanted: Iterable[Wanted], known: Sequence[Entity], aliases: Mapping[str, str], nearby: Sequence[Entity] = ()
) -> Resolution:
    """Match exact names first, then aliases, then parts of the name of a single entity nearby; make the rest new.

    `aliases` maps a further name to the name of its bearer, as declared now; it is taken on unless another entity has that name already.
    """
    directory = _Directory(user_id, known, nearby)
    kinds: dict[str, str | None] = {}
    for one in wanted:
        folded = fold_name(one.name)
        directory.spelled.setdefault(folded, one.name.strip())
        kinds[folded] = kinds.get(folded) or one.kind
    for alias, bearer in aliases.items():
        directory.name(bearer, alias)
    for folded, kind in kinds.items():
        directory.find(folded, kind)
    return Resolution(directory.found, tuple(directory.changed.values()))


class _Directory:
    """Entities by name while one call's mentions are looked up."""

    def __init__(self, user_id: str, known: Sequence[Entity], nearby: Sequence[Entity]) -> None:
        self.user_id = user_id
        self.names: dict[str, Entity] = {}
        self.aliases: dict[str, list[Entity]] = {}
        self.nearby = [one for one in nearby if one.merged_into is None]
        self.found: dict[str, Entity] = {}
        self.changed: dict[str, Entity] = {}
        self.spelled: dict[str, str] = {}
        for one in sorted(known, key=lambda entity: entity.id):
            if one.merged_into is None:
                self._enter(one)

    def _enter(self, entity: Entity) -> None:
        first = entity_id(self.user_id, fold_name(entity.name))
        if fold_name(entity.name) not in self.names or entity.id == first:
            self.names[fold_name(entity.name)] = entity
        for alias in entity.aliases:
            self.aliases.setdefault(fold_name(alias), []).append(entity)

    def name(self, bearer: str, alias: str) -> None:
        """Take a declared further name on; where only that one is known already, its bearer takes on the other."""
        folded = fold_name(alias)
        known_as = fold_name(bearer)
        self.spelled.setdefault(known_as, bearer.strip())
        self.spelled.setdefault(folded, alias.strip())
        if self._known(known_as, None) is None and self._known(folded, None) is not None:
            folded, known_as, alias, bearer = known_as, folded, bearer, alias
        entity = self.find(known_as, None)
        taken = folded in self.names or any(other.id != entity.id for other in self.aliases.get(folded, ()))
        if taken or folded in {fold_name(one) for one in entity.aliases}:
            return
        self._change(replace(entity, aliases=(*entity.aliases, alias.strip())))
        self.aliases[folded] = [self.found[known_as]]

    def find(self, folded: str, kind: str | None) -> Entity:
        entity = self.found.get(folded) or self._known(folded, kind)
        if entity is None:
            entity = Entity(id=entity_id(self.user_id, folded), user_id=self.user_id, name=self.spelled[folded], kind=kind or UNKNOWN_KIND)
            self.found[folded] = entity
            self._change(entity)
        elif entity.kind == UNKNOWN_KIND and kind not in {None, UNKNOWN_KIND}:
            self.found[folded] = entity
            self._change(replace(entity, kind=kind or UNKNOWN_KIND))
        self.found.setdefault(folded, entity)
        return self.found[folded]

    def _known(self, folded: str, kind: str | None) -> Entity | None:
        if folded in self.names:
            here = {one.id: one for one in self.nearby if fold_name(one.name) == folded}
            return next(iter(here.values())) if len(here) == 1 else self.names[folded]
        bearers = {one.id: one for one in self.aliases.get(folded, ())}
        if len(bearers) == 1:
            return self.changed.get(next(iter(bearers)), next(iter(bearers.values())))
        partial = [one for one in self.nearby if kind == "Person" and one.kind == "Person" and is_part(folded, fold_name(one.name))]
        return partial[0] if len({one.id for one in partial}) == 1 else None

    def _change(self, entity: Entity) -> None:
        """Replace it wherever it was met under one of its names."""
        self.changed[entity.id] = entity
        for directory in (self.found, self.names):
            directory.update({folded: entity for folded, other in directory.items() if other.id == entity.id})


def namesakes(known: Sequence[Entity]) -> list[Entity]:
    """Find entities that share their name with another; which one is meant depends on who was spoken of nearby."""
    names = [fold_name(one.name) for one in known if one.merged_into is None]
    return [one for one in known if one.merged_into is None and names.count(fold_name(one.name)) > 1]


def is_part(part: str, whole: str) -> bool:
    """Whether it is one word of a longer name ("wong" of "amy wong"); Chinese names are one word, their given name ends them."""
    if CJK.search(whole):
        return len(part) >= len("小明") and len(whole) - len(part) in {1, 2} and whole.endswith(part)
    words = whole.split()
    return len(words) > 1 and part in words
