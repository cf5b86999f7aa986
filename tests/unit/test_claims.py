"""Claims, their keys and questions; the way of a task."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.core.claims import Claim, ask, ask_both, claim_of, minter, plain_id, same_thing, shown, task_key
from graphmem.core.identity import content_id
from graphmem.core.tasks import is_open, refusal
from graphmem.core.timeline import EXTERNAL_FIRST
from graphmem.model import Entity, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.quantity import Quantity
from graphmem.temporal import to_interval
from graphmem.text import fold_name

CORE = Ontology.core()


def named(name: str) -> Entity:
    return Entity(id=f"<{fold_name(name)}>", user_id="u", name=name)


def claim(type_: str, **slots: Any) -> Claim | None:
    return claim_of(CORE, type_, CORE.normalise(type_, slots).properties, named)


def fact(subject: str, relation: str, value: Any, **more: Any) -> Claim:
    found = claim("Fact", subject=subject, relation=relation, object=value, **more)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("found", "key", "value", "functional"),
    [
        (fact("Ann", "lives in", "The Hague"), "<ann>|lives_in", "hague", True),
        (fact("Ann", "uses", "Vim"), "<ann>|uses", "vim", False),
        (fact("Ann", "favourite", "teal", qualifiers={"of": "colour", "since": "June"}), "<ann>|favorite|of=color", "teal", True),
        (fact("trip", "budget", "¥5,000"), "<trip>|budget", "5000 CNY", True),
        (fact("Ann", "hums", "often"), "<ann>|hums", "often", False),
        (fact("Ann", "likes", "okra"), "<ann>|preference|okra", "like", True),
        (claim("Preference", subject="Ann", object="Okra", polarity="讨厌"), "<ann>|preference|okra", "dislike", True),
    ],
)
def test_keys_and_values(found: Claim, key: str, value: str, functional: bool) -> None:
    assert (found.key, found.value, found.rules.functional) == (key, value, functional)


def test_what_claims_nothing_has_no_claim() -> None:
    assert claim("Observation", about="the gate") is None


def test_a_relation_from_its_other_side() -> None:
    married, parent = fact("Ann", "married_to", "Bo").mirrored, fact("Ann", "parent_of", "Bo").mirrored
    assert married is not None
    assert parent is not None
    assert (married.key, married.value) == ("<bo>|married_to", "ann")
    assert (parent.key, parent.value) == ("<bo>|child_of", "ann")
    assert fact("Ann", "knows", "Ann").mirrored is None
    assert fact("Ann", "lives_in", "Bern").mirrored is None


def test_prices_trust_outside_sources_first_and_allergies_oppose_likings() -> None:
    assert fact("pass", "price", "9 EUR").rules.ranks == EXTERNAL_FIRST
    assert "allergic_to" in fact("Ann", "likes", "nuts").opposed_by


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("cats", "cat hair", True), ("nuts", "tea", False), ("花生", "花生酱", True), ("猫", "狗", False), ("the", "tea", False)],
)
def test_the_same_thing_or_a_part_of_it(one: str, other: str, expected: bool) -> None:
    assert same_thing(one, other) is expected


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (Quantity(51, "year"), "year", "51"),
        (Quantity(5, "EUR"), None, "5 EUR"),
        (to_interval("2019-05-17"), None, "2019-05-17"),
        (to_interval("2019-05-17T08:00:00Z"), None, "2019-05-17T08:00:00Z"),
        (["a", Quantity(2, "kg")], None, "a, 2 kg"),
        ("as it is", None, "as it is"),
    ],
)
def test_values_as_questions_name_them(value: Any, unit: str | None, text: str) -> None:
    assert shown(value, unit) == text


def record(type_: str, text: str, **slots: Any) -> MemoryRecord:
    return MemoryRecord(id=text, user_id="u", type=type_, text=text, properties=slots)


@pytest.mark.parametrize(
    ("sides", "question"),
    [
        (
            [
                ("Fact", "x", {"subject": "Jo", "relation": "favorite", "object": o, "qualifiers": {"of": "tea"}})
                for o in ("green", "black")
            ],
            "Is Jo's favorite tea green or black now?",
        ),
        (
            [
                ("Fact", "乔最喜欢的茶", {"subject": "乔", "relation": "favorite", "object": o, "qualifiers": {"of": "茶"}})
                for o in ("绿茶", "红茶")
            ],
            "乔的最喜欢的茶现在是绿茶还是红茶？",
        ),
        (
            [
                ("Fact", "旅行预算", {"subject": "旅行", "relation": "budget", "object": o, "qualifiers": {"for": "酒店"}})
                for o in ("1", "2")
            ],
            "旅行的酒店的预算现在是1还是2？",
        ),
        ([("Fact", "x", {"subject": "Jo", "relation": "hum_loudly", "object": o}) for o in ("a", "b")], "Is Jo's hum loudly a or b now?"),
        ([("Fact", "乔哼", {"subject": "乔", "relation": "哼", "object": o}) for o in ("a", "b")], "乔的哼现在是a还是b？"),
        (
            [("Constraint", "x", {"subject": "trip", "attribute": "budget", "value": v, "unit": "EUR"}) for v in (5, 6)],
            "Is trip's budget 5 EUR or 6 EUR now?",
        ),
        (
            [("Preference", "x", {"subject": "Jo", "object": "okra", "polarity": p}) for p in ("like", "dislike")],
            "Does Jo like or dislike okra now?",
        ),
        (
            [("Preference", "乔", {"subject": "乔", "object": "秋葵", "polarity": p}) for p in ("like", "dislike")],
            "乔现在喜欢还是不喜欢秋葵？",
        ),
        ([("Observation", "It rains.", {}), ("Observation", "It is dry.", {})], "Which is right: “It rains.” or “It is dry.”?"),
        (
            [("Fact", "The sky is clear.", {"subject": "sky", "relation": "is", "object": "clear"}), ("Observation", "It rains.", {})],
            "Which is right: “The sky is clear.” or “It rains.”?",
        ),
        (
            [("Observation", "下雨了", {}), ("Fact", "天晴", {"subject": "天", "relation": "是", "object": "晴"})],
            "哪个是对的：“下雨了”，还是“天晴”？",
        ),
        (
            [
                ("Fact", "x", {"subject": "Jo", "relation": "uses", "object": "a"}),
                ("Fact", "y", {"subject": "Jo", "relation": "owns", "object": "a"}),
            ],
            "Which is right: “x” or “y”?",
        ),
        (
            [("Fact", "x", {"subject": "Jo", "relation": "uses"}), ("Fact", "y", {"subject": "Jo", "relation": "uses", "object": "a"})],
            "Is Jo's uses x or a now?",
        ),
    ],
)
def test_questions(sides: list[tuple[str, str, dict[str, Any]]], question: str) -> None:
    assert ask(CORE, [record(type_, text, **slots) for type_, text, slots in sides]) == question


@pytest.mark.parametrize(
    ("one", "other", "word"), [("I like cats", "I am allergic to cats", "do both hold"), ("喜欢猫", "对猫过敏", "两条都对吗")]
)
def test_contradictions_that_stand(one: str, other: str, word: str) -> None:
    found = ask_both(record("Fact", one), record("Fact", other))
    assert word in found
    assert one in found
    assert other in found


def test_ids_come_from_content() -> None:
    mint = minter("u", "Fact", "k")
    assert mint("v", None, 0) == content_id("memory", "u", "Fact", "k", "v", None)
    assert (
        len({mint("v", None, 0), mint("v", None, 1), minter("w", "Fact", "k")("v", None, 0), plain_id("u", "Fact", ("k", "v", None))}) == 3
    )
    assert task_key("Goal", "Book the flight", ["b", "a"]) == task_key("Goal", "the flight: book", ["a", "b", "a"])


@pytest.mark.parametrize(
    ("old", "new", "reason", "word"),
    [
        ("pending", "completed", None, None),
        (None, "completed", None, None),
        ("completed", "pending", "it came back", None),
        ("completed", "pending", "  ", "reason"),
        ("completed", "unheard", None, "allowed from completed"),
    ],
)
def test_steps_of_a_task(old: str | None, new: str, reason: str | None, word: str | None) -> None:
    why = refusal(CORE, "Goal", old, new, reason)
    assert (why is None) if word is None else word in str(why)


def test_what_is_open() -> None:
    assert is_open(CORE, "Goal", "blocked")
    assert not is_open(CORE, "Goal", "failed")
    assert is_open(CORE, "Event", None)
    assert refusal(CORE, "Fact", "a", "b", None) is None
