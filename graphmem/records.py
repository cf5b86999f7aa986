"""Typed memories written by hand: `Goal("Fly to Shanghai", status="pending")` is a Draft for `add`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.model import NOTHING, Draft, DraftLink, Source


@dataclass(frozen=True, slots=True)
class RecordType:
    """Makes drafts of one type; keywords that are not dimensions are slots, checked when they are added."""

    name: str

    def __call__(
        self,
        text: str = "",
        *,
        id: str | None = None,  # noqa: A002 — the record's own name for it
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        source: Source | None = None,
        confidence: float | None = None,
        importance: float | None = None,
        keywords: Sequence[str] = (),
        session_id: str | None = None,
        task_id: str | None = None,
        agent_id: str | None = None,
        pinned: bool = False,
        metadata: Mapping[str, Any] = NOTHING,
        relationships: Sequence[tuple[str, str]] = (),
        **slots: Any,
    ) -> Draft:
        """`relationships` are (type, target id) pairs, such as ("subtask_of", goal.id)."""
        return Draft(
            type=self.name,
            text=text,
            id=id,
            properties=slots,
            valid_from=valid_from,
            valid_to=valid_to,
            source=source,
            confidence=confidence,
            importance=importance,
            keywords=tuple(keywords),
            session_id=session_id,
            task_id=task_id,
            agent_id=agent_id,
            pinned=pinned,
            metadata=metadata,
            links=tuple(DraftLink(type_, target_id=target) for type_, target in relationships),
        )


Fact = RecordType("Fact")
Preference = RecordType("Preference")
Goal = RecordType("Goal")
Plan = RecordType("Plan")
Step = RecordType("Step")
Event = RecordType("Event")
Observation = RecordType("Observation")
EmotionalState = RecordType("EmotionalState")
DialogueAct = RecordType("DialogueAct")
ContextualFrame = RecordType("ContextualFrame")
Constraint = RecordType("Constraint")
Instruction = RecordType("Instruction")
Rule = RecordType("Rule")
Summary = RecordType("Summary")
