"""Vectors and reranking by the sentence-transformers library: any of its models, from a folder or the hub."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread
import numpy as np

from graphmem.embedders import folder
from graphmem.embedders.pieces import word_numbers
from graphmem.errors import ConfigurationError
from graphmem.ports import Encoding, TokenVectors, Vector


class SentenceTransformersEmbedder:
    """A TokenEmbedder; prefixes are the model's own prompts (`encode_query`, `encode_document`)."""

    def __init__(self, model: str | Path, *, device: str | None = None, batch: int = 32) -> None:
        library = _library()
        self._batch = batch
        self._model: Any = _load(partial(library.SentenceTransformer, str(model), device=device), model)
        self._dimensions = int(_dimensions(self._model))
        name = str(model).rstrip("/").rsplit("/", 1)[-1]
        self._model_id = f"{name}@{_stamp(self._model)}"
        self._mean, self._token_mean = self._measure(folder.neutral_texts())

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return int(self._model.max_seq_length or 512)

    @property
    def mean(self) -> Vector:
        return self._mean

    @property
    def token_mean(self) -> Vector:
        return self._token_mean

    async def embed_documents(self, texts: Sequence[str]) -> Vector:
        return await anyio.to_thread.run_sync(partial(self._pooled, texts, self._model.encode_document))

    async def embed_queries(self, texts: Sequence[str]) -> Vector:
        return await anyio.to_thread.run_sync(partial(self._pooled, texts, self._model.encode_query))

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoding]:
        return await anyio.to_thread.run_sync(partial(self._encodings, texts, self._model.encode_document, "document"))

    async def encode_queries(self, texts: Sequence[str]) -> list[Encoding]:
        return await anyio.to_thread.run_sync(partial(self._encodings, texts, self._model.encode_query, "query"))

    def _pooled(self, texts: Sequence[str], encode: Any) -> Vector:
        if not texts:
            return np.zeros((0, self._dimensions), np.float32)
        return folder.unit(np.asarray(encode(list(texts), batch_size=self._batch, show_progress_bar=False), np.float32))

    def _encodings(self, texts: Sequence[str], encode: Any, role: str) -> list[Encoding]:
        if not texts:
            return []
        found = encode(list(texts), batch_size=self._batch, show_progress_bar=False, output_value=None)
        prompts = getattr(self._model, "prompts", None) or {}
        prompt = prompts.get(role) or (prompts.get("passage") if role == "document" else None) or ""
        pairs = zip(texts, found, strict=True)
        return [Encoding(folder.unit(_array(row["sentence_embedding"])), self._tokens(text, row, prompt)) for text, row in pairs]

    def _tokens(self, text: str, row: Any, prompt: str) -> TokenVectors:
        """Keep the vectors of the text's own pieces: the offsets that the tokenizer gives tell them from prompt and marks."""
        vectors = _array(row["token_embeddings"])
        tokenizer = self._model.tokenizer
        coded = tokenizer(prompt + text, truncation=True, max_length=self.max_tokens, return_offsets_mapping=True)
        kept = [
            (number, start - len(prompt), stop - len(prompt))
            for number, (start, stop) in enumerate(coded["offset_mapping"][: len(vectors)])
            if stop > start >= len(prompt)
        ]
        numbers = [number for number, _, _ in kept]
        spans = tuple((start, stop) for _, start, stop in kept)
        names = tuple(tokenizer.convert_ids_to_tokens([coded["input_ids"][number] for number in numbers]))
        return TokenVectors(names, word_numbers(text, spans), spans, vectors[numbers])

    def _measure(self, texts: Sequence[str]) -> tuple[Vector, Vector]:
        found = self._encodings(texts, self._model.encode_document, "document")
        mean: Vector = np.mean([encoding.vector for encoding in found], axis=0, dtype=np.float32)
        rows = [encoding.tokens.vectors for encoding in found if encoding.tokens is not None]
        token_mean: Vector = np.concatenate(rows).mean(axis=0, dtype=np.float32)
        return mean, token_mean


class CrossEncoderReranker:
    """A Reranker: one score per text, the higher the better, on the model's own scale."""

    def __init__(self, model: str | Path, *, device: str | None = None, batch: int = 32) -> None:
        library = _library()
        self._batch = batch
        self._model: Any = _load(partial(library.CrossEncoder, str(model), device=device), model)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await anyio.to_thread.run_sync(partial(self._score, query, texts))

    def _score(self, query: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        scores = np.asarray(self._model.predict(pairs, batch_size=self._batch, show_progress_bar=False), np.float64)
        if scores.ndim != 1:
            raise ConfigurationError("this cross-encoder gives classes, not one score per pair; choose one trained for reranking")
        return [float(score) for score in scores]


def _library() -> Any:
    try:
        import sentence_transformers  # noqa: PLC0415 — an extra that loads torch
    except ImportError as error:
        raise ConfigurationError("sentence-transformers is not installed: `pip install 'graphmem[sentence-transformers]'`") from error
    return sentence_transformers


def _load(make: partial[Any], model: str | Path) -> Any:
    try:
        return make()
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{model} is neither a model folder here nor to be had from the hub: {error}") from error


def _dimensions(model: Any) -> Any:
    newer = getattr(model, "get_embedding_dimension", None)
    return newer() if newer is not None else model.get_sentence_embedding_dimension()


def _stamp(model: Any) -> str:
    """Hash the names, shapes and a sample of the weights: another model or version gives another stamp."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().flatten()[:64].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:12]


def _array(tensor: Any) -> Vector:
    values: Vector = np.asarray(tensor.detach().float().cpu().numpy(), np.float32)
    return values
