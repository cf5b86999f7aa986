"""Which known names a question says: what to look up, and the longest ones of what was found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.core.stopwords import FILLERS, FUNCTION_WORDS
from graphmem.model import Entity
from graphmem.text import CJK, fold

MOST_WORDS = 5
MOST_UNITS = 12
MOST_NAMES = 2000
_UNIT = re.compile(rf"{CJK.pattern}|(?:(?!{CJK.pattern})\w)+")
_MAYBE = frozenset("will may march april june august sunday hope grace joy faith mark bill art rich frank".split())  # noqa: SIM905 — a list of words
"""Words that are names only where they are written with a capital."""


@dataclass(frozen=True, slots=True)
class Known:
    """A known entity and where the folded question names it."""

    entity: Entity
    start: int
    end: int


def candidates(folded: str) -> dict[str, list[tuple[int, int]]]:
    """Every run of words or characters that may be a name, with its places; longest runs of Latin words: 5, of units: 12."""
    units = [(match.start(), match.end()) for match in _UNIT.finditer(folded)]
    found: dict[str, list[tuple[int, int]]] = {}
    for start, end in _runs(folded, units):
        name = folded[start:end]
        if not _empty(name):
            found.setdefault(name, []).append((start, end))
            if len(found) == MOST_NAMES:
                break
    return found


def _runs(folded: str, units: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for i, (start, _) in enumerate(units):
        words = 0
        for first, end in units[i : i + MOST_UNITS]:
            words += CJK.match(folded[first]) is None
            if words > MOST_WORDS:
                break
            yield start, end


def _empty(name: str) -> bool:
    """Whether it can be no name: one CJK character, one letter, or words that only do grammar."""
    words = name.split()
    return len(name) < 2 or all((word in FUNCTION_WORDS or word in FILLERS) and word not in _MAYBE for word in words)


def longest(question: str, places: Mapping[str, Sequence[tuple[int, int]]], entities: Sequence[Entity]) -> list[Known]:
    """The entities that the question names, in its order; where names overlap the longer one is meant."""
    named: dict[str, Entity] = {}
    for entity in entities:
        for name in (entity.name, *entity.aliases):
            named.setdefault(_key(name), entity)
    spans = sorted(
        ((start, end, name) for name in named if name in places for start, end in places[name] if _written(question, name)),
        key=lambda span: (span[0] - span[1], span[0]),
    )
    taken: list[Known] = []
    for start, end, name in spans:
        if all(end <= other.start or other.end <= start for other in taken):
            taken.append(Known(named[name], start, end))
    found: dict[str, Known] = {}
    for known in sorted(taken, key=lambda one: one.start):
        found.setdefault(known.entity.id, known)
    return list(found.values())


def _key(name: str) -> str:
    return re.sub(r"^(?:a|an|the|my|our) ", "", fold(name)).strip()


def _written(question: str, name: str) -> bool:
    """Whether a word that is a name as well as something else stands there as a name."""
    if name not in _MAYBE:
        return True
    return question.islower() or re.search(rf"\b{name.title()}\b", question) is not None


def without_names(question: str, names: Sequence[Known]) -> str:
    """The folded question with "x" in place of people's and other proper names, which must not be taken for cues (Max, Hope, Summer Hale)."""
    text = fold(question)
    for known in names:
        said = text[known.start : known.end]
        if known.entity.kind == "Person" or _capital(question, said):
            text = text[: known.start] + re.sub(r"\w", lambda one: "某" if CJK.match(one[0]) else "x", said) + text[known.end :]
    return text


def _capital(question: str, name: str) -> bool:
    """Whether every word of the name is written with a capital, not only because the question begins with it."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE)
    return found is not None and (found.start() > 0 or " " in name) and all(word[0].isupper() for word in found[0].split())
