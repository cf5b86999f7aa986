"""RemoteMemory and AsyncRemoteMemory: the verbs over REST, with the same values and errors as on an own store."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from urllib.parse import quote

import httpx

from graphmem import client_calls as calls
from graphmem.client_calls import Call
from graphmem.client_read import Reader, error_of
from graphmem.client_working import AsyncRemoteWorkingMemory, RemoteWorkingMemory
from graphmem.core.sanitising import check_scope
from graphmem.errors import StoreError, StoreUnavailable
from graphmem.ontology import Ontology
from graphmem.working import DEFAULT_CAPACITY

P = ParamSpec("P")
R = TypeVar("R")


def _headers(key: str | None) -> dict[str, str]:
    return {"Accept": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}


def _address(user_id: str, call: Call[Any]) -> str:
    return f"/v1/users/{quote(user_id, safe='')}{call.path}"


def _request(user_id: str, call: Call[Any]) -> dict[str, Any]:
    content = call.content()
    kind = {} if content is None else {"Content-Type": "application/json"}
    return {
        "method": call.method,
        "url": _address(user_id, call),
        "content": content,
        "params": call.parameters() or None,
        "headers": kind,
    }


def _answer(call: Call[R], answer: httpx.Response, reader: Reader) -> R:
    if answer.status_code == 204:
        return call.read(reader, None)
    try:
        found = json.loads(answer.content)
    except ValueError as error:
        raise StoreError(
            f"the server answered {answer.status_code} with something that is no JSON; is the URL a graphmem server?"
        ) from error
    if answer.is_success:
        return call.read(reader, found)
    wait = answer.headers.get("retry-after", "")
    raise error_of(answer.status_code, found if isinstance(found, Mapping) else {}, float(wait) if wait.isdigit() else None)


def _unreachable(url: httpx.URL, error: httpx.TransportError) -> StoreUnavailable:
    return StoreUnavailable(f"{url} cannot be reached ({type(error).__name__}: {error}); is `graphmem serve rest` running there?")


def _blocking(build: Callable[P, Call[R]]) -> Callable[Concatenate[RemoteMemory, P], R]:
    @functools.wraps(build)
    def verb(self: RemoteMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._send(build(*args, **kwargs))

    verb.__signature__ = _with_self(build)  # type: ignore[attr-defined]  # what help() and editors show
    return verb


def _awaitable(build: Callable[P, Call[R]]) -> Callable[Concatenate[AsyncRemoteMemory, P], Awaitable[R]]:
    @functools.wraps(build)
    async def verb(self: AsyncRemoteMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._send(build(*args, **kwargs))

    verb.__signature__ = _with_self(build)  # type: ignore[attr-defined]  # what help() and editors show
    return verb


def _with_self(build: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(build)
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    return signature.replace(parameters=[itself, *signature.parameters.values()], return_annotation=inspect.Signature.empty)


class RemoteMemory:
    """Long-term memory of one scope on a graphmem server; `with RemoteMemory(url, key, user_id="alice") as memory: …`."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        user_id: str = "default",
        timeout: float = 60.0,
        ontology: Ontology | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """`ontology` is the server's where it is not the core one; `http` a client of your own (proxies, certificates), used as it is."""
        self.user_id = check_scope(user_id)
        self._reader = Reader(ontology or Ontology.core())
        self._http = http or httpx.Client(base_url=url, headers=_headers(key), timeout=timeout)

    def for_user(self, user_id: str) -> Self:
        """A view of another scope over the same connections; the key must open it."""
        view = object.__new__(type(self))
        view.user_id, view._reader, view._http = check_scope(user_id), self._reader, self._http
        return view

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _send(self, call: Call[R]) -> R:
        try:
            answer = self._http.request(**_request(self.user_id, call))
        except httpx.TransportError as error:
            raise _unreachable(self._http.base_url, error) from error
        return _answer(call, answer, self._reader)

    def working_memory(self, session_id: str, *, capacity: int = DEFAULT_CAPACITY) -> RemoteWorkingMemory:
        """The few memories that an agent holds in one session, as it was left; `observe` fills it."""
        return RemoteWorkingMemory(self._send, session_id, capacity)

    remember = _blocking(calls.remember)
    add = _blocking(calls.add)
    add_triple = _blocking(calls.add_triple)
    link = _blocking(calls.link)
    unlink = _blocking(calls.unlink)
    correct = _blocking(calls.correct)
    set_status = _blocking(calls.set_status)
    retract = _blocking(calls.retract)
    restore = _blocking(calls.restore)
    pin = _blocking(calls.pin)
    conflicts = _blocking(calls.conflicts)
    resolve = _blocking(calls.resolve)
    merge_entities = _blocking(calls.merge_entities)
    split_entity = _blocking(calls.split_entity)
    recall = _blocking(calls.recall)
    context = _blocking(calls.context)
    understand = _blocking(calls.understand)
    extract = _blocking(calls.extract)
    chain = _blocking(calls.chain)
    history = _blocking(calls.history)
    get = _blocking(calls.get)
    list = _blocking(calls.list_)
    count = _blocking(calls.count)
    forget = _blocking(calls.forget)
    changes = _blocking(calls.changes)
    profile = _blocking(calls.profile)
    consolidate = _blocking(calls.consolidate)
    undo = _blocking(calls.undo)
    report = _blocking(calls.report)
    stats = _blocking(calls.stats)
    doctor = _blocking(calls.doctor)
    search = recall
    update = correct
    delete = forget


