"""Every row of the table of outcomes."""

from __future__ import annotations

import pytest

from graphmem.core.timeline import Rules
from graphmem.model import Statement
from tests.unit.statements import MANY, ONE, picture, says, tell

TABLE: list[tuple[str, Rules, list[Statement], list[str], list[tuple[str, int | None, int | None, str]]]] = [
    ("nothing there", ONE, [says("A")], ["added"], [("A", 0, None, "current")]),
    ("same value", ONE, [says("A"), says("A", 5)], ["added", "reinforced"], [("A", 0, None, "current")]),
    (
        "many-valued, other value",
        MANY,
        [says("A"), says("B", 5)],
        ["added", "added"],
        [("A", 0, None, "current"), ("B", 5, None, "current")],
    ),
    ("later value", ONE, [says("A"), says("B", 5)], ["added", "superseded"], [("A", 0, 5, "superseded"), ("B", 5, None, "current")]),
    (
        "late arrival",
        ONE,
        [says("B", 5), says("A", 0, recorded=9)],
        ["added", "added"],
        [("A", 0, 5, "superseded"), ("B", 5, None, "current")],
    ),
    (
        "same time, better source first",
        ONE,
        [says("A"), says("B", source="assistant", confidence=0.95)],
        ["added", "added"],
        [("B", 0, 0, "superseded"), ("A", 0, None, "current")],
    ),
    (
        "same time, better source last",
        ONE,
        [says("A", source="assistant"), says("B", source="external")],
        ["added", "superseded"],
        [("A", 0, 0, "superseded"), ("B", 0, None, "current")],
    ),
    (
        "same time and source, surer value",
        ONE,
        [says("A", confidence=0.8), says("B", confidence=0.7)],
        ["added", "added"],
        [("B", 0, 0, "superseded"), ("A", 0, None, "current")],
    ),
    ("full tie", ONE, [says("A"), says("B")], ["added", "disputed"], [("A", 0, None, "disputed"), ("B", 0, None, "disputed")]),
    (
        "inferred newcomer",
        ONE,
        [says("A"), says("B", 5, source="inferred")],
        ["added", "disputed"],
        [("A", 0, None, "disputed"), ("B", 5, None, "disputed")],
    ),
    (
        "unsure newcomer",
        ONE,
        [says("A"), says("B", 5, confidence=0.4)],
        ["added", "disputed"],
        [("A", 0, None, "disputed"), ("B", 5, None, "disputed")],
    ),
    (
        "unsure newcomer against an unsure value",
        ONE,
        [says("A", confidence=0.3), says("B", 5, confidence=0.4)],
        ["added", "superseded"],
        [("A", 0, 5, "superseded"), ("B", 5, None, "current")],
    ),
    (
        "explicit end",
        ONE,
        [says("A"), says("A", 5, act="end")],
        ["added", "superseded"],
        [("A", 0, 5, "superseded")],
    ),
    (
        "end of whatever holds",
        ONE,
        [says("A"), says("", 5, act="end")],
        ["added", "superseded"],
        [("A", 0, 5, "superseded")],
    ),
    (
        "end of another value",
        ONE,
        [says("A"), says("B", 5, act="end")],
        ["added", "added"],
        [("A", 0, None, "current"), ("B", 5, 5, "superseded")],
    ),
    ("end of what was not known", ONE, [says("A", 5, act="end")], ["added"], [("A", None, 5, "superseded")]),
    ("end of nothing", ONE, [says("", 5, act="end")], ["ignored"], []),
    (
        "end said twice",
        ONE,
        [says("A"), says("A", 5, act="end"), says("A", 7, act="end")],
        ["added", "superseded", "reinforced"],
        [("A", 0, 5, "superseded")],
    ),
    (
        "end at the moment of the beginning",
        ONE,
        [says("A"), says("A", act="end")],
        ["added", "superseded"],
        [("A", 0, 0, "superseded")],
    ),
    (
        "there and back",
        ONE,
        [says("A"), says("B", 5), says("A", 9)],
        ["added", "superseded", "superseded"],
        [("A", 0, 5, "superseded"), ("B", 5, 9, "superseded"), ("A", 9, None, "current")],
    ),
    (
        "late value splits a reinforced one",
        ONE,
        [says("A"), says("A", 9), says("B", 5, recorded=12)],
        ["added", "reinforced", "added"],
        [("A", 0, 5, "superseded"), ("B", 5, 9, "superseded"), ("A", 9, None, "current")],
    ),
    (
        "late statement of the same value moves its start",
        ONE,
        [says("A", 5), says("A", 0, recorded=9)],
        ["added", "reinforced"],
        [("A", 0, None, "current")],
    ),
    ("own end", ONE, [says("A", until=5)], ["added"], [("A", 0, 5, "current")]),
    (
        "another value after its own end",
        ONE,
        [says("A", until=5), says("B", 9)],
        ["added", "superseded"],
        [("A", 0, 5, "superseded"), ("B", 9, None, "current")],
    ),
    (
        "same value after its own end",
        ONE,
        [says("A", until=5), says("A", 9)],
        ["added", "added"],
        [("A", 0, 5, "current"), ("A", 9, None, "current")],
    ),
    (
        "an end stated later replaces one stated before",
        ONE,
        [says("A", until=5), says("A", 2, until=8)],
        ["added", "reinforced"],
        [("A", 0, 8, "current")],
    ),
    (
        "a third value settles a dispute",
        ONE,
        [says("A"), says("B"), says("C", 5)],
        ["added", "disputed", "superseded"],
        [("A", 0, 5, "disputed"), ("B", 0, 5, "disputed"), ("C", 5, None, "current")],
    ),
    (
        "a disputed value said again wins",
        ONE,
        [says("A"), says("B"), says("B", 5)],
        ["added", "disputed", "reinforced"],
        [("A", 0, 0, "superseded"), ("B", 0, None, "current")],
    ),
    (
        "an unsure newcomer confirmed",
        ONE,
        [says("A"), says("B", 5, confidence=0.4), says("B", 7)],
        ["added", "disputed", "reinforced"],
        [("A", 0, 5, "superseded"), ("B", 5, None, "current")],
    ),
    (
        "a disputed value ends",
        ONE,
        [says("A"), says("B"), says("B", 5, act="end")],
        ["added", "disputed", "superseded"],
        [("B", 0, 5, "disputed"), ("A", 0, None, "current")],
    ),
    (
        "tie between the held value and another",
        ONE,
        [says("A"), says("A", 5), says("B", 5)],
        ["added", "reinforced", "disputed"],
        [("A", 0, None, "disputed"), ("B", 5, None, "disputed")],
    ),
    (
        "held value outranked at a moment",
        ONE,
        [says("A"), says("A", 5, source="assistant"), says("B", 5)],
        ["added", "reinforced", "superseded"],
        [("A", 0, 5, "superseded"), ("B", 5, None, "current")],
    ),
    (
        "policy confidence keeps the surer value",
        ONE,
        [says("A", confidence=0.9), says("B", 5, confidence=0.6, policy="confidence")],
        ["added", "added"],
        [("A", 0, None, "current"), ("B", 5, 5, "superseded")],
    ),
    (
        "policy confidence takes the surer value",
        ONE,
        [says("A", confidence=0.6), says("B", 5, confidence=0.9, policy="confidence")],
        ["added", "superseded"],
        [("A", 0, 5, "superseded"), ("B", 5, None, "current")],
    ),
    (
        "policy confidence at one time looks at confidence before the source",
        ONE,
        [says("A", confidence=0.6, policy="confidence"), says("B", source="tool", confidence=0.9, policy="confidence", recorded=1)],
        ["added", "superseded"],
        [("A", 0, 0, "superseded"), ("B", 0, None, "current")],
    ),
    (
        "policy source keeps the better source",
        ONE,
        [says("A"), says("B", 5, source="tool", policy="source")],
        ["added", "added"],
        [("A", 0, None, "current"), ("B", 5, 5, "superseded")],
    ),
    (
        "policy source takes an equal one",
        ONE,
        [says("A", source="tool"), says("B", 5, source="external", policy="source")],
        ["added", "superseded"],
        [("A", 0, 5, "superseded"), ("B", 5, None, "current")],
    ),
    (
        "policy dispute always asks",
        ONE,
        [says("A", policy="dispute"), says("B", 5, policy="dispute"), says("A", 7, policy="dispute")],
        ["added", "disputed", "reinforced"],
        [("A", 0, None, "disputed"), ("B", 5, None, "disputed")],
    ),
    (
        "policy keep_both",
        ONE,
        [says("A", policy="keep_both"), says("B", 5, policy="keep_both"), says("C", 5, policy="keep_both", recorded=6)],
        ["added", "added", "added"],
        [("A", 0, None, "current"), ("B", 5, None, "current"), ("C", 5, None, "current")],
    ),
    (
        "latest after keep_both",
        ONE,
        [says("A", policy="keep_both"), says("B", 5, policy="keep_both"), says("C", 7)],
        ["added", "added", "superseded"],
        [("A", 0, 7, "superseded"), ("B", 5, 7, "superseded"), ("C", 7, None, "current")],
    ),
    (
        "policy reject_new",
        ONE,
        [says("A", policy="reject_new"), says("B", 5, policy="reject_new"), says("A", 6, policy="reject_new")],
        ["added", "rejected", "reinforced"],
        [("A", 0, None, "current")],
    ),
    (
        "given state",
        ONE,
        [says("A", until=5, properties={"state": "superseded"}), says("B", 0)],
        ["added", "added"],
        [("A", 0, 5, "superseded"), ("B", 0, None, "current")],
    ),
]


@pytest.mark.parametrize(("rules", "statements", "kinds", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_each_row(
    rules: Rules, statements: list[Statement], kinds: list[str], expected: list[tuple[str, int | None, int | None, str]]
) -> None:
    ledger, decisions = tell(*statements, rules=rules)
    assert [decision.kind for decision in decisions] == kinds
    assert all((decision.segment is None) == (decision.kind in {"rejected", "ignored"}) for decision in decisions)
    assert sorted(picture(ledger.segments()), key=str) == sorted(expected, key=str)
    assert all(decision.why for decision in decisions)
