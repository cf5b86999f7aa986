"""An emptied server for tests that need one."""

from __future__ import annotations

import os

import anyio
import neo4j
import pytest

from graphmem.stores.neo4j import Neo4jStore
from tests.neo4j_fixture import Neo4jServer


def emptied(server: Neo4jServer) -> None:
    """Deletes everything; refuses on a given server unless GRAPHMEM_TEST_MAY_EMPTY=1 says that nothing there is anybody's."""
    if server.how == "NEO4J_URI" and os.environ.get("GRAPHMEM_TEST_MAY_EMPTY") != "1":
        pytest.fail("these tests empty the database; set GRAPHMEM_TEST_MAY_EMPTY=1 if the one at NEO4J_URI is for tests", pytrace=False)
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver, driver.session() as session:
        session.run("MATCH (n) WHERE NOT n:GraphMem CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()
        session.run("MATCH (g:GraphMem) REMOVE g.ontology, g.embedding").consume()


def prepared(server: Neo4jServer, dimensions: int = 8) -> None:
    """The schema with its vector index, whatever is in it."""

    async def scenario() -> None:
        store = Neo4jStore(server.uri, auth=server.auth)
        await store.open()
        await store.describe(ontology="core@1.0", embedding="contract", dimensions=dimensions)
        await store._schema.know_types(["SUPPORTS", "FOLLOWS"])
        await store.close()

    anyio.run(scenario)