class AsyncRemoteMemory:
    """The same, awaitable."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        user_id: str = "default",
        timeout: float = 60.0,
        ontology: Ontology | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.user_id = check_scope(user_id)
        self._reader = Reader(ontology or Ontology.core())
        self._http = http or httpx.AsyncClient(base_url=url, headers=_headers(key), timeout=timeout)

    def for_user(self, user_id: str) -> Self:
        """A view of another scope over the same connections; the key must open it."""
        view = object.__new__(type(self))
        view.user_id, view._reader, view._http = check_scope(user_id), self._reader, self._http
        return view

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def _send(self, call: Call[R]) -> R:
        try:
            answer = await self._http.request(**_request(self.user_id, call))
        except httpx.TransportError as error:
            raise _unreachable(self._http.base_url, error) from error
        return _answer(call, answer, self._reader)

    async def working_memory(self, session_id: str, *, capacity: int = DEFAULT_CAPACITY) -> AsyncRemoteWorkingMemory:
        """The few memories that an agent holds in one session, as it was left; `observe` fills it."""
        return await AsyncRemoteWorkingMemory.load(self._send, session_id, capacity)

    remember = _awaitable(calls.remember)
    add = _awaitable(calls.add)
    add_triple = _awaitable(calls.add_triple)
    link = _awaitable(calls.link)
    unlink = _awaitable(calls.unlink)
    correct = _awaitable(calls.correct)
    set_status = _awaitable(calls.set_status)
    retract = _awaitable(calls.retract)
    restore = _awaitable(calls.restore)
    pin = _awaitable(calls.pin)
    conflicts = _awaitable(calls.conflicts)
    resolve = _awaitable(calls.resolve)
    merge_entities = _awaitable(calls.merge_entities)
    split_entity = _awaitable(calls.split_entity)
    recall = _awaitable(calls.recall)
    context = _awaitable(calls.context)
    understand = _awaitable(calls.understand)
    extract = _awaitable(calls.extract)
    chain = _awaitable(calls.chain)
    history = _awaitable(calls.history)
    get = _awaitable(calls.get)
    list = _awaitable(calls.list_)
    count = _awaitable(calls.count)
    forget = _awaitable(calls.forget)
    changes = _awaitable(calls.changes)
    profile = _awaitable(calls.profile)
    consolidate = _awaitable(calls.consolidate)
    undo = _awaitable(calls.undo)
    report = _awaitable(calls.report)
    stats = _awaitable(calls.stats)
    doctor = _awaitable(calls.doctor)
    search = recall
    update = correct
    delete = forget
