"""Selections and filters as Cypher conditions over a memory `m` and what was believed of it: parameters only, two-valued."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never

from graphmem.errors import InvalidInput
from graphmem.filters import And, Compare, Filter, Not, Or
from graphmem.model import State
from graphmem.ports import Selection
from graphmem.quantity import Quantity
from graphmem.stores.neo4j_names import OWN, slot_property
from graphmem.stores.neo4j_rows import BELIEVED_COLUMNS, MEMORY_COLUMNS
from graphmem.stores.records import spelled_out
from graphmem.temporal import FAR_FUTURE, FAR_PAST, to_moment
from graphmem.text import fold_name

_TEXTS = frozenset({"id", "type", "key", "source", "session_id", "task_id", "agent_id", "reason", "purpose"})
_NUMBERS = frozenset({"confidence", "importance", "strength", "access_count", "reinforcements", "pinned"})
_TIMES = frozenset({"valid_from", "valid_to", "recorded_at", "superseded_at", "last_accessed_at"})
_BELIEVED = frozenset({"confidence", "valid_from", "valid_to", "recorded_at", "superseded_at", "precision", "state"})
_IN_INDEX = frozenset({"type", "session_id", "task_id", "agent_id", "source"})
_SIGNS = {"$eq": "=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

_STORED: dict[State, tuple[str, ...]] = {
    "current": ("current", "superseded"),
    "disputed": ("disputed",),
    "superseded": ("superseded", "disputed"),
    "expired": ("current",),
    "upcoming": ("current", "disputed", "superseded"),
    "invalid": ("invalid",),
    "archived": ("archived",),
}
"""Which stored states may stand in a state at some moment."""

_BELIEF = """OPTIONAL MATCH (m)-[:HELD]->(held:Belief) WHERE held.recorded_at <= $as_of AND held.superseded_at > $as_of
WITH *, coalesce(held, CASE WHEN NOT EXISTS { (m)-[:HELD]->(:Belief) } AND coalesce(m.recorded_at, $far_past) <= $as_of
  AND coalesce(m.superseded_at, $far_future) > $as_of THEN m END) AS b"""
"""The belief that stood at a moment; a memory that has none stands for itself."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Cypher over `m` (and `b` where it looks back), its parameters, and the texts that fill a query's marked places."""

    where: str = "true"
    parameters: dict[str, Any] = field(default_factory=dict)
    believed: bool = False
    names: tuple[str, ...] = ()
    """Folded names of entities that it asks about; the store adds the ids of those so called as `$named`."""

    def into(self, query: str) -> str:
        columns = BELIEVED_COLUMNS if self.believed else MEMORY_COLUMNS
        return (
            query.replace("/*belief*/", _BELIEF if self.believed else "")
            .replace("/*where*/ true", self.where)
            .replace("/*columns*/ m.id", columns)
            .replace("/*b*/m", "b" if self.believed else "m")
        )


def condition(selection: Selection) -> Condition:
    """What a selection shows: as believed at `as_of` (now: the memory itself), in its states at `at`, where its filter holds."""
    believed = selection.as_of is not None
    compiler = _Compiler("b" if believed else "m", {"at": selection.at, "far_past": FAR_PAST, "far_future": FAR_FUTURE})
    parts = ["b IS NOT NULL"] if believed else []
    parts.append(_in_states(compiler.belief, selection.states))
    if selection.where is not None:
        parts.append(compiler.compile(spelled_out(selection.where)))
    if believed:
        compiler.parameters["as_of"] = selection.as_of
    return Condition(" AND ".join(parts), compiler.parameters, believed, tuple(compiler.names))


@dataclass(frozen=True, slots=True)
class IndexCondition:
    """What of a selection the vector index decides by itself; `rest` where rows must be looked at besides."""

    where: str
    parameters: dict[str, Any]
    rest: bool


