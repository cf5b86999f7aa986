"""The Filter tree, its JSON form, and what it means for one record; operators as in Chroma, Pinecone and LangGraph.

Meaning, the same in every store:

* A field that holds a list (or a mapping) is met when one of its items is. `$contains` is met by an equal item, or by a part of a text.
* `$ne`, `$nin` and `$not` also match what lacks the field; every other operator but `$exists: false` does not.
* A date names its whole day (month, year): `$eq` lies in it, `$lt` before it, `$gt` after it. Interval slots are compared by their start.
* Texts, numbers and times are only compared with their like; quantities by their number (filter the unit beside it).
* `entity` is met by any entity of the memory, by folded name or by id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Literal, Protocol, TypeAlias, assert_never, get_args

from graphmem.errors import InvalidInput, UnknownType
from graphmem.model import MemoryRecord, State
from graphmem.quantity import Quantity
from graphmem.temporal import Interval, iso
from graphmem.text import fold_name

Operator = Literal["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$exists", "$contains"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
MAX_DEPTH, MAX_PARTS, MAX_VALUES = 16, 512, 4096


@dataclass(frozen=True, slots=True)
class Compare:
    """One field against one (normalised) value; a tuple for `$in` and `$nin`, a bool for `$exists`."""

    field: str
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class And:
    """Without parts it matches everything."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: Filter


Filter: TypeAlias = Compare | And | Or | Not


class Fields(Protocol):
    """What parsing has to know of the ontology."""

    def allowed_fields(self) -> Collection[str]: ...
    def normalise_field(self, name: str, value: Any, zone: tzinfo | None = None) -> Any:
        """Read the value as the field stores it; an Interval for what is stated as a time."""
        ...

    def field_order(self, name: str) -> tuple[str, ...] | None:
        """Values from least to greatest; () where none is less than another; None where they compare by themselves."""
        ...


