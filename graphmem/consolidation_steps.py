"""The steps of upkeep as values, each done in a change set of its own and taken back exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from graphmem.core.identity import content_id, relationship_id
from graphmem.errors import NotFound
from graphmem.model import ConsolidationAction, Draft, MemoryRecord, Rejected, Relationship
from graphmem.ports import ChangeSet, Clock, Store
from graphmem.revision_undo import restore, retract
from graphmem.temporal import iso
from graphmem.writing import Writer

MARK, WHEN, MERGED = "upkeep", "archived_at", "merged_into"
"""Metadata of what upkeep put away or made: the action, when it was put away, and what it was merged into."""
UNDONE = "undone"
"""Note: actions that were taken back and are not to be done again."""
REMEMBERED = 2000


@dataclass(frozen=True, slots=True)
class Archive:
    """Put a memory away: it leaves the indexes, its row and history stay."""

    memory: MemoryRecord
    why: str
    expired: bool = False


@dataclass(frozen=True, slots=True)
class Merge:
    """Let the older of two that say the same stand for both, with the sources of both."""

    keeper: MemoryRecord
    loser: MemoryRecord
    why: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """Write a summary, or what follows from others: the premises support it."""

    kind: str
    draft: Draft
    premises: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Retract a conclusion whose premises have fallen."""

    memory: MemoryRecord
    why: str


Step: TypeAlias = Archive | Merge | Write | Withdraw


def action_of(user_id: str, step: Step) -> ConsolidationAction:
    """What a report says of a step; the id is the same in a dry run, and in the run after one that was killed."""
    kind: str
    parts: tuple[object, ...]
    ids: tuple[str, ...]
    match step:
        case Archive():
            kind = "expire" if step.expired else "archive"
            parts, what, ids = (step.memory.id, iso(step.memory.valid_to)), f"{step.memory.type}: {step.memory.text}", (step.memory.id,)
        case Merge():
            kind, parts = "merge", (step.keeper.id, step.loser.id)
            what, ids = f"{step.loser.type}: {step.loser.text} → {step.keeper.text}", (step.keeper.id, step.loser.id)
        case Write():
            kind, parts = step.kind, (step.draft.id or step.draft.text, *sorted(step.premises))
            what, ids = f"{step.draft.type}: {step.draft.text}", step.premises
        case Withdraw():
            kind, parts = "retract", (step.memory.id, iso(step.memory.recorded_at))
            what, ids = f"{step.memory.type}: {step.memory.text}", (step.memory.id,)
        case _:
            assert_never(step)
    return ConsolidationAction(content_id("action", user_id, kind, *parts), kind, what, step.why, tuple(ids))  # type: ignore[arg-type]  # the literals above


