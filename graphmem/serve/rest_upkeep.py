"""The routes of upkeep and overview."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from graphmem.serve import rest_answers as answers
from graphmem.serve import rest_requests as requests
from graphmem.serve.rest_scope import Admin, Clocked, MemoryId, Reader, Writer, said

router = APIRouter(prefix="/v1/users/{user_id}")


@router.get("/changes", response_model=list[answers.Change], tags=["read"])
async def changes(memory: Reader, since: Annotated[str, Query(max_length=64, description="ISO 8601")], when: Clocked) -> Response:
    """What was added, superseded, disputed and forgotten since then."""
    return said(await memory.changes(when.stated(since)))


@router.get("/profile", response_model=answers.Profile, tags=["read"])
async def profile(memory: Reader) -> Response:
    """The person as known now."""
    return said(await memory.profile())


@router.post("/consolidate", response_model=answers.Consolidation, tags=["write"])
async def consolidate(memory: Writer, body: requests.Consolidate) -> Response:
    """Merge, decay, archive, expire and summarise, or say what would be done."""
    return said(await memory.consolidate(dry_run=body.dry_run))


@router.post("/consolidate/{memory_id}/undo", response_model=list[str], tags=["write"])
async def undo(memory: Writer, memory_id: MemoryId) -> Response:
    """Take one action of consolidate back (by the action's id); the memories concerned."""
    return said(await memory.undo(memory_id))


@router.get("/report", response_model=answers.Report, tags=["read"])
async def report(
    memory: Reader, when: Clocked, since: Annotated[str | None, Query(max_length=64, description="ISO 8601; a week ago")] = None
) -> Response:
    """What to look at: learned since then, open and overdue tasks, disputes."""
    return said(await memory.report(when(since)))


@router.get("/doctor", response_model=list[answers.Finding], tags=["admin"])
async def doctor(memory: Admin, *, deep: bool = False) -> Response:
    """What was looked at and how it is."""
    return said(await memory.doctor(deep=deep))
