"""The score of a query's candidates, from what the store gave about them; nothing here reads a store, a model or a clock.

How a recall calls this, step by step:

1. `question = prepare(text, speakers)` (core/question.py), `speakers` being the names of the scope's speakers.
2. `encoding = embedder.encode_queries([question.embedded])`; `vector = centred(encoding.vector, mean)`. Stored vectors are centred the same
   way when they are written (`core/late.centred`), from the text alone: one run of the model gives vector and tokens.
3. `store.nearest(vector, k=100)` and `store.best_words(question.tokens, k=100)`; of the union `store.session_neighbours(before=1, after=1)`;
   then `store.memories` and `store.passages(tokens=False)` of all: one `Candidate` each (core/candidates.py).
4. `ids = shortlist(question, candidates, vector)`: the first hundred by words, meaning and speaker, with their neighbours.
5. Where the embedder gives tokens: `store.passages(ids, vectors=False)`, `Candidate.late` of each;
   `late = late_query(question.embedded, encoding.tokens, token_mean)` (core/late.py).
6. `rank(question, those candidates, vector, late)`: best first, each with the parts of its score by name.
7. `core/gain.py`: near-copies collapse, and what adds nothing to what is held gives way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphmem.core.bm25 import Scores, bm25
from graphmem.core.candidates import Candidate, Links, asks, ends_asking, links
from graphmem.core.late import LateQuery, token_matrix, token_weights
from graphmem.core.named_days import date_scores
from graphmem.core.question import Question
from graphmem.ports import Vector


@dataclass(frozen=True, slots=True)
class Weights:
    """Every weight of the score; round values at a flat optimum (benchmarks/results/quality.md)."""

    words: float = 0.4
    vectors: float = 0.6
    first_speaker: float = 0.3
    """Of the first stage only."""
    tokens: float = 0.7
    """Late interaction; the rest of the core is the vectors' window."""
    previous_words: float = 0.6
    after_question: float = 0.9
    after_statement: float = 0.6
    before: float = 0.5
    window: float = 0.5
    speaker: float = 1.0
    asking: float = 0.4
    neighbours: float = 0.15
    neighbour_reach: float = 2.0
    session: float = 0.2
    date: float = 1.0
    freshness: float = 0.1
    importance: float = 0.2
    strength: float = 0.1
    vote: float = 0.2
    """Share of the best typed memory's score that its turn gets."""


DEFAULT = Weights()


@dataclass(frozen=True, slots=True)
class Ranked:
    """`reasons` are the parts of the score by name; they add up to it."""

    id: str
    score: float
    reasons: Mapping[str, float] = field(default_factory=dict)


def z(scores: Scores) -> Scores:
    """Standardise scores over the candidates; all zero where they do not differ."""
    spread = float(scores.std()) if len(scores) else 0.0
    return (scores - scores.mean()) / spread if spread > 1e-9 else np.zeros(len(scores))


def neighbour(values: NDArray[np.floating], positions: NDArray[np.int64], absent: float = 0.0) -> Scores:
    """Look up the value of the neighbour at each position, `absent` where there is none; works on (n,) and (T, n)."""
    return np.asarray(np.where(positions >= 0, values[..., np.maximum(positions, 0)], absent), dtype=np.float64)


def carried(candidates: Sequence[Candidate], around: Links, weights: Weights) -> Scores:
    """How much of the previous turn's score a turn takes over: an answer takes more of its question; (n,)."""
    asking = np.array([asks(c.text) for c in candidates], dtype=np.float64)
    return np.asarray(np.where(neighbour(asking, around.previous) > 0, weights.after_question, weights.after_statement))


def window(values: Scores, around: Links, carry: Scores, weights: Weights) -> Scores:
    """Let the neighbours lend: the greater of the previous one's carried value and half the next one's."""
    return np.maximum(carry * neighbour(values, around.previous), weights.before * neighbour(values, around.next))


def word_scores(question: Question, candidates: Sequence[Candidate], around: Links, weights: Weights) -> Scores:
    """BM25 over the candidates' own statistics, with a share of the previous turn's; (n,)."""
    own = bm25(question.tokens, [candidate.tokens for candidate in candidates])
    return own + weights.previous_words * neighbour(own, around.previous)


def vector_scores(candidates: Sequence[Candidate], vector: Vector | None) -> Scores:
    """Cosine of the best passage, the lowest of all where a candidate has none; (n,)."""
    if vector is None or not any(len(c.vectors) for c in candidates):
        return np.zeros(len(candidates))
    owners = [i for i, c in enumerate(candidates) for _ in c.vectors]
    cosines = np.stack([v for c in candidates for v in c.vectors]).astype(np.float64) @ vector.astype(np.float64)
    best = np.full(len(candidates), -np.inf)
    np.maximum.at(best, owners, cosines)
    return np.where(np.isfinite(best), best, cosines.min())


def asked_speaker(question: Question, candidates: Sequence[Candidate]) -> Scores:
    return np.array([question.asked is not None and c.speaker == question.asked for c in candidates], dtype=np.float64)


def shortlist(
    question: Question, candidates: Sequence[Candidate], vector: Vector | None, weights: Weights = DEFAULT, size: int = 100
) -> list[str]:
    """Ids of the best `size` by words, meaning and speaker, and of their neighbours among the candidates; in the given order."""
    around = links(candidates)
    words = bm25(question.tokens, [candidate.tokens for candidate in candidates])
    first = weights.words * z(words) + weights.vectors * z(vector_scores(candidates, vector))
    first += weights.first_speaker * asked_speaker(question, candidates)
    kept = set(np.argsort(-first, kind="stable")[:size].tolist())
    beside = {int(links_of[i]) for i in kept for links_of in (around.previous, around.next)}
    return [candidate.id for i, candidate in enumerate(candidates) if i in kept or i in beside]


