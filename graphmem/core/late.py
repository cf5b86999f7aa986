"""Late interaction over stored token vectors: each query token looks for its best partner in a text (ColBERT, Khattab and Zaharia 2020).

`pack` makes what a passage stores; `token_matrix` compares a query with many packed texts at once. Vectors are centred on the embedder's
mean token and have unit length before they are packed. "int8" keeps 386 bytes a token without loss; "compact" turns the vectors by a fixed
orthonormal matrix, which spreads what they say evenly over the dimensions, and keeps 2 bits of each: 98 bytes a token.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphmem.core.bm25 import idf
from graphmem.core.tokens import index_words, is_question_word
from graphmem.errors import InvalidInput
from graphmem.ports import TokenVectors, Vector
from graphmem.text import CJK

Packing = Literal["off", "int8", "compact"]

_HEADER = struct.Struct("<BBHH")
_VERSION = 1
_INT8, _TWO_BITS = 1, 2
FLOOR = 0.4
_EDGE = 0.9816
_LEVELS = np.array([-1.510, -0.4528, 0.4528, 1.510], dtype=np.float32)
"""Lloyd–Max quantiser of a standard normal at 2 bits: outer decision edge and the four levels (Max 1960)."""


def centred(vectors: Vector, mean: Vector) -> Vector:
    """Vectors (n, d) without the mean, at unit length."""
    moved = vectors.astype(np.float32) - mean.astype(np.float32)
    return np.asarray(moved / np.maximum(np.linalg.norm(moved, axis=-1, keepdims=True), 1e-9), dtype=np.float32)


def kept_pieces(tokens: TokenVectors) -> list[int]:
    """Positions of the pieces that hold a letter or digit."""
    return [i for i, piece in enumerate(tokens.pieces) if any(character.isalnum() for character in piece)]


def pack(tokens: TokenVectors, token_mean: Vector, packing: Packing) -> bytes | None:
    """Pack the vectors of one text's words, punctuation dropped; None where nothing is to be stored."""
    return pack_all([tokens], token_mean, packing)[0]


def pack_all(texts: Sequence[TokenVectors | None], token_mean: Vector, packing: Packing) -> list[bytes | None]:
    """Pack many texts at once, their vectors centred and quantised together."""
    kept = [[] if packing == "off" or tokens is None else kept_pieces(tokens) for tokens in texts]
    if not any(kept):
        return [None] * len(kept)
    rows = [tokens.vectors[places] for tokens, places in zip(texts, kept, strict=True) if tokens is not None and places]
    vectors = centred(np.concatenate(rows), token_mean)
    ends = np.cumsum([len(places) for places in kept]).tolist()
    kind, (scales, codes) = (_INT8, _int8(vectors)) if packing == "int8" else (_TWO_BITS, _two_bits(vectors))
    dimensions = vectors.shape[1]
    return [
        b"".join((_HEADER.pack(_VERSION, kind, len(places), dimensions), scales[start:end].tobytes(), codes[start:end].tobytes()))
        if places
        else None
        for places, start, end in zip(kept, [0, *ends], ends, strict=False)
    ]


def _int8(vectors: Vector) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    scales = (np.abs(vectors).max(axis=1, keepdims=True) / 127).astype(np.float16)
    return scales, np.clip(np.rint(vectors / scales.astype(np.float32)), -127, 127).astype(np.int8)


@lru_cache(maxsize=4)
def _rotation(dimensions: int) -> Vector:
    """Cosine transform (DCT-II, orthonormal) after a fixed irregular change of signs: (d, d)."""
    k, n = np.ogrid[:dimensions, :dimensions]
    transform = np.sqrt(2 / dimensions) * np.cos(np.pi * (2 * n + 1) * k / (2 * dimensions))
    transform[0] /= np.sqrt(2)
    signs = np.where((np.arange(dimensions, dtype=np.int64) ** 2 * 7919 + np.arange(dimensions) * 104729) % 1009 < 504, 1.0, -1.0)
    return np.asarray((transform * signs).T, dtype=np.float32)


def _two_bits(vectors: Vector) -> tuple[NDArray[np.float16], NDArray[np.uint8]]:
    n, dimensions = vectors.shape
    turned = vectors @ _rotation(dimensions)
    spread = turned.std(axis=1, keepdims=True) + 1e-9
    codes = np.digitize(turned / spread, (-_EDGE, 0.0, _EDGE)).astype(np.uint8)
    codes = np.pad(codes, ((0, 0), (0, -dimensions % 4))).reshape(n, -1, 4)
    packed = codes[..., 0] | codes[..., 1] << 2 | codes[..., 2] << 4 | codes[..., 3] << 6
    scales = 1 / np.linalg.norm(_LEVELS[codes.reshape(n, -1)[:, :dimensions]], axis=1)
    return scales.astype(np.float16), packed.astype(np.uint8)


