"""The part of JSON Schema that structured answers use: which places of a value break it, and whether an endpoint can enforce it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

KINDS: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "object": (dict,),
        "array": (list,),
        "string": (str,),
        "number": (int, float),
        "integer": (int,),
        "boolean": (bool,),
        "null": (type(None),),
    }
)
DEEPEST = 32
"""Levels of a value that are read; what lies deeper is refused, as a schema that refers to itself would be followed for ever."""


def problems(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Say each place where the value breaks the schema, as `memories.0.type: …`; nothing where it fits."""
    return list(_problems(value, schema, schema, ()))


def enforceable(schema: Mapping[str, Any]) -> bool:
    """Whether `strict` may be asked for: every object is closed and requires all that it names."""
    return all(
        part.get("additionalProperties") is False and set(part.get("required", ())) == set(part.get("properties", {}))
        for part in _objects(schema)
    )


def _objects(part: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(part, Mapping):
        if part.get("type") == "object":
            yield part
        for inner in part.values():
            yield from _objects(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _objects(inner)


def _problems(value: Any, part: Mapping[str, Any], root: Mapping[str, Any], place: tuple[str, ...]) -> Iterator[str]:
    where = ".".join(place) or "the answer"
    if len(place) > DEEPEST:
        yield f"{where}: lies too deep"
        return
    if "$ref" in part:
        yield from _problems(value, root["$defs"][part["$ref"].rsplit("/", 1)[-1]], root, place)
        return
    if "anyOf" in part:
        if all(any(True for _ in _problems(value, one, root, place)) for one in part["anyOf"]):
            yield f"{where}: fits none of what is allowed"
        return
    if "enum" in part and value not in part["enum"]:
        yield f"{where}: {value!r} is none of {', '.join(map(str, part['enum']))}"
    if "const" in part and value != part["const"]:
        yield f"{where}: {value!r} is not {part['const']!r}"
    kind = part.get("type")
    if kind is not None and not _is(value, [kind] if isinstance(kind, str) else kind):
        yield f"{where}: a value of type {kind} is wanted, not {type(value).__name__}"
        return
    yield from _inside(value, part, root, place)


def _is(value: Any, kinds: Sequence[str]) -> bool:
    return any(isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool)) for kind in kinds)


def _inside(value: Any, part: Mapping[str, Any], root: Mapping[str, Any], place: tuple[str, ...]) -> Iterator[str]:
    where = ".".join(place) or "the answer"
    if isinstance(value, dict):
        named = part.get("properties", {})
        yield from (f"{where}: {name} is missing" for name in part.get("required", ()) if name not in value)
        if part.get("additionalProperties") is False:
            yield from (f"{where}: {name} is not wanted" for name in value if name not in named)
        for name, inner in named.items():
            if name in value:
                yield from _problems(value[name], inner, root, (*place, name))
    elif isinstance(value, list) and "items" in part:
        for number, item in enumerate(value):
            yield from _problems(item, part["items"], root, (*place, str(number)))
