"""Random histories: whatever is written, changed, forgotten and asked about, the store answers as a plain dict would."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import datetime, timedelta
from typing import Any, TypeVar

import anyio
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from graphmem.model import STATES, Belief, state_at
from graphmem.ports import Selection
from graphmem.stores.embedded import EmbeddedStore
from graphmem.testing.samples import NOW, indexed, memory, passage, vector

T = TypeVar("T")
_USERS, _IDS = st.sampled_from(["ann", "Ann", "a*"]), st.sampled_from(["m1", "m2", "m3"])
_STORED = st.sampled_from(["current", "disputed", "superseded", "invalid", "archived"])
_HOURS = st.integers(-6, 6).map(lambda hours: timedelta(hours=hours))


class Histories(RuleBasedStateMachine):
    """The dict: for each user and id the beliefs in order, the last of them open."""

    @initialize()
    def begin(self) -> None:
        self.store = EmbeddedStore(":memory:")
        self.now = NOW
        self.known: dict[tuple[str, str], list[Belief]] = {}
        self._run(self.store.open())

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self._run(self.store.close())

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        async def wait() -> T:
            return await call

        return anyio.run(wait)

    @rule(user=_USERS, key=_IDS, stored=_STORED, start=_HOURS, length=st.integers(0, 6) | st.none())
    def write(self, user: str, key: str, stored: Any, start: timedelta, length: int | None) -> None:
        self.now += timedelta(hours=1)
        begins = NOW + start
        ends = None if length is None else begins + timedelta(hours=length)
        text = f"version of {self.now:%d%H}"
        record = memory(key, user, text=text, stored_state=stored, valid_from=begins, valid_to=ends, recorded_at=self.now)
        belief = Belief(
            memory_id=key,
            user_id=user,
            text=text,
            properties={},
            stored_state=stored,
            valid_from=begins,
            valid_to=ends,
            recorded_at=self.now,
        )
        self._run(self.store.commit(indexed(user, record, passages=(passage(key),), beliefs=(belief,))))
        self.known.setdefault((user, key), []).append(belief)

    @rule(user=_USERS, key=_IDS)
    def forget(self, user: str, key: str) -> None:
        counts = self._run(self.store.erase(user, [key], self.now))
        assert counts["memories"] == int(self.known.pop((user, key), None) is not None)
        assert self._run(self.store.residue(user, [key])) == 0

    @rule(user=_USERS)
    def forget_everything(self, user: str) -> None:
        self._run(self.store.erase(user, None, self.now))
        self.known = {place: beliefs for place, beliefs in self.known.items() if place[0] != user}
        assert self._run(self.store.residue(user, None)) == 0

    @rule(user=_USERS, at=_HOURS, back=st.integers(0, 12) | st.none())
    def ask(self, user: str, at: timedelta, back: int | None) -> None:
        as_of = None if back is None else self.now - timedelta(hours=back)
        for states in (frozenset({"current", "disputed"}), frozenset(STATES)):
            selection = Selection(at=NOW + at, as_of=as_of, states=states)  # type: ignore[arg-type]  # literals of State
            expected = self._expected(user, selection)
            found, _ = self._run(self.store.select(user, selection))
            assert {each.id: (each.text, each.state) for each in found} == expected
            assert {hit.id for hit in self._run(self.store.nearest(user, vector(1), selection, 9))} == set(expected)
            assert {hit.id for hit in self._run(self.store.best_words(user, ["common"], selection, 9))} == set(expected)

    def _expected(self, user: str, selection: Selection) -> dict[str, tuple[str, str]]:
        shown: dict[str, tuple[str, str]] = {}
        for (owner, key), beliefs in self.known.items():
            held = [each for each in beliefs if each.recorded_at <= (selection.as_of or self.now)]
            if owner == user and held:
                last = held[-1]
                state = state_at(last.stored_state, last.valid_from, last.valid_to, selection.at)
                if state in selection.states:
                    shown[key] = (last.text, state)
        return shown

    @invariant()
    def histories_are_whole(self) -> None:
        for (user, key), beliefs in getattr(self, "known", {}).items():
            found = self._run(self.store.beliefs(user, [key]))
            ends: list[datetime | None] = [each.recorded_at for each in beliefs[1:]]
            assert [(each.text, each.superseded_at) for each in found] == [
                (each.text, end) for each, end in zip(beliefs, [*ends, None], strict=True)
            ]


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
