"""What held when under one claim key: a pure function of the set of statements, whatever their order of arrival."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from types import MappingProxyType
from typing import Literal, assert_never

from graphmem.model import Policy, Source, Statement, StoredState
from graphmem.temporal import FAR_FUTURE, FAR_PAST, Precision

RANKS: Mapping[Source, int] = MappingProxyType({"user": 3, "tool": 2, "external": 2, "assistant": 1, "inferred": 0})
EXTERNAL_FIRST: Mapping[Source, int] = MappingProxyType({"external": 3, "tool": 3, "user": 2, "assistant": 1, "inferred": 0})
"""For facts about the world, where the ontology ranks an outside source above what a person says."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the statements of one key are weighed; a statement from an inference or below `weak_below` does not displace a confident one."""

    functional: bool = True
    ranks: Mapping[Source, int] = field(default_factory=lambda: RANKS)
    weak_below: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A maximal span over which one value is believed, and the memory that stands for it.

    `displaced_by` are the memories that took its place, `disputed_with` those it contends with.
    """

    value: str
    memory_id: str
    valid_from: datetime | None
    valid_to: datetime | None
    precision: Precision | None
    stored_state: StoredState
    confidence: float
    statements: tuple[str, ...]
    displaced_by: tuple[str, ...] = ()
    disputed_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that exists under the key, so that its id is kept when boundaries move."""

    memory_id: str
    value: str
    valid_from: datetime | None


Mint = Callable[[str, datetime | None, int], str]
"""(value, start, number) → a memory id; the number tells apart what would otherwise have one id."""


