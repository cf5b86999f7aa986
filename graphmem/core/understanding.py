"""What a question asks for: which types may answer, in which status, when, about whom, in what order and how many. No model call.

Cues are data (ontology `cues`); nearness to the types' prototypes is the second, weaker signal. A confidence of `HARD` or more restricts,
a lower one weighs. The caller brings what needs the outside: `now`, the window, names, similarities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from graphmem.core.understanding_names import Known, without_names
from graphmem.model import QueryPlan
from graphmem.numerals import parse_number
from graphmem.ontology import Ontology
from graphmem.ontology_types import TypeDef, cue
from graphmem.temporal import Interval
from graphmem.text import CJK, is_chinese

HARD = 0.85
STRENGTHS: Mapping[str, float] = {"sure": 0.9, "likely": 0.7, "hint": 0.55}
"""Confidence that a cue of each strength gives."""
PROTOTYPE = 0.5
"""Least cosine (mean of the two best prototypes, centred) at which nearness counts, and"""
MARGIN = 0.1
"""its least lead over the next type."""
BY_NAME = frozenset({"Instruction", "ContextualFrame", "Summary", "Episode", "DialogueAct"})
"""Types that are asked for by name only: their example questions are near to any chat."""
ORDERS: tuple[Literal["deadline", "newest", "oldest"], ...] = ("deadline", "newest", "oldest")
LEAST_WORDS, LEAST_CHARACTERS = 4, 5
"""Shorter questions are not compared with prototypes."""
READ = 300
"""Characters at each end of a question that cues are looked for in."""
FEW = 50
"""Most memories that a question asks for by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the question's surroundings say about it."""

    window: tuple[Interval, str] | None = None
    """The time it names, with its reason."""
    names: Sequence[Known] = ()
    similarities: Mapping[str, float] = field(default_factory=dict)
    """Per type, nearness of the question to its prototypes; empty where no embedder was asked."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Types that may answer with the confidence of each, and why."""

    types: Mapping[str, float]
    reasons: tuple[str, ...] = ()

    @property
    def confidence(self) -> float:
        return max(self.types.values(), default=0.0)


def understand(query: str, ontology: Ontology, evidence: Evidence) -> QueryPlan:
    """Make the plan; a question that asks for nothing in particular gets an empty one."""
    text = asked_part(without_names(query, evidence.names))
    plan = QueryPlan(query=query)
    if evidence.names or found(ontology.cues.get("plain", ()), text) is None:
        roles = roles_of(text, ontology, evidence.similarities)
        plan = _with_roles(plan, roles)
        plan = _with_status(plan, text, ontology)
        plan = _with_order(plan, text, ontology)
    if evidence.window is not None:
        plan = _noted(replace(plan, time=evidence.window[0]), "time", _time_confidence(plan, ontology), f"time: {evidence.window[1]}")
    if evidence.names:
        names = tuple(known.entity.name for known in evidence.names)
        plan = _noted(replace(plan, entities=names), "entities", STRENGTHS["likely"], f"entities: {', '.join(names)}")
    return plan


def asked_part(text: str) -> str:
    """Beginning and end of a long text: what it asks for stands there, and patterns stay cheap."""
    return text if len(text) <= 2 * READ else f"{text[:READ]} {text[-READ:]}"


def found(patterns: Iterable[str], text: str) -> str | None:
    """The words of the first pattern that the text has."""
    for pattern in _readable(patterns, text):
        if match := cue(pattern).search(text):
            return match[0].strip()
    return None


def _readable(patterns: Iterable[str], text: str) -> list[str]:
    """Those in a script that the text has; the others need not be compiled."""
    chinese, latin = CJK.search(text) is not None, re.search("[a-z]", text) is not None
    return [pattern for pattern in patterns if (latin if pattern.isascii() else chinese)]


def needs_prototypes(query: str, names: Sequence[Known], ontology: Ontology) -> bool:
    """Whether nearness to prototypes is worth a run of the embedder: a question of some words that no cue explains.

    A type without cues of its own (a user's) may also be meant by a question that only looks like one for facts.
    """
    text = asked_part(without_names(query, names))
    if len(CJK.findall(text)) < LEAST_CHARACTERS and len(text.split()) < LEAST_WORDS:
        return False
    if not names and found(ontology.cues.get("plain", ()), text) is not None:
        return False
    hits = cued(text, ontology)
    bare = any(kind.prototypes and not kind.cues for kind in ontology.types.values())
    return not hits or (bare and _only_hints(hits))


@dataclass(frozen=True, slots=True)
class Cue:
    """What in the question names a type, and how surely."""

    confidence: float
    words: str
    start: int
    end: int


def cued(text: str, ontology: Ontology) -> dict[str, Cue]:
    """For each type its strongest cue; of equal ones the head of the question: first in English, last in Chinese."""
    hits: dict[str, Cue] = {}
    for name, kind in ontology.types.items():
        left = _without(kind.cues.get("not", ()), text)
        for strength, confidence in STRENGTHS.items():
            spans = [match.span() for pattern in _readable(kind.cues.get(strength, ()), left) for match in cue(pattern).finditer(left)]
            if spans:
                start, end = max(spans, key=lambda span: span[1]) if is_chinese(text) else min(spans)
                hits[name] = Cue(confidence, left[start:end].strip(), start, end)
                break
    return hits


