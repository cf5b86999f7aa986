"""A small world for flow tests: an embedded store, a clock that stands, and the verbs that write and revise, blocking."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from graphmem.filters import And, Compare
from graphmem.model import STATES, Conflict, Draft, DraftLink, MemoryRecord, Outcome, Policy, State, Version
from graphmem.ontology import Ontology
from graphmem.ports import Selection
from graphmem.revision import Reviser
from graphmem.stores.embedded import EmbeddedStore
from graphmem.testing import FrozenClock
from graphmem.writing import Writer

T = TypeVar("T")
START = datetime(2026, 1, 1, tzinfo=UTC)
USER = "ann"


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def fact(subject: str, relation: str, value: Any, **more: Any) -> Draft:
    """Make a draft of a fact; `qualifiers` go into its slots."""
    qualifiers = more.pop("qualifiers", None)
    slots = {"subject": subject, "relation": relation, "object": value} | ({"qualifiers": qualifiers} if qualifiers else {})
    return Draft(type="Fact", properties=slots, **more)


def turn(id_: str, text: str, at: datetime, **more: Any) -> Draft:
    """Make the draft of an episode as the remembering flow passes it."""
    slots = {"speaker": more.pop("speaker", "Ann"), "role": "user", "turn": more.pop("number", 0), "said_at": at}
    return Draft(type="Episode", id=id_, text=text, properties=slots, valid_from=at, session_id=more.pop("session_id", "s"), **more)


def learned(position: int) -> tuple[DraftLink, ...]:
    return (DraftLink("DERIVED_FROM", target_index=position),)


def goal(text: str, **more: Any) -> Draft:
    return Draft(type="Goal", text=text, properties=more.pop("slots", {}), session_id="s", **more)


def kinds(outcomes: list[Outcome]) -> list[str]:
    return [type(one).__name__ for one in outcomes]


class World:
    def __init__(self, location: str | Path = ":memory:", embedder: Any = None, **writer: Any) -> None:
        self.clock = FrozenClock(START)
        self.ontology = Ontology.core()
        self.store = EmbeddedStore(str(location))
        self.writer = Writer(self.store, self.ontology, embedder, self.clock, **writer)
        self.reviser = Reviser(self.store, self.writer, self.ontology, self.clock)
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        self.run(self.store.open())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.run(self.store.close())
        self._runner.close()

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(what)

    def on(self, number: float) -> World:
        """Move the clock to a day."""
        self.clock.move_to(day(number))
        return self

    def write(self, *drafts: Draft, policy: Policy | None = None, user: str = USER) -> list[Outcome]:
        return self.run(self.writer.write(user, drafts, policy=policy))

    def add(self, *drafts: Draft, policy: Policy | None = None) -> list[Outcome]:
        return self.run(self.writer.write_strict(USER, drafts, policy=policy))

    def one(self, draft: Draft, policy: Policy | None = None) -> Any:
        """Write a single draft strictly; its outcome, whose memory is there."""
        return self.add(draft, policy=policy)[0]

    def get(self, memory_id: str) -> MemoryRecord:
        return self.run(self.store.memories(USER, [memory_id]))[0]

    def held(
        self,
        relation: str | None = None,
        *,
        at: datetime | None = None,
        as_of: datetime | None = None,
        states: Sequence[State] = ("current", "disputed"),
        type_: str = "Fact",
    ) -> list[MemoryRecord]:
        parts = [Compare("type", "$eq", type_)] + ([Compare("relation", "$eq", relation)] if relation else [])
        selection = Selection(at=at or as_of or self.clock.now(), as_of=as_of, states=frozenset(states), where=And(tuple(parts)))
        return self.run(self.store.select(USER, selection, limit=1000))[0]

    def values(self, relation: str, **when: Any) -> list[str]:
        return sorted(str(memory.properties["object"]) for memory in self.held(relation, **when))

    def everything(self) -> list[MemoryRecord]:
        selection = Selection(at=self.clock.now(), states=frozenset(STATES))
        return self.run(self.store.select(USER, selection, limit=1000))[0]

    def history(self, memory_id: str | None = None, **about: Any) -> list[Version]:
        return self.run(self.reviser.history(USER, memory_id, **about))

    def conflicts(self) -> list[Conflict]:
        return self.run(self.reviser.conflicts(USER))
