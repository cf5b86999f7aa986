"""Word scores of a query's own candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

K1 = 0.9
B = 0.4


def idf(query: Sequence[str], documents: Sequence[Container[str]]) -> dict[str, float]:
    """BM25's inverse document frequency, never negative: ln(1 + (n − df + ½) / (df + ½))."""
    n = len(documents)
    found = {token: sum(token in document for document in documents) for token in dict.fromkeys(query)}
    return {token: float(np.log1p((n - df + 0.5) / (df + 0.5))) for token, df in found.items()}


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]]) -> Scores:
    """Okapi BM25 (Robertson and Zaragoza 2009) of each document's tokens, statistics from these documents alone; (n,)."""
    counts = [Counter(document) for document in documents]
    weights = idf(query, counts)
    lengths = np.array([len(document) for document in documents], dtype=np.float64)
    norms = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0)) if len(documents) else lengths
    scores = np.zeros(len(documents))
    for token, weight in weights.items():
        frequency = np.array([count[token] for count in counts], dtype=np.float64)
        scores += weight * frequency * (K1 + 1) / (frequency + norms)
    return scores
