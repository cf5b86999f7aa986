"""What a context is about: what kind of answer the question wants, which goal it stands on, and which hits stay beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphmem.core.chains import Hierarchy, order_key
from graphmem.core.ranking import Ranked
from graphmem.core.tokens import query_tokens, search_tokens
from graphmem.core.understanding import HARD
from graphmem.model import MemoryRecord, QueryPlan
from graphmem.text import fold

Kind = Literal["task", "cause", "history", "claim", "open"]
"""How something stands, why it came about, how it changed over time, one thing to be known, or anything that fits."""

CAUSE = re.compile(
    r"\bwhy\b|\bhow come\b|\bwhat (?:caused|led to|made|triggered|is the reason|was the reason)\b|\b(?:the|what) reasons?\b|\bbecause of what\b"
    r"|\bwhat (?:happened|came|changed|followed) (?:after|because)|\b(?:led|lead|leads) to\b|\bresult(?:ed|s)? (?:of|in|from)\b|\bconsequences?\b"
    r"|之后.*(?:发生|怎么?样)|后来|后果|(?:导致|造成|引起)了?(?:什么|哪)|为什么|为何|为啥|怎么会|(?:什么|啥|的)(?:原因|缘故|缘由)|因为什么|是什么(?:导致|造成|引起)"
)
PROGRESS = re.compile(
    r"\bhow (?:far|close|near|much (?:is|are|remains|of))\b|\bwhere (?:do|does|are|is) (?:we|i|things|it|he|she|they)\b.* (?:stand|at|with)\b"
    r"|\bwhere .*\bstands?\b|\b(?:coming|getting|moving|going|progressing|shaping) (?:along|on|up|forward|ahead)\b"
    r"|\bhow(?:'s| is| are| was| has| have)\b.*\b(?:going|progress(?:ing|ed)?|proceeding|developing|doing|gone)\b"
    r"|\bwhat(?:'s| is| has|) (?:happened|happening|up) (?:with|to)\b|\bprogress\b|\bstatus\b|\bstate of (?!mind|matter)|\bupdates?\b|\bup to (?:date|speed)\b|\bnext steps?\b|\bwhat(?:'s| is| comes)? next\b"
    r"|\b(?:left|remains|remaining|missing|still (?:has|have|needs?|open|to do|missing|left))\b|\bstage\b|\bwhat(?:'s| is| has| have) .*\bdone\b"
    r"|进展|进度|进行(?:到|得)|哪一?步|到哪|哪个?阶段|怎么?样了|如何了|(?:得|的)(?:怎么样|怎样|如何)|(?:情况|状况|状态)(?:是|现在|目前)?(?:怎么?样|如何|呢|\?|？)"
    r"|还(?:剩|差|缺|要|得|需要?|有)[^吗]*(?:什么|哪些|多少|没|几)|下一步|接下来|(?:做|办|弄|搞|推进|准备|筹备|落实)(?:到|得|了多少)|完成了?(?:多少|哪些|没|吗)|顺利吗"
)
GENERAL = re.compile(
    r"\b(?:far|along|going|coming|getting|stands?|status|progress\w*|proceeding|state|updates?|date|next|steps?|left|remain\w*|still|done|doing|happen\w*)\b"
    r"|进展|进度|进行|推进|到?哪一?步|到哪里?|哪个?阶段|得?怎么?样|如何|情况|状况|状态|下一步|接下来|还[剩差缺有]|完成|顺利|现在|目前|[得了呢吗吧]"
    r"|\b(?:preparations?|preparing|planning|plans?|organi[sz](?:ation|ing)|arrangements?|projects?|tasks?|goals?|work|things?|stuff|everything|overall|whole)\b"
    r"|筹备|准备|安排|计划|任务|目标|事情|的事|整体|总体|全部|整个|项目|工作"
)
"""Words that say that a task is meant, but not which."""
UP, MEMBER = 0.95, 0.9
"""What is left of a hit's relevance per level up to its goal, and where it is no task itself but a fact, limit or event of it."""
TIE = 0.9
"""From this share of the best on, another goal counts as equally meant."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares of the best hit's relevance from which on a hit stays: of the goal that is asked about, of no goal, of another goal; and a task."""

    own: float
    free: float
    other: float
    task: float = 0.0


TURN = 0.5
"""What a turn needs of the threshold of what belongs to no goal: the budget decides about turns."""
STAY: Mapping[Kind, Thresholds] = {
    "task": Thresholds(0.3, 0.5, 2.0),
    "cause": Thresholds(0.3, 0.55, 2.0, 0.7),
    "history": Thresholds(0.7, 0.7, 2.0, 0.9),
    "claim": Thresholds(0.55, 0.55, 0.97, 0.9),
    "open": Thresholds(0.3, 0.3, 0.8),
}


def kind_of(plan: QueryPlan, tasks: frozenset[str]) -> Kind:
    """Read what the question wants; `tasks` are the types with a status."""
    text = fold(plan.query)
    if plan.history:
        return "history"
    if CAUSE.search(text):
        return "cause"
    if tasks.intersection(plan.types) or PROGRESS.search(text):
        return "task"
    return "claim" if plan.types and plan.confidence.get("types", 0.0) >= HARD - 0.2 else "open"


