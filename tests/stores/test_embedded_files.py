"""Files that cannot be a store, and bytes that must be gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import numpy as np
import pytest

from graphmem.errors import EmbeddingMismatch, GraphMemError, InvalidInput, NotFound, SchemaMismatch, StoreError, StoreUnavailable
from graphmem.filters import Compare
from graphmem.ports import ChangeSet, Passage, Selection
from graphmem.resources import load_queries
from graphmem.resources import path as resource
from graphmem.stores.embedded import EmbeddedStore
from graphmem.stores.embedded_queries import EmbeddedQueries
from graphmem.testing.samples import ALICE, EVERYTHING, NOW, PRESENT, belief, entity, indexed, memory, names, passage, statement, vector


def _run(path: Path | str, work: Callable[[EmbeddedStore], Awaitable[None]]) -> None:
    async def scenario() -> None:
        store = EmbeddedStore(path)
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    anyio.run(scenario)


async def _nothing(store: EmbeddedStore) -> None:
    assert await store.revision(ALICE) == 0


def _text(path: Path) -> None:
    path.write_text("this is no database, only a long enough text file\n" * 100)


def _other_program(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title)")
    connection.close()


def _other_application(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA application_id = 7")
    connection.close()


def _newer(path: Path) -> None:
    _run(path, _nothing)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (_text, StoreError, "no SQLite file"),
        (_other_program, StoreError, "another program"),
        (_other_application, StoreError, "another program"),
        (_newer, SchemaMismatch, "upgrade graphmem"),
        (_folder, StoreUnavailable, "is a folder"),
    ],
)
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], error: type[GraphMemError], says: str
) -> None:
    path = tmp_path / "memory.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(error, match=says):
        _run(path, _nothing)
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    async def fill(store: EmbeddedStore) -> None:
        await store.commit(indexed(ALICE, *(memory(f"m{number}", text="x" * 500) for number in range(200))))

    async def read(store: EmbeddedStore) -> None:
        await store.select(ALICE, EVERYTHING, limit=1000)
        raise AssertionError("a damaged page was read as if it were whole")

    _run(path, fill)
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xff" * (len(content) - 4096 * 2)
    path.write_bytes(bytes(content))
    with pytest.raises(StoreError, match="damaged"):
        _run(path, read)


def test_a_place_that_cannot_be_written_says_so() -> None:
    with pytest.raises(StoreUnavailable, match=r"cannot be made|read-only|cannot be opened"):
        _run("/proc/graphmem-test/memory.db", _nothing)


def test_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "memory.db"
    _run(path, _nothing)
    assert path.is_file()


def test_a_store_that_is_not_open_says_so(tmp_path: Path) -> None:
    async def unopened() -> None:
        store = EmbeddedStore(tmp_path / "memory.db")
        for call in (store.revision(ALICE), store.commit(indexed(ALICE, memory("m1"))), store.compact()):
            with pytest.raises(StoreUnavailable, match="not open"):
                await call
        await store.open()
        assert (await store.open()).schema >= 1
        await store.close()
        await store.close()
        with pytest.raises(StoreUnavailable, match="not open"):
            await store.users()

    anyio.run(unopened)


@pytest.mark.parametrize("everything", [False, True])
def test_no_byte_of_forgotten_text_stays(tmp_path: Path, everything: bool) -> None:
    path = tmp_path / "memory.db"
    secret = "zyxsecretwvu"

    async def work(store: EmbeddedStore) -> None:
        bulk = [memory(f"k{number}", text=f"kept text {number}") for number in range(300)]
        await store.commit(indexed(ALICE, *bulk))
        told = memory(
            "m1", text=secret, properties={"subject": secret}, metadata={"x": secret}, refs=names((f"e{secret}", secret)), key=secret
        )
        for round_ in range(3):
            change = indexed(
                ALICE,
                told,
                passages=(Passage("m1", 0, f"{secret} {round_}", vector(1), secret.encode()),),
                beliefs=(belief("m1", round_, text=secret),),
                statements=(statement(f"s{round_}", key=secret, value=secret),),
                entities=(entity(f"e{secret}", secret, aliases=(secret + "alias",)),),
            )
            await store.commit(change)
        await store.set_note(ALICE, "n", {"x": secret if everything else 1})
        assert [hit.id for hit in await store.best_words(ALICE, [secret], PRESENT, 3)] == ["m1"]
        await store.erase(ALICE, None if everything else ["m1"], NOW)
        assert await store.residue(ALICE, None if everything else ["m1"]) == 0
        await store.compact()
        for file in path.parent.iterdir():
            assert secret.encode() not in file.read_bytes(), file.name
        if everything:
            return
        assert len(await store.best_words(ALICE, ["common"], PRESENT, 999)) == 300

    _run(path, work)
    assert all(secret.encode() not in file.read_bytes() for file in path.parent.iterdir())


def test_other_dimensions_are_a_mismatch_until_vectors_are_written_anew() -> None:
    async def work(store: EmbeddedStore) -> None:
        await store.commit(indexed(ALICE, memory("m1"), memory("m2"), memory("m3")))
        assert len(await store.nearest(ALICE, vector(1), PRESENT, 9)) == 3
        three = np.array([1, 0, 0], np.float32)
        with pytest.raises(EmbeddingMismatch, match=r"8 dimensions.*3"):
            await store.nearest(ALICE, three, PRESENT, 9)
        assert len(await store.nearest(ALICE, vector(1), PRESENT, 9)) == 3
        again = (Passage("m1", 0, "common", three), Passage("m2", 0, "common", three))
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, passages=again))
        assert {hit.id for hit in await store.nearest(ALICE, three, PRESENT, 9)} == {"m1", "m2"}
        assert {hit.id for hit in await store.nearest(ALICE, vector(1), PRESENT, 9)} == {"m3"}
        assert len(await store.best_words(ALICE, ["common"], PRESENT, 9)) == 3
        assert ("vectors", False) in [line[:2] for line in await store.check()]

    _run(":memory:", work)


def test_check_names_what_is_wrong() -> None:
    async def work(store: EmbeddedStore) -> None:
        await store.commit(indexed(ALICE, memory("m1", refs=names(("e1", "Luna")))))
        wrong = {line[0] for line in await store.check(deep=True) if not line[1]}
        assert wrong == {"entities named by memories but absent"}

    _run(":memory:", work)


def test_pinning_nothing_is_not_found() -> None:
    async def work(store: EmbeddedStore) -> None:
        with pytest.raises(NotFound):
            await store.set_pinned(ALICE, "m1", True)
        await store.touch(ALICE, [], NOW)
        assert await store.memories(ALICE, []) == []

    _run(":memory:", work)


def test_values_that_sqlite_cannot_hold_are_refused_alone() -> None:
    async def work(store: EmbeddedStore) -> None:
        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(store.commit, indexed(ALICE, memory(f"m{number}")))
        for bad in (memory("bad", text="\ud800"), memory("bad", access_count=2**70), memory("bad", importance={})):
            with pytest.raises(GraphMemError):
                await store.commit(indexed(ALICE, bad))
        with pytest.raises(InvalidInput):
            await store.revision("\ud800")
        assert await store.count(ALICE, EVERYTHING) == {"Fact": 8}

    _run(":memory:", work)


@pytest.mark.parametrize(
    "where",
    [Compare("entity", "$gt", "x"), Compare('metadata.a"b', "$eq", 1), Compare("status", "$gt", ("a", "b"))],
)
def test_filters_that_mean_nothing_are_refused(where: Compare) -> None:
    async def work(store: EmbeddedStore) -> None:
        with pytest.raises(InvalidInput):
            await store.select(ALICE, Selection(at=NOW, where=where))

    _run(":memory:", work)


def test_many_vectors_more_than_the_cache_holds_are_still_found(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = EmbeddedStore(tmp_path / "memory.db", cache_bytes=1)
        await store.open()
        for user in ("a", "b", "c"):
            await store.commit(indexed(user, memory("m1", user), passages=(passage("m1"),)))
        for user in ("a", "b", "c", "a"):
            assert len(await store.nearest(user, vector(1), PRESENT, 9)) == 1
        await store.close()

    anyio.run(scenario)


# ── the query files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

_OWNED = {
    *("memories", "believed", "memory_entities", "entities", "entity_names", "passages", "token_vectors", "beliefs", "statements"),
    *("relationships", "relationship_types", "working_items", "notes"),
}
_OVER_EVERYBODY = {
    "totals",
    "check_vectors",
    "check_scopes",
    "scopes",
    "check_words",
    "last_passage",
    "optimize_words",
    "meta",
    "set_meta",
    "next_revision",
}
"""Counts and upkeep of the whole file, which show nobody's rows."""


