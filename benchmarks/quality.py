"""Which part of the score earns its place: turn-level recall on conversations with questions, one part after the other.

    python benchmarks/quality.py LOCOMO.json CACHE [--json OUT.json]

Reads a file in LoCoMo's format, encodes turns and questions once with the local default embedder into CACHE, and then works as a recall
does: a hundred candidates by meaning and a hundred by words out of the conversation, their neighbours in the session, the shortlist, the
score; statistics come from the candidates alone. Prints R@5/10/20 over the questions of categories 1 to 4, and how far the weights can
move: for each conversation the best of the others' weights, and each weight at half and double.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import numpy as np
from quality_data import Conversation, Question, load

from graphmem.core.bm25 import bm25
from graphmem.core.candidates import Candidate
from graphmem.core.late import LateQuery, centred, late_query, pack
from graphmem.core.ranking import DEFAULT, Ranked, Weights, rank, shortlist
from graphmem.ports import Encoding, Vector

KS = (5, 10, 20)
NOTHING = replace(DEFAULT, previous_words=0, window=0, after_question=0, after_statement=0, before=0, speaker=0, first_speaker=0, asking=0,
                  neighbours=0, session=0, date=0)  # fmt: skip
BASE = replace(NOTHING, previous_words=DEFAULT.previous_words, window=DEFAULT.window, after_question=DEFAULT.after_question,
               after_statement=DEFAULT.after_statement, before=DEFAULT.before)  # fmt: skip
STEPS: tuple[tuple[str, Weights, str, str], ...] = (
    ("words only", replace(NOTHING, words=1, vectors=0), "third", "off"),
    ("vectors only, question as asked", replace(NOTHING, words=0, vectors=1), "third", "off"),
    ("vectors only, first person", replace(NOTHING, words=0, vectors=1), "first", "off"),
    ("words and vectors", NOTHING, "first", "off"),
    ("+ neighbours' window", BASE, "first", "off"),
    ("+ asked speaker", replace(BASE, speaker=DEFAULT.speaker, first_speaker=DEFAULT.first_speaker), "first", "off"),
    ("+ asking turns", replace(DEFAULT, neighbours=0, session=0, date=0), "first", "off"),
    ("+ surroundings", replace(DEFAULT, date=0), "first", "off"),
    ("+ named days = recipe A", DEFAULT, "first", "off"),
    ("late interaction alone", replace(NOTHING, tokens=1), "first", "int8"),
    ("recipe A with late interaction = B", DEFAULT, "first", "int8"),
    ("B, compact token vectors", DEFAULT, "first", "compact"),
    ("B without first person", DEFAULT, "third", "int8"),
    ("B without named days", replace(DEFAULT, date=0), "first", "int8"),
    ("B without asked speaker", replace(DEFAULT, speaker=0, first_speaker=0), "first", "int8"),
    ("B without asking turns", replace(DEFAULT, asking=0), "first", "int8"),
    ("B without surroundings", replace(DEFAULT, neighbours=0, session=0), "first", "int8"),
)


class Scope:
    """One conversation as a store holds it: the arrays that the two arms of a recall read."""

    def __init__(self, conversation: Conversation, mean: Vector, token_mean: Vector) -> None:
        self.conversation, self.mean, self.token_mean = conversation, mean, token_mean
        self.vectors = centred(np.stack([turn.encoding.vector for turn in conversation.turns]), mean)
        self.packed = {form: [self._pack(turn.encoding, form) for turn in conversation.turns] for form in ("int8", "compact")}
        self.plain = [self.candidate(i, "off") for i in range(len(conversation.turns))]
        self._seen: dict[tuple[object, ...], list[int]] = {}

    def _pack(self, encoding: Encoding, form: str) -> bytes | None:
        return None if encoding.tokens is None else pack(encoding.tokens, self.token_mean, form)  # type: ignore[arg-type]  # one of the literals

    def candidate(self, i: int, form: str) -> Candidate:
        turn = self.conversation.turns[i]
        blob = self.packed[form][i] if form != "off" else None
        return Candidate(
            id=turn.id, text=turn.text, tokens=turn.tokens, vectors=(self.vectors[i],), late=(blob,) if blob else (), speaker=turn.speaker,
            session=turn.session, said_at=turn.said_at, previous=turn.previous, next=turn.next,
        )  # fmt: skip

    def shortlisted(self, question: Question, vector: Vector, weights: Weights) -> list[int]:
        """Positions of the candidates that the score sees."""
        key = (question.text, vector.tobytes(), weights.words, weights.vectors, weights.first_speaker)
        if key not in self._seen:
            self._seen[key] = self._shortlisted(question, vector, weights)
        return self._seen[key]

    def _shortlisted(self, question: Question, vector: Vector, weights: Weights) -> list[int]:
        place = {turn.id: i for i, turn in enumerate(self.conversation.turns)}
        words = bm25(question.prepared.tokens, [turn.tokens for turn in self.conversation.turns])
        found = set(np.argsort(-(self.vectors @ vector), kind="stable")[:100].tolist())
        found |= {i for i in np.argsort(-words, kind="stable")[:100].tolist() if words[i] > 0}
        beside = {name for i in found for name in (self.plain[i].previous, self.plain[i].next) if name is not None}
        order = sorted(found | {place[name] for name in beside})
        return [place[name] for name in shortlist(question.prepared, [self.plain[i] for i in order], vector, weights)]

    def rank(self, question: Question, weights: Weights, person: str, form: str) -> list[Ranked]:
        encoding, text = (question.first, question.prepared.embedded) if person == "first" else (question.third, question.text)
        vector = centred(encoding.vector, self.mean)
        chosen = [self.candidate(i, form) for i in self.shortlisted(question, vector, weights)]
        late: LateQuery | None = None
        if form != "off" and encoding.tokens is not None:
            late = late_query(text, encoding.tokens, self.token_mean)
        return rank(question.prepared, chosen, vector, late, weights)


Row = dict[str, float]


def recalls(scope: Scope, how: Callable[[Question], Sequence[Ranked]], categories: frozenset[int]) -> Iterator[list[float]]:
    for question in scope.conversation.questions:
        if question.category in categories:
            found = [ranked.id for ranked in how(question)[: max(KS)]]
            yield [100 * len(question.gold & set(found[:k])) / len(question.gold) for k in KS]


def measure(scopes: Sequence[Scope], weights: Weights, person: str = "first", form: str = "int8", *,
            categories: frozenset[int] = frozenset({1, 2, 3, 4})) -> Row:  # fmt: skip
    rows = [row for scope in scopes for row in recalls(scope, partial(scope.rank, weights=weights, person=person, form=form), categories)]
    return {f"R@{k}": round(statistics.fmean(row[j] for row in rows), 1) for j, k in enumerate(KS)}


def show(name: str, row: Row) -> None:
    print(f"{name:40}" + "  ".join(f"{key} {value:5.1f}" for key, value in row.items()), flush=True)


def flatness(scopes: Sequence[Scope]) -> dict[str, Row]:
    """Each weight of the rules at half and at double."""
    names = [
        f.name for f in fields(Weights) if getattr(DEFAULT, f.name) and f.name not in {"words", "vectors", "tokens", "neighbour_reach"}
    ]
    return {
        f"{name} × {factor}": measure(scopes, replace(DEFAULT, **{name: factor * getattr(DEFAULT, name)}))
        for name in names
        for factor in (0.5, 2)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", help="only the rows whose name contains this")
    parser.add_argument("--flatness", action="store_true")
    args = parser.parse_args()
    conversations, mean, token_mean = load(args.data, args.cache)
    scopes = [Scope(conversation, mean, token_mean) for conversation in conversations]
    table: dict[str, Row] = {}
    for name, weights, person, form in STEPS:
        if args.only not in name:
            continue
        table[name] = measure(scopes, weights, person, form)
        show(name, table[name])
    met = sorted({question.category for scope in scopes for question in scope.conversation.questions} & {1, 2, 3, 4})
    for category in () if args.only else met:
        table[f"B, category {category}"] = measure(scopes, DEFAULT, categories=frozenset({category}))
        show(f"B, category {category}", table[f"B, category {category}"])
    sizes = {form: statistics.fmean(len(blob) for scope in scopes for blob in scope.packed[form] if blob) for form in ("int8", "compact")}
    print({form: f"{size:.0f} bytes a turn" for form, size in sizes.items()})
    started = time.perf_counter()
    if args.flatness:
        for name, row in flatness(scopes).items():
            table[name] = row
            show(name, row)
        print(f"{time.perf_counter() - started:.0f} s")
    if args.json:
        args.json.write_text(json.dumps({"recall": table, "bytes_a_turn": sizes}, indent=1) + "\n")


if __name__ == "__main__":
    main()
