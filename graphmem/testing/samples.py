"""Small records for contract tests; everything that a test does not name has one fixed value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import anyio
import numpy as np

from graphmem.model import STATES, Belief, Entity, EntityRef, MemoryRecord, Relationship, Statement
from graphmem.ports import ChangeSet, Passage, Selection, Store, Vector

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ALICE, BOB = "alice", "bob"
DIMENSIONS = 8

EVERYTHING = Selection(at=NOW, states=frozenset(STATES))
PRESENT = Selection(at=NOW)

OpenStore: TypeAlias = Callable[[], Store]


def on_store(test: Callable[[Any, Store], Coroutine[Any, Any, None]]) -> Callable[[Any, OpenStore], None]:
    """A coroutine that takes an open store, as a test that pytest runs by itself."""

    @functools.wraps(test)
    def run(self: Any, open_store: OpenStore) -> None:
        async def scenario() -> None:
            store = await opened(open_store)
            try:
                await test(self, store)
            finally:
                await store.close()

        anyio.run(scenario)

    del run.__wrapped__  # pytest would ask the coroutine for its arguments
    return run


async def opened(open_store: OpenStore) -> Store:
    store = open_store()
    await store.open()
    await store.describe(ontology="core@1.0", embedding="contract", dimensions=DIMENSIONS)
    return store


class Refused:
    """`with Refused(Error):` passes only if the block raises that error."""

    def __init__(self, *kinds: type[BaseException]) -> None:
        self._kinds = kinds

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if kind is None:
            raise AssertionError(f"nothing was raised, expected {self._kinds}")
        return issubclass(kind, self._kinds)


def vector(*values: float) -> Vector:
    """The given numbers, zeros behind them."""
    found = np.zeros(DIMENSIONS, np.float32)
    found[: len(values)] = values
    return found


def memory(memory_id: str, user_id: str = ALICE, **given: Any) -> MemoryRecord:
    base: dict[str, Any] = {"type": "Fact", "text": f"text of {memory_id}", "valid_from": NOW - DAY, "recorded_at": NOW - DAY}
    return MemoryRecord(id=memory_id, user_id=user_id, **{**base, **given})


def episode(memory_id: str, user_id: str = ALICE, *, minute: int = 0, turn: int = 0, **given: Any) -> MemoryRecord:
    said = NOW - DAY + timedelta(minutes=minute)
    speaker, session = given.pop("speaker", "Alice"), given.pop("session_id", "s1")
    slots = {"speaker": speaker, "role": "user", "turn": turn, "session_id": session, "said_at": said}
    return memory(memory_id, user_id, type="Episode", properties=slots, session_id=session, valid_from=said, **given)


def passage(memory_id: str, words: str = "common", values: Sequence[float] = (1.0,), number: int = 0) -> Passage:
    return Passage(memory_id, number, words, vector(*values))


def indexed(user_id: str, *memories: MemoryRecord, **given: Any) -> ChangeSet:
    """A change set with these memories, each with one passage unless `passages` are given."""
    passages = given.pop("passages", None)
    if passages is None:
        passages = tuple(passage(each.id) for each in memories)
    return ChangeSet(user_id=user_id, now=NOW, memories=memories, passages=tuple(passages), **given)


def entity(entity_id: str, name: str, user_id: str = ALICE, **given: Any) -> Entity:
    return Entity(id=entity_id, user_id=user_id, name=name, **given)


def names(*pairs: tuple[str, str]) -> tuple[EntityRef, ...]:
    return tuple(EntityRef(entity_id, name) for entity_id, name in pairs)


def relationship(source: str, kind: str, target: str, user_id: str = ALICE, **given: Any) -> Relationship:
    base: dict[str, Any] = {"id": f"{source}-{kind}-{target}", "recorded_at": NOW}
    return Relationship(user_id=user_id, source_id=source, type=kind, target_id=target, **{**base, **given})


def statement(statement_id: str, user_id: str = ALICE, **given: Any) -> Statement:
    base: dict[str, Any] = {"key": "k1", "value": "v1", "memory_id": "m1", "valid_from": NOW, "recorded_at": NOW}
    return Statement(id=statement_id, user_id=user_id, **{**base, **given})


def belief(memory_id: str, day: int, user_id: str = ALICE, **given: Any) -> Belief:
    """Recorded so many days after NOW."""
    base: dict[str, Any] = {"text": f"day {day}", "properties": {"day": day}, "stored_state": "current", "valid_from": NOW - DAY}
    return Belief(memory_id=memory_id, user_id=user_id, valid_to=None, recorded_at=NOW + day * DAY, **{**base, **given})


async def ids_of(store: Store, user_id: str, selection: Selection) -> set[str]:
    found, _ = await store.select(user_id, selection, limit=10_000)
    return {each.id for each in found}
