"""Central sentences, duplicates, kinds of things, tombstones."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.abstraction import abstractions, kinds_of, read_kinds
from graphmem.core.duplicates import block, same
from graphmem.core.summarising import central, sentences
from graphmem.core.tombstones import forgotten, stones
from graphmem.model import EntityRef, MemoryRecord

KINDS = read_kinds(["# a comment", "sweets: cake, pie", "baked goods: cake", "茶饮: 茶", ""])


def record(text: str, type_: str = "Observation", **more: Any) -> MemoryRecord:
    return MemoryRecord(id=more.pop("id", text), user_id="u", type=type_, text=text, **more)


def liking(thing: str, polarity: str = "like", subject: str = "Ann", **more: Any) -> MemoryRecord:
    return record(thing, "Preference", properties={"subject": subject, "object": thing, "polarity": polarity}, **more)


def test_sentences_leave_questions_out() -> None:
    assert sentences("It rained. Did it?\nYes! 下雨了。真的？") == ["It rained.", "Yes!", "下雨了。"]


def test_central_sentences_stand_for_the_rest_and_do_not_repeat() -> None:
    told = ["The mill burned.", "The old mill burned down.", "A mill burned near the river.", "Soup is ready."]
    chosen = central(told, 2)
    assert len(chosen) == 2
    assert chosen == sorted(chosen)
    assert any("mill" in told[n] for n in chosen)
    assert central([], 3) == []
    assert central(["a b", "a b"], 2) == [0]


@given(st.lists(st.text(max_size=20), max_size=12), st.integers(1, 5))
def test_any_texts_have_central_ones(texts: list[str], limit: int) -> None:
    assert len(central(texts, limit)) <= limit


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("The red door squeaks", "the RED door squeaks", True),
        ("The red front door squeaks loudly", "The red front door squeaks very loudly", True),
        ("The red door squeaks", "The blue door squeaks", False),
        ("The shop is open", "The shop is closed", False),
        ("门很旧", "门很新", False),
        ("?!", "!!", False),
    ],
)
def test_same(one: str, other: str, *, alike: bool) -> None:
    assert same(record(one), record(other)) is alike


@pytest.mark.parametrize(
    "other",
    [
        record("The door is not open"),
        record("The door is open 2 hours"),
        record("The door is open", "Event"),
        record("The door is open", refs=(EntityRef("e", "door"),)),
        record("The door is open", recorded_at=datetime(2026, 1, 1, tzinfo=UTC)),
    ],
)
def test_blocks_part_what_differs(other: MemoryRecord) -> None:
    assert block(other, {}) != block(record("The door is open"), {})
    assert block(record("The door is open"), {"x": 1}) != block(record("The door is open"), {})


@pytest.mark.parametrize(
    ("thing", "wanted"),
    [("cake", ["sweets", "baked goods"]), ("apple pie", ["sweets"]), ("龙井茶", ["茶饮"]), ("石头", []), ("granite", []), ("…", [])],
)
def test_kinds(thing: str, wanted: list[str]) -> None:
    assert kinds_of(thing, KINDS) == wanted


def test_abstractions_need_two_things_and_nothing_against_them() -> None:
    found = abstractions([liking("cake", confidence=0.9), liking("pie", confidence=0.9)], KINDS)
    assert [(one.kind, one.confidence, len(one.examples)) for one in found] == [("sweets", 0.6, 2)]
    assert abstractions([liking("cake"), liking("cake", id="again")], KINDS) == []
    assert abstractions([liking("cake"), liking("pie"), liking("sweets")], KINDS) == []
    assert abstractions([liking("cake"), liking("pie"), liking("apple pie", "dislike")], KINDS) == []
    assert abstractions([liking("cake"), liking("pie", subject="Bo")], KINDS) == []
    assert abstractions([liking("cake", "neutral"), liking("pie", "neutral")], KINDS) == []
    assert abstractions([liking("cake"), liking("pie", source="inferred")], KINDS) == []


def test_tombstones_know_ids_and_texts_and_hold_neither() -> None:
    kept = {"salt": "ab" * 16, "stones": stones("ab" * 16, record("The code is 4711", id="x"))}
    assert forgotten(kept, ["x"], "Fact", "other")
    assert forgotten(kept, [None], "Observation", "the code  is 4711")
    assert not forgotten(kept, ["y"], "Fact", "the code is 4711")
    assert "4711" not in str(kept)
