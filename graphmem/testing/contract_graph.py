"""What a store must answer about relationships, sessions, entities and changes."""

from __future__ import annotations

from datetime import timedelta

from graphmem.ports import ChangeSet, Store
from graphmem.testing.samples import (
    ALICE,
    BOB,
    DAY,
    EVERYTHING,
    NOW,
    PRESENT,
    belief,
    entity,
    episode,
    indexed,
    memory,
    names,
    on_store,
    relationship,
)


class GraphContract:
    """One hop out, session order, entities, what changed."""

    @on_store
    async def test_one_hop_in_both_directions(self, store: Store) -> None:
        links = (
            relationship("a", "SUPPORTS", "b", properties={"weight": 0.5, "since": NOW}),
            relationship("c", "SUPPORTS", "a"),
            relationship("a", "FOLLOWS", "c"),
            relationship("b", "FOLLOWS", "c"),
        )
        await store.commit(indexed(ALICE, *(memory(each) for each in "abc"), relationships=links))
        found = await store.relationships(ALICE, ["a"], None)
        assert {(each.start, each.relationship.id, each.other) for each in found} == {
            ("a", "a-SUPPORTS-b", "b"),
            ("a", "c-SUPPORTS-a", "c"),
            ("a", "a-FOLLOWS-c", "c"),
        }
        [first] = [each.relationship for each in found if each.other == "b"]
        assert first == links[0]
        typed = await store.relationships(ALICE, ["a", "b"], ["SUPPORTS"])
        assert sorted((each.start, each.relationship.id) for each in typed) == [
            ("a", "a-SUPPORTS-b"),
            ("a", "c-SUPPORTS-a"),
            ("b", "a-SUPPORTS-b"),
        ]
        assert await store.relationships(ALICE, ["a"], []) == []
        assert await store.relationships(ALICE, [], None) == []
        assert await store.relationships(ALICE, ["absent"], None) == []
        assert await store.relationships(BOB, ["a"], None) == []

    @on_store
    async def test_relationships_stand_over_spans_of_transaction_time(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("a"), memory("b"), relationships=(relationship("a", "SUPPORTS", "b"),)))
        key = "a-SUPPORTS-b"
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, closed={key: NOW + 2 * DAY}))
        assert await store.relationships(ALICE, ["a"], None) == []
        again = relationship("a", "SUPPORTS", "b", recorded_at=NOW + 4 * DAY, properties={"second": True})
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, relationships=(again,)))
        for day, expected in ((-1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (4, 1), (9, 1)):
            found = await store.relationships(ALICE, ["a"], None, as_of=NOW + day * DAY)
            assert len(found) == expected, day
        [standing] = await store.relationships(ALICE, ["b"], None)
        assert standing.relationship == again
        assert (await store.totals(ALICE))["relationships"] == 1

    @on_store
    async def test_writing_a_standing_relationship_again_keeps_its_beginning(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("a"), memory("b"), relationships=(relationship("a", "SUPPORTS", "b"),)))
        later = relationship("a", "SUPPORTS", "b", recorded_at=NOW + DAY, properties={"x": 1})
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, relationships=(later,)))
        [found] = await store.relationships(ALICE, ["a"], None)
        assert (found.relationship.recorded_at, found.relationship.properties) == (NOW, {"x": 1})

    @on_store
    async def test_a_hub_gives_its_newest_of_each_type(self, store: Store) -> None:
        spokes = [memory(f"s{number:03}") for number in range(120)]
        links = [relationship("hub", "REFERS_TO", each.id, recorded_at=NOW + timedelta(hours=n)) for n, each in enumerate(spokes)]
        links += [relationship(each.id, "SUPPORTS", "hub", recorded_at=NOW + timedelta(hours=n)) for n, each in enumerate(spokes)]
        await store.commit(indexed(ALICE, memory("hub"), *spokes, relationships=tuple(links)))
        found = await store.relationships(ALICE, ["hub", "s001"], None, limit=10)
        newest = {f"s{number:03}" for number in range(110, 120)}
        for kind in ("REFERS_TO", "SUPPORTS"):
            of_hub = [each for each in found if each.start == "hub" and each.relationship.type == kind]
            assert {each.other for each in of_hub} == newest
            assert [each.other for each in of_hub] == sorted(newest, reverse=True)
        assert len([each for each in found if each.start == "s001"]) == 2

    @on_store
    async def test_session_neighbours_follow_time_turn_and_id(self, store: Store) -> None:
        turns = [
            episode("e1", minute=1),
            episode("e3b", minute=3, turn=2),
            episode("e3a", minute=3, turn=1),
            episode("e2", minute=2),
            episode("e3c", minute=3, turn=2),
            episode("other", minute=2, session_id="s2"),
            episode("lone", minute=2, session_id=None),
            episode("lone2", minute=3, session_id=None),
        ]
        await store.commit(indexed(ALICE, *turns, memory("fact", session_id="s1")))
        await store.commit(indexed(BOB, episode("e2x", BOB, minute=2)))
        found = await store.session_neighbours(ALICE, ["e2", "e3b", "lone", "absent", "e1"], before=2, after=1)
        assert found == {"e2": (["e1"], ["e3a"]), "e3b": (["e3a", "e2"], ["e3c"]), "lone": ([], []), "e1": ([], ["e2"])}
        assert await store.session_neighbours(ALICE, ["e2"], before=0, after=0) == {"e2": ([], [])}

    @on_store
    async def test_episodes_around_a_span_of_a_session(self, store: Store) -> None:
        turns = [episode(f"e{minute}", minute=minute) for minute in (1, 2, 3, 4, 5, 6)]
        await store.commit(indexed(ALICE, *turns, episode("other", minute=3, session_id="s2"), memory("fact", session_id="s1")))
        await store.commit(indexed(BOB, episode("theirs", BOB, minute=3)))
        at = {turn.id: turn.said_at for turn in turns if turn.said_at is not None}
        found = await store.episodes_around(ALICE, {"s1": (at["e3"], at["e4"]), "absent": (at["e1"], at["e6"])})
        before, among, after = found["s1"]
        assert before is not None
        assert after is not None
        assert (before.id, [one.id for one in among], after.id) == ("e2", ["e3", "e4"], "e5")
        assert found["absent"] == (None, (), None)
        assert (await store.episodes_around(ALICE, {"s1": (at["e1"], at["e6"])}))["s1"][::2] == (None, None)

    @on_store
    async def test_speakers_are_those_of_episodes(self, store: Store) -> None:
        await store.commit(
            indexed(ALICE, episode("e1"), episode("e2", speaker="Bo"), episode("e3"), memory("f", properties={"speaker": "X"}))
        )
        await store.commit(indexed(BOB, episode("e9", BOB, speaker="Zed")))
        assert sorted(await store.speakers(ALICE)) == ["Alice", "Bo"]
        assert await store.speakers("nobody") == []

    @on_store
    async def test_entities_by_folded_name_alias_and_id(self, store: Store) -> None:
        known = (
            entity("e1", "The Orbit Labs", aliases=("Orbit", "轨道"), kind="Organization"),
            entity("e2", "Luna"),
            entity("e3", "luna", merged_into="e2"),
        )
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, entities=known))
        assert await store.entities(ALICE, ["orbit labs"]) == [known[0]]
        assert await store.entities(ALICE, ["轨道", "orbit"]) == [known[0]]
        assert sorted(each.id for each in await store.entities(ALICE, ["luna"])) == ["e2", "e3"]
        assert await store.entities(ALICE, ["Luna", "lun", ""]) == []
        assert await store.entities(BOB, ["luna"]) == []
        await store.commit(ChangeSet(user_id=ALICE, now=NOW, entities=(entity("e2", "Selene"),)))
        assert [each.id for each in await store.entities(ALICE, ["luna"])] == ["e3"]
        assert [each.id for each in await store.entities_by_id(ALICE, ["e3", "absent", "e1"])] == ["e3", "e1"]
        first, cursor = await store.all_entities(ALICE, limit=2)
        rest, end = await store.all_entities(ALICE, limit=2, after=cursor)
        assert [each.id for each in (*first, *rest)] == ["e1", "e2", "e3"]
        assert end is None

    @on_store
    async def test_about_gives_the_newest_that_refer_to_an_entity(self, store: Store) -> None:
        every = [memory(f"m{n}", valid_from=NOW - n * DAY, refs=names(("e1", "Luna"), (f"x{n}", "X"))) for n in range(5)]
        await store.commit(indexed(ALICE, *every, memory("none")))
        assert await store.about(ALICE, ["e1"], PRESENT, 3) == ["m0", "m1", "m2"]
        assert await store.about(ALICE, ["x3", "x1"], PRESENT, 9) == ["m1", "m3"]
        await store.commit(indexed(ALICE, memory("m0")))
        assert await store.about(ALICE, ["e1"], EVERYTHING, 1) == ["m1"]
        assert await store.about(BOB, ["e1"], EVERYTHING, 9) == []

    @on_store
    async def test_changes_come_oldest_first(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1"), memory("m2"), beliefs=(belief("m1", 0), belief("m2", 1))))
        await store.commit(indexed(ALICE, memory("m1"), beliefs=(belief("m1", 3),)))
        every = await store.changed_since(ALICE, NOW, 99)
        assert [(each.memory_id, each.recorded_at) for each in every] == [("m1", NOW), ("m2", NOW + DAY), ("m1", NOW + 3 * DAY)]
        since = await store.changed_since(ALICE, NOW + 2 * DAY, 99)
        assert [(each.memory_id, each.recorded_at) for each in since] == [("m1", NOW), ("m1", NOW + 3 * DAY)]
        assert len(await store.changed_since(ALICE, NOW, 1)) == 1
        assert await store.changed_since(BOB, NOW, 9) == []

    @on_store
    async def test_a_sound_store_passes_its_own_check(self, store: Store) -> None:
        change = indexed(
            ALICE,
            memory("m1", refs=names(("e1", "Luna"))),
            memory("m2"),
            entities=(entity("e1", "Luna"),),
            relationships=(relationship("m1", "SUPPORTS", "m2"),),
        )
        await store.commit(change)
        for deep in (False, True):
            found = await store.check(deep=deep)
            assert found
            assert [line for line in found if not line[1]] == []
