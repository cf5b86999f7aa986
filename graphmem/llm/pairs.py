"""Turns with the memories that were accepted from them, as JSON lines to train a model on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import anyio

from graphmem.filters import And, Compare, Filter
from graphmem.llm.answers import SUREST, Answer, Found, Reader, Slot
from graphmem.llm.judging import JUDGED
from graphmem.llm.prompting import FREE_SLOTS, LONGEST, system_prompt, taught, turns_as_json
from graphmem.llm.stored import as_draft, as_turns, learned_from
from graphmem.model import SHOWN, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Selection, Store, Turn
from graphmem.temporal import iso

Progress: TypeAlias = Callable[[int, int], None]
PAGE = 128
SURE = 0.5
"""Confidence from which a memory counts as accepted."""


@dataclass(frozen=True, slots=True)
class PairExporter:
    store: Store
    clock: Clock
    ontology: Ontology

    async def export(self, user_id: str, path: Path, where: Filter | None, progress: Progress | None = None) -> int:
        """Chat messages a line: the extractor's prompt, one turn, the answer that would have given its memories; returns how many lines.

        Accepted is what stands undisputed, is sure, was not judged wrong and quotes its turn. The file takes its name when it is whole.
        """
        parts: list[Filter] = [Compare("type", "$eq", "Episode"), *([where] if where is not None else [])]
        selection = Selection(at=self.clock.now(), states=SHOWN, where=And(tuple(parts)))
        total, seen, written, cursor = sum((await self.store.count(user_id, selection)).values()), 0, 0, None
        partial = anyio.Path(path.with_name(path.name + ".part"))
        async with await partial.open("w", encoding="utf-8") as file:
            while True:
                page, cursor = await self.store.select(user_id, selection, order="oldest", limit=PAGE, after=cursor)
                for line in await self._lines(user_id, page):
                    await file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    written += 1
                seen += len(page)
                if progress is not None:
                    progress(seen, total)
                if cursor is None:
                    break
        await partial.replace(path)
        return written

    async def _lines(self, user_id: str, page: Sequence[MemoryRecord]) -> list[dict[str, Any]]:
        turns = await as_turns(self.store, user_id, page)
        learned = await learned_from(self.store, self.clock, user_id, [one.id for one in page])
        return [line for one, turn in zip(page, turns, strict=True) if (line := self._line(turn, learned[one.id])) is not None]

    def _line(self, turn: Turn, learned: Sequence[MemoryRecord]) -> dict[str, Any] | None:
        memories = [found for one in learned if _accepted(one) and (found := self._found(turn, one)) is not None]
        read = Reader(self.ontology, [turn], [[]], "pairs").read(Answer(memories=memories))
        kept = [found for found, one in zip(memories, read, strict=True) if isinstance(one, tuple)]
        if not kept:
            return None
        contents = {
            "system": system_prompt("extract", [turn.message.text], self.ontology),
            "user": turns_as_json([turn], [[]], self.ontology),
            "assistant": Answer(memories=kept).model_dump_json(),
        }
        return {"messages": [{"role": role, "content": content} for role, content in contents.items()]}

    def _found(self, turn: Turn, memory: MemoryRecord) -> Found | None:
        """The memory as an answer gives it; None for what quotes nothing, or is of a type that models are not asked for."""
        evidence = as_draft(memory).evidence
        if evidence is None or evidence[1] > LONGEST or memory.type not in {kind.name for kind in taught(self.ontology)}:
            return None
        said = memory.valid_from is None or memory.valid_from == turn.said_at
        return Found(
            turn=0,
            type=memory.type,
            text=memory.text,
            quote=turn.message.text[evidence[0] : evidence[1]],
            slots=list(self._slots(memory)),
            valid_from=None if said else iso(memory.valid_from),
            valid_to=iso(memory.valid_to),
            act="state",
            confidence=min(memory.confidence, SUREST),
            importance=memory.importance,
        )

    def _slots(self, memory: MemoryRecord) -> Iterator[Slot]:
        free = {name: getattr(memory, name) for name in FREE_SLOTS}
        for name, value in {**free, **self.ontology.to_json(memory.properties)}.items():
            for one in value if isinstance(value, list) else [value]:
                if one is not None and one != {}:
                    yield Slot(name=name, value=json.dumps(one, ensure_ascii=False) if isinstance(one, dict) else one)


def _accepted(memory: MemoryRecord) -> bool:
    return memory.state == "current" and memory.confidence >= SURE and memory.metadata.get(JUDGED) != "wrong"
