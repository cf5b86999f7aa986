"""Choosing what adds information: near-copies take one place, and what repeats what is held gives way.

`gain(m) = relevance(m) − λ · max similarity(m, held or chosen)`, the maximal marginal relevance of Carbonell and Goldstein (1998) with what
the working memory holds counted as chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from graphmem.core.bm25 import Scores
from graphmem.core.tokens import search_tokens
from graphmem.ports import Vector

NEAR_COPY = 0.95
"""Share of common tokens from which two texts count as the same."""


def similarity(vectors: Vector, others: Vector) -> Scores:
    """Best cosine of each unit vector with any of the others, 0 where there are none or it is negative: (n,)."""
    if not len(others) or not len(vectors):
        return np.zeros(len(vectors))
    return np.asarray(np.maximum((vectors.astype(np.float64) @ others.astype(np.float64).T).max(axis=1), 0.0))


def gain(relevance: Scores, vectors: Vector, held: Vector, trade: float = 0.5) -> Scores:
    """What each candidate would add to what is held; relevance is brought to 0…1 over the candidates first: (n,)."""
    return np.asarray(_unit_range(relevance) - trade * similarity(vectors, held))


def _unit_range(scores: Scores) -> Scores:
    spread = float(np.ptp(scores)) if len(scores) else 0.0
    return np.asarray((scores - scores.min()) / spread if spread > 1e-9 else np.ones(len(scores)))


def choose(relevance: Scores, vectors: Vector, held: Vector, limit: int, trade: float = 0.5) -> list[int]:
    """Pick positions one after the other by gain; `trade` 0 keeps the order of relevance. Equal gains: the earlier position."""
    scaled, near = _unit_range(relevance), similarity(vectors, held)
    left, chosen = np.ones(len(scaled), dtype=bool), list[int]()
    while left.any() and len(chosen) < limit:
        best = int(np.argmax(np.where(left, scaled - trade * near, -np.inf)))
        chosen.append(best)
        left[best] = False
        near = np.maximum(near, similarity(vectors, vectors[best : best + 1]))
    return chosen


def near_copies(tokens: Sequence[Sequence[str]], threshold: float = NEAR_COPY) -> dict[int, int]:
    """For each text (best first) that all but repeats an earlier one: that one's position (Jaccard of tokens, which numbers and names change)."""
    sets = [frozenset(words) for words in tokens]
    kept: list[int] = []
    copies: dict[int, int] = {}
    for i, words in enumerate(sets):
        twin = next((j for j in kept if words and len(words & sets[j]) >= threshold * len(words | sets[j])), None)
        if twin is None:
            kept.append(i)
        else:
            copies[i] = twin
    return copies


def says_more(turn: str, learned: Sequence[str], covered: float = 0.7) -> bool:
    """Whether a turn has words enough beyond what was learned from it to be shown beside that."""
    words = set(search_tokens(turn))
    return len(words & {word for text in learned for word in search_tokens(text)}) < covered * len(words)


def one_place(ids: Sequence[str], turns: Mapping[str, str]) -> dict[str, str]:
    """Give a typed memory and its turn one place: for each id (best first) the id that stands for both, the better-scoring of the two.

    `turns` names the episode of a typed memory. Several memories of one turn keep their own places; the turn then joins the best of them.
    """
    best: dict[str, str] = {}
    stands: dict[str, str] = {}
    for memory in ids:
        turn = turns.get(memory)
        if turn is None:
            stands[memory] = best.get(memory, memory)
            best.setdefault(memory, memory)
        else:
            first = best.setdefault(turn, memory)
            stands[memory] = first if first == turn else memory
    return stands
