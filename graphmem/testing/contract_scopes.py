"""The wall between people, and forgetting for good."""

from __future__ import annotations

from graphmem.filters import Compare
from graphmem.ports import ChangeSet, Selection, Store, WorkingItem
from graphmem.testing.samples import (
    ALICE,
    BOB,
    EVERYTHING,
    NOW,
    belief,
    entity,
    episode,
    ids_of,
    indexed,
    memory,
    names,
    on_store,
    passage,
    relationship,
    statement,
    vector,
)

STRANGE = (
    "bob",
    "Bob",
    "bob smith",
    "*",
    "b*",
    "bo?",
    "%",
    "_",
    'bo"b',
    "bo'b",
    "'; DROP TABLE memories; --",
    "bob 🙂",
    "ｂｏｂ",
    "鲍勃",
    "a:b",
    "u" * 256,
)


def _full(user_id: str) -> ChangeSet:
    """Something of every kind under ids that every user has."""
    return indexed(
        user_id,
        memory("m1", user_id, text=f"of {user_id}", key="k1", refs=names(("e1", "Luna")), properties={"speaker": "x"}),
        episode("ep", user_id, speaker=f"speaker of {user_id}"),
        beliefs=(belief("m1", 0, user_id),),
        statements=(statement("s1", user_id, episode_id="ep"),),
        entities=(entity("e1", f"Luna of {user_id}", user_id, aliases=("luna",)),),
        relationships=(relationship("m1", "DERIVED_FROM", "ep", user_id),),
    )


class ScopeContract:
    """Nobody reads, changes or forgets what belongs to another."""

    @on_store
    async def test_users_see_only_their_own_whatever_their_names(self, store: Store) -> None:
        for user in STRANGE:
            await store.commit(_full(user))
            await store.set_note(user, "n", {"of": user})
            await store.set_working_items(user, "s1", [WorkingItem("m1", 1.0, False, NOW)])
        for user in STRANGE:
            await self._only_own(store, user)
        for nobody in ("", "BOB", "bob ", "none", "smith"):
            assert await ids_of(store, nobody, EVERYTHING) == set()
            assert await store.best_words(nobody, ["common"], EVERYTHING, 99) == []
            assert await store.nearest(nobody, vector(1), EVERYTHING, 99) == []
            assert await store.revision(nobody) == 0

    async def _only_own(self, store: Store, user: str) -> None:
        found = {each.id: each for each in await store.memories(user, ["m1", "ep"])}
        assert set(found) == {"m1", "ep"}
        assert (found["m1"].text, found["m1"].user_id) == (f"of {user}", user)
        assert sum((await store.count(user, EVERYTHING)).values()) == 2
        assert {hit.id for hit in await store.nearest(user, vector(1), EVERYTHING, 99)} == {"m1", "ep"}
        assert {hit.id for hit in await store.best_words(user, ["common"], EVERYTHING, 99)} == {"m1", "ep"}
        assert len(await store.passages(user, ["m1", "ep"])) == 2
        assert [each.relationship.user_id for each in await store.relationships(user, ["m1"], None)] == [user]
        records, said = await store.claims(user, ["k1"])
        owners = [each.user_id for each in records] + [each.user_id for each in said]
        owners += [each.user_id for each in await store.statements(user, ["m1"])]
        owners += [each.user_id for each in await store.beliefs(user, ["m1"])]
        assert owners == [user] * 4
        assert [each.name for each in await store.entities(user, ["luna"])] == [f"Luna of {user}"]
        assert [each.name for each in await store.entities_by_id(user, ["e1"])] == [f"Luna of {user}"]
        assert await store.about(user, ["e1"], EVERYTHING, 9) == ["m1"]
        where = Selection(at=NOW, states=EVERYTHING.states, where=Compare("entity", "$eq", f"Luna of {user}"))
        assert await ids_of(store, user, where) == {"m1"}
        assert await store.speakers(user) == [f"speaker of {user}"]
        assert await store.note(user, "n") == {"of": user}
        assert len(await store.working_items(user, "s1")) == 1
        assert (await store.totals(user))["memories"] == 2

    @on_store
    async def test_users_are_listed_page_by_page(self, store: Store) -> None:
        for user in STRANGE:
            await store.commit(indexed(user, memory("m1", user)))
        seen: list[str] = []
        cursor = None
        while True:
            page, cursor = await store.users(limit=5, after=cursor)
            seen.extend(page)
            if cursor is None:
                break
        assert sorted(seen) == sorted(STRANGE)
        assert len(seen) == len(STRANGE)
        assert (await store.totals())["users"] == len(STRANGE)

    @on_store
    async def test_changing_one_scope_leaves_the_other(self, store: Store) -> None:
        for user in (ALICE, BOB):
            await store.commit(_full(user))
        await store.commit(
            ChangeSet(user_id=ALICE, now=NOW, closed={"m1-DERIVED_FROM-ep": NOW}, retracted={"s1": NOW}, reindex=frozenset({"m1"}))
        )
        await store.set_pinned(ALICE, "m1", True)
        await store.touch(ALICE, ["m1"], NOW)
        [untouched] = await store.memories(BOB, ["m1"])
        assert (untouched.pinned, untouched.access_count) == (False, 0)
        assert len(await store.relationships(BOB, ["m1"], None)) == 1
        assert [each.retracted_at for each in await store.statements(BOB, ["m1"])] == [None]
        assert len(await store.passages(BOB, ["m1"])) == 1


