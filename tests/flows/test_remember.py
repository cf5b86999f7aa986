"""Remembering turns: content ids, order, sanitising, groups."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory, Message
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.testing import FakeEmbedder, FrozenClock

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def memory() -> Iterator[Memory]:
    settings = Settings(extraction=False)
    with Memory.open(
        ":memory:", user_id="alice", settings=settings, embedder=FakeEmbedder(), clock=FrozenClock(NOON + timedelta(days=1))
    ) as opened:
        yield opened


def said(text: str, minute: int, speaker: str = "Alice") -> Message:
    return Message(text, speaker, said_at=NOON + timedelta(minutes=minute), session_id="s")


def order(memory: Memory) -> list[str]:
    """The session's texts, walked back along FOLLOWS from the last."""
    texts = {one.id: one.text for one in memory.list({"type": "Episode"}, limit=1000)}
    store = memory._memory._engine.store
    near = memory._run(lambda: store.relationships("alice", list(texts), ["FOLLOWS"]))
    graph = {one.relationship.source_id: one.relationship.target_id for one in near}
    last = next(id_ for id_ in texts if id_ not in graph.values())
    walked = [last]
    while walked[-1] in graph:
        walked.append(graph[walked[-1]])
    return [texts[id_] for id_ in reversed(walked)]


def test_a_turn_remembered_twice_is_one_episode(memory: Memory) -> None:
    first = memory.remember(said("Hello there", 0))
    again = memory.remember(said("Hello there", 0))
    assert first.episodes[0].id == again.episodes[0].id
    assert [type(one).__name__ for one in (*first.episode_outcomes, *again.episode_outcomes)] == ["Added", "Ignored"]
    assert memory.count({"type": "Episode"}) == 1


def test_equal_turns_of_one_call_are_told_apart(memory: Memory) -> None:
    twice = [said("Yes.", 0), said("Yes.", 0)]
    assert len({one.id for one in memory.remember(twice).episodes}) == 2
    assert {type(one).__name__ for one in memory.remember(twice).episode_outcomes} == {"Ignored"}


def test_a_late_turn_takes_its_place_between_two(memory: Memory) -> None:
    memory.remember([said("one", 1), said("two", 2), said("four", 4)])
    memory.remember(said("three", 3))
    assert order(memory) == ["one", "two", "three", "four"]
    memory.remember([said("five", 5), said("zero", 0)])
    assert order(memory) == ["zero", "one", "two", "three", "four", "five"]


def test_a_list_longer_than_a_group_is_chained_across_groups(memory: Memory) -> None:
    done: list[tuple[int, int]] = []
    report = memory.remember([said(f"turn {n}", n) for n in range(300)], progress=lambda *at: done.append(at))
    assert len(report.episodes) == 300
    assert done == [(256, 300), (300, 300)]
    assert order(memory) == [f"turn {n}" for n in range(300)]


@pytest.mark.parametrize(
    ("given", "text", "note"),
    [
        ("nul\x00 here", "nul here", "removed 1 control character(s)"),
        ("lone \ud83d half", "lone \ufffd half", "replaced 1 lone surrogate(s)"),
        ("whole \ud83d\ude00 pair", "whole 😀 pair", None),
        ("tab\tand\nline", "tab\tand\nline", None),
    ],
)
def test_lesson_109_odd_characters_are_cleaned_and_said(memory: Memory, given: str, text: str, note: str | None) -> None:
    report = memory.remember(given, speaker="Alice", said_at=NOON)
    assert report.episodes[0].text == text
    assert any(note in one for one in report.notes) if note else not report.notes


@pytest.mark.parametrize("given", ["", "   \n", "\x00"])
def test_lesson_109_empty_text_is_refused_and_nothing_is_stored(memory: Memory, given: str) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        memory.remember(["fine before it", given])
    assert memory.count() == 0


def test_lesson_47_a_naive_time_is_refused_without_a_zone(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="GRAPHMEM_TIMEZONE"):
        memory.remember("hello", said_at=datetime(2026, 3, 10, 12))
    assert memory.count() == 0


def test_a_naive_time_is_read_in_the_configured_zone() -> None:
    settings = Settings(extraction=False, timezone="Asia/Shanghai")
    with Memory.open(":memory:", settings=settings, embedder=FakeEmbedder(), clock=FrozenClock(NOON)) as memory:
        episode = memory.remember("你好", said_at=datetime(2026, 3, 10, 20)).episodes[0]
        assert episode.valid_from == NOON


@pytest.mark.parametrize(
    ("turn", "text", "speaker"),
    [
        ({"role": "assistant", "content": "Hi"}, "Hi", "assistant"),
        ({"role": "user", "content": "Hi", "name": "Bo"}, "Hi", "Bo"),
        ({"role": "user", "content": [{"type": "text", "text": "Hi"}]}, "Hi", "user"),
        (Message("Hi", "Cy"), "Hi", "Cy"),
        ("Hi", "Hi", "user"),
    ],
)
def test_turns_come_in_the_shapes_that_people_have(memory: Memory, turn: Any, text: str, speaker: str) -> None:
    episode = memory.remember([turn]).episodes[0]
    assert (episode.text, episode.speaker) == (text, speaker)


@pytest.mark.parametrize("turn", [{"role": "user"}, {"content": "x", "mood": "good"}, 7, Message("x", role="boss")])  # type: ignore[arg-type]  # on purpose
def test_what_is_no_turn_is_refused(memory: Memory, turn: Any) -> None:
    with pytest.raises(InvalidInput, match=r"needs text|cannot remember|unknown role"):
        memory.remember([turn])


def test_lesson_35_a_long_text_is_kept_whole_and_found_by_its_end(memory: Memory) -> None:
    text = "The meadow was quiet that day. " * 30_000 + "The password of the cellar is heliotrope."
    memory.remember(text, speaker="Alice")
    found = memory.recall("What is the password of the cellar?", limit=1)
    assert found[0].memory.text == text


def test_metadata_and_source_come_back(memory: Memory) -> None:
    memory.remember("Noted", metadata={"channel": "phone", "n": 3}, source="external")
    episode = memory.list({"metadata.channel": "phone"})[0]
    assert (episode.metadata["n"], episode.source) == (3, "external")


def test_what_had_ended_before_it_was_said_ends_then() -> None:
    with Memory.open(":memory:", settings=Settings(embedder="none"), clock=FrozenClock(NOON + timedelta(days=99))) as memory:
        memory.remember("我在腾讯工作。", speaker="小林", said_at=NOON)
        memory.remember("我上周从腾讯离职了。", speaker="小林", said_at=NOON + timedelta(days=40))
        assert memory.list({"relation": "works_at"}).cursor is None
        assert memory.count({"relation": "works_at"}) == 0
        (version,) = [one for one in memory.history(subject="小林", relation="works_at") if one.superseded_at is None]
        assert version.memory.state == "superseded"
        assert version.valid_to is not None
        assert version.valid_to < NOON + timedelta(days=40)
