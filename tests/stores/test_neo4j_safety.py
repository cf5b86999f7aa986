"""The Neo4j store under strange input, many writers, a killed server and wrong connections."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import anyio
import neo4j
import pytest

from graphmem.errors import ConfigurationError, GraphMemError, InvalidInput, SchemaMismatch, StoreError, StoreUnavailable
from graphmem.filters import Compare
from graphmem.local_server import LocalServer
from graphmem.model import Draft
from graphmem.ports import ChangeSet, Selection
from graphmem.stores.neo4j import Neo4jStore
from graphmem.testing import FakeEmbedder
from graphmem.testing.samples import EVERYTHING, NOW, entity, indexed, memory, names, passage, relationship, vector
from tests.neo4j_fixture import Neo4jServer

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(600)]

EVIL = (
    "` DETACH DELETE n //",
    "x`]->() MATCH (n) DETACH DELETE n //",
    "'; MATCH (n) DETACH DELETE n; //",
    '" OR 1=1 //',
    "$user_id",
    "${jndi:x}",
    "a\nb\r\n\tc",
    "*:*",
    "+scope:* -x AND (y",
    "\\u0060\\",
    "{}",
    "m.user_id",
    "'} RETURN 1 //",
    "🙂`",
    "a" * 300,
)


def on_server(server: Neo4jServer, work: Callable[[Neo4jStore], Any], dimensions: int = 8) -> Any:
    async def scenario() -> Any:
        store = Neo4jStore(server.uri, auth=server.auth)
        await store.open()
        await store.describe(ontology="core@1.0", embedding="contract", dimensions=dimensions)
        try:
            return await work(store)
        finally:
            await store.close()

    return anyio.run(scenario)


def user() -> str:
    return f"safety {uuid.uuid4()}"


@pytest.mark.parametrize("evil", EVIL)
def test_whatever_is_written_is_data(neo4j_server: Neo4jServer, evil: str) -> None:
    async def work(store: Neo4jStore) -> None:
        name, other = f"{user()} {evil[:40]}", user()
        await store.commit(indexed(other, memory("kept", other)))
        given = memory(
            evil[:200], name, text=evil, key=evil, value=evil, session_id=evil, refs=names((evil, evil)),
            properties={evil: evil, "status": evil, "list": [evil]}, metadata={evil: evil}, keywords=(evil,), reason=evil,
        )  # fmt: skip
        pieces = (passage(given.id, f"common {evil}"),)
        await store.commit(indexed(name, given, passages=pieces, entities=(entity(evil, evil, name, kind=evil),)))
        assert await store.memories(name, [given.id]) == [given]
        for field in ("status", "session_id", "entity", "keywords", "reason", evil):
            where = Selection(at=NOW, where=Compare(field, "$eq", evil))
            assert [each.id for each in await store.memories(name, [given.id], where)] == [given.id], field
        assert [hit.id for hit in await store.best_words(name, [evil, "common"], EVERYTHING, 3)] == [given.id]
        assert [each.id for each in await store.entities_by_id(name, [evil])] == [evil]
        assert await store.count(other, EVERYTHING) == {"Fact": 1}
        for each in (name, other):
            await store.erase(each, None, NOW)
            assert await store.residue(each, None) == 0

    on_server(neo4j_server, work)


@pytest.mark.parametrize("evil", EVIL)
def test_names_that_would_be_syntax_are_refused_or_no_label(neo4j_server: Neo4jServer, evil: str) -> None:
    async def work(store: Neo4jStore) -> None:
        name = user()
        await store.commit(indexed(name, memory("m1", name, type=evil), memory("m2", name)))
        assert [each.type for each in await store.memories(name, ["m1"])] == [evil]
        with pytest.raises(InvalidInput):
            await store.commit(ChangeSet(user_id=name, now=NOW, relationships=(relationship("m1", evil, "m2", name),)))
        with pytest.raises(InvalidInput):
            await store.relationships(name, ["m1"], [evil])
        await store.erase(name, None, NOW)

    on_server(neo4j_server, work)


def test_eight_writers_of_one_user_lose_nothing(neo4j_server: Neo4jServer) -> None:
    from graphmem.memory import AsyncMemory  # noqa: PLC0415 — the whole composition

    name = user()

    async def write(number: int) -> None:
        memory = await AsyncMemory.open(neo4j_server.uri, user_id=name, auth=neo4j_server.auth, embedder=FakeEmbedder(8))
        for turn in range(3):
            await memory.add(Draft(type="Fact", properties={"subject": f"S{number}", "relation": "visited", "object": f"City {turn}"}))
            await memory.add_triple("Mira", "lives_in", f"Town {number}-{turn}")
        await memory.close()

    async def scenario() -> None:
        await _described(neo4j_server)
        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(write, number)
        memory = await AsyncMemory.open(neo4j_server.uri, user_id=name, auth=neo4j_server.auth, embedder=FakeEmbedder(8))
        visited = await memory.list({"relation": "visited"}, limit=100)
        assert len(visited) == 24
        homes = await memory.list({"$and": [{"relation": "lives_in"}, {"state": {"$in": ["current", "superseded", "expired"]}}]}, limit=100)
        assert len(homes) == 24
        assert len(await memory.list({"relation": "lives_in"})) == 1
        await memory.forget(everything=True, reason="the test is over")
        await memory.close()

    anyio.run(scenario)


async def _described(server: Neo4jServer) -> None:
    """The database as one with the fake embedder's vectors, whatever stood there before."""
    from graphmem.ontology import Ontology  # noqa: PLC0415 — only its stamp

    store = Neo4jStore(server.uri, auth=server.auth)
    await store.open()
    await store.describe(ontology=Ontology.core().stamp, embedding=FakeEmbedder(8).model_id, dimensions=8)
    await store.close()


