"""The routes of one user's memory: one verb each."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from graphmem.errors import InvalidInput
from graphmem.ports import Order
from graphmem.serve import rest_answers as answers
from graphmem.serve import rest_requests as requests
from graphmem.serve.rest_access import EVERYONE
from graphmem.serve.rest_scope import Admin, Clocked, MemoryId, Reader, When, Where, Writer, caller_of, require, said

router = APIRouter(prefix="/v1/users/{user_id}")


@router.post("/remember", response_model=answers.Remembered, tags=["write"])
async def remember(memory: Writer, body: requests.Remember, when: Clocked) -> Response:
    """Keep turns verbatim and learn typed memories from them."""
    turns: Any = body.text
    if body.messages is not None:
        turns = [{**one.model_dump(exclude_unset=True), "said_at": when(one.said_at)} for one in body.messages]
    report = await memory.remember(
        turns,
        speaker=body.speaker,
        role=body.role,
        said_at=when(body.said_at),
        session_id=body.session_id,
        task_id=body.task_id,
        agent_id=body.agent_id,
        source=body.source,
        metadata=body.metadata,
        extract=body.extract,
    )
    return said(report)


@router.post("/memories", response_model=list[answers.OutcomeAnswer], tags=["write"])
async def add(memory: Writer, body: requests.NewMemories) -> Response:
    """Write typed memories directly, all or none; history (state, transaction times, versions) cannot be brought in this way."""
    return said(await memory.add([one.record() for one in body.memories], policy=body.policy))


@router.post("/recall", response_model=answers.Recollections, tags=["read"])
async def recall(memory: Reader, body: requests.ExplainedRecall, when: Clocked) -> Response:
    """The memories that matter for a question, best first."""
    found = await memory.recall(body.query, **recall_options(body, when), explain=body.explain)
    return said({"recollections": list(found), "plan": found.plan, "trace": found.trace})


@router.post("/context", response_model=answers.Context, tags=["read"])
async def context(memory: Reader, body: requests.ContextOf, when: Clocked) -> Response:
    """The same as text with citations, within a budget of tokens."""
    return said(await memory.context(body.query, budget=body.budget, **recall_options(body, when)))


def recall_options(body: requests.Recall, when: Clocked) -> dict[str, Any]:
    return {
        "limit": body.limit,
        "filter": body.filter,
        "at": when(body.at),
        "as_of": when(body.as_of),
        "session_id": body.session_id,
        "task_id": body.task_id,
        "expand": body.expand,
        "include_archived": body.include_archived,
    }


@router.post("/understand", response_model=answers.Plan, tags=["read"])
async def understand(memory: Reader, body: requests.Understand, when: Clocked) -> Response:
    """What recall would look for, without looking."""
    return said(await memory.understand(body.query, now=when(body.now)))


@router.post("/extract", tags=["read"], response_model=list[dict[str, Any]])
async def extract(memory: Reader, body: requests.Extract, when: Clocked) -> Response:
    """What remember would learn, without storing anything."""
    return said(await memory.extract(body.text, speaker=body.speaker, said_at=when(body.said_at)))


@router.get("/memories", response_model=answers.Page, tags=["read"])
async def list_memories(
    *,
    memory: Reader,
    where: Where,
    when: Clocked,
    at: When = None,
    as_of: When = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=2000)] = None,
    order: Order = "newest",
) -> Response:
    """A page of memories; current and disputed ones unless the filter names a state."""
    page = await memory.list(where, at=when(at), as_of=when(as_of), limit=limit, cursor=cursor, order=order)
    return said({"memories": list(page), "cursor": page.cursor})


@router.get("/count", response_model=answers.Count, tags=["read"])
async def count(memory: Reader, where: Where) -> Response:
    return said({"count": await memory.count(where)})


@router.get("/memories/{memory_id}", response_model=answers.Memory, tags=["read"])
async def get(memory: Reader, memory_id: MemoryId) -> Response:
    return said(await memory.get(memory_id))


@router.patch("/memories/{memory_id}", response_model=answers.OutcomeAnswer, tags=["write"])
async def change(memory: Writer, memory_id: MemoryId, body: requests.Change) -> Response:
    """Correct text and slots (the old version stays), or move a status, or pin."""
    if body.pinned is not None:
        await memory.pin(memory_id, pinned=body.pinned)
        return said({"kind": "Ignored", "memory": await memory.get(memory_id), "why": "pinned" if body.pinned else "unpinned"})
    if body.status is not None:
        return said(await memory.set_status(memory_id, body.status, reason=body.reason))
    if "text" in body.properties:
        raise InvalidInput("text stands beside properties, not among them")
    return said(await memory.correct(memory_id, text=body.text, **body.properties))


@router.delete("/memories/{memory_id}", response_model=answers.Deletion, tags=["write"])
async def forget_one(
    memory: Writer,
    memory_id: MemoryId,
    *,
    with_sources: Annotated[bool, Query(description="also the turns that still say it")] = False,
    reason: Annotated[str, Query(max_length=1000)] = "",
) -> Response:
    """Erase one memory for good, with what derives from it alone."""
    return said(await memory.forget(memory_id, with_sources=with_sources, reason=reason))


@router.post("/forget", response_model=answers.Deletion, tags=["write"])
async def forget(memory: Writer, body: requests.Forget, request: Request) -> Response:
    """Erase several memories for good, by ids, by filter or by session."""
    if body.compact:
        require(caller_of(request), "admin")
    return said(await memory.forget(body.ids, **body.model_dump(exclude={"ids"})))


@router.delete("", response_model=answers.Deletion, tags=["admin"])
async def forget_user(
    memory: Admin,
    *,
    tombstones: Annotated[bool, Query(description="keep keyed hashes, by which a later import leaves out what was forgotten")] = False,
    compact: Annotated[bool, Query(description="rewrite the store's file")] = False,
    reason: Annotated[str, Query(max_length=1000)] = "",
) -> Response:
    """Erase everything of this user for good."""
    return said(await memory.forget(everything=True, tombstones=tombstones, compact=compact, reason=reason))


@router.get("/memories/{memory_id}/chain", response_model=answers.Chain, tags=["read"])
async def chain(
    *,
    memory: Reader,
    memory_id: MemoryId,
    when: Clocked,
    depth: Annotated[int | None, Query(ge=1, le=64)] = None,
    at: When = None,
    as_of: When = None,
) -> Response:
    """Goal, plans, steps and events around one memory, as a tree and in order."""
    return said(await memory.chain(memory_id, depth=depth, at=when(at), as_of=when(as_of)))


@router.get("/memories/{memory_id}/history", response_model=list[answers.Version], tags=["read"])
async def history(memory: Reader, memory_id: MemoryId) -> Response:
    """Every version of one memory, with both time axes."""
    return said(await memory.history(memory_id))


@router.get("/history", response_model=list[answers.Version], tags=["read"])
async def history_of(
    memory: Reader,
    subject: Annotated[str, Query(min_length=1, max_length=1000)],
    relation: Annotated[str | None, Query(max_length=1000)] = None,
) -> Response:
    """Everything ever claimed of a subject, under one relation or all."""
    return said(await memory.history(subject=subject, relation=relation))


@router.post("/memories/{memory_id}/retract", response_model=answers.OutcomeAnswer, tags=["write"])
async def retract(memory: Writer, memory_id: MemoryId, body: requests.Reason) -> Response:
    """It never was true: what it had displaced holds again."""
    return said(await memory.retract(memory_id, body.reason))


@router.post("/memories/{memory_id}/restore", response_model=answers.OutcomeAnswer, tags=["write"])
async def restore(memory: Writer, memory_id: MemoryId) -> Response:
    """Undo an archive, a retraction or a resolution (by the conflict's id)."""
    return said(await memory.restore(memory_id))


@router.post("/links", status_code=204, response_class=Response, tags=["write"])
async def link(memory: Writer, body: requests.Link) -> Response:
    """Draw a relationship of the ontology between two memories."""
    await memory.link(body.source_id, body.relationship, body.target_id, **body.properties)
    return Response(status_code=204)


@router.delete("/links", status_code=204, response_class=Response, tags=["write"])
async def unlink(
    memory: Writer,
    source_id: Annotated[str, Query(min_length=1, max_length=1000)],
    relationship: Annotated[str, Query(min_length=1, max_length=1000)],
    target_id: Annotated[str, Query(min_length=1, max_length=1000)],
) -> Response:
    """Close it; a chain as of an earlier day still shows it."""
    await memory.unlink(source_id, relationship, target_id)
    return Response(status_code=204)


@router.get("/conflicts", response_model=list[answers.Conflict], tags=["read"])
async def conflicts(memory: Reader) -> Response:
    """What is disputed, each with a question to ask."""
    return said(await memory.conflicts())


@router.post("/conflicts/{memory_id}/resolve", response_model=answers.OutcomeAnswer, tags=["write"])
async def resolve(memory: Writer, memory_id: MemoryId, body: requests.Resolve) -> Response:
    """Settle a dispute; restore with its id undoes it."""
    return said(await memory.resolve(memory_id, body.keep, body.reason))


@router.post("/entities/merge", status_code=204, response_class=Response, tags=["write"])
async def merge(memory: Writer, body: requests.Merge) -> Response:
    """Make two entities one and reconcile their claims."""
    await memory.merge_entities(body.keep, body.merge)
    return Response(status_code=204)


@router.post("/entities/split", status_code=204, response_class=Response, tags=["write"])
async def split(memory: Writer, body: requests.Split) -> Response:
    """Undo the last merge into this entity."""
    await memory.split_entity(body.entity)
    return Response(status_code=204)


@router.get("/stats", response_model=answers.Stats, tags=["read"])
async def stats(memory: Reader, request: Request) -> Response:
    """Counts of this user, and what the store runs on."""
    found = await memory.stats()
    return said(found if EVERYONE in caller_of(request).users else replace(found, users=1))
