"""An ontology's own dimensions, filled from what a turn says: enum spellings, yes or no by name, and values behind the name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.ontology import Ontology
from graphmem.ontology_types import SlotDef
from graphmem.text import CJK, simplified

_DENIED = re.compile(r"(?:\bnot|n't|\bnever|\bno longer|\bisn't|\bhasn't been|不|没有?|未|尚未|还没有?)(?:\s+(?:\w+\s+)?)?$", re.IGNORECASE)
_CHINESE_NAMES = {"resolved": "解决"}


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern and the value of the dimension that it gives; None where the value is what the pattern captures."""

    name: str
    pattern: re.Pattern[str]
    value: Any = None


def cues_of(ontology: Ontology) -> tuple[Cue, ...]:
    return tuple(cue for slot in ontology.dimensions.values() for cue in _cues(slot))


def _cues(slot: SlotDef) -> list[Cue]:
    words = re.sub(r"^is_|^has_", "", slot.name).replace("_", " ")
    match slot.kind:
        case "enum":
            spellings = sorted(slot.spellings.items(), key=lambda item: -len(item[0]))
            return [Cue(slot.name, _pattern(spelling), value) for spelling, value in spellings if len(spelling) > 1]
        case "bool":
            chinese = [_pattern(_CHINESE_NAMES[words])] if words in _CHINESE_NAMES else []
            return [Cue(slot.name, pattern, value=True) for pattern in (_pattern(words), *chinese)]
        case "text" | "entity":
            return [
                Cue(slot.name, re.compile(rf"\b{re.escape(words)}\s*(?:is|was|:|#|=)+\s*(?P<value>[\w-]+(?: [A-Z][\w-]*)*)", re.IGNORECASE))
            ]
        case _:
            return []


def _pattern(spelling: str) -> re.Pattern[str]:
    return re.compile(re.escape(simplified(spelling)) if CJK.search(spelling) else rf"\b{re.escape(spelling)}\b", re.IGNORECASE)


def dimensions_in(text: str, cues: tuple[Cue, ...]) -> Mapping[str, Any]:
    """The dimensions that a text speaks of, the first cue of each deciding; a denied yes is a no, a denied spelling says nothing."""
    found: dict[str, Any] = {}
    plain = simplified(text) if cues else ""
    for cue in cues:
        match = cue.pattern.search(plain) if cue.name not in found else None
        if match is None:
            continue
        denied = _DENIED.search(plain[: match.start()]) is not None
        if cue.value is True:
            found[cue.name] = not denied
        elif not denied:
            found[cue.name] = match["value"] if cue.value is None else cue.value
    return found
