"""What every request passes before its route: the path read exactly, the key, the rate, the size; and what is counted afterwards."""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers

from graphmem.serve.rest_access import Keyring, Limiter, is_loopback
from graphmem.serve.rest_problems import Problem, answer
from graphmem.telemetry import span

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

LOG = logging.getLogger("graphmem.rest")
GUARDED = ("/v1/", "/metrics")
DEEPEST = 64
_SUSPICIOUS = re.compile(rb"\\u[dD][89a-fA-F]|NaN|Infinity|[eE]\+?\d{3}|\d{300}")
_SURROGATE = re.compile("[\ud800-\udfff]")
SAFETY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
)


class Meters:
    """The server's own registry: counts and times by route template, never by user or id."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("graphmem_http_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry)
        self.seconds = Histogram("graphmem_http_request_seconds", "Time to answer.", ["method", "route"], registry=self.registry)
        self.running = Gauge("graphmem_http_requests_running", "Requests being answered.", registry=self.registry)


def exact_path(raw: bytes) -> str:
    """The decoded path in which a slash or percent sign inside a segment stays escaped, so that ids may hold any character."""
    parts = []
    for part in raw.split(b"/"):
        try:
            text = unquote_to_bytes(part).decode("utf-8")
        except UnicodeDecodeError:
            raise Problem(400, "the path is not UTF-8") from None
        parts.append(text.replace("%", "%25").replace("/", "%2F"))
    return "/".join(parts)


def segment(text: str) -> str:
    """The id that `exact_path` left escaped."""
    return text.replace("%2F", "/").replace("%25", "%")


def mended(body: bytes) -> bytes:
    """The same JSON without halves of characters, which cannot be stored; refuses numbers that JSON does not have and deep nesting."""
    if max(body.count(b"["), body.count(b"{")) <= DEEPEST and not _SUSPICIOUS.search(body):
        return body
    try:
        value = json.loads(body, parse_constant=_no_number, parse_float=_finite)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return body
    except (RecursionError, ValueError) as error:
        told = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Problem(400, f"the body cannot be read: {told}") from None
    return json.dumps(_whole(value, DEEPEST)).encode()


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError("a number is too large")
    return number


def _whole(value: Any, depth: int) -> Any:
    if depth == 0:
        raise Problem(400, f"the body is nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _whole(item, depth - 1) for key, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Gate:
    """The outermost layer of the application; anything it does not know becomes a 500 without details, and a line in the log."""

    app: Application
    keyring: Keyring
    limiter: Limiter
    meters: Meters
    max_body: int
    any_host: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name.lower() for name, _ in message["headers"]}
                message = {**message, "headers": [*message["headers"], *((n, v) for n, v in SAFETY if n not in present)]}
            await send(message)

        self.meters.running.inc()
        try:
            with span("http", method=scope["method"]):
                await self._answer(scope, receive, counted)
        finally:
            self.meters.running.dec()
            self._count(scope, status, time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            scope["path"] = exact_path(scope.get("raw_path") or scope["path"].encode())
            self._admit(scope)
            await self.app(scope, await self._body(scope, receive), sending)
        except Problem as problem:
            await problem.response()(scope, receive, send)
        except Exception as error:
            # The message may hold somebody's words, so only where it happened is logged above DEBUG.
            LOG.error("a request failed: %s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))  # noqa: TRY400
            LOG.debug("its message: %s", error)
            if begun:
                raise
            await answer(500, "internal", "The server failed", "the server's log says why")(scope, receive, send)

    def _admit(self, scope: Scope) -> None:
        """Raises the problem of a request that has no key, a wrong one, or comes too often."""
        headers = Headers(scope=scope)
        if not self.any_host and not is_loopback(headers.get("host", "localhost")):
            raise Problem(421, "a server without keys answers to localhost only; set GRAPHMEM_API_KEYS to serve other names")
        if not scope["path"].startswith(GUARDED):
            return
        scheme, _, token = headers.get("authorization", "").partition(" ")
        caller = self.keyring.caller(token.strip() if scheme.lower() == "bearer" else None)
        client = scope.get("client")
        wait = self.limiter.wait(caller.name if caller else f"from {client[0] if client else ''}")
        if wait:
            raise Problem(429, f"more than {self.limiter.rate:g} requests a second", {"Retry-After": str(max(1, round(wait)))})
        if caller is None:
            raise Problem(401, "send a key as `Authorization: Bearer …`", {"WWW-Authenticate": "Bearer"})
        scope.setdefault("state", {})["caller"] = caller

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """Reads the whole body, as every route needs it, and refuses it as soon as it is known to be too large."""
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            raise Problem(400, "Content-Length is no number")
        if int(length) > self.max_body:
            raise Problem(413, f"at most {self.max_body} bytes")
        body, more = bytearray(), scope["method"] not in {"GET", "HEAD"}
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.max_body:
                raise Problem(413, f"at most {self.max_body} bytes")
        return _once(mended(bytes(body)), receive)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = route_of(scope), scope["method"] if scope["method"] in METHODS else "other"
        self.meters.requests.labels(method, route, str(status)).inc()
        self.meters.seconds.labels(method, route).observe(seconds)
        LOG.info("%s %s %d %.1f ms", method, route, status, 1000 * seconds)


METHODS = frozenset({"GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "PUT"})


def route_of(scope: Mapping[str, Any]) -> str:
    """The route's template: a label must not grow with the ids that are asked for."""
    context = scope.get("fastapi", {}).get("effective_route_context") if isinstance(scope.get("fastapi"), Mapping) else None
    found = getattr(context or scope.get("route"), "path", None)
    return found if isinstance(found, str) and found else "unrouted"


def _once(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read already, then whatever comes (a disconnect)."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
