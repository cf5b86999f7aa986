"""Memories in and out: MemIR JSON lines, conversations in known shapes, and from one store to another."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, Literal

from graphmem.core.identity import content_id
from graphmem.core.tombstones import NOTE, forgotten
from graphmem.errors import InvalidInput
from graphmem.memir import plain, to_draft, to_memir
from graphmem.model import (
    STATES,
    Added,
    Belief,
    Entity,
    EntityRef,
    Ignored,
    MemoryRecord,
    Message,
    Outcome,
    Relationship,
    Statement,
    state_at,
)
from graphmem.ontology import Ontology
from graphmem.ports import ChangeSet, Clock, Selection, Store
from graphmem.temporal import to_interval
from graphmem.writing import Writer

Format = Literal["memir", "locomo", "mem0", "mcp-memory"]
Progress = Callable[[int, int], None]
PAGE = 256
ALL = 1_000_000
TIMES = {"recorded_at", "superseded_at", "retracted_at", "valid_from", "valid_to"}


@dataclass(frozen=True, slots=True)
class Carrier:
    """Carries one scope's memories out of and into a store."""

    store: Store
    writer: Writer
    ontology: Ontology
    clock: Clock
    embedding: str | None

    async def export(self, user_id: str, path: Path, *, progress: Progress | None = None) -> int:
        """One line a memory, by id; written beside and renamed, so that a killed export leaves the old file."""
        total = sum((await self.store.count(user_id, self._all())).values())
        done = 0
        with _replacing(path) as file:
            async for line in self.lines(user_id):
                file.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
                done += 1
                if progress is not None and done % PAGE == 0:
                    progress(done, total)
        return done

    async def lines(self, user_id: str) -> AsyncIterator[dict[str, Any]]:
        """MemIR objects with everything that a store needs to answer as this one does, vectors included, token vectors not."""
        async for page in self._pages(user_id):
            ids = [memory.id for memory in page]
            entities = await self.store.entities_by_id(user_id, list({ref.id for memory in page for ref in memory.refs}))
            near = await self.store.relationships(user_id, ids, None, limit=ALL, as_of=None)
            statements, beliefs = await self.store.statements(user_id, ids), await self.store.beliefs(user_id, ids)
            vectors = {one.memory_id: one.vector for one in await self.store.passages(user_id, ids, tokens=False) if one.number == 0}
            names = {entity.id: entity for entity in entities}
            for memory in page:
                own = [one.relationship for one in near if one.start == memory.id and one.relationship.source_id == memory.id]
                vector = vectors.get(memory.id)
                line = to_memir(
                    memory,
                    self.ontology.to_json(memory.properties),
                    relationships=sorted({one.id: one for one in own}.values(), key=lambda one: (one.type, one.target_id)),
                    statements=sorted((one for one in statements if one.memory_id == memory.id), key=lambda one: one.id),
                    beliefs=[
                        replace(one, properties=self.ontology.to_json(one.properties)) for one in beliefs if one.memory_id == memory.id
                    ],
                    vector=None if vector is None or self.embedding is None else (self.embedding, vector.tolist()),
                )
                line["state"] = memory.stored_state
                line["key"], line["value"] = memory.key, memory.value
                line["counters"] = {
                    "access_count": memory.access_count,
                    "last_accessed_at": plain(memory.last_accessed_at),
                    "reinforcements": memory.reinforcements,
                    "strength": memory.strength,
                }
                for entity in line["entities"]:
                    if entity["id"] in names:
                        entity |= {"kind": names[entity["id"]].kind, "aliases": list(names[entity["id"]].aliases)}
                yield line

    async def _pages(self, user_id: str) -> AsyncIterator[list[MemoryRecord]]:
        page, after = await self.store.select(user_id, self._all(), order="id", limit=PAGE)
        yield page
        while after is not None:
            page, after = await self.store.select(user_id, self._all(), order="id", limit=PAGE, after=after)
            yield page

    def _all(self) -> Selection:
        return Selection(at=self.clock.now(), states=frozenset(STATES))

    async def restore(self, user_id: str, lines: Iterable[Mapping[str, Any]], *, rescope: bool = False) -> list[Outcome]:
        """Takes exported lines back exactly and writes other MemIR records through reconciliation; in groups, each atomic."""
        outcomes: list[Outcome] = []
        group: list[Mapping[str, Any]] = []
        buried = await self.store.note(user_id, NOTE)
        for line in lines:
            if buried and forgotten(buried, [line.get("id")], str(line.get("type")), str(line.get("text") or "")):
                continue
            group.append(self._scoped(line, user_id, rescope=rescope))
            if len(group) == PAGE:
                outcomes += await self._group(user_id, group)
                group = []
        return outcomes + (await self._group(user_id, group) if group else [])

    def _scoped(self, line: Mapping[str, Any], user_id: str, *, rescope: bool) -> Mapping[str, Any]:
        """The line under this user; ids and claim keys of another are made anew from the old ones, so that two imports agree."""
        owner = line.get("user_id", user_id)
        if owner == user_id:
            return line
        if not rescope:
            raise InvalidInput(f"the record belongs to user {owner!r}, not to {user_id!r}; import_(…, rescope=True) rewrites it")
        text = json.dumps(line, ensure_ascii=False)
        known = {
            line.get("id"),
            *(one.get("target_id") for one in line.get("relationships", ())),
            *(one.get("id") for one in line.get("entities", ())),
        }
        known |= {one.get(name) for one in line.get("statements", ()) for name in ("id", "episode_id")}
        for old in sorted(filter(None, known)):
            text = text.replace(json.dumps(old, ensure_ascii=False)[1:-1], content_id("rescoped", user_id, old))
        moved: dict[str, Any] = json.loads(text)
        return (
            moved
            | {"user_id": user_id}
            | {name: [one | {"user_id": user_id} for one in moved[name]] for name in ("statements", "versions") if name in moved}
        )

    async def _group(self, user_id: str, group: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        exact = [line for line in group if "versions" in line]
        other = [line for line in group if "versions" not in line]
        done: dict[int, Outcome] = {}
        if exact:
            known = {memory.id for memory in await self.store.memories(user_id, [line["id"] for line in exact])}
            fresh = [line for line in exact if line["id"] not in known]
            records = {line["id"]: self._record(line) for line in exact}
            if fresh:
                await self.store.commit(await self._change(user_id, fresh, [records[line["id"]] for line in fresh]))
            done |= {
                id(line): Ignored(records[line["id"]]) if line["id"] in known else Added(records[line["id"]], "imported") for line in exact
            }
        if other:
            drafts = [to_draft(line, user_id) for line in other]
            done |= {id(line): outcome for line, outcome in zip(other, await self.writer.write(user_id, drafts), strict=True)}
        return [done[id(line)] for line in group]

    def _record(self, line: Mapping[str, Any]) -> MemoryRecord:
        """The memory exactly as it was exported."""
        draft = to_draft({key: value for key, value in line.items() if key not in {"key", "value", "counters", "state"}}, line["user_id"])
        counters, times = line.get("counters", {}), {name: _time(line["time"].get(name)) for name in ("recorded_at", "superseded_at")}
        last = _time(counters.get("last_accessed_at"))
        return MemoryRecord(
            id=line["id"],
            user_id=line["user_id"],
            type=draft.type,
            text=draft.text,
            summary=draft.summary,
            properties=self.ontology.from_json(draft.type, line["properties"]),
            state=state_at(line["state"], draft.valid_from, draft.valid_to, self.clock.now()),
            stored_state=line["state"],
            valid_from=draft.valid_from,
            valid_to=draft.valid_to,
            precision=draft.precision,
            source=draft.source or "user",
            confidence=0.7 if draft.confidence is None else draft.confidence,
            importance=0.5 if draft.importance is None else draft.importance,
            session_id=draft.session_id,
            task_id=draft.task_id,
            agent_id=draft.agent_id,
            refs=tuple(EntityRef(one["id"], one["name"], one["role"]) for one in line.get("entities", ())),
            keywords=draft.keywords,
            location=draft.location,
            reason=draft.reason,
            purpose=draft.purpose,
            access_count=counters.get("access_count", 0),
            last_accessed_at=last,
            reinforcements=counters.get("reinforcements", 0),
            strength=counters.get("strength", 1.0),
            pinned=draft.pinned,
            metadata=draft.metadata,
            key=line.get("key"),
            value=line.get("value"),
            **times,
        )

    async def _change(self, user_id: str, lines: Sequence[Mapping[str, Any]], records: Sequence[MemoryRecord]) -> ChangeSet:
        hot = [memory for memory in records if memory.stored_state != "archived"]
        return ChangeSet(
            user_id=user_id,
            now=self.clock.now(),
            memories=tuple(records),
            reindex=frozenset(memory.id for memory in hot),
            passages=tuple(await self.writer.index(hot)),
            beliefs=tuple(
                Belief(**_timed(one) | {"properties": self.ontology.from_json(line["type"], one["properties"])})
                for line in lines
                for one in line["versions"]
            ),
            statements=tuple(Statement(**_timed(one)) for line in lines for one in line.get("statements", ())),
            entities=tuple(
                {
                    one["id"]: Entity(
                        id=one["id"],
                        user_id=user_id,
                        name=one["name"],
                        kind=one.get("kind", "Thing"),
                        aliases=tuple(one.get("aliases", ())),
                    )
                    for line in lines
                    for one in line.get("entities", ())
                }.values()
            ),
            relationships=tuple(_relationship(user_id, line["id"], one) for line in lines for one in line.get("relationships", ())),
        )


@contextmanager
def _replacing(path: Path) -> Iterator[IO[str]]:
    """A file beside `path` that takes its place when all is written, and goes away when something fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _time(value: str | None) -> datetime | None:
    return None if value is None else to_interval(value).start


def _timed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _time(value) if name in TIMES else value for name, value in fields.items()}


def _relationship(user_id: str, source_id: str, one: Mapping[str, Any]) -> Relationship:
    type_ = one["type"].upper()
    id_ = content_id("relationship", user_id, source_id, type_, one["target_id"])
    times = {name: _time(one.get(name)) for name in ("recorded_at", "superseded_at")}
    return Relationship(
        id=id_, user_id=user_id, source_id=source_id, type=type_, target_id=one["target_id"], properties=one.get("properties", {}), **times
    )


# ── readers of files ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file; a broken line is named by its number."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
            except ValueError as error:
                raise InvalidInput(f"{path.name}, line {number}: {error}; each line must be one JSON object") from error
            if not isinstance(found, dict):
                raise InvalidInput(f"{path.name}, line {number}: a {type(found).__name__}, not a JSON object")
            yield found


def read_turns(path: Path) -> list[Message]:
    """A conversation: JSON (a list of {"role", "content"} or {"messages": […]}), JSON lines of the same, or text lines "Speaker: what was said"."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in {".json", ".jsonl"}:
        try:
            data = json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise InvalidInput(f"{path.name} is not JSON: {error}") from error
        items = data.get("messages", data) if isinstance(data, dict) else data
        return [_turn(item) for item in items]
    turns: list[Message] = []
    for line in filter(str.strip, text.splitlines()):
        match = re.match(r"([^:：]{1,40})[:：]\s*(\S.*)", line)
        turns.append(Message(match[2], match[1].strip()) if match else Message(line.strip()))
    return turns


def _turn(item: Any) -> Message:
    if isinstance(item, str):
        return Message(item)
    if not isinstance(item, Mapping):
        raise InvalidInput(f"a turn is text or an object with role and content, not {type(item).__name__}")
    said_at = item.get("said_at") or item.get("timestamp") or item.get("created_at")
    return Message(
        str(item.get("content") or item.get("text") or ""),
        item.get("speaker") or item.get("name"),
        role=item.get("role", "user"),
        said_at=to_interval(said_at).start if said_at else None,
        session_id=item.get("session_id"),
        metadata=item.get("metadata", {}),
    )


def read_locomo(path: Path) -> dict[str, list[Message]]:
    """LoCoMo's shape: per sample the turns of its numbered sessions, half a minute apart, photos by their captions."""
    samples = json.loads(path.read_text(encoding="utf-8"))
    return {str(sample.get("sample_id", n)): list(_locomo_turns(sample["conversation"])) for n, sample in enumerate(samples)}


def _locomo_turns(conversation: Mapping[str, Any]) -> Iterator[Message]:
    numbers = sorted(int(name.removeprefix("session_")) for name in conversation if re.fullmatch(r"session_\d+", name))
    for number in numbers:
        start = datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for i, turn in enumerate(conversation[f"session_{number}"]):
            caption = f" [shares a photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            if text := f"{turn.get('text', '')}{caption}".strip():
                when = start + timedelta(seconds=30 * i)
                yield Message(text, turn["speaker"], said_at=when, session_id=f"session_{number}", metadata={"dia_id": turn["dia_id"]})
