"""Names and plain properties of the Neo4j store: what may be a label, what a slot looks like on a node."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.quantity import Quantity
from graphmem.temporal import Interval

Row = dict[str, Any]

NAME = re.compile(r"[A-Z][A-Za-z0-9_]*\Z")
INTERNAL = frozenset({"Memory", "Entity", "Belief", "Statement", "Passage", "TokenVectors", "WorkingMemory", "Scope", "Note", "GraphMem"})
"""Labels with a meaning of their own; no type and no kind of entity gives them to a node."""
ENTITY_ROLES = {"subject": "SUBJECT", "object": "OBJECT", "involves": "INVOLVES", "mentions": "MENTIONS"}
STRUCTURE = frozenset({*ENTITY_ROLES.values(), "HELD", "STATED", "SAID_IN", "HAS_PASSAGE", "HOLDS", "MERGED_INTO"})
"""Relationship types that tie a memory to what belongs to it, not to another memory."""

OWN = frozenset(
    {"user_id", "id", "name", "type", "text", "summary", "state", "valid_from", "valid_to", "precision", "recorded_at", "superseded_at"}
    | {"source", "confidence", "importance", "strength", "session_id", "task_id", "agent_id", "keywords", "location", "reason", "purpose"}
    | {"access_count", "last_accessed_at", "reinforcements", "pinned", "key", "claim_value", "moment", "metadata", "packed", "scope"}
    | {"search_text", "embedding", "entity_ids", "entity_names", "memory_id", "number"}
)  # fmt: skip
"""Names of a memory's own properties; a slot of such a name stands under `slot.<name>`."""

KEPT = ("embedding", "scope", "search_text", "access_count", "last_accessed_at")
"""What replacing a memory leaves on its node."""

INDEXED = ("user_id", "state", "valid_from", "valid_to", "type", "session_id", "task_id", "agent_id", "source")
"""By what the vector index can filter; a passage carries a copy of its memory's."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CAPTION, KEY_CHARACTERS, TEXT_LIMIT = 48, 500, 4000


def slot_property(name: str) -> str:
    return f"slot.{name}" if name in OWN else name


def label(kind: str) -> list[str]:
    """The label for a type or kind: names from the ontology's closed set only, nothing else ever becomes part of a query."""
    return [kind] if NAME.match(kind) and kind not in INTERNAL else []


def checked_type(name: str) -> str:
    """A relationship type that may stand in a query's text."""
    if not NAME.match(name) or name in STRUCTURE:
        raise InvalidInput(f"{name!r} is no relationship between memories; names are letters, digits and _, beginning with a capital")
    return name


def timed(row: Row) -> Row:
    """The row with the times among its `props` apart, as [seconds since 1970, nanoseconds]: the driver sends these many times as fast."""
    times = {name: _instant(value) for name, value in row["props"].items() if isinstance(value, datetime)}
    return {**row, "props": {name: value for name, value in row["props"].items() if name not in times}, "times": times}


def _instant(moment: datetime) -> list[int]:
    whole = moment - _EPOCH
    return [whole.days * 86_400 + whole.seconds, whole.microseconds * 1000]


def caption(text: str) -> str:
    """One short line for the node in a picture."""
    line = " ".join(text.split())
    return line if len(line) <= CAPTION else line[: CAPTION - 1].rstrip() + "…"


def indexable(key: str | None) -> str | None:
    """A key as an index can hold it: long ones are cut and told apart by their hash."""
    if key is None or len(key) <= KEY_CHARACTERS:
        return key
    return f"{key[: KEY_CHARACTERS - 70]}#{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


def identifier(value: str) -> str:
    if len(value) > TEXT_LIMIT // 4:
        raise InvalidInput(f"an id of {len(value)} characters is too long for an index; at most {TEXT_LIMIT // 4}")
    return value


# ── plain properties from slots ─────────────────────────────────────────────────────────────────────────────────────────────────────


def flat(values: Mapping[str, Any], prefix: str = "") -> Row:
    """Slots or metadata as properties: scalars and lists of one kind as they are, deeper values by the kinds of what they hold."""
    found: Row = {}
    extra: Row = {}
    for name, value in values.items():
        key = f"{prefix}{name}" if prefix else slot_property(name)
        match value:
            case Interval(start=start, end=end):
                extra |= {f"{key}_end": end} if start is not None and end is not None else {}
            case Quantity(unit=unit):
                extra |= {f"{key}_unit": unit}
        found |= _flat_value(key, value)
    return {**{name: value for name, value in extra.items() if name not in found and name not in OWN}, **found}


def _flat_value(key: str, value: Any) -> Row:
    items = list(_leaves(value))
    if not items:
        return {}
    if not isinstance(value, Mapping | list | tuple | set | frozenset):
        return {key: items[0]}
    kinds = {kind: [item for item in items if _kind(item) == kind] for kind in ("texts", "numbers", "times")}
    kinds["numbers"] = [float(item) for item in kinds["numbers"]]
    there = {kind: held for kind, held in kinds.items() if held}
    if len(there) == 1 and not isinstance(value, Mapping):
        return {key: next(iter(there.values()))}
    return {f"{key}.{kind}": held for kind, held in there.items()}


def _kind(item: Any) -> str:
    return "texts" if isinstance(item, str) else "times" if isinstance(item, datetime) else "numbers"


def _leaves(value: Any) -> Iterator[Any]:
    """What filters compare: times, numbers, texts, in whatever they lie."""
    match value:
        case None:
            return
        case Mapping():
            for item in value.values():
                yield from _leaves(item)
        case list() | tuple() | set() | frozenset():
            for item in value:
                yield from _leaves(item)
        case Interval(start=start, end=end):
            yield from _leaves(start or end)
        case Quantity(number=number):
            yield number
        case datetime() | str() | bool() | float():
            yield value
        case int():
            if not -(2**63) <= value < 2**63:
                raise InvalidInput(f"{value} does not fit into 64 bits")
            yield value
        case _:
            yield str(value)