def _statements(name: str) -> str:
    lines = resource("cypher", "embedded", f"{name}.sql").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("--"))


_NAMES = sorted(file.stem for file in resource("cypher", "embedded").glob("*.sql"))


@pytest.mark.parametrize("name", _NAMES)
def test_every_query_stays_in_its_scope(name: str) -> None:
    text = _statements(name)
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").replace(";", " ").split())
    if words & _OWNED and name not in _OVER_EVERYBODY:
        for part in [part for part in text.split(";") if part.strip()]:
            assert "user_id" in part, f"{name} touches {sorted(words & _OWNED)} without user_id"
    assert resource("cypher", "embedded", f"{name}.sql").read_text(encoding="utf-8").startswith("-- ")


@pytest.mark.parametrize("name", sorted(set(_NAMES) - {"check_words", "optimize_words"}))
def test_every_query_runs_as_it_stands(tmp_path: Path, name: str) -> None:
    path = tmp_path / "memory.db"
    _run(path, _nothing)
    connection = sqlite3.connect(path)
    parameters = _Anything(user_id="u", ids="[]", keys="[]", names="[]", types="[]", words='"x"', limit=1)
    for part in [part for part in _statements(name).split(";") if part.strip()]:
        connection.execute(f"EXPLAIN {part}", parameters)
    connection.close()
    assert path.is_file()


class _Anything(dict[str, object]):
    def __missing__(self, key: str) -> int:
        return 1


def test_the_queries_and_their_folder_agree() -> None:
    queries = load_queries(EmbeddedQueries, "cypher", "embedded", suffix=".sql")
    assert {name for name in EmbeddedQueries.__slots__ if getattr(queries, name)} == set(_NAMES)