def in_index(selection: Selection) -> IndexCondition:
    """The part of a selection (as believed now) that the index's own WHERE takes: equality, IN, one bound of a kind on a property."""
    stored = sorted({name for state in selection.states for name in _STORED[state]})
    parts, parameters = ["n.state IN $stored"], {"stored": stored, "at": selection.at}
    rest = selection.states != {"current", "disputed"}
    if not rest:
        parts.append("n.valid_from <= $at AND n.valid_to > $at")
    for part in _conjuncts(selection.where):
        name, value = f"i{len(parameters)}", getattr(part, "value", None)
        match part:
            case Compare(column, "$eq", str()) if column in _IN_INDEX:
                parts.append(f"n.{column} = ${name}")
                parameters[name] = value
            case Compare(column, "$in", values) if column in _IN_INDEX and all(isinstance(item, str) for item in values):
                parts.append(f"n.{column} IN ${name}")
                parameters[name] = list(values)
            case _:
                rest = True
    return IndexCondition(" AND ".join(parts), parameters, rest)


def _conjuncts(where: Filter | None) -> list[Filter]:
    if where is None:
        return []
    if isinstance(where, And):
        return [inner for part in where.parts for inner in _conjuncts(part)]
    return [where]


def _state_sql(alias: str) -> dict[State, str]:
    """`model.state_at` in Cypher."""
    live = f"{alias}.valid_from <= $at AND $at < {alias}.valid_to"
    past = f"{alias}.valid_from <= $at AND {alias}.valid_to <= $at"
    spans = {"current": live, "disputed": live, "superseded": past, "expired": past, "upcoming": f"$at < {alias}.valid_from"}
    return {
        state: f"({alias}.state IN {list(stored)!r}{' AND ' + spans[state] if state in spans else ''})" for state, stored in _STORED.items()
    }


def _in_states(alias: str, states: frozenset[State]) -> str:
    if states == {"current", "disputed"}:
        return f"{alias}.state IN ['current', 'superseded', 'disputed'] AND {alias}.valid_from <= $at AND $at < {alias}.valid_to"
    texts = _state_sql(alias)
    return "(" + (" OR ".join(texts[state] for state in sorted(states)) or "false") + ")"


