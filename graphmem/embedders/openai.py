"""Sentence vectors from any endpoint that speaks OpenAI's /embeddings: OpenAI, Ollama, vLLM, TEI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import anyio
import numpy as np

from graphmem.errors import ConfigurationError, InferenceError, InferenceUnavailable, RateLimited
from graphmem.ports import Vector

DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
BATCH = 128
LONGEST_WAIT = 60.0
"""Seconds; an endpoint that asks for more gets RateLimited raised to the caller instead."""


class OpenAICompatibleEmbedder:
    """An Embedder over HTTP; vectors are brought to unit length, and a dimension other than the one stated is refused."""

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        timeout: float = 60.0,
        retries: int = 4,
    ) -> None:
        try:
            from openai import AsyncOpenAI  # noqa: PLC0415 — an extra, loaded when used
        except ImportError as error:
            raise ConfigurationError("the openai client is not installed: `pip install 'graphmem[llm]'`") from error
        self._model, self._dimensions, self._retries = model, dimensions or DIMENSIONS.get(model), retries
        self._shorten = dimensions is not None and dimensions != DIMENSIONS.get(model, dimensions)
        self._options: dict[str, Any] = {"base_url": base_url, "api_key": api_key or "none", "timeout": timeout, "max_retries": 0}
        self._client: Any = AsyncOpenAI(**self._options)

    @property
    def model_id(self) -> str:
        return f"{self._model}@{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """Of a model that is not known here, found by one request at the first look."""
        if self._dimensions is None:
            from openai import OpenAI  # noqa: PLC0415

            with _translated(self._model), OpenAI(**self._options) as client:
                rows = _vectors(client.embeddings.create(model=self._model, input=["."], encoding_format="float"))
            if not rows or not rows[0]:
                raise InferenceError(f"{self._model} answered no vector")
            self._dimensions = len(rows[0])
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return 8191

    async def embed_documents(self, texts: Sequence[str]) -> Vector:
        parts = [await self._batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimensions), np.float32)

    async def embed_queries(self, texts: Sequence[str]) -> Vector:
        return await self.embed_documents(texts)

    async def close(self) -> None:
        await self._client.close()

    async def _batch(self, texts: Sequence[str]) -> Vector:
        """Ask again what may succeed later, after the time the endpoint names, else after 0.5, 1, 2 … seconds."""
        for attempt in range(self._retries):
            try:
                return self._checked(await self._ask(texts), len(texts))
            except InferenceError as error:
                wait = error.retry_after if isinstance(error, RateLimited) else None
                wait = 0.5 * 2**attempt if wait is None else wait
                if not error.retryable or wait > LONGEST_WAIT:
                    raise
                await anyio.sleep(wait)
        return self._checked(await self._ask(texts), len(texts))

    async def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        # an empty text is refused by some endpoints; a space stands for it
        given: dict[str, Any] = {"model": self._model, "input": [text or " " for text in texts], "encoding_format": "float"}
        if self._shorten:
            given["dimensions"] = self._dimensions
        with _translated(self._model):
            return _vectors(await self._client.embeddings.create(**given))

    def _checked(self, rows: list[list[float]], wanted: int) -> Vector:
        if len(rows) != wanted:
            raise InferenceError(f"{self._model} answered {len(rows)} vectors for {wanted} texts")
        self._dimensions = self._dimensions or len(rows[0])
        if any(len(row) != self._dimensions for row in rows):
            found = sorted({len(row) for row in rows})
            raise ConfigurationError(f"{self._model} gives {found} dimensions, not {self._dimensions}; pass dimensions={found[0]}")
        vectors = np.asarray(rows, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or not lengths.all():
            raise InferenceError(f"{self._model} answered a vector without direction")
        scaled: Vector = (vectors / lengths).astype(np.float32)
        return scaled


@contextmanager
def _translated(model: str) -> Iterator[None]:
    """Turn the client's exceptions into this project's."""
    import openai  # noqa: PLC0415

    try:
        yield
    except openai.RateLimitError as error:
        raise RateLimited(f"{model}: the endpoint asks to wait: {error}", retry_after=_seconds(error)) from error
    except (openai.APIConnectionError, openai.InternalServerError) as error:
        raise InferenceUnavailable(f"{model}: the endpoint does not answer: {error}") from error
    except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
        raise ConfigurationError(f"{model}: the endpoint refuses; check the key, the address and the model: {error}") from error
    except (openai.APIError, ValueError) as error:
        raise InferenceError(f"{model}: the endpoint refuses this request or answers no JSON: {error}") from error


def _vectors(answer: Any) -> list[list[float]]:
    """Read the rows in the order of the texts, whichever order the endpoint gives them in."""
    data = getattr(answer, "data", None)
    try:
        return [row.embedding for row in sorted(data or [], key=lambda row: row.index)]
    except (AttributeError, TypeError) as error:
        raise InferenceError("the endpoint's answer is not a list of embeddings") from error


def _seconds(error: Any) -> float | None:
    """Read Retry-After in seconds; a date form is taken as not given."""
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None
