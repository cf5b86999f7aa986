"""A LanguageModel over any endpoint that speaks OpenAI's /chat/completions: OpenAI, Ollama, vLLM, llama.cpp and many more."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio

from graphmem.errors import ConfigurationError, InferenceError, InferenceUnavailable, InvalidModelOutput, RateLimited
from graphmem.llm.schemas import enforceable, problems

LONGEST_WAIT = 30.0
"""Seconds; an endpoint that asks for more gets RateLimited raised to the caller instead."""
SHOWN = 3
"""Problems of an answer that its error names."""
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)


class OpenAICompatibleModel:
    """Answers in JSON that fits a schema: by json_schema where the endpoint takes it, else by json_object with the schema in the prompt.

    What may succeed later is asked again `retries` times, after the time the endpoint names, else after 0.5, 1 … seconds; a timeout is not,
    since it has been waited for once.
    """

    def __init__(
        self, *, model: str, base_url: str | None = None, api_key: str | None = None, timeout: float = 60.0, retries: int = 2
    ) -> None:
        if importlib.util.find_spec("openai") is None:
            raise ConfigurationError("the openai client is not installed: `pip install 'graphmem[llm]'`")
        self._model, self._timeout, self._retries = model, timeout, retries
        self._options: dict[str, Any] = {"base_url": base_url, "api_key": api_key or "none", "timeout": timeout, "max_retries": 0}
        self._client: Any = None
        self._enforces, self._steady = True, True

    @property
    def model_id(self) -> str:
        return self._model

    async def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
        """JSON that fits `schema`, and the tokens spent."""
        attempt = 0
        while True:
            try:
                return _answered(await self._asked(system, user, schema), schema, self._model)
            except (RateLimited, InferenceUnavailable) as error:
                wait = error.retry_after if isinstance(error, RateLimited) else None
                wait = 0.5 * 2**attempt if wait is None else wait
                if attempt == self._retries or wait > LONGEST_WAIT or isinstance(error, _TimedOutError):
                    raise
                attempt += 1
                await anyio.sleep(wait)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _asked(self, system: str, user: str, schema: Mapping[str, Any]) -> Any:
        """One completion; what the endpoint turns out not to know (json_schema, a temperature) is left out from then on."""
        enforces, steady = self._enforces, self._steady
        while True:
            try:
                completion = await self._send(_request(system, user, schema, enforces=enforces), steady=steady)
            except _RefusedError as error:
                if steady and "temperature" in str(error):
                    steady = False
                elif enforces:
                    enforces = False
                else:
                    raise InferenceError(str(error)) from error
            else:
                self._enforces, self._steady = enforces, steady
                return completion

    async def _send(self, request: Mapping[str, Any], *, steady: bool) -> Any:
        if self._client is None:
            from openai import AsyncOpenAI  # noqa: PLC0415 — an extra, loaded when used

            self._client = AsyncOpenAI(**self._options)
        with _translated(self._model), anyio.fail_after(self._timeout):
            return await self._client.chat.completions.create(model=self._model, **request, **({"temperature": 0} if steady else {}))


def _request(system: str, user: str, schema: Mapping[str, Any], *, enforces: bool) -> dict[str, Any]:
    """Where the endpoint cannot enforce the schema, the model is shown it."""
    shape: dict[str, Any] = {"type": "json_object"}
    if enforces:
        shape = {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema), "strict": enforceable(schema)}}
    else:
        system = f"{system}\n\nAnswer with one JSON object that fits this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    return {"messages": [{"role": "system", "content": system}, {"role": "user", "content": user}], "response_format": shape}


class _RefusedError(InferenceError):
    """The endpoint does not take the request as it is."""


class _TimedOutError(InferenceUnavailable):
    """The endpoint was waited for as long as the setting allows."""


@contextmanager
def _translated(model: str) -> Iterator[None]:
    """Turn the client's exceptions into this project's."""
    import openai  # noqa: PLC0415

    try:
        yield
    except openai.RateLimitError as error:
        raise RateLimited(f"{model}: the endpoint asks to wait: {error}", retry_after=_seconds(error)) from error
    except (openai.APITimeoutError, TimeoutError) as error:
        raise _TimedOutError(f"{model}: no answer in time; raise GRAPHMEM_LLM_TIMEOUT if the model is slow") from error
    except (openai.APIConnectionError, openai.InternalServerError) as error:
        raise InferenceUnavailable(f"{model}: the endpoint does not answer: {error}") from error
    except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
        raise ConfigurationError(f"{model}: the endpoint refuses; check the key, the address and the model: {error}") from error
    except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
        raise _RefusedError(f"{model}: the endpoint refuses this request: {error}") from error
    except (openai.APIError, ValueError) as error:
        raise InferenceError(f"{model}: the endpoint answers no JSON: {error}") from error


def _answered(completion: Any, schema: Mapping[str, Any], model: str) -> tuple[Mapping[str, Any], int]:
    """Read and validate the answer; InvalidModelOutput carries the tokens that it cost."""
    try:
        choice = completion.choices[0]
        content, reason, refusal = choice.message.content, choice.finish_reason, getattr(choice.message, "refusal", None)
    except (AttributeError, IndexError, TypeError) as error:
        raise InferenceError(f"{model}: the endpoint's answer is no chat completion") from error
    tokens = int(getattr(completion.usage, "total_tokens", 0) or 0)
    if refusal or not isinstance(content, str) or not content.strip():
        raise InvalidModelOutput(f"{model} gave no answer{f': {refusal}' if refusal else ''}", tokens=tokens)
    if reason == "length":
        raise InvalidModelOutput(f"{model}'s answer was cut off at its longest length", tokens=tokens)
    value = _parsed(content, model, tokens)
    if found := problems(value, schema):
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise InvalidModelOutput(f"{model}'s answer does not fit: {'; '.join(found[:SHOWN])}{more}", tokens=tokens)
    return value, tokens


def _parsed(content: str, model: str, tokens: int) -> dict[str, Any]:
    """Read the JSON object, also out of a code fence or after a thought."""
    text = _THOUGHT.sub("", content)
    if fenced := _FENCE.match(text):
        text = fenced[1]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidModelOutput(f"{model}'s answer is no JSON: {error}", tokens=tokens) from error
    if not isinstance(value, dict):
        raise InvalidModelOutput(f"{model}'s answer is a {type(value).__name__}, not an object", tokens=tokens)
    return value


def _seconds(error: Any) -> float | None:
    """Read Retry-After in seconds; a date form is taken as not given."""
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None
