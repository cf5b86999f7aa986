"""Each kind of bad input has its own clear error, and leaves nothing behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.embedders.fake import FakeEmbedder
from graphmem.errors import (
    ConfigurationError,
    CycleRefused,
    EmbeddingMismatch,
    GraphMemError,
    InvalidInput,
    InvalidSlot,
    NotFound,
    SchemaMismatch,
    StoreError,
    UnknownType,
)
from graphmem.ontology import Ontology
from graphmem.records import Goal

QUIET = Settings(extraction=False)


class OtherEmbedder(FakeEmbedder):
    @property
    def model_id(self) -> str:
        return "another-model"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user_id="alice", settings=QUIET, embedder=FakeEmbedder()) as opened:
        yield opened


GOOD = {"type": "Fact", "properties": {"subject": "Alice", "relation": "lives_in", "object": "Berlin"}}


@pytest.mark.parametrize(
    ("bad", "error", "says"),
    [
        ({"type": "Wish", "properties": {}}, UnknownType, "allowed: .*Fact"),
        ({"type": "Goal", "content": {"text": "x"}, "properties": {"status": "dreaming"}}, InvalidSlot, "in_progress"),
        ({"type": "Goal", "content": {"text": "x"}, "properties": {"colour": "red"}}, InvalidSlot, "deadline"),
        ({"type": "Preference", "properties": {"subject": "A", "object": "tea"}}, InvalidSlot, "polarity"),
        ({"type": "Fact", "properties": GOOD["properties"], "metadata": {"confidence": 3}}, GraphMemError, "confidence"),
        ({"type": "Fact", "properties": GOOD["properties"], "mood": "x"}, InvalidInput, "mood"),
        ({"type": "Fact", "properties": GOOD["properties"], "user_id": "bob"}, InvalidInput, "rescope"),
        ({"type": "Fact", "properties": GOOD["properties"], "time": {"valid_from": "soon"}}, InvalidInput, "ISO 8601"),
        ({"type": "Fact", "properties": GOOD["properties"], "state": "wrong"}, InvalidInput, "disputed"),
        (
            {"type": "Fact", "properties": GOOD["properties"], "relationships": [{"type": "hugs", "target_id": "x"}]},
            UnknownType,
            "subtask_of",
        ),
        ({"type": "Fact", "properties": GOOD["properties"], "relationships": [{"type": "subtask_of"}]}, InvalidInput, "target_id"),
    ],
)
def test_a_bad_record_is_refused_with_what_is_allowed_and_so_is_its_whole_call(
    memory: Memory, bad: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=rf"(?s){says}"):
        memory.add([GOOD, bad])
    assert memory.count() == 0


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda m: m.recall(""), InvalidInput, "empty"),
        (lambda m: m.recall("x", limit=0), InvalidInput, "at least 1"),
        (lambda m: m.list({"colour": "red"}), GraphMemError, "session_id"),
        (lambda m: m.list({"type": {"$near": "x"}}), GraphMemError, r"\$contains"),
        (lambda m: m.get("absent"), NotFound, "absent"),
        (lambda m: m.chain("absent"), NotFound, "absent"),
        (lambda m: m.link("absent", "subtask_of", "gone"), NotFound, "absent"),
        (lambda m: m.forget(), InvalidInput, "exactly one"),
        (lambda m: m.forget("absent"), NotFound, "absent"),
        (lambda m: m.for_user(""), InvalidInput, "1 to 256"),
        (lambda m: m.for_user("x" * 300), InvalidInput, "1 to 256"),
        (lambda m: m.add_triple("A", "lives_in", "B", valid_from=datetime(2026, 1, 1)), InvalidInput, "GRAPHMEM_TIMEZONE"),
    ],
)
def test_a_bad_call_says_what_to_do(memory: Memory, call: Callable[[Memory], Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=rf"(?s){says}"):
        call(memory)
    assert memory.count() == 0


def test_a_cycle_is_refused_with_the_path_that_it_would_close(memory: Memory) -> None:
    ids = [outcome.memory.id for outcome in memory.add([Goal("a"), Goal("b"), Goal("c")]) if outcome.memory]
    memory.link(ids[0], "subtask_of", ids[1])
    memory.link(ids[1], "子任务", ids[2])
    with pytest.raises(CycleRefused) as caught:
        memory.link(ids[2], "subtask_of", ids[0])
    assert set(caught.value.path) == set(ids)


def test_another_users_memory_is_not_found(memory: Memory) -> None:
    mine = memory.add(GOOD)[0].memory
    assert mine is not None
    other = memory.for_user("bob")
    for call in (other.get, other.chain, lambda id_: other.retract(id_, "x"), other.forget):
        with pytest.raises(NotFound):
            call(mine.id)
    assert memory.get(mine.id).text == mine.text


def test_another_embedding_model_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory.open(path, settings=QUIET, embedder=FakeEmbedder()) as memory:
        memory.remember("hello")
    with pytest.raises(EmbeddingMismatch, match="graphmem reembed"):
        Memory.open(path, settings=QUIET, embedder=OtherEmbedder())
    with Memory.open(path, settings=QUIET, embedder=OtherEmbedder(), check_embedding=False) as memory:
        assert memory.reembed() == 1
    with Memory.open(path, settings=QUIET, embedder=OtherEmbedder()) as memory:
        assert memory.recall("hello")[0].memory.text == "hello"


def test_a_newer_store_a_file_that_is_none_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    newer = tmp_path / "newer.db"
    with Memory.open(newer, settings=QUIET, embedder=FakeEmbedder()):
        pass
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(SchemaMismatch, match="newer"):
        Memory.open(newer, settings=QUIET, embedder=FakeEmbedder())
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"not a database at all" * 500)
    with pytest.raises(StoreError):
        Memory.open(junk, settings=QUIET, embedder=FakeEmbedder())
    with pytest.raises(StoreError):
        Memory.open(tmp_path, settings=QUIET, embedder=FakeEmbedder())
    with pytest.raises(ConfigurationError, match="neo4j://"):
        Memory.open("http://example.invalid", settings=QUIET, embedder=FakeEmbedder())


def test_a_store_of_another_ontology_is_refused(tmp_path: Path) -> None:
    path, own = (
        tmp_path / "m.db",
        Ontology.load("name: mine\nversion: '1.0'\nextends: core@1\ntypes:\n  Symptom:\n    slots:\n      severity: {kind: number}\n"),
    )
    with Memory.open(path, settings=QUIET, embedder=FakeEmbedder()):
        pass
    with pytest.raises(SchemaMismatch, match="ontology"):
        Memory.open(path, settings=QUIET, embedder=FakeEmbedder(), ontology=own)


@pytest.mark.parametrize("user_id", ["bob", "Bob", "bob smith", "*", "'; DROP TABLE memories; --", '"', "用户", "🙂", "a`b", "%", "_"])
def test_lesson_104_a_scope_is_plain_data_and_a_wall(memory: Memory, user_id: str) -> None:
    other = memory.for_user(user_id)
    other.remember("The secret word is heliotrope.", said_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert [one.memory.text for one in other.recall("secret word")] == ["The secret word is heliotrope."]
    for outside in (memory, memory.for_user("bob" if user_id != "bob" else "rob"), memory.for_user("?")):
        if outside.user_id != user_id:
            assert len(outside.recall("secret word heliotrope")) == 0
            assert outside.count() == 0


class StoppedError(Exception):
    pass


def test_reembedding_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory.open(path, settings=QUIET, embedder=FakeEmbedder()) as memory:
        memory.remember([f"turn {n}" for n in range(600)])
        memory.for_user("bob").remember("hello from bob")

    def stop(done: int, total: int) -> None:
        raise StoppedError

    with Memory.open(path, settings=QUIET, embedder=OtherEmbedder(), check_embedding=False) as memory, pytest.raises(StoppedError):
        memory.reembed(progress=stop)
    with pytest.raises(EmbeddingMismatch):
        Memory.open(path, settings=QUIET, embedder=OtherEmbedder())
    steps: list[tuple[int, int]] = []
    with Memory.open(path, settings=QUIET, embedder=OtherEmbedder(), check_embedding=False) as memory:
        memory.reembed(progress=lambda *step: steps.append(step))
    assert steps[-1][1] == 601
    assert steps[-1][0] < 601
    with Memory.open(path, settings=QUIET, embedder=OtherEmbedder()) as memory:
        assert memory.recall("turn 599", limit=1)[0].memory.text == "turn 599"
        assert memory.for_user("bob").recall("hello", limit=1)[0].memory.text == "hello from bob"
