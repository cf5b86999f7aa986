"""A memory opened over an endpoint: whatever it does the turn is stored, the rules' result stands, and the report says what happened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Message
from graphmem.config import Settings
from graphmem.errors import ConfigurationError, InferenceUnavailable
from graphmem.language.pii import METADATA
from graphmem.llm.judging import JUDGED, PROBLEM
from graphmem.testing import FakeEmbedder, FrozenClock, ScriptedModel
from tests.llm_server import Endpoint, Handler, Reply, breaks_off, fails, hangs, running, says

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
TEXT = "I live in Oslo. There is a red canoe of mine in the shed."


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running() as found:
        yield found


def gap(quote: str, number: int = 0, **slots: str) -> dict[str, Any]:
    given = slots or {"subject": "Ann", "relation": "owns", "object": "a red canoe"}
    return {
        "turn": number,
        "type": "Fact",
        "text": f"{given['subject']} {given['relation']} {given['object']}",
        "quote": quote,
        "slots": [{"name": name, "value": value} for name, value in given.items()],
        "valid_from": None,
        "valid_to": None,
        "act": "state",
        "confidence": 0.8,
        "importance": 0.7,
    }


CANOE = {"memories": [gap("a red canoe of mine")]}


def opened(**settings: Any) -> Memory:
    model = settings.pop("language_model", None)
    clock = settings.pop("clock", None) or FrozenClock(NOON + timedelta(days=1))
    where = settings.pop("where", ":memory:")
    return Memory.open(where, user_id="ann", settings=Settings(**settings), embedder=FakeEmbedder(), clock=clock, language_model=model)


def facts(memory: Memory) -> dict[str, str]:
    return {str(one.properties["relation"]): str(one.properties["object"]) for one in memory.list({"type": "Fact"})}


def said(text: str, minute: int = 0, speaker: str = "Ann") -> Message:
    return Message(text, speaker, said_at=NOON + timedelta(minutes=minute), session_id="s")


def test_rules_and_model_together(endpoint: Endpoint) -> None:
    endpoint.script = [says(CANOE, tokens=50)]
    with opened(llm_base_url=endpoint.address, llm_model="tiny") as memory:
        report = memory.remember(said(TEXT))
        assert facts(memory) == {"lives_in": "Oslo", "owns": "a red canoe"}
        owned = next(one for one in memory.list({"type": "Fact"}) if one.properties["relation"] == "owns")
        assert owned.metadata["extractor"] == "llm:tiny"
    assert (report.tokens, report.notes) == (50, ())
    assert report.episodes[0].metadata["read_by"] == "llm:tiny"


@pytest.mark.parametrize(
    ("handler", "word"),
    [
        (says("{nonsense"), "no JSON"),
        (says({"memories": [{"type": "Fact"}]}), "missing"),
        (says({"facts": []}), "missing"),
        (says({"memories": [gap("a red canoe of mine", subject="Ann", relation="glorifies", object="canoe")]}), "not declared"),
        (says({"memories": [gap("a golden yacht")]}), "quote nothing said"),
        (says("", refusal="no"), "no answer"),
        (says('{"memories": [', finish="length"), "cut off"),
        (hangs(), "no answer in time"),
        (fails(429, headers={"retry-after": "300"}), "asks to wait"),
        (fails(429, headers={"retry-after": "0.01"}), "asks to wait"),
        (fails(500), "does not answer"),
        (fails(401), "check the key"),
        (fails(400), "refuses"),
        (breaks_off(), "does not answer"),
        (lambda _: Reply(body="<html>busy</html>", headers={"content-type": "text/html"}), "no chat completion"),
    ],
)
def test_a_misbehaving_endpoint_costs_only_what_it_would_have_added(endpoint: Endpoint, handler: Handler, word: str) -> None:
    endpoint.always = handler
    with opened(llm_base_url=endpoint.address, llm_timeout=0.5) as memory:
        report = memory.remember(said(TEXT))
        assert [one.text for one in memory.list({"type": "Episode"})] == [TEXT]
        assert facts(memory) == {"lives_in": "Oslo"}
        assert any(word in note for note in report.notes), report.notes
        assert any("llm:gpt-4o-mini" in note for note in report.notes)


def test_an_extractor_of_ones_own_goes_before_the_model() -> None:
    model = ScriptedModel([CANOE])
    with opened(language_model=model, extraction=False) as memory:
        memory.remember(said(TEXT))
        assert model.asked == []
        assert memory.count({"type": "Fact"}) == 0


def test_enrich_goes_on_where_it_was_stopped_and_sends_nothing_twice(tmp_path: Path) -> None:
    clock = FrozenClock(NOON + timedelta(days=1))
    turns = [said(f"There is a red canoe number {number} of mine in the shed", number) for number in range(40)]

    def canoes(first: int, count: int) -> dict[str, Any]:
        return {
            "memories": [
                gap(f"a red canoe number {first + number}", number, subject="Ann", relation="owns", object=f"canoe {first + number}")
                for number in range(count)
            ]
        }

    with opened(where=tmp_path / "m.db", extraction=False, clock=clock) as memory:
        memory.remember(turns)
    model = ScriptedModel([canoes(0, 16), InferenceUnavailable("down")], tokens=9)
    with opened(where=tmp_path / "m.db", extraction=False, clock=clock, language_model=model) as memory:
        report = memory.enrich()
        assert (len(report.episodes), len(report.outcomes), report.tokens) == (16, 16, 9)
        assert "stopped after 16 of 40" in report.notes[-1]
    model = ScriptedModel([canoes(16, 16), canoes(32, 8)])
    done: list[tuple[int, int]] = []
    with opened(where=tmp_path / "m.db", extraction=False, clock=clock, language_model=model) as memory:
        assert len(memory.enrich(progress=lambda *at: done.append(at)).episodes) == 24
        assert done == [(32, 40), (40, 40)]
        assert memory.count({"type": "Fact"}) == 40
        assert json.loads(model.asked[0][1])["turns"][0]["text"] == turns[16].text
        derived = memory.list({"type": "Fact"}, limit=1)[0]
        assert derived.session_id == "s"
        assert memory.enrich().episodes == ()
        clock.move_to(NOON + timedelta(days=2))
        memory.remember(said("One more canoe, said late but long ago", -500))
        assert "stopped after 0 of 1" in memory.enrich().notes[-1]
        model._answers = [{"memories": []}]
        assert [one.text for one in memory.enrich().episodes] == ["One more canoe, said late but long ago"]


def test_enrich_leaves_out_what_the_model_read_at_once_and_takes_what_it_missed() -> None:
    clock = FrozenClock(NOON + timedelta(days=1))
    model = ScriptedModel([CANOE, InferenceUnavailable("down"), {"memories": []}])
    with opened(clock=clock, language_model=model) as memory:
        memory.remember(said(TEXT))
        assert "down" in memory.remember(said("My boat stands next to it", 1)).notes[0]
        assert [one.text for one in memory.enrich().episodes] == ["My boat stands next to it"]


def test_enrich_says_known_memories_and_takes_none_of_them_twice() -> None:
    with opened(language_model=ScriptedModel([{"memories": []}, CANOE], model_id="one")) as memory:
        memory.remember(said(TEXT))
        memory._memory._engine.language_model._model_id = "two"  # type: ignore[union-attr]  # as if opened with another model
        oslo = gap("live in Oslo", subject="Ann", relation="lives_in", object="Oslo")
        memory._memory._engine.language_model._answers = [{"memories": [oslo, *CANOE["memories"]]}]  # type: ignore[union-attr]  # its script
        report = memory.enrich({"session_id": "s"})
        assert [one.memory.properties["object"] for one in report.outcomes if one.memory] == ["a red canoe"]


def verdicts(*given: tuple[int, str, str]) -> dict[str, Any]:
    return {"verdicts": [{"number": number, "verdict": verdict, "problem": problem} for number, verdict, problem in given]}


def test_judge_lowers_what_is_wrong_once_and_marks_the_rest() -> None:
    model, clock = ScriptedModel([CANOE]), FrozenClock(NOON + timedelta(days=1))
    with opened(language_model=model, clock=clock) as memory:
        memory.remember(said(TEXT))
        clock.move_to(NOON + timedelta(days=2))
        before = {one.properties["relation"]: one.confidence for one in memory.list({"type": "Fact"})}
        order = [one.properties["relation"] for one in memory.list({"type": "Fact"}, order="importance")]
        wrong = order.index("owns")
        model._answers = [verdicts((wrong, "wrong", "nothing says so"), (1 - wrong, "right", ""))]
        report = memory.judge()
        assert len(report.judgements) == 2
        assert [one.memory.properties["relation"] for one in report.wrong] == ["owns"]
        after = {one.properties["relation"]: one for one in memory.list({"type": "Fact"})}
        assert after["owns"].confidence < 0.5 < before["owns"]
        assert after["owns"].metadata[PROBLEM] == "nothing says so"
        assert after["lives_in"].confidence == before["lives_in"]
        assert after["lives_in"].metadata[JUDGED] == "right"
        assert len(memory.history(after["owns"].id)) == 2
        assert memory.judge().judgements == ()
        model._model_id, model._answers = "second", [verdicts((0, "right", ""), (1, "right", ""))]
        assert not memory.judge().wrong
        again = {one.properties["relation"]: one.confidence for one in memory.list({"type": "Fact"})}
        assert again["owns"] == pytest.approx(before["owns"], abs=0.001)


@pytest.mark.parametrize(
    ("answers", "word"),
    [
        ([{"verdicts": [{"number": 0}]}] * 2, "required"),
        ([{"verdicts": []}], "missing"),
        ([InferenceUnavailable("down")], "call judge again"),
    ],
)
def test_a_judge_that_gives_no_verdict_changes_nothing(answers: list[Any], word: str) -> None:
    model = ScriptedModel([{"memories": []}])
    with opened(language_model=model) as memory:
        memory.remember(said(TEXT))
        model._answers = list(answers)
        report = memory.judge()
        assert report.judgements == ()
        assert any(word in note for note in report.notes), report.notes
        assert all(JUDGED not in one.metadata for one in memory.list({"type": "Fact"}))


def test_pairs_to_train_on_hold_what_was_accepted(tmp_path: Path) -> None:
    model = ScriptedModel([{"memories": [*CANOE["memories"], gap("in the shed", subject="Ann", relation="owns", object="a shed")]}])
    with opened(language_model=model) as memory:
        memory.remember([said(TEXT), said("Thanks, bye!", 1)])
        shed = next(one for one in memory.list({"type": "Fact"}) if one.properties["object"] == "a shed")
        memory.retract(shed.id, "only a wish")
        assert memory.export_pairs(tmp_path / "pairs.jsonl") == 1
        line = json.loads((tmp_path / "pairs.jsonl").read_text(encoding="utf-8"))
        assert [one["role"] for one in line["messages"]] == ["system", "user", "assistant"]
        learned = json.loads(line["messages"][2]["content"])["memories"]
        assert {slot["value"] for one in learned for slot in one["slots"] if slot["name"] == "object"} == {"Oslo", "a red canoe"}
        assert memory.export_pairs(tmp_path / "none.jsonl", filter={"session_id": "other"}) == 0


def test_without_a_model_the_verbs_say_what_to_set() -> None:
    with opened(extraction=False) as memory:
        for verb in (memory.enrich, memory.judge):
            with pytest.raises(ConfigurationError, match="GRAPHMEM_LLM_BASE_URL"):
                verb()


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Write to bo.li@mail.example.org about it", "Write to [EMAIL] about it"),
        ("我的手机号是13812345678，记一下", "我的手机号是[PHONE]，记一下"),
        ("nothing \x00here", "nothing here"),
    ],
)
def test_personal_data_is_gone_before_anything_is_stored_or_sent(tmp_path: Path, text: str, redacted: str) -> None:
    model = ScriptedModel([{"memories": []}])
    with opened(where=tmp_path / "m.db", pii="redact", language_model=model) as memory:
        report = memory.remember(said(text))
        assert report.episodes[0].text == redacted
        assert redacted in model.asked[0][1]
        assert len(report.notes) == 1
    raw = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not any(secret in raw for secret in (b"bo.li", b"13812345678"))


def test_tagged_data_stays_and_is_marked() -> None:
    with opened(pii="tag", extraction=False) as memory:
        episode = memory.remember(said("Call 555-123-4567")).episodes[0]
        assert episode.text == "Call 555-123-4567"
        assert episode.metadata[METADATA] == [{"kind": "phone", "start": 5, "end": 17}]
