"""The fields of every memory that a filter may name, beside the slots of its type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Any

from graphmem.model import ROLES, SOURCES, STATES
from graphmem.ontology_types import SlotDef, SlotKind
from graphmem.ontology_values import normal, read_date, read_name, read_quantity
from graphmem.temporal import Interval


def _fields(kind: SlotKind, names: str) -> dict[str, SlotDef]:
    return {name: SlotDef(name=name, kind=kind) for name in names.split()}


def _closed(name: str, values: tuple[str, ...]) -> dict[str, SlotDef]:
    return {name: SlotDef(name=name, kind="enum", values=values, spellings={value: value for value in values})}


RECORD_FIELDS: Mapping[str, SlotDef] = MappingProxyType(
    _fields("text", "type id session_id task_id agent_id speaker location reason purpose key")
    | _fields("list", "keywords")
    | _fields("entity", "entity entities")
    | _fields("date", "valid_from valid_to said_at recorded_at superseded_at last_accessed_at")
    | _fields("number", "importance confidence strength access_count reinforcements")
    | _fields("bool", "pinned")
    | _closed("state", STATES)
    | _closed("source", SOURCES)
    | _closed("role", ROLES)
)


def field_value(slot: SlotDef, value: Any, zone: tzinfo | None) -> Any:
    """One value as this field compares it: times as intervals, quantities for what may hold one."""
    match slot.kind:
        case "date" | "interval":
            return read_date(value, zone)
        case "entities" | "list" | "pattern":
            return read_name(value)
        case "any":
            return _any_value(value, zone)
        case _:
            return normal(slot, value, zone)


def _any_value(value: Any, zone: tzinfo | None) -> Any:
    """Read a full date and a quantity with its unit as such, everything else as it is written."""
    if isinstance(value, bool | int | float | Interval | datetime):
        return value
    when = read_date(value, zone) if isinstance(value, str) and re.match(r"\d{4}[-/年]\d", value) else None
    if isinstance(when, Interval) and when.precision in {"day", "second"}:
        return when
    quantity = read_quantity(value)
    return quantity if quantity and quantity.unit else read_name(value)
