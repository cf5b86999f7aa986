"""What a store must answer to reads through a selection."""

from __future__ import annotations

from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.model import STATES, MemoryRecord, State, StoredState, state_at
from graphmem.ports import Hit, Order, Selection, Store
from graphmem.testing.samples import (
    ALICE,
    DAY,
    EVERYTHING,
    NOW,
    PRESENT,
    Refused,
    belief,
    episode,
    ids_of,
    indexed,
    memory,
    names,
    on_store,
    passage,
    vector,
)

_STORED: tuple[StoredState, ...] = ("current", "disputed", "superseded", "invalid", "archived")
_SPANS = {
    "now": (NOW - DAY, None),
    "past": (NOW - 2 * DAY, NOW - DAY),
    "later": (NOW + DAY, None),
    "ever": (None, None),
    "till": (None, NOW),
}


def _in_every_state() -> list[MemoryRecord]:
    return [
        memory(f"{stored}-{span}", stored_state=stored, valid_from=start, valid_to=end, refs=names(("e1", "Luna")))
        for stored in _STORED
        for span, (start, end) in _SPANS.items()
    ]


class ReadingContract:
    """States, times, order, pages, and the best by words and vectors."""

    @on_store
    async def test_each_state_shows_what_state_at_says(self, store: Store) -> None:
        every = _in_every_state()
        await store.commit(indexed(ALICE, *every))
        moments: tuple[datetime, ...] = (NOW, NOW - DAY, NOW - 3 * DAY, NOW + 2 * DAY)
        for at in moments:
            for states in (frozenset({"current", "disputed"}), *(frozenset({state}) for state in STATES), frozenset(STATES)):
                await self._shows(store, every, at, states)  # type: ignore[arg-type]  # literals of State

    async def _shows(self, store: Store, every: list[MemoryRecord], at: datetime, states: frozenset[State]) -> None:
        expected = {each.id: state_at(each.stored_state, each.valid_from, each.valid_to, at) for each in every}
        expected = {key: state for key, state in expected.items() if state in states}
        selection = Selection(at=at, states=states)
        found, _ = await store.select(ALICE, selection, limit=1000)
        assert {each.id: each.state for each in found} == expected
        by_id = await store.memories(ALICE, [each.id for each in every], selection)
        assert {each.id: each.state for each in by_id} == expected
        assert sum((await store.count(ALICE, selection)).values()) == len(expected)
        assert {hit.id for hit in await store.nearest(ALICE, vector(1), selection, 1000)} == set(expected)
        assert {hit.id for hit in await store.best_words(ALICE, ["common"], selection, 1000)} == set(expected)
        assert set(await store.about(ALICE, ["e1"], selection, 1000)) == set(expected)

    @on_store
    async def test_without_a_selection_state_is_the_stored_one(self, store: Store) -> None:
        await store.commit(indexed(ALICE, *_in_every_state()))
        found = await store.memories(ALICE, ["archived-now", "current-past", "absent", "disputed-now"])
        assert [(each.id, each.state) for each in found] == [
            ("archived-now", "archived"),
            ("current-past", "current"),
            ("disputed-now", "disputed"),
        ]

    @on_store
    async def test_as_of_shows_what_was_believed(self, store: Store) -> None:
        history = (belief("m1", 0), belief("m1", 2, text="changed", valid_from=NOW + 10 * DAY), belief("m1", 4, stored_state="invalid"))
        last = memory("m1", text="text now", properties={"day": 4}, stored_state="invalid")
        unversioned = episode("ep", recorded_at=NOW + DAY)
        await store.commit(indexed(ALICE, last, unversioned, beliefs=history))
        for day, expected in ((-1, None), (0, "day 0"), (1, "day 0"), (2, None), (3, None), (5, None)):
            selection = Selection(at=NOW, as_of=NOW + day * DAY)
            texts = [each.text for each in await store.memories(ALICE, ["m1"], selection)]
            assert texts == ([] if expected is None else [expected])
            assert ("m1" in {hit.id for hit in await store.nearest(ALICE, vector(1), selection, 9)}) is (expected is not None)
            assert ("m1" in {hit.id for hit in await store.best_words(ALICE, ["common"], selection, 9)}) is (expected is not None)
            assert ("m1" in await ids_of(store, ALICE, selection)) is (expected is not None)
            assert (await store.count(ALICE, selection)).get("Fact", 0) == int(expected is not None)
            assert bool(await store.memories(ALICE, ["ep"], selection)) is (day >= 1)
        later = Selection(at=NOW + 11 * DAY, as_of=NOW + 3 * DAY)
        [shown] = await store.memories(ALICE, ["m1"], later)
        assert (shown.text, shown.properties, shown.valid_from, shown.state) == ("changed", {"day": 2}, NOW + 10 * DAY, "current")
        assert (shown.recorded_at, shown.superseded_at) == (NOW + 2 * DAY, NOW + 4 * DAY)
        wrong = Selection(at=NOW, as_of=NOW + 4 * DAY, states=frozenset({"invalid"}))
        assert [each.state for each in await store.memories(ALICE, ["m1"], wrong)] == ["invalid"]

    @on_store
    async def test_pages_hold_everything_once_in_order(self, store: Store) -> None:
        every = [
            memory(
                f"m{number:02}",
                valid_from=NOW - (number % 4) * DAY,
                importance=(number % 3) / 4,
                properties={"deadline": NOW + (number % 5) * DAY} if number % 2 else {},
            )
            for number in range(23)
        ]
        await store.commit(indexed(ALICE, *every))
        keys = {
            "newest": lambda each: (-(each.valid_from - NOW).total_seconds(), each.id),
            "oldest": lambda each: (each.valid_from, each.id),
            "importance": lambda each: (-each.importance, each.id),
            "deadline": lambda each: (each.properties.get("deadline", NOW + 99 * DAY), each.id),
            "id": lambda each: each.id,
        }
        orders: tuple[Order, ...] = ("newest", "oldest", "importance", "deadline", "id")
        for order in orders:
            seen: list[str] = []
            cursor = None
            while True:
                page, cursor = await store.select(ALICE, PRESENT, order=order, limit=5, after=cursor)
                seen.extend(each.id for each in page)
                if cursor is None:
                    break
                assert len(page) == 5
            assert seen == [each.id for each in sorted(every, key=keys[order])], order

    @on_store
    async def test_newest_goes_by_when_it_was_said_then_valid_then_recorded(self, store: Store) -> None:
        said = episode("said", minute=5)
        held = memory("held", valid_from=NOW - 2 * DAY)
        recorded = memory("recorded", valid_from=None, recorded_at=NOW - 3 * DAY)
        await store.commit(indexed(ALICE, held, recorded, said))
        found, _ = await store.select(ALICE, PRESENT)
        assert [each.id for each in found] == ["said", "held", "recorded"]

    @on_store
    async def test_a_cursor_that_is_none_is_refused(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1")))
        for cursor in ("", "nonsense", "W10=", "茶"):
            with Refused(InvalidInput):
                await store.select(ALICE, PRESENT, after=cursor)

    @on_store
    async def test_nearest_is_exact_and_counts_a_memory_once(self, store: Store) -> None:
        every = [memory(f"m{number}") for number in range(30)]
        pieces = [passage(each.id, values=(1.0, number / 10)) for number, each in enumerate(every)]
        pieces += [passage("m29", values=(1.0, 0.05), number=1), passage("m29", values=(1.0, 0.06), number=2)]
        await store.commit(indexed(ALICE, *every, passages=pieces))
        found = await store.nearest(ALICE, vector(2), PRESENT, 4)
        assert [hit.id for hit in found] == ["m0", "m29", "m1", "m2"]
        assert all(abs(hit.score - 1 / (1 + tangent**2) ** 0.5) < 1e-5 for hit, tangent in zip(found, (0, 0.05, 0.1, 0.2), strict=True))
        assert len(await store.nearest(ALICE, vector(1), PRESENT, 500)) == 30
        assert await store.nearest(ALICE, vector(1), PRESENT, 0) == []

    @on_store
    async def test_nearest_after_changes_equals_a_fresh_answer(self, store: Store) -> None:
        every = [memory(f"m{number:02}") for number in range(20)]
        await store.commit(indexed(ALICE, *every, passages=[passage(each.id, values=(1.0, n)) for n, each in enumerate(every)]))
        await store.nearest(ALICE, vector(1), PRESENT, 3)
        moved = passage("m00", values=(0.0, 1.0))
        await store.commit(indexed(ALICE, memory("m00"), memory("new"), passages=(moved, passage("new", values=(1.0, 0.01)))))
        await store.commit(indexed(ALICE, memory("m01", stored_state="invalid"), passages=()))
        await store.erase(ALICE, ["m02"], NOW)
        found = await store.nearest(ALICE, vector(1), PRESENT, 100)
        assert [hit.id for hit in found] == ["new", *(f"m{n:02}" for n in range(3, 20)), "m00"]

    @on_store
    async def test_the_best_are_never_fewer_than_asked_while_something_matches(self, store: Store) -> None:
        crowd = [memory(f"crowd{number:03}", stored_state="archived") for number in range(150)]
        few = [memory(f"few{number}") for number in range(5)]
        pieces = [passage(each.id, "apple apple apple", (1.0,)) for each in crowd]
        pieces += [passage(each.id, "apple and many other words that make it long", (0.1, 1.0)) for each in few]
        await store.commit(indexed(ALICE, *crowd, *few, passages=pieces))
        expected = {each.id for each in few}
        assert {hit.id for hit in await store.nearest(ALICE, vector(1), PRESENT, 5)} == expected
        assert {hit.id for hit in await store.best_words(ALICE, ["apple"], PRESENT, 5)} == expected
        assert len(await store.best_words(ALICE, ["apple"], EVERYTHING, 500)) == 155

    @on_store
    async def test_any_word_may_match_and_more_matches_come_first(self, store: Store) -> None:
        pieces = (passage("m1", "red apple"), passage("m2", "green apple pie"), passage("m3", "blue sky"), passage("m4", "红茶 红"))
        await store.commit(indexed(ALICE, *(memory(f"m{n}") for n in (1, 2, 3, 4)), passages=pieces))
        assert [hit.id for hit in await store.best_words(ALICE, ["green", "pie", "red"], PRESENT, 9)] == ["m2", "m1"]
        assert [hit.id for hit in await store.best_words(ALICE, ["红茶"], PRESENT, 9)] == ["m4"]
        assert await store.best_words(ALICE, ["appl"], PRESENT, 9) == []
        assert await store.best_words(ALICE, [], PRESENT, 9) == []

    @on_store
    async def test_words_are_never_syntax(self, store: Store) -> None:
        await store.commit(indexed(ALICE, memory("m1"), passages=(passage("m1", "scope and or not near text"),)))
        odd = [
            '"',
            '""',
            "*",
            "a*",
            "AND",
            "OR",
            "NOT",
            "NEAR(",
            "(",
            "^a",
            "-",
            "scope:",
            "search_text:x",
            "'",
            "\\",
            "/",
            "~",
            "{}",
            "+",
            ":",
            "",
        ]
        for word in odd:
            found: list[Hit] = await store.best_words(ALICE, [word], PRESENT, 3)
            assert len(found) <= 1
        assert [hit.id for hit in await store.best_words(ALICE, [*odd, "text"], PRESENT, 3)] == ["m1"]
        many = [f"word{number}" for number in range(5000)]
        assert await store.best_words(ALICE, many, PRESENT, 3) == []
        assert [hit.id for hit in await store.best_words(ALICE, ["text", *many], PRESENT, 3)] == ["m1"]