class ErasureContract:
    """What is erased is gone from everywhere, and nothing else is."""

    @on_store
    async def test_erased_memories_leave_nothing(self, store: Store) -> None:
        for user in (ALICE, BOB):
            await store.commit(_full(user))
            await store.set_working_items(user, "s1", [WorkingItem("m1", 1.0, False, NOW), WorkingItem("ep", 1.0, False, NOW)])
        await store.commit(
            indexed(ALICE, memory("kept", refs=names(("e2", "Sol"))), passages=(passage("kept", "other"),), entities=(entity("e2", "Sol"),))
        )
        assert await store.residue(ALICE, ["m1"]) > 0
        counts = await store.erase(ALICE, ["m1", "absent"], NOW)
        assert counts["memories"] == counts["beliefs"] == counts["statements"] == counts["relationships"] == counts["entities"] == 1
        assert await store.residue(ALICE, ["m1"]) == 0
        assert await ids_of(store, ALICE, EVERYTHING) == {"ep", "kept"}
        assert {hit.id for hit in await store.best_words(ALICE, ["common"], EVERYTHING, 9)} == {"ep"}
        assert {hit.id for hit in await store.nearest(ALICE, vector(1), EVERYTHING, 9)} == {"ep", "kept"}
        assert [each.memory_id for each in await store.working_items(ALICE, "s1")] == ["ep"]
        assert await store.entities(ALICE, ["luna"]) == []
        assert [each.id for each in await store.entities(ALICE, ["sol"])] == ["e2"]
        assert await ids_of(store, BOB, EVERYTHING) == {"m1", "ep"}
        assert await store.residue(BOB, ["m1"]) > 0

    @on_store
    async def test_an_erased_episode_takes_only_its_provenance_from_what_stays(self, store: Store) -> None:
        await store.commit(_full(ALICE))
        await store.erase(ALICE, ["ep"], NOW)
        assert [each.episode_id for each in await store.statements(ALICE, ["m1"])] == [None]
        assert await store.residue(ALICE, ["ep"]) == 0
        assert await store.relationships(ALICE, ["m1"], None) == []
        assert len(await store.beliefs(ALICE, ["m1"])) == 1

    @on_store
    async def test_shared_entities_stay_until_their_last_memory(self, store: Store) -> None:
        refs = names(("e1", "Luna"))
        known = (entity("e1", "Luna"), entity("e0", "Moon", merged_into="e1"))
        await store.commit(indexed(ALICE, memory("m1", refs=refs), memory("m2", refs=refs), entities=known))
        assert (await store.erase(ALICE, ["m1"], NOW))["entities"] == 0
        assert len(await store.entities_by_id(ALICE, ["e1", "e0"])) == 2
        assert (await store.erase(ALICE, ["m2"], NOW))["entities"] == 2
        assert await store.all_entities(ALICE) == ([], None)

    @on_store
    async def test_an_erased_scope_is_as_if_it_had_never_been(self, store: Store) -> None:
        for user in (ALICE, BOB):
            await store.commit(_full(user))
            await store.set_note(user, "n", {"x": 1})
            await store.nearest(user, vector(1), EVERYTHING, 1)
        counts = await store.erase(ALICE, None, NOW)
        assert counts["memories"] == 2
        assert await store.residue(ALICE, None) == 0
        await store.compact()
        assert (await store.users())[0] == [BOB]
        assert await ids_of(store, ALICE, EVERYTHING) == set()
        assert await store.nearest(ALICE, vector(1), EVERYTHING, 9) == []
        assert await store.best_words(ALICE, ["common"], EVERYTHING, 9) == []
        assert await store.note(ALICE, "n") is None
        assert sum((await store.totals(ALICE)).values()) == 0
        assert await store.residue(BOB, None) > 0
        assert len(await store.nearest(BOB, vector(1), EVERYTHING, 9)) == 2
        await store.commit(indexed(ALICE, memory("again")))
        assert [hit.id for hit in await store.nearest(ALICE, vector(1), EVERYTHING, 9)] == ["again"]
