"""From several likings of one kind to a liking of the kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.core.tokens import search_tokens
from graphmem.model import MemoryRecord
from graphmem.text import CJK, fold_name

FEWEST = 2
"""Examples from which a kind is concluded."""


@dataclass(frozen=True, slots=True)
class Abstraction:
    """That a subject likes (or dislikes) a kind of thing, and the preferences that show it."""

    subject: str
    polarity: str
    kind: str
    examples: tuple[MemoryRecord, ...]

    @property
    def confidence(self) -> float:
        """`0.4 + 0.1 · n`, at most .8: two examples are a hint, five a habit; never above that of the examples' best."""
        best = max(one.confidence for one in self.examples)
        return round(min(0.4 + 0.1 * len(self.examples), 0.8, best), 2)


def kinds_of(thing: str, known: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Kinds that a thing belongs to, nearest first: those that list it by name, else by its head (its last word, or last characters)."""
    name = fold_name(thing)
    if name in known:
        return list(known[name])
    if CJK.search(name):
        tails = [name[start:] for start in range(1, len(name))]
        return next((list(known[tail]) for tail in tails if tail in known), [])
    tokens = search_tokens(name)
    last = " ".join(tokens[-1:])
    return list(known.get(name.split()[-1], known.get(last, ()))) if name.split() else []


def abstractions(preferences: Iterable[MemoryRecord], known: Mapping[str, tuple[str, ...]]) -> list[Abstraction]:
    """Every kind of which a subject has at least two likings (or dislikings), unless the kind itself is among them or some speak against it."""
    groups: dict[tuple[str, str, str], list[MemoryRecord]] = {}
    subjects: dict[str, str] = {}
    stated: set[tuple[str, str]] = set()
    for one in preferences:
        subject = next((ref.id for ref in one.refs if ref.role == "subject"), fold_name(str(one.properties["subject"])))
        subjects.setdefault(subject, str(one.properties["subject"]))
        if one.source != "inferred":
            stated.add((subject, fold_name(str(one.properties["object"]))))
            for kind in kinds_of(str(one.properties["object"]), known):
                groups.setdefault((subject, str(one.properties["polarity"]), kind), []).append(one)
    opposite = {"like": "dislike", "dislike": "like"}
    return [
        Abstraction(subjects[subject], polarity, kind, tuple(_once(examples)))
        for (subject, polarity, kind), examples in sorted(groups.items(), key=lambda item: item[0])
        if len(_once(examples)) >= FEWEST
        and polarity in opposite
        and (subject, fold_name(kind)) not in stated
        and (subject, opposite[polarity], kind) not in groups
    ]


def _once(examples: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """One a thing, by id."""
    return sorted({fold_name(str(one.properties["object"])): one for one in examples}.values(), key=lambda one: one.id)


def read_kinds(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Read `kind: member, member, …` lines: folded member → its kinds, nearest first."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        kind, colon, members = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        for member in members.split(","):
            name = fold_name(member.strip())
            found[name] = (*found.get(name, ()), kind.strip())
    return found