@dataclass(frozen=True, slots=True)
class Hand:
    """Does steps and takes them back."""

    store: Store
    writer: Writer
    clock: Clock

    async def do(self, user_id: str, step: Step, action: ConsolidationAction) -> bool:
        """Whether it was done; not where somebody else changed the memory since it was looked at."""
        match step:
            case Archive():
                return await self._archive(user_id, step, action)
            case Merge():
                return await self._merge(user_id, step, action)
            case Write():
                return await self._write(user_id, step, action)
            case Withdraw():
                await retract(self.store, self.writer, user_id, step.memory.id, step.why)
                await self._note(user_id, action, restored=[step.memory.id])
                return True
            case _:
                assert_never(step)

    async def _archive(self, user_id: str, step: Archive, action: ConsolidationAction) -> bool:
        if (now := await self._unchanged(user_id, step.memory)) is None:
            return False
        await self._note(user_id, action, archived=[now.id])
        change = ChangeSet(user_id=user_id, now=self.clock.now(), memories=(self._away(now, action),), reindex=frozenset({now.id}))
        await self.store.commit(change)
        return True

    async def _merge(self, user_id: str, step: Merge, action: ConsolidationAction) -> bool:
        keeper, loser = await self._unchanged(user_id, step.keeper), await self._unchanged(user_id, step.loser)
        if keeper is None or loser is None:
            return False
        at = self.clock.now()
        drawn = [
            Relationship(
                id=relationship_id(user_id, keeper.id, "DERIVED_FROM", source),
                user_id=user_id,
                source_id=keeper.id,
                type="DERIVED_FROM",
                target_id=source,
                recorded_at=at,
            )
            for source in step.sources
        ]
        gained = 1 + loser.reinforcements
        await self._note(user_id, action, archived=[loser.id], drawn=[one.id for one in drawn], gained={keeper.id: gained})
        away = self._away(loser, action)
        change = ChangeSet(
            user_id=user_id,
            now=at,
            memories=(
                replace(keeper, reinforcements=keeper.reinforcements + gained),
                replace(away, metadata={**away.metadata, MERGED: keeper.id}),
            ),
            reindex=frozenset({loser.id}),
            relationships=tuple(drawn),
        )
        await self.store.commit(change)
        return True

    async def _write(self, user_id: str, step: Write, action: ConsolidationAction) -> bool:
        draft = replace(step.draft, metadata={**step.draft.metadata, MARK: action.id})
        if step.kind == "summarise":
            [outcome] = await self.writer.write_strict(user_id, [draft])
        else:
            outcome = await self.writer.conclude(user_id, draft, step.premises)
        if isinstance(outcome, Rejected):
            return False
        await self._note(user_id, action, created=[outcome.memory.id])
        return True

    def _away(self, memory: MemoryRecord, action: ConsolidationAction) -> MemoryRecord:
        marks = {MARK: action.id, WHEN: iso(self.clock.now())}
        return replace(memory, state="archived", stored_state="archived", metadata={**memory.metadata, **marks})

    async def _unchanged(self, user_id: str, seen: MemoryRecord) -> MemoryRecord | None:
        found = await self.store.memories(user_id, [seen.id])
        if not found or _content(found[0]) != _content(seen):
            return None
        return found[0]

    async def _note(self, user_id: str, action: ConsolidationAction, **what: Any) -> None:
        """Kept before the change where it can be, so that a kill between leaves nothing that cannot be undone; ids only, no content."""
        await self.store.set_note(user_id, f"undo:{action.id}", {"kind": action.kind, "at": iso(self.clock.now()), **what})

    async def undo(self, user_id: str, action_id: str) -> list[str]:
        """Take an action back, as if it had not been; it is not done again. Returns the memories concerned."""
        note = await self.store.note(user_id, f"undo:{action_id}")
        if note is None:
            raise NotFound("upkeep action", action_id)
        created = [one.id for one in await self.store.memories(user_id, note.get("created", ()))]
        if created:
            await self.store.erase(user_id, created, self.clock.now())
        for one in note.get("restored", ()):
            await restore(self.store, self.writer, user_id, one)
        touched = await self._bring_back(user_id, action_id, note)
        undone = await self.store.note(user_id, UNDONE) or {}
        await self.store.set_note(user_id, UNDONE, {"ids": [*undone.get("ids", ()), action_id][-REMEMBERED:]})
        await self.store.set_note(user_id, f"undo:{action_id}", None)
        return [*created, *note.get("restored", ()), *touched]

    async def _bring_back(self, user_id: str, action_id: str, note: Mapping[str, Any]) -> list[str]:
        away = await self.store.memories(user_id, note.get("archived", ()))
        back = [plain(one) for one in away if one.stored_state == "archived" and one.metadata.get(MARK) == action_id]
        if not back:
            return []
        gained: Mapping[str, int] = note.get("gained", {})
        keepers = [
            replace(one, reinforcements=one.reinforcements - gained[one.id]) for one in await self.store.memories(user_id, list(gained))
        ]
        at = self.clock.now()
        change = ChangeSet(
            user_id=user_id,
            now=at,
            memories=(*back, *keepers),
            reindex=frozenset(one.id for one in back),
            passages=tuple(await self.writer.index(back)),
            closed=dict.fromkeys(note.get("drawn", ()), at),
        )
        await self.store.commit(change)
        return [one.id for one in (*back, *keepers)]


def plain(memory: MemoryRecord) -> MemoryRecord:
    """As it was before it was put away."""
    marks = {MARK, WHEN, MERGED}
    return replace(memory, state="current", stored_state="current", metadata={k: v for k, v in memory.metadata.items() if k not in marks})


def _content(memory: MemoryRecord) -> tuple[object, ...]:
    return (memory.text, memory.properties, memory.stored_state, memory.valid_from, memory.valid_to, memory.pinned)
