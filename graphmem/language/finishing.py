"""The last touch on a turn's drafts: importance, keywords, what a correction corrects, evidence inside the turn as it was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphmem.language.corrections import Corrected
from graphmem.language.scene import Scene
from graphmem.model import Draft

IMPORTANCE = {
    "Constraint": 0.8, "Instruction": 0.85, "Goal": 0.7, "Rule": 0.75, "Plan": 0.65, "Step": 0.55, "Fact": 0.6, "Preference": 0.6, "Event": 0.5,
    "EmotionalState": 0.35, "Observation": 0.35, "ContextualFrame": 0.5,
}  # fmt: skip
WEIGHTY = {
    "allergic_to": 0.95,
    "has_condition": 0.9,
    "takes_medication": 0.9,
    "name": 0.8,
    "lives_in": 0.75,
    "works_at": 0.75,
    "married_to": 0.75,
    "parent_of": 0.75,
    "born_on": 0.75,
    "visited": 0.45,
    "attended": 0.45,
    "located_in": 0.5,
}
"""Relations whose facts matter more, or less, than most."""
_CLAIMS = frozenset({"Fact", "Preference", "Constraint", "Event"})


def finished(scene: Scene, meant: Corrected | None, dimensions: Mapping[str, Any]) -> tuple[Draft, ...]:
    """The drafts of a turn, ready to hand over."""
    length = len(scene.turn.message.text)
    whole = meant is not None
    drafts = []
    for draft in scene.drafts:
        evidence = (0, length) if whole or draft.evidence is None else (min(draft.evidence[0], length), min(draft.evidence[1], length))
        slots = {**dimensions, **draft.properties} if dimensions else draft.properties
        act = "correct" if meant and meant.earlier and draft.act == "state" and draft.type in _CLAIMS else draft.act
        drafts.append(
            replace(
                draft,
                properties=slots,
                evidence=evidence,
                act=act,
                importance=importance(draft),
                keywords=draft.keywords or keywords(draft.properties),
            )
        )
    return tuple(drafts)


def importance(draft: Draft) -> float:
    """By type, and for facts by relation; a high priority or a strong feeling raises it."""
    base = WEIGHTY.get(str(draft.properties.get("relation")), IMPORTANCE.get(draft.type, 0.5))
    if draft.properties.get("priority") == "high" or (draft.properties.get("intensity") or 0) >= 0.9:
        base += 0.1
    return round(min(base, 1.0), 2)


def keywords(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The words of the slots that somebody would search for."""
    found = [slots.get(key) for key in ("subject", "object", "attribute", "value", "event_type", "location", "trigger", "about")]
    texts = [value for value in found if isinstance(value, str) and 0 < len(value) <= 40]
    return tuple(dict.fromkeys((*texts, *(name for name in slots.get("participants", ()) if isinstance(name, str)))))
