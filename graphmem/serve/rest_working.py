"""The routes of a session's working memory."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import Response

from graphmem.memory import AsyncMemory
from graphmem.serve import rest_answers as answers
from graphmem.serve import rest_requests as requests
from graphmem.serve.rest_gate import segment
from graphmem.serve.rest_scope import MemoryId, said, scoped
from graphmem.working import DEFAULT_CAPACITY, WorkingMemory

router = APIRouter(prefix="/v1/users/{user_id}/sessions/{session_id}/working")

SessionId: TypeAlias = Annotated[str, Path(min_length=1, max_length=1024)]
Capacity: TypeAlias = Annotated[int, Query(ge=1, le=1000, description="how many memories are held at most")]


async def _read(
    memory: Annotated[AsyncMemory, Depends(scoped("read"))],
    session_id: SessionId,
    capacity: Capacity = DEFAULT_CAPACITY,
) -> WorkingMemory:
    return await memory.working_memory(segment(session_id), capacity=capacity)


async def _written(
    memory: Annotated[AsyncMemory, Depends(scoped("write"))],
    session_id: SessionId,
    capacity: Capacity = DEFAULT_CAPACITY,
) -> WorkingMemory:
    return await memory.working_memory(segment(session_id), capacity=capacity)


Read: TypeAlias = Annotated[WorkingMemory, Depends(_read)]
Written: TypeAlias = Annotated[WorkingMemory, Depends(_written)]


async def _shown(working: WorkingMemory) -> Response:
    return said({"items": working.items, "pinned": sorted(working.pinned), "metrics": await working.metrics()})


@router.get("", response_model=answers.Working, tags=["session"])
async def items(working: Read) -> Response:
    """What an agent holds in this session, pinned ones first."""
    return await _shown(working)


@router.post("/observe", response_model=answers.Working, tags=["session"])
async def observe(working: Written, body: requests.Observe) -> Response:
    """Take in what a question or message brings to mind, and let go of what is worth least."""
    await working.observe({"role": body.role, "content": body.text})
    return await _shown(working)


@router.post("/pins", response_model=answers.Working, tags=["session"])
async def pin(working: Written, body: requests.Pin) -> Response:
    """Hold a memory until it is unpinned."""
    await working.pin(body.memory_id)
    return await _shown(working)


@router.delete("/pins/{memory_id}", response_model=answers.Working, tags=["session"])
async def unpin(working: Written, memory_id: MemoryId) -> Response:
    await working.unpin(memory_id)
    return await _shown(working)


@router.delete("", status_code=204, response_class=Response, tags=["session"])
async def clear(working: Written) -> Response:
    """Let go of everything; the memories themselves stay."""
    await working.clear()
    return Response(status_code=204)


@router.get("/context", response_model=answers.Context, tags=["session"])
async def context(working: Read, budget: Annotated[int, Query(ge=1, le=1_000_000, description="tokens")] = 2000) -> Response:
    """What is held as text with citations."""
    return said(await working.context(budget))
