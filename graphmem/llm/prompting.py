"""Prompts as data: the texts beside this file in both languages, filled with the ontology; and turns as the JSON that a model reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from graphmem.model import Draft
from graphmem.ontology import Ontology, SlotDef, TypeDef
from graphmem.ports import Turn
from graphmem.text import is_chinese

Task = Literal["extract", "judge"]
LONGEST = 12_000
"""Characters of one turn that a model is sent."""
UNTAUGHT = frozenset({"Episode", "Summary", "DialogueAct"})
"""Types that arise otherwise than from what a turn states."""
FREE_SLOTS = ("location", "reason", "purpose")
"""Fields of every memory that a model may fill."""


@lru_cache(maxsize=8)
def template(task: Task, language: Literal["en", "zh"]) -> str:
    return (Path(__file__).parent / "prompts" / f"{task}.{language}.md").read_text(encoding="utf-8")


def system_prompt(task: Task, turns: Iterable[str], ontology: Ontology) -> str:
    """In Chinese where the turns are rather Chinese, else in English."""
    text = template(task, "zh" if is_chinese("\n".join(turns)) else "en")
    if task == "judge":
        return text
    return text.replace("{types}", _types(ontology)).replace("{relations}", _relations(ontology))


def taught(ontology: Ontology) -> tuple[TypeDef, ...]:
    """Types that a model may find: not those that need the patterns of a rule."""
    return tuple(
        kind
        for kind in ontology.types.values()
        if kind.name not in UNTAUGHT and not any(slot.required and slot.kind == "pattern" for slot in kind.slots.values())
    )


def _types(ontology: Ontology) -> str:
    lines = [f"- {kind.name}: {kind.about}. {'; '.join(map(_slot, kind.slots.values()))}" for kind in taught(ontology)]
    return "\n".join([*lines, f"- any type: {', '.join(FREE_SLOTS)}"])


def _slot(slot: SlotDef) -> str:
    mark = "*" if slot.required and slot.default is None else ""
    allowed = f" ({' | '.join(slot.values)})" if slot.values else f" ({slot.kind})" if slot.kind not in {"text", "any"} else ""
    return f"{slot.name}{mark}{allowed}"


def _relations(ontology: Ontology) -> str:
    return ", ".join(f"{known.name} ({known.kind})" for known in ontology.predicates.values() if known.polarity is None)


def turns_as_json(turns: Sequence[Turn], known: Sequence[Sequence[Draft]], ontology: Ontology) -> str:
    """Number them within this call; the turn before is given where it is not in the call itself."""
    shown: list[dict[str, Any]] = []
    before = None
    for number, (turn, drafts) in enumerate(zip(turns, known, strict=True)):
        one: dict[str, Any] = {"turn": number, "speaker": turn.speaker, "role": turn.message.role, "said_at": turn.said_at.isoformat()}
        if turn.addressee:
            one["addressee"] = turn.addressee
        if turn.previous and turn.previous != before:
            one["before"] = {"speaker": turn.previous_speaker, "text": turn.previous[-LONGEST // 8 :]}
        one["text"] = before = turn.message.text[:LONGEST]
        one["known"] = [brief(draft, ontology) for draft in drafts]
        shown.append(one)
    return json.dumps({"turns": shown}, ensure_ascii=False)


def brief(draft: Draft, ontology: Ontology) -> str:
    """One line that says what a draft states."""
    return f"{draft.type}: {draft.text} {json.dumps(ontology.to_json(plain_slots(draft.properties)), ensure_ascii=False, default=str)}"


def plain_slots(slots: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in slots.items() if value is not None}
