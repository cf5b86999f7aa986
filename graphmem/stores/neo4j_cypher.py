"""Cypher of a caller's own: read-only, and held to one scope by the server's plan for it.

Relationships never join two scopes, so a query stays in its scope when everything that it starts from is found by
`user_id = $user_id`. That is read off the plan, not off the text: what the planner would start from elsewhere is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from neo4j import unit_of_work
from neo4j.graph import Node, Path, Relationship
from neo4j.time import Date, DateTime, Duration, Time

from graphmem.errors import InvalidInput, StoreError
from graphmem.stores.neo4j_connection import Neo4jConnection, Transaction

MOST_ROWS = 10_000
HIDDEN = frozenset({"packed", "embedding", "search_text", "scope", "folded", "name_key", "aliased", "entity_ids", "entity_names"})
"""Properties that only the store reads."""

_SEEKS = frozenset({"NodeIndexSeek", "NodeUniqueIndexSeek"})
_SCANS = frozenset({"AllNodesScan", "NodeByLabelScan", "UnionNodeByLabelsScan", "IntersectionNodeByLabelsScan", "NodeIndexScan"})
_ALL_RELATIONSHIPS = re.compile(r"(?:Directed|Undirected)(?:AllRelationships|RelationshipType|UnionRelationshipTypes)Scan\Z")
_EMPTY = frozenset({"Argument", "EmptyRow", "Unwind", "Projection", "ProduceResults", "EmptyResult"})
_REFUSED = frozenset({"ProcedureCall", "LoadCSV"})
_OWN_SEEK = re.compile(r"[A-Z ]+ [^'\"]*? WHERE user_id = \$user_id(?: AND .*|,.*|)\Z", re.DOTALL)
_SUBQUERY = re.compile(r"\b(?:COLLECT|COUNT|EXISTS)\s*\{")
_VARIABLES = re.compile(r"[(\s]?`?(\w+)`?")


async def ask(connection: Neo4jConnection, user_id: str, query: str, parameters: Mapping[str, Any], seconds: float) -> list[dict[str, Any]]:
    """Rows as mappings of plain values; at most 10,000."""
    if "user_id" in parameters:
        raise InvalidInput("$user_id is the scope of this memory and cannot be given")
    if re.match(r"\s*(?:EXPLAIN|PROFILE)\b", query, re.IGNORECASE):
        raise InvalidInput("give the query without EXPLAIN or PROFILE")
    given = {**parameters, "user_id": user_id}

    @unit_of_work(timeout=seconds)
    async def work(tx: Transaction) -> list[dict[str, Any]]:
        await _check_plan(tx, query, given)
        result = await tx.run(query, given)
        rows = await result.fetch(MOST_ROWS + 1)
        if len(rows) > MOST_ROWS:
            raise InvalidInput(f"more than {MOST_ROWS} rows; add a LIMIT")
        return [{key: plain(value, user_id) for key, value in zip(row.keys(), row.values(), strict=True)} for row in rows]

    return await connection.read(work)


async def _check_plan(tx: Transaction, query: str, given: Mapping[str, Any]) -> None:
    version = re.match(r"\s*CYPHER\s+(?:5|25)\s+", query)
    head, body = (query[: version.end()], query[version.end() :]) if version else ("", query)
    result = await tx.run(f"{head} EXPLAIN {body}", dict(given))
    summary = await result.consume()
    if summary.query_type != "r":
        raise InvalidInput("cypher() only reads; use the verbs to write")
    if summary.plan is None:
        raise InvalidInput("the server gave no plan for this query, so its scope cannot be told")
    _check(summary.plan, ())


def _check(plan: Mapping[str, Any], above: tuple[str, ...]) -> None:
    """`above`: details of the filters directly over this operator."""
    name, details = str(plan["operatorType"]).split("@")[0], str(plan["args"].get("Details", ""))
    if name in _REFUSED:
        raise InvalidInput("cypher() calls no procedures and loads no files; use recall() to search")
    if _SUBQUERY.search(details) and name != "ProduceResults":
        raise InvalidInput("cypher() takes no COLLECT, COUNT or EXISTS inside an expression; write it as a MATCH or CALL of its own")
    children = plan.get("children") or []
    if not children and not _is_own(name, details, above):
        raise InvalidInput(
            f"the query does not keep to this scope ({name} {details}): every pattern must start from a node with {{user_id: $user_id}}, "
            "such as MATCH (m:Memory {user_id: $user_id})"
        )
    below = (*above, details) if name == "Filter" else above if name == "CacheProperties" else ()
    for child in children:
        _check(child, below)


def _is_own(name: str, details: str, above: tuple[str, ...]) -> bool:
    if name in _EMPTY:
        return True
    if name in _SEEKS:
        return bool(_OWN_SEEK.match(details))
    if name in _SCANS or _ALL_RELATIONSHIPS.match(name):
        there = set(_VARIABLES.findall(details))
        return any(_binds(each, there) for each in above)
    return False


def _binds(condition: str, variables: set[str]) -> bool:
    """Whether a filter is a conjunction with `x.user_id = $user_id` for one of the variables."""
    if re.search(r"\b(?:OR|XOR|CASE|NOT)\b", condition):
        return False
    bound = (re.fullmatch(r"(?:cache\[)?`?(\w+)`?\.user_id\]? = \$user_id", part.strip()) for part in condition.split(" AND "))
    return any(found is not None and found[1] in variables for found in bound)


def plain(value: Any, user_id: str) -> Any:
    """Nodes and relationships as mappings, times as datetimes; a second wall looks whose each is."""
    match value:
        case Node() | Relationship():
            held = dict(value.items())
            if held.get("user_id", user_id) != user_id:
                raise StoreError("the query reached another scope; nothing is returned")
            kind = {"labels": sorted(value.labels)} if isinstance(value, Node) else {"type": value.type}
            return kind | {key: plain(item, user_id) for key, item in held.items() if key not in HIDDEN}
        case Path():
            return [
                plain(each, user_id)
                for pair in zip(value.nodes, (*value.relationships, None), strict=True)
                for each in pair
                if each is not None
            ]
        case DateTime():
            return value.to_native().astimezone(UTC) if value.tzinfo else value.to_native()
        case Date() | Time():
            return value.to_native()
        case Duration():
            return str(value)
        case Mapping():
            return {key: plain(item, user_id) for key, item in value.items()}
        case list() | tuple():
            return [plain(item, user_id) for item in value]
        case None | bool() | int() | float() | str() | bytes() | datetime() | date() | timedelta():
            return value
        case _:
            return str(value)
