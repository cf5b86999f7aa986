"""Memory: the verbs of AsyncMemory, blocking; one event loop in a thread serves every view of one opened memory."""

from __future__ import annotations

import functools
import inspect
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

import anyio
from anyio.from_thread import BlockingPortal

from graphmem.memory import AsyncMemory
from graphmem.model import Context, MemoryRecord
from graphmem.working import DEFAULT_CAPACITY, Observed, WorkingMemory, WorkingMetrics

P = ParamSpec("P")
R = TypeVar("R")


def _start_loop() -> tuple[BlockingPortal, threading.Thread]:
    """An event loop in a daemon thread; anyio's own context manager would wait for that thread when it is collected after a fork or at exit."""
    ready: Future[BlockingPortal] = Future()

    async def serve() -> None:
        async with BlockingPortal() as portal:
            ready.set_result(portal)
            await portal.sleep_until_stopped()

    thread = threading.Thread(target=anyio.run, args=(serve,), name="graphmem", daemon=True)
    thread.start()
    return ready.result(), thread


class _Loop:
    """The event loop's thread; started again in a child process after a fork, where the parent's threads do not exist."""

    def __init__(self) -> None:
        self._lock, self._pid = threading.Lock(), 0
        self._running: tuple[BlockingPortal, threading.Thread] | None = None

    def portal(self) -> BlockingPortal:
        running = self._running
        if running is not None and self._pid == os.getpid():
            return running[0]
        with self._lock:
            if self._running is None or self._pid != os.getpid():
                self._running, self._pid = _start_loop(), os.getpid()
            return self._running[0]

    def close(self) -> None:
        with self._lock:
            running, self._running = self._running, None
        if running is not None and self._pid == os.getpid():
            portal, thread = running
            portal.call(portal.stop)
            thread.join()


def _blocking(verb: Callable[Concatenate[AsyncMemory, P], Awaitable[R]]) -> Callable[Concatenate[Memory, P], R]:
    """The same verb, waiting for its answer; a working memory or another object with verbs comes back blocking as well."""

    @functools.wraps(verb)
    def call(self: Memory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._run(functools.partial(verb, self._memory, *args, **kwargs))

    call.__signature__ = inspect.signature(verb)  # type: ignore[attr-defined]  # what help() and editors show
    return call


class BlockingWorkingMemory:
    """A WorkingMemory whose verbs block."""

    def __init__(self, working: WorkingMemory, run: Callable[[Callable[[], Awaitable[Any]]], Any]) -> None:
        self._working, self._run = working, run

    @property
    def items(self) -> tuple[MemoryRecord, ...]:
        """What is held, pinned ones first, then the most valuable."""
        return self._working.items

    @property
    def pinned(self) -> frozenset[str]:
        return self._working.pinned

    def observe(self, what: Observed) -> tuple[MemoryRecord, ...]:
        """Takes in what a question or message brings to mind; returns what is held then."""
        return cast("tuple[MemoryRecord, ...]", self._run(functools.partial(self._working.observe, what)))

    def pin(self, memory_id: str) -> None:
        self._run(functools.partial(self._working.pin, memory_id))

    def unpin(self, memory_id: str) -> None:
        self._run(functools.partial(self._working.unpin, memory_id))

    def clear(self) -> None:
        self._run(self._working.clear)

    def context(self, budget: int = 2000) -> Context:
        """What is held as text with citations, within a budget of tokens."""
        return cast("Context", self._run(functools.partial(self._working.context, budget)))

    def metrics(self, keys: Sequence[str] | None = None) -> WorkingMetrics:
        """How alike the held memories are, and how many of the `keys` are among them."""
        return cast("WorkingMetrics", self._run(functools.partial(self._working.metrics, keys)))


class Memory:
    """Long-term memory of one scope; see AsyncMemory for the same verbs, awaitable."""

    def __init__(self, memory: AsyncMemory, loop: _Loop) -> None:
        self._memory, self._loop = memory, loop

    @classmethod
    def open(cls, location: str | Path | None = None, **options: Any) -> Self:
        """Opens or creates the store at a path, ":memory:" or a neo4j:// URL; the options are those of AsyncMemory.open."""
        loop = _Loop()
        try:
            return cls(loop.portal().call(functools.partial(AsyncMemory.open, location, **options)), loop)
        except BaseException:
            loop.close()
            raise

    @property
    def user_id(self) -> str:
        return self._memory.user_id

    def for_user(self, user_id: str, *, shared: Sequence[str] = ()) -> Self:
        """A view of another scope over the same connection; costs nothing and is not closed by itself."""
        return type(self)(self._memory.for_user(user_id, shared=shared), self._loop)

    def close(self) -> None:
        """Waits for what is being written, then closes the store."""
        try:
            self._run(self._memory.close)
        finally:
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _run(self, work: Callable[[], Awaitable[R]]) -> R:
        return self._loop.portal().call(work)

    def working_memory(self, session_id: str, *, capacity: int = DEFAULT_CAPACITY) -> BlockingWorkingMemory:
        """The few memories that an agent holds in one session, as it was left; `observe` fills it."""
        working = self._run(functools.partial(self._memory.working_memory, session_id, capacity=capacity))
        return BlockingWorkingMemory(working, self._run)

    profile = _blocking(AsyncMemory.profile)
    remember = _blocking(AsyncMemory.remember)
    add = _blocking(AsyncMemory.add)
    add_triple = _blocking(AsyncMemory.add_triple)
    link = _blocking(AsyncMemory.link)
    unlink = _blocking(AsyncMemory.unlink)
    correct = _blocking(AsyncMemory.correct)
    set_status = _blocking(AsyncMemory.set_status)
    retract = _blocking(AsyncMemory.retract)
    restore = _blocking(AsyncMemory.restore)
    pin = _blocking(AsyncMemory.pin)
    conflicts = _blocking(AsyncMemory.conflicts)
    resolve = _blocking(AsyncMemory.resolve)
    merge_entities = _blocking(AsyncMemory.merge_entities)
    split_entity = _blocking(AsyncMemory.split_entity)
    recall = _blocking(AsyncMemory.recall)
    context = _blocking(AsyncMemory.context)
    understand = _blocking(AsyncMemory.understand)
    chain = _blocking(AsyncMemory.chain)
    history = _blocking(AsyncMemory.history)
    get = _blocking(AsyncMemory.get)
    list = _blocking(AsyncMemory.list)
    count = _blocking(AsyncMemory.count)
    extract = _blocking(AsyncMemory.extract)
    stats = _blocking(AsyncMemory.stats)
    doctor = _blocking(AsyncMemory.doctor)
    forget = _blocking(AsyncMemory.forget)
    consolidate = _blocking(AsyncMemory.consolidate)
    undo = _blocking(AsyncMemory.undo)
    changes = _blocking(AsyncMemory.changes)
    report = _blocking(AsyncMemory.report)
    reembed = _blocking(AsyncMemory.reembed)
    enrich = _blocking(AsyncMemory.enrich)
    judge = _blocking(AsyncMemory.judge)
    export_pairs = _blocking(AsyncMemory.export_pairs)
    export = _blocking(AsyncMemory.export)
    import_ = _blocking(AsyncMemory.import_)
    cypher = _blocking(AsyncMemory.cypher)
    search = recall
    update = correct
    delete = forget
