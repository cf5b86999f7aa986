"""What a model adds to the rules' result, what is left out, and what a failing model costs: nothing that was there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import anyio
import pytest

from graphmem.errors import ConfigurationError, InferenceUnavailable, InvalidModelOutput, RateLimited
from graphmem.llm.answers import asks, schema_of
from graphmem.llm.extractor import BATCH, LlmExtractor, batches
from graphmem.llm.prompting import LONGEST, system_prompt
from graphmem.llm.schemas import enforceable
from graphmem.model import Draft, Message, Role
from graphmem.ontology import Ontology
from graphmem.ports import Extraction, Turn
from graphmem.testing import ScriptedModel

NOON = datetime(2026, 3, 10, 12, tzinfo=timezone(timedelta(hours=8)))
CORE = Ontology.core()


class Rules:
    """An extractor that finds what it was told to, by text."""

    def __init__(self, found: Mapping[str, Draft] | None = None, act: str | None = None) -> None:
        self._found, self._act = dict(found or {}), act

    async def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        drafts = [self._found.get(turn.message.text) for turn in turns]
        return [Extraction((draft,) if draft else (), act=self._act) for draft in drafts]


def turn(text: str, speaker: str = "Ann", role: Role = "user", addressee: str | None = "Bo", previous: str | None = None) -> Turn:
    return Turn(Message(text, speaker, role=role), NOON, speaker, addressee, previous, addressee if previous else None)


def found(quote: str, type_: str = "Fact", number: int = 0, **more: Any) -> dict[str, Any]:
    slots = more.pop("slots", {"subject": "Ann", "relation": "owns", "object": "a red canoe"})
    pairs = [{"name": name, "value": one} for name, value in slots.items() for one in (value if isinstance(value, list) else [value])]
    given = {"turn": number, "type": type_, "text": quote, "quote": quote, "slots": pairs, "valid_from": None, "valid_to": None}
    return {**given, "act": "state", "confidence": 0.8, "importance": 0.5, **more}


def answer(*memories: dict[str, Any]) -> dict[str, Any]:
    return {"memories": list(memories)}


def extract(model: ScriptedModel, *turns: Turn, rules: Rules | None = None) -> list[Extraction]:
    return anyio.run(LlmExtractor(rules or Rules(), model, CORE).extract, turns)


CANOE = "I keep a red canoe in the shed"


def test_the_model_fills_what_the_rules_left() -> None:
    model = ScriptedModel([answer(found("a red canoe"))], model_id="tiny", tokens=30)
    one = extract(model, turn(CANOE))[0]
    draft = one.drafts[0]
    assert (draft.type, draft.properties["subject"], draft.properties["relation"], draft.properties["object"]) == (
        "Fact",
        "Ann",
        "owns",
        "a red canoe",
    )
    assert CANOE[slice(*draft.evidence or ())] == "a red canoe"
    assert (draft.extractor, draft.confidence, one.tokens, one.read_by, one.notes) == ("llm:tiny", 0.8, 30, "llm:tiny", ())


def test_what_the_rules_found_is_told_to_the_model_and_not_taken_twice() -> None:
    slots = {"subject": "Ann", "relation": "owns", "object": "a red canoe"}
    rule = Draft(type="Fact", text="Ann owns a red canoe", properties=slots, evidence=(0, 18), extractor="rules")
    model = ScriptedModel([answer(found("red canoe"), found("in the shed", "Observation", slots={"about": "canoe"}))])
    one = extract(model, turn(CANOE), rules=Rules({CANOE: rule}))[0]
    assert [draft.type for draft in one.drafts] == ["Fact", "Observation"]
    assert one.drafts[0] is rule
    assert "Ann owns a red canoe" in json.loads(model.asked[0][1])["turns"][0]["known"][0]


def test_the_same_memory_twice_in_one_answer_is_one() -> None:
    model = ScriptedModel(
        [answer(found("a red canoe"), found("canoe", slots={"subject": "ann", "relation": "own", "object": "Red canoe"}))]
    )
    assert len(extract(model, turn(CANOE))[0].drafts) == 1


@pytest.mark.parametrize(
    ("text", "memory", "why"),
    [
        (CANOE, found("a blue canoe"), "quote nothing said"),
        (CANOE, found("  "), "quote nothing said"),
        ("x" * LONGEST + " a red canoe", found("a red canoe"), "quote nothing said"),
        ("Do I own a red canoe?", found("a red canoe"), None),
        ("我是不是有一条小船？", found("一条小船", text="我有一条小船"), None),
    ],
)
def test_what_was_not_stated_is_left_out_without_asking_again(text: str, memory: dict[str, Any], why: str | None) -> None:
    model = ScriptedModel([answer(memory)])
    one = extract(model, turn(text))[0]
    assert one.drafts == ()
    assert len(model.asked) == 1
    assert any(why in note for note in one.notes) if why else not one.notes


def test_what_an_assistant_repeats_of_the_user_is_not_learned_as_new() -> None:
    echo = turn("As you told me, Ann owns a red canoe. I booked the ferry.", "Helper", "assistant", "Ann", "What do you know?")
    booked = found("I booked the ferry", "Event", slots={"event_type": "booking", "participants": ["I"]})
    one = extract(ScriptedModel([answer(found("Ann owns a red canoe"), booked)]), echo)[0]
    assert [draft.type for draft in one.drafts] == ["Event"]
    assert one.drafts[0].properties["participants"] == ["Helper"]
    assert any("only repeated" in note for note in one.notes)


@pytest.mark.parametrize(
    ("role", "text", "act"),
    [
        ("system", "Known: Ann owns a canoe", None),
        ("tool", '{"canoes": 1}', None),
        ("user", "Thanks a lot!", "thank"),
        ("user", "42 !!", None),
    ],
)
def test_turns_that_teach_nothing_are_not_sent(role: Role, text: str, act: str | None) -> None:
    model = ScriptedModel([])
    assert extract(model, turn(text, role=role), rules=Rules(act=act))[0] == Extraction(act=act)
    assert model.asked == []


@pytest.mark.parametrize(
    ("memory", "says"),
    [
        (found("a red canoe", "Boat"), "none of"),
        (found("a red canoe", "Episode"), "none of"),
        (found("a red canoe", slots={"subject": "Ann", "relation": "paddles_happily", "object": "canoe"}), "not declared"),
        (found("a red canoe", slots={"subject": "Ann", "relation": "owns"}), "object"),
        (found("a red canoe", slots={"subject": "Ann", "relation": "owns", "object": "canoe", "source": "user"}), "no such slot"),
        (found("a red canoe", "Goal", slots={"status": "sleeping"}), "status"),
        (found("a red canoe", valid_from="next Tuesday"), "no time"),
        (found("a red canoe", valid_from="2026-03", valid_to="2025"), "before"),
        (found("a red canoe", confidence=3.0), "from 0 to 1"),
        (found("a red canoe", text=" "), "empty"),
        (found("a red canoe", text="安有一条红色的小船"), "language"),
        (found("a red canoe", number=4), "no turn 4"),
        ({"type": "Fact"}, "memories.0"),
    ],
)
def test_what_breaks_the_ontology_is_asked_again_once_and_then_left_out(memory: dict[str, Any], says: str) -> None:
    good = found("in the shed", "Observation", slots={"about": "canoe"})
    model = ScriptedModel([answer(memory), answer(memory)])
    one = extract(model, turn(CANOE))[0]
    assert (one.drafts, len(model.asked), one.tokens) == ((), 2, 20)
    assert says in model.asked[1][1]
    assert len(one.notes) == 1
    mended = ScriptedModel([answer(memory), answer(good)])
    assert [draft.type for draft in extract(mended, turn(CANOE))[0].drafts] == ["Observation"]


def test_what_fits_is_taken_where_a_part_does_not() -> None:
    mixed = answer(found("a red canoe"), found("in the shed", "Shed"))
    one = extract(ScriptedModel([mixed, mixed]), turn(CANOE))[0]
    assert [draft.type for draft in one.drafts] == ["Fact"]
    assert "1 memory(ies) left out" in one.notes[0]


def test_the_first_answer_stands_where_the_second_never_comes() -> None:
    mixed = answer(found("a red canoe"), found("in the shed", "Shed"))
    for second in (InferenceUnavailable("gone"), InvalidModelOutput("nonsense", tokens=4)):
        one = extract(ScriptedModel([mixed, second]), turn(CANOE))[0]
        assert [draft.type for draft in one.drafts] == ["Fact"]


@pytest.mark.parametrize("error", [InferenceUnavailable("down"), RateLimited("wait", retry_after=90.0), ConfigurationError("no such key")])
def test_a_failing_model_leaves_the_rules_result_and_says_so(error: Exception) -> None:
    rule = Draft(type="Observation", text="canoe", evidence=(0, 5), extractor="rules")
    turns = [turn(f"{CANOE} number {number}") for number in range(BATCH * 6)]
    model = ScriptedModel([error] * 6)
    whole = extract(model, *turns, rules=Rules({turns[0].message.text: rule}))
    assert whole[0].drafts == (rule,)
    assert len(whole) == len(turns)
    assert str(error) in whole[0].notes[-1]
    assert f"{len(turns)} turn(s)" in whole[0].notes[-1]
    assert len(model.asked) < 6
    assert all(one.read_by is None for one in whole)


def test_output_that_is_invalid_twice_leaves_the_rules_result_and_its_cost() -> None:
    model = ScriptedModel([InvalidModelOutput("no JSON", tokens=5), InvalidModelOutput("no JSON", tokens=6)])
    one = extract(model, turn(CANOE))[0]
    assert (one.drafts, one.tokens, one.read_by) == ((), 11, None)
    assert "the rules' result stands" in one.notes[0]


def test_times_persons_and_lists_are_read_as_the_turn_means_them() -> None:
    text = "My sister and I rowed with you across the lake on Sunday, until 4 pm"
    slots = {
        "event_type": "rowing",
        "participants": ["I", "you", "my sister"],
        "time": ["2026-03-08T14:00", "2026-03-08T16:00"],
        "reason": "sun",
    }
    one = extract(ScriptedModel([answer(found("rowed with you", "Event", slots=slots, valid_from="2026-03-08"))]), turn(text))[0].drafts[0]
    assert one.properties["participants"] == ["Ann", "Bo", "my sister"]
    assert one.properties["time"].start == datetime(2026, 3, 8, 6, tzinfo=UTC)
    assert (one.valid_from, one.precision, one.reason) == (datetime(2026, 3, 7, 16, tzinfo=UTC), "day", "sun")


def test_an_end_and_its_language_are_kept() -> None:
    slots = {"subject": "我", "relation": "works_at", "object": "星海公司"}
    model = ScriptedModel([answer(found("不在星海公司干了", slots=slots, text="安不再在星海公司工作", act="end"))])
    draft = extract(model, turn("上周起我不在星海公司干了", "安"))[0].drafts[0]
    assert (draft.act, draft.text, draft.properties["subject"]) == ("end", "安不再在星海公司工作", "安")
    assert "规则程序" in model.asked[0][0]


def test_prompts_name_every_type_and_relation_of_the_ontology_in_both_languages() -> None:
    for text in ("hello there", "你好"):
        prompt = system_prompt("extract", [text], CORE)
        assert "- Preference:" in prompt
        assert "lives_in (place)" in prompt
        assert "{" not in prompt.replace("{}", "")
    assert enforceable(schema_of(CORE))


def test_a_long_turn_is_read_from_its_beginning_and_that_is_said() -> None:
    one = extract(ScriptedModel([answer()]), turn("word " * 5000))[0]
    assert any(str(LONGEST) in note for note in one.notes)


def test_batches_hold_neighbours_within_their_size() -> None:
    turns = [(number, turn("x" * 5000)) for number in range(5)] + [(number, turn("short")) for number in range(5, 40)]
    sizes = [len(batch) for batch in batches(turns)]
    assert sum(sizes) == 40
    assert max(sizes) <= BATCH
    assert sizes[0] == 2


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("Do I own it? I do.", "own it", True),
        ("Do I own it? I do.", "I do", False),
        ("I own it. Do you?", "I own it.", False),
        ("我有船吗？", "有船吗？", True),
        ("I own it", "own it", False),
    ],
)
def test_questions(text: str, quote: str, expected: bool) -> None:
    start = text.index(quote)
    assert asks(text, start, start + len(quote)) is expected
