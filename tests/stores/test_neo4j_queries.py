"""The query files: said what they answer, held to one scope, planned by indexes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import neo4j
import pytest

from graphmem import resources
from graphmem.filters import And, Compare, Filter, Not, Or
from graphmem.ports import Selection
from graphmem.stores.neo4j_filters import Condition, condition
from graphmem.stores.neo4j_queries import schema_scripts, without_comments
from graphmem.stores.neo4j_schema import require_types
from tests.neo4j_fixture import Neo4jServer
from tests.stores.neo4j_helpers import prepared

FILES = sorted(path for path in resources.path("cypher", "neo4j").glob("*.cypher"))
NAMES = [path.stem for path in FILES]
NOW = datetime(2026, 3, 1, tzinfo=UTC)
SCOPED = ("Memory", "Episode", "Entity", "Belief", "Statement", "Passage", "TokenVectors", "WorkingMemory", "Note", "AwaitedRelationship")
DEFINITIONS = {"create_vector_index", "create_plain_vector_index", "create_relationship_index", "indexes"}
WHOLE_STORE = {"totals", "check_orphans", "check_vectors", "check_scopes"}
"""They count over every scope and return nobody's text; their first line says so."""
FORBIDDEN = {"AllNodesScan", "CartesianProduct", "DirectedAllRelationshipsScan", "UndirectedAllRelationshipsScan"}
WHERE: Filter = And((Compare("type", "$eq", "Goal"), Or((Compare("status", "$eq", "x"), Not(Compare("entity", "$eq", "y"))))))


def text_of(name: str) -> str:
    return resources.text("cypher", "neo4j", f"{name}.cypher")


@pytest.mark.parametrize("name", NAMES)
def test_each_file_says_what_it_answers_and_names_its_parameters(name: str) -> None:
    first, *rest = text_of(name).splitlines()
    assert re.fullmatch(r"// [A-Z].*[.:)]", first), first
    comments = " ".join(line for line in rest if line.startswith("//"))
    body = without_comments(text_of(name))
    missing = {f"${each}" for each in re.findall(r"\$(\w+)", body)} - set(re.findall(r"\$\w+", comments)) - {"$stored"}
    assert not missing


@pytest.mark.parametrize("name", sorted(set(NAMES) - DEFINITIONS - WHOLE_STORE))
def test_each_query_over_memories_compares_the_user(name: str) -> None:
    body = without_comments(text_of(name))
    touched = "[r:/*types*/" in body or "YIELD node" in body
    if touched or any(re.search(rf":(?:\w+\|)*{label}\b", body) for label in SCOPED):
        assert re.search(r"user_id:? ?=? ?\$user_id", body)
    else:
        assert re.search(r"Scope|GraphMem|relationshipTypes", body)


def test_every_statement_of_the_schema_may_be_run_again() -> None:
    for _, statements in schema_scripts():
        for statement in statements:
            assert "IF NOT EXISTS" in statement


def _shapes(name: str) -> list[str]:
    """The texts that the store sends of a file: with filters, looking back, and with relationship types."""
    types = ["SUPPORTS"] if name in {"put_relationships", "create_relationships"} else ["SUPPORTS", "FOLLOWS"]
    body = without_comments(text_of(name)).replace("/*types*/SUPPORTS", require_types(types))
    selections = [Selection(at=NOW, where=WHERE), Selection(at=NOW, as_of=NOW, where=WHERE)]
    shapes = [Condition(), *(condition(each) for each in selections)] if "/*where*/" in body else [Condition()]
    if name == "nearest_in_index":
        shapes = shapes[:2]
    return [shape.into(body) for shape in shapes]


@pytest.mark.neo4j
@pytest.mark.timeout(900)
def test_no_plan_reads_every_node_or_multiplies(neo4j_server: Neo4jServer) -> None:
    prepared(neo4j_server)
    bad: dict[str, list[str]] = {}
    quiet = neo4j.NotificationMinimumSeverity.OFF  # parameters are not given: nothing is run
    options: dict[str, Any] = {"auth": neo4j_server.auth, "notifications_min_severity": quiet}
    with neo4j.GraphDatabase.driver(neo4j_server.uri, **options) as driver, driver.session() as session:
        for name in sorted(set(NAMES) - DEFINITIONS):
            for text in _shapes(name):
                version, body = ("CYPHER 25 ", text[len("CYPHER 25 ") :]) if text.startswith("CYPHER 25 ") else ("", text)
                plan = session.run(f"{version}EXPLAIN {body}").consume().plan
                found = _operators(plan)
                if wrong := found & FORBIDDEN:
                    bad.setdefault(name, []).append(f"{sorted(wrong)}")
    assert not bad


def _operators(plan: object) -> set[str]:
    assert isinstance(plan, dict)
    return {plan["operatorType"].split("@")[0]}.union(*(_operators(child) for child in plan.get("children", [])))