def test_a_killed_server_loses_nothing_acknowledged(neo4j_killable: LocalServer) -> None:
    name = user()
    acknowledged: list[str] = []
    ten = anyio.Event()

    async def write(store: Neo4jStore) -> None:
        for number in range(60):
            await store.commit(indexed(name, memory(f"m{number:02}", name)))
            acknowledged.append(f"m{number:02}")
            if number == 9:
                ten.set()

    async def scenario() -> None:
        store = Neo4jStore(neo4j_killable.uri, timeout=240.0)
        await store.open()
        await store.describe(ontology="core@1.0", embedding="contract", dimensions=8)
        async with anyio.create_task_group() as group:
            group.start_soon(write, store)
            await ten.wait()
            neo4j_killable.kill()
            await anyio.to_thread.run_sync(neo4j_killable.restart)
        assert len(acknowledged) == 60
        assert [each.id for each in await store.memories(name, acknowledged)] == acknowledged
        assert len(await store.nearest(name, vector(1), EVERYTHING, 100)) == 60
        assert await store.revision(name) >= 60
        await store.erase(name, None, NOW)
        await store.close()

    anyio.run(scenario)


def _opened(store: Neo4jStore) -> GraphMemError | None:
    async def scenario() -> None:
        await store.open()
        await store.close()

    try:
        anyio.run(scenario)
    except GraphMemError as error:
        return error
    return None


def test_an_unreachable_server_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"neo4j://127.0.0.1:{taken.getsockname()[1]}"
        error = _opened(Neo4jStore(url, timeout=1.0))
    assert isinstance(error, StoreUnavailable)
    assert url in str(error)


def test_an_unknown_database_is_named(neo4j_server: Neo4jServer) -> None:
    error = _opened(Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, database="nowhere", timeout=2.0))
    assert isinstance(error, ConfigurationError)
    assert "database" in str(error)


def test_a_url_that_is_none_is_a_configuration_error() -> None:
    assert isinstance(_opened(Neo4jStore("neo4j://[", timeout=1.0)), GraphMemError)


def test_a_newer_schema_is_refused(neo4j_server: Neo4jServer) -> None:
    assert _opened(Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)) is None
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver, driver.session() as session:
        session.run("MATCH (g:GraphMem) SET g.schema = g.schema + 1").consume()
        try:
            error = _opened(Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth))
        finally:
            session.run("MATCH (g:GraphMem) SET g.schema = g.schema - 1").consume()
    assert isinstance(error, SchemaMismatch)


def test_a_store_that_is_not_open_says_so() -> None:
    async def scenario() -> None:
        store = Neo4jStore("neo4j://127.0.0.1:1")
        with pytest.raises(StoreUnavailable):
            await store.revision("u")
        with pytest.raises(StoreError):
            await store.commit(ChangeSet(user_id="u", now=NOW + timedelta(0)))

    anyio.run(scenario)