# ── JSON → tree ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def parse(given: Mapping[str, Any] | Filter, fields: Fields, zone: tzinfo | None = None) -> Filter:
    """Read the JSON form: several keys mean `$and`, a bare value `$eq`, a list of values `$in`, null that the field is absent.

    Values are normalised; an unknown field or operator raises UnknownType with the allowed ones.
    """
    if isinstance(given, Compare | And | Or | Not):
        return given
    reader = _Reader(fields, zone)
    found = reader.read(given, 0)
    if sum(1 for _ in _walk(found)) > MAX_PARTS:
        raise InvalidInput(f"the filter has more than {MAX_PARTS} parts; use $in, or several reads")
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    fields: Fields
    zone: tzinfo | None

    def read(self, given: Any, depth: int) -> Filter:
        if depth > MAX_DEPTH:
            raise InvalidInput(f"the filter is nested deeper than {MAX_DEPTH}")
        if not isinstance(given, Mapping):
            raise InvalidInput(f'a filter is a JSON object such as {{"type": "Goal"}}, not {given!r}')
        return _all(tuple(self._key(key, value, depth) for key, value in given.items()))

    def _key(self, key: Any, value: Any, depth: int) -> Filter:
        match key:
            case "$and":
                return _all(self._parts(key, value, depth))
            case "$or":
                parts = self._parts(key, value, depth)
                return parts[0] if len(parts) == 1 else Or(parts)
            case "$not":
                return Not(self.read(value, depth + 1))
            case "metadata" if isinstance(value, Mapping):
                return _all(tuple(self._field(f"metadata.{name}", item) for name, item in value.items()))
            case str() if not key.startswith("$"):
                return self._field(key, value)
            case _:
                raise UnknownType("filter operator", str(key), ("$and", "$or", "$not", *OPERATORS))

    def _parts(self, key: str, value: Any, depth: int) -> tuple[Filter, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise InvalidInput(f"{key} takes a list of at least one filter")
        return tuple(self.read(item, depth + 1) for item in value)

    def _field(self, name: str, value: Any) -> Filter:
        if name not in self.fields.allowed_fields() and not (name.startswith("metadata.") and name != "metadata."):
            raise UnknownType("filter field", name, (*self.fields.allowed_fields(), "metadata.<key>"))
        if isinstance(value, Mapping):
            if not value:
                raise InvalidInput(f'{name}: give a value or an operator such as {{"$eq": …}}')
            return _all(tuple(self._compare(name, operator, item) for operator, item in value.items()))
        return self._compare(name, "$in" if isinstance(value, list | tuple) else "$eq", value)

    def _compare(self, name: str, operator: str, value: Any) -> Filter:
        match operator:
            case "$exists":
                if not isinstance(value, bool):
                    raise InvalidInput(f"{name}: $exists takes true or false")
                return Compare(name, "$exists", value)
            case "$in" | "$nin":
                return self._among(name, operator, value)
            case "$eq" | "$ne" if value is None:
                return Compare(name, "$exists", operator == "$ne")
            case "$gt" | "$gte" | "$lt" | "$lte":
                return self._ordered(name, operator, value)
            case "$eq" | "$ne" | "$contains":
                return _timed(name, operator, self._value(name, value))
            case _:
                raise UnknownType("filter operator", f"{name}: {operator}", OPERATORS)

    def _among(self, name: str, operator: Literal["$in", "$nin"], value: Any) -> Filter:
        if not isinstance(value, list | tuple) or len(value) > MAX_VALUES:
            raise InvalidInput(f"{name}: {operator} takes a list of at most {MAX_VALUES} values")
        values = tuple(self._value(name, item) for item in value)
        if not any(isinstance(item, Interval) for item in values):
            return Compare(name, operator, values)
        one_of = Or(tuple(_timed(name, "$eq", item) for item in values))
        return one_of if operator == "$in" else Not(one_of)

    def _ordered(self, name: str, operator: Operator, value: Any) -> Filter:
        order = None if name.startswith("metadata.") else self.fields.field_order(name)
        found = self._value(name, value)
        if order is None:
            return _timed(name, operator, found)
        if not order:
            raise InvalidInput(f"{name} has no order; use $eq, $ne, $in, $nin or $exists")
        place = order.index(found)
        return Compare(name, "$in", tuple(item for rank, item in enumerate(order) if _ORDERS[operator](rank, place)))

    def _value(self, name: str, value: Any) -> Any:
        if value is None or isinstance(value, Mapping | list | tuple):
            raise InvalidInput(f"{name}: {value!r} is not one value; give a text, a number, a time, true or false")
        return value if name.startswith("metadata.") else self.fields.normalise_field(name, value, self.zone)


def _all(parts: tuple[Filter, ...]) -> Filter:
    return parts[0] if len(parts) == 1 else And(parts)


def _timed(name: str, operator: Operator, value: Any) -> Filter:
    """Write a comparison with an interval as one with its ends, so that stores compare moments only."""
    if not isinstance(value, Interval):
        return Compare(name, operator, value)
    start, end = value.start or value.end, value.end
    if start is None:
        raise InvalidInput(f"{name}: an interval without start and end compares with nothing")
    if end is None or value.start is None:
        return Compare(name, "$eq" if operator == "$contains" else operator, start)
    within = And((Compare(name, "$gte", start), Compare(name, "$lt", end)))
    match operator:
        case "$eq" | "$contains":
            return within
        case "$ne":
            return Not(within)
        case "$gt":
            return Compare(name, "$gte", end)
        case "$lte":
            return Compare(name, "$lt", end)
        case _:
            return Compare(name, operator, start)


# ── tree → JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def to_json(where: Filter) -> dict[str, Any]:
    """Write the JSON that `parse` reads as this filter."""
    match where:
        case Compare(field, operator, value):
            return {field: {operator: _json(value)}}
        case And(parts):
            return {"$and": [to_json(part) for part in parts]} if parts else {}
        case Or(parts):
            return {"$or": [to_json(part) for part in parts]}
        case Not(part):
            return {"$not": to_json(part)}
        case _:
            assert_never(where)


def _json(value: Any) -> Any:
    match value:
        case datetime():
            return iso(value)
        case Quantity():
            return str(value)
        case list() | tuple():
            return [_json(item) for item in value]
        case _:
            return value


# ── asking a tree ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _walk(where: Filter) -> Iterator[Filter]:
    yield where
    match where:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _walk(part)
        case Not(part):
            yield from _walk(part)
        case Compare():
            pass
        case _:
            assert_never(where)


def fields(where: Filter) -> frozenset[str]:
    """Every field that it names."""
    return frozenset(part.field for part in _walk(where) if isinstance(part, Compare))


def names_state(where: Filter) -> bool:
    """Whether it says itself which states it wants to see."""
    return "state" in fields(where)


# ── evaluating ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def matches(where: Filter, record: MemoryRecord, state: State | None = None) -> bool:
    """Whether the record meets the filter; `state` is the one at the moment that is asked about, else the record's."""
    match where:
        case And(parts):
            return all(matches(part, record, state) for part in parts)
        case Or(parts):
            return any(matches(part, record, state) for part in parts)
        case Not(part):
            return not matches(part, record, state)
        case Compare(field, operator, Interval() as value):
            return matches(_timed(field, operator, value), record, state)
        case Compare(field, operator, value) if field in ENTITY and operator != "$exists":
            return _meets(list(_values(field, record, state)), *_named(field, operator, value), whole=True)
        case Compare(field, operator, value):
            return _meets(list(_values(field, record, state)), operator, value, whole=field == "keywords")
        case _:
            assert_never(where)


ENTITY = frozenset({"entity", "entities"})
_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": lambda found, wanted: found > wanted,
    "$gte": lambda found, wanted: found >= wanted,
    "$lt": lambda found, wanted: found < wanted,
    "$lte": lambda found, wanted: found <= wanted,
}