def _only_hints(hits: Mapping[str, Cue]) -> bool:
    return all(hit.confidence <= STRENGTHS["hint"] for hit in hits.values())


def _without(patterns: Iterable[str], text: str) -> str:
    """The text with what must not count blanked out, so that places stay."""
    for pattern in _readable(patterns, text):
        text = cue(pattern).sub(lambda match: "\x00" * len(match[0]), text)
    return text


def roles_of(text: str, ontology: Ontology, similarities: Mapping[str, float]) -> Roles:
    """The types with the strongest cues, among sure ones those that the head of the question names; without any, the nearest by prototypes."""
    hits = cued(text, ontology)
    nearest = _nearest(similarities) if _only_hints(hits) else Roles({})
    if nearest.types or not hits:
        return nearest
    best = max(hit.confidence for hit in hits.values())
    kept = {name: hit for name, hit in hits.items() if hit.confidence == best}
    if best == STRENGTHS["sure"]:
        head = max(kept.values(), key=lambda hit: hit.end) if is_chinese(text) else min(kept.values(), key=lambda hit: hit.start)
        kept = {name: hit for name, hit in kept.items() if hit.start < head.end and head.start < hit.end}
    return Roles({name: hit.confidence for name, hit in kept.items()}, tuple(f"{name}: “{hit.words}”" for name, hit in kept.items()))


def _nearest(similarities: Mapping[str, float]) -> Roles:
    """The type whose prototypes are clearly nearest, as a weak hint."""
    ranked = sorted(((similarity, name) for name, similarity in similarities.items()), reverse=True)
    if not ranked or ranked[0][1] in BY_NAME or ranked[0][0] < PROTOTYPE:
        return Roles({})
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < MARGIN:
        return Roles({})
    similarity, name = ranked[0]
    return Roles({name: STRENGTHS["hint"]}, (f"{name}: like its questions ({similarity:.2f})",))


def _noted(plan: QueryPlan, name: str, confidence: float, reason: str) -> QueryPlan:
    return replace(plan, confidence={**plan.confidence, name: confidence}, reasons=(*plan.reasons, reason))


def _with_roles(plan: QueryPlan, roles: Roles) -> QueryPlan:
    if not roles.types:
        return plan
    per_type = {f"types.{name}": confidence for name, confidence in roles.types.items()}
    noted = replace(plan, types=tuple(roles.types), reasons=(*plan.reasons, *roles.reasons))
    return replace(noted, confidence={**noted.confidence, "types": roles.confidence, **per_type})


def _with_status(plan: QueryPlan, text: str, ontology: Ontology) -> QueryPlan:
    """The status that tasks are asked for in, with all kinds of tasks for goals; "is it done?" asks for the task in whatever status."""
    tasks = [name for name, kind in ontology.types.items() if kind.open_status]
    asked = next((name for name in plan.types if name in tasks), None)
    if asked is None or found(ontology.cues.get("whether", ()), text) is not None:
        return plan
    kind = ontology.types[asked]
    for name in ("open", *kind.slots["status"].values):
        words = found(ontology.cues.get(name, ()), text)
        if words is None:
            continue
        status, confidence = kind.open_status if name == "open" else (name,), plan.confidence["types"]
        if asked == "Goal":
            plan = replace(plan, types=tuple(dict.fromkeys((*plan.types, *tasks))))
        return _noted(replace(plan, status=status), "status", confidence, f"status {'/'.join(status)}: “{words}”")
    return plan


def _with_order(plan: QueryPlan, text: str, ontology: Ontology) -> QueryPlan:
    for order in ORDERS:
        words = found(ontology.cues.get(order, ()), text)
        if words is not None:
            plan = _noted(replace(plan, order=order), "order", STRENGTHS["likely"], f"{order} first: “{words}”")
            break
    count = limit(text, ontology)
    if count is not None:
        plan = _noted(replace(plan, limit=count), "limit", STRENGTHS["sure"], f"at most {count}")
    words = found(ontology.cues.get("history", ()), text)
    if words is not None:
        plan = _noted(replace(plan, history=True), "history", STRENGTHS["likely"], f"with earlier versions: “{words}”")
    return plan


def limit(text: str, ontology: Ontology) -> int | None:
    """How many a folded question asks for ("top 3", 前三个): what the `limit` cues capture."""
    for pattern in _readable(ontology.cues.get("limit", ()), text):
        match = cue(pattern).search(text)
        number = parse_number(match[1]) if match else None
        if number is not None and 0 < number <= FEW:
            return int(number)
    return None


def _time_confidence(plan: QueryPlan, ontology: Ontology) -> float:
    """Sure where what is asked for has a time of its own, else a weight."""
    return STRENGTHS["sure"] if any(_timed(ontology.types[name]) for name in plan.types) else STRENGTHS["likely"]


def _timed(kind: TypeDef) -> bool:
    """Whether it happens at a time: an event, a mood, what sums up a period."""
    spans = any(slot.kind == "interval" for slot in kind.slots.values())
    return spans or (kind.half_life is not None and kind.half_life < timedelta(days=1))
