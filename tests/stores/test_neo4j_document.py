"""docs/graph-schema.md is what the ontology and a live server say."""

from __future__ import annotations

from pathlib import Path

import anyio
import neo4j
import pytest

from graphmem.memory import AsyncMemory
from graphmem.ontology import Ontology
from graphmem.stores.neo4j_document import graph_schema
from graphmem.stores.neo4j_names import STRUCTURE
from graphmem.testing import FakeEmbedder, FrozenClock
from tests.neo4j_fixture import Neo4jServer
from tests.stores.neo4j_helpers import emptied
from tests.stores.test_neo4j_congruence import START, play

PAGE = Path(__file__).parents[2] / "docs" / "graph-schema.md"


def test_the_page_is_the_one_that_the_ontology_gives() -> None:
    assert PAGE.read_text(encoding="utf-8") == graph_schema(Ontology.core()), "make it anew with graph_schema(Ontology.core())"


@pytest.mark.neo4j
@pytest.mark.timeout(600)
def test_a_live_server_has_nothing_that_the_page_does_not_name(neo4j_server: Neo4jServer) -> None:
    emptied(neo4j_server)
    anyio.run(_filled, neo4j_server)
    page = PAGE.read_text(encoding="utf-8")
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver, driver.session() as session:
        labels = {label for row in session.run("MATCH (n) RETURN DISTINCT labels(n) AS held") for label in row["held"]}
        types = {row[0] for row in session.run("MATCH ()-[r]->() RETURN DISTINCT type(r)")}
        keys = {key for row in session.run("MATCH (n:Memory) UNWIND keys(n) AS key RETURN DISTINCT key") for key in row}
        indexes = [row["name"] for row in session.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name")]
    kinds = {"Person", "Place", "Organization", "Product", "Thing"}
    named = {f"`{each}`" for each in labels | types} | {f"### {each}" for each in labels}
    assert {each for each in labels - kinds if f"`{each}`" not in page and f"### {each}" not in page and each != "Memory"} == set()
    assert {each for each in types if f"`{each}`" not in page} == set()
    assert {key for key in keys if f"`{key}`" not in page and not key.endswith(("_end", "_unit")) and "." not in key} == set()
    assert {each for each in indexes if f"`{each}`" not in page and not each.startswith("relationship_")} == set()
    assert named
    assert types & STRUCTURE


async def _filled(server: Neo4jServer) -> None:
    clock = FrozenClock(START)
    memory = await AsyncMemory.open(server.uri, user_id="page", auth=server.auth, embedder=FakeEmbedder(64), clock=clock)
    await play(memory, clock)
    await memory.close()
