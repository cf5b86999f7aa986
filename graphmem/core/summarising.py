"""Extractive summaries: the most central sentences of many, by the words that they share and, where there are vectors, by meaning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.core.tokens import search_tokens

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*|\n+")
LONGEST, DAMPING, ROUNDS, REDUNDANT = 240, 0.85, 30, 0.6
"""Characters of a sentence at most; LexRank's damping (Erkan & Radev 2004) and rounds; cosine from which a sentence repeats another."""


def sentences(text: str) -> list[str]:
    """Cut after closing punctuation and at line ends; questions are left out, for they tell nothing."""
    parts = [part.strip() for part in _SENTENCE.split(text)]
    return [part[:LONGEST] for part in parts if part and not part.endswith(("?", "？"))]


def word_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit TF-IDF vectors over the texts' search tokens, (n, words)."""
    bags = [Counter(search_tokens(text)) for text in texts]
    found = Counter(word for bag in bags for word in bag)
    column = {word: number for number, word in enumerate(sorted(found))}
    matrix = np.zeros((len(texts), max(1, len(column))), dtype=np.float32)
    for row, bag in enumerate(bags):
        for word, count in bag.items():
            matrix[row, column[word]] = count * np.log(1 + len(texts) / found[word])
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def centrality(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Stationary distribution of a walk along the similarities, damped; sums to 1."""
    near = np.clip(vectors @ vectors.T, 0, None).astype(np.float64)
    np.fill_diagonal(near, 0)
    totals = near.sum(axis=1, keepdims=True)
    count = len(vectors)
    step = np.where(totals > 0, near / np.where(totals == 0, 1, totals), 1 / count)
    rank = np.full(count, 1 / count)
    for _ in range(ROUNDS):
        rank = (1 - DAMPING) / count + DAMPING * rank @ step
    return np.asarray(rank)


def central(texts: Sequence[str], limit: int) -> list[int]:
    """Positions of at most `limit` sentences that stand for all, in their own order, none of which repeats another."""
    if not texts:
        return []
    vectors = word_vectors(texts)
    ranks = centrality(vectors)
    chosen: list[int] = []
    for position in sorted(range(len(texts)), key=lambda n: (-round(float(ranks[n]), 9), n)):
        if len(chosen) == limit:
            break
        if all(float(vectors[position] @ vectors[other]) < REDUNDANT for other in chosen):
            chosen.append(position)
    return sorted(chosen)
