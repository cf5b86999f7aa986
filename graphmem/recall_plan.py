"""Planning a recall: asking the store and the embedder for what `core/understanding` needs, and applying its plan to the entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

import numpy as np

from graphmem.core.late import centred
from graphmem.core.understanding import HARD, STRENGTHS, Evidence, found, needs_prototypes, understand
from graphmem.core.understanding_match import Asked
from graphmem.core.understanding_names import Known, candidates, longest
from graphmem.filters import And, Compare, Filter, Not, Or, fields
from graphmem.model import SHOWN, MemoryRecord, QueryPlan, State
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Embedder, Hit, Selection, Store, Vector, gives_tokens
from graphmem.temporal import Interval
from graphmem.text import fold, fold_name, is_chinese

Window = Callable[[str, datetime], tuple[Interval, str] | None]
STRUCTURE = 50
"""Most memories that the structured arm and the entity arm bring each."""
LAST_TURNS = 6
"""How far back the question that an elliptical one carries on is looked for."""
TURN = Compare("type", "$eq", "Episode")
NEGATIVE = ("sadness", "anger", "fear", "disgust")
STRONG = 0.6
"""Intensity from which a bad feeling is only recalled when feelings are asked for."""


@dataclass(slots=True)
class Prototypes:
    """Vectors of the types' example questions by language, made when first needed and kept with their Recaller."""

    vectors: dict[str, tuple[tuple[str, ...], Vector]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan, the text to look for (an elliptical question with the turn that it carries on), and the known entities it names."""

    plan: QueryPlan
    text: str
    names: tuple[Known, ...] = ()


@dataclass(frozen=True, slots=True)
class Planner:
    """Understands questions of any scope."""

    store: Store
    ontology: Ontology
    embedder: Embedder | None
    clock: Clock
    zone: tzinfo | None = None
    window: Window | None = None
    prototypes: Prototypes = field(default_factory=Prototypes)

    async def planned(self, user_id: str, query: str, *, now: datetime | None = None, session_id: str | None = None) -> Planned:
        moment = now or self.clock.now()
        moment = moment if self.zone is None else moment.astimezone(self.zone)
        before = await self._carried_on(user_id, query, session_id)
        text = f"{query} {before}" if before else query
        names = await self._names(user_id, text)
        window, names = self._time(text, moment, names)
        if before:
            window = self._time(query, moment, ())[0] or window
        similarities = await self._similarities(text, names)
        plan = understand(text, self.ontology, Evidence(window=window, names=names, similarities=similarities))
        if before:
            plan = replace(plan, query=query, reasons=(f"carries on “{before}”", *plan.reasons))
        return Planned(plan, text, tuple(names))

    async def _carried_on(self, user_id: str, query: str, session_id: str | None) -> str | None:
        """What an elliptical question ("and tomorrow?", 那后天呢) leaves out: the session's last question, else its open goal, else its last turn."""
        if session_id is None or found(self.ontology.cues.get("elliptical", ()), fold(query)) is None:
            return None
        session = Compare("session_id", "$eq", session_id)
        at = Selection(at=self.clock.now(), where=And((session, TURN)))
        turns, _ = await self.store.select(user_id, at, order="newest", limit=LAST_TURNS)
        texts = [turn.text for turn in turns if fold(turn.text) != fold(query)]
        asked = next((text for text in texts if text.rstrip().endswith(("?", "？"))), None)
        if asked is not None:
            return asked
        tasks = [name for name, kind in self.ontology.types.items() if kind.open_status]
        open_ = next((kind.open_status for kind in self.ontology.types.values() if kind.open_status), ())
        goals = replace(at, where=And((session, Compare("type", "$in", tuple(tasks)), Compare("status", "$in", open_))))
        found_goals, _ = await self.store.select(user_id, goals, order="newest", limit=1)
        return found_goals[0].text if found_goals else texts[0] if texts else None

    async def _names(self, user_id: str, query: str) -> list[Known]:
        places = candidates(fold(query))
        entities = await self.store.entities(user_id, list(places)) if places else []
        return longest(query, places, entities)

    def _time(self, query: str, now: datetime, names: Sequence[Known]) -> tuple[tuple[Interval, str] | None, list[Known]]:
        """The window of the question without names that only look like times ("Friday Club"); a name that is a time ("Monday") is none."""
        if self.window is None:
            return None, list(names)
        text, kept = fold(query), []
        for known in names:
            said = text[known.start : known.end]
            inside = self.window(said, now)
            if inside is not None and fold(inside[1].split(" → ")[0]) == said and known.entity.kind != "Person":
                continue
            kept.append(known)
            if inside is not None:
                text = text[: known.start] + " " * len(said) + text[known.end :]
        return self.window(text if text != fold(query) else query, now), kept

    async def _similarities(self, query: str, names: Sequence[Known]) -> Mapping[str, float]:
        """Per type the mean cosine with its two nearest prototypes; nothing where cues say enough or there is no embedder."""
        if self.embedder is None or not needs_prototypes(query, names, self.ontology):
            return {}
        types, vectors = await self._prototype_vectors("zh" if is_chinese(query) else "en")
        cosines = vectors @ (await self._vectors([query]))[0]
        best: dict[str, list[float]] = {}
        for name, cosine in zip(types, cosines, strict=True):
            best.setdefault(name, []).append(float(cosine))
        return {name: float(np.mean(sorted(found_, reverse=True)[:2])) for name, found_ in best.items()}

    async def _prototype_vectors(self, language: str) -> tuple[tuple[str, ...], Vector]:
        known = self.prototypes.vectors.get(language)
        if known is None:
            pairs = [(name, text) for name, kind in self.ontology.types.items() for text in kind.prototypes.get(language, ())]
            known = tuple(name for name, _ in pairs), await self._vectors([text for _, text in pairs])
            self.prototypes.vectors[language] = known
        return known

    async def _vectors(self, texts: Sequence[str]) -> Vector:
        assert self.embedder is not None  # noqa: S101 — `_similarities` has looked
        vectors = await self.embedder.embed_queries(texts)
        return centred(vectors, self.embedder.mean) if gives_tokens(self.embedder) else vectors


# ── applying a plan ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Where to look for a plan: the selection with what is surely asked for, and the plan with what had to be given up."""

    plan: QueryPlan
    selection: Selection
    free: bool = True
    """Whether the caller left the types to the plan."""
    page: tuple[MemoryRecord, ...] | None = None
    """The first memories that meet the sure restrictions, where there are any."""


async def narrowed(store: Store, ontology: Ontology, user_id: str, plan: QueryPlan, selection: Selection) -> Narrowed:
    """Push the sure restrictions into the selection, one less at a time while nothing typed meets them; a caller's own filter comes first."""
    given = frozenset() if selection.where is None else fields(selection.where)
    base = _in_states(plan, selection)
    if "type" in given:
        return Narrowed(plan, base, free=False)
    base = _also(base, *_asides(plan, ontology))
    hard = [(name, part) for name, part in _restrictions(plan) if name not in given]
    dropped = list(plan.dropped)
    while hard:
        tried = _also(base, *(part for _, part in hard))
        page, _ = await store.select(user_id, _also(tried, Not(TURN)), order=plan.order or "newest", limit=STRUCTURE)
        if page:
            return Narrowed(replace(plan, dropped=tuple(dropped)), tried, page=tuple(page))
        dropped.append(hard.pop()[0])
    return Narrowed(replace(plan, dropped=tuple(dropped)), base)


def _also(selection: Selection, *parts: Filter) -> Selection:
    own = () if selection.where is None else (selection.where,)
    together = (*own, *parts)
    return replace(selection, where=And(together) if len(together) > 1 else together[0] if together else None)


def _in_states(plan: QueryPlan, selection: Selection) -> Selection:
    """Events to come and past ones are there when events are asked for, older versions when history is; else what holds."""
    if selection.states != SHOWN or not (plan.history or "Event" in plan.types):
        return selection
    shown: tuple[State, ...] = (*SHOWN, "superseded", "expired") if plan.history else tuple(SHOWN)
    events = Compare("type", "$eq", "Event"), Compare("state", "$in", ("upcoming", "expired"))
    where = Or((Compare("state", "$in", shown), And(events))) if "Event" in plan.types else Compare("state", "$in", shown)
    return _also(replace(selection, states=frozenset((*shown, "upcoming", "expired"))), where)


def _asides(plan: QueryPlan, ontology: Ontology) -> list[Filter]:
    """What is recalled only when asked for: types declared so, and strong bad feelings."""
    unasked = tuple(name for name, kind in ontology.types.items() if not kind.recalled and name not in plan.types)
    parts: list[Filter] = [Not(Compare("type", "$in", unasked))] if unasked else []
    if "EmotionalState" in ontology.types and "EmotionalState" not in plan.types:
        bad = Compare("emotion", "$in", NEGATIVE), Compare("intensity", "$gte", STRONG)
        parts.append(Not(And((Compare("type", "$eq", "EmotionalState"), *bad))))
    return parts


def _restrictions(plan: QueryPlan) -> list[tuple[str, Filter]]:
    """The sure ones by field, the one to be given up first last; turns are never restricted."""
    parts: list[tuple[str, Filter]] = []
    if plan.types and plan.confidence.get("types", 0.0) >= HARD:
        parts.append(("types", Or((TURN, Compare("type", "$in", plan.types)))))
    if plan.status and plan.confidence.get("status", 0.0) >= HARD:
        parts.append(("status", Or((TURN, Compare("status", "$in", plan.status)))))
    return parts


async def fitting(
    store: Store, user_id: str, planned: Planned, found_: Mapping[str, MemoryRecord], sources: Mapping[str, Sequence[str]]
) -> Asked:
    """What fitting memories to the plan needs: the entities' names, and for each turn the types learned from it."""
    turns: dict[str, list[str]] = {}
    for id_, from_ in sources.items():
        for turn in from_:
            turns.setdefault(turn, []).append(found_[id_].type)
    speakers = frozenset(map(fold_name, await store.speakers(user_id))) if planned.names else frozenset()
    entities = {known.entity.id: tuple(map(fold_name, (known.entity.name, *known.entity.aliases))) for known in planned.names}
    spoken = frozenset(id_ for id_, names in entities.items() if speakers & set(names))
    return Asked(plan=planned.plan, entities=entities, speakers=spoken, turns=turns)


def brought(arms: Mapping[str, Sequence[Hit]]) -> frozenset[str]:
    """Ids that came by structure, which no shortlist by words and meaning may leave out."""
    return frozenset(hit.id for name in ("structure", "time", "entities") for hit in arms.get(name, ()))


async def structured(store: Store, user_id: str, where: Narrowed, planned: Planned) -> dict[str, list[Hit]]:
    """The arm that needs no word in common: memories of the asked type and status, in the asked time, about the asked entities."""
    plan, arms = where.plan, dict[str, list[Hit]]()
    entities = [known.entity.id for known in planned.names]
    if where.page is not None:
        arms["structure"] = [Hit(memory.id, 0.0) for memory in where.page]
    elif plan.types and plan.confidence.get("types", 0.0) >= STRENGTHS["likely"] and where.free:
        parts = [Compare("type", "$in", plan.types), *([Compare("status", "$in", plan.status)] if plan.status else [])]
        order = plan.order or "newest"
        page, _ = await store.select(user_id, _also(where.selection, *parts), order=order, limit=STRUCTURE)
        arms["structure"] = [Hit(memory.id, 0.0) for memory in page]
    if plan.time is not None:
        page, _ = await store.select(user_id, _also(where.selection, _during(plan.time)), limit=STRUCTURE)
        arms["time"] = [Hit(memory.id, 0.0) for memory in page]
    if entities:
        arms["entities"] = [Hit(id_, 0.0) for id_ in await store.about(user_id, entities, where.selection, STRUCTURE)]
    return arms


def _during(window: Interval) -> Filter:
    fits = []
    for name in ("time", "deadline", "valid_from"):
        ends = [Compare(name, "$gte", window.start)] if window.start else []
        ends += [Compare(name, "$lt", window.end)] if window.end else []
        fits.append(And(tuple(ends)))
    return Or(tuple(fits))
