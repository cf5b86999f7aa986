"""What one pass over a scope keeps in mind: counts and digests per session, entity and task, and fingerprints of what may be the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.core.duplicates import block
from graphmem.model import MemoryRecord
from graphmem.ontology import Ontology

MERGED_TYPES_SKIPPED = frozenset({"Episode", "Summary", "EmotionalState", "DialogueAct", "Rule", "ContextualFrame"})

READ = 300
"""Members of one group that are kept by id."""


@dataclass(slots=True)
class Group:
    """How many members, and the sum of their fingerprints, which is the same in any order."""

    count: int = 0
    digest: int = 0
    last: datetime | None = None
    ids: list[str] = field(default_factory=list)
    """Of the members, a sample of at most READ: what is summed up is compared with itself, which is quadratic."""

    def add(self, memory: MemoryRecord, sign: int = 1) -> None:
        self.count += sign
        self.digest ^= fingerprint(memory.id, memory.text)
        if sign > 0 and len(self.ids) < READ:
            self.ids.append(memory.id)
        if memory.said_at is not None and (self.last is None or memory.said_at > self.last):
            self.last = memory.said_at


def fingerprint(*parts: object) -> int:
    text = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


@dataclass(slots=True)
class Census:
    """Grows with the scope by some hundred bytes a session or entity, an id and a few numbers a memory, never by texts."""

    ontology: Ontology
    sessions: dict[str, Group] = field(default_factory=dict)
    entities: dict[str, Group] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    first: dict[int, str] = field(default_factory=dict)
    twins: dict[int, list[str]] = field(default_factory=dict)

    def count(self, memory: MemoryRecord) -> None:
        if memory.type == "Episode":
            if memory.session_id is not None:
                self.sessions.setdefault(memory.session_id, Group()).add(memory)
            return
        if memory.type != "Summary" and memory.source != "inferred":
            for id_, name in {ref.id: ref.name for ref in memory.refs}.items():
                self.entities.setdefault(id_, Group()).add(memory)
                self.names.setdefault(id_, name)
        self._compare(memory)

    def discount(self, memory: MemoryRecord) -> None:
        """Take a memory out again that was put away after it was counted."""
        for id_ in {ref.id for ref in memory.refs}:
            if id_ in self.entities and memory.source != "inferred":
                self.entities[id_].add(memory, -1)

    def _compare(self, memory: MemoryRecord) -> None:
        kind = self.ontology.type(memory.type)
        if kind.claim is not None or memory.type in MERGED_TYPES_SKIPPED or memory.source == "inferred":
            return
        mark = fingerprint(*block(memory, self.ontology.to_json(memory.properties)))
        if mark in self.first:
            self.twins.setdefault(mark, [self.first[mark]]).append(memory.id)
        else:
            self.first[mark] = memory.id