def relevance(ranked: Sequence[Ranked], aside: frozenset[str] = frozenset({"role"})) -> dict[str, float]:
    """Every candidate's score without these parts, from 0 for the middle one (or half way down, where most are good) to 1 for the best.

    What its type alone earned tells nothing about the goal that is meant; it tells what answers, so that hits are judged with it.
    """
    if not ranked:
        return {}
    scores = {one.id: one.score - sum(one.reasons.get(part, 0.0) for part in aside) for one in ranked}
    best, worst, middle = max(scores.values()), min(scores.values()), float(np.median(list(scores.values())))
    floor = min(middle, (best + worst) / 2)
    spread = best - floor
    return {id_: max(0.0, (score - floor) / spread) if spread > 1e-9 else 1.0 for id_, score in scores.items()}


@dataclass(frozen=True, slots=True)
class Standing:
    """Which goals each memory hangs under, nearest first, and how strongly the hits speak for each goal."""

    lines: Mapping[str, tuple[str, ...]]
    strength: Mapping[str, float]

    def goals(self, id_: str) -> tuple[str, ...]:
        return self.lines.get(id_, ())


def standing(relevant: Mapping[str, float], memories: Mapping[str, MemoryRecord], hierarchy: Hierarchy, tasks: frozenset[str]) -> Standing:
    lines: dict[str, tuple[str, ...]] = {}
    strength: dict[str, float] = {}
    support: dict[str, list[float]] = {}
    for id_ in memories:
        found = above(id_, memories, hierarchy)
        lines[id_] = tuple(found)
        near = next(iter(found), None)
        if near is None or id_ not in relevant:
            continue
        share = relevant[id_] * UP ** found[near] * (1.0 if memories[id_].type in tasks else MEMBER)
        strength[near] = max(strength.get(near, 0.0), share)
        support.setdefault(near, []).append(share)
    for goal, shares in support.items():
        strength[goal] += 0.15 * float(np.mean(sorted(shares, reverse=True)[:3]))
    return Standing(lines, strength)


def above(id_: str, memories: Mapping[str, MemoryRecord], hierarchy: Hierarchy) -> dict[str, int]:
    """The goals that a memory hangs under with their distance, nearest first; a goal is its own first."""
    found: dict[str, int] = {}
    seen, level, distance = {id_}, [id_], 0
    while level:
        found |= {one: distance for one in level if memories[one].type == "Goal" and one not in found}
        up = {one.target_id for here in level for one in hierarchy.parents.get(here, ()) if one.target_id in memories} - seen
        seen |= up
        level, distance = sorted(up, key=lambda one: order_key(memories[one])), distance + 1
    return found


def topic(query: str) -> frozenset[str]:
    """The search words that say which task a question is about."""
    return frozenset(query_tokens(GENERAL.sub(" ", fold(query))))


def anchor(stands: Standing, memories: Mapping[str, MemoryRecord], relevant: Mapping[str, float], query: str = "") -> str | None:
    """The goal that the question stands on: the one that its hits speak for most.

    A goal above it where that one has all the words of the question's topic, or where two of its parts are meant equally.
    """
    if not stands.strength:
        return None
    best = max(stands.strength, key=lambda one: (stands.strength[one], one))
    top = stands.strength[best]
    if top <= 0:
        return None
    words = topic(query)
    for over in stands.goals(best)[1:]:
        if words and words <= frozenset(search_tokens(memories[over].text)):
            return over
    rivals = [one for one, share in stands.strength.items() if one != best and share >= TIE * top]
    for over in stands.goals(best)[1:]:
        if any(over in stands.goals(one)[1:] for one in rivals) and relevant.get(over, 0.0) >= 0.5:
            return over
    equal = [one for one in rivals if one in stands.goals(best)[1:] and relevant.get(one, 0.0) > relevant.get(best, 0.0)]
    return min(equal, key=lambda one: order_key(memories[one]), default=best)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the question stands: the goal, the goals above it, and every memory of its own branch."""

    goal: str | None = None
    line: frozenset[str] = frozenset()
    branch: frozenset[str] = frozenset()


def stays(memory: MemoryRecord, share: float, kind: Kind, place: Place, stands: Standing) -> bool:
    """Whether a hit is shown: by the threshold of what it belongs to; without a place every hit is free, without any goal the budget decides."""
    limits, goals = STAY[kind], stands.goals(memory.id)
    if memory.properties.get("status") is not None and share < limits.task:
        return False
    if memory.type == "Episode":
        return share >= TURN * limits.free
    if not goals or place.goal is None:
        return share >= (limits.free if stands.strength else STAY["open"].free)
    own = memory.id in place.branch or memory.id in place.line or goals[0] in place.line or goals[0] == place.goal
    return share >= (limits.own if own else limits.other)


def first_of(ids: Iterable[str], relevant: Mapping[str, float], memories: Mapping[str, MemoryRecord], types: frozenset[str]) -> list[str]:
    """Those of these types, most relevant first."""
    return sorted((id_ for id_ in ids if memories[id_].type in types), key=lambda id_: (-relevant.get(id_, 0.0), id_))
