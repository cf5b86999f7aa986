"""What a store must do with a change set."""

from __future__ import annotations

from datetime import timedelta

import anyio
import numpy as np

from graphmem.errors import InvalidInput, StoreError, WriteConflict
from graphmem.model import EntityRef
from graphmem.ports import ChangeSet, Passage, Store, WorkingItem
from graphmem.quantity import Quantity
from graphmem.temporal import Interval
from graphmem.testing.samples import (
    ALICE,
    BOB,
    DAY,
    EVERYTHING,
    NOW,
    PRESENT,
    OpenStore,
    Refused,
    belief,
    entity,
    indexed,
    memory,
    names,
    on_store,
    opened,
    passage,
    relationship,
    statement,
    vector,
)


class WritingContract:
    """Change sets: exact, atomic, idempotent, durable."""

    @on_store
    async def test_every_field_comes_back_as_it_was(self, store: Store) -> None:
        given = memory(
            "m1",
            type="Event",
            text='Tea at "Luna" — 茶 🙂\nsecond line',
            summary="tea",
            properties={
                "time": Interval(NOW, NOW + DAY, "day"),
                "price": Quantity(5000.0, "CNY"),
                "at": NOW + timedelta(microseconds=7),
                "flag": True,
                "share": 0.25,
                "guests": ("Ana", "Bo"),
                "list": ["x", 1, None],
                "nested": {"$odd": {"when": NOW}, "plain": "1"},
                "none": None,
            },
            stored_state="current",
            valid_to=NOW + 9 * DAY,
            precision="day",
            superseded_at=NOW + DAY,
            source="external",
            confidence=0.9,
            importance=0.8,
            strength=0.7,
            session_id="s",
            task_id="t",
            agent_id="a",
            refs=(EntityRef("e1", "Luna", "subject"), EntityRef("e1", "Luna", "object"), EntityRef("e2", "Ana", "mentions")),
            keywords=("tea", "茶"),
            location="Oslo",
            reason="because",
            purpose="so that",
            access_count=3,
            last_accessed_at=NOW,
            reinforcements=2,
            pinned=True,
            metadata={"a": 1, "b": {"c": [1, 2]}, "when": NOW},
            key="k",
            value="v",
        )
        await store.commit(indexed(ALICE, given, entities=(entity("e1", "Luna"), entity("e2", "Ana"))))
        assert await store.memories(ALICE, ["m1"]) == [given]
        assert await store.memories(ALICE, ["m1"], PRESENT) == [given]

    @on_store
    async def test_open_ends_and_far_times_come_back(self, store: Store) -> None:
        open_ended = memory("m1", valid_from=None, recorded_at=None)
        old = memory("m2", valid_from=NOW.replace(year=1207), valid_to=NOW.replace(year=2900))
        await store.commit(indexed(ALICE, open_ended, old))
        assert await store.memories(ALICE, ["m1", "m2"], PRESENT) == [open_ended, old]

    @on_store
    async def test_replacing_keeps_counters(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1")))
        await store.touch(ALICE, ["m1"], NOW)
        await store.touch(ALICE, ["m1", "absent"], NOW + DAY)
        await store.commit(indexed(ALICE, memory("m1", text="new")))
        [found] = await store.memories(ALICE, ["m1"])
        assert (found.text, found.access_count, found.last_accessed_at) == ("new", 2, NOW + DAY)

    @on_store
    async def test_the_same_change_twice_is_the_same_store(self, store: Store) -> None:
        change = indexed(
            ALICE,
            memory("m1", refs=names(("e1", "Luna"))),
            memory("m2"),
            entities=(entity("e1", "Luna", aliases=("Moon",)),),
            beliefs=(belief("m1", 0),),
            statements=(statement("s1"),),
            relationships=(relationship("m1", "SUPPORTS", "m2"),),
        )
        await store.commit(change)
        before = dict(await store.totals(ALICE))
        await store.commit(change)
        assert dict(await store.totals(ALICE)) == before
        assert before["relationships"] == before["entities"] == before["statements"] == before["beliefs"] == 1

    @on_store
    async def test_revision_grows_with_every_commit_in_the_scope_only(self, store: Store) -> None:
        assert await store.revision(ALICE) == 0
        first = await store.commit(indexed(ALICE, memory("m1")))
        await store.commit(indexed(BOB, memory("m1", BOB)))
        assert await store.revision(ALICE) == first > 0
        second = await store.commit(indexed(ALICE, memory("m1")))
        assert await store.revision(ALICE) == second > first

    @on_store
    async def test_a_record_of_another_user_is_refused_whole(self, store: Store) -> None:
        with Refused(InvalidInput):
            await store.commit(indexed(ALICE, memory("m1"), memory("m2", BOB)))
        assert await store.memories(ALICE, ["m1", "m2"]) == []
        assert await store.revision(ALICE) == 0

    @on_store
    async def test_vectors_without_direction_are_refused_whole(self, store: Store) -> None:
        for bad in (vector(0), vector(float("nan")), vector(float("inf"))):
            with Refused(InvalidInput):
                await store.commit(indexed(ALICE, memory("m1"), passages=(Passage("m1", 0, "x", bad),)))
            with Refused(InvalidInput):
                await store.nearest(ALICE, bad, PRESENT, 3)
        assert await store.memories(ALICE, ["m1"]) == []

    @on_store
    async def test_a_change_set_that_fails_leaves_nothing(self, store: Store) -> None:
        with Refused(StoreError, InvalidInput):
            await store.commit(indexed(ALICE, memory("m1"), passages=(passage("m1"), passage("nowhere"))))
        assert await store.memories(ALICE, ["m1"]) == []
        assert (await store.totals(ALICE))["passages"] == 0

    @on_store
    async def test_a_stale_read_is_a_conflict_and_writes_nothing(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1"), statements=(statement("s1"),), read={"k1": frozenset()}))
        with Refused(WriteConflict):
            await store.commit(indexed(ALICE, memory("m2"), statements=(statement("s2"),), read={"k1": frozenset()}))
        assert await store.memories(ALICE, ["m2"]) == []
        await store.commit(indexed(ALICE, memory("m2"), retracted={"s1": NOW}, read={"k1": frozenset({"s1"}), "k2": frozenset()}))
        await store.commit(indexed(ALICE, memory("m3"), read={"k1": frozenset()}))

    @on_store
    async def test_only_one_of_many_racing_writers_wins(self, store: Store) -> None:
        won: list[str] = []

        async def write(name: str) -> None:
            change = indexed(ALICE, memory(name, key="k1"), statements=(statement(name),), read={"k1": frozenset()})
            try:
                await store.commit(change)
            except WriteConflict:
                return
            won.append(name)

        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(write, f"w{number}")
        _, said = await store.claims(ALICE, ["k1"])
        assert [each.id for each in said] == won
        assert len(won) == 1

    @on_store
    async def test_concurrent_commits_are_all_there(self, store: Store) -> None:
        async def write(number: int) -> None:
            await store.commit(indexed(ALICE, memory(f"m{number}")))

        async with anyio.create_task_group() as group:
            for number in range(40):
                group.start_soon(write, number)
        assert await store.count(ALICE, PRESENT) == {"Fact": 40}
        assert len(await store.nearest(ALICE, vector(1), PRESENT, 100)) == 40

    @on_store
    async def test_statements_are_appended_and_only_closed(self, store: Store) -> None:
        first = statement("s1", episode_id="ep", properties={"keeps": ["m1"]}, valid_to=NOW + DAY, precision="day", act="end")
        await store.commit(indexed(ALICE, memory("m1", key="k1"), statements=(first, statement("s2", key="k2", memory_id="m2"))))
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, statements=(statement("s1", value="other"),), retracted={"s2": NOW + DAY}))
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, retracted={"s2": NOW + 2 * DAY}))
        memories, said = await store.claims(ALICE, ["k1", "k2", "absent"])
        assert [each.id for each in memories] == ["m1"]
        assert sorted(said, key=lambda each: each.id) == [first, statement("s2", key="k2", memory_id="m2", retracted_at=NOW + DAY)]
        assert await store.statements(ALICE, ["m1"]) == [first]

    @on_store
    async def test_a_belief_closes_the_one_before(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1"), memory("m2"), beliefs=(belief("m1", 0), belief("m2", 0))))
        await store.commit(indexed(ALICE, memory("m1"), beliefs=(belief("m1", 2),)))
        found = await store.beliefs(ALICE, ["m1"])
        assert found == [belief("m1", 0, superseded_at=NOW + 2 * DAY), belief("m1", 2)]
        assert await store.beliefs(ALICE, ["m2"]) == [belief("m2", 0)]

    @on_store
    async def test_several_beliefs_in_one_change_follow_each_other(self, store: Store) -> None:
        history = (belief("m1", 0, superseded_at=NOW + DAY), belief("m1", 1), belief("m1", 2, stored_state="invalid"))
        await store.commit(indexed(ALICE, memory("m1"), beliefs=history))
        found = await store.beliefs(ALICE, ["m1"])
        assert [each.superseded_at for each in found] == [NOW + DAY, NOW + 2 * DAY, None]

    @on_store
    async def test_passages_are_replaced_together(self, store: Store) -> None:
        first = (Passage("m1", 0, "old words", vector(1, 2), b"\x01\x02"), Passage("m1", 1, "tail", None, None))
        await store.commit(indexed(ALICE, memory("m1"), memory("m2"), passages=(*first, passage("m2"))))
        found = await store.passages(ALICE, ["m1"])
        assert [(each.number, each.search_text, each.tokens) for each in found] == [(0, "old words", b"\x01\x02"), (1, "tail", None)]
        assert found[0].vector is not None
        assert np.array_equal(found[0].vector, vector(1, 2))
        bare = await store.passages(ALICE, ["m1"], vectors=False, tokens=False)
        assert [(each.vector, each.tokens) for each in bare] == [(None, None), (None, None)]
        await store.commit(indexed(ALICE, memory("m1"), passages=(passage("m1", "new", (0, 1)),)))
        assert [each.search_text for each in await store.passages(ALICE, ["m1", "m2"])] == ["new", "common"]
        assert await store.best_words(ALICE, ["old"], PRESENT, 5) == []
        assert [hit.id for hit in await store.nearest(ALICE, vector(0, 1), PRESENT, 1)] == ["m1"]

    @on_store
    async def test_memories_without_reindex_keep_their_passages(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1")))
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, memories=(memory("m1", text="new"),)))
        assert len(await store.passages(ALICE, ["m1"])) == 1
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, reindex=frozenset({"m1"})))
        assert await store.passages(ALICE, ["m1"]) == []
        assert await store.nearest(ALICE, vector(1), PRESENT, 5) == []
        assert await store.best_words(ALICE, ["common"], PRESENT, 5) == []

    @on_store
    async def test_a_large_batch_is_one_change(self, store: Store) -> None:
        many = [memory(f"m{number:04}", refs=names(("e1", "Luna"))) for number in range(1200)]
        links = tuple(relationship(many[n].id, "FOLLOWS", many[n - 1].id) for n in range(1, 1200))
        await store.commit(indexed(ALICE, *many, relationships=links, entities=(entity("e1", "Luna"),)))
        assert await store.count(ALICE, PRESENT) == {"Fact": 1200}
        assert (await store.totals(ALICE))["relationships"] == 1199
        assert len(await store.memories(ALICE, [each.id for each in many], PRESENT)) == 1200

    @on_store
    async def test_pins_notes_and_working_items(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1")))
        await store.set_pinned(ALICE, "m1", True)
        assert [each.pinned for each in await store.memories(ALICE, ["m1"])] == [True]
        await store.set_pinned(ALICE, "m1", False)
        assert [each.pinned for each in await store.memories(ALICE, ["m1"])] == [False]
        note = {"weights": [0.5, 1], "deep": {"a": None}, "text": "茶"}
        await store.set_note(ALICE, "n", {"old": 1})
        await store.set_note(ALICE, "n", note)
        assert await store.note(ALICE, "n") == note
        assert await store.note(BOB, "n") is None
        await store.set_note(ALICE, "n", None)
        assert await store.note(ALICE, "n") is None
        items = [WorkingItem("m2", 0.5, False, NOW), WorkingItem("m1", 0.25, True, NOW + DAY)]
        await store.set_working_items(ALICE, "s1", [WorkingItem("m9", 1.0, False, NOW)])
        await store.set_working_items(ALICE, "s1", items)
        assert await store.working_items(ALICE, "s1") == items
        assert await store.working_items(ALICE, "s2") == []
        assert await store.working_items(BOB, "s1") == []

    def test_what_was_committed_is_there_after_reopening(self, open_store: OpenStore) -> None:
        async def scenario() -> None:
            store = await opened(open_store)
            revision = await store.commit(indexed(ALICE, memory("m1"), relationships=(relationship("m1", "SUPPORTS", "m2"),)))
            await store.close()
            again = open_store()
            info = await again.open()
            assert (info.ontology, info.embedding, info.dimensions) == ("core@1.0", "contract", 8)
            assert info.schema >= 1
            assert await again.memories(ALICE, ["m1"]) == [memory("m1")]
            assert await again.revision(ALICE) == revision
            assert len(await again.nearest(ALICE, vector(1), EVERYTHING, 3)) == 1
            await again.close()

        anyio.run(scenario)

    def test_two_open_stores_see_each_other(self, open_store: OpenStore) -> None:
        async def scenario() -> None:
            one, other = await opened(open_store), await opened(open_store)
            await one.commit(indexed(ALICE, memory("m1")))
            assert len(await other.nearest(ALICE, vector(1), PRESENT, 9)) == 1
            await other.commit(indexed(ALICE, memory("m2")))
            await other.commit(ChangeSet(user_id=ALICE, now=NOW, memories=(memory("m1", stored_state="invalid"),)))
            assert [hit.id for hit in await one.nearest(ALICE, vector(1), PRESENT, 9)] == ["m2"]
            await other.erase(ALICE, ["m2"], NOW)
            assert await one.nearest(ALICE, vector(1), PRESENT, 9) == []
            await one.close()
            await other.close()

        anyio.run(scenario)
