"""The Filter tree and its JSON form; operators as in Chroma, Pinecone and LangGraph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Operator = Literal["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$exists", "$contains"]


@dataclass(frozen=True, slots=True)
class Compare:
    """One field against one (normalised) value; a list for `$in` and `$nin`, a bool for `$exists`."""

    field: str
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: Filter


Filter: TypeAlias = Compare | And | Or | Not
