"""Random histories against a plain model: what a store of claims must never do, whatever is written in whatever order."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from graphmem.core.timeline import Rules, timeline
from graphmem.model import Disputed, MemoryRecord, Policy, Source
from tests.flows.world import USER, World, day, fact

CITIES = ["Bern", "Chur", "Thun"]
SUBJECTS = ["Ann", "Ben"]
Picture = frozenset[tuple[str, str, str]]


class Histories(RuleBasedStateMachine):
    """One functional and one many-valued relation of two people, told about in every way there is."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.today = 0
        self.seen: list[tuple[datetime, datetime, Picture]] = []
        self.beliefs = 0
        self.memories: set[str] = set()

    @initialize()
    def begin(self) -> None:
        self.world.__enter__()

    def teardown(self) -> None:
        self.world.__exit__(None, None, None)

    # ── what happens ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def tell(self, *drafts: Any, policy: Policy | None = None) -> None:
        self.today += 1
        self.world.on(self.today)
        for outcome in self.world.write(*drafts, policy=policy):
            if isinstance(outcome, Disputed):
                assert outcome.question
                assert outcome.memory.id != outcome.other.id

    @rule(
        subject=st.sampled_from(SUBJECTS),
        city=st.sampled_from(CITIES),
        relation=st.sampled_from(["lives_in", "lives_in", "visited"]),
        back=st.integers(-2, 6),
        length=st.sampled_from([None, None, 1, 3]),
        source=st.sampled_from(["user", "user", "assistant", "inferred"]),
        confidence=st.sampled_from([0.4, 0.7, 0.9]),
        act=st.sampled_from(["state", "state", "state", "end"]),
    )
    def say(
        self, *, subject: str, city: str, relation: str, back: int, length: int | None, source: Source, confidence: float, act: Any
    ) -> None:
        start = self.today + 1 - back
        end = None if length is None or act == "end" else day(start + length)
        self.tell(fact(subject, relation, city, valid_from=day(start), valid_to=end, source=source, confidence=confidence, act=act))

    @rule(
        subject=st.sampled_from(SUBJECTS),
        city=st.sampled_from(CITIES),
        policy=st.sampled_from(["confidence", "source", "dispute", "reject_new"]),
    )
    def say_under_a_policy(self, subject: str, city: str, policy: Policy) -> None:
        self.tell(fact(subject, "lives_in", city), policy=policy)

    @rule(subject=st.sampled_from(SUBJECTS), cities=st.lists(st.tuples(st.sampled_from(CITIES), st.integers(0, 4)), min_size=2, max_size=3))
    def say_together(self, subject: str, cities: list[tuple[str, int]]) -> None:
        self.tell(*(fact(subject, "lives_in", city, valid_from=day(self.today + 1 - back)) for city, back in cities))

    @rule(subject=st.sampled_from(SUBJECTS), city=st.sampled_from(CITIES))
    def correct(self, subject: str, city: str) -> None:
        self.tell(fact(subject, "lives_in", city, act="correct"))

    @precondition(lambda self: self.memories)
    @rule(data=st.data())
    def retract_or_restore(self, data: st.DataObject) -> None:
        self.today += 1
        memory = self.world.on(self.today).get(data.draw(st.sampled_from(sorted(self.memories))))
        verb = (
            self.world.reviser.restore(USER, memory.id)
            if memory.stored_state == "invalid"
            else self.world.reviser.retract(USER, memory.id, "no")
        )
        self.world.run(verb)

    @precondition(lambda self: self.world.conflicts() if self.memories else False)
    @rule(keep=st.sampled_from(["new", "old", "both", "neither"]), undo=st.booleans())
    def resolve(self, keep: Any, undo: bool) -> None:
        self.today += 1
        open_now = self.world.on(self.today).conflicts()
        if not open_now:
            return  # the day that passed was the last of a disputed value
        conflict = open_now[0]
        before = self.picture(self.world.clock.now())
        self.world.run(self.world.reviser.resolve(USER, conflict.id, keep))
        assert conflict.id not in {one.id for one in self.world.conflicts()}
        if undo:
            self.world.run(self.world.reviser.restore(USER, conflict.id))
            assert self.picture(self.world.clock.now()) == before

    # ── what always holds ───────────────────────────────────────────────────────────────────────────────────────────────────────────

    def picture(self, at: datetime, as_of: datetime | None = None) -> Picture:
        return frozenset(
            (str(one.properties["subject"]), str(one.properties["object"]), one.state) for one in self.world.held(at=at, as_of=as_of)
        )

    @invariant()
    def at_most_one_current_value(self) -> None:
        for number in range(self.today - 8, self.today + 4, 3):
            held = [one for one in self.world.held("lives_in", at=day(number)) if one.state == "current"]
            keep_both = len({one.key for one in held}) != len(held)
            assert not keep_both or self.kept_both(held)

    def kept_both(self, held: list[MemoryRecord]) -> bool:
        """Two values stand together only where somebody said so."""
        statements = self.world.run(self.world.store.claims(USER, [one.key or "" for one in held]))[1]
        return any("keeps" in one.properties and not one.properties["drops"] and one.retracted_at is None for one in statements)

    @invariant()
    def history_never_shrinks(self) -> None:
        everything = {one.id for one in self.world.everything()}
        beliefs = len(self.world.run(self.world.store.beliefs(USER, sorted(everything)))) if everything else 0
        assert everything >= self.memories
        assert beliefs >= self.beliefs
        self.memories, self.beliefs = everything, beliefs

    @invariant()
    def the_past_is_answered_as_it_was(self) -> None:
        for at, as_of, then in self.seen[-3:]:
            assert self.picture(at, as_of) == then
        now = self.world.clock.now()
        if not self.seen or self.seen[-1][1] < now:
            self.seen += [(at, now, self.picture(at)) for at in (now, day(self.today - 3))]

    @invariant()
    def the_store_holds_what_its_statements_say(self) -> None:
        keys = sorted({one.key for one in self.world.everything() if one.key})
        memories, statements = self.world.run(self.world.store.claims(USER, keys)) if keys else ([], [])
        for key in keys:
            rules = Rules(functional=key.endswith("lives_in"))
            told = timeline([one for one in statements if one.key == key], rules)
            expected = sorted((one.value, str(one.valid_from), str(one.valid_to), one.stored_state) for one in told)
            stored = sorted(
                (one.value or "", str(one.valid_from), str(one.valid_to), one.stored_state)
                for one in memories
                if one.key == key and one.stored_state != "invalid"
            )
            empty = [row for row in stored if row not in expected]
            assert [row for row in expected if row not in stored] == []
            assert all(row[3] == "superseded" and row[1] == row[2] for row in empty)


Few = Histories.TestCase
Few.settings = settings(max_examples=15, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_thousand_histories() -> None:
    from hypothesis.stateful import run_state_machine_as_test  # noqa: PLC0415 — only here

    run_state_machine_as_test(
        Histories, settings=settings(max_examples=2000, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
    )
    assert issubclass(Histories, RuleBasedStateMachine)