@dataclass(slots=True, eq=False)
class Run:
    """A segment while it is being built."""

    value: str
    start: datetime | None
    precision: Precision | None = None
    statements: list[Statement] = field(default_factory=list)
    closers: list[Statement] = field(default_factory=list)
    stated_end: datetime | None = None
    end: datetime | None = None
    rivals: list[Run] = field(default_factory=list)
    successors: list[Run] = field(default_factory=list)
    fixed: StoredState | None = None

    @property
    def confidence(self) -> float:
        """Of its most confident statement; contests look at this one, so that repetition does not shout down a better source."""
        return max(s.confidence for s in self.statements)

    @property
    def policy(self) -> Policy:
        said = self.statements
        return (said[0] if len(said) == 1 else max(said, key=lambda s: (s.recorded_at, s.id))).policy

    @property
    def valid_to(self) -> datetime | None:
        if self.end is None or self.stated_end is None:
            return self.end or self.stated_end
        return min(self.end, self.stated_end)

    @property
    def stored_state(self) -> StoredState:
        if self.fixed is not None:
            return self.fixed
        if self.rivals:
            return "disputed"
        return "superseded" if self.successors or self.end is not None else "current"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What corrections and resolutions among the statements decided, by statement ids."""

    void: frozenset[str]
    beats: frozenset[tuple[str, str]]
    allies: tuple[frozenset[str], ...]
    settled: frozenset[str]

    def favours(self, one: Run, other: Run) -> bool:
        return any((a.id, b.id) in self.beats for a in one.statements for b in other.statements) if self.beats else False

    def allied(self, one: Run, other: Run) -> bool:
        return any(
            not group.isdisjoint(s.id for s in one.statements) and not group.isdisjoint(s.id for s in other.statements)
            for group in self.allies
        )


def verdicts(statements: Iterable[Statement]) -> Verdicts:
    """Read what was decided: a dropped statement that began before the kept ones ends where they start; any other dropped or corrected one never held."""
    live = {s.id: s for s in statements if s.retracted_at is None}
    void: set[str] = set()
    beats: set[tuple[str, str]] = set()
    allies: list[frozenset[str]] = []
    settled: set[str] = set()
    for statement in live.values():
        void.update(statement.properties.get("corrects", ()))
        if not is_resolution(statement):
            continue
        keeps = [live[i] for i in statement.properties.get("keeps", ()) if i in live]
        drops = [live[i] for i in statement.properties.get("drops", ()) if i in live]
        start = min((s.valid_from for s in keeps), default=FAR_PAST)
        void.update(s.id for s in drops if s.valid_from >= start)
        beats.update((k.id, d.id) for d in drops if d.valid_from < start for k in keeps)
        settled.update(s.id for s in keeps)
        if keeps and not drops:
            allies.append(frozenset(s.id for s in keeps))
    return Verdicts(frozenset(void), frozenset(beats), tuple(allies), frozenset(settled))


def is_resolution(statement: Statement) -> bool:
    """Whether it settles a dispute between other statements and states nothing of its own."""
    return "keeps" in statement.properties or "drops" in statement.properties


def timeline(statements: Iterable[Statement], rules: Rules, known: Iterable[Known] = (), mint: Mint | None = None) -> tuple[Segment, ...]:
    """Every segment in order of time. Without `mint` a segment that no memory stands for yet has the id ""."""
    live = [s for s in statements if s.retracted_at is None]
    decided = verdicts(live)
    sweep = Sweep(rules, decided)
    spoken = [s for s in live if s.id not in decided.void and not is_resolution(s)]
    moving = [s for s in spoken if "state" not in s.properties or s.id in decided.settled]
    for moment, group in groupby(sorted(moving, key=lambda s: (s.valid_from, s.value, s.id)), key=lambda s: s.valid_from):
        sweep.step(moment, list(group))
    runs = [*sweep.runs, *(_fixed(s) for s in spoken if "state" in s.properties and s.id not in decided.settled)]
    runs.sort(key=lambda run: (run.start or FAR_PAST, run.valid_to or FAR_FUTURE, run.value))
    ids = _assign(runs, known, mint or (lambda _value, _start, _number: ""))
    return tuple(_segment(run, ids) for run in runs)


def _fixed(statement: Statement) -> Run:
    run = Run(statement.value, statement.valid_from, statement.precision, [statement], fixed=statement.properties["state"])
    run.stated_end = statement.valid_to
    return run


def combined(confidences: Sequence[float]) -> float:
    """Best of them, moved towards 1 by a fifth of each further one: `1 - (1 - best) · Π(1 - c / 5)`, at most .99."""
    if len(confidences) == 1:
        return confidences[0]
    best, *rest = sorted(confidences, reverse=True)
    doubt = 1 - best
    for confidence in rest:
        doubt *= 1 - confidence / 5
    return max(best, min(0.99, round(1 - doubt, 4)))


def _segment(run: Run, ids: Mapping[int, str]) -> Segment:
    return Segment(
        value=run.value,
        memory_id=ids[id(run)],
        valid_from=run.start,
        valid_to=run.valid_to,
        precision=run.precision,
        stored_state=run.stored_state,
        confidence=combined([s.confidence for s in run.statements or run.closers]),
        statements=tuple(s.id for s in (*run.statements, *run.closers)),
        displaced_by=tuple(dict.fromkeys(ids[id(other)] for other in run.successors if other.value != run.value)),
        disputed_with=tuple(ids[id(other)] for other in run.rivals),
    )


def _assign(runs: Sequence[Run], known: Iterable[Known], mint: Mint) -> dict[int, str]:
    """Ids by run: of its earliest recorded statement's memory, else of a known memory that began within it, else a new one."""
    taken: set[str] = set()
    ids: dict[int, str] = {}
    memories: dict[str, list[Known]] = {}
    for one in known:
        memories.setdefault(one.value, []).append(one)
    for run in runs:
        own = [s.memory_id for s in sorted((*run.statements, *run.closers), key=lambda s: (s.recorded_at, s.id)) if s.memory_id]
        start, end = run.start or FAR_PAST, run.valid_to or FAR_FUTURE
        met = [m.memory_id for m in memories.get(run.value, ()) if start <= (m.valid_from or FAR_PAST) < end]
        found = next((i for i in (*own, *met) if i not in taken), None)
        number = 0
        while found is None or (found in taken and found):
            found = mint(run.value, run.start, number)
            number += 1
        taken.add(found)
        ids[id(run)] = found
    return ids


