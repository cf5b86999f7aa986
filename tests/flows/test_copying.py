"""Copies hold the same as what they were made from, and go on where they were stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from graphmem import copying
from graphmem.copying import Copier, CopyReport
from graphmem.errors import EmbeddingMismatch, InvalidInput, SchemaMismatch, StoreError
from graphmem.ports import Passage, Store
from graphmem.stores.embedded import EmbeddedStore
from graphmem.stores.neo4j import Neo4jStore
from graphmem.testing import FrozenClock
from graphmem.testing.samples import (
    ALICE,
    BOB,
    NOW,
    belief,
    entity,
    episode,
    indexed,
    memory,
    names,
    passage,
    relationship,
    statement,
    vector,
)
from tests.neo4j_fixture import Neo4jServer
from tests.stores.neo4j_helpers import emptied

CLOCK = FrozenClock(NOW)


async def filled(store: Store, *, many: int = 30) -> None:
    await store.open()
    await store.describe(ontology="core@1.0", embedding="contract", dimensions=8)
    for user in (ALICE, BOB):
        every = [memory(f"m{n:03}", user, refs=names(("e1", "Luna")), properties={"n": n}, key="k1") for n in range(many)]
        pieces = [passage(each.id, f"common word{n}", (1.0, n)) for n, each in enumerate(every)]
        pieces.append(Passage(every[0].id, 1, "second piece", vector(0, 1), b"\x01\x02"))
        await store.commit(
            indexed(
                user,
                *every,
                episode("ep", user),
                passages=(*pieces, passage("ep")),
                beliefs=(belief("m000", 0, user), belief("m000", 2, user)),
                statements=(statement("s1", user, episode_id="ep", memory_id="m000"),),
                entities=(entity("e1", "Luna", user, aliases=("Moon",)), entity("e2", "Lune", user, merged_into="e1")),
                relationships=tuple(relationship(f"m{n:03}", "FOLLOWS", f"m{n - 1:03}", user) for n in range(1, many)),
            )
        )
        await store.touch(user, ["m001"], NOW)


async def copied(source: Store, target: Store, users: list[str] | None = None) -> CopyReport:
    return await Copier(source, target, CLOCK).run(await source.open(), await target.open(), users)


def on(source: Store, target: Store, work: Any) -> None:
    async def scenario() -> None:
        await filled(source)
        try:
            await work(source, target)
        finally:
            await source.close()
            await target.close()

    anyio.run(scenario)


async def same(source: Store, target: Store) -> None:
    report = await copied(source, target)
    assert report.users == 2
    assert report.counts["memories"] == 62
    assert report.counts["passages"] == 64
    assert (await target.memories(ALICE, ["m001"]))[0].access_count == 1
    assert [hit.id for hit in await target.nearest(ALICE, vector(0, 1), everything(), 1)] == ["m000"]
    assert (await copied(source, target)).counts == report.counts


def everything() -> Any:
    from graphmem.testing.samples import EVERYTHING  # noqa: PLC0415 — one name of many

    return EVERYTHING


def test_a_file_is_copied_into_a_file(tmp_path: Path) -> None:
    on(EmbeddedStore(tmp_path / "a.db"), EmbeddedStore(tmp_path / "b.db"), same)


@pytest.mark.neo4j
@pytest.mark.timeout(600)
def test_a_file_is_copied_into_neo4j_and_back(tmp_path: Path, neo4j_server: Neo4jServer) -> None:
    emptied(neo4j_server)

    async def there_and_back(source: Store, target: Store) -> None:
        await same(source, target)
        back = EmbeddedStore(tmp_path / "back.db")
        await same(target, back)
        await back.close()

    on(EmbeddedStore(tmp_path / "a.db"), Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth), there_and_back)


def test_a_stopped_copy_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "PAGE", 8)

    async def work(source: Store, target: Store) -> None:
        steps = 0

        def stopping(done: int, total: int) -> None:
            nonlocal steps
            steps += 1
            if steps == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            await Copier(source, target, CLOCK).run(await source.open(), await target.open(), progress=stopping)
        assert 0 < (await target.totals(ALICE))["memories"] < 31
        done: list[int] = []
        await Copier(source, target, CLOCK).run(await source.open(), await target.open(), progress=lambda count, _: done.append(count))
        assert done[0] <= 8
        assert (await target.totals(ALICE))["memories"] == 31
        assert await target.note(ALICE, "copy") is None

    on(EmbeddedStore(tmp_path / "a.db"), EmbeddedStore(tmp_path / "b.db"), work)


def test_only_the_named_users_are_copied(tmp_path: Path) -> None:
    async def work(source: Store, target: Store) -> None:
        assert (await copied(source, target, [BOB])).users == 1
        assert (await target.users())[0] == [BOB]

    on(EmbeddedStore(tmp_path / "a.db"), EmbeddedStore(tmp_path / "b.db"), work)


def test_a_target_with_other_content_or_models_is_refused(tmp_path: Path) -> None:
    async def work(source: Store, target: Store) -> None:
        await target.open()
        await target.commit(indexed(ALICE, memory("other")))
        with pytest.raises(InvalidInput):
            await copied(source, target)
        await target.describe(ontology="core@1.0", embedding="another", dimensions=8)
        with pytest.raises(EmbeddingMismatch):
            await copied(source, target)
        await target.describe(ontology="core@9", embedding="contract", dimensions=8)
        with pytest.raises(SchemaMismatch):
            await copied(source, target)

    on(EmbeddedStore(tmp_path / "a.db"), EmbeddedStore(tmp_path / "b.db"), work)


def test_what_changed_under_the_copy_is_told(tmp_path: Path) -> None:
    async def work(source: Store, target: Store) -> None:
        async def late(*_: Any) -> None:
            await source.commit(indexed(ALICE, memory("m000", text="changed")))

        copier = Copier(source, target, CLOCK)
        pages = copier._scope(ALICE)
        await source.open()
        await target.open()
        async for _ in pages:
            await late()
        with pytest.raises(StoreError, match="differs in memories"):
            await copier._verified(ALICE)

    on(EmbeddedStore(tmp_path / "a.db"), EmbeddedStore(tmp_path / "b.db"), work)
