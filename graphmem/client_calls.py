"""Each verb as the request that asks the server for it, and how its answer is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote

from graphmem.client_read import Reader
from graphmem.errors import InvalidInput
from graphmem.memir import plain
from graphmem.model import (
    NOTHING,
    Chain,
    Change,
    Conflict,
    ConsolidationReport,
    Context,
    DeletionReport,
    Draft,
    Finding,
    MemoryRecord,
    Message,
    Outcome,
    Page,
    Policy,
    Profile,
    QueryPlan,
    Recollections,
    RememberReport,
    Report,
    Role,
    Source,
    Stats,
    Version,
)
from graphmem.ports import Order
from graphmem.remember import Input, to_messages

T = TypeVar("T")
Json = Mapping[str, Any]
Moment: TypeAlias = datetime | date | str | None
Drafts: TypeAlias = list[Draft]


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """`path` stands below the user's; values that are None are left out of the body and the query."""

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    read: Callable[[Reader, Any], T]
    body: Json | None = None
    query: Json = NOTHING

    def content(self) -> bytes | None:
        return None if self.body is None else json.dumps(_given(self.body), ensure_ascii=True).encode()

    def parameters(self) -> dict[str, str]:
        return {name: value if isinstance(value, str) else json.dumps(value) for name, value in _given(self.query).items()}


def _given(values: Json) -> dict[str, Any]:
    return {name: plain(value) for name, value in values.items() if value is not None}


def _time(moment: Moment) -> str | None:
    return moment if moment is None or isinstance(moment, str) else moment.isoformat()


def _at(memory_id: str, *more: str) -> str:
    return "/".join(["/memories", quote(memory_id, safe=""), *more])


def _nothing(_reader: Reader, _found: Any) -> None:
    return None


def _outcome(reader: Reader, found: Any) -> Outcome:
    return reader.outcome(found)


def remember(
    turns: Input | Sequence[Input],
    *,
    speaker: str | None = None,
    role: Role = "user",
    said_at: datetime | None = None,
    session_id: str | None = None,
    task_id: str | None = None,
    agent_id: str | None = None,
    source: Source | None = None,
    metadata: Json = NOTHING,
    extract: bool = True,
) -> Call[RememberReport]:
    """Keeps each turn verbatim and learns typed memories from it."""
    body = {
        "messages": [_turn(one) for one in to_messages(turns, Message(""))],
        "speaker": speaker,
        "role": role,
        "said_at": _time(said_at),
        "session_id": session_id,
        "task_id": task_id,
        "agent_id": agent_id,
        "source": source,
        "metadata": metadata,
        "extract": extract,
    }
    return Call("POST", "/remember", Reader.remembered, body)


def _turn(message: Message) -> Json:
    blank = Message("")
    fields = {name: getattr(message, name) for name in Message.__dataclass_fields__ if name != "text"}
    said = {"said_at": _time(message.said_at)} if message.said_at else {}
    return {"text": message.text, **{name: value for name, value in fields.items() if value != getattr(blank, name)}, **said}


def add(record: Draft | Json | Sequence[Draft | Json], *, policy: Policy | None = None) -> Call[list[Outcome]]:
    """Writes typed memories directly, from MemIR mappings or `Fact(…)`, `Goal(…)` …; one outcome each, all or none."""
    records = [record] if isinstance(record, (Draft, Mapping)) else list(record)
    made = [_given(_memir(one) if isinstance(one, Draft) else one) for one in records]
    return Call("POST", "/memories", Reader.outcomes, {"memories": made, "policy": policy})


def _memir(draft: Draft) -> Json:
    history = ("state", "recorded_at", "superseded_at", "vector")
    if given := [name for name in history if getattr(draft, name) is not None]:
        raise InvalidInput(f"a server takes no {', '.join(given)}: history is written where it happens")
    if any(link.target_id is None for link in draft.links):
        raise InvalidInput("over REST a relationship of a new memory names its target by id")
    times = {"valid_from": _time(draft.valid_from), "valid_to": _time(draft.valid_to), "precision": draft.precision}
    same = ("id", "type", "summary", "source", "confidence", "importance", "session_id", "task_id", "agent_id", "pinned")
    extra = {name: getattr(draft, name) for name in ("location", "reason", "purpose") if getattr(draft, name) is not None}
    return {
        **{name: None if value == "" or value is False else value for name in same for value in [getattr(draft, name)]},
        "text": draft.text or None,
        "properties": draft.properties,
        "metadata": {**draft.metadata, **extra},
        "time": {name: value for name, value in times.items() if value is not None} or None,
        "relationships": [{"type": one.type, "target_id": one.target_id, "properties": one.properties} for one in draft.links],
        "entities": [{name: value for name, value in plain(one).items() if value is not None} for one in draft.mentions],
        "keywords": list(draft.keywords) or None,
    }


