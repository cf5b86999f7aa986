"""An emptied server for tests that need one."""

from __future__ import annotations

import os

import neo4j
import pytest

from tests.neo4j_fixture import Neo4jServer


def emptied(server: Neo4jServer) -> None:
    """Deletes everything; refuses on a given server unless GRAPHMEM_TEST_MAY_EMPTY=1 says that nothing there is anybody's."""
    if server.how == "NEO4J_URI" and os.environ.get("GRAPHMEM_TEST_MAY_EMPTY") != "1":
        pytest.fail("these tests empty the database; set GRAPHMEM_TEST_MAY_EMPTY=1 if the one at NEO4J_URI is for tests", pytrace=False)
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver, driver.session() as session:
        session.run("MATCH (n) WHERE NOT n:GraphMem CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()
        session.run("MATCH (g:GraphMem) REMOVE g.ontology, g.embedding").consume()
