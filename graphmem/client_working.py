"""The working memory of a session over REST: the server holds it, these show it as it last answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote

from graphmem.client_calls import Call
from graphmem.client_read import Reader
from graphmem.model import Context, MemoryRecord, Message
from graphmem.remember import to_messages
from graphmem.working import Observed, WorkingMetrics


@dataclass(frozen=True, slots=True)
class Held:
    """One answer of the server."""

    items: tuple[MemoryRecord, ...]
    pinned: frozenset[str]
    metrics: WorkingMetrics


@dataclass(frozen=True, slots=True)
class SessionCalls:
    """The requests of one session."""

    session_id: str
    capacity: int

    def held(self) -> Call[Held]:
        return Call("GET", self._path(), _held, query={"capacity": self.capacity})

    def observe(self, what: Observed) -> Call[Held]:
        message = to_messages(what, Message(""))[0]
        return Call("POST", self._path("observe"), _held, {"text": message.text, "role": message.role}, {"capacity": self.capacity})

    def pin(self, memory_id: str) -> Call[Held]:
        return Call("POST", self._path("pins"), _held, {"memory_id": memory_id}, {"capacity": self.capacity})

    def unpin(self, memory_id: str) -> Call[Held]:
        return Call("DELETE", self._path("pins", quote(memory_id, safe="")), _held, query={"capacity": self.capacity})

    def clear(self) -> Call[None]:
        return Call("DELETE", self._path(), lambda _reader, _found: None)

    def context(self, budget: int) -> Call[Context]:
        query = {"budget": budget, "capacity": self.capacity}
        return Call("GET", self._path("context"), lambda reader, found: reader.value(Context, found), query=query)

    def _path(self, *more: str) -> str:
        return "/".join(["/sessions", quote(self.session_id, safe=""), "working", *more])


def _held(reader: Reader, found: Mapping[str, Any]) -> Held:
    items = reader.values(MemoryRecord, found["items"])
    return Held(tuple(items), frozenset(found["pinned"]), reader.value(WorkingMetrics, found["metrics"]))


EMPTY = Held((), frozenset(), WorkingMetrics(0, 0, 0.0, 0.0))


class RemoteWorkingMemory:
    """At most `capacity` memories of one session; see `RemoteMemory.working_memory`."""

    def __init__(self, send: Callable[[Call[Any]], Any], session_id: str, capacity: int) -> None:
        self._send, self._calls = send, SessionCalls(session_id, capacity)
        self._held: Held = send(self._calls.held())

    @property
    def items(self) -> tuple[MemoryRecord, ...]:
        """What is held, pinned ones first, then the most valuable."""
        return self._held.items

    @property
    def pinned(self) -> frozenset[str]:
        return self._held.pinned

    def observe(self, what: Observed) -> tuple[MemoryRecord, ...]:
        """Takes in what a question or message brings to mind; returns what is held then."""
        self._held = self._send(self._calls.observe(what))
        return self.items

    def pin(self, memory_id: str) -> None:
        self._held = self._send(self._calls.pin(memory_id))

    def unpin(self, memory_id: str) -> None:
        self._held = self._send(self._calls.unpin(memory_id))

    def clear(self) -> None:
        self._send(self._calls.clear())
        self._held = EMPTY

    def context(self, budget: int = 2000) -> Context:
        """What is held as text with citations, within a budget of tokens."""
        found: Context = self._send(self._calls.context(budget))
        return found

    def metrics(self) -> WorkingMetrics:
        return self._held.metrics


class AsyncRemoteWorkingMemory:
    """The same, awaitable."""

    def __init__(self, send: Callable[[Call[Any]], Awaitable[Any]], session_id: str, capacity: int) -> None:
        self._send, self._calls = send, SessionCalls(session_id, capacity)
        self._held = EMPTY

    @classmethod
    async def load(cls, send: Callable[[Call[Any]], Awaitable[Any]], session_id: str, capacity: int) -> Self:
        made = cls(send, session_id, capacity)
        made._held = await send(made._calls.held())
        return made

    @property
    def items(self) -> tuple[MemoryRecord, ...]:
        """What is held, pinned ones first, then the most valuable."""
        return self._held.items

    @property
    def pinned(self) -> frozenset[str]:
        return self._held.pinned

    async def observe(self, what: Observed) -> tuple[MemoryRecord, ...]:
        """Takes in what a question or message brings to mind; returns what is held then."""
        self._held = await self._send(self._calls.observe(what))
        return self.items

    async def pin(self, memory_id: str) -> None:
        self._held = await self._send(self._calls.pin(memory_id))

    async def unpin(self, memory_id: str) -> None:
        self._held = await self._send(self._calls.unpin(memory_id))

    async def clear(self) -> None:
        await self._send(self._calls.clear())
        self._held = EMPTY

    async def context(self, budget: int = 2000) -> Context:
        """What is held as text with citations, within a budget of tokens."""
        found: Context = await self._send(self._calls.context(budget))
        return found

    async def metrics(self) -> WorkingMetrics:
        return self._held.metrics
