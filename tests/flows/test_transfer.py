"""What goes out comes back in the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem import Memory, Message
from graphmem.config import Settings
from graphmem.embedders.fake import FakeEmbedder
from graphmem.errors import InvalidInput
from graphmem.records import Fact, Goal, Preference, Step
from graphmem.testing import FrozenClock
from graphmem.transfer import read_lines, read_locomo, read_turns

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def fresh(path: Path | str = ":memory:", user_id: str = "alice") -> Memory:
    return Memory.open(path, user_id=user_id, settings=Settings(extraction=False), embedder=FakeEmbedder(), clock=FrozenClock(NOON))


def fill(memory: Memory) -> None:
    memory.remember(
        [Message("Hi, I live in Leeds.", "Alice", said_at=NOON - timedelta(days=9), session_id="s"), Message("你好", "Bo", session_id="s")]
    )
    memory.add_triple("Alice", "lives_in", "Leeds", valid_from=NOON - timedelta(days=90))
    memory.add_triple("Alice", "lives_in", "Bristol", valid_from=NOON - timedelta(days=9))
    memory.add_triple("Alice", "budget", "5000元", qualifiers={"for": "trip"})
    goal = memory.add(Goal("Fly to Shanghai", deadline="2026-04-01", metadata={"colour": "红"}))[0].memory
    assert goal is not None
    memory.add(Step("Book the flight", order=1, relationships=[("subtask_of", goal.id)], keywords=["flight"]))
    memory.add(Preference(subject="Alice", object="tea", polarity="like", strength=0.8))
    memory.add_triple("Alice", "works_at", "Orbit", source="user")
    wrong = memory.add(Fact(subject="Alice", relation="age", object="34 years"))[0].memory
    assert wrong is not None
    memory.retract(wrong.id, "a typo")
    memory.set_status(goal.id, "in_progress")


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_export_import_export_gives_the_same_lines(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    with fresh() as source, fresh(tmp_path / "b.db") as target:
        fill(source)
        assert source.export(first) == target.import_(first)
        target.export(second)
        assert lines(first) == lines(second)
        assert [one.memory.text for one in target.recall("Where does Alice live?", limit=3)] == [
            one.memory.text for one in source.recall("Where does Alice live?", limit=3)
        ]
        at = NOON - timedelta(days=30)
        held = target.list({"relation": "lives_in"}, at=at)
        assert [one.properties["object"] for one in held] == ["Leeds"]
        assert target.import_(first) == len(lines(first))
        assert target.count() == source.count()


def test_another_users_lines_are_refused_or_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with fresh() as source, fresh(user_id="bob") as target:
        fill(source)
        source.export(path)
        with pytest.raises(InvalidInput, match="rescope"):
            target.import_(path)
        assert target.count() == 0
        target.import_(path, rescope=True)
        assert target.count() == source.count()
        ids = {one.id for one in target.list(limit=100)}
        assert not ids & {one.id for one in source.list(limit=100)}
        goal = target.list({"type": "Goal"})[0]
        assert [one.type for one in target.chain(goal.id).memories] == ["Goal", "Step"]


def test_a_record_without_versions_goes_through_reconciliation(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(
        json.dumps({"type": "Fact", "properties": {"entity": "Alice", "attribute": "lives in", "value": "Leeds"}}) + "\n", encoding="utf-8"
    )
    with fresh() as memory:
        assert memory.import_(path) == 1
        assert memory.list()[0].properties["relation"] == "lives_in"


@pytest.mark.parametrize(("text", "says"), [("{broken", "line 1"), ("[1]", "not a JSON object"), ('{"no": "type"}', "type")])
def test_a_broken_line_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with fresh() as memory:
        with pytest.raises(InvalidInput, match=says):
            memory.import_(path)
        assert memory.count() == 0


LOCOMO = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a parrot."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red boat"},
            ],
            "session_2_date_time": "9:05 am on 3 June, 2023",
            "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "It speaks now."}],
        },
    }
]


def test_a_locomo_file_comes_in_with_its_sessions(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(LOCOMO), encoding="utf-8")
    assert [one.text for one in read_locomo(path)["talk-1"]] == [
        "I adopted a parrot.",
        "Look! [shares a photo: a red boat]",
        "It speaks now.",
    ]
    with fresh() as memory:
        assert memory.import_(path, format="locomo") == 3
        assert memory.count({"session_id": "session_1"}) == 2
        found = memory.recall("parrot", limit=1)[0]
        assert found.citations[0].metadata["dia_id"] == "D1:1"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.txt", "Ada: Hello: there\n\nBen：你好\njust a line\n", [("Ada", "Hello: there"), ("Ben", "你好"), (None, "just a line")]),
        ("a.json", '[{"role": "user", "content": "Hi", "name": "Ada"}]', [("Ada", "Hi")]),
        ("a.json", '{"messages": ["Hi"]}', [(None, "Hi")]),
        ("a.jsonl", '{"content": "Hi", "timestamp": "2026-03-10T12:00:00Z"}\n', [(None, "Hi")]),
    ],
)
def test_turns_are_read_from_files(tmp_path: Path, name: str, text: str, expected: list[tuple[str | None, str]]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert [(turn.speaker, turn.text) for turn in read_turns(path)] == expected


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    for name, text in (("a.json", "{"), ("a.json", "[3]")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput):
            read_turns(tmp_path / name)
    assert list(read_lines(Path(__file__).parent / "__init__.py")) == []
