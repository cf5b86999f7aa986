"""Which memories that claim nothing say the same: equal numbers and names, and no word that would change the meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphmem.core.tokens import normalised, search_tokens
from graphmem.model import MemoryRecord
from graphmem.text import fold

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*|[零一二两三四五六七八九十百千万亿]+")
_TURN = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|hardly|barely|without|neither|nor|un\w+|only|except|almost|if|may|might|could|would|should)\b"
    r"|n't|不|没|无|未|别|非|只|仅|除|几乎|如果|可能"
)
OVERLAP = 0.75
"""Share of words in common from which two texts of which one holds all words of the other are the same."""
LARGE = 64
"""Members of a block from which only texts of the same words are compared, so that the work stays linear."""


def words(text: str) -> frozenset[str]:
    return frozenset(search_tokens(text))


def block(memory: MemoryRecord, properties: Mapping[str, Any]) -> tuple[object, ...]:
    """What must be equal: type, slots (as JSON values), names, numbers, turning words, day of its moment, session where it is of its time."""
    text = normalised(memory.text)
    moment = memory.valid_from or memory.recorded_at
    return (
        memory.type,
        str(sorted((name, str(value)) for name, value in properties.items())),
        tuple(sorted({(ref.id, ref.role) for ref in memory.refs})),
        tuple(sorted(_NUMBER.findall(text))),
        tuple(sorted(_TURN.findall(text))),
        str(moment.date()) if moment is not None else "",
        memory.task_id,
        memory.agent_id,
    )


def same(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether two memories of one block say the same."""
    if fold(one.text) == fold(other.text):
        return True
    first, second = words(one.text), words(other.text)
    return bool(first and second) and (first <= second or second <= first) and len(first & second) >= OVERLAP * len(first | second)
