"""The candidates of one query as arrays: what the store gave about each, and who stands before and after whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Vector

_BRACKETED = re.compile(r"\s*[\[(（【][^\])）】]*[\])）】]\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One memory that may answer. A memory without speaker, session or date just lacks those parts of the score."""

    id: str
    text: str
    tokens: Sequence[str]
    vectors: Sequence[Vector] = ()
    """Unit vectors of its passages; empty where the scope has no embedder."""
    late: Sequence[bytes] = ()
    speaker: str | None = None
    """Folded name."""
    session: str | None = None
    said_at: datetime | None = None
    previous: str | None = None
    next: str | None = None
    type: str = "Episode"
    turn: str | None = None
    """The episode that a typed memory was learned from."""
    freshness: float = 0.0
    importance: float = 0.5
    strength: float = 1.0


def ends_asking(text: str) -> bool:
    """Whether the text ends with a question mark, a bracketed note at its end left aside."""
    return _BRACKETED.sub("", text).rstrip().endswith(("?", "？"))


def asks(text: str) -> bool:
    return "?" in text or "？" in text


@dataclass(frozen=True, slots=True)
class Links:
    """For each candidate the position of its neighbour, −1 where it is no candidate; (n,) each."""

    previous: NDArray[np.int64]
    next: NDArray[np.int64]


def links(candidates: Sequence[Candidate]) -> Links:
    place: Mapping[str | None, int] = {candidate.id: i for i, candidate in enumerate(candidates)}
    before = [-1 if c.previous is None else place.get(c.previous, -1) for c in candidates]
    after = [-1 if c.next is None else place.get(c.next, -1) for c in candidates]
    return Links(np.array(before, dtype=np.int64), np.array(after, dtype=np.int64))
