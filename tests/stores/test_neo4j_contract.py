"""The Neo4j store keeps the contract, on the newest server and on the long-term one."""

from __future__ import annotations

import pytest

from graphmem.stores.neo4j import Neo4jStore
from graphmem.testing import StoreContract
from graphmem.testing.samples import OpenStore
from tests.neo4j_fixture import Neo4jServer
from tests.stores.neo4j_helpers import emptied

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(900)]
"""Every shape of filter is a query of its own, which the server compiles once: slow on a busy machine."""


class TestNeo4j(StoreContract):
    @pytest.fixture
    def open_store(self, neo4j_server: Neo4jServer) -> OpenStore:
        emptied(neo4j_server)
        return lambda: Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)


class TestNeo4jLongTerm(StoreContract):
    @pytest.fixture
    def open_store(self, neo4j_526_server: Neo4jServer) -> OpenStore:
        emptied(neo4j_526_server)
        return lambda: Neo4jStore(neo4j_526_server.uri, auth=neo4j_526_server.auth)
