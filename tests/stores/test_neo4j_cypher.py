"""A caller's own Cypher: it reads its scope and nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from graphmem.errors import ConfigurationError, GraphMemError, InvalidInput
from graphmem.stores.neo4j import Neo4jStore
from graphmem.sync import Memory
from graphmem.testing.samples import NOW, entity, indexed, memory, names, relationship
from tests.neo4j_fixture import Neo4jServer
from tests.stores.neo4j_helpers import prepared

pytestmark = pytest.mark.timeout(600)
OWN = "{user_id: $user_id}"

REFUSED = (
    "MATCH (m:Memory) RETURN m.text",
    "MATCH (m) RETURN m",
    "MATCH (m:Memory {user_id: 'other'}) RETURN m.text",
    "MATCH (m:Memory) WHERE m.user_id = $user_id OR m.text CONTAINS 'a' RETURN m.text",
    "MATCH (m:Memory) WHERE m.user_id IN [$user_id, 'other'] RETURN m.text",
    "MATCH (m:Memory) WHERE NOT m.user_id = $user_id RETURN m.text",
    "MATCH (m:Memory {user_id: $user_id + ''}) RETURN m.text",
    f"MATCH (m:Memory {OWN}) MATCH (n:Memory) RETURN n.text",
    f"MATCH (m:Memory {OWN}) CALL (m) {{ MATCH (n:Belief) RETURN n LIMIT 1 }} RETURN n",
    f"MATCH (m:Memory {OWN}) RETURN [(n:Memory)-->(x) | x.text] AS x",
    f"MATCH (m:Memory {OWN}) RETURN [i IN [1] | COUNT {{ MATCH (n:Memory) WHERE n.text CONTAINS 'a' }}] AS x",
    f"MATCH (m:Memory {OWN}) RETURN CASE WHEN true THEN COLLECT {{ MATCH (n:Memory) RETURN n.text }} END AS x",
    f"MATCH (m:Memory {OWN}) WITH m LIMIT 1 MATCH (n) WHERE elementId(n) = elementId(m) RETURN n",
    "MATCH (m:Memory) RETURN count(*)",
    "MATCH ()-[r]->() RETURN count(r)",
    "MATCH (m:Memory {user_id: 'other', id: 'WHERE user_id = $user_id'}) RETURN m",
    "CALL db.labels() YIELD label RETURN label",
    "CALL dbms.components() YIELD name RETURN name",
    "LOAD CSV FROM 'file:///etc/hosts' AS row RETURN row",
    "SHOW INDEXES",
    "SHOW USERS",
    f"MATCH (m:Memory {OWN}) SET m.text = 'x' RETURN m",
    f"MATCH (m:Memory {OWN}) DETACH DELETE m",
    "CREATE (m:Memory {user_id: $user_id, id: 'new'})",
    "CREATE INDEX foo FOR (n:Foo) ON (n.bar)",
    "EXPLAIN MATCH (m:Memory) RETURN m",
    "PROFILE MATCH (m:Memory) RETURN m",
    "this is no Cypher",
    "",
)


@pytest.fixture
def scoped(neo4j_server: Neo4jServer) -> Iterator[tuple[Neo4jStore, str, Any]]:
    """A store, a user with two memories beside another user's, and a function that asks."""
    prepared(neo4j_server)
    user, other = f"cypher {uuid.uuid4()}", f"cypher {uuid.uuid4()}"

    async def asked(query: str, **parameters: Any) -> list[dict[str, Any]]:
        store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
        await store.open()
        try:
            return await store.cypher(user, query, parameters)
        finally:
            await store.close()

    async def each(fill: bool) -> None:
        store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
        await store.open()
        for name in (user, other):
            if fill:
                first, second = (memory(each, name, refs=names(("e1", "Luna"))) for each in ("m1", "m2"))
                links = (relationship("m1", "SUPPORTS", "m2", name),)
                await store.commit(indexed(name, first, second, relationships=links, entities=(entity("e1", "Luna", name),)))
            else:
                await store.erase(name, None, NOW)
        await store.close()

    anyio.run(each, True)
    yield Neo4jStore(neo4j_server.uri), user, lambda query, **parameters: anyio.run(lambda: asked(query, **parameters))
    anyio.run(each, False)


@pytest.mark.neo4j
def test_own_memories_come_back_as_plain_values(scoped: tuple[Neo4jStore, str, Any]) -> None:
    _, user, ask = scoped
    assert ask(f"MATCH (m:Memory {OWN}) RETURN m.id AS id ORDER BY id") == [{"id": "m1"}, {"id": "m2"}]
    [row] = ask(f"MATCH (m:Memory {OWN} ) WHERE m.id = $id RETURN m", id="m1")
    assert (row["m"]["user_id"], row["m"]["labels"], row["m"]["recorded_at"].tzinfo is not None) == (user, ["Fact", "Memory"], True)
    assert not {"packed", "embedding"} & set(row["m"])
    [row] = ask(f"MATCH path = (m:Memory {OWN})-[r:SUPPORTS]->(o) RETURN path, r.id AS id")
    assert [each.get("id") for each in row["path"]] == ["m1", "m1-SUPPORTS-m2", "m2"]
    assert ask(f"MATCH (e:Entity {OWN})<-[:INVOLVES]-(m:Memory) RETURN e.name AS name, count(m) AS n") == [{"name": "Luna", "n": 2}]
    assert ask(f"CYPHER 25 MATCH (m:Memory {OWN}) RETURN count(*) AS n") == [{"n": 2}]
    assert ask(f"MATCH (m:Goal {OWN}) RETURN m.text") == []
    assert ask("RETURN 1 AS one") == [{"one": 1}]


@pytest.mark.neo4j
@pytest.mark.parametrize("query", REFUSED)
def test_what_would_leave_the_scope_or_write_is_refused(scoped: tuple[Neo4jStore, str, Any], query: str) -> None:
    _, _, ask = scoped
    with pytest.raises(GraphMemError):
        ask(query)
    assert len(ask(f"MATCH (m:Memory {OWN}) RETURN m")) == 2


@pytest.mark.neo4j
def test_the_scope_cannot_be_given(scoped: tuple[Neo4jStore, str, Any]) -> None:
    _, _, ask = scoped
    with pytest.raises(InvalidInput):
        ask(f"MATCH (m:Memory {OWN}) RETURN m", user_id="other")


def test_an_embedded_store_names_copy() -> None:
    with Memory.open(":memory:") as memory_, pytest.raises(ConfigurationError, match="graphmem copy"):
        memory_.cypher("RETURN 1")
