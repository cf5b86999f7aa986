"""Rules over triples: matching, comparing, chaining, and where they stop."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.inference import MOST, ROUNDS, Rule, Triple, compare, infer, read_rule, triples_of, version
from graphmem.model import MemoryRecord
from graphmem.ontology import Ontology
from graphmem.quantity import Quantity
from graphmem.temporal import Interval

CORE = Ontology.core()
MAY, JUNE = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def rule(condition: Any, consequence: Any, name: str = "r") -> Rule:
    found = read_rule(name, condition, consequence, CORE.relation_name)
    assert found is not None
    return found


def pattern(subject: Any, relation: str, value: Any) -> dict[str, Any]:
    return {"subject": subject, "relation": relation, "object": value}


def said(*triples: tuple[Any, str, Any]) -> list[Triple]:
    return [Triple(*triple, frozenset({f"m{number}"})) for number, triple in enumerate(triples)]


def record(type_: str, **slots: Any) -> MemoryRecord:
    return MemoryRecord(id="m", user_id="u", type=type_, text="t", properties=slots)


@pytest.mark.parametrize(
    ("one", "operator", "other", "holds"),
    [
        ("1.5", "<", "2.0", True),
        ("1.10", "<", "1.9", False),
        ("2", "=", "2.0", True),
        ("v2.1.0-rc1", ">=", "2.1", True),
        (3, "<", 4.5, True),
        (3, ">", Quantity(2, "kg"), True),
        (Quantity(3, "kg"), "<=", 3, True),
        (Quantity(3, "kg"), "<", Quantity(4, "kg"), True),
        (Quantity(3, "kg"), "<", Quantity(4, "m"), False),
        (Quantity(3, "kg"), "!=", Quantity(4, "m"), True),
        (Interval(MAY), "<", Interval(JUNE), True),
        (MAY, ">=", Interval(JUNE), False),
        ("The Hague", "=", "the hague", True),
        ("The Hague", "!=", "the hague", False),
        ("Leeds", "!=", "York", True),
        ("Leeds", "<", "York", False),
        (Quantity(2), "=", "2.0", True),
        ("1", "!=", "2", True),
    ],
)
def test_comparing(one: Any, operator: str, other: Any, *, holds: bool) -> None:
    assert compare(one, operator, other) is holds


@given(st.lists(st.integers(0, 40), min_size=1, max_size=4), st.lists(st.integers(0, 40), min_size=1, max_size=4))
def test_versions_have_one_order(one: list[int], other: list[int]) -> None:
    first, second = (".".join(map(str, parts)) for parts in (one, other))
    assert sum(compare(first, operator, second) for operator in ("<", "=", ">")) == 1
    assert compare(first, "<", second) == compare(second, ">", first)
    assert version("no version") is None


@pytest.mark.parametrize(
    ("memory", "limit"),
    [
        (record("Fact", subject="A", relation="depends_on", object="B", qualifiers={"version": ">= 2.0"}), ("minimum", "2.0")),
        (record("Fact", subject="A", relation="depends_on", object="B", qualifiers={"min_version": "2.0"}), ("minimum", "2.0")),
        (record("Fact", subject="A", relation="depends_on", object="B >= 2.0"), ("minimum", "2.0")),
        (record("Fact", subject="A", relation="depends_on", object="B 2.0 or newer"), ("minimum", "2.0")),
        (record("Fact", subject="A", relation="depends_on", object="B 2.0 及以上"), ("minimum", "2.0")),
        (record("Fact", subject="A", relation="depends_on", object="B < 3"), ("below", "3")),
        (record("Constraint", subject="A", attribute="B version", operator="gte", value="2.0"), ("minimum", "2.0")),
    ],
)
def test_requirements_are_read(memory: MemoryRecord, limit: tuple[str, str]) -> None:
    found = {one.relation: one.object for one in triples_of(memory)}
    assert (found["requirer"], found["required"], found[limit[0]]) == ("A", "B", limit[1])


@pytest.mark.parametrize(
    ("memory", "wanted"),
    [
        (record("Fact", subject="A", relation="uses", object="library B 1.5"), [("A", "uses"), ("library B", "version")]),
        (record("Fact", subject="B", relation="installed", object="1.5"), [("B", "installed"), ("B", "version")]),
        (record("Fact", subject="A", relation="uses", object="paint"), [("A", "uses")]),
        (record("Fact", subject="A", relation="depends_on", object="rain", qualifiers={"version": "any"}), [("A", "depends_on")]),
        (record("Constraint", subject="A", attribute="budget", operator="must", value="rest"), []),
        (record("Constraint", subject="A", attribute="rest", operator="lte", value="much"), []),
        (record("Observation"), []),
    ],
)
def test_triples_of_other_memories(memory: MemoryRecord, wanted: list[tuple[str, str]]) -> None:
    assert [(one.subject, one.relation) for one in triples_of(memory)] == wanted


@pytest.mark.parametrize(
    ("condition", "consequence"),
    [
        ({"text": "if it rains"}, pattern("?a", "is", "wet")),
        (pattern("?a", "likes", "?b"), pattern("?a", "knows", "?c")),
        (pattern("?a", "<", "?b"), pattern("?a", "knows", "?b")),
        ([pattern("?a", "likes", "?b"), pattern("?c", "<", "?b")], pattern("?a", "knows", "?b")),
        ("words", "words"),
        ([pattern("?a", "likes", "?b")], []),
    ],
)
def test_what_is_no_rule(condition: Any, consequence: Any) -> None:
    assert read_rule("r", condition, consequence, CORE.relation_name) is None


def test_conclusions_chain_with_all_their_premises_and_stop() -> None:
    step = rule(pattern("?a", "parent of", "?b"), pattern("?a", "ancestor of", "?b"), "a")
    on = rule([pattern("?a", "ancestor of", "?b"), pattern("?b", "ancestor of", "?c")], pattern("?a", "ancestor of", "?c"), "b")
    found = infer([on, step], said(("Ida", "parent_of", "Jo"), ("Jo", "parent_of", "Kim")))
    assert {(one.rule, one.triple.subject, one.triple.object): one.triple.premises for one in found} == {
        ("a", "Ida", "Jo"): {"m0"},
        ("a", "Jo", "Kim"): {"m1"},
        ("b", "Ida", "Kim"): {"m0", "m1"},
    }
    assert infer([step], [*said(("Ida", "parent_of", "Jo")), Triple("ida", "ancestor_of", "JO")]) == []


def test_a_variable_may_stand_for_the_relation_and_comparisons_decide() -> None:
    cheap = rule([pattern("?a", "?r", "?p"), pattern("?p", "less than", 10)], pattern("?a", "is", "cheap"))
    found = infer([cheap], said(("tea", "price", 4), ("gold", "price", 4000), ("tea", "costs", 5)))
    assert [one.triple.subject for one in found] == ["tea"]


def test_a_fixed_object_must_be_met() -> None:
    lit = rule(pattern("?a", "is", "lit"), pattern("?a", "is", "warm"))
    assert [one.triple.subject for one in infer([lit], said(("x", "is", "lit"), ("y", "is", "dark")))] == ["x"]


def test_conclusions_are_bounded() -> None:
    pair = rule([pattern("?a", "is", "thing"), pattern("?b", "is", "thing")], pattern("?a", "meets", "?b"))
    assert len(infer([pair], said(*((f"n{n}", "is", "thing") for n in range(60))))) == MOST


@given(st.permutations([("A", "parent_of", "B"), ("B", "parent_of", "C"), ("C", "parent_of", "D"), ("D", "parent_of", "A")]))
def test_what_follows_does_not_depend_on_order(triples: list[tuple[str, str, str]]) -> None:
    step = rule(pattern("?a", "parent of", "?b"), pattern("?a", "ancestor of", "?b"), "a")
    on = rule([pattern("?a", "ancestor of", "?b"), pattern("?b", "ancestor of", "?c")], pattern("?a", "ancestor of", "?c"), "b")
    assert len({one.triple.key for one in infer([step, on], said(*triples))}) == 16


def test_a_subject_that_was_met_before_narrows_the_search() -> None:
    on = rule([pattern("?a", "touches", "?b"), pattern("?a", "is", "lit")], pattern("?b", "is", "lit"))
    chain = said(("n0", "is", "lit"), *((f"n{n}", "touches", f"n{n + 1}") for n in range(20)))
    assert len(infer([on], chain)) == ROUNDS
