"""Models that are loaded at their first use, so that opening a memory costs nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import anyio.to_thread

from graphmem.ontology import Ontology
from graphmem.ports import Encoding, Extraction, Extractor, TokenEmbedder, Turn, Vector
from graphmem.temporal import Interval


class LazyEmbedder:
    """The local default embedder; its name and size are known before the model is loaded."""

    def __init__(self, load: Callable[[], TokenEmbedder], model_id: str, dimensions: int, max_tokens: int) -> None:
        self._load, self._lock = load, threading.Lock()
        self._loaded: TokenEmbedder | None = None
        self.model_id, self.dimensions, self.max_tokens = model_id, dimensions, max_tokens

    @classmethod
    def default(cls, cache: Path, progress: Callable[[int, int], None] | None = None) -> LazyEmbedder:
        from graphmem.embedders.onnx import DEFAULT_DIMENSIONS, DEFAULT_MAX_TOKENS, DEFAULT_MODEL_ID, OnnxEmbedder  # noqa: PLC0415

        return cls(lambda: OnnxEmbedder.default(cache, progress=progress), DEFAULT_MODEL_ID, DEFAULT_DIMENSIONS, DEFAULT_MAX_TOKENS)

    def load(self) -> TokenEmbedder:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    async def _model(self) -> TokenEmbedder:
        return self._loaded if self._loaded is not None else await anyio.to_thread.run_sync(self.load)

    @property
    def mean(self) -> Vector:
        return self.load().mean

    @property
    def token_mean(self) -> Vector:
        return self.load().token_mean

    async def embed_documents(self, texts: Sequence[str]) -> Vector:
        return await (await self._model()).embed_documents(texts)

    async def embed_queries(self, texts: Sequence[str]) -> Vector:
        return await (await self._model()).embed_queries(texts)

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoding]:
        return await (await self._model()).encode_documents(texts)

    async def encode_queries(self, texts: Sequence[str]) -> list[Encoding]:
        return await (await self._model()).encode_queries(texts)


class LazyExtractor:
    def __init__(self, load: Callable[[], Extractor]) -> None:
        self._load, self._lock = load, threading.Lock()
        self._loaded: Extractor | None = None

    @classmethod
    def rules(cls, ontology: Ontology) -> LazyExtractor:
        def load() -> Extractor:
            from graphmem.language.extractor import RuleExtractor  # noqa: PLC0415 — loads spaCy

            return RuleExtractor(ontology)

        return cls(load)

    def load(self) -> Extractor:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    async def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        extractor = self._loaded if self._loaded is not None else await anyio.to_thread.run_sync(self.load)
        return await extractor.extract(turns)


def question_window(text: str, now: datetime) -> tuple[Interval, str] | None:
    """The time that a question names; the grammar loads with the first question."""
    from graphmem.language.times_query import query_window  # noqa: PLC0415 — see above

    return query_window(text, now=now)
