"""Values ⇄ what a database keeps, shared by the stores: exact JSON, the comparable form of slots, cursors, the scope's search token."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, assert_never

from graphmem.errors import InvalidInput
from graphmem.filters import And, Compare, Filter, Not, Or
from graphmem.model import Belief, Entity, MemoryRecord, Relationship, Statement
from graphmem.quantity import Quantity
from graphmem.temporal import Interval

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def scope_token(user_id: str) -> str:
    """The one word by which full-text indexes tell scopes apart, whatever characters the user id has."""
    return "u" + hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC, exact."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(count: int) -> datetime:
    return _EPOCH + timedelta(0, 0, count)


def fixed(moment: datetime) -> str:
    """ISO 8601 in UTC, always with six digits of microseconds, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# ── exact JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def pack(value: Any) -> str:
    """JSON from which `unpack` gives the same value again, times, intervals, quantities and tuples included."""
    if isinstance(value, Mapping) and not value:
        return "{}"
    return _encode(_tagged(value))


def unpack(text: str) -> Any:
    if text == "{}":
        return {}
    return _TAGGED.decode(text) if '"$' in text else _PLAIN.decode(text)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SIMPLE = frozenset({str, int, float, bool, type(None)})
"""Types that are their own JSON; asked first, for nearly every value is one of them."""


def _tagged(value: Any) -> Any:
    if type(value) in _SIMPLE:
        return value
    match value:
        case datetime():
            return {"$time": fixed(value)}
        case Interval(start=start, end=end, precision=precision):
            return {"$interval": [start and fixed(start), end and fixed(end), precision]}
        case Quantity(number=number, unit=unit):
            return {"$quantity": [number, unit]}
        case Mapping():
            if any(not isinstance(key, str) or key.startswith("$") for key in value):
                return {"$map": [[_tagged(key), _tagged(item)] for key, item in value.items()]}
            return {key: _tagged(item) for key, item in value.items()}
        case tuple():
            return {"$tuple": [_tagged(item) for item in value]}
        case list():
            return [_tagged(item) for item in value]
        case set() | frozenset():
            return {"$set": sorted((_tagged(item) for item in value), key=repr)}
        case str() | int() | float():
            return value
        case _:
            raise InvalidInput(f"a {type(value).__name__} cannot be stored; give text, numbers, times, lists or mappings of these")


def _untagged(found: dict[str, Any]) -> Any:
    if len(found) != 1:
        return found
    if "$time" in found:
        return datetime.fromisoformat(found["$time"])
    match found:
        case {"$interval": [start, end, precision]}:
            return Interval(start and datetime.fromisoformat(start), end and datetime.fromisoformat(end), precision)
        case {"$quantity": [number, unit]}:
            return Quantity(number, unit)
        case {"$tuple": items}:
            return tuple(items)
        case {"$set": items}:
            return frozenset(items)
        case {"$map": pairs}:
            return {_key(key): item for key, item in pairs}
        case _:
            return found


_PLAIN, _TAGGED = json.JSONDecoder(), json.JSONDecoder(object_hook=_untagged)


def _key(key: Any) -> Any:
    return tuple(key) if isinstance(key, list) else key


# ── what filters compare ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def plain(value: Any) -> Any:
    """The comparable form of a slot: times as fixed-width text, intervals by their start, quantities by their number, lists as lists."""
    if type(value) in _SIMPLE:
        return value
    match value:
        case datetime():
            return fixed(value)
        case Interval(start=start, end=end):
            edge = start or end
            return None if edge is None else fixed(edge)
        case Quantity(number=number):
            return number
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(item) for item in value]
        case _:
            return str(value)


def pack_slots(properties: Mapping[str, Any]) -> str:
    """`plain` of every slot that has a value, as JSON."""
    if not properties:
        return "{}"
    slots = {name: plain(value) for name, value in properties.items() if value is not None}
    return _encode(slots)


def spelled_out(where: Filter) -> Filter:
    """The filter with `$nin`, `$ne` as negations and a comparison with a closed interval as one with its ends.

    A field equals an interval when it lies in it, is less when before its start, greater when at or after its end.
    A negation also matches what lacks the field.
    """
    match where:
        case And(parts):
            return And(tuple(spelled_out(part) for part in parts))
        case Or(parts):
            return Or(tuple(spelled_out(part) for part in parts))
        case Not(part):
            return Not(spelled_out(part))
        case Compare(field, "$ne", value):
            return Not(spelled_out(Compare(field, "$eq", value)))
        case Compare(field, "$nin", value):
            return Not(spelled_out(Compare(field, "$in", value)))
        case Compare(field, "$in", value) if any(isinstance(item, Interval) for item in value):
            return Or(tuple(spelled_out(Compare(field, "$eq", item)) for item in value))
        case Compare(field, _, Interval(start=start, end=end)):
            return _spanned(field, where, start, end)
        case Compare():
            return where
        case _:
            assert_never(where)


def _spanned(field: str, where: Compare, start: datetime | None, end: datetime | None) -> Filter:
    if start is None or end is None:
        edge = start or end
        if edge is None:
            raise InvalidInput(f"{field}: an interval without start and end cannot be compared")
        return Compare(field, where.operator, edge)
    match where.operator:
        case "$eq" | "$contains":
            return And((Compare(field, "$gte", start), Compare(field, "$lt", end)))
        case "$gt":
            return Compare(field, "$gte", end)
        case "$lte":
            return Compare(field, "$lt", end)
        case _:
            return Compare(field, where.operator, start)


def moment(record: MemoryRecord) -> datetime | None:
    """By what "newest" is ordered: when it was said, else from when it holds, else when it was recorded."""
    said = record.properties.get("said_at")
    return said if isinstance(said, datetime) else record.valid_from or record.recorded_at


# ── cursors ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def cursor_of(*parts: str | float | None) -> str:
    """An opaque cursor: where the last page ended."""
    return base64.urlsafe_b64encode(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")).decode()


def read_cursor(cursor: str, length: int) -> list[Any]:
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii", "replace")).decode("utf-8", "surrogatepass"))
    except (binascii.Error, ValueError):
        parts = None
    if not isinstance(parts, list) or len(parts) != length:
        raise InvalidInput(f"{cursor!r} is no cursor of this listing; pass the one that the page before gave")
    return parts


def owned(user_id: str, items: Iterable[MemoryRecord | Belief | Statement | Entity | Relationship]) -> None:
    """Refuses a change set that carries another scope's record."""
    for item in items:
        if item.user_id != user_id:
            raise InvalidInput(f"{type(item).__name__} {getattr(item, 'id', '')!r} belongs to another user than the change set")
