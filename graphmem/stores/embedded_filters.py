"""Selections and filters as SQL conditions over a memory `m`: parameters only, two-valued, every operator pushed down."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never

from graphmem.errors import InvalidInput
from graphmem.filters import And, Compare, Filter, Not, Or
from graphmem.model import State
from graphmem.ports import Selection
from graphmem.stores.embedded_rows import OPEN_END, OPEN_START
from graphmem.stores.records import fixed, micros, plain, spelled_out
from graphmem.temporal import to_moment
from graphmem.text import fold_name

_TEXTS = frozenset({"id", "type", "key", "source", "session_id", "task_id", "agent_id", "speaker", "role", "reason", "purpose"})
_NUMBERS = frozenset({"confidence", "importance", "strength", "access_count", "reinforcements", "pinned"})
_TIMES = frozenset({"valid_from", "valid_to", "recorded_at", "superseded_at", "said_at", "last_accessed_at"})
_SIGNS = {"$eq": "=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}

_LIVE = "m.valid_from <= :at AND :at < m.valid_to"
_PAST = "m.valid_from <= :at AND m.valid_to <= :at"
_STATES: dict[State, str] = {
    "current": f"(m.stored_state IN ('current', 'superseded') AND {_LIVE})",
    "disputed": f"(m.stored_state = 'disputed' AND {_LIVE})",
    "superseded": f"(m.stored_state IN ('superseded', 'disputed') AND {_PAST})",
    "expired": f"(m.stored_state = 'current' AND {_PAST})",
    "upcoming": "(m.stored_state IN ('current', 'disputed', 'superseded') AND :at < m.valid_from)",
    "invalid": "m.stored_state = 'invalid'",
    "archived": "m.stored_state = 'archived'",
}
"""`model.state_at` in SQL."""


@dataclass(frozen=True, slots=True)
class Condition:
    """SQL over `m`, its parameters, and the table or view that stands for `m`."""

    sql: str = "1"
    parameters: dict[str, Any] = field(default_factory=dict)
    source: str = "memories"

    def into(self, query: str, columns: str = "m.*") -> str:
        """The query file with its marked places filled."""
        return query.replace("/*columns*/ m.*", columns).replace("/*source*/ memories", self.source).replace("/*where*/ 1", f"({self.sql})")


def condition(selection: Selection) -> Condition:
    """What a selection shows: as believed at `as_of` (now: the memory's own row), in its states at `at`, where its filter holds."""
    compiler = _Compiler({"at": micros(selection.at)})
    parts = [_in_states(selection.states)]
    if selection.where is not None:
        parts.append(compiler.compile(spelled_out(selection.where)))
    if selection.as_of is None:
        return Condition(" AND ".join(parts), compiler.parameters)
    compiler.parameters["as_of"] = micros(selection.as_of)
    parts.append("m.believed_from <= :as_of AND :as_of < m.believed_to")
    return Condition(" AND ".join(parts), compiler.parameters, "believed")


def where_only(where: Filter, at: datetime) -> Condition:
    """The filter alone, over the memories' own rows."""
    compiler = _Compiler({"at": micros(at)})
    return Condition(compiler.compile(spelled_out(where)), compiler.parameters)


def _in_states(states: frozenset[State]) -> str:
    if states == {"current", "disputed"}:
        return f"(m.stored_state IN ('current', 'superseded', 'disputed') AND {_LIVE})"
    return "(" + (" OR ".join(_STATES[state] for state in sorted(states)) or "0") + ")"


@dataclass(slots=True)
class _Compiler:
    parameters: dict[str, Any]

    def compile(self, where: Filter) -> str:
        match where:
            case And(parts):
                return "(" + (" AND ".join(self.compile(part) for part in parts) or "1") + ")"
            case Or(parts):
                return "(" + (" OR ".join(self.compile(part) for part in parts) or "0") + ")"
            case Not(part):
                return f"(NOT {self.compile(part)})"
            case Compare():
                return f"coalesce({self._compare(where)}, 0)"
            case _:
                assert_never(where)

    def bind(self, value: Any) -> str:
        name = f"f{len(self.parameters)}"
        self.parameters[name] = value
        return f":{name}"

    def _compare(self, compare: Compare) -> str:
        name = compare.field
        if name == "state":
            return self._state(compare)
        if name in {"entity", "entities"}:
            return self._entity(compare)
        if name == "keywords":
            return self._values(compare, "m.keywords", None)
        if name.startswith("metadata."):
            return self._values(compare, "m.metadata", name.removeprefix("metadata."))
        if name in _TIMES:
            return self._time(compare)
        if name in _NUMBERS or name in _TEXTS:
            return self._column(compare, f"m.{name}")
        if name == "location":
            return self._location(compare)
        return self._values(compare, "m.slots", name)

    def _location(self, compare: Compare) -> str:
        """A dimension of every memory and a slot of some: either."""
        if compare.operator == "$exists":
            there = Compare("location", "$exists", value=True)
            either = f"({self._column(there, 'm.location')} OR {self._values(there, 'm.slots', 'location')})"
            return f"{either} = {self.bind(int(bool(compare.value)))}"
        return f"(coalesce({self._column(compare, 'm.location')}, 0) OR coalesce({self._values(compare, 'm.slots', 'location')}, 0))"

    # ── columns ──

    def _column(self, compare: Compare, column: str) -> str:
        match compare.operator:
            case "$exists":
                return f"({column} IS NOT NULL) = {self.bind(int(bool(compare.value)))}"
            case "$in":
                return f"{column} IN (SELECT value FROM json_each({self.bind(_json_list(compare.value))}))"
            case "$contains":
                return f"instr({column}, {self.bind(str(compare.value))}) > 0"
            case "$eq" if compare.value is None:
                return f"{column} IS NULL"
            case "$eq" | "$gt" | "$gte" | "$lt" | "$lte":
                kind = "typeof({0}) = 'text'" if isinstance(compare.value, str) else "typeof({0}) IN ('integer', 'real')"
                return f"({kind.format(column)} AND {column} {_SIGNS[compare.operator]} {self.bind(_scalar(compare.value))})"
            case "$ne" | "$nin":
                raise InvalidInput(f"{compare.operator} is spelled out before it is compiled")
            case _:
                assert_never(compare.operator)

    def _time(self, compare: Compare) -> str:
        column = f"m.{compare.field}"
        edge = {"valid_from": OPEN_START, "valid_to": OPEN_END}.get(compare.field)
        absent = f"{column} IS NULL" if edge is None else f"{column} = {edge}"
        match compare.operator:
            case "$exists":
                return f"(NOT ({absent})) = {self.bind(int(bool(compare.value)))}"
            case "$in":
                times = json.dumps([micros(to_moment(item)) for item in compare.value])
                return f"{column} IN (SELECT value FROM json_each({self.bind(times)}))"
            case "$eq" | "$contains" if compare.value is None:
                return absent
            case "$contains":
                return f"{column} = {self.bind(micros(to_moment(compare.value)))}"
            case operator:
                return f"(NOT ({absent}) AND {column} {_SIGNS[operator]} {self.bind(micros(to_moment(compare.value)))})"

    def _state(self, compare: Compare) -> str:
        cases = " ".join(f"WHEN {sql} THEN '{state}'" for state, sql in _STATES.items())
        return self._column(compare, f"CASE {cases} END")

    # ── values inside JSON: a list matches when one of its items does ──

    def _values(self, compare: Compare, column: str, name: str | None) -> str:
        """`name`: a key of the JSON object in the column; None: the column is a JSON list itself."""
        if name is not None and '"' in name:
            raise InvalidInput(f"a key with a quotation mark cannot be filtered by: {name}")
        path = self.bind("$" if name is None else f'$."{name}"')
        kind, value = f"json_type({column}, {path})", f"json_extract({column}, {path})"
        if compare.operator == "$exists":
            some = f"coalesce({kind} <> 'null' AND {value} NOT IN ('[]', '{{}}'), 0)"
            return f"{some} = {self.bind(int(bool(compare.value)))}"
        if compare.operator == "$eq" and compare.value is None:
            return f"coalesce({kind} = 'null', 1)"
        part = name is not None
        whole, item = self._matches(compare, kind, value, part=part), self._matches(compare, "v.type", "v.value", part=part)
        inside = f"EXISTS (SELECT 1 FROM json_tree({column}, {path}) AS v WHERE {item})"
        return f"CASE {kind} WHEN 'array' THEN {inside} WHEN 'object' THEN {inside} ELSE {whole} END"

    def _matches(self, compare: Compare, kind: str, value: str, *, part: bool) -> str:
        """One JSON value of a kind against the operand; `part`: `$contains` looks inside text too."""
        wanted = compare.value
        if compare.operator == "$in":
            listed = self.bind(_json_list(wanted))
            return f"({kind} NOT IN ('object', 'array') AND {value} IN (SELECT value FROM json_each({listed})))"
        operand = _scalar(wanted)
        if compare.operator == "$contains" and part and isinstance(wanted, str):
            return f"({kind} = 'text' AND instr({value}, {self.bind(wanted)}) > 0)"
        kinds = "= 'text'" if isinstance(operand, str) else "IN ('integer', 'real', 'true', 'false')"
        dated = f" AND {value} GLOB '[0-9][0-9][0-9][0-9]-*T*Z'" if isinstance(wanted, datetime) else ""
        return f"({kind} {kinds}{dated} AND {value} {_SIGNS.get(compare.operator, '=')} {self.bind(operand)})"

    # ── entities ──

    def _entity(self, compare: Compare) -> str:
        """By id, by the name the memory uses, or by any name of the entity, also of one that was merged into it."""
        named = "SELECT 1 FROM memory_entities AS r WHERE r.user_id = m.user_id AND r.memory_id = m.id"
        if compare.operator == "$exists":
            return f"EXISTS ({named}) = {self.bind(int(bool(compare.value)))}"
        if compare.operator not in {"$eq", "$in", "$contains"}:
            raise InvalidInput(f"entity cannot be compared with {compare.operator}; use $eq, $ne, $in, $nin, $contains or $exists")
        values = [str(value) for value in (compare.value if compare.operator == "$in" else [compare.value])]
        folded, ids = self.bind(json.dumps([fold_name(value) for value in values])), self.bind(json.dumps(values))
        known = (
            f"SELECT n.entity_id FROM entity_names AS n WHERE n.user_id = :user_id AND n.folded IN (SELECT value FROM json_each({folded}))"
        )
        return (
            f"m.id IN (SELECT r.memory_id FROM memory_entities AS r WHERE r.user_id = :user_id AND r.entity_id IN ({known} "
            f"UNION SELECT e.merged_into FROM entities AS e WHERE e.user_id = :user_id AND e.merged_into IS NOT NULL AND e.id IN ({known}) "
            f"UNION SELECT value FROM json_each({ids}))) "
            f"OR EXISTS ({named} AND r.folded IN (SELECT value FROM json_each({folded})))"
        )


def _scalar(value: Any) -> Any:
    found = fixed(value) if isinstance(value, datetime) else plain(value)
    if isinstance(found, list | dict):
        raise InvalidInput(f"{value!r} cannot be compared in this way; give one value, or use $in")
    return int(found) if isinstance(found, bool) else found


def _json_list(values: Sequence[Any]) -> str:
    return json.dumps([plain(value) for value in values], ensure_ascii=False, separators=(",", ":"))
