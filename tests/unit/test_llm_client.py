"""The client against a server that speaks the protocol, well and badly."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import anyio
import pytest

from graphmem.errors import ConfigurationError, GraphMemError, InferenceError, InferenceUnavailable, InvalidModelOutput, RateLimited
from graphmem.llm.client import OpenAICompatibleModel
from graphmem.llm.schemas import enforceable, problems
from tests.llm_server import Endpoint, Handler, Reply, breaks_off, fails, hangs, running, says

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "ages": {"type": "array", "items": {"type": "integer"}}},
    "required": ["name", "ages"],
    "additionalProperties": False,
}
GOOD = {"name": "Bo", "ages": [3, 4]}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running() as found:
        yield found


def ask(model: OpenAICompatibleModel, schema: Mapping[str, Any] = SCHEMA) -> tuple[Mapping[str, Any], int]:
    async def run() -> tuple[Mapping[str, Any], int]:
        try:
            return await model.complete("You answer.", "Who?", schema)
        finally:
            await model.close()

    return anyio.run(run)


def test_a_good_answer_comes_with_what_it_cost(endpoint: Endpoint) -> None:
    endpoint.script = [says(GOOD, tokens=42)]
    assert ask(endpoint.model(api_key="k")) == (GOOD, 42)
    request = endpoint.asked[0]
    assert request["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["temperature"] == 0


@pytest.mark.parametrize(
    "content", ['```json\n{"name": "Bo", "ages": [3, 4]}\n```', '<think>Let me see.</think>\n{"name": "Bo", "ages": [3, 4]}']
)
def test_an_answer_in_a_fence_or_after_a_thought_is_read(endpoint: Endpoint, content: str) -> None:
    endpoint.script = [says(content)]
    assert ask(endpoint.model())[0] == GOOD


def test_an_endpoint_without_json_schema_is_shown_the_schema_and_not_asked_for_it_again(endpoint: Endpoint) -> None:
    endpoint.script = [fails(400, "response_format json_schema is not supported"), says(GOOD), says(GOOD)]

    async def run() -> list[Mapping[str, Any]]:
        model = endpoint.model()
        answers = [(await model.complete("s", "u", SCHEMA))[0] for _ in range(2)]
        await model.close()
        return answers

    assert anyio.run(run) == [GOOD, GOOD]
    assert [request["response_format"]["type"] for request in endpoint.asked] == ["json_schema", "json_object", "json_object"]
    assert '"additionalProperties": false' in endpoint.asked[1]["messages"][0]["content"]


def test_a_model_that_takes_no_temperature_gets_none(endpoint: Endpoint) -> None:
    endpoint.script = [fails(400, "temperature is not supported with this model"), says(GOOD)]
    assert ask(endpoint.model())[0] == GOOD
    assert "temperature" not in endpoint.asked[1]
    assert endpoint.asked[1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("handler", "kind", "says_"),
    [
        (says("{nonsense"), InvalidModelOutput, "no JSON"),
        (says("[1, 2]"), InvalidModelOutput, "not an object"),
        (says({"name": "Bo"}), InvalidModelOutput, "ages is missing"),
        (says({"name": 7, "ages": [True], "more": 1}), InvalidModelOutput, "more is not wanted"),
        (says(GOOD, finish="length"), InvalidModelOutput, "cut off"),
        (says("", refusal="I would rather not"), InvalidModelOutput, "rather not"),
        (says("[" * 100_000), InvalidModelOutput, "no JSON"),
        (fails(500), InferenceUnavailable, "does not answer"),
        (fails(503), InferenceUnavailable, "does not answer"),
        (fails(429), RateLimited, "asks to wait"),
        (fails(401), ConfigurationError, "check the key"),
        (fails(404), ConfigurationError, "the model"),
        (fails(400), InferenceError, "refuses"),
        (fails(418), InferenceError, "tiny"),
        (lambda _: Reply(body="<html>"), InferenceError, "JSON"),
        (lambda _: Reply(body='{"object": "list"}'), InferenceError, "no chat completion"),
        (breaks_off(), InferenceUnavailable, "does not answer"),
    ],
)
def test_what_goes_wrong_is_said_in_this_projects_errors(
    endpoint: Endpoint, handler: Handler, kind: type[GraphMemError], says_: str
) -> None:
    endpoint.always = handler
    with pytest.raises(kind, match=says_):
        ask(endpoint.model())


def test_invalid_output_says_what_it_cost(endpoint: Endpoint) -> None:
    endpoint.always = says("{nonsense", tokens=31)
    with pytest.raises(InvalidModelOutput) as caught:
        ask(endpoint.model())
    assert caught.value.tokens == 31


def test_a_timeout_is_waited_for_once(endpoint: Endpoint) -> None:
    endpoint.always = hangs()
    started = time.monotonic()
    with pytest.raises(InferenceUnavailable, match="no answer in time"):
        ask(endpoint.model(timeout=0.3, retries=2))
    assert len(endpoint.asked) == 1
    assert time.monotonic() - started < 1.9


def test_the_time_that_the_endpoint_names_is_waited(endpoint: Endpoint) -> None:
    endpoint.script = [fails(429, headers={"retry-after": "0.2"}), fails(500), says(GOOD)]
    started = time.monotonic()
    assert ask(endpoint.model(retries=2))[0] == GOOD
    assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize(("header", "wait"), [("120", 120.0), ("Wed, 21 Oct 2026 07:28:00 GMT", None)])
def test_a_long_wait_is_left_to_the_caller(endpoint: Endpoint, header: str, wait: float | None) -> None:
    endpoint.always = fails(429, headers={"retry-after": header})
    with pytest.raises(RateLimited) as caught:
        ask(endpoint.model(retries=0 if wait is None else 3))
    assert caught.value.retry_after == wait
    assert len(endpoint.asked) == 1


def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(InferenceUnavailable):
        ask(OpenAICompatibleModel(model="tiny", base_url="http://127.0.0.1:9/v1", retries=0, timeout=5.0))


@pytest.mark.parametrize(
    ("value", "schema", "count"),
    [
        ({"a": {"b": "x"}}, {"$defs": {"B": {"type": "object", "required": ["b"]}}, "properties": {"a": {"$ref": "#/$defs/B"}}}, 0),
        ({"a": {}}, {"$defs": {"B": {"type": "object", "required": ["b"]}}, "properties": {"a": {"$ref": "#/$defs/B"}}}, 1),
        (None, {"anyOf": [{"type": "string"}, {"type": "null"}]}, 0),
        (3, {"anyOf": [{"type": "string"}, {"type": "null"}]}, 1),
        ("b", {"enum": ["a"]}, 1),
        ("b", {"const": "a"}, 1),
        (True, {"type": "integer"}, 1),
        (1, {"type": ["integer", "null"]}, 0),
        ([["x"]], {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}, 1),
    ],
)
def test_schemas(value: Any, schema: dict[str, Any], count: int) -> None:
    assert len(problems(value, schema)) == count


def test_a_value_that_a_schema_would_follow_for_ever_is_refused() -> None:
    schema: dict[str, Any] = {"$defs": {"N": {"type": "array", "items": {"$ref": "#/$defs/N"}}}, "$ref": "#/$defs/N"}
    value: list[Any] = []
    for _ in range(50):
        value = [value]
    assert "too deep" in problems(value, schema)[0]


def test_strict_is_asked_only_of_closed_schemas() -> None:
    assert enforceable(SCHEMA)
    assert not enforceable({**SCHEMA, "required": ["name"]})
    assert not enforceable({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}})
