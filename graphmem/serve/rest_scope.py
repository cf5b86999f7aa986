"""From a request to the memory it may use, and from a verb's value to the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from fastapi import Depends, Path, Query, Request
from fastapi.responses import Response
from fastapi.security import HTTPBearer

from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.memory import AsyncMemory
from graphmem.serve.rest_access import Caller, Right
from graphmem.serve.rest_answers import shown
from graphmem.serve.rest_gate import segment
from graphmem.serve.rest_problems import Problem
from graphmem.temporal import to_moment

UserId: TypeAlias = Annotated[str, Path(min_length=1, max_length=1024, description="whose memory", examples=["alice"])]


def caller_of(request: Request) -> Caller:
    """Set by the gate, through which every request to /v1 comes."""
    found = request.scope["state"]["caller"]
    if not isinstance(found, Caller):
        raise TypeError("the gate set no caller")
    return found


def settings_of(request: Request) -> Settings:
    found = request.app.state.settings
    if not isinstance(found, Settings):
        raise TypeError("the application has no settings")
    return found


def everything_of(request: Request) -> AsyncMemory:
    """The opened memory itself, of no particular user."""
    found = request.app.state.memory
    if not isinstance(found, AsyncMemory):
        raise Problem(503, "the store is not open yet", {"Retry-After": "1"})
    return found


def require(caller: Caller, right: Right) -> None:
    if not caller.may(right):
        raise Problem(403, f"this key has no right to {right}")


def scoped(right: Right) -> Callable[[Request, str], AsyncMemory]:
    """A dependency: the user's memory, for keys that are bound to this user and hold the right."""

    def memory(request: Request, user_id: UserId) -> AsyncMemory:
        user, caller = segment(user_id), caller_of(request)
        if not caller.opens(user):
            raise Problem(403, "this key does not open this user")
        require(caller, right)
        return everything_of(request).for_user(user)

    return memory


BEARER = HTTPBearer(auto_error=False, description="a key of GRAPHMEM_API_KEYS; none where the server has no keys")
Reader: TypeAlias = Annotated[AsyncMemory, Depends(scoped("read"))]
Writer: TypeAlias = Annotated[AsyncMemory, Depends(scoped("write"))]
Admin: TypeAlias = Annotated[AsyncMemory, Depends(scoped("admin"))]


def _id(memory_id: Annotated[str, Path(min_length=1, max_length=3000)]) -> str:
    return segment(memory_id)


MemoryId: TypeAlias = Annotated[str, Depends(_id)]


class Times:
    """Reads stated times in the zone of the settings."""

    def __init__(self, request: Request) -> None:
        self.zone = settings_of(request).zone

    def __call__(self, text: str | None) -> datetime | None:
        return None if text is None else self.stated(text)

    def stated(self, text: str) -> datetime:
        try:
            return to_moment(text, self.zone)
        except OverflowError:
            raise InvalidInput(f"{text!r} lies outside the years 1 to 9999 in UTC") from None


Clocked: TypeAlias = Annotated[Times, Depends(Times)]
When: TypeAlias = Annotated[str | None, Query(max_length=64, description="ISO 8601, such as 2026-03-10")]


def where(filter: Annotated[str | None, Query(max_length=20_000, description="a filter as JSON")] = None) -> dict[str, Any] | None:  # noqa: A002 — the word on the wire
    if filter is None:
        return None
    try:
        found = json.loads(filter)
    except (ValueError, RecursionError):
        raise InvalidInput('filter must be JSON such as {"type": "Goal"}') from None
    if not isinstance(found, dict):
        raise InvalidInput('filter must be a JSON object such as {"type": "Goal"}')
    return found


Where: TypeAlias = Annotated[dict[str, Any] | None, Depends(where)]


def said(value: Any, status: int = 200) -> Response:
    """The answer as JSON; what cannot be encoded (a lone surrogate, a number that is none) is never stored, so never here."""
    return Response(json.dumps(shown(value), ensure_ascii=False).encode(), status, media_type="application/json")