@dataclass(slots=True)
class _Compiler:
    belief: str
    parameters: dict[str, Any]
    names: list[str] = field(default_factory=list)

    def compile(self, where: Filter) -> str:
        match where:
            case And(parts):
                return "(" + (" AND ".join(self.compile(part) for part in parts) or "true") + ")"
            case Or(parts):
                return "(" + (" OR ".join(self.compile(part) for part in parts) or "false") + ")"
            case Not(part):
                return f"(NOT {self.compile(part)})"
            case Compare(name, "$eq", str()) if name in _TEXTS:
                return f"(m.{name} IS NOT NULL AND m.{name} = {self.bind(where.value)})"
            case Compare():
                return f"coalesce({self._compare(where)}, false)"
            case _:
                assert_never(where)

    def bind(self, value: Any) -> str:
        name = f"f{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def _compare(self, compare: Compare) -> str:
        name = compare.field
        if name == "state":
            return self._state(compare)
        if name in {"entity", "entities"}:
            return self._entity(compare)
        if name == "keywords":
            return self._values(compare, [self._plain("m", "keywords")], part=False)
        if name.startswith("metadata."):
            return self._values(compare, self._places("m", name), part=True)
        if name == "location":
            return self._values(compare, [self._plain("m", "location"), *self._places(self.belief, slot_property(name))], part=True)
        if name in _TIMES:
            return self._time(compare)
        if name in _NUMBERS or name in _TEXTS:
            alias = self.belief if name in _BELIEVED else "m"
            return self._values(compare, [self._plain(alias, name)], part=True)
        return self._values(compare, self._places(self.belief, slot_property(name)), part=True)

    # ── what stands under a name: a scalar, a list, or lists by kind ──

    def _plain(self, alias: str, name: str) -> str:
        return f"{alias}.{name}" if name in OWN or _PLAIN_NAME.match(name) else f"{alias}[{self.bind(name)}]"

    def _places(self, alias: str, name: str) -> list[str]:
        return [self._plain(alias, name), *(f"{alias}[{self.bind(f'{name}.{kind}')}]" for kind in ("texts", "numbers", "times"))]

    def _values(self, compare: Compare, places: list[str], *, part: bool) -> str:
        """A list matches when one of its items does; `part`: `$contains` looks inside text too."""
        if compare.operator == "$exists":
            there = " OR ".join(f"{place} IS NOT NULL" for place in places)
            return f"(({there}) = {self.bind(bool(compare.value))})"
        if compare.operator == "$eq" and compare.value is None:
            return "(" + " AND ".join(f"{place} IS NULL" for place in places) + ")"
        return f"any(x IN [] {' '.join(f'+ coalesce({place}, [])' for place in places)} WHERE {self._item(compare, part=part)})"

    def _item(self, compare: Compare, *, part: bool) -> str:
        """One value `x` against the operand; unlike kinds compare as null, which is no match."""
        match compare.operator:
            case "$in":
                return f"x IN {self.bind(_either([_operand(value) for value in compare.value]))}"
            case "$contains" if part and isinstance(compare.value, str):
                wanted = self.bind(compare.value)
                return f"x = {wanted} OR (CASE WHEN x IS :: STRING NOT NULL THEN x CONTAINS {wanted} ELSE false END)"
            case "$eq" | "$contains":
                return f"x IN {self.bind(_either([_operand(compare.value)]))}"
            case "$gt" | "$gte" | "$lt" | "$lte":
                return f"x {_SIGNS[compare.operator]} {self.bind(_operand(compare.value))}"
            case "$ne" | "$nin" | "$exists":
                raise InvalidInput(f"{compare.operator} is spelled out before it is compiled")
            case _:
                assert_never(compare.operator)

    def _time(self, compare: Compare) -> str:
        column = f"{self.belief if compare.field in _BELIEVED else 'm'}.{compare.field}"
        absent = f"({column} IS NULL OR {column} = $far_past OR {column} = $far_future)"
        match compare.operator:
            case "$exists":
                return f"((NOT {absent}) = {self.bind(bool(compare.value))})"
            case "$in":
                return f"{column} IN {self.bind([to_moment(item) for item in compare.value])}"
            case "$eq" | "$contains" if compare.value is None:
                return absent
            case "$contains":
                return f"{column} = {self.bind(to_moment(compare.value))}"
            case "$eq" | "$gt" | "$gte" | "$lt" | "$lte" as operator:
                return f"(NOT {absent} AND {column} {_SIGNS[operator]} {self.bind(to_moment(compare.value))})"
            case "$ne" | "$nin":
                raise InvalidInput(f"{compare.operator} is spelled out before it is compiled")
            case _:
                assert_never(compare.operator)

    def _state(self, compare: Compare) -> str:
        cases = " ".join(f"WHEN {text} THEN '{state}'" for state, text in _state_sql(self.belief).items())
        return self._values(compare, [f"CASE {cases} END"], part=True)

    # ── entities ──

    def _entity(self, compare: Compare) -> str:
        """By id, by the name the memory uses, or by any name of the entity, also of one that was merged into it."""
        if compare.operator == "$exists":
            return f"((m.entity_ids IS NOT NULL) = {self.bind(bool(compare.value))})"
        if compare.operator not in {"$eq", "$in", "$contains"}:
            raise InvalidInput(f"entity cannot be compared with {compare.operator}; use $eq, $ne, $in, $nin, $contains or $exists")
        values = [str(value) for value in (compare.value if compare.operator == "$in" else [compare.value])]
        folded = [fold_name(value) for value in values]
        self.names.extend(folded)
        named = f"any(f IN $named WHERE f[0] IN {self.bind(folded)} AND f[1] IN m.entity_ids)"
        return (
            f"(any(x IN m.entity_ids WHERE x IN {self.bind(values)}) OR any(x IN m.entity_names WHERE x IN {self.bind(folded)}) OR {named})"
        )


def _operand(value: Any) -> Any:
    if isinstance(value, Quantity):
        return value.number
    if isinstance(value, datetime | str | int | float):
        return value
    raise InvalidInput(f"{value!r} cannot be compared in this way; give one value, or use $in")


def _either(values: list[Any]) -> list[Any]:
    """1 and true are one value, 0 and false too, as in Python."""
    twins = [
        bool(value) if not isinstance(value, bool) else int(value) for value in values if isinstance(value, int | float) and value in {0, 1}
    ]
    return [*values, *twins]