def _named(field: str, operator: Operator, value: Any) -> tuple[Operator, tuple[str, ...]]:
    """Write a comparison with names as one with both what they fold to and what they are, since an id is no name."""
    if operator in _ORDERS:
        raise InvalidInput(f"{field} has no order; use $eq, $ne, $in, $nin, $contains or $exists")
    names = value if operator in {"$in", "$nin"} else (value,)
    either = tuple(form for name in names for form in (fold_name(str(name)), str(name)))
    return ("$nin" if operator in {"$ne", "$nin"} else "$in"), either


def _meets(found: list[Any], operator: Operator, value: Any, *, whole: bool) -> bool:
    match operator:
        case "$exists":
            return bool(found) is bool(value)
        case "$eq":
            return any(_equal(item, value) for item in found)
        case "$ne":
            return not any(_equal(item, value) for item in found)
        case "$in":
            return any(_equal(item, wanted) for item in found for wanted in value)
        case "$nin":
            return not any(_equal(item, wanted) for item in found for wanted in value)
        case "$contains":
            return any(
                _equal(item, value) or (not whole and isinstance(item, str) and isinstance(value, str) and value in item) for item in found
            )
        case "$gt" | "$gte" | "$lt" | "$lte":
            return any(_alike(item, _plain(value)) and _ORDERS[operator](item, _plain(value)) for item in found)
        case _:
            assert_never(operator)


def _equal(found: Any, wanted: Any) -> bool:
    plain = _plain(wanted)
    return _alike(found, plain) and bool(found == plain)


def _alike(found: Any, wanted: Any) -> bool:
    return any(isinstance(found, kind) and isinstance(wanted, kind) for kind in (str, datetime, int | float))


def _plain(value: Any) -> Any:
    match value:
        case Quantity(number=number):
            return number
        case Interval(start=start, end=end):
            return start or end
        case _:
            return value


def _values(field: str, record: MemoryRecord, state: State | None) -> Iterator[Any]:
    """List what the record holds under a field's name, item by item, in comparable form."""
    if field == "state":
        yield state or record.state
    elif field in ENTITY:
        for ref in record.refs:
            yield from (fold_name(ref.name), ref.id)
    elif field.startswith("metadata."):
        yield from _items(record.metadata.get(field.removeprefix("metadata.")))
    else:
        if field in _OWN:
            yield from _items(getattr(record, field))
        if field not in _OWN or field == "location":
            yield from _items(record.properties.get(field))


_OWN = frozenset(
    {"id", "type", "session_id", "task_id", "agent_id", "location", "reason", "purpose", "key", "keywords", "importance", "confidence"}
    | {"strength", "access_count", "reinforcements", "pinned", "source", "valid_from", "valid_to", "recorded_at", "superseded_at"}
    | {"last_accessed_at"}
)  # fmt: skip


def _items(value: Any) -> Iterator[Any]:
    match value:
        case None:
            return
        case Mapping():
            for item in value.values():
                yield from _items(item)
        case list() | tuple() | set() | frozenset():
            for item in value:
                yield from _items(item)
        case Interval() | Quantity():
            yield from _items(_plain(value))
        case _:
            yield value