def add_triple(
    subject: str,
    relation: str,
    object: Any,  # noqa: A002 — the field's name for it
    *,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    source: Source = "user",
    confidence: float | None = None,
    qualifiers: Json = NOTHING,
    policy: Policy | None = None,
) -> Call[Outcome]:
    """A Fact in one line."""
    slots = {"subject": subject, "relation": relation, "object": object, **({"qualifiers": dict(qualifiers)} if qualifiers else {})}
    fact = Draft(type="Fact", properties=slots, valid_from=valid_from, valid_to=valid_to, source=source, confidence=confidence)
    return Call("POST", "/memories", lambda reader, found: reader.outcome(found[0]), add(fact, policy=policy).body)


def link(source_id: str, relationship: str, target_id: str, **properties: Any) -> Call[None]:
    """Draws a relationship of the ontology between two memories."""
    body = {"source_id": source_id, "relationship": relationship, "target_id": target_id, "properties": properties}
    return Call("POST", "/links", _nothing, body)


def unlink(source_id: str, relationship: str, target_id: str) -> Call[None]:
    """Closes it; `chain(as_of=…)` still sees it in the past."""
    query = {"source_id": source_id, "relationship": relationship, "target_id": target_id}
    return Call("DELETE", "/links", _nothing, query=query)


def correct(memory_id: str, *, text: str | None = None, **slots: Any) -> Call[Outcome]:
    """Says that it is otherwise and never was as stored; the old version stays in `history`."""
    return Call("PATCH", _at(memory_id), _outcome, {"text": text, "properties": slots})


def set_status(memory_id: str, status: str, *, reason: str | None = None) -> Call[Outcome]:
    """Moves a task along its state machine; reopening a closed one needs a reason."""
    return Call("PATCH", _at(memory_id), _outcome, {"status": status, "reason": reason})


def retract(memory_id: str, reason: str) -> Call[Outcome]:
    """It never was true: what it had displaced holds again."""
    return Call("POST", _at(memory_id, "retract"), _outcome, {"reason": reason})


def restore(memory_id: str) -> Call[Outcome]:
    """Undoes an archive, a retraction or a resolution (by the conflict's id)."""
    return Call("POST", _at(memory_id, "restore"), _outcome)


def pin(memory_id: str, *, pinned: bool = True) -> Call[None]:
    """A pinned memory neither decays nor is archived."""
    return Call("PATCH", _at(memory_id), _nothing, {"pinned": pinned})


def conflicts() -> Call[list[Conflict]]:
    """What is disputed, each with a question to ask."""
    return Call("GET", "/conflicts", lambda reader, found: reader.values(Conflict, found))


def resolve(conflict_id: str, keep: Literal["new", "old", "both", "neither"] = "new", reason: str = "") -> Call[Outcome]:
    """Settles a dispute; `restore(conflict_id)` undoes it."""
    return Call("POST", f"/conflicts/{quote(conflict_id, safe='')}/resolve", _outcome, {"keep": keep, "reason": reason})


def merge_entities(a: str, b: str) -> Call[None]:
    """Makes two entities (by id or name) one."""
    return Call("POST", "/entities/merge", _nothing, {"keep": a, "merge": b})


def split_entity(a: str) -> Call[None]:
    """Undoes the last merge into this entity."""
    return Call("POST", "/entities/split", _nothing, {"entity": a})


def recall(
    query: str,
    *,
    limit: int | None = None,
    filter: Json | None = None,  # noqa: A002 — the word that other libraries use
    at: Moment = None,
    as_of: Moment = None,
    session_id: str | None = None,
    task_id: str | None = None,
    expand: bool = True,
    include_archived: bool = False,
    explain: bool = False,
) -> Call[Recollections]:
    """The memories that matter for a question, best first."""
    body = {
        "query": query,
        "limit": limit,
        "filter": filter,
        "at": _time(at),
        "as_of": _time(as_of),
        "session_id": session_id,
        "task_id": task_id,
        "expand": expand,
        "include_archived": include_archived,
        "explain": explain,
    }
    return Call("POST", "/recall", Reader.recollections, body)


def context(query: str, /, *, budget: int = 2000, **options: Any) -> Call[Context]:
    """The recalled memories and their chains as text with citations, within a budget of tokens."""
    body = {name: value for name, value in (recall(query, **options).body or {}).items() if name != "explain"}
    return Call("POST", "/context", lambda reader, found: reader.value(Context, found), {**body, "budget": budget})


def understand(query: str, *, now: Moment = None) -> Call[QueryPlan]:
    """What `recall` would look for, without looking."""
    return Call("POST", "/understand", lambda reader, found: reader.value(QueryPlan, found), {"query": query, "now": _time(now)})


