"""Contexts and expanded recalls over an embedded store without an embedder: words, structure and chains decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest

from graphmem import Memory, Message
from graphmem.config import load_settings
from graphmem.errors import NotFound
from graphmem.model import Recollection
from graphmem.testing import FrozenClock
from tests.flows.chains_world import CHINESE, NOW, fact, load

BARE = load_settings(embedder="none", extraction=False, timezone="UTC")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", settings=BARE, clock=FrozenClock(NOW)) as opened:
        yield opened


def names(ids: dict[str, str], items: object) -> list[str]:
    known = {id_: name for name, id_ in ids.items()}
    return [known.get(one.memory.id, one.memory.text) for one in items]  # type: ignore[attr-defined]  # recollections of either kind


CHAIN = ["yard", "tree", "height", "elm", "oak", "plan", "draw", "saw", "hoist", "storm", "order"]


def test_a_question_about_a_goal_brings_its_chain_in_order_and_nothing_of_its_siblings(memory: Memory) -> None:
    ids = load(memory)
    context = memory.context("How far along is the tree house?")
    found = names(ids, context.recollections)
    assert sorted(found) == sorted(CHAIN)
    assert [name for name in found if name not in {"oak", "elm"}] == [name for name in CHAIN if name not in {"oak", "elm"}]
    assert abs(found.index("oak") - found.index("elm")) == 1
    assert "disputed" in context.text
    assert "Open questions:" in context.text
    assert context.tokens <= 2000


def test_a_question_in_chinese_gets_its_chain_in_chinese(memory: Memory) -> None:
    ids = load(memory, CHINESE)
    context = memory.context("树屋盖到哪一步了？")
    assert names(ids, context.recollections) == ["tree", "plan", "draw", "saw", "storm", "order"]
    assert context.text.startswith("目标:")


def test_a_whole_task_brings_its_parts(memory: Memory) -> None:
    ids = load(memory)
    assert {"yard", "tree", "sand", "spade", "hoist"} <= set(names(ids, memory.context("How is the back yard coming along?").recollections))


def test_a_claim_brings_both_sides_and_no_steps_of_other_tasks(memory: Memory) -> None:
    ids = load(memory)
    found = names(ids, memory.context("How old is the oak?").recollections)
    assert {"oak", "elm"} <= set(found)
    assert not {"slips", "spade", "tax", "saw"} & set(found)


@pytest.mark.parametrize(("rows", "query"), [(None, "Why was a new beam ordered?"), (CHINESE, "为什么要重新订购横梁？")])
def test_why_brings_what_led_to_it_before_it(memory: Memory, rows: object, query: str) -> None:
    ids = load(memory, CHINESE) if rows else load(memory)
    found = names(ids, memory.context(query).recollections)
    assert found.index("storm") < found.index("order")
    assert "slips" not in found


def test_a_changed_value_names_the_old_one_and_a_history_brings_both(memory: Memory) -> None:
    for ago, price in ((30, "300 EUR"), (3, "350 EUR")):
        memory.add_triple("boat", "price", price, valid_from=NOW - timedelta(days=ago))
    assert "was 300 EUR" in memory.context("What is the price of the boat?").text
    lines = memory.context("How has the price of the boat changed over time?").text
    assert lines.index("300") < lines.index("350")
    assert "was" not in lines


def test_standing_orders_are_always_there_and_the_frame_of_the_session(memory: Memory) -> None:
    memory.add({"type": "Instruction", "content": {"text": "Answer in one line"}, "properties": {"content": "Answer in one line"}})
    frame = {"type": "ContextualFrame", "content": {"text": "We play chess"}, "properties": {"frame_type": "game", "active": True}}
    memory.add(frame | {"metadata": {"session_id": "s1"}})
    memory.add_triple("boat", "price", "300 EUR")
    assert "Answer in one line" in memory.context("What is the price of the boat?").text
    assert "chess" in memory.context("What is the price of the boat?", session_id="s1").text
    assert "chess" not in memory.context("What is the price of the boat?", session_id="s2").text


def test_a_small_budget_keeps_what_matters_most(memory: Memory) -> None:
    ids = load(memory)
    context = memory.context("How far along is the tree house?", budget=60)
    assert context.tokens <= 60
    assert "tree" in names(ids, context.recollections)
    assert memory.context("anything", budget=50).tokens <= 50


def test_open_tasks_in_general_are_listed_without_their_chains(memory: Memory) -> None:
    ids = load(memory)
    found = names(ids, memory.context("Which goals are still open?").recollections)
    assert {"tax", "tree", "yard", "sand"} <= set(found)


# ── recall ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def say(memory: Memory, text: str, ago: int, *facts: tuple[str, str, str], replaces: str | None = None) -> tuple[str, list[str]]:
    at = NOW - timedelta(days=ago)
    turn = memory.remember(Message(text, "Mira", said_at=at, session_id="s")).episodes[0].id
    links = [{"type": "derived_from", "target_id": turn}] + ([{"type": "supersedes", "target_id": replaces}] if replaces else [])
    records = [
        {"type": "Fact", "properties": fact(*one), "time": {"valid_from": at}, "relationships": links, "content": {"text": " ".join(one)}}
        for one in facts
    ]
    return turn, [outcome.memory.id for outcome in memory.add(records) if outcome.memory] if records else []


def order(found: object) -> list[str]:
    return [one.memory.text for one in found]  # type: ignore[attr-defined]  # recollections


def test_the_current_value_stands_before_the_turn_that_it_replaced(memory: Memory) -> None:
    old, _ = say(memory, "I live in Lisbon, where Mira does live and live.", 90, ("Mira", "lives_in", "Lisbon"))
    say(memory, "Moved, finally.", 10, ("Mira", "lives_in", "Porto"))
    found = memory.recall("Where does Mira live?")
    texts = order(found)
    assert texts.index("Mira lives_in Porto") < texts.index("I live in Lisbon, where Mira does live and live.")
    stale: Recollection = next(one for one in found if one.memory.id == old)
    assert [heir.text for heir in stale.outdated_by] == ["Mira lives_in Porto"]
    assert all(one.score >= other.score for one, other in pairwise(found))
    past = memory.recall("Where does Mira live?", at=NOW - timedelta(days=60))
    assert past[0].memory.text == "Mira lives_in Lisbon"
    assert past[0].outdated_by == ()


def test_what_was_not_yet_known_takes_no_place(memory: Memory) -> None:
    say(memory, "I live in Lisbon", 90, ("Mira", "lives_in", "Lisbon"))
    say(memory, "Moved to Porto", 10, ("Mira", "lives_in", "Porto"))
    found = memory.recall("Lisbon", at=NOW, as_of=NOW - timedelta(days=1))
    assert all(not one.outdated_by for one in found)


def test_disputed_memories_travel_in_pairs(memory: Memory) -> None:
    ids = load(memory)
    found = memory.recall("How old is the oak? 90?", limit=2)
    assert set(names(ids, found)) == {"oak", "elm"}
    assert [[other.id for other in one.disputed_with] for one in found] == [[found[1].memory.id], [found[0].memory.id]]


def test_chains_come_along_with_their_path_below_the_hits(memory: Memory) -> None:
    ids = load(memory)
    with_chain = memory.recall("How far along is hoisting the platform?", limit=6, explain=True)
    without = memory.recall("How far along is hoisting the platform?", limit=6, expand=False)
    assert with_chain[0].memory.id == without[0].memory.id == ids["hoist"]
    paths = {one.memory.id: [step.type for step in one.path] for one in with_chain}
    assert paths[ids["plan"]] == ["SUBTASK_OF"]
    assert ids["spade"] not in paths
    assert with_chain.trace is not None
    assert (ids["hoist"], "SUBTASK_OF", ids["plan"]) in with_chain.trace.hops
    assert set(with_chain.trace.removed) >= {"near-copies", "limit"}


def test_versions_come_along_only_when_history_is_asked_for(memory: Memory) -> None:
    for ago, price in ((30, "300 EUR"), (3, "350 EUR")):
        memory.add_triple("boat", "price", price, valid_from=NOW - timedelta(days=ago))
    assert len(memory.recall("What is the price of the boat?")) == 1
    assert len(memory.recall("How has the price of the boat changed over time?")) == 2


def test_copies_take_one_place_with_all_their_sources(memory: Memory) -> None:
    first, _ = say(memory, "The kettle whistles in G.", 30)
    second, _ = say(memory, "the kettle whistles in G", 20)
    found = memory.recall("Which note does the kettle whistle?")
    assert len(found) == 1
    assert {citation.episode_id for citation in found[0].citations} == {first, second}


def test_a_chain_is_read_at_a_time_and_as_believed_then(memory: Memory) -> None:
    ids = load(memory)
    assert len(memory.chain(ids["saw"]).memories) == len(CHAIN)
    early = memory.chain(ids["saw"], at=NOW - timedelta(days=40))
    assert ids["storm"] not in {one.id for one in early.memories}
    with pytest.raises(NotFound):
        memory.chain(ids["saw"], as_of=NOW - timedelta(days=900))
    with pytest.raises(NotFound):
        memory.chain("nowhere")


def test_a_profile_shows_what_holds(memory: Memory) -> None:
    load(memory)
    memory.add({"type": "Preference", "properties": {"subject": "Mira", "object": "sand", "polarity": "like"}})
    profile = memory.profile()
    assert {goal.properties["status"] for goal in profile.goals} == {"in_progress", "pending"}
    assert len(profile.constraints) == 1
    assert len(profile.preferences) == 1
    assert "Goals:" in profile.text
    assert memory.for_user("nobody").profile().text == ""