Parts = dict[str, Scores]


def _total(parts: Parts, n: int) -> Scores:
    return np.asarray(sum(parts.values(), np.zeros(n)))


def _core_without_tokens(question: Question, candidates: Sequence[Candidate], vector: Vector | None, weights: Weights) -> Parts:
    """Recipe A: words and vectors, standardised, with their window; the parts add up to a standard score."""
    around = links(candidates)
    words = weights.words * z(word_scores(question, candidates, around, weights))
    meaning = weights.vectors * z(vector_scores(candidates, vector))
    spread = float((words + meaning).std()) or 1.0
    words, meaning = words / spread, meaning / spread
    lent = weights.window * window(words + meaning, around, carried(candidates, around, weights), weights)
    whole = float((words + meaning + lent).std()) or 1.0
    return {"words": words / whole, "meaning": meaning / whole, "window": (lent - lent.mean()) / whole}


def _core_with_tokens(candidates: Sequence[Candidate], vector: Vector | None, late: LateQuery, matrix: Vector, weights: Weights) -> Parts:
    """Recipe B: late interaction with its window, and the vectors with theirs."""
    around = links(candidates)
    carry = carried(candidates, around, weights)
    before = carry * neighbour(matrix, around.previous, -1.0)
    after = weights.before * neighbour(matrix, around.next, -1.0)
    best = np.maximum(matrix, np.maximum(before, after))
    weights_of_tokens = token_weights(late, [candidate.tokens for candidate in candidates])
    meaning = z(vector_scores(candidates, vector))
    meaning += weights.window * window(meaning, around, carry, weights)
    return {"tokens": weights.tokens * z(weights_of_tokens @ best), "meaning": (1 - weights.tokens) * z(meaning)}


def rank(
    question: Question,
    candidates: Sequence[Candidate],
    vector: Vector | None,
    late: LateQuery | None = None,
    weights: Weights = DEFAULT,
) -> list[Ranked]:
    """Score every candidate, best first (equal ones by id): recipe B where the query's tokens and any packed ones are there, else A."""
    if not candidates:
        return []
    if late is not None and any(c.late for c in candidates):
        parts = _core_with_tokens(candidates, vector, late, token_matrix(late.vectors, [c.late for c in candidates]), weights)
    else:
        parts = _core_without_tokens(question, candidates, vector, weights)
    parts = parts | _rules(question, candidates, weights)
    parts = parts | _votes(candidates, _total(parts, len(candidates)), weights)
    parts = parts | _surroundings(candidates, _total(parts, len(candidates)), weights)
    parts = parts | _memory_parts(question, candidates, weights)
    return _ranked(candidates, parts)


def _rules(question: Question, candidates: Sequence[Candidate], weights: Weights) -> Parts:
    asking = np.array([ends_asking(c.text) for c in candidates], dtype=np.float64)
    return {"asked speaker": weights.speaker * asked_speaker(question, candidates), "asks itself": -weights.asking * asking}


def _votes(candidates: Sequence[Candidate], scores: Scores, weights: Weights) -> Parts:
    """A typed memory that answers speaks for the turn it was learned from."""
    best: dict[str, float] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        if candidate.turn is not None:
            best[candidate.turn] = max(best.get(candidate.turn, 0.0), float(score))
    return {"votes": weights.vote * np.array([best.get(c.id, 0.0) for c in candidates])} if best else {}


def _surroundings(candidates: Sequence[Candidate], scores: Scores, weights: Weights) -> Parts:
    """Good neighbours and a good session speak for a turn."""
    sessions = [candidate.session for candidate in candidates]
    best: dict[str | None, float] = {}
    for session, score in zip(sessions, scores, strict=True):
        best[session] = max(best.get(session, -np.inf), float(score))
    of_session = np.array([best[session] if session is not None else score for session, score in zip(sessions, scores, strict=True)])
    return {
        "neighbours": weights.neighbours * z(_blurred(scores, links(candidates), weights.neighbour_reach)),
        "session": weights.session * z(of_session),
    }


def _blurred(scores: Scores, around: Links, reach: float) -> Scores:
    """Gaussian mean (σ = `reach` turns) of the neighbours' scores, themselves left out; 0 without any."""
    total, weight = np.zeros(len(scores)), np.zeros(len(scores))
    for side in (around.previous, around.next):
        at = side
        for distance in range(1, round(2 * reach) + 1):
            share = np.exp(-(distance**2) / (2 * reach**2)) * (at >= 0)
            total += share * neighbour(scores, at)
            weight += share
            at = np.where(at >= 0, side[np.maximum(at, 0)], -1)
    return total / np.maximum(weight, 1e-9)


def _memory_parts(question: Question, candidates: Sequence[Candidate], weights: Weights) -> Parts:
    parts = {
        "date": weights.date * date_scores(question.days, [c.said_at for c in candidates]),
        "freshness": weights.freshness * np.array([c.freshness for c in candidates]),
        "importance": weights.importance * np.array([c.importance - 0.5 for c in candidates]),
        "strength": weights.strength * np.array([c.strength - 1.0 for c in candidates]),
    }
    return {name: part for name, part in parts.items() if part.any()}


def _ranked(candidates: Sequence[Candidate], parts: Parts) -> list[Ranked]:
    total = _total(parts, len(candidates))
    order = sorted(range(len(candidates)), key=lambda i: (-total[i], candidates[i].id))
    return [Ranked(candidates[i].id, float(total[i]), {name: float(part[i]) for name, part in parts.items()}) for i in order]