def extract(text: str, *, speaker: str | None = None, said_at: Moment = None) -> Call[Drafts]:
    """What `remember` would learn, without storing anything."""
    body = {"text": text, "speaker": speaker, "said_at": _time(said_at)}
    return Call("POST", "/extract", lambda reader, found: reader.values(Draft, found), body)


def chain(memory_id: str, *, depth: int | None = None, at: Moment = None, as_of: Moment = None) -> Call[Chain]:
    """Goal, plans, steps and events around one memory, as a tree and in order."""
    query = {"depth": depth, "at": _time(at), "as_of": _time(as_of)}
    return Call("GET", _at(memory_id, "chain"), lambda reader, found: reader.value(Chain, found), query=query)


def history(memory_id: str | None = None, *, subject: str | None = None, relation: str | None = None) -> Call[list[Version]]:
    """Every version of one memory, or of everything ever claimed of a subject (under one relation), with both time axes."""
    if (memory_id is None) == (subject is None):
        raise InvalidInput("history takes a memory's id, or a subject: one of them")
    path = _at(memory_id, "history") if memory_id is not None else "/history"
    return Call("GET", path, lambda reader, found: reader.values(Version, found), query={"subject": subject, "relation": relation})


def get(memory_id: str) -> Call[MemoryRecord]:
    """One memory in whatever state."""
    return Call("GET", _at(memory_id), lambda reader, found: reader.value(MemoryRecord, found))


def list_(
    filter: Json | None = None,  # noqa: A002 — the word that other libraries use
    *,
    at: Moment = None,
    as_of: Moment = None,
    limit: int = 100,
    cursor: str | None = None,
    order: Order = "newest",
) -> Call[Page]:
    """A page of memories; current and disputed ones unless the filter names a state."""
    query = {"filter": filter, "at": _time(at), "as_of": _time(as_of), "limit": limit, "cursor": cursor, "order": order}
    return Call("GET", "/memories", Reader.page, query=query)


def count(filter: Json | None = None) -> Call[int]:  # noqa: A002 — the word that other libraries use
    return Call("GET", "/count", lambda _, found: int(found["count"]), query={"filter": filter})


def forget(
    memory_id: str | Sequence[str] | None = None,
    *,
    filter: Json | None = None,  # noqa: A002 — the word that other libraries use
    session_id: str | None = None,
    everything: bool = False,
    with_sources: bool = False,
    tombstones: bool = False,
    compact: bool = False,
    reason: str = "",
) -> Call[DeletionReport]:
    """Erases memories, a session, or all of this user (which needs the right to admin, as `compact` does)."""
    if (memory_id is not None) + (filter is not None) + (session_id is not None) + everything != 1:
        raise InvalidInput("forget takes an id, a filter, a session or everything=True: exactly one of them")
    how = {"tombstones": tombstones, "compact": compact, "reason": reason}
    if everything:
        return Call("DELETE", "", _deleted, query=how)
    ids = [memory_id] if isinstance(memory_id, str) else memory_id
    what = {"ids": ids, "filter": filter, "session_id": session_id, "with_sources": with_sources}
    return Call("POST", "/forget", _deleted, {**what, **how})


def _deleted(reader: Reader, found: Any) -> DeletionReport:
    return reader.value(DeletionReport, found)


def changes(since: Moment) -> Call[list[Change]]:
    """What was added, superseded, disputed and forgotten since then."""
    return Call("GET", "/changes", lambda reader, found: reader.values(Change, found), query={"since": _time(since)})


def profile() -> Call[Profile]:
    """The person as known now."""
    return Call("GET", "/profile", lambda reader, found: reader.value(Profile, found))


def consolidate(*, dry_run: bool = False) -> Call[ConsolidationReport]:
    """Merges, decays, archives, expires and summarises, or says what would be done."""
    return Call("POST", "/consolidate", lambda reader, found: reader.value(ConsolidationReport, found), {"dry_run": dry_run})


def undo(action_id: str) -> Call[list[str]]:
    """Takes one action of `consolidate` back, for good; the memories concerned."""
    return Call("POST", f"/consolidate/{quote(action_id, safe='')}/undo", lambda _, found: [str(one) for one in found])


def report(since: Moment = None) -> Call[Report]:
    """What to look at: learned in the last seven days (or since then), open and overdue tasks, disputes."""
    return Call("GET", "/report", lambda reader, found: reader.value(Report, found), query={"since": _time(since)})


def stats() -> Call[Stats]:
    """Counts of this scope, and what the store runs on."""
    return Call("GET", "/stats", lambda reader, found: reader.value(Stats, found))


def doctor(*, deep: bool = False) -> Call[list[Finding]]:
    """What was looked at and how it is (needs the right to admin)."""
    return Call("GET", "/doctor", lambda reader, found: reader.values(Finding, found), query={"deep": deep})