@lru_cache(maxsize=1)
def _unpacking_table() -> NDArray[np.complex128]:
    """List the four levels that a byte stands for, four float32 seen as one 16-byte item: (256,)."""
    byte = np.arange(256)
    levels = np.stack([_LEVELS[byte >> shift & 3] for shift in (0, 2, 4, 6)], axis=1)
    return np.ascontiguousarray(levels).view(np.complex128).ravel()


@dataclass(frozen=True, slots=True)
class _Packed:
    kind: int
    dimensions: int
    scales: NDArray[np.float16]
    codes: NDArray[np.uint8]


def _read(blob: bytes) -> _Packed:
    version, kind, n, dimensions = _HEADER.unpack_from(blob)
    if version != _VERSION or kind not in (_INT8, _TWO_BITS):
        raise InvalidInput(f"token vectors are packed in form {version}.{kind}, which this release cannot read; run `graphmem reembed`")
    codes = np.frombuffer(blob, np.uint8, offset=_HEADER.size + 2 * n)
    return _Packed(kind, dimensions, np.frombuffer(blob, np.float16, n, _HEADER.size), codes)


def token_matrix(query: Vector, packed: Sequence[Sequence[bytes]]) -> Vector:
    """Best cosine of each query token (T, d; centred, unit length) in each memory's packed passages: (T, n); −1 where it has none."""
    best = np.full((len(query), len(packed)), -1.0, dtype=np.float32)
    read = [(i, _read(blob)) for i, blobs in enumerate(packed) for blob in blobs]
    for kind in (_INT8, _TWO_BITS):
        chosen = [(i, one) for i, one in read if one.kind == kind]
        if chosen:
            found = _compare(query, kind, [one for _, one in chosen])
            np.maximum.at(best.T, [i for i, _ in chosen], found.T)
    return best


def _compare(query: Vector, kind: int, packed: Sequence[_Packed]) -> Vector:
    """Best product of each query token within each packed text, by one matrix product over all of them: (T, texts)."""
    dimensions = packed[0].dimensions
    codes = np.concatenate([one.codes for one in packed])
    scales = np.concatenate([one.scales for one in packed]).astype(np.float32)
    if kind == _INT8:
        vectors, asked = codes.view(np.int8).reshape(len(scales), dimensions).astype(np.float32), query
    else:
        vectors = _unpacking_table().take(codes).view(np.float32).reshape(len(scales), -1)[:, :dimensions]
        asked = query @ _rotation(dimensions)
    products = (asked @ vectors.T) * scales
    starts = np.cumsum([0, *(len(one.scales) for one in packed[:-1])])
    return np.asarray(np.maximum.reduceat(products, starts, axis=1))


@dataclass(frozen=True, slots=True)
class LateQuery:
    """The question's token vectors (T, d; centred, unit length), question words left out; for each its word's index tokens and a share."""

    vectors: Vector
    words: tuple[tuple[str, ...], ...]
    shares: NDArray[np.float64]


def late_query(question: str, tokens: TokenVectors, token_mean: Vector) -> LateQuery:
    """Ready the encoding of `question` (as it was embedded, in the first person): a word's pieces share its weight as 1/√pieces."""
    pieces = kept_pieces(tokens)
    words = {i: _word_at(question, tokens.spans[i]) for i in pieces}
    kept = [i for i in pieces if not is_question_word(words[i])] or pieces
    sizes = Counter(tokens.words[i] for i in kept)
    shares = np.array([sizes[tokens.words[i]] ** -0.5 for i in kept])
    return LateQuery(centred(tokens.vectors[kept], token_mean), tuple(tuple(index_words(words[i])) for i in kept), shares)


def _word_at(text: str, span: tuple[int, int]) -> str:
    """Read the whole word that a piece belongs to; in Chinese, where words are not written apart, the piece itself."""
    start, end = span
    if CJK.search(text[start:end]):
        return text[start:end]
    while start > 0 and text[start - 1].isalnum() and not CJK.match(text[start - 1]):
        start -= 1
    while end < len(text) and text[end].isalnum() and not CJK.match(text[end]):
        end += 1
    return text[start:end]


def token_weights(late: LateQuery, documents: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Weight of each query token, adding up to 1: share × (.4 + .6 · idf / max idf), idf over the candidates' index tokens; (T,).

    A function word is in no index, so its idf is the highest: in its vector the sentence around it speaks, which helps (−3 points without).
    """
    rarity = idf([token for word in late.words for token in word], [frozenset(document) for document in documents])
    values = np.array([max((rarity[token] for token in word), default=0.0) for word in late.words])
    weights = late.shares * (FLOOR + (1 - FLOOR) * values / max(float(values.max(initial=0.0)), 1e-9))
    return np.asarray(weights / max(float(weights.sum()), 1e-9))
