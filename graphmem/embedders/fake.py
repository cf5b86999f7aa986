"""Vectors without a model, for tests: the same words give near vectors, always the same ones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from graphmem.ports import Encoding, TokenVectors, Vector
from graphmem.text import CJK

_TOKEN = re.compile(rf"{CJK.pattern}|[^\W_]+|[^\w\s]")
_MOST = 512


@lru_cache(maxsize=1 << 16)
def _direction(token: str, dimensions: int) -> Vector:
    """Draw a token's own unit vector, from its hash."""
    seed = int.from_bytes(hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    drawn = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    unit: Vector = drawn / np.linalg.norm(drawn)
    unit.flags.writeable = False
    return unit


class FakeEmbedder:
    """A TokenEmbedder whose vectors are sums of hashed words; a text without a word has a vector of its own."""

    def __init__(self, dimensions: int = 64, *, model_id: str | None = None) -> None:
        self._dimensions = dimensions
        self._model_id = model_id or f"fake-{dimensions}@1"
        self._zero: Vector = np.zeros(dimensions, np.float32)

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return _MOST

    @property
    def mean(self) -> Vector:
        return self._zero

    @property
    def token_mean(self) -> Vector:
        return self._zero

    async def embed_documents(self, texts: Sequence[str]) -> Vector:
        found = [self._encode(text).vector for text in texts]
        return np.stack(found) if found else np.zeros((0, self._dimensions), np.float32)

    async def embed_queries(self, texts: Sequence[str]) -> Vector:
        return await self.embed_documents(texts)

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoding]:
        return [self._encode(text) for text in texts]

    async def encode_queries(self, texts: Sequence[str]) -> list[Encoding]:
        return await self.encode_documents(texts)

    def _encode(self, text: str) -> Encoding:
        matches = list(_TOKEN.finditer(text))[:_MOST]
        pieces = tuple(match[0] for match in matches)
        spans = tuple((match.start(), match.end()) for match in matches)
        rows = [_direction(piece.lower(), self._dimensions) for piece in pieces]
        vectors = np.stack(rows) if rows else np.zeros((0, self._dimensions), np.float32)
        total = vectors.sum(axis=0)
        length = float(np.linalg.norm(total))
        vector = total / np.float32(length) if length > 0 else _direction(f"\0{text}", self._dimensions)
        return Encoding(vector, TokenVectors(pieces, tuple(range(len(pieces))), spans, vectors))
