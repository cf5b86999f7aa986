"""Ids, verdicts and the invariants of the timeline."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.core.reconciliation import Known, Ledger, disputes, extended, resolution, successions
from graphmem.core.timeline import EXTERNAL_FIRST, Rules, combined, timeline
from graphmem.model import Statement
from tests.unit.statements import MANY, ONE, day, mint, picture, says, tell


def test_external_sources_may_rank_first() -> None:
    rules = Rules(ranks=EXTERNAL_FIRST)
    ledger, _ = tell(says("A"), says("B", source="external"), rules=rules)
    assert picture(ledger.segments()) == [("A", 0, 0, "superseded"), ("B", 0, None, "current")]


def test_there_and_back_makes_three_memories() -> None:
    ledger, _ = tell(says("A"), says("B", 5), says("A", 9))
    assert [one.memory_id for one in ledger.segments()] == ["A0", "B5", "A9"]
    assert successions(ledger.segments()) == {("B5", "A0"), ("A9", "B5")}


def test_moving_a_boundary_keeps_ids() -> None:
    ledger, _ = tell(says("A", 5), says("A", 0, recorded=8), says("A", 9), says("B", 7, recorded=12), says("A", 8, recorded=13))
    segments = ledger.segments()
    assert [(one.memory_id, one.value) for one in segments] == [("A5", "A"), ("B7", "B"), ("A9", "A")]
    assert picture(segments)[2] == ("A", 8, None, "current")


def test_a_correction_voids_what_it_corrects() -> None:
    first = says("A", 3)
    ledger, decisions = tell(first, says("B", 3, act="correct", recorded=6, properties={"corrects": (first.id,)}))
    assert decisions[1].kind == "superseded"
    assert decisions[1].others == ("A3",)
    assert picture(ledger.segments()) == [("B", 3, None, "current")]


def test_a_correction_of_nothing_is_added() -> None:
    _, decisions = tell(says("B", 3, act="correct"))
    assert [decision.kind for decision in decisions] == ["added"]


def test_retraction_gives_the_field_back() -> None:
    first, second = says("A"), says("B", 5)
    gone = Statement(**{name: getattr(second, name) for name in Statement.__slots__} | {"retracted_at": day(6)})
    assert picture(timeline((first, gone), ONE)) == [("A", 0, None, "current")]


@pytest.mark.parametrize(
    ("keeps", "drops", "expected"),
    [
        ("A", "B", [("A", 0, None, "current")]),
        ("B", "A", [("A", 0, 5, "superseded"), ("B", 5, None, "current")]),
        ("AB", "", [("A", 0, None, "current"), ("B", 5, None, "current")]),
        ("", "AB", []),
    ],
)
def test_resolutions(keeps: str, drops: str, expected: list[tuple[str, int | None, int | None, str]]) -> None:
    sides = {"A": says("A"), "B": says("B", 5, confidence=0.4)}
    verdict = resolution(says("A", 0, recorded=8, id="r"), [sides[k].id for k in keeps], [sides[d].id for d in drops], "asked")
    assert picture(timeline((*sides.values(), verdict), ONE)) == expected
    undone = Statement(**{name: getattr(verdict, name) for name in Statement.__slots__} | {"retracted_at": day(9)})
    assert [one.stored_state for one in timeline((*sides.values(), undone), ONE)] == ["disputed", "disputed"]


@pytest.mark.parametrize(
    ("keeps", "drops", "expected"),
    [("A", "B", [("A", 0, None, "current")]), ("AB", "", [("A", 0, None, "current"), ("B", 0, None, "current")])],
)
def test_resolutions_of_a_tie(keeps: str, drops: str, expected: list[tuple[str, int | None, int | None, str]]) -> None:
    sides = {"A": says("A"), "B": says("B")}
    verdict = resolution(says("A", 0, recorded=8, id="r"), [sides[k].id for k in keeps], [sides[d].id for d in drops], "asked")
    assert picture(timeline((*sides.values(), verdict), ONE)) == expected


def test_a_resolution_frees_a_given_state() -> None:
    one, other = says("A", properties={"state": "disputed"}), says("B", properties={"state": "disputed"})
    verdict = resolution(says("A", 0, recorded=8, id="r"), [one.id], [other.id], "")
    assert picture(timeline((one, other, verdict), ONE)) == [("A", 0, None, "current")]


def test_an_end_spares_what_asked_for_it() -> None:
    old, new = says("A"), says("A", 5, id="new")
    end = says("A", 5, act="end", properties={"spares": ("new",)})
    assert picture(timeline((old, end, new), ONE)) == [("A", 0, 5, "superseded"), ("A", 5, None, "current")]


def test_disputes_come_once_with_the_older_side_in_front() -> None:
    ledger, _ = tell(says("A"), says("B", 5, confidence=0.4))
    assert disputes(ledger.segments()) == {("A0", "B5")}


def test_known_memories_keep_their_ids_where_their_statement_is_spoken_for() -> None:
    statements = (says("A", memory_id="M1"), says("B", 5, memory_id="M2"), says("A", 9, memory_id="M1"))
    segments = timeline(statements, ONE, [Known("M3", "A", day(9))], mint)
    assert [one.memory_id for one in segments] == ["M1", "M2", "M3"]


def test_an_id_that_is_taken_is_numbered() -> None:
    fixed = says("A", memory_id="A0", properties={"state": "superseded"}, until=4)
    assert [one.memory_id for one in timeline((fixed, says("A", id="later")), ONE, (), mint)] == ["A0", "A0'"]


@pytest.mark.parametrize(("given", "expected"), [([0.7], 0.7), ([0.7, 0.7], 0.742), ([1.0, 0.2], 1.0), ([0.9] * 40, 0.99)])
def test_combined_confidence(given: list[float], expected: float) -> None:
    assert combined(given) == pytest.approx(expected)


SOURCES = st.sampled_from(["user", "tool", "assistant", "inferred"])
STATEMENTS = st.lists(
    st.builds(
        lambda value, since, source, confidence, length, act: says(
            value, since, source=source, confidence=confidence, act=act, recorded=50, **({"until": since + length} if length else {})
        ),
        st.sampled_from("ABC"),
        st.integers(0, 6),
        SOURCES,
        st.sampled_from([0.3, 0.7, 0.9]),
        st.sampled_from([0, 0, 0, 1, 3]),
        st.sampled_from(["state", "state", "state", "end"]),
    ),
    max_size=6,
    unique_by=lambda statement: statement.id,
)


@given(STATEMENTS, st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_order_of_arrival_does_not_matter(statements: list[Statement], random: Any) -> None:
    shuffled = list(statements)
    random.shuffle(shuffled)
    first, second = tell(*statements)[0], tell(*shuffled)[0]
    assert picture(first.segments()) == picture(second.segments())


@given(STATEMENTS)
@settings(max_examples=300, deadline=None)
def test_at_most_one_current_value_at_any_time(statements: list[Statement]) -> None:
    ledger, _ = tell(*statements)
    for number in range(-1, 12):
        at = day(number)
        held = [
            one.value
            for one in ledger.segments()
            if one.stored_state in {"current", "superseded"}
            and (one.valid_from is None or one.valid_from <= at)
            and (one.valid_to is None or at < one.valid_to)
        ]
        assert len(held) <= 1


@given(
    STATEMENTS,
    st.builds(
        says,
        st.sampled_from("ABCD"),
        st.integers(0, 9),
        source=SOURCES,
        confidence=st.sampled_from([0.3, 0.7]),
        until=st.sampled_from([None, 12]),
    ),
)
@settings(max_examples=300, deadline=None)
def test_the_short_way_leads_where_the_long_one_does(statements: list[Statement], new: Statement) -> None:
    for rules in (ONE, MANY):
        ledger, _ = tell(*statements, rules=rules)
        short = extended(ledger, new, mint, ledger.segments(mint))
        assert short in {None, timeline((*ledger.statements, new), rules, ledger.known, mint)}


def test_the_short_way_is_taken_for_a_newer_value() -> None:
    ledger, _ = tell(says("A", until=3), says("B", 5))
    segments = extended(ledger, says("C", 8), mint, ledger.segments(mint))
    assert segments is not None
    assert picture(segments) == [("A", 0, 3, "superseded"), ("B", 5, 8, "superseded"), ("C", 8, None, "current")]
    collided = extended(ledger, says("C", 8), lambda _value, _start, _number: "A0", ledger.segments(mint))
    assert collided is None
    lapsed, _ = tell(says("A", until=3), says("B", 1, until=2, confidence=0.3))
    assert extended(lapsed, says("C", 8), mint, lapsed.segments(mint)) is None
    given = Ledger(ONE, (says("A", properties={"state": "superseded"}),))
    assert extended(given, says("C", 8), mint, given.segments(mint)) is None


def test_every_order_of_four_moves() -> None:
    moves = [says("A", 0, recorded=9), says("B", 2, recorded=9), says("A", 4, recorded=9), says("C", 4, recorded=9, source="assistant")]
    pictures = {str(picture(tell(*order)[0].segments())) for order in permutations(moves)}
    assert len(pictures) == 1