class Sweep:
    """Walks the moments at which something was said to begin or end, with what holds between them."""

    def __init__(self, rules: Rules, decided: Verdicts) -> None:
        self.rules, self.decided = rules, decided
        self.holders: list[Run] = []
        self.lapsed: list[Run] = []
        self.runs: list[Run] = []

    def step(self, moment: datetime, group: Sequence[Statement]) -> None:
        self._lapse(moment)
        ends = [s for s in group if s.act == "end"]
        stillborn = self._end(moment, ends, {s.value for s in group if s.act != "end"})
        candidates: list[Run] = []
        for value, said in groupby([s for s in group if s.act != "end"], key=lambda s: s.value):
            run = self._begin(value, moment, list(said))
            if value in stillborn and not any(s.id in spared(stillborn[value]) for s in run.statements):
                run.end, run.closers = moment, [*run.closers, *stillborn[value]]
                self.runs.append(run)
            else:
                candidates.append(run)
        if not candidates:
            return
        if not self.rules.functional:
            self._place(candidates, moment)
            return
        winners, rivals = self._contest(candidates)
        placed = self._place(winners, moment)
        if rivals:
            for one in placed:
                one.rivals += [other for other in placed if other is not one and other not in one.rivals]

    def _begin(self, value: str, moment: datetime, said: list[Statement]) -> Run:
        run = Run(value, moment, said[0].precision, said)
        self._stretch(run, said)
        return run

    def _stretch(self, run: Run, said: Sequence[Statement]) -> None:
        """Take the end that the best of these sources states; where none does, an end stated before stays."""
        if ending := [s for s in said if s.valid_to is not None]:
            run.stated_end = max((self._rank(s), s.confidence, s.valid_to or FAR_FUTURE) for s in ending)[2]

    def _rank(self, statement: Statement) -> int:
        return self.rules.ranks[statement.source]

    def _lapse(self, moment: datetime) -> None:
        over = [run for run in self.holders if run.stated_end is not None and run.stated_end <= moment]
        if over:
            self.lapsed += over
            self.holders = [run for run in self.holders if run not in over]

    def _end(self, moment: datetime, ends: Sequence[Statement], begun: set[str]) -> dict[str, list[Statement]]:
        """Close what held until now; return what each value was ended by."""
        by_value: dict[str, list[Statement]] = {}
        for statement in ends:
            for value in [statement.value] if statement.value else [run.value for run in self.holders]:
                by_value.setdefault(value, []).append(statement)
        for value, closers in by_value.items():
            held, past = self._held(value), [run for run in self.runs if run.value == value]
            if held is not None:
                held.end, held.closers = moment, [*held.closers, *closers]
                self.holders.remove(held)
                for other in held.rivals:
                    other.rivals = [rival for rival in other.rivals if rival is not held]
            elif past:
                past[-1].closers += closers
            elif value not in begun:
                unknown = not self.rules.functional or not self.runs
                self.runs.append(Run(value, None if unknown else moment, None, [], list(closers), end=moment))
        return by_value

    def _contest(self, candidates: list[Run]) -> tuple[list[Run], bool]:
        """Who of those that begin at one moment stays, and whether they contend: rank and confidence decide, equal ones are undecided."""
        if len(candidates) == 1:
            return candidates, False
        policy = max(candidates, key=lambda run: max((s.recorded_at, s.id) for s in run.statements)).policy
        beaten = [run for run in candidates if any(self.decided.favours(other, run) for other in candidates)]
        if policy not in {"keep_both", "dispute"}:
            best = max(self._strength(run, policy) for run in candidates if run not in beaten)
            beaten += [run for run in candidates if run not in beaten and self._strength(run, policy) < best]
        winners = [run for run in candidates if run not in beaten]
        for run in beaten:
            if (held := self._held(run.value)) is not None:
                held.statements += run.statements
            else:
                self._lose(run, self._held(winners[0].value) or winners[0])
        allied = all(self.decided.allied(winners[0], run) for run in winners[1:])
        return winners, len(winners) > 1 and policy != "keep_both" and not allied

    def _strength(self, run: Run, policy: Policy) -> tuple[float, float]:
        ranked = [(float(self._rank(s)), s.confidence) for s in run.statements]
        return max((confidence, rank) for rank, confidence in ranked) if policy == "confidence" else max(ranked)

    def _held(self, value: str) -> Run | None:
        return next((run for run in self.holders if run.value == value), None)

    def _lose(self, run: Run, winner: Run) -> None:
        """Give it no span of its own: it ends where it begins."""
        run.end, run.successors = run.start, [winner]
        self.runs.append(run)

    def _place(self, winners: Sequence[Run], moment: datetime) -> list[Run]:
        """Lets the winners hold from now on; returns them as they stand (a value that held already goes on in its own run)."""
        values = {run.value for run in winners}
        others = [run for run in self.holders if run.value not in values]
        placed: list[Run] = []
        for run in winners:
            held = self._held(run.value)
            if held is not None:
                held.statements += run.statements
                self._stretch(held, run.statements)
                self._settle(held, run)
                placed.append(held)
            elif not self.rules.functional or self._enter(run, others, moment):
                self.holders.append(run)
                self.runs.append(run)
                placed.append(run)
        for run in self.lapsed if self.rules.functional else ():
            run.successors = [one for one in placed if one.value != run.value][:1]
        self.lapsed = [run for run in self.lapsed if not run.successors]
        return placed

    def _settle(self, held: Run, said: Run) -> None:
        """Said again by a strong source, a disputed value wins its dispute from where it began."""
        if not held.rivals or said.policy == "dispute" or self._weak(said):
            return
        for rival in held.rivals:
            if rival in self.holders:
                self.holders.remove(rival)
            rival.rivals = []
            rival.successors = [held]
            rival.end = max(rival.start or FAR_PAST, held.start or FAR_PAST)
        held.rivals = []

    def _weak(self, run: Run) -> bool:
        return all(s.source == "inferred" or s.confidence < self.rules.weak_below for s in run.statements)

    def _enter(self, run: Run, others: Sequence[Run], moment: datetime) -> bool:
        """Whether a new value comes to hold, and what it does to each value that held."""
        effects = [(other, self._effect(run, other)) for other in others if other in self.holders]
        for other, effect in effects:
            if effect == "lose":
                self._lose(run, other)
                return False
        for other, effect in effects:
            if effect == "take":
                other.end = moment
                other.successors = [*other.successors, run]
            elif effect == "dispute":
                run.rivals.append(other)
                other.rivals.append(run)
        taken = [other for other, effect in effects if effect == "take"]
        self.holders = [other for other in self.holders if other not in taken]
        return True

    def _effect(self, run: Run, other: Run) -> Literal["take", "lose", "dispute", "beside"]:
        if self.decided.allies and self.decided.allied(run, other):
            return "beside"
        if self.decided.beats and self.decided.favours(run, other):
            return "take"
        match run.policy:
            case "keep_both":
                return "beside"
            case "dispute":
                return "dispute"
            case "confidence":
                return "take" if run.confidence >= other.confidence else "lose"
            case "source":
                return "take" if max(map(self._rank, run.statements)) >= max(map(self._rank, other.statements)) else "lose"
            case "latest" | "reject_new":
                return "dispute" if self._weak(run) and not self._weak(other) else "take"
            case _:
                assert_never(run.policy)


def spared(ends: Iterable[Statement]) -> frozenset[str]:
    """Statements from the moment of an end that begin anew all the same (the one that asked for the end)."""
    return frozenset(i for s in ends for i in s.properties.get("spares", ()))
